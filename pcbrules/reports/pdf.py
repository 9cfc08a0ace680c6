# SPDX-License-Identifier: MIT
"""The report on paper: the HTML page as PDF, by the optional wheel plutoprint. Its font comes along."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Sequence
from importlib.resources import files

from pcbrules.errors import InputError, Problem, escape
from pcbrules.results.report import Report
from pcbrules.version import VERSION

NAME = "pdf"
SUFFIXES = (".pdf",)
EXHIBITS = True
BINARY = True

FONTS = (("DejaVuSans.ttf", 400), ("DejaVuSans-Bold.ttf", 700))
"""Files of the fonts that come along, with their weights."""

MOST_PASSES = 3
"""Times that the pages are printed again with the page numbers of the time before."""

DATE = "1980-01-01T00:00:00"
"""Date of making that the file states: the same on every run."""


def render(
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> bytes:
    """Write the reports as PDF, A4; see ``reports.Format``. Raises InputError where the optional package is missing."""
    return printed_report(reports, appendix=True)


def printed_report(reports: Sequence[Report], *, appendix: bool) -> bytes:
    """The report as PDF, with or without its appendix. Raises InputError where the optional package is missing."""
    try:
        import plutoprint
    except ImportError:
        message = "a PDF needs the package plutoprint, which is not installed"
        fix = "pip install plutoprint pypdf, or write an HTML report and print it"
        raise InputError([Problem("--output", 0, 0, "", message, fix=fix)]) from None

    class Refusal(plutoprint.ResourceFetcher):
        """Fetches nothing: a report needs no file and no network."""

        def fetch_url(self, url: str) -> plutoprint.ResourceData:
            raise ValueError("a report fetches nothing")

    title = escape(", ".join(report.board for report in reports))

    def printed(html: str) -> bytes:
        book = plutoprint.Book(plutoprint.PAGE_SIZE_A4, media=plutoprint.MEDIA_TYPE_PRINT)
        book.custom_resource_fetcher = Refusal()
        book.load_html(html, base_url="report:/", user_style=f"{_fonts()}\n{_footer(reports)}")
        for key, value in (
            (plutoprint.PDF_METADATA_TITLE, f"{title}: pcbrules report"),
            (plutoprint.PDF_METADATA_CREATOR, f"pcbrules {VERSION}"),
            (plutoprint.PDF_METADATA_CREATION_DATE, DATE),
            (plutoprint.PDF_METADATA_MODIFICATION_DATE, DATE),
        ):
            book.set_metadata(key, value)
        made = io.BytesIO()
        book.write_to_pdf_stream(made)
        return made.getvalue()

    return _with_contents(reports, printed, appendix=appendix)


def _with_contents(reports: Sequence[Report], printed: Callable[[str], bytes], *, appendix: bool) -> bytes:
    """Print until the page numbers in the contents are those of the pages; without them where pypdf is missing."""
    from pcbrules.reports.html._page import page

    made, pages = printed(page(reports, paper=True, appendix=appendix)), None
    for _ in range(MOST_PASSES):
        found = _pages(made)
        if found == pages:
            break
        pages = found
        made = printed(page(reports, paper=True, pages=pages, appendix=appendix))
    return made


def _pages(made: bytes) -> dict[str, int] | None:
    """The page on which each named place is; None where nothing can tell."""
    try:
        from pypdf import PdfReader
    except ImportError:
        return None
    reader = PdfReader(io.BytesIO(made))
    found = {name: reader.get_destination_page_number(place) for name, place in reader.named_destinations.items()}
    return {name: number + 1 for name, number in found.items() if number is not None}


def _footer(reports: Sequence[Report]) -> str:
    """Board, revision and date at the foot of each page, of one board; as a style sheet."""
    if len(reports) != 1:
        return ""
    one = reports[0]
    text = ", ".join(part for part in (one.board, one.revision and f"revision {one.revision}", one.date) if part)
    plain = "".join(char if char.isalnum() or char in " ,.:+-_/()" else f"\\{ord(char):06x}" for char in escape(text))
    return f'@page{{@bottom-left{{content:"{plain}"}}}}'


def _fonts() -> str:
    """The fonts as a style sheet."""
    rules = []
    for name, weight in FONTS:
        data = b64encode((files("pcbrules.reports") / "fonts" / name).read_bytes()).decode()
        rules.append(f'@font-face{{font-family:"Report";font-weight:{weight};src:url("data:font/ttf;base64,{data}")}}')
    return "\n".join(rules)
