# SPDX-License-Identifier: MIT
"""`pcbrules init`."""

from __future__ import annotations

import os
import shlex
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from pcbrules.cli._common import say, write_files
from pcbrules.errors import clip

EPILOG = """\b
Examples:
  pcbrules init --profile training
  pcbrules init --example hgx-h100-baseboard
  pcbrules init --profile edge carrier.yaml
  pcbrules init --from design.kicad_pcb
  pcbrules init --space board.yaml --profile training
"""


@click.command(epilog=EPILOG)
@click.argument("file", required=False)
@click.option("-p", "--profile", metavar="NAME", help="Start from a commented board for this profile.")
@click.option("--example", metavar="NAME", help="Copy an example board.")
@click.option("--from", "layout", metavar="LAYOUT", help="Write the overlay of a layout: what it does not know.")
@click.option("--space", metavar="BOARD", help="Write a design space of a board, for `search`: needs --profile.")
@click.option("-o", "--output", metavar="FILE", help="File to write; the same as FILE.")
def command(file: str | None, profile: str | None, example: str | None, layout: str | None, space: str | None,
            output: str | None) -> None:
    """Write a board file to start from, the overlay of a layout, or a design space. No file is overwritten.

    In an overlay all that a layout does not know stands as a choice to make (#?): links by their nets with a proposed
    standard and the reason, materials, foils, rails, cooling. Nothing is judged by a proposal.
    """
    if file and output:
        raise click.UsageError(f"two files to write, {clip(file, 60)} and {clip(output, 60)}: name one.")
    file = file or output
    if layout is not None:
        _overlay(layout, file, alone=profile is None and example is None)
        return
    if space is not None:
        _space(space, profile, file, alone=example is None)
        return
    if (profile is None) == (example is None):
        raise click.UsageError(
            f"give --profile ({', '.join(_names(_templates()))}) or --example ({', '.join(_names(_examples()))})."
        )
    folder, name, what = _examples(), example, "--example"
    if profile is not None:
        folder, name, what = _templates(), profile, "--profile"
    known = _names(folder)
    if name not in known:
        from pcbrules.spelling import same_name

        near = same_name(str(name), known)
        hint = f" Did you mean '{near}'?" if near else ""
        raise click.UsageError(f"{what} '{clip(str(name), 60)}' is none of {', '.join(known)}.{hint}")
    target = Path(file or ("board.yaml" if profile else f"{name}.yaml"))
    if os.path.lexists(target):
        raise click.UsageError(f"{target} exists; name another file.")
    if not target.parent.is_dir():
        raise click.UsageError(f"the folder {target.parent} does not exist.")
    text = folder.joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    write_files([(target, text)])
    open_lines = sum(line.lstrip().startswith("#? ") for line in text.splitlines())
    left = f" with {open_lines} lines to fill in (#?), each of which lets more be evaluated" if open_lines else ""
    say(f"wrote {target}{left}; next: "
        f"pcbrules check {shlex.quote(str(target))} --profile {profile or _profile_of(text)}")


def _overlay(layout: str, file: str | None, *, alone: bool) -> None:
    """Write the overlay of a layout, into its folder unless another file there is named."""
    from pcbrules.api._layouts import overlay_place
    from pcbrules.cli._common import print_problems
    from pcbrules.readers.layout_file import read_layout
    from pcbrules.studies.overlay_text import overlay_text

    if not alone:
        raise click.UsageError("--from stands alone: an overlay needs no --profile and no --example.")
    target = Path(file) if file else overlay_place(layout)
    if os.path.lexists(target):
        raise click.UsageError(f"{target} exists; name another file.")
    if target.absolute().parent.resolve() != Path(layout).absolute().parent.resolve():
        raise click.UsageError(f"an overlay lies beside its layout: name a file in the folder of {layout}.")
    read = read_layout(layout)
    print_problems(read.told)
    text = overlay_text(read)
    write_files([(target, text)])
    choices = sum(line.lstrip().startswith("#? ") for line in text.splitlines())
    say(f"wrote {target} with {choices} choices to make; next: "
        f"pcbrules check {shlex.quote(str(target))} --profile NAME")


def _space(board: str, profile: str | None, file: str | None, *, alone: bool) -> None:
    """Write a design space of a board."""
    from pcbrules import api, rulesets
    from pcbrules.api._profiles import in_class
    from pcbrules.api._space_laminates import laminate_fits
    from pcbrules.studies.moves.costs import costs_of
    from pcbrules.studies.moves.move import MoveScene
    from pcbrules.studies.searching.space_text import space_text

    if profile is None or not alone:
        raise click.UsageError("--space takes --profile, and no --example.")
    target = Path(file or "space.yaml")
    if os.path.lexists(target):
        raise click.UsageError(f"{target} exists; name another file.")
    ruleset = rulesets.load(profile)
    loaded = api.load(Path(board))
    folder = target.absolute().parent.resolve()
    scene = MoveScene(loaded.document, in_class(loaded.board, ruleset), (), costs_of(None))
    names = [Path(os.path.relpath(Path(one).absolute().resolve(), folder)).as_posix() if named else one
             for one, named in ((board, True), (profile, profile.lower().endswith((".yaml", ".yml"))))]
    write_files([(target, space_text(scene, names[0], names[1], laminate_fits(loaded.document, ruleset)))])
    say(f"wrote {target}; next: pcbrules search {shlex.quote(str(target))}")


def _templates() -> Traversable:
    return files("pcbrules") / "templates"


def _examples() -> Traversable:
    shipped = files("pcbrules") / "_boards"
    return shipped if shipped.is_dir() else Path(__file__).resolve().parents[2] / "boards"


def _names(folder: Traversable) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml"))


def _profile_of(text: str) -> str:
    """The profile that an example names in its first lines (`# profile: training`)."""
    for line in text.splitlines()[:40]:
        if line.startswith("# profile:"):
            return line.partition(":")[2].strip()
    return "training"
