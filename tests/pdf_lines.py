# SPDX-License-Identifier: MIT
"""Texts of a page of a PDF with their places: what a test of its geometry looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

APART = 0.3
"""Shift between two letters, of the size of the font, from which they belong to two texts. [-]"""

TOUCH = 0.5
"""Overlap of two texts that still counts as none. [pt]"""


@dataclass(frozen=True)
class PdfRun:
    """A text on one line: its ends and its baseline [pt], from the left and from the top of the page."""

    left: float
    right: float
    base: float
    text: str


def runs(page: Any, reader: Any) -> Iterator[PdfRun]:
    """The texts of a page, one for each stretch without a wide gap."""
    from pypdf.generic import ContentStream

    fonts = {name: _widths(font.get_object()) for name, font in page["/Resources"]["/Font"].items()}
    wide, widths = 1, dict[int, float]()
    size = down = x = base = begin = 0.0
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"Tf":
            wide, widths = fonts[operands[0]]
        elif operator == b"Tm":
            size, down, begin, base = (float(operands[at]) for at in (0, 3, 4, 5))
            x = begin
        elif operator == b"Td":
            begin, base = begin + size * float(operands[0]), base + down * float(operands[1])
            x = begin
        elif operator in (b"Tj", b"TJ"):
            start, text = x, ""
            for part in operands[0] if operator == b"TJ" else operands:
                if isinstance(part, int | float):
                    if abs(part) > 1000 * APART and text:
                        yield PdfRun(start, x, base, text)
                        text = ""
                    x -= size * float(part) / 1000
                    start = start if text else x
                else:
                    raw = getattr(part, "original_bytes", part)
                    codes = raw if wide == 1 else [256 * a + b for a, b in zip(raw[::2], raw[1::2], strict=True)]
                    x += size * sum(widths.get(code, 0.0) for code in codes) / 1000
                    text += raw.decode("cp1252", "replace") if wide == 1 else "?" * len(codes)
            if text:
                yield PdfRun(start, x, base, text)


def collisions(found: list[PdfRun]) -> list[tuple[str, str]]:
    """Texts of one line of which one begins before the other ends."""
    lines: dict[int, list[PdfRun]] = {}
    for one in found:
        if one.text.strip() and one.right > one.left:
            lines.setdefault(round(one.base), []).append(one)
    return [(a.text, b.text) for line in lines.values() for a, b in combinations(line, 2)
            if min(a.right, b.right) - max(a.left, b.left) > TOUCH and abs(a.base - b.base) < 1.0]


def _widths(font: Any) -> tuple[int, dict[int, float]]:
    """Bytes of a code of a font, and the widths of its codes in thousandths of its size."""
    if font["/Subtype"] != "/Type0":
        return 1, {int(font["/FirstChar"]) + at: float(width) for at, width in enumerate(font["/Widths"])}
    found: dict[int, float] = {}
    listed = list(font["/DescendantFonts"][0].get_object()["/W"])
    for first, widths in zip(listed[::2], listed[1::2], strict=True):  # lists only: so the printer writes them
        found |= {int(first) + at: float(width) for at, width in enumerate(widths)}
    return 2, found
