# SPDX-License-Identifier: MIT
"""`pcbrules design`."""

from __future__ import annotations

import click

from pcbrules.cli._common import print_problems
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import answer, format_option, profile_option

EPILOG = """\b
Examples:
  pcbrules design --stackup boards/hgx-h100-baseboard.yaml --layer L5 \\
      --zdiff 92ohm --gap 7mil
  pcbrules design --stackup board.yaml --layer L5 --zdiff 85ohm --pitch 12mil
  pcbrules design --stackup board.yaml --layer L1 --z0 50ohm --at 8GHz

\b
Exit codes:
  0  found
  1  no such trace within the limits of the search
  2  the input or the command is wrong
  3  the impedance or the loss could not be computed
"""


@click.command(epilog=EPILOG)
@click.option("--stackup", "board", required=True, metavar="BOARD", help="Board file with the stackup.")
@click.option("--layer", required=True, metavar="NAME", help="Signal layer of the trace.")
@click.option("--zdiff", metavar="OHM", help="Differential impedance of a pair.")
@click.option("--z0", metavar="OHM", help="Impedance of a single trace.")
@click.option("--width", metavar="LENGTH", help="Width of the wider face: look for the gap.")
@click.option("--gap", metavar="LENGTH", help="Gap between the wider faces: look for the width.")
@click.option("--pitch", metavar="LENGTH", help="Centre to centre: look for width and gap.")
@click.option("--coplanar", metavar="LENGTH", help="Ground so far from the trace or pair, on both sides.")
@click.option("--etch", metavar="LENGTH",
              help="By how much a side recedes at the narrower face [default: as the board's traces on this layer have"
              " it, else on equal copper, else straight].")
@click.option("--at", metavar="FREQUENCY",
              help="Frequency of the loss [default: Nyquist of the fastest link on the layer, else of the board].")
@profile_option()
@format_option()
def command(
    board: str,
    layer: str,
    zdiff: str | None,
    z0: str | None,
    width: str | None,
    gap: str | None,
    pitch: str | None,
    coplanar: str | None,
    etch: str | None,
    at: str | None,
    profile: str | None,
    style: str,
) -> None:
    """Find the trace that has an impedance on a layer of a stackup.

    Given a gap or a pitch it is the width, given a width the gap, given none a table of pairs; sought from 2 to 40 mil
    by the field solver. With it come loss, range over fabrication and sensitivities; or how far off the layer is. The
    narrower face is the width less twice the etch.
    """
    from pcbrules import api
    from pcbrules.studies import design_text
    from pcbrules.studies.design import WantedTrace
    from pcbrules.studies.names import quantity

    if (zdiff is None) == (z0 is None):
        raise click.UsageError("give --zdiff for a pair or --z0 for a single trace, one of the two.")
    if sum(text is not None for text in (width, gap, pitch)) > (1 if zdiff is not None else 0):
        raise click.UsageError(
            "give one of --width, --gap and --pitch at most." if zdiff is not None
            else "--width, --gap and --pitch go with --zdiff: of a single trace the width is sought."
        )
    impedance = quantity("--zdiff", zdiff, "resistance") or quantity("--z0", z0, "resistance") or 0.0
    wanted = WantedTrace(
        layer=layer,
        impedance=impedance,
        pair=zdiff is not None,
        width=quantity("--width", width, "length"),
        gap=quantity("--gap", gap, "length"),
        pitch=quantity("--pitch", pitch, "length"),
        etch=quantity("--etch", etch, "length"),
        frequency=quantity("--at", at, "frequency"),
        coplanar=quantity("--coplanar", coplanar, "length"),
    )
    loaded = api.load(board)
    ruleset = ruleset_for(profile, loaded)
    found = api.design(loaded, ruleset, wanted)
    print_problems(loaded.warnings)
    text = design_text.json_text if style == "json" else design_text.console
    answer(text(found, ruleset.name), style, found.exit_code, loaded)
