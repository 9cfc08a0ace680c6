# SPDX-License-Identifier: MIT
"""`pcbrules library`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from pcbrules.cli._common import Failure, say
from pcbrules.ties import greatest_of

EPILOG = """\b
Examples:
  pcbrules library laminates
  pcbrules library laminates megtron7n
  pcbrules library links pcie5
"""


@click.command(epilog=EPILOG)
@click.argument("kind", required=False)
@click.argument("name", required=False)
def command(kind: str | None, name: str | None) -> None:
    """List the library's kinds, the entries of KIND, or show the entry NAME with its sources."""
    from pcbrules.library import load

    if kind is None:
        for known in load.kinds():
            say(f"{known:14} {len(load.ids(known)):3} entries")
        return
    try:
        if name is None:
            for identifier in load.ids(kind):
                say(f"{identifier:28} {_summary(load.entry(kind, identifier))}".rstrip())
            return
        text = load.source_text(kind, name)
    except load.UnknownEntry as error:
        kinds = f": choose from {', '.join(load.kinds())}" if kind not in load.kinds() else ""
        raise Failure(f"{error}{kinds}") from None
    say(text.rstrip("\n"))


def _summary(entry: Any) -> str:
    return "  ".join([entry.name, *_figures(entry)])


def _figures(entry: Any) -> Iterator[str]:
    """A few figures by which entries of one kind are told apart."""
    from pcbrules.units import show

    if getattr(entry, "sets", None):
        last = greatest_of((point for data in entry.sets for point in data.points), key=lambda point: point.f)
        yield f"Dk {last.dk:g}  Df {last.df:g} at {show(last.f, 'GHz')}"
    elif hasattr(entry, "sets"):
        yield "no data"
    if hasattr(entry, "rz"):
        yield f"Rz {show(entry.rz.typical, 'um')} ({show(entry.rz.min, 'um')} to {show(entry.rz.max, 'um')})"
    if hasattr(entry, "modulation"):
        yield f"{show(entry.symbol_rate, 'GBd', 6)} {entry.modulation}  Nyquist {show(entry.nyquist, 'GHz', 6)}"
    power = getattr(entry, "power", None)
    if power is not None:
        yield show(power.value, "W", 4)
    if hasattr(entry, "params"):
        yield f"{entry.params / 1e9:.4g} B parameters"
    if hasattr(entry, "capacitance"):
        yield f"{entry.tier}  {show(entry.capacitance.typical, 'uF')}"
