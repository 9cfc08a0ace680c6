# SPDX-License-Identifier: MIT
"""The report on paper: the HTML page as PDF, by the optional wheel plutoprint. Its font comes along."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Sequence
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
    try:
        import plutoprint
    except ImportError:
        message = "a PDF needs the package plutoprint, which is not installed"
        fix = "pip install plutoprint, or write an HTML report and print it"
        raise InputError([Problem("--output", 0, 0, "", message, fix=fix)]) from None
    from pcbrules.reports.html._page import page

    class Refusal(plutoprint.ResourceFetcher):
        """Fetches nothing: a report needs no file and no network."""

        def fetch_url(self, url: str) -> plutoprint.ResourceData:
            raise ValueError("a report fetches nothing")

    book = plutoprint.Book(plutoprint.PAGE_SIZE_A4, media=plutoprint.MEDIA_TYPE_PRINT)
    book.custom_resource_fetcher = Refusal()
    book.load_html(page(reports, paper=True), base_url="report:/", user_style=_fonts())
    title = escape(", ".join(report.board for report in reports))
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


def _fonts() -> str:
    """The fonts as a style sheet."""
    rules = []
    for name, weight in FONTS:
        data = b64encode((files("pcbrules.reports") / "fonts" / name).read_bytes()).decode()
        rules.append(f'@font-face{{font-family:"Report";font-weight:{weight};src:url("data:font/ttf;base64,{data}")}}')
    return "\n".join(rules)
