# SPDX-License-Identifier: MIT
"""`pcbrules import`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pcbrules.cli._common import print_problems, say, write_files

if TYPE_CHECKING:
    from pcbrules.errors import Problem
    from pcbrules.extraction.drawn_path import DrawnPath
    from pcbrules.layout.layout import Layout
    from pcbrules.studies.layout_board import LinkWish

EPILOG = """\b
Example:
  pcbrules import design.kicad_pcb -o imported.yaml

\b
Exit codes:
  0  the board file was written
  2  the file or the command is wrong, or a pair has no path to follow
"""


def made(layout: Layout, paths: Sequence[tuple[LinkWish, DrawnPath]], name: str) -> tuple[str, tuple[Problem, ...]]:
    """The board file of a layout with these links, and what of it is a comment because no reader would take it."""
    from pcbrules.extraction.measures import measures
    from pcbrules.extraction.plane_sheet import sheets_of
    from pcbrules.readers.readable import readable
    from pcbrules.studies.layout_board import board_text

    outline = layout.outline[0] if layout.outline else ()
    shares = {layer: sheet.share(outline) for layer, sheet in sheets_of(layout).items()}
    if paths:  # nets behind series parts are pairs too, whatever their names are
        layout = replace(layout, pairs=tuple(dict.fromkeys(pair for _, path in paths for pair in path.pairs)))
    return readable(board_text(layout, measures(layout), paths, shares), name)


@click.command(name="import", epilog=EPILOG)
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", required=True, metavar="BOARD", help="Board file to write; an existing one is kept.")
@click.option("--link", "wishes", multiple=True, metavar="NAME=STANDARD:NET",
              help="Write a link for the pair of a net: up=pcie3:PCIe_TX_P. May be given again.")
def command(file: str, output: str, wishes: tuple[str, ...]) -> None:
    """Write a board file of a layout: build-up, via types, and the paths of the pairs that you name.

    Paths go from pad to pad as drawn, with the lengths of both legs, widths, gaps, gaps in the planes, antipads and
    ground vias. What a layout does not know (standards, materials, rails, cooling) stands in the file as a choice to
    make. Nothing is guessed: what is assumed says so beside the value.
    """
    from pcbrules.readers.layout_file import read_layout
    from pcbrules.studies.layout_links import paths_of

    target = Path(output)
    if os.path.lexists(target):
        raise click.UsageError(f"{target} exists; name another file.")
    if not target.absolute().parent.is_dir():
        raise click.UsageError(f"the folder {target.parent} does not exist.")
    layout = read_layout(file)
    paths = paths_of(layout, wishes)
    print_problems(layout.told)
    text, left_out = made(layout, paths, str(target))
    print_problems(left_out)
    write_files([(target, text)])
    say(f"wrote {target}; decide `board.platform` and `board.form_factor`, which are examples in it; next: "
        f"pcbrules check {shlex.quote(str(target))} --profile NAME")
