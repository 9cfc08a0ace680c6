# SPDX-License-Identifier: MIT
"""The page: everything is in it, nothing of a board file becomes markup, it asks for nothing, and it stays small."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from board_params import board_report
from report_samples import NASTY, all_samples, everything, finding, nasty, report

from pcbrules import api, reports
from pcbrules.reports._causes import causes
from pcbrules.reports.html._drawing import figure
from pcbrules.reports.html._entries import SENTENCE
from pcbrules.reports.html._page import page as html_page
from pcbrules.reports.html._shared import Shared
from pcbrules.results.exhibit import (
    Axis,
    Bar,
    Bars,
    CurveMark,
    DrawnLayer,
    DrawnTrace,
    ExhibitCurve,
    NotShown,
    Series,
    ShadedSpread,
    Stackup,
    StudySection,
    Table,
)
from pcbrules.results.finding import Status
from pcbrules.results.report import Report
from pcbrules.studies.fixing.proposal import patch_of
from pcbrules.symbols import signs

ROOT = Path(__file__).resolve().parents[2]
EMPTY = {"br", "wbr", "meta", "path", "use", "circle", "input", "link", "hr"}
TAGS = {
    "html", "head", "meta", "title", "style", "body", "script", "header", "main", "footer", "nav", "section", "article",
    "div", "p", "h1", "h2", "h3", "h4", "ul", "li", "b", "i", "s", "em", "span", "small", "code", "q", "a", "br", "dl",
    "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure", "figcaption", "svg",
    "path", "ol", "g", "text", "rect", "circle", "use", "defs", "wbr", "label", "input", "select", "option", "output",
}


class Page(HTMLParser):
    """Tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.ids: list[str] = []
        self.feed(text)
        self.close()
        self.shown = "".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    handle_startendtag = handle_starttag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def page(*made: Report) -> Page:
    return Page(reports.text("html", made))


@pytest.fixture(scope="module")
def h100() -> Report:
    return board_report("hgx-h100-baseboard.yaml", "training")


def drawn(text: str) -> tuple[object, ...]:
    """One exhibit of every kind, full of a text."""
    base = {"subject": "links.nvl0", "title": text, "note": text, "rules": ("SIG003",)}
    axis = Axis(text, text, 0.0, 10.0)
    return (
        Series(key=f"links.nvl0:{text}", x=axis, y=axis, curves=(ExhibitCurve(text, (0.0, 10.0), (1.0, 9.0)),),
               spreads=(ShadedSpread(text, (0.0, 1.0), (1.0, 1.0), (2.0, 2.0)),),
               marks=(CurveMark(text, 3.0), CurveMark(text, 4.0, 4.0), CurveMark(text, 4.0, 4.0, "limit"),
                      CurveMark(text, 90.0, None, "notch"), CurveMark(text, 5.0, None, "notch")), **base),
        Bars(key=f"links.nvl0:b{text}", unit=text, kinds=(text,), bars=(Bar(text, ((text, 5.0),), whole=True),),
             limit=7.0, limit_name=text, **base),
        Stackup(key=f"links.nvl0:s{text}", layers=(DrawnLayer(text, "copper", 35e-6, text, text, (text, text)),
                                                   DrawnLayer(text, "dielectric", 1e-4, text, text)),
                traces=(DrawnTrace(0, 1e-4, 1e-4, 1e-4, True, 90.0, 100.0, (text,)),), **base),
        Table(key=f"links.nvl0:t{text}", heads=(text,), rows=((text,),), **base),
        NotShown(key=f"links.nvl0:n{text}", reason=text, **base),
    )


@pytest.mark.parametrize("name", NASTY)
def test_no_text_of_a_board_file_becomes_markup(name: str) -> None:
    text = NASTY[name]
    hostile = replace(nasty(), board=text, exhibits=drawn(text), notes=(text,), conditions=((text, text),))
    for made in ((hostile,), (hostile, everything())):
        found = page(*made)
        assert found.tags.keys() <= TAGS and found.tags["script"] == 1 and found.tags["style"] == 1
        for tag, attribute, value in found.attributes:
            assert not attribute.startswith("on") and attribute not in ("src", "style", "action", "formaction")
            assert attribute != "href" or value.startswith("#"), (tag, value)
        assert len(found.ids) == len(set(found.ids))


def test_labels_stay_in_their_picture_and_numbers_in_their_part() -> None:
    decades = Axis("frequency", "Hz", 100.0, 1e8, log=True)
    level = Axis("|Z|", "mohm", 0.0, 1.0)
    curve = ExhibitCurve("nominal", (100.0, 1e8), (0.0, 1.0))
    plot = Series(key="rails.a:z", subject="rails.a", title="z", note="", x=decades, y=level, curves=(curve,))
    text = figure(plot, Shared("p", whole=True)).picture
    (wide,) = re.findall(r'viewBox="0 0 (\d+) ', text)
    labels = re.findall(r'<text x="(\d+)" y="\d+">([^<]+Hz)<', text)
    assert len(labels) > 3 and all(7 * len(label) / 2 <= int(place) <= int(wide) - 7 * len(label) / 2
                                   for place, label in labels)
    parts = (("roughness", 1.35), ("dielectric", 9.0))
    ledger = Bars(key="links.a:l", subject="links.a", title="loss", note="", unit="dB",
                  kinds=("roughness", "dielectric"), bars=(Bar("sum", parts, whole=True),), limit=14.0)
    text = figure(ledger, Shared("b", whole=True)).picture
    assert re.findall(r'class="in[^"]*"[^>]*>([^<]+)<', text) == ["9"]


def test_what_tricks_with_scripts_and_paths_try_is_shown_as_text() -> None:
    trick = "</script><script>alert(1)</script>"
    path = "../../etc/passwd"
    found = page(report(finding(message=trick, subject=f"links.x{trick}", fix=f"`{trick}`"), board=path))
    assert trick in found.shown and path in found.shown and found.tags["script"] == 1


@pytest.mark.parametrize("sample", all_samples())
def test_every_finding_stands_in_the_page_once(sample: str) -> None:
    made = all_samples()[sample]
    found = page(*made)
    assert found.tags["q"] == sum(len(one.findings) for one in made)
    assert found.tags["h1"] == len(made)


@pytest.mark.long
def test_what_a_reviewer_looks_for_is_there(h100: Report) -> None:
    found = page(h100)
    text = found.shown
    for one in h100.findings:
        assert one.subject in text and one.title in text
        for sentence in SENTENCE.split(signs(one.note)):
            assert sentence.replace("`", "") in text
        if one.source:
            assert f"{signs(one.source.text)} [{one.source.provenance}]".replace("`", "") in text
        for assumed in one.measured.assumptions if one.measured else ():
            assert signs(assumed).replace("`", "") in text
    for used in h100.inputs:
        assert used.file in text and used.sha256 in text
    for name, value in h100.conditions:
        assert name in text and signs(value) in text
    assert "A pre-tapeout screen, not a proof of compliance." in text and "Sign-off" in text
    # stackup and traces; eight links; two rails with step and release, planes of both
    assert found.tags["figure"] == len(h100.exhibits) - 1 == 2 + 8 * 3 + 2 * 3 + 5
    assert "100.5 Ω of 100" in text and "stub notch of gpu_via" in text and "the board acts up to" in text


def test_open_findings_have_their_place_limit_margin_and_cure(h100: Report) -> None:
    text = page(h100).shown
    for one in h100.findings:
        if one.status not in (Status.PASS, Status.NOT_APPLICABLE):
            assert f"{one.subject} {one.where.line}:{one.where.column}" in text
            assert one.limit is None or signs(one.limit.text) in text


def test_waived_and_crashed_findings_stand_among_those_to_look_at() -> None:
    text = reports.text("html", [everything()])
    start, end = text.index('class="findings"'), text.index('class="passed"')
    for word in ("waived", "crashed", "not evaluated", "marginal", "fail", "prototype run", "J. Müller", "2027-03-31"):
        assert word in text[start:end], word


@pytest.mark.long
def test_links_lead_somewhere(h100: Report) -> None:
    for made in ((h100,), (h100, everything())):
        found = page(*made)
        targets = set(found.ids)
        for _, name, value in found.attributes:
            assert name != "href" or value[1:] in targets, value


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [(Status.PASS, 0, "✓ PASS 1 pass"), (Status.FAIL, 1, "✗ FAIL 1 error"),
     (Status.NOT_EVALUATED, 3, "? INCOMPLETE 1 not evaluated (error)"),
     (Status.MARGINAL, 0, "▲ PASS WITH WARNINGS 1 marginal")],
)
def test_the_verdict_comes_first_in_words(status: Status, code: int, words: str) -> None:
    text = page(report(finding(status), exit_code=code)).shown
    assert words in text and text.index(words) < text.index("What matters")


def test_the_name_of_a_link_stays_where_all_that_say_the_same_are_of_it() -> None:
    fix = "the edits of CHN007 at links.a.transition meet this limit"
    one = [finding(subject=f"links.a.path.via_{end}.cost", fix=fix, message="m") for end in "xy"]
    two = [finding(subject=f"links.{name}.path.via.cost", fix=fix.replace("links.a", f"links.{name}"), message="m")
           for name in "ab"]
    shown = [re.sub("<[^>]+>", "", html_page([report(*found, exit_code=1)])) for found in (one, two)]
    assert "links.a.transition meet" in shown[0] and "links.*" not in shown[0]
    assert "links.*.transition meet" in shown[1]


def test_findings_that_say_the_same_stand_together() -> None:
    same = [finding(Status.NOT_EVALUATED, subject=f"links.l{i}.path.via1", fix=f"give `links.l{i}.path[0].via`",
                    measured=None) for i in range(30)]
    text = reports.text("html", [report(*same, exit_code=3)])
    assert text.count("<article class=\"block") == 1 and "30 subjects" in text and "links.*.path[0].via" in text
    alone = reports.text("html", [report(same[0], exit_code=3)])
    assert "links.l0.path[0].via" in alone


@pytest.mark.long
def test_300_links_stay_below_three_megabytes() -> None:
    sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
    import board_300

    from pcbrules.document import parse_yaml

    loaded = api.resolve(parse_yaml(board_300.board().encode(), "board_300.yaml"))
    made = api.check(loaded, "training", exhibits=True)
    assert len(made.exhibits) >= 900
    text = reports.text("html", [made])
    assert len(text.encode()) < 3e6
    assert text.count("<q>") == len(made.findings)


def test_the_style_and_the_script_are_plain_ascii_and_ask_for_nothing() -> None:
    folder = ROOT / "pcbrules" / "reports" / "html"
    for name in ("page.css", "paper.css", "page.js"):
        text = (folder / name).read_text(encoding="utf-8")
        assert text.isascii() and not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|innerHTML|eval\(", text), name
    assert re.findall(r"https?://\S+", (folder / "page.js").read_text()) == ['http://www.w3.org/2000/svg",']


def test_on_paper_a_reviewer_signs_the_first_page_and_the_detail_is_an_appendix() -> None:
    """No cards and no tiles: what matters, then who signs; pictures of what passed everywhere stand behind."""
    paper = html_page([replace(everything(), exhibits=drawn("x"))], paper=True)
    places = [paper.index(f">{title}</h2>") for title in
              ("What matters", "Sign-off", "Findings to look at", "Appendix", "Passed", "Assumptions", "Provenance")]
    assert places == sorted(places)
    assert paper.count('<h2>Sign-off') == 1 and '<article class="card' not in paper and 'class="tiles"' not in paper
    assert paper.count("<li>") >= 1 and "Open inputs: " in paper


def test_the_patch_of_a_page_is_one_that_git_applies(tmp_path: Path) -> None:
    """Line by line, with tabs, markup and plain spellings as they stand in the file; the last line without an end."""
    old = "links:\n  up: {length: 5 um}\t# <b>&amp; 'a' \"b\" `ohm` \u00b5 ##[error] {{ x }}\nend: 5 +- 1 ohm"
    new = old.replace("5 um", "6 um").replace("end: 5", "end: 6")
    patch = patch_of("boards/x.yaml", old, new)
    section = StudySection(key="fix", subject="fix", title="Fix", note="n", tables=(), patch=patch)
    text = str(reports.render("html", [report(finding(), exhibits=(section,))]))
    (shown,) = re.findall(r'<pre class="patch">(.*?)</pre>', text, re.DOTALL)
    assert "<" not in shown and len(shown.split("\n")) == len(patch.split("\n"))
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "x.yaml").write_text(old, encoding="utf-8")
    git = ["git", "-C", str(tmp_path), "apply"]
    given = unescape(shown).encode()
    subprocess.run([*git, "--check", "-"], input=given, check=True, capture_output=True)
    subprocess.run([*git, "-"], input=given, check=True, capture_output=True)
    assert (tmp_path / "boards" / "x.yaml").read_text(encoding="utf-8") == new


def test_a_cause_names_its_other_fails_with_their_values() -> None:
    """One line stands for all on the first page: who signs sees each number that fails, and how many are left out."""
    fails = [finding(subject=f"links.l{number}.path.via") for number in range(5)]
    few, many = (one.also for count in (3, 5) for one in causes(fails[:count]))
    value = few.removeprefix("fails too: l1 ").partition(",")[0]
    assert few == f"fails too: l1 {value}, l2 {value}" and "mil" in value
    assert many == f"fails too: l1 {value}, l2 {value}, l3 {value} and 1 more"
    (left,) = causes([replace(one, status=Status.MARGINAL) for one in fails[:3]])
    assert left.also == "also l1, l2"
