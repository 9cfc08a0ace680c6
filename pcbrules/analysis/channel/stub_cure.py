# SPDX-License-Identifier: MIT
"""The longest stubs with which a via meets the limits of its resonance and of its cost, solved again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pcbrules.analysis.channel.elements import Part
from pcbrules.analysis.channel.solve import solve_channel, stubs_together
from pcbrules.analysis.channel.task import ChannelTask
from pcbrules.analysis.vias.drill_order import drill_order
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.constants import MIL
from pcbrules.model.board import Board
from pcbrules.results.edits import Edits
from pcbrules.results.facts.signal import ShorterStub
from pcbrules.results.limit import Limit
from pcbrules.solver_cache import solved_once
from pcbrules.ties import least_of

STEP = 0.1 * MIL
"""Step in which the length of a stub is written [m]."""


@dataclass(frozen=True, slots=True)
class StubCure:
    """The search for one via of a ``part`` on a line of impedance ``z_ref`` [ohm] up to ``nyquist`` [Hz].

    Called with the limits of the resonance over Nyquist and those of the cost on a matched line [dB].
    """

    board: Board
    part: Part
    spec: ViaSpec
    z_ref: float
    nyquist: float

    def __call__(self, ratios: Sequence[Limit], costs: Sequence[Limit]) -> ShorterStub | None:
        """The longest stub on its steps that meets all limits; None where no shorter one does."""
        met, missed = 0, math.ceil(max(self.spec.port1_stub, self.spec.port2_stub) / STEP)
        best = None
        while missed - met > 1:
            middle = (met + missed) // 2
            seen = stub_of(self.spec, middle * STEP, self.z_ref, self.nyquist)
            if seen is not None and (all(one.met_by(seen.notch / self.nyquist) for one in ratios)
                                     and all(one.met_by(seen.cost) for one in costs)):
                met, best = middle, seen
            else:
                missed = middle
        return best and replace(best, edits=orders(self.board, [self.part], best.length))


@dataclass(frozen=True)
class LinkStubCure:
    """The search for all vias of a link in its channel: called with the limit of the cost of all stubs together."""

    board: Board
    kept: Sequence[Part]
    task: ChannelTask

    def __call__(self, ratios: Sequence[Limit], costs: Sequence[Limit]) -> ShorterStub | None:
        """The longest stubs on their steps that meet the limits of the cost; None where none does."""
        vias = [one for one in self.task.elements if isinstance(one, ViaSpec)]
        met, missed = 0, math.ceil(max((max(one.port1_stub, one.port2_stub) for one in vias), default=0.0) / STEP)
        best = None
        while missed - met > 1:
            middle = (met + missed) // 2
            elements = tuple(one.with_stubs_up_to(middle * STEP) if isinstance(one, ViaSpec) else one
                             for one in self.task.elements)
            cost = stubs_together(replace(self.task, elements=elements).heaviest)
            if cost is not None and all(one.met_by(cost) for one in costs):
                met, best = middle, ShorterStub(middle * STEP, math.inf, cost)
            else:
                missed = middle
        return best and replace(best, edits=orders(self.board, self.kept, best.length))


def orders(board: Board, parts: Sequence[Part], most: float) -> Edits:
    """The backdrills of all via types of some parts that leave stubs of a length at most [m]; none where one cannot."""
    longer = dict.fromkeys(part.via_type for part in parts if any(end.worst > most for end in part.ends))
    made = [drill_order(board, name, [end for part in parts if part.via_type == name for end in part.ends], most)
            for name in longer]
    return tuple(edit for edits in made for edit in edits) if all(made) else ()


@solved_once
def stub_of(spec: ViaSpec, most: float, z_ref: float, nyquist: float) -> ShorterStub | None:
    """A via with stubs of a length at most [m]; None where it has no model or no stub."""
    short = spec.with_stubs_up_to(most).heaviest
    solved = solve_channel(ChannelTask((short,), z_ref, nyquist))
    found = solved.vias[0] if solved.vias else None
    worst = least_of(found.stubs, key=lambda one: one.stub.loaded.value, default=None) if found is not None else None
    if found is None or worst is None or found.alone is None:
        return None
    return ShorterStub(most, worst.stub.loaded.value, found.alone.loss.value)
