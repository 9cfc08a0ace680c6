# SPDX-License-Identifier: MIT
"""Markdown: no text of the board file becomes markup; tables keep their columns; nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_samples import NASTY, all_samples, everything, finding, report

from pcbrules import reports
from pcbrules.errors import escape
from pcbrules.reports.markdown import code, text

SAMPLES = all_samples()
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
OURS = {"heading", "paragraph", "table", "thead", "tbody", "tr", "th", "td", "bullet_list", "list_item", "hr"}
INLINE = {"text", "code_inline", "strong_open", "strong_close", "text_special"}


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


def seen(source: str) -> str:
    """What a reader sees of one paragraph."""
    return "".join(t.content for t in flat(READER.parse(source)) if t.type in ("text", "code_inline"))


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_only_our_own_markup(sample: str, ascii_only: bool) -> None:
    source = reports.render("markdown", SAMPLES[sample], ascii_only=ascii_only)
    tokens = READER.parse(source)
    blocks = {t.type.removesuffix("_open").removesuffix("_close") for t in tokens} - {"inline"}
    assert blocks <= OURS
    assert {c.type for t in tokens for c in t.children or []} <= INLINE
    assert all(t.level <= 3 for t in tokens if t.type == "heading_open")


@pytest.mark.parametrize("sample", SAMPLES)
def test_tables_keep_their_columns_and_rows(sample: str) -> None:
    source = reports.render("markdown", SAMPLES[sample])
    tokens = READER.parse(source)
    rows: list[int] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(0)
        elif token.type in ("th_open", "td_open"):
            rows[-1] += 1
    shown = [
        sum(f.status.value not in ("pass", "not-applicable") for f in r.findings) for r in SAMPLES[sample]
    ]
    assert rows.count(7) == sum(n + 1 for n in shown if n)
    assert rows.count(6) == 8 * len(shown)
    assert set(rows) <= {6, 7}
    raw = [line.replace("\\|", "") for line in source.split("\n") if line.startswith("| ")]
    assert {line.count("|") for line in raw} <= {7, 8}


@pytest.mark.parametrize("name", NASTY)
def test_code_is_seen_as_it_is(name: str) -> None:
    shown = " ".join(escape(NASTY[name]).split())
    assert seen(code(NASTY[name])) == shown
    if "`" not in shown:
        assert seen("x " + text(NASTY[name])) == "x " + shown


@given(st.text(max_size=40))
def test_text_never_becomes_markup(raw: str) -> None:
    for source in (f"- **Label:** {text(raw)}", f"- **Label:** {code(raw)}"):
        types = {c.type for t in READER.parse(source) for c in t.children or []}
        assert types <= INLINE
    row = f"| a | b |\n|---|---|\n| {text(raw, cell=True)} | {code(raw, cell=True)} |"
    assert sum(t.type == "td_open" for t in READER.parse(row)) == 2


@pytest.mark.parametrize(
    "word", ["@cat", "#12", "a/b#3", "GH-7", "https://e.example", "me@e.example", "www.e.x"]
)
def test_what_a_site_would_link_is_code(word: str) -> None:
    tokens = list(flat(READER.parse(f"see {text(f'x {word} y')}")))
    assert [t.content for t in tokens if t.type == "code_inline"] == [word]


def test_our_own_code_stays_code() -> None:
    assert (
        text("give `rails.vdd_core.banks`, then a ` alone") == "give `rails.vdd_core.banks`, then a \\` alone"
    )


def test_what_must_be_said() -> None:
    source = reports.render("markdown", (report(finding(fix="drill to L15"), exit_code=1),))
    for part in (
        "# pcbrules: `baseboard-8x` under profile `training` 1.0",
        "**1 fail (error), 0 pass: exit code 1.**",
        "| ✗ fail | 1 | 1 | 0 | 0 | 0 |",
        "| 11.8 mil (9.0 … 14.6) | &lt; 10 mil | −1.8 mil | `boards/x.yaml:41:7` |",
        "### ✗ Fail: SIG003 `links.nvl0.path.via2.stub_bottom`",
        "- **Fix:** drill to L15",
        "\\[article\\]",
        "a1a1a1a1",
        "Condition, hot: 85 degC",
        "A pre-tapeout screen, not a proof of compliance.",
    ):
        assert part in source


def test_passed_rules_are_named() -> None:
    assert "Rules that passed: MAT001 (4)." in reports.render("markdown", (everything(),))
