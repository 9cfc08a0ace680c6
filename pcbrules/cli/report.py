# SPDX-License-Identifier: MIT
"""`pcbrules report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pcbrules.cli import check

if TYPE_CHECKING:
    from pcbrules.lengths import Units

EPILOG = """\b
Examples:
  pcbrules report board.yaml --profile training
  pcbrules report boards/ -p edge -o review.html
  pcbrules report board.yaml -p training --waivers waivers.yaml
  pcbrules report board.yaml -p training -o review.pdf  (needs plutoprint)
  pcbrules report board.yaml -p training -o short.pdf --no-appendix
  pcbrules report board.yaml -p training --fix --reach
"""


@click.command(epilog=EPILOG)
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...")
@click.option("-p", "--profile", metavar="NAME|FILE", help="training, datacenter-inference, edge, or a ruleset file.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="[FORMAT:]FILE", default=("report.html",),
              show_default=True, help="Where to write it; the suffix chooses the format.")
@click.option("--waivers", "waiver_file", metavar="FILE", help="Waivers and acceptances.")
@click.option("--today", metavar="YYYY-MM-DD", help="Date at which waivers expire [default: today].")
@click.option("--units", type=click.Choice(["mm", "mil"]), default=None,
              help="Lengths in that unit [default: that of the board file, if it keeps to one of the two].")
@click.option("--over-spec", is_flag=True,
              help="Find what is dearer than the profile needs too: a check of each cheaper board.")
@click.option("--costs", metavar="FILE",
              help="Costs that replace those of the library, for --over-spec and --fix: NAME: INDEX.")
@click.option("--fix", is_flag=True, help="Add the cheapest changes after which nothing fails (`pcbrules fix`).")
@click.option("--reach", is_flag=True, help="Add how far each link reaches (`pcbrules reach`).")
@click.option("-j", "--jobs", type=click.IntRange(1, 61), default=1, show_default=True, metavar="N",
              help="Processes that solve at the same time. The report does not depend on it.")
@click.option("--no-appendix", is_flag=True,
              help="Short PDF: verdict, causes, signatures, findings and their pictures.")
@click.pass_context
def command(
    ctx: click.Context,
    boards: tuple[str, ...],
    profile: str | None,
    outputs: tuple[str, ...],
    waiver_file: str | None,
    today: str | None,
    units: Units | None,
    over_spec: bool,
    costs: str | None,
    fix: bool,
    reach: bool,
    jobs: int,
    no_appendix: bool,
) -> None:
    """Write a report to look at: margins, findings, pictures, sign-off.

    One HTML file that needs no network. The verdict is printed; the exit code is that of `check`.
    """
    if no_appendix:
        outputs = tuple(_brief(one) for one in outputs)
    ctx.invoke(check.command, boards=boards, profile=profile, outputs=outputs, waiver_file=waiver_file, today=today,
               units=units, over_spec=over_spec, costs=costs, fix=fix, reach=reach, jobs=jobs, quiet=True)


def _brief(output: str) -> str:
    """An output without appendix; only a PDF has one that can be left out."""
    head, colon, path = output.partition(":")
    name, path = (head, path) if colon and head in ("pdf", "brief.pdf") else ("pdf", output)
    if name == "pdf" and not path.lower().endswith(".pdf") and not colon:
        raise click.UsageError(f"--no-appendix is for a PDF: write '-o {path.rpartition('.')[0] or path}.pdf'.")
    return f"brief.pdf:{path}"
