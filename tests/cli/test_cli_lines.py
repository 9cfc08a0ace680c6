# SPDX-License-Identifier: MIT
"""`pcbrules lines` and `pcbrules design`: exit codes, what is said, what is written."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from cli_bench import NO_GAP, ROOT, Bench

H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")
SKETCH = "design --stackup {} --layer L5 --zdiff 92ohm"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (f"lines {H100} --layer L5", 0),
        ("lines board.yaml", 0),
        ("lines no_gap.yaml", 3),
        (f"lines {H100} --layer L1", 3),
        (f"{SKETCH.format(H100)} --gap 7mil", 0),
        (f"{SKETCH.format(H100)} --width 4.8mil --at 16GHz", 0),
        (f"{SKETCH.format(H100)} --pitch '12 mil' -p edge", 0),
        (f"design --stackup {H100} --layer L9 --z0 50ohm", 0),
        (f"design --stackup {H100} --layer L5 --zdiff 160ohm --gap 7mil", 1),
        ("design --stackup board.yaml --layer L3 --zdiff 92ohm --gap 7mil", 0),
    ],
)
def test_exit_codes(bench: Bench, words: str, code: int) -> None:
    bench.put("no_gap.yaml", NO_GAP)
    done = bench.run(*shlex.split(words))
    said = done.err.splitlines()
    assert done.code == code and done.out and len(said) == ("-p" not in words)
    assert all(line.startswith("taking profile ") and "form factor" in line for line in said), "a choice is told"
    assert all(len(line) <= 80 for line in done.out.splitlines())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("lines none.yaml", "none.yaml"),
        (f"lines {H100} --layer l55", "unknown copper layer; found 'l55'"),
        (f"lines {H100} --layer l55", "expected L1, L2"),
        (f"lines {H100} --link nvl5", "expected nvl_l3, nvl_l5"),
        (f"lines {H100} -p trainning", "write 'training'"),
        (f"lines {H100} --touchstone none/there", "cannot write into"),
        (f"lines {H100} --touchstone board.yaml", "cannot write into"),
        ("design --stackup none.yaml --layer L5 --zdiff 92ohm", "none.yaml"),
        (f"{SKETCH.format(H100)} --gap 7GHz", "'GHz' is a unit of a frequency, not of a length"),
        (f"{SKETCH.format(H100)} --gap '7mil +- 1mil'", "--gap: takes no tolerance"),
        (f"{SKETCH.format(H100)} --at 16mil", "--at: 'mil' is a unit of a length"),
        (f"design --stackup {H100} --layer L5 --zdiff 92", "write the unit: '92 ohm'"),
        (f"design --stackup {H100} --layer L5 --zdiff 0ohm", "--zdiff: is no impedance of a trace"),
        (f"design --stackup {H100} --layer L5 --z0=-5ohm", "--z0: is no impedance of a trace"),
        (f"design --stackup {H100} --layer L6 --zdiff 92ohm", "L6 is a ground plane; expected L1, L3, L5"),
        (f"design --stackup {H100} --layer L5", "give --zdiff for a pair or --z0"),
        (f"{SKETCH.format(H100)} --z0 50ohm", "one of the two"),
        (f"{SKETCH.format(H100)} --gap 7mil --width 5mil", "one of --width, --gap and --pitch"),
        (f"design --stackup {H100} --layer L5 --z0 50ohm --gap 5mil", "of a single trace the width is sought"),
    ],
)
def test_what_is_wrong_is_2_with_its_cure(bench: Bench, words: str, said: str) -> None:
    done = bench.run(*shlex.split(words))
    assert done.code == 2 and done.out == "" and said in done.err


@pytest.mark.long
def test_the_files_of_touchstone_are_whole_or_not_there(bench: Bench) -> None:
    done = bench.run("lines", H100, "--touchstone", "models")
    assert done.code == 0
    names = sorted(path.name for path in (bench.folder / "models").iterdir())
    assert names == ["01_L3_4.8x7.2mil.s4p", "02_L9_6.5x6.5mil.s4p"]
    before = {name: (bench.folder / "models" / name).read_bytes() for name in names}
    assert bench.run("lines", H100, "--touchstone", "models").code == 0
    assert {name: (bench.folder / "models" / name).read_bytes() for name in names} == before
    (bench.folder / "taken" / names[1]).mkdir(parents=True)
    done = bench.run("lines", H100, "--touchstone", "taken")
    assert done.code == 2 and "cannot write" in done.err and done.out == ""
    assert not [path for path in (bench.folder / "taken").iterdir() if path.suffix == ".part"]


def test_json_says_what_the_console_says(bench: Bench) -> None:
    tree = json.loads(bench.run("lines", H100, "--format", "json").out)
    text = bench.run("lines", H100).out
    assert f"Zdiff {tree['geometries'][0]['z_diff_ohm']:.2f} Ω" in text
    assert f"{tree['geometries'][0]['loss_db_per_inch'][1]['total']:.3f}" in text
    tree = json.loads(bench.run(*shlex.split(f"{SKETCH.format(H100)} --gap 7mil --format json")).out)
    assert f"width {tree['found'][0]['width_m'] / 25.4e-6:.3f} mil" in bench.run(
        *shlex.split(f"{SKETCH.format(H100)} --gap 7mil")
    ).out


def test_the_schemas_are_printed(bench: Bench) -> None:
    for name in ("lines", "design"):
        assert json.loads(bench.run("schema", name).out)["$id"] == f"urn:pcbrules:{name}:1"


@pytest.mark.long
def test_the_examples_of_the_help_run(bench: Bench) -> None:
    for command in ("lines", "design"):
        text = bench.run(command, "--help").out.split("Examples:")[1].split("Exit codes")[0]
        for example in text.replace("\\\n", " ").strip().splitlines():
            words = shlex.split(example)[1:]
            known = [str(ROOT / word) if word.startswith("boards/") else word for word in words]
            board = Path(H100).read_text(encoding="utf-8")
            bench.put("board.yaml", board)
            assert bench.run(*known).code == 0, example
