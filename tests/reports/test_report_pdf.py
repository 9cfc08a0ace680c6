# SPDX-License-Identifier: MIT
"""The report as PDF: same bytes, its own fonts, nothing fetched, and a clear word where the package is missing."""

from __future__ import annotations

import io
import re
import sys
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from report_samples import everything, finding, nasty, report

from pcbrules import api, reports
from pcbrules.errors import InputError

ROOT = Path(__file__).resolve().parents[2]


def unpacked(pdf: bytes) -> bytes:
    """What the compressed streams of a PDF hold."""
    found = b""
    for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with suppress(zlib.error):
            found += zlib.decompress(part)
    return found


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
