# SPDX-License-Identifier: MIT
"""Names with points (KiCad's `F.Cu`) are names: in the board file, in paths, in waivers, baselines and reports."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from pcbrules import api, rulesets, waivers
from pcbrules.baseline import read_baseline
from pcbrules.baseline.compare import Comparison
from pcbrules.cli.main import cli
from pcbrules.document import parse_yaml
from pcbrules.errors import InputError
from pcbrules.phrases import parts_of, read_path, show_path, under, within
from pcbrules.reports import render
from pcbrules.results.finding import Status
from pcbrules.results.place import Location
from pcbrules.results.report import Report

PLAIN = (Path(__file__).resolve().parents[2] / "pcbrules" / "templates" / "edge.yaml").read_text(encoding="utf-8")
LAYERS = {f"L{i}": f"In{i - 1}.Cu" for i in range(2, 8)} | {"L1": "F.Cu", "L8": "B.Cu"}
NAMES = {"pcie": "pcie.x4", "module_5v": "VDD_5.0V"} | LAYERS


PLACE = Location("b.yaml", 1, 1)


def renamed() -> str:
    """The template with KiCad's layers, and points in the names of a link and a rail."""
    text = PLAIN
    for old, new in LAYERS.items():
        text = re.sub(rf"\b{old}\b", new, text)
    for old in ("pcie", "module_5v"):
        text = re.sub(rf"(?m)^(\s+){old}:", rf"\g<1>{NAMES[old]}:", text)
    return text


def checked(text: str, **options: object) -> Report:
    loaded = api.resolve(parse_yaml(text.encode(), "b.yaml"))
    return api.check(loaded, rulesets.load("edge"), **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def plain() -> Report:
    return checked(PLAIN)


@pytest.fixture(scope="module")
def pointed() -> Report:
    return checked(renamed())


def test_nothing_but_the_names_changes(plain: Report, pointed: Report) -> None:
    def said(report: Report, names: dict[str, str]) -> Counter[tuple[str, ...]]:
        return Counter((f.rule, f.status.value, *(names.get(part, part) for part in parts_of(f.subject)))
                       for f in report.findings if "-" not in f.subject)

    assert said(plain, NAMES) == said(pointed, {})


def test_every_subject_is_a_path_that_is_read_as_it_is_written(pointed: Report) -> None:
    subjects = {f.subject for f in pointed.findings}
    assert any(subject.startswith("links['pcie.x4'].path.via1.") for subject in subjects)
    assert any("['In5.Cu']" in subject for subject in subjects)
    for subject in subjects:
        path = read_path(subject)
        assert path is not None and show_path(path) == subject


@pytest.mark.parametrize("form", ["console", "markdown", "html", "json", "sarif", "junit"])
def test_no_report_writes_such_a_name_after_a_point(form: str, pointed: Report) -> None:
    text = render(form, [pointed])
    assert isinstance(text, str)
    assert not re.search(r"(?:links|rails|stackup|path)\.(?:[\w-]+\.Cu|pcie\.x4|VDD_5\.0V)", text)


def test_a_waiver_names_it_in_brackets_and_old_subjects_still_match(plain: Report, pointed: Report) -> None:
    for report, subject in ((pointed, "links['pcie.x4']"), (plain, "links.pcie"), (plain, "links['pcie']")):
        entry = f'acceptances: [{{rule: CHN001, subject: "{subject}", reason: r, owner: o, expires: "2026-12-31"}}]'
        permissions = waivers.read_waivers(parse_yaml(entry.encode(), "w.yaml"))
        found = waivers.apply(report.findings, permissions, dt.date(2026, 6, 1))
        assert [f.rule for f in found if f.waiver] == ["CHN001"], subject
        assert not [f for f in found if f.rule == "PCB002"]


def test_a_flattened_subject_covers_nothing(pointed: Report) -> None:
    entry = 'acceptances:\n- {rule: CHN001, subject: links.pcie.x4, reason: r, owner: o, expires: "2026-12-31"}\n'
    permissions = waivers.read_waivers(parse_yaml(entry.encode(), "w.yaml"))
    found = waivers.apply(pointed.findings, permissions, dt.date(2026, 6, 1))
    assert [f.rule for f in found if f.waiver] == []
    assert [f for f in found if f.rule == "PCB002"]


def test_a_baseline_knows_its_findings_again(pointed: Report, plain: Report, tmp_path: Path) -> None:
    for report in (pointed, plain):
        file = tmp_path / "base.json"
        text = render("json", [report])
        assert isinstance(text, str) and json.loads(text)
        file.write_text(text, encoding="utf-8")
        against = Comparison(read_baseline(file))
        found, _ = against.compare(report.findings, report.board, "b.yaml", {f.rule for f in report.findings},
                                   lambda path: PLACE, ruleset=rulesets.load("edge"))
        assert all(f.change is not None and f.change.known for f in found if f.status is Status.NOT_EVALUATED)
        assert not [f for f in found if f.rule in ("PCB005", "PCB006")]


def test_explain_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "b.yaml"
    file.write_text(renamed(), encoding="utf-8")
    for subject, lines in (("links['pcie.x4']", True), ("links.pcie.x4", False)):
        done = CliRunner().invoke(cli, ["explain", "MAT001", "-p", "edge", "-b", str(file), "-s", subject])
        assert (done.exit_code == 0) == lines, done.output
        assert "links['pcie.x4']" in done.output


@pytest.mark.parametrize("name", ["a.", ".a", "a b", "a/b", "a'b", 'a"b', "a[0]", "a]", "a\tb", "F,Cu", "a" * 65, "é"])
def test_what_no_name_may_hold(name: str) -> None:
    layer = json.dumps(name, ensure_ascii=False)
    with pytest.raises(InputError, match="a name is made of letters, digits"):
        checked(re.sub(r"name: L2\b", lambda _: f"name: {layer}", PLAIN))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("links", "up", "path", 2, "via"), "links.up.path[2].via"),
        (("stackup", "F.Cu"), "stackup['F.Cu']"),
        (("stackup", "F.Cu", "In1.Cu", "fill"), "stackup['F.Cu']['In1.Cu'].fill"),
        (("rails", "3", "x"), "rails.3.x"),
        (("In1.Cu", 0), "['In1.Cu'][0]"),
    ],
)
def test_one_function_writes_a_path_and_one_reads_it(path: tuple[str | int, ...], text: str) -> None:
    assert show_path(path) == text
    assert read_path(text) == path


def test_what_is_no_path() -> None:
    for text in ("", ".a", "a..b", "a.", "a[", "a['b]", "a b", "a['']", "a[x]", "['a'"):
        assert read_path(text) is None, text
    assert parts_of("a b") == ("a b",)


def test_what_lies_within() -> None:
    assert within("links.a", "links.a") and within("links.a.path", "links.a") and within("links.a['F.Cu']", "links.a")
    assert not within("links.ab", "links.a") and not within("links['a.b']", "links.a")
    assert under("up", "F.Cu") == ".up['F.Cu']"
