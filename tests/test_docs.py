# SPDX-License-Identifier: MIT
"""README and docs say what the program does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from pcbrules.cli.main import COMMANDS
from pcbrules.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_is_the_report_of_today() -> None:
    """If this fails: python docs/make_report_svg.py"""
    made = runpy.run_path(str(ROOT / "docs" / "make_report_svg.py"))["picture"]()
    assert made == (ROOT / "docs" / "report.svg").read_text(encoding="utf-8")


def test_the_readme_names_every_rule_and_only_commands_that_exist() -> None:
    named = set()
    for first, last in re.findall(r"([A-Z]{3}\d{3})(?:–([A-Z]{3}\d{3}))?", README):
        start, stop = int(first[3:]), int((last or first)[3:])
        named |= {f"{first[:3]}{n:03d}" for n in range(start, stop + 1)}
    assert named >= set(all_rules())
    assert set(re.findall(r"pcbrules ([a-z]+) ", README)) - {"check"} <= set(COMMANDS)


def test_the_readme_has_two_commands_for_a_bare_machine() -> None:
    commands = re.findall(r"^    python3 .*$", README, re.MULTILINE)
    assert len(commands) == 2
    assert "pcbrules check" in commands[0] and "pytest" in commands[1]


def test_linked_files_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target
