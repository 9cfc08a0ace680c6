# SPDX-License-Identifier: MIT
"""`pcbrules channel`: exit codes, what is said, what is written."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from cli_bench import NO_GAP, ROOT, Bench

H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")
CM5 = str(ROOT / "boards" / "real-cm5-sodimm-carrier.yaml")


@pytest.mark.parametrize(("words", "code"), [
    (f"channel {H100}", 0), (f"channel {H100} nvl_l5", 0), (f"channel {CM5} -p edge", 0), ("channel board.yaml", 0),
    ("channel no_gap.yaml", 3),
])
def test_exit_codes(bench: Bench, words: str, code: int) -> None:
    bench.put("no_gap.yaml", NO_GAP)
    done = bench.run(*shlex.split(words))
    said = done.err.splitlines()
    assert done.code == code and done.out and len(said) == ("-p" not in words)
    assert all(line.startswith("taking profile ") and "form factor" in line for line in said), "a choice is told"
    assert all(len(line) <= 80 for line in done.out.splitlines())


@pytest.mark.parametrize(("words", "said"), [
    ("channel none.yaml", "none.yaml"),
    (f"channel {H100} nvl5", "unknown link; found 'nvl5'"),
    (f"channel {H100} nvl5", "expected nvl_l3, nvl_l5"),
    (f"channel {H100} -p trainning", "write 'training'"),
    (f"channel {H100} --plot a.svg", "need a LINK"),
    (f"channel {H100} --touchstone a.s2p", "need a LINK"),
    (f"channel {H100} nvl_l5 --plot a.pdf", "has to end in .svg or .png"),
    (f"channel {H100} nvl_l5 --touchstone a.s3p", "has to end in .s4p or .s2p"),
    (f"channel {H100} nvl_l5 --touchstone none/a.s2p", "cannot write"),
    ("channel no_gap.yaml a --plot a.svg", "nothing to write: the gap of the pair is not declared"),
])
def test_what_is_wrong_is_2_with_its_cure(bench: Bench, words: str, said: str) -> None:
    bench.put("no_gap.yaml", NO_GAP)
    done = bench.run(*shlex.split(words))
    assert done.code == 2 and done.out == "" and said in done.err
    assert not [path for path in bench.folder.iterdir() if path.suffix in (".svg", ".png", ".s2p", ".s4p", ".part")]


def test_no_file_replaces_what_it_was_made_from(bench: Bench) -> None:
    (bench.folder / "own.svg").write_text(Path(H100).read_text(encoding="utf-8"), encoding="utf-8")
    before = (bench.folder / "own.svg").read_bytes()
    done = bench.run("channel", "own.svg", "nvl_l5", "--plot", "./own.svg")
    assert done.code == 2 and "'own.svg' is an input" in done.err
    assert (bench.folder / "own.svg").read_bytes() == before


@pytest.mark.long
def test_the_files_are_written_and_the_same_twice(bench: Bench) -> None:
    words = ("channel", H100, "nvl_l5", "--plot", "a.svg", "--touchstone", "a.s2p")
    first = bench.run(*words)
    files = [(bench.folder / name).read_bytes() for name in ("a.svg", "a.s2p")]
    assert first.code == 0 and files[0].startswith(b"<svg") and b"# Hz S RI R 100" in files[1]
    assert bench.run(*words).out == first.out
    assert [(bench.folder / name).read_bytes() for name in ("a.svg", "a.s2p")] == files


@pytest.mark.long
def test_a_png_is_the_same_twice_and_its_letters_are_drawn(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, program: tuple[str, ...]
) -> None:
    words = ("channel", H100, "nvl_l5", "--plot", "a.png")
    assert bench.run(*words).code == 0
    first = (bench.folder / "a.png").read_bytes()
    assert first.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(first[16:20], "big") == 2 * 840
    # in another process, on a machine without fonts
    nowhere = {"FONTCONFIG_PATH": str(bench.folder), "HOME": str(bench.folder)}
    assert bench.process(*words, env=nowhere, program=program).code == 0
    assert (bench.folder / "a.png").read_bytes() == first
    monkeypatch.setattr("pcbrules.reports._png.FONT", "none such")
    monkeypatch.setattr("pcbrules.reports._png.FONTS", "*.none")
    assert bench.run(*words).code == 0
    assert len((bench.folder / "a.png").read_bytes()) < 0.9 * len(first)


def test_without_its_package_a_png_says_what_to_install(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = bench.run("channel", H100, "nvl_l5", "--plot", "a.png")
    assert done.code == 2 and done.out == ""
    assert "needs the package resvg-py" in done.err and "pip install resvg-py" in done.err
    assert not (bench.folder / "a.png").exists()


@pytest.mark.long
def test_the_four_port_is_written_and_the_same_twice(bench: Bench) -> None:
    words = ("channel", H100, "nvl_l5", "--touchstone", "a.s4p")
    assert bench.run(*words).code == 0
    first = (bench.folder / "a.s4p").read_bytes()
    assert bench.run(*words).code == 0 and (bench.folder / "a.s4p").read_bytes() == first
    assert b"# Hz S RI R 50" in first and b"1 leads to 3, 2 to 4" in first


def test_json_says_what_the_console_says(bench: Bench) -> None:
    tree = json.loads(bench.run("channel", H100, "nvl_l5", "--format", "json").out)
    text = bench.run("channel", H100, "nvl_l5").out
    (one,) = tree["channels"]
    for value in (one["loss_db"]["nominal"], one["margin_db"], one["loss_db"]["cold"]):
        assert f"{value:.2f}" in text
    assert f"{one['return_loss']['least_db']:.1f} dB" in text
    row = next(line for line in text.splitlines() if line.startswith("nvl_l5 "))
    assert row.split()[2:5] == [f"{one['loss_db'][end]:.2f}" for end in ("nominal", "min", "max")]
    assert "model of the loss: cascade of solved lines, via and lumped models" in " ".join(text.split())


def test_the_schema_and_the_examples(bench: Bench) -> None:
    assert json.loads(bench.run("schema", "channel").out)["$id"] == "urn:pcbrules:channel:1"
    text = bench.run("channel", "--help").out.split("Examples:")[1].split("Exit codes")[0]
    for example in text.strip().splitlines()[:2]:
        words = [str(ROOT / word) if word.startswith("boards/") else word for word in shlex.split(example)[1:]]
        assert bench.run(*words).code == 0, example
