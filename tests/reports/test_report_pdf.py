# SPDX-License-Identifier: MIT
"""The report as PDF: same bytes, its own fonts, nothing fetched, and a clear word where the package is missing."""

from __future__ import annotations

import io
import math
import re
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from pdf_lines import collisions, runs
from report_samples import everything, finding, nasty, report

from pcbrules import api, reports
from pcbrules.errors import InputError
from pcbrules.results.finding import Status

ROOT = Path(__file__).resolve().parents[2]

MARGIN = 33.5
"""Right margin of a page, 12 mm less what rounding takes [pt]."""


def unpacked(pdf: bytes) -> bytes:
    """What the compressed streams of a PDF hold."""
    found = b""
    for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            found += zlib.decompress(part)
    return found


def test_long_names_stay_in_their_columns() -> None:
    pytest.importorskip("plutoprint")
    pypdf = pytest.importorskip("pypdf")
    names = ("rails.nvsw_core.vrm.over_current", "rails." + "x" * 45, "links.a_b_c_d_e_f_g_h_i_j_k_l_m_n_o_p.path")
    passes = [finding(Status.PASS, rule=f"SIG00{i}", subject=name) for i, name in enumerate(names, 1)]
    fails = [finding(Status.FAIL, subject=name, message=f"message {i}") for i, name in enumerate(names)]
    made = reports.render("pdf", [report(*passes, *fails)])
    assert isinstance(made, bytes)
    reader = pypdf.PdfReader(io.BytesIO(made))
    for page in reader.pages:
        found = list(runs(page, reader))
        assert not collisions(found)
        assert all(run.right < float(page.mediabox.width) - MARGIN for run in found)


def test_the_package_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "plutoprint", None)
    with pytest.raises(InputError, match=r"pip install plutoprint"):
        reports.render("pdf", [everything()])


def test_a_pdf_is_no_text() -> None:
    pytest.importorskip("plutoprint")
    with pytest.raises(TypeError, match="pdf is no text"):
        reports.text("pdf", [everything()])


@pytest.mark.long
def test_the_same_bytes_with_the_fonts_of_the_package() -> None:
    pytest.importorskip("plutoprint")
    loaded = api.load(str(ROOT / "boards" / "l40s-pcie-card.yaml"))
    made = api.check(loaded, "datacenter-inference", exhibits=True)
    first, second = reports.render("pdf", [made]), reports.render("pdf", [made])
    assert isinstance(first, bytes) and first == second
    inside = unpacked(first)
    assert first.startswith(b"%PDF-") and b"19800101" in first + inside
    assert set(re.findall(rb"/FontName\s*/[A-Z]{6}\+([\w-]+)", first + inside)) == {b"DejaVuSans", b"DejaVuSans-Bold"}


def test_hostile_texts_fetch_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plutoprint")
    trick = '<img src="file:///etc/passwd"><link rel=stylesheet href="http://x.example/a.css">'
    made = reports.render("pdf", [nasty(), report(finding(message=trick, note=trick), board=trick)])
    assert isinstance(made, bytes) and made.startswith(b"%PDF-")
    assert capfd.readouterr().err == ""


def test_the_contents_have_the_numbers_of_the_pages() -> None:
    pytest.importorskip("plutoprint")
    pypdf = pytest.importorskip("pypdf")
    made = reports.render("pdf", [everything()])
    assert isinstance(made, bytes)
    reader = pypdf.PdfReader(io.BytesIO(made))
    texts = [page.extract_text() for page in reader.pages]
    told = dict(re.findall(r"(Findings|Coverage|Passed|Provenance) (\d+)", texts[0]))
    assert told.keys() == {"Findings", "Coverage", "Passed", "Provenance"}
    places = {name: reader.get_destination_page_number(at) + 1 for name, at in reader.named_destinations.items()}
    assert {name: int(number) for name, number in told.items()} == {name: places[name.lower()] for name in told}
    assert max(places.values()) > 1


def test_provenance_begins_with_all_its_versions_on_one_page() -> None:
    """Wherever the page ends: the heading does not stand there with one row."""
    pytest.importorskip("plutoprint")
    pypdf = pytest.importorskip("pypdf")
    alone = []
    for count in range(12, 36, 2):
        passes = [finding(Status.PASS, rule=f"CHN{i:03}", subject=f"links.l{i}") for i in range(1, count)]
        made = reports.render("pdf", [report(finding(), *passes, exit_code=1)])
        assert isinstance(made, bytes)
        pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(made)).pages]
        (page,) = [text for text in pages[1:] if "Provenance\n" in text]
        if "Ruleset" not in page.split("Provenance\n")[1]:
            alone.append(count)
    assert not alone


def test_the_first_page_holds_causes_and_signatures_however_long_the_fixes_are() -> None:
    pytest.importorskip("plutoprint")
    pypdf = pytest.importorskip("pypdf")
    fix = "set " + ", ".join(f"`via_types.fast_{i}.antipad.length` to 1.{i} mm" for i in range(40))
    rules = ("CHN003", "CHN004", "CHN007", "SIG003", "VIA002", "STK011")
    long = [finding(rule=rule, subject=f"links.nvlink_{i}_of_socket_{i}.path.via_of_the_gpu", fix=fix)
            for i, rule in enumerate(rules)]
    open_inputs = [finding(Status.NOT_EVALUATED, subject=f"links.l{i}.path", message=f"no via {i}", measured=None,
                           fix=f"give `links.l{i}.path[0].via.neighbours[1].coupled_length`") for i in range(40)]
    made = reports.render("pdf", [report(*long, *open_inputs, exit_code=1)])
    assert isinstance(made, bytes)
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(made)).pages]
    assert all(word in pages[0] for word in ("What matters", "Open inputs", "Revision", "Date", "Sign-off", "Approval"))
    assert "Findings to look at" in pages[1]


@pytest.mark.parametrize(("name", "profile", "before"), [
    ("jetson-orin-carrier", "edge", 4), pytest.param("hgx-h100-baseboard", "training", 8, marks=pytest.mark.long)])
def test_no_text_is_small_and_few_pages_come_before_the_appendix(name: str, profile: str, before: int) -> None:
    pytest.importorskip("plutoprint")
    pypdf = pytest.importorskip("pypdf")
    file = f"boards/{name}.yaml"
    made = reports.render("pdf", [api.check(api.load(str(ROOT / file), file), profile, exhibits=True)])
    assert isinstance(made, bytes)
    reader = pypdf.PdfReader(io.BytesIO(made))
    pages = reader.pages
    small: list[tuple[float, str]] = []

    def seen(text: str, cm: list[float], tm: list[float], font: object, size: float) -> None:
        shown = size * math.hypot(tm[0], tm[1]) * math.hypot(cm[0], cm[1])
        if text.strip() and shown < 7.9:
            small.append((round(shown, 2), text.strip()))

    texts = [page.extract_text(visitor_text=seen) for page in pages]
    assert not small, small[:5]  # 8 pt are 7.93 in the file
    for number, one in enumerate(pages, 1):
        found = list(runs(one, reader))
        assert len(found) > 20 and not collisions(found), (number, collisions(found))
        over = [run.text for run in found if run.right > float(one.mediabox.width) - MARGIN]
        assert not over, f"page {number}: {over} run over the margin"
    titles = r"(Findings|Pictures|What moves the margins|Coverage|Passed|Assumptions) ([0-9]+)"
    told = dict(re.findall(titles, texts[0]))
    assert len(told) == 6
    for title, number in told.items():
        heads = [line.strip() for line in texts[int(number) - 1].splitlines()]
        assert f"{title}{' to look at' if title == 'Findings' else ''}" in heads, f"{title} does not begin on {number}"
    first = next(at for at, text in enumerate(texts, 1) if "Appendix" in text.splitlines())
    assert first <= before + 1 and len(texts) < first + 10
    assert "Approval" in texts[0], "the first page is signed"
    below = texts[first - 1].splitlines()[texts[first - 1].splitlines().index("Appendix") + 1 :]
    assert len(below) > 8, "a heading is not the end of its page"
    assert all(len(text) > 500 for text in texts), "no page is nearly empty"
