# SPDX-License-Identifier: MIT
"""The commented boards of `pcbrules init`: nothing fails, what is missing is named, filled in they pass."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pcbrules import api, rulesets
from pcbrules.cli.main import cli
from pcbrules.document import parse_yaml
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.report import Report

MARK = "#? "
FOLDER = files("pcbrules") / "templates"
PROFILES = ("training", "datacenter-inference", "edge")
EACH = [pytest.param(name, marks=[] if name == "edge" else [pytest.mark.long]) for name in PROFILES]


def written(profile: str) -> str:
    return (FOLDER / f"{profile}.yaml").read_text(encoding="utf-8")


@cache
def judged(text: str, profile: str) -> Report:
    return api.check(api.resolve(parse_yaml(text.encode(), "board.yaml")), profile, fixes=False)


def groups(text: str) -> Iterator[range]:
    """The marked lines that belong together: a key, and the marked lines below it that are indented or list items."""
    lines = text.splitlines()
    start, level = 0, None
    for number, line in enumerate([*lines, ""]):
        body = line.partition(MARK)[2] if line.lstrip().startswith(MARK) else None
        if level is not None and (body is None or not body.startswith((" ", "- ")) or level == "item"):
            yield range(start, number)
            level = None
        if body is not None and level is None:
            start, level = number, "item" if body.startswith("- ") else "key"


def places(tree: Any, path: str) -> bool:
    """Is there such a key? ``[]`` and ``[3]`` stand for some item of a list."""
    values = [tree]
    for part in path.split("."):
        name, bracket, _ = part.partition("[")
        values = [v[name] for v in values if isinstance(v, dict) and v.get(name) is not None]
        if bracket:
            values = [item for v in values if isinstance(v, list) for item in v]
    return bool(values)


def given(text: str, *chosen: range) -> str:
    lines = text.splitlines(keepends=True)
    for number in (n for group in chosen for n in group):
        lines[number] = lines[number].replace(MARK, "", 1)
    return "".join(lines)


def filled(profile: str) -> str:
    text = written(profile)
    return given(text, *groups(text))


def untuned(finding: Finding) -> bool:
    """True for a warning of what a via sends back: those of a template are not tuned."""
    warned = finding.severity is Severity.WARNING and finding.status in (Status.FAIL, Status.MARGINAL)
    step = finding.rule == "CHN007" and finding.subject.endswith(".transition")
    return warned and (step or finding.rule == "CHN004")


def variants() -> Iterator[Any]:
    for profile in PROFILES:
        text = written(profile)
        for place, group in enumerate(groups(text)):
            marks = [pytest.mark.long] if place % 9 else []
            yield pytest.param(profile, given(text, group), id=f"{profile}-{group.start + 1}", marks=marks)


def test_every_profile_has_a_template() -> None:
    assert set(rulesets.profiles()) == set(PROFILES)
    assert {item.name for item in FOLDER.iterdir()} == {f"{profile}.yaml" for profile in PROFILES}


@pytest.mark.parametrize("profile", EACH)
def test_as_written_nothing_fails_and_something_is_missing(profile: str) -> None:
    report = judged(written(profile), profile)
    assert [f for f in report.findings if f.status in (Status.FAIL, Status.CRASHED) and not untuned(f)] == []
    assert [f for f in report.findings if f.status is Status.MARGINAL and f.severity is Severity.ERROR] == []
    assert report.exit_code == 3
    assert report.notes == ()


@pytest.mark.parametrize("profile", EACH)
def test_each_missing_input_is_named_and_stands_commented(profile: str) -> None:
    without, whole = (parse_yaml(text.encode(), "board.yaml").tree for text in (written(profile), filled(profile)))
    missing = [f for f in judged(written(profile), profile).findings if f.status is Status.NOT_EVALUATED]
    assert missing
    for finding in missing:
        named = re.findall(r"`([a-z]\S*?)(?: and \w+)?`", f"{finding.message} {finding.fix}")
        assert any(places(whole, key) and not places(without, key) for key in named), finding


@pytest.mark.parametrize("profile", EACH)
def test_filled_in_it_passes_whole(profile: str) -> None:
    report = judged(filled(profile), profile)
    open_ones = (Status.FAIL, Status.CRASHED, Status.NOT_EVALUATED, Status.MARGINAL)
    assert [f for f in report.findings if f.status in open_ones and not untuned(f)] == []
    assert report.exit_code == 0
    assert report.notes == ()


@pytest.mark.parametrize(("profile", "text"), list(variants()))
def test_any_one_of_the_inputs_may_be_given(profile: str, text: str) -> None:
    report = judged(text, profile)
    assert [f for f in report.findings if f.status in (Status.FAIL, Status.CRASHED) and not untuned(f)] == []
    assert report.exit_code == 3


@pytest.mark.parametrize("profile", EACH)
def test_the_inputs_may_be_given_from_top_to_bottom(profile: str) -> None:
    text = written(profile)
    every = list(groups(text))
    assert MARK.strip() not in "".join(given(text, *every).splitlines()[11:])
    missing = []
    for count in (0, len(every) // 3, 2 * len(every) // 3, len(every)):
        report = judged(given(text, *every[:count]), profile)
        assert [f for f in report.findings if f.status in (Status.FAIL, Status.CRASHED) and not untuned(f)] == []
        missing.append(sum(f.status is Status.NOT_EVALUATED for f in report.findings))
    assert missing == sorted(missing, reverse=True)


@pytest.mark.parametrize("profile", EACH)
def test_comments_name_rules_that_the_profile_judges(profile: str) -> None:
    named = set(re.findall(r"\b[A-Z]{3}\d{3}\b", written(profile)))
    findings = judged(filled(profile), profile).findings
    assert named <= {f.rule for f in findings if f.status is not Status.NOT_APPLICABLE}


@pytest.mark.parametrize("profile", EACH)
def test_init_writes_the_template_and_overwrites_nothing(
    profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["init", "--profile", profile])
    assert result.exit_code == 0
    assert Path("board.yaml").read_text(encoding="utf-8") == written(profile)
    assert f"pcbrules check board.yaml --profile {profile}" in result.output
    Path("board.yaml").write_text("mine", encoding="utf-8")
    again = CliRunner().invoke(cli, ["init", "--profile", profile])
    assert again.exit_code == 2
    assert "board.yaml exists" in again.output
    assert Path("board.yaml").read_text(encoding="utf-8") == "mine"
