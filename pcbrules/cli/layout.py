# SPDX-License-Identifier: MIT
"""`pcbrules layout`."""

from __future__ import annotations

import click

from pcbrules.cli._common import print_problems
from pcbrules.cli._studies import answer, format_option

EPILOG = """\b
Examples:
  pcbrules layout design.kicad_pcb
  pcbrules layout board.xml --format json

\b
Exit codes:
  0  the layout was read; what is missing or odd in it stands on stderr
  2  the file or the command is wrong
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE")
@format_option()
def command(file: str, style: str) -> None:
    """Show what was read of a layout: a KiCad board (KiCad 5 to 10), an IPC-2581 file (revisions A, B, B1, C), an ODB++
    folder or archive, a Gerber job file.

    A receipt (layers, nets, parts, pads, tracks, vias, zones, what was not read), the layers of the build-up, the
    smallest trace, space, ring, drill and copper beside a hole, and every differential pair with the lengths of its
    two nets. Net classes and custom rules come from the project beside a KiCad board. Nothing is guessed: what the
    file leaves open or contradicts is told, and judged by nobody.
    """
    from pcbrules.extraction.measures import measures
    from pcbrules.extraction.plane_sheet import sheets_of
    from pcbrules.extraction.power_figures import power_figures
    from pcbrules.readers.layout_file import read_layout
    from pcbrules.studies import layout_text

    layout = read_layout(file)
    print_problems(layout.told)
    sheets = sheets_of(layout)
    found, power = measures(layout, sheets), power_figures(layout, sheets)
    if style == "json":
        from pcbrules.api._layouts import layout_delays  # the solvers: for programs alone

        answer(layout_text.json_text(layout, found, layout_delays(layout, found, sheets), power), style, 0)
    else:
        answer(layout_text.console(layout, found, power), style, 0)
