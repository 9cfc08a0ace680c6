# SPDX-License-Identifier: MIT
"""`pcbrules import`."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from pcbrules.cli._common import print_problems, say, write_files

EPILOG = """\b
Example:
  pcbrules import design.kicad_pcb -o imported.yaml

\b
Exit codes:
  0  the board file was written
  3  it was written, but a link that was asked for is a comment in it
  2  the file or the command is wrong, or a pair has no path to follow
"""


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
    from pcbrules.api._layout_text import layout_text
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
    written = layout_text(layout, paths, str(target))
    print_problems(written.left_out)
    write_files([(target, written.text)])
    say(f"wrote {target}; decide `board.platform` and `board.form_factor`, which no layout knows; next: "
        f"pcbrules check {shlex.quote(str(target))} --profile NAME")
    if written.lost(paths):
        sys.exit(3)
