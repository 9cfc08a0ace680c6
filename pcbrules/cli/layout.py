# SPDX-License-Identifier: MIT
"""`pcbrules layout`."""

from __future__ import annotations

import click

from pcbrules.cli._common import print_problems
from pcbrules.cli._studies import answer, format_option
from pcbrules.errors import quoted

EPILOG = """\b
Examples:
  pcbrules layout design.kicad_pcb
  pcbrules layout design.kicad_pcb --link 'TX_*'
  pcbrules layout board.xml --format json

\b
Exit codes:
  0  the layout was read; what is missing or odd in it stands on stderr
  2  the file or the command is wrong
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE")
@click.option("-v", "--verbose", is_flag=True, help="Show every pair in full: widths, gaps, planes, neighbours, vias.")
@click.option("--link", "links", metavar="NET", multiple=True,
              help="Show the pairs of a net, or of a pattern with * and ?, in full; may be given more than once.")
@format_option()
def command(file: str, verbose: bool, links: tuple[str, ...], style: str) -> None:
    """Show what was read of a layout: a KiCad board (KiCad 5 to 10), an IPC-2581 file (revisions A, B, B1, C), an ODB++
    folder or archive, a Gerber job file.

    A receipt (layers, nets, parts, pads, tracks, vias, zones, what was not read), the layers of the build-up, the
    smallest trace, space, ring, drill and copper beside a hole, and a table of the differential pairs. Net classes and
    custom rules come from the project beside a KiCad board. Nothing is guessed: what the file leaves open or
    contradicts is told, and judged by nobody.
    """
    from pcbrules.extraction.measures import measures
    from pcbrules.extraction.plane_sheet import sheets_of
    from pcbrules.extraction.power_figures import power_figures
    from pcbrules.layout.net_patterns import matches
    from pcbrules.readers.layout_file import read_layout
    from pcbrules.studies import layout_text

    layout = read_layout(file)
    print_problems(layout.told)
    lost = [one for one in links if not any(matches(one, (pair.p, pair.n)) for pair in layout.pairs)]
    if lost:
        raise click.UsageError(f"--link: no pair of the layout has such a net: {', '.join(map(quoted, lost))}")
    sheets = sheets_of(layout)
    found, power = measures(layout, sheets), power_figures(layout, sheets)
    if style == "json":
        from pcbrules.api._layout_text import layout_delays  # the solvers: for programs alone

        answer(layout_text.json_text(layout, found, layout_delays(layout, found, sheets), power), style, 0)
    else:
        answer(layout_text.console(layout, found, power, ("*",) if verbose else links), style, 0)
