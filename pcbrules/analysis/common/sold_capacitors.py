# SPDX-License-Identifier: MIT
"""Coupling capacitors without an inductance: next to none, up to that which alone would make their loss.

At that end all of the loss is reflection, at the other none: either way the part loses what is declared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pcbrules.analysis.common.reference_impedance import reference_impedance
from pcbrules.analysis.common.sold_range import Lacking
from pcbrules.document import show_path
from pcbrules.model.board import Board, BoardLink, Path
from pcbrules.model.link import AcCapacitor
from pcbrules.physics.channel.series_inductance import most_series_inductance
from pcbrules.units import Quantity, show

NEXT_TO_NONE = 1e-3
"""Least inductance over the largest [-]: not zero, so that either end has a reflection to compare."""


LARGEST = {"01005": 0.35e-9, "0201": 0.35e-9}
LARGEST_OF_ALL = 0.5e-9
"""Largest inductance of a coupling capacitor [H] by its body, and that of an 0402: recalled, as the library has it."""


def lacking_inductances(board: Board) -> Iterator[Lacking]:
    """Capacitors of links of which a loss is known, or assumed, but no inductance."""
    for link in board.links or ():
        for step in link.steps:
            if isinstance(step.body, AcCapacitor) and step.body.inductance is None:
                found = None if step.body.table is not None else _loss(board, step.body, link.standard.nyquist)
                if found is not None:
                    loss, at = found
                    # a single leg has all of it, a pair half of it in each
                    z_pair = reference_impedance(link) * (2 if link.standard.signalling == "single-ended" else 1)
                    whole = float(most_series_inductance(loss=loss, frequency=at, z_ref=z_pair))
                    most = whole if step.body.loss else min(whole, LARGEST.get(step.body.body or "", LARGEST_OF_ALL))
                    rest = 0.0 if most == whole else loss - 10 * math.log10(1 + (2 * math.pi * at * most / z_pair) ** 2)
                    why = "which makes all of its loss" if most == whole else "the most that is sold"
                    text = f"inductance of {step.name} not declared: up to {show(most, 'nH')}, {why}"
                    ends = (
                        {"inductance": _henry(most), "loss": Quantity(rest, text=show(rest, "dB")),
                         "at": Quantity(at, text=show(at, "GHz"))},
                        {"inductance": _henry(NEXT_TO_NONE * most)},
                    )
                    yield Lacking(f"{show_path(step.path)}.inductance", text,
                                  partial(with_keys, path=step.path, ends=ends), subjects=(link.subject,))


def _henry(inductance: float) -> Quantity:
    return Quantity(inductance, text=show(inductance, "nH"))


def _loss(board: Board, body: AcCapacitor, nyquist: float) -> tuple[float, float] | None:
    """The largest loss [dB] of the body and its frequency [Hz]; None where the frequency is open.

    One that is not declared may be all reflection up to Nyquist, so it counts there.
    """
    if body.loss is None:
        default = board.catalogue.defaults["ac-capacitor-loss"]
        at = min(default.at, nyquist) if default.at else 0.0
        return (default.max * math.sqrt(at / default.at), at) if default.at else None
    return (body.loss.value + (body.loss.plus or 0.0), body.at.value) if body.at else None


def with_keys(board: Board, end: int, *, path: Path, ends: tuple[dict[str, Quantity], ...]) -> Board:
    """The board with other keys at one element of a path: those of one end."""
    return replace(board, links=tuple(_changed(link, path, ends[end]) for link in board.links or ()))


def _changed(link: BoardLink, path: Path, given: dict[str, Quantity]) -> BoardLink:
    if link.step_at(path) is None:
        return link
    return replace(link, steps=tuple(
        replace(step, body=step.body.model_copy(update=given)) if step.path == path else step for step in link.steps
    ))
