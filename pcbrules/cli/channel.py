# SPDX-License-Identifier: MIT
"""`pcbrules channel`."""

from __future__ import annotations

import click

from pcbrules.cli._common import Failure, print_problems, watch
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import answer, check_endings, check_outputs, format_option, profile_option, write_outputs

EPILOG = """\b
Examples:
  pcbrules channel boards/hgx-h100-baseboard.yaml
  pcbrules channel boards/hgx-h100-baseboard.yaml nvl_l5
  pcbrules channel board.yaml up --plot up.svg --touchstone up.s4p
  pcbrules channel board.yaml up --plot up.png   (needs resvg-py)

\b
Exit codes:
  0  every link was evaluated
  2  the input or the command is wrong
  3  a link was not evaluated, or there was none
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@click.argument("link", metavar="[LINK]", required=False)
@profile_option()
@format_option()
@click.option("--plot", "picture", metavar="FILE.svg|FILE.png",
              help="Also draw the losses of LINK over frequency, with its masks, and its impedance over time.")
@click.option("--touchstone", "model", metavar="FILE.s4p",
              help="Also write LINK on the hot board: as the four-port of its legs, or FILE.s2p as the two-port of its "
              "differential mode, or of a single-ended link.")
def command(
    board: str, link: str | None, profile: str | None, style: str, picture: str | None, model: str | None
) -> None:
    """Show the channels of a board: loss, budget, stub notch, return loss.

    For one LINK the ledger says where every dB goes: conductor, roughness and dielectric of every line, barrel and
    stubs of every via, what other parts declare, steps of impedance, and what turns into the common mode where the
    legs differ. The parts add up to the mean over the phase of the reflections; what these give or take at the lengths
    of this path stands beside it. A single-ended link is shown over its own reference, and a path that begins on an
    inner layer, as a coupon may, as probed there. Curves and files go from zero to 60 GHz, or 85 GHz for the fastest
    links.
    """
    from pcbrules import api
    from pcbrules.studies import channels_text

    if link is None and (picture or model):
        raise click.UsageError("--plot and --touchstone need a LINK")
    check_endings(picture, model, (".s4p", ".s2p"))
    loaded = api.load(board)
    ruleset = ruleset_for(profile, loaded)
    check_outputs((picture, model), loaded, board, profile)
    found = api.channels(loaded, ruleset, link=link, watch=watch())
    print_problems(loaded.warnings)
    if picture or model:
        from pcbrules.studies import channels_files
        from pcbrules.studies.names import reason

        if not found.channels:
            raise Failure(f"nothing to write: {reason((found.missing or found.exempt)[0][1])}")
        one = found.channels[0]
        write_outputs(
            picture, model, lambda: channels_files.svg(one),
            lambda ending: channels_files.touchstone_text(one, found.board, found.hot, legs=ending == ".s4p"))
    text = (
        channels_text.json_text(found, ruleset.name) if style == "json"
        else channels_text.console(found, ruleset.name, ledger=link is not None)
    )
    answer(text, style, found.exit_code, loaded)
