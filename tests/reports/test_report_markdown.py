# SPDX-License-Identifier: MIT
"""Markdown: no text of the board file becomes markup; tables keep their columns; nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_samples import NASTY, all_samples, everything, finding, report

from pcbrules import reports
from pcbrules.errors import escape
from pcbrules.reports._causes import causes
from pcbrules.reports._text import known, shown_findings
from pcbrules.reports.markdown import MATTERS, code, text
from pcbrules.results.finding import Change, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location

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
    old = [sum(map(known, shown_findings(r))) for r in SAMPLES[sample]]
    assert rows.count(7) == sum(n + 1 for n in old if n), "only what a baseline knows"
    assert rows.count(6) == 9 * len(old)
    margins = [sum(f.status is Status.PASS and f.measured is not None and f.rule != "MAT002" for f in r.findings)
               for r in SAMPLES[sample]]
    assert rows.count(8) == sum(min(n, 10) + 1 for n in margins if n)
    matter = [causes(f for f in shown_findings(r) if not known(f) and f.status in MATTERS) for r in SAMPLES[sample]]
    assert rows.count(4) == sum(min(len(n), 10) + 1 for n in matter if n)
    assert set(rows) <= {4, 6, 7, 8}
    raw = [line.replace("\\|", "") for line in source.split("\n") if line.startswith("| ")]
    assert {line.count("|") for line in raw} <= {5, 7, 8, 9}


@pytest.mark.parametrize("name", NASTY)
def test_code_is_seen_as_it_is(name: str) -> None:
    shown = " ".join(escape(NASTY[name]).split())
    assert seen(code(NASTY[name])) == shown
    if "`" not in shown:
        assert seen("x " + text(NASTY[name])) == "x " + shown


@pytest.mark.long
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
        "**FAIL: 1 error, 0 pass (exit code 1)**",
        "| ✗ fail | 1 | 1 | 0 | 0 | 0 |",
        "`boards/x.yaml:41:7` | 11.8 mil (9.0 … 14.6) | &lt; 10 mil | drill to L15 |",
        "### ✗ Error: SIG003 `links.nvl0.path.via2.stub_bottom`",
        "- **Fix:** drill to L15",
        "\\[guide\\]",
        "a1a1a1a1",
        "Condition, hot: 85 °C",
        "A pre-tapeout screen, not a proof of compliance.",
    ):
        assert part in source


def test_passed_rules_are_named() -> None:
    assert "Rules that passed: MAT001 (4)." in reports.render("markdown", (everything(),))


URL = "https://github.com/o/r/blob/0f/{file}#L{line}"


def test_places_are_links_to_lines() -> None:
    made = replace(report(finding(), exit_code=1), source_url=URL)
    source = reports.render("markdown", (made,))
    assert "[`boards/x.yaml:41:7`](<https://github.com/o/r/blob/0f/boards/x.yaml#L41>)" in source
    links = [t.attrs["href"] for t in flat(READER.parse(source)) if t.type == "link_open"]
    assert links and set(links) == {"https://github.com/o/r/blob/0f/boards/x.yaml#L41"}


@pytest.mark.parametrize("file", ["/etc/x.yaml", "../x.yaml", "a/../../x.yaml", "C:\\x.yaml", "<stdin>"])
def test_a_file_outside_of_the_checkout_is_no_link(file: str) -> None:
    made = replace(report(finding(where=Location(file, 1, 1))), source_url=URL)
    assert "](<" not in reports.render("markdown", (made,))


@given(st.text(min_size=1, max_size=30))
def test_no_file_name_breaks_out_of_its_link(name: str) -> None:
    made = replace(report(finding(where=Location(name, 7, 1))), source_url=URL)
    for token in flat(READER.parse(reports.render("markdown", (made,)))):
        if token.type == "link_open":
            href = str(token.attrs["href"])
            assert href.startswith("https://github.com/o/r/blob/0f/") and href.endswith("#L7") and ".." not in href
        assert token.type not in ("html_inline", "html_block", "image")


def test_what_matters_stands_first_and_what_the_baseline_knows_is_a_row_and_a_count() -> None:
    old = replace(finding(subject="links.old"), change=Change(True, Status.FAIL, "known: fail in the baseline"))
    new = [finding(subject=f"links.n{i}", limit=Limit(None, i * 25.4e-6, "mil", f"< {i} mil"), fix="x, " * 200)
           for i in range(1, 13)]
    source = reports.render("markdown", (report(old, *new, exit_code=1),))
    heads = [line for line in source.splitlines() if line.startswith("## ")]
    assert heads == ["## What matters", "## Findings", "## Coverage", "## Inputs and conditions"]
    first = source.split("## What matters")[1].split("## Findings")[0]
    assert "links.old" not in first and first.count("| ✗ error") == 10
    assert "2 more below." in first and source.count("known in the baseline do") == 1, "the verdict says it"
    assert "1 known in the baseline does not count; what fails: SIG003 (12)" in source
    assert all(len(line) < 500 for line in first.splitlines())
    rows = [line for line in source.split("## Findings")[1].splitlines() if line.startswith("| ✗ error")]
    assert len(rows) == 1 and "(known)" in rows[0] and "### ✗ Error: SIG003 `links.old`" not in source
    assert source.count("links.n3`") == 2, "its row and its entry, and no table besides"


def test_no_cell_of_a_limit_is_empty_where_the_engine_found_it() -> None:
    own = [replace(finding(), rule=rule, measured=None, limit=None, subject=rule) for rule in ("PCB005", "PCB002")]
    source = reports.render("markdown", (report(*own, exit_code=1),))
    rows = source.split("## What matters")[1].split("## ")[0].splitlines()
    cells = {row.split("|")[1].split()[2]: row.split("|")[3].strip() for row in rows if row.startswith("| ✗")}
    assert cells == {"PCB005": "no limit: compared with the baseline", "PCB002": "no limit"}


def test_what_was_loosened_stands_first_and_once() -> None:
    change = Change(False, None, "new: relaxed since the baseline")
    loose = [replace(finding(), rule=rule, measured=None, limit=None, subject=f"baseline.{rule}", fix="undo it",
                     message=f"{rule} is less now", change=change) for rule in ("PCB006", "PCB010")]
    early = replace(loose[0], rule="PCB002", message="waiver of x by jd: the target branch does not have it")
    source = reports.render("markdown", (report(*loose, early, finding(), exit_code=1),))
    heads = [line for line in source.splitlines() if line.startswith("## ")]
    assert heads[:3] == ["## Loosened since the baseline", "## What matters", "## Findings"]
    for said in ("PCB006 is less now", "PCB010 is less now", "waiver of x by jd"):
        assert source.count(said) == 1, "nothing else is to be told of it"


def test_the_smallest_margins_are_those_of_what_passes() -> None:
    source = reports.render("markdown", (everything(),))
    table = source.split("## Smallest margins of what passes")[1].split("## ")[0]
    shares = [float(row.split("|")[1].strip(" %").replace("−", "-")) for row in table.split("\n")[4:] if row]
    assert shares == sorted(shares) and len(shares) <= 10
    assert "✓ pass" in table and "MAT002" not in table, "a word has no margin"
    declared = finding(Status.PASS, measured=Measured(value=254e-6, lo=0, hi=254e-6, model="the board file",
                                                      basis="declared"))
    assert "Smallest" not in reports.render("markdown", (report(declared),))
    four = Measured(value=4.0, lo=4.0, hi=4.0, model="a count", basis="computed")
    count = finding(Status.PASS, measured=four, limit=Limit(4.0, None, "", ">= 4"))
    assert "Smallest" not in reports.render("markdown", (report(count),))
    worst = finding(Status.PASS, measured=Measured(value=250e-6, lo=250e-6, hi=250e-6, model="worst case of heights",
                                                   basis="computed"))
    assert "1.6 %" in reports.render("markdown", (report(worst),)), "a worst case is exact and has a margin"
    assert "Smallest" not in reports.render("markdown", (report(),))
