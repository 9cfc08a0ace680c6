# SPDX-License-Identifier: MIT
"""Characters that look like YAML and are not: the line that holds them is blamed, with the cure."""

from __future__ import annotations

import pytest

from pcbrules.document import parse_yaml
from pcbrules.document.suspects import missing_blank
from pcbrules.errors import InputError, Problem

LINES = ["schema: 1", "links:", "  up:", "    lanes: 4", "    standard: pcie5", "    path:", "    - via: {type: a}",
         "    - trace: {layer: L1}", "    note: x", "rails: {}"]


def problem(line: int, text: str) -> Problem:
    """The one problem of the file with a line, counted from 1, replaced."""
    lines = [*LINES[: line - 1], text, *LINES[line:]]
    with pytest.raises(InputError) as caught:
        parse_yaml("\n".join(lines).encode(), "b.yaml")
    (found,) = caught.value.problems
    return found


@pytest.mark.parametrize(
    ("line", "text", "column", "message", "fix"),
    [
        (4, "\u00a0\u00a0\u00a0\u00a0lanes: 4", 1, "U+00A0", "use plain blanks"),
        (4, "  \u3000lanes: 4", 3, "U+3000", "use plain blanks"),
        (4, "    lanes:\u00a04", 11, "U+00A0", "write 'lanes: ' with a plain blank"),
        (4, "    lanes:4", 10, "a blank is missing after ':'", "write 'lanes: 4'"),
        (5, "    standard:pcie5", 13, "a blank is missing after ':'", "write 'standard: pcie5'"),
        (4, "    lanes\uff1a4", 10, "U+FF1A", "write 'lanes: ' with a plain colon"),
        (4, "    lanes\uff1a 4", 10, "U+FF1A", "write 'lanes: ' with a plain colon"),
        (7, "    \u2013 via: {type: a}", 5, "U+2013", "plain hyphen"),
        (7, "    \u2022 via: {type: a}", 5, "U+2022", "plain hyphen"),
        (7, "    -via: {type: a}", 5, "a blank is missing after '-'", "write '- '"),
        (4, "    lanes = 4", 11, "not by '='", "write 'lanes: ...'"),
        (9, "    note: \u201ca: b\u201d", 11, "U+201C", "plain quotation marks"),
        (4, "\tlanes: 4", 1, "a tab is used", "replace tabs by blanks"),
        (4, "    lanes: 4\u200b", 13, "an invisible character", "delete it"),
        (4, "\ufeff    lanes: 4", 1, "a byte order mark inside the file", "delete it"),
    ],
)
def test_the_right_line_is_blamed(line: int, text: str, column: int, message: str, fix: str) -> None:
    found = problem(line, text)
    assert (found.line, found.column) == (line, column), found.text()
    assert message in found.message + found.found
    assert fix in found.fix


def test_an_innocent_line_is_not_blamed() -> None:
    """A fault of its own is told as before where no line looks odd."""
    found = problem(9, "  note: x: y")
    assert found.line == 9
    assert "a ':' stands where no key can begin" in found.message


def test_an_address_is_no_missing_blank() -> None:
    assert missing_blank("phases:6") == "phases: 6"
    assert missing_blank("count\uff1a6") == "count: 6"
    assert missing_blank("https://example.org/a") == missing_blank("12:30") == missing_blank("a: b") == ""
