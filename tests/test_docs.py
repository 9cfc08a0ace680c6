# SPDX-License-Identifier: MIT
"""README and docs say what the program does."""

from __future__ import annotations

import json
import re
import runpy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from recorded_axes import stand_in

import pcbrules
from pcbrules.baseline.regression import allowed, read_bounds
from pcbrules.cli.main import COMMANDS
from pcbrules.results.limit import Limit
from pcbrules.rules import all_rules
from pcbrules.selftest import golden, recorded, runner

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_is_the_report_of_today() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_report_svg.py"))["picture"]()
    assert made == (ROOT / "docs" / "report.svg").read_text(encoding="utf-8"), "docs/report.svg is old: `make pages`"


def test_the_readme_names_every_rule_and_only_commands_that_exist() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_rules_table.py"))["renewed"](README)
    assert made == README, "the README's table of rules is old: `make pages`"
    assert set(re.findall(r"[A-Z]{3}\d{3}", README)) >= set(all_rules())
    assert set(re.findall(r"pcbrules ([a-z]+) ", README)) - {"check"} <= set(COMMANDS)


def test_the_readme_has_two_commands_for_a_bare_machine() -> None:
    commands = re.findall(r"^    python3 .*$", README, re.MULTILINE)
    assert len(commands) == 2
    assert "pcbrules check" in commands[0] and "pytest" in commands[1]


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    snippets = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(snippets) == 1
    names: dict[str, object] = {}
    exec(snippets[0], names)
    assert type(names["channel"]).__module__.startswith("skrf") and str(names["text"]).startswith("# pcbrules")


def test_linked_files_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


MAKE_PLOTS = runpy.run_path(str(ROOT / "docs" / "make_plots.py"))


@pytest.mark.long
def test_the_validation_page_and_reports_say_what_selftest_computes() -> None:
    """If this fails: python docs/make_validation.py"""
    outcome = runner.run(golden.shipped())
    assert recorded.worst_errors(outcome) == recorded.recorded()
    made = runpy.run_path(str(ROOT / "docs" / "make_validation.py"))["validation"](outcome)
    assert made == (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")


LONG = ("field_convergence", "ir_drop", "power_planes", "heat")
"""Pictures that take seconds."""


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in MAKE_PLOTS["NAMES"]])
def test_a_picture_shows_what_is_computed(name: str) -> None:
    """Places may differ by a tenth of a pixel, as another BLAS rounds. If this fails: python docs/make_plots.py NAME"""
    made, number = MAKE_PLOTS["picture"](name), re.compile(r"-?\d+\.\d(?!\d)")
    kept = (ROOT / "docs" / "physics" / f"{name}.svg").read_text(encoding="utf-8")
    assert number.sub("#", made) == number.sub("#", kept)
    pairs = zip(number.findall(made), number.findall(kept), strict=True)
    assert max(abs(float(one) - float(other)) for one, other in pairs) < 0.15


def test_every_picture_is_made_and_shown() -> None:
    folder = ROOT / "docs" / "physics"
    shown = {name for page in folder.glob("*.md") for name in re.findall(r"\]\((\w+)\.svg\)", page.read_text("utf-8"))}
    assert shown == {path.stem for path in folder.glob("*.svg")} == {*MAKE_PLOTS["NAMES"], "measurement"}


def test_the_how_to_of_ci_names_every_input_of_the_action() -> None:
    page = (ROOT / "docs" / "how-to" / "use_in_ci.md").read_text(encoding="utf-8")
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    rows = re.findall(r"^\| `([a-z-]+)` \|.*\|$", page, re.MULTILINE)
    assert rows == list(inputs)
    for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL):
        assert yaml.safe_load(block)


def test_the_how_to_of_baselines_says_what_bounds_do() -> None:
    page = (ROOT / "docs" / "how-to" / "baseline.md").read_text(encoding="utf-8")
    table = page.split("| bound |")[1].split("\n\n")[0]
    for row in table.splitlines()[2:]:
        for bound in re.findall(r"`([^`]+)`", row.split("|")[1]):
            assert read_bounds([bound])
    share = read_bounds(["5 %"])
    found = allowed(share, Limit(None, 0.15, "%", "<= 15 %"), error=0.0)
    assert found is not None and found.value == pytest.approx(0.0075), "0.75 points of 15 %"


def test_the_page_of_python_has_every_public_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    text = import_module("python_page").pages()["reference/python.md"]
    public = {name for name in pcbrules.__all__ if not name.startswith("__")}
    assert set(re.findall(r"^## pcbrules\.(\w+)$", text, re.MULTILINE)) == public
    for call in ("Loaded.replace", "Loaded.rails", "Link.tdr", "LoadedRail.impedance", "Report.to_rows"):
        assert f"\n### {call}\n" in text
    assert "- `key : str, or mapping of str to values`" in text and "----" not in text and "0x" not in text


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs")
    names: dict[str, Any] = {}
    for cell in json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "kept without outputs: they would grow old"
            with stand_in():
                exec("".join(cell["source"]), names)
    assert names["worst"][0]["margin_ratio"] < -0.5 and names["loss"] > 1
    assert [one.exit_code for one in (names["report"], names["waived"])] == [0, 0]
    assert names["losses"][1] > names["losses"][0] and names["widths"][0]["verdict"] == "FAIL"
    assert len(names["axes"]) == 5 and all(one.of("legend") for one in names["axes"])
