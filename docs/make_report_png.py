# SPDX-License-Identifier: MIT
"""Photograph the README's HTML report: top of the page, and the pictures of a link. Run from the checkout's root.

Needs Playwright and a Chromium (that of Playwright, or one named by CHROMIUM).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from pcbrules import api, reports

DOCS = Path(__file__).resolve().parent
BOARD, PROFILE, LINK = "boards/faults/training-faults.yaml", "training", "pictures_3a_links.nvl_l5"


def main() -> None:
    """Write docs/report_html.png and docs/report_pictures.png."""
    report = api.check(api.load(BOARD), PROFILE, exhibits=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        path = Path(folder) / "report.html"
        path.write_text(reports.text("html", [report]), encoding="utf-8")
        browser = play.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1000})
        page.goto(path.as_uri())
        page.screenshot(path=DOCS / "report_html.png")
        page.locator(f"[id='{LINK}']").screenshot(path=DOCS / "report_pictures.png")
        browser.close()


if __name__ == "__main__":
    main()
