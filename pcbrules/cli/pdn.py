# SPDX-License-Identifier: MIT
"""`pcbrules pdn`."""

from __future__ import annotations

import click

from pcbrules.cli._common import Failure, print_problems
from pcbrules.cli._profile import ruleset_for
from pcbrules.cli._studies import answer, check_endings, check_outputs, format_option, profile_option, write_outputs

EPILOG = """\b
Examples:
  pcbrules pdn boards/hgx-b200-baseboard.yaml
  pcbrules pdn boards/hgx-b200-baseboard.yaml nvsw_core
  pcbrules pdn boards/hgx-b200-baseboard.yaml nvsw_core --optimize
  pcbrules pdn board.yaml core --plot core.svg --touchstone core.s1p

\b
Exit codes:
  0  every rail was evaluated
  1  --optimize: no set of capacitors holds the limit
  2  the input or the command is wrong
  3  a rail was not evaluated, or there was none
"""


@click.command(epilog=EPILOG)
@click.argument("board", metavar="BOARD")
@click.argument("rail", metavar="[RAIL]", required=False)
@profile_option("limits, load step and temperature of the planes come from")
@format_option()
@click.option("--plot", "picture", metavar="FILE.svg|FILE.png",
              help="Also draw |Z| of RAIL against its limit, regulator and banks alone, the load step "
              "and its release, and the drop over its planes.")
@click.option("--touchstone", "model", metavar="FILE.s1p|FILE.s2p",
              help="Also write RAIL seen from the balls; or FILE.s2p from balls to the place of the regulator.")
@click.option("--optimize", is_flag=True,
              help="Also look for the fewest capacitors of RAIL that hold its limit in every variant.")
@click.option("--margin", metavar="DB",
              help="Margin that --optimize leaves to the limit, such as 1dB.  [default: 0 dB]")
@click.option("--part", "parts", multiple=True, metavar="ID",
              help="Library capacitor that --optimize may add beside the bank nearest to the balls. Repeatable.")
@click.option("--most", type=click.IntRange(1, 10_000), metavar="N",
              help="Most pieces of a bank that --optimize tries.  [default: four times as many, at least 40]")
def command(
    board: str, rail: str | None, profile: str | None, style: str, picture: str | None, model: str | None,
    optimize: bool, margin: str | None, parts: tuple[str, ...], most: int | None,
) -> None:
    """Show the power rails of a board: |Z| at the balls against the limit.

    For one RAIL also every element of its ladder as it works on the board, what each bank does for the largest |Z| of
    the band in which the board acts, and what rings at each peak. Above that band |Z| is the package's. A rail with a
    `layout` has its bare planes beside it, to their sixth mode or so: they need no capacitor and no regulator.
    """
    from pcbrules import api
    from pcbrules.studies import pdn_text
    from pcbrules.studies.names import quantity
    from pcbrules.studies.pdn_optimum import WantedRail

    if rail is None and (picture or model or optimize):
        raise click.UsageError("--plot, --touchstone and --optimize need a RAIL")
    if not optimize and (margin or parts or most):
        raise click.UsageError("--margin, --part and --most belong to --optimize")
    check_endings(picture, model, (".s1p", ".s2p"))
    loaded = api.load(board)
    ruleset = ruleset_for(profile, loaded)
    check_outputs((picture, model), loaded, board, profile)
    found = api.rails(loaded, ruleset, rail=rail)
    print_problems(loaded.warnings)
    best = None
    if optimize and rail is not None:
        left = quantity("--margin", margin, "loss") or 0.0
        if left < 0:
            raise click.UsageError("--margin is zero or more: a limit that is exceeded has none")
        best = api.decoupling(loaded, ruleset, rail, WantedRail(left, parts, most))
    if picture or model:
        from pcbrules.studies import pdn_files
        from pcbrules.studies.names import reason

        if not found.rails and (model or not found.bare):
            raise Failure(f"nothing to write: {reason(*found.missing[0][1])}")
        if found.rails:
            one = found.rails[0]
            write_outputs(
                picture, model, lambda: pdn_files.svg(one, api.rail_exhibits(loaded, ruleset, one.name), found.bare),
                lambda ending: pdn_files.touchstone_text(one, found.board, ports=1 if ending == ".s1p" else 2))
        else:
            write_outputs(picture, None, lambda: pdn_files.bare_svg(found.bare[0]), lambda ending: "")
    text = (
        pdn_text.json_text(found, ruleset.name, best) if style == "json"
        else pdn_text.console(found, ruleset.name, best, detail=rail is not None)
    )
    answer(text, style, best.exit_code if best and best.exit_code else found.exit_code, loaded)
