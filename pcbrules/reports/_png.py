# SPDX-License-Identifier: MIT
"""A picture as PNG, by the optional wheel resvg-py. Fonts come along, so that every machine draws the same bytes."""

from __future__ import annotations

from importlib.resources import as_file, files

from pcbrules.errors import InputError, Problem

FONT = "DejaVu Sans"
FONTS = "*.ttf"
"""Files of the fonts that come along."""

ZOOM = 2
"""Pixels of the picture over those of the drawing."""


def png(svg: str) -> bytes:
    """The same picture as PNG. Raises InputError where the optional package is missing."""
    try:
        import resvg_py
    except ImportError:
        message = "a PNG needs the package resvg-py, which is not installed"
        fix = "pip install resvg-py, or write an SVG"
        raise InputError([Problem("--plot", 0, 0, "", message, fix=fix)]) from None
    with as_file(files("pcbrules.reports") / "fonts") as folder:
        made = resvg_py.svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=[str(path) for path in sorted(folder.glob(FONTS))],
            font_family=FONT,
            sans_serif_family=FONT,
            zoom=ZOOM,
        )
    return bytes(made)
