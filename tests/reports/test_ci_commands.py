# SPDX-License-Identifier: MIT
"""No line of an output is a command for the CI system that reads it, whatever the texts of a board are."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from report_samples import everything, finding, report

from pcbrules import reports
from pcbrules.phrases import uncommanded
from pcbrules.results.finding import Status
from pcbrules.results.place import Location
from pcbrules.results.report import Report

SPELLS = ("::error file=x::text", "##vso[task.complete result=Failed;]", "##[error]x", "##teamcity[buildStop]",
          "::stop-commands::x")
OBEYED = re.compile(r"^\s*::|##\[|##vso\[|##teamcity\[", re.MULTILINE)


FIRST = SPELLS[0]


def hostile() -> Report:
    """A report whose texts are commands, at the beginning of a line too, however wide it is."""
    run = " ".join(f"{'a' * n} {SPELLS[n % len(SPELLS)]}" for n in range(1, 60))
    found = [finding(Status.FAIL, subject=spell, message=run, fix=run, note=spell, where=Location(spell, 3, 1))
             for spell in SPELLS]
    return replace(report(*found), board=FIRST, notes=(run, *SPELLS))


TEXTS = [name for name in reports.text_formats() if name != "github"]
"""Formats that hold no command at all; those of GitHub are asked for (see test_github_annotations)."""


@pytest.mark.parametrize("name", TEXTS)
def test_no_report_holds_a_command(name: str) -> None:
    made = [hostile(), replace(hostile(), board=SPELLS[1])]
    for width in (64, 71, 80) if name == "console" else (80,):
        for ascii_only in (False, True):
            text = reports.text(name, made, width=width, ascii_only=ascii_only, verbose=True)
            assert OBEYED.findall(text) == []
    assert OBEYED.findall(reports.verdicts(made)) == []


def test_programs_read_the_same_text() -> None:
    made = hostile()
    tree = json.loads(reports.text("json", [made]))
    assert tree["board"] == FIRST and {item["subject"] for item in tree["findings"]} == set(SPELLS)
    assert json.loads(reports.text("sarif", [made]))["version"] == "2.1.0"
    cases = [case for case in ET.fromstring(reports.text("junit", [made])).iter("testcase") if len(case)]
    assert {case.attrib["file"] for case in cases} == set(SPELLS)
    assert all(case.attrib["file"] in (case[0].text or "") for case in cases)


def test_what_is_no_command_stays_as_it_is() -> None:
    for text in ("a::b", "## [x]", "# ::", "rails.core: x", "issue ##12", ":x", "a ::b"):
        assert uncommanded(text) == text
    for name in TEXTS:
        assert uncommanded(reports.text(name, [everything()])) == reports.text(name, [everything()])
