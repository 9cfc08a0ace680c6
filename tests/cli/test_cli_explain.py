# SPDX-License-Identifier: MIT
"""`explain --board`: how a number of a report came about."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from board_params import some
from cli_bench import ROOT, STUB, Bench

from pcbrules import api, rulesets
from pcbrules.api.via_plans import DECIDED
from pcbrules.cli.explain import _alike, _entry
from pcbrules.reports import _explanation, json_report
from pcbrules.rules import all_rules

BOARDS = sorted((ROOT / "boards").glob("*.yaml"))
JETSON = str(ROOT / "boards" / "jetson-orin-carrier.yaml")
H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")
STEPS = {
    "SIG001": ("links.nvl_l5.path.run", ("Zodd", "effective permittivity", "dielectric 2", "C0", "spread of the imp")),
    "CHN001": ("links.nvl_l5", ("run: conductor", "run: roughness", "run: dielectric", "gpu_via: barrel")),
    "SIG003": ("links.nvl_l5.path.gpu_via", ("nominal residual", "depth tolerance", "worst case")),
    "CHN003": ("links.nvl_l5.path.gpu_via", ("length of the lower stub", "loaded notch", "ideal notch")),
    "MAT001": ("links.nvl_l5", ("Df of the data at 25 GHz", "Df at this frequency", "octaves")),
    "PDN001": ("rails", ("peak: frequency", "the band begins at", "the band ends at", "target by the load step")),
    "SIG006": ("links.pcie_rx", ("run.left: spacing", "run.left: near-end coupling, largest from 15.28 GHz", "far-end",
                                 "power sum of the lines", "via field", "loss of the signal", "signal over")),
    "CHN004": ("links.nvl_l16", ("gpu_via: return loss alone", "insertion loss of the path", "return loss of the path",
                                 "dearer bound of the vias", "model error", "impedance of the lines", "lower end")),
    "CHN007": ("links.nvl_l5.transition", ("rise time of the step", "that comes back", "time there and")),
    "CHN005": ("links.lr", ("smooth fit there", "deviation", "mask there", "margin")),
    "THM002": ("thermal.tim", ("nominal gap", "share of the variance", "worst case")),
}
OTHERS = {"PDN001": "sxm-accelerator-module.yaml", "THM002": "sxm-accelerator-module.yaml",
          "CHN005": "faults/training-faults.yaml", "SIG006": "workstation-card.yaml"}
"""Boards of the rules that the first one does not show."""


def explained(bench: Bench, *args: str) -> dict[str, Any]:
    """The JSON of an explanation."""
    done = bench.run("explain", *args, "--format", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.mark.long
@pytest.mark.parametrize("board", some(BOARDS, "jetson-orin-carrier"))
def test_every_number_is_that_of_check(board: Path) -> None:
    profile = board.read_text(encoding="utf-8").split("# profile: ")[1].split()[0]
    loaded, ruleset = api.load(str(board)), rulesets.load(profile)
    report = json_report.document(api.check(loaded, ruleset))
    told: list[dict[str, Any]] = []
    for rule in ruleset.rules:
        found = api.explain(loaded, ruleset, rule)
        assert _explanation.console("T", "b", found, ascii_only=True).isascii()
        told += json.loads(_explanation.json_text(rule, "T", "b", found, steps=True))["explanations"]
    more = ("profile", "inputs", "formulas", "formula_source", "steps")

    def alone(finding: dict[str, Any]) -> dict[str, Any]:
        """A finding as one rule has it: a check of several makes one plan for all findings of a via type."""
        planned = ("fix", "plan", "edits") if finding["rule"] in DECIDED else ()
        return {key: value for key, value in finding.items() if key not in (*more, *planned)}

    plain = [alone(one) for one in told]

    def by_name(finding: dict[str, Any]) -> str:
        return json.dumps(finding, sort_keys=True)

    expected = [alone(finding) for finding in report["findings"] if not finding["rule"].startswith("PCB")]
    assert sorted(plain, key=by_name) == sorted(expected, key=by_name)


@pytest.mark.parametrize("rule", [
    pytest.param(rule, marks=[pytest.mark.long] if place % 3 else []) for place, rule in enumerate(STEPS)])
def test_steps_inputs_and_formula(bench: Bench, rule: str) -> None:
    subject, words = STEPS[rule]
    board = str(ROOT / "boards" / OTHERS[rule]) if rule in OTHERS else H100
    found = explained(bench, rule, "-b", board, "-s", subject, "-p", "training")["explanations"]
    made = [one for one in found if one["steps"]]
    assert made and all(one["inputs"] and one["formulas"] and one["formula_source"] for one in made)
    names = "\n".join(step["name"] for one in made for step in one["steps"])
    for word in words:
        assert word in names
    lines = Path(board).read_text(encoding="utf-8").splitlines()
    for item in (item for one in made for item in one["inputs"]):
        written = item["written"]
        assert written.startswith(("a mapping", "a list", "[")) or written in lines[item["line"] - 1]


def test_steps_lead_to_the_number(bench: Bench) -> None:
    """What a reader computes from the steps is what the report says."""

    def steps(rule: str, subject: str, board: str = H100) -> tuple[dict[str, Any], dict[str, float]]:
        found = explained(bench, rule, "-b", board, "-s", subject, "-p", "training")["explanations"]
        one = next(one for one in sorted(found, key=lambda one: len(one["subject"]))
                   if one["subject"].startswith(subject) and one["steps"])
        return one, {step["name"]: step["value"] for step in one["steps"]}

    one, value = steps("SIG001", "links.nvl_l5.path.run")
    assert abs(value["Zdiff: differential impedance"] - 100) == pytest.approx(one["measured"], rel=1e-4)
    weights = {name.split()[1].strip(":"): v for name, v in value.items() if name.endswith(": weight")}
    total = sum(weights[name.split()[1]] * v for name, v in value.items() if name.endswith(": Dk"))
    assert value["effective permittivity"] == pytest.approx(total + value["part of the field in air"], rel=1e-6)
    one, value = steps("CHN001", "links.nvl_l5")
    parts = [v for name, v in value.items() if ": " in name and name.split(":")[0] in ("run", "gpu_via", "nvs_via")]
    mean = value["mean over the phase of the reflections"]
    assert sum(parts) + value["skew"] + value["reflections"] == pytest.approx(mean)
    assert one["measured"] == pytest.approx(mean)
    one, value = steps("SIG006", "links.nvl_l5")
    far = [v for name, v in value.items() if "far-end coupling" in name]
    powers = [10 ** (v / 10) for v in (*far, value["via field and connector, at most"])]
    assert len(far) == 2 and one["measured"] == pytest.approx(10 * math.log10(sum(powers)))
    one, value = steps("SIG006", "links.pcie_rx.ratio", str(ROOT / "boards" / "workstation-card.yaml"))
    assert value["of it: connectors at the ends"] == pytest.approx(1.5)
    assert one["measured"] == pytest.approx(-value["power sum"] - value["loss of the signal at Nyquist, hot"])


@pytest.mark.long
def test_console_is_narrow_and_takes_ascii(bench: Bench) -> None:
    args = ("explain", "SIG003", "-b", "board.yaml", "-p", "few.yaml")
    listed = bench.run(*args)
    assert listed.code == 0 and f"fail            {STUB}" not in listed.err and STUB in listed.out
    done = bench.run(*args, "-s", STUB)
    for words in ("Inputs", "Steps", "limit        < 10 mil", "board.yaml:", "formula", "a source [guide]"):
        assert words in done.out
    assert all(len(line) <= 80 for line in (done.out + listed.out).splitlines())
    plain = bench.process(*args, "-s", STUB, env={"PYTHONIOENCODING": "ascii"})
    assert plain.code == 0 and plain.out.isascii() and b"\\u" not in plain.out
    stdin = bench.run("explain", "SIG003", "-b", "-", "-p", "few.yaml", stdin=Path("board.yaml").read_bytes())
    assert stdin.out == listed.out


def test_profiles_that_agree_on_a_number_share_its_steps(bench: Bench) -> None:
    done = bench.run("explain", "SIG001", "-b", H100, "-s", "links.nvl_l5.path.run.spread")
    # they differ in the limit or in its note
    assert done.out.count("  profile ") == 3 and done.out.count("  Steps") == 1


def test_what_profiles_agree_on_is_told_once(bench: Bench) -> None:
    names = ", ".join(rulesets.profiles())
    for words in (("-s", "links.pcie_l3"), ()):
        done = bench.run("explain", "CHN004", "-b", JETSON, *words)
        assert done.code == 0 and names in done.out and done.out.count("training") == 1
    page = bench.run("explain", "CHN004").out
    assert page.count("return_loss from standard") == 1 and f"all profiles ({names}):" in page
    page = bench.run("explain", "STK011", "-p", "edge").out
    assert "edge:" in page and "all profiles" not in page


def test_what_profiles_differ_in_comes_before_their_common_end() -> None:
    """The first entry that matches counts, so the order of each profile stays; no entry is told twice in a row."""
    for rule in all_rules():
        shown = [(name, [_entry(entry) for entry in rulesets.load(name).rules[rule]]) for name in rulesets.profiles()]
        blocks = _alike(shown)
        for name, entries in shown:
            assert [entry for heading, some in blocks if name in heading for entry in some] == entries, (rule, name)
        told = [some for _, some in blocks]
        assert all(some and told.count(some) == 1 for some in told), rule


@pytest.mark.parametrize("subject", ["", "links.a.path.via1.botom", "x" * 100_000, "\x1b[31m", "links.a.pa"])
def test_an_unknown_subject_names_the_nearest(bench: Bench, subject: str) -> None:
    done = bench.run("explain", "SIG003", "-b", "board.yaml", "-p", "few.yaml", "-s", subject)
    assert done.code == 2 and done.out == "" and "\x1b" not in done.err
    assert "Nearest: " in done.err and STUB in done.err


def test_what_cannot_be_explained_is_2(bench: Bench) -> None:
    bench.put("broken.yaml", "schema: [1\n")
    for args in (
        ("SIG003", "-s", STUB), ("SIG003", "--format", "json"), ("PCB002", "-b", "board.yaml"),
        ("SIG003", "-b", "none.yaml"), ("SIG003", "-b", "."), ("SIG003", "-b", "broken.yaml"),
        ("SIG003", "-b", "board.yaml", "-p", "none"), ("NONE", "-b", "board.yaml"),
    ):
        done = bench.run("explain", *args)
        assert done.code == 2 and done.out == "" and done.err


def test_a_rule_that_does_not_apply_says_why(bench: Bench) -> None:
    done = bench.run("explain", "SIG001", "-b", "board.yaml", "-p", "few.yaml", "-s", "board")
    assert done.code == 0 and "NOT APPLICABLE" in done.out and "no number was compared" in " ".join(done.out.split())


@pytest.mark.long
@pytest.mark.parametrize(("rule", "subject", "value", "sum_of"), [
    ("CHN007", "links.nvl_l5.transition", "distance from the reference", ()),
    ("CHN005", "links.lr", "margin", ("mask there", "deviation")),
])
def test_the_last_step_is_the_number(
    bench: Bench, rule: str, subject: str, value: str, sum_of: tuple[str, ...]
) -> None:
    board = str(ROOT / "boards" / OTHERS[rule]) if rule in OTHERS else H100
    told = explained(bench, rule, "-b", board, "-s", subject, "-p", "training")["explanations"]
    one = next(one for one in told if one["subject"] == subject)
    steps = {step["name"].split(": ")[-1]: step["value"] for step in one["steps"]}
    assert steps[value] == pytest.approx(one["measured"], rel=1e-6)  # a report keeps 7 digits
    if sum_of:
        mask, deviation = (steps[name] for name in sum_of)
        assert mask - abs(deviation) == pytest.approx(steps[value], abs=1e-6)
