# SPDX-License-Identifier: MIT
"""`pcbrules pdn`: exit codes, what is said, what is written."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from cli_bench import ROOT, Bench

B200 = str(ROOT / "boards" / "hgx-b200-baseboard.yaml")
CM5 = str(ROOT / "boards" / "real-cm5-sodimm-carrier.yaml")


@pytest.mark.parametrize(("words", "code"), [
    (f"pdn {B200} -p training", 0), (f"pdn {B200} nvsw_core -p training", 0),
    pytest.param(f"pdn {B200} nvsw_core --optimize -p training", 0, marks=pytest.mark.long),
    (f"pdn {B200} nvsw_core --optimize --most 2 -p training", 1),
    (f"pdn {CM5} -p edge", 3), ("pdn board.yaml -p training", 3),
])
def test_exit_codes(bench: Bench, words: str, code: int) -> None:
    done = bench.run(*shlex.split(words))
    assert done.code == code and done.err == "" and f"exit code {code}" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


@pytest.mark.parametrize(("words", "said"), [
    ("pdn none.yaml", "none.yaml"),
    (f"pdn {B200} nvsw", "expected p54v, nvsw_core"),
    (f"pdn {B200} -p trainning", "write 'training'"),
    (f"pdn {B200} --plot a.svg", "need a RAIL"),
    (f"pdn {B200} --optimize", "need a RAIL"),
    (f"pdn {B200} nvsw_core --margin 1dB", "belong to --optimize"),
    (f"pdn {B200} nvsw_core --optimize --margin 1", "--margin"),
    (f"pdn {B200} nvsw_core --optimize --margin=-3dB", "zero or more"),
    (f"pdn {B200} nvsw_core --optimize --part x", "unknown library capacitor"),
    (f"pdn {B200} nvsw_core --plot a.pdf", "has to end in .svg or .png"),
    (f"pdn {B200} nvsw_core --touchstone a.s4p", "has to end in .s1p or .s2p"),
    (f"pdn {B200} nvsw_core --touchstone none/a.s1p", "cannot write"),
])
def test_what_is_wrong_is_2_with_its_cure(bench: Bench, words: str, said: str) -> None:
    done = bench.run(*shlex.split(words))
    assert done.code == 2 and done.out == "" and said in done.err
    assert not [path for path in bench.folder.iterdir() if path.suffix in (".svg", ".png", ".s1p", ".s2p", ".part")]


@pytest.mark.long
def test_the_files_are_written_and_the_same_twice(bench: Bench) -> None:
    words = ("pdn", B200, "nvsw_core", "--plot", "a.svg", "--touchstone", "a.s1p")
    first = bench.run(*words)
    files = [(bench.folder / name).read_bytes() for name in ("a.svg", "a.s1p")]
    assert first.code == 0 and files[0].startswith(b"<svg") and b"# Hz S RI R 0.01" in files[1]
    assert bench.run(*words).out == first.out
    assert [(bench.folder / name).read_bytes() for name in ("a.svg", "a.s1p")] == files


def test_no_file_replaces_what_it_was_made_from(bench: Bench) -> None:
    before = Path(B200).read_bytes()
    (bench.folder / "own.svg").write_bytes(before)
    done = bench.run("pdn", "own.svg", "nvsw_core", "--plot", "./own.svg")
    assert done.code == 2 and "'own.svg' is an input" in done.err
    assert (bench.folder / "own.svg").read_bytes() == before


@pytest.mark.long
def test_json_says_what_the_console_says(bench: Bench) -> None:
    words = ("pdn", B200, "nvsw_core", "--optimize", "--margin", "0.5dB")
    tree = json.loads(bench.run(*words, "--format", "json").out)
    text = bench.run(*words).out
    (one,) = tree["rails"]
    assert f"{1e3 * one['largest']['nominal_ohm']:.4g}" in text
    needed = sum(bank["needed"] for bank in tree["fewest"]["banks"])
    assert f"{needed} instead of 266" in " ".join(text.split()) and tree["fewest"]["margin_db"] == 0.5


@pytest.mark.long
def test_the_schema_and_the_examples(bench: Bench) -> None:
    assert json.loads(bench.run("schema", "pdn").out)["$id"] == "urn:pcbrules:pdn:1"
    text = bench.run("pdn", "--help").out.split("Examples:")[1].split("Exit codes")[0]
    for example in text.strip().splitlines()[:3]:
        words = [str(ROOT / word) if word.startswith("boards/") else word for word in shlex.split(example)[1:]]
        assert bench.run(*words).code == 0, example
