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
"""


@click.command(epilog=EPILOG)
@click.argument("file", required=False)
@click.option("-p", "--profile", metavar="NAME", help="Start from a commented board for this profile.")
@click.option("--example", metavar="NAME", help="Copy an example board.")
def command(file: str | None, profile: str | None, example: str | None) -> None:
    """Write a board file to start from. An existing file is never overwritten."""
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
    say(f"wrote {target}; next: pcbrules check {shlex.quote(str(target))} --profile {profile or _profile_of(text)}")


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
