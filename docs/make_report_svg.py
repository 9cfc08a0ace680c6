# SPDX-License-Identifier: MIT
"""Draw the README's picture: the console report of an example board as an SVG. Run from the checkout's root."""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path

from pcbrules import api, reports

ROOT = Path(__file__).resolve().parent.parent
BOARD, PROFILE, FIRST = "boards/faults/edge-faults.yaml", "edge", 29
CHARACTER, LINE, MARGIN = 7.7, 17, 14
PAPER, INK = "#1b1f24", "#d7dde4"
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#56d4dd"}
CODE = re.compile(r"\x1b\[([0-9;]*)m")


def draw(text: str) -> str:
    """The text with its ANSI colours as an SVG."""
    rows = text.splitlines()
    height = MARGIN * 2 + LINE * len(rows)
    width = MARGIN * 2 + CHARACTER * 80
    body = []
    for number, row in enumerate(rows):
        y = MARGIN + LINE * (number + 0.75)
        body.append(f'<text x="{MARGIN}" y="{y:g}" xml:space="preserve">{_spans(row)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}" viewBox="0 0 {width:g} {height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="12.8" fill="{INK}">\n'
        f'<title>Report of pcbrules on the console</title>\n<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _spans(row: str) -> str:
    parts, style, end = [], "", 0
    for match in CODE.finditer(row):
        parts.append(_span(row[end : match.start()], style))
        style, end = match[1], match.end()
    parts.append(_span(row[end:], style))
    return "".join(parts)


def _span(text: str, style: str) -> str:
    if not text:
        return ""
    codes = style.split(";")
    colour = next((COLOURS[code] for code in codes if code in COLOURS), "")
    attributes = (f' fill="{colour}"' if colour else "") + (' font-weight="bold"' if "1" in codes else "")
    return f"<tspan{attributes}>{escape(text)}</tspan>"


def picture() -> str:
    """The first findings and the summary of the report."""
    report = api.check(api.load(str(ROOT / BOARD), BOARD), PROFILE)
    rows = reports.render("console", [report], colour=True).splitlines()
    end = next(i for i, row in enumerate(rows) if "rules judged (" in row)
    shown = [*rows[:FIRST], "…", "", *rows[end:]]
    return draw("\n".join([f"$ pcbrules check {BOARD} --profile {PROFILE}", *shown]))


def main() -> None:
    """Write docs/report.svg."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "report.svg"
    target.write_text(picture(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
