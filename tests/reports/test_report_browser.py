# SPDX-License-Identifier: MIT
"""The page in a browser: silence, worst status first, filters and plots that work, a page for the printer.

Skipped where there is no Chromium: neither one that Playwright brings nor one on the path (or named by CHROMIUM).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import pytest
from board_params import board_report
from report_samples import NASTY, nasty
from test_board_drawing import drawn_report
from test_report_html import drawn

from pcbrules import reports
from pcbrules.results.exhibit import Series, StudySection, StudyTable
from pcbrules.results.finding import Finding, Status
from pcbrules.results.report import Report

sync_api = pytest.importorskip("playwright.sync_api")

ROOT = Path(__file__).resolve().parents[2]
BOARDS = {
    "hgx-h100-baseboard.yaml": "training",
    "l40s-pcie-card.yaml": "datacenter-inference",
    "jetson-orin-carrier.yaml": "edge",
    "faults/training-faults.yaml": "training",
}
EXECUTABLE = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        try:
            made = play.chromium.launch(executable_path=EXECUTABLE, args=["--no-sandbox"])
        except sync_api.Error as error:
            pytest.skip(f"no browser: {str(error).splitlines()[0]}")
        yield made
        made.close()


class Reports(dict[str, Report]):
    """Reports of the boards that are asked for; the fixes of those with faults take longest and are not looked at."""

    def __missing__(self, name: str) -> Report:
        self[name] = board_report(name, BOARDS[name], fixes="faults" not in name)
        return self[name]


@pytest.fixture(scope="module")
def made() -> dict[str, Report]:
    return Reports()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of reports from disk; fails if anything is said on the console, or asked from anywhere."""
    said: list[str] = []
    asked: list[str] = []
    pages = []

    def open_page(*shown: Report, width: int = 1280, scheme: str = "light") -> Any:
        path = tmp_path / f"report{len(pages)}.html"
        path.write_text(reports.text("html", shown), encoding="utf-8", errors="backslashreplace")
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert said == [] and len(asked) == len(pages)


def margin(finding: Finding) -> float | None:
    """The margin over the limit, for limits that have a size; 0 of what just meets its limit."""
    measured, limit = finding.measured, finding.limit
    if measured is None or limit is None or finding.status in (Status.NOT_EVALUATED, Status.NOT_APPLICABLE):
        return None
    bounds = [b for b in (limit.low, limit.high) if b is not None]
    if not any(bounds) or re.match(r"\W*[a-z]", limit.text):
        return None
    value = min([b - measured.value for b in [limit.high] if b is not None]
                + [measured.value - b for b in [limit.low] if b is not None])
    if abs(value) < 1e-9 * max(map(abs, bounds)):
        return 0.0
    return value / min(abs(b) for b in bounds if b)


@pytest.mark.parametrize("name", [
    pytest.param("hgx-h100-baseboard.yaml", marks=pytest.mark.long), "jetson-orin-carrier.yaml",
    pytest.param("l40s-pcie-card.yaml", marks=pytest.mark.long),
    pytest.param("faults/training-faults.yaml", marks=pytest.mark.long)])
def test_the_first_three_cards_have_the_worst_status_and_the_smallest_margins(
    opened: Open, made: dict[str, Report], name: str
) -> None:
    """Fails before marginals, what was not evaluated and the rest, errors before warnings; then their margin."""
    page = opened(made[name])
    order = [Status.FAIL, Status.CRASHED, Status.MARGINAL, Status.NOT_EVALUATED, Status.PASS, Status.NOT_APPLICABLE]
    margins: dict[tuple[str, tuple[int, str]], float] = {}
    worst: dict[str, tuple[int, str]] = {}
    for finding in made[name].findings:
        part, _, rest = finding.subject.partition(".")
        subject = f"{part}.{rest.split('.')[0]}" if part in ("links", "rails") and rest else part
        value = margin(finding)
        open_ = finding.status not in (Status.PASS, Status.NOT_APPLICABLE)
        place = order.index(finding.status), {"error": "0", "warning": "1", "advice": "2"}[finding.severity] * open_
        worst[subject] = min(place, worst.get(subject, place))
        if value is not None:
            margins[subject, place] = min(value, margins.get((subject, place), value))
    smallest = {subject: margins[subject, place] for subject, place in worst.items() if (subject, place) in margins}
    wanted = sorted(worst, key=lambda one: (*worst[one], round(smallest.get(one, inf), 9), one))[:3]
    cards = page.query_selector_all(".card")
    assert [card.get_attribute("data-subject") for card in cards[:3]] == wanted
    tops = [(card.bounding_box()["y"], card.bounding_box()["x"]) for card in cards[:3]]
    assert tops == sorted(tops), "and they stand first on the screen"
    for card, subject in ((card, one) for card, one in zip(cards, wanted, strict=False) if one in smallest):
        shown = card.query_selector(".margin b").inner_text()
        text = f"{100 * abs(smallest[subject]):.0f}" if abs(smallest[subject]) >= 0.0995 else ""
        sign = "−" if smallest[subject] < 0 else "+" if smallest[subject] else "on its limit"
        assert text in shown and shown.startswith(sign)


@pytest.mark.parametrize(("width", "scheme"), [
    (1280, "light"), (390, "dark"), pytest.param(1280, "dark", marks=pytest.mark.long),
    pytest.param(390, "light", marks=pytest.mark.long)])
def test_nothing_is_wider_than_the_screen(opened: Open, made: dict[str, Report], width: int, scheme: str) -> None:
    page = opened(made["hgx-h100-baseboard.yaml"], width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    colours = page.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
    (back, ink) = (sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours)
    assert (back > ink) == (scheme == "light")
    hints = page.evaluate("Array.from(document.querySelectorAll('.scroll')).filter(one => one.clientWidth).map(one => "
                          "[one.scrollWidth > one.clientWidth + 4, one.classList.contains('over')])")
    assert all(wider == told for wider, told in hints), "what runs out of the screen says so"
    assert any(told for _, told in hints) == (width == 390)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_tables_of_a_study_fit_a_telephone(opened: Open, made: dict[str, Report], width: int) -> None:
    """Every cell is within the screen, and says what it is where the heads of the table are gone."""
    rows = (("SIG006 links.pcie_l3.ratio", "32.2 dB pass", "20.3 dB pass", ">= 20 dB, by a source of many words"),)
    table = StudyTable("Findings", ("Finding", "Before", "After", "Limit"), rows)
    section = StudySection(key="fix", subject="fix", title="Fix", note="n", tables=(table,))
    page = opened(replace(made["jetson-orin-carrier.yaml"], exhibits=(section,)), width=width)
    cells = page.query_selector_all("#fix td")
    assert [cell.inner_text() for cell in cells] == [text.replace(">=", "\u2265") for text in rows[0]]
    boxes = [cell.bounding_box() for cell in cells]
    assert all(box["x"] + box["width"] <= width for box in boxes)
    heads = page.evaluate("Array.from(document.querySelectorAll('#fix td')).map(one => "
                          "getComputedStyle(one, '::before').content)")
    shown = [f"{head}: " for head in ("Before", "After", "Limit")] if width == 390 else ["none"] * 3
    assert [head.replace('" "', "").strip('"') for head in heads] == ["none", *shown]
    assert page.query_selector("#fix thead").is_visible() == (width > 600)


def test_the_verdict_is_seen_without_scrolling_and_without_colour(opened: Open, made: dict[str, Report]) -> None:
    page = opened(made["faults/training-faults.yaml"])
    verdict = page.query_selector(".verdict")
    assert verdict.bounding_box()["y"] < 300 and verdict.inner_text().startswith("✗ FAIL")
    for card in page.query_selector_all(".card .st"):
        assert card.text_content().strip()[0] in "✗▲i!?~○✓–"


def shown(page: Any) -> list[str]:
    """Subjects of the open findings that are seen."""
    found: list[str] = page.evaluate("Array.from(document.querySelectorAll('.findings .f')).filter(f => !f.hidden && "
                                     "!f.closest('.block').hidden).flatMap(f => Array.from(f.querySelectorAll('q'))"
                                     ".filter(q => !q.hidden).map(q => q.textContent))")
    return found


def test_filters_search_and_order_work(opened: Open, made: dict[str, Report]) -> None:
    report = made["faults/training-faults.yaml"]
    page = opened(report)
    counts = report.counts()
    whole = counts["fail"] + counts["not-evaluated"] + counts["marginal"]
    assert len(shown(page)) == whole and page.inner_text(".shown") == f"{whole} findings"
    page.uncheck(".filters input[value=fail]")
    assert len(shown(page)) == whole - counts["fail"]
    page.check(".filters input[value=fail]")
    page.fill("input[type=search]", "nvl_l5 SIG003")
    sync_api.expect(page.locator(".shown")).to_contain_text(" of ")
    wanted = [f for f in report.findings if f.rule == "SIG003" and ".nvl_l5" in f.subject and f.status is Status.FAIL]
    assert sorted(text.split()[0] for text in shown(page)) == sorted(f.subject for f in wanted)
    page.fill("input[type=search]", "no such thing anywhere")
    sync_api.expect(page.locator(".shown")).to_contain_text("0 of ")
    assert shown(page) == []
    page.fill("input[type=search]", "")
    sync_api.expect(page.locator(".shown")).to_have_text(f"{whole} findings")
    page.select_option(".sort", "r")
    rules = page.eval_on_selector_all(".findings .block", "all => all.map(one => one.dataset.r)")
    assert rules == sorted(rules)
    page.select_option(".sort", "m")
    margins = page.eval_on_selector_all(".findings .block", "all => all.map(one => one.dataset.m)")
    numbers = [float(text) if text else float("inf") for text in margins]
    assert numbers == sorted(numbers)


def test_a_card_leads_to_its_findings_and_its_pictures(opened: Open, made: dict[str, Report]) -> None:
    report = made["faults/training-faults.yaml"]
    page = opened(report)
    page.click(".card[data-subject='links.kr'] a.js")
    sync_api.expect(page.locator(".shown")).to_contain_text(" of ")
    assert page.input_value("input[type=search]") == "links.kr"
    assert {text.split()[0].split(".")[1] for text in shown(page)} == {"kr"}
    page.click(".card[data-subject='links.kr'] a:not(.js)")
    assert page.locator("[id='links.kr_3a_loss'] svg").is_visible()
    page.select_option("select.order", "subject")
    names = page.eval_on_selector_all(".card", "all => all.map(one => one.dataset.subject)")
    assert names == sorted(names, key=lambda name: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", name)])


def test_plots_are_drawn_and_show_their_values(opened: Open, made: dict[str, Report]) -> None:
    report = made["hgx-h100-baseboard.yaml"]
    page = opened(report)
    for plot in page.query_selector_all("svg.plot"):
        plot.evaluate("one => one.closest('details').open = true")
        box = plot.query_selector("path.c.main").bounding_box()
        assert box["width"] > 100 and box["height"] > 0.5
        assert plot.query_selector("use, path.grid") is not None
    series = next(x for x in report.exhibits if x.key == "links.nvl_l5:loss")
    assert isinstance(series, Series)
    plot = page.locator("[id='links.nvl_l5_3a_loss'] svg")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    nyquist = next(mark.x for mark in series.marks if mark.name == "Nyquist")
    ends = [float(piece.split(":")[1]) for piece in plot.get_attribute("data-x").split(";")[1].split(" ")]
    place = (ends[0] + (ends[-1] - ends[0]) * nyquist / series.x.high) / 440
    page.mouse.move(box["x"] + box["width"] * place, box["y"] + box["height"] / 2)
    tip = page.inner_text("#tip")
    frequency, loss = (float(text) for text in re.findall(r"([\d.]+) (?:GHz|dB)", tip)[:2])
    assert frequency == pytest.approx(nyquist, rel=0.01)
    finding = next(f for f in report.findings if (f.rule, f.subject) == ("CHN001", "links.nvl_l5"))
    assert finding.measured and loss == pytest.approx(finding.measured.value, rel=0.02)
    page.mouse.move(2, 2)
    assert page.locator("#tip").is_hidden()


def test_the_keyboard_reaches_search_filters_and_values(opened: Open, made: dict[str, Report]) -> None:
    page = opened(made["jetson-orin-carrier.yaml"])
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName"))
    assert {"A", "SELECT", "INPUT", "SUMMARY"} <= reached
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    page.locator("[id='rails.p3v3_3a_z'] svg").focus()
    page.keyboard.press("ArrowRight")
    assert "nominal: " in page.inner_text("#tip") and "Hz" in page.inner_text("#tip")
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


def test_on_paper_everything_is_unfolded_and_no_tool_is_left(opened: Open, made: dict[str, Report]) -> None:
    page = opened(made["jetson-orin-carrier.yaml"], scheme="dark")
    closed = page.locator(".passed details.rule table").first
    assert not closed.is_visible()
    page.emulate_media(media="print")
    assert closed.evaluate("one => one.getBoundingClientRect().height") > 0
    for selector in (".tools", ".go", "header nav", "#tip"):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).display") == "none"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    made_pdf = page.pdf(format="A4")
    assert made_pdf.startswith(b"%PDF-") and len(re.findall(rb"/Type\s*/Page\b", made_pdf)) >= 8


@pytest.mark.long
def test_hostile_texts_stay_text(opened: Open) -> None:
    page = opened(*(replace(nasty(), board=text, exhibits=drawn(text)) for text in NASTY.values()))
    assert page.evaluate("document.querySelectorAll('script').length") == 1
    assert page.evaluate("document.querySelectorAll('img, iframe, object, embed, base, form, [onerror]').length") == 0
    assert page.locator("h1").count() == len(NASTY)


@pytest.mark.long
def test_without_script_all_is_still_there(browser: Any, made: dict[str, Report], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(reports.text("html", [made["jetson-orin-carrier.yaml"]]), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert not page.locator(".tools").first.is_visible() and page.locator(".card").first.is_visible()
    assert page.locator("svg.stack").is_visible()
    context.close()


@pytest.mark.long
def test_the_board_is_zoomed_its_layers_are_switched_and_a_pin_leads_to_its_findings(
    opened: Open, tmp_path: Path
) -> None:
    page = opened(drawn_report(tmp_path))
    whole = page.get_attribute("svg.board", "viewBox")
    page.click("[data-zoom=in]")
    near = page.get_attribute("svg.board", "viewBox")
    assert float(near.split()[2]) == pytest.approx(float(whole.split()[2]) / 2, rel=1e-3)
    page.focus("svg.board")
    page.keyboard.press("0")
    assert page.get_attribute("svg.board", "viewBox") == whole
    assert page.is_visible("svg.board .l0 .line")
    page.click("[data-layer=l0]")
    assert not page.is_visible("svg.board .l0 .line")
    page.evaluate("document.querySelector('svg.board a').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert page.input_value("input[type=search]").startswith("links.tx.path.run_1")
