# SPDX-License-Identifier: MIT
"""How much more the copper of a channel may lose than computed, because the file does not say all of it.

The top of a trace may be narrower than its foot, and a foil the roughest of its class where no roughness is measured.
"""

from __future__ import annotations

from dataclasses import replace

from pcbrules.analysis.channel.elements import Part
from pcbrules.analysis.channel.task import ChannelSolution, LineSpec
from pcbrules.analysis.lines.solve import solve_lossy
from pcbrules.analysis.lines.task import LineTask
from pcbrules.document import show_path
from pcbrules.missing import Missing
from pcbrules.solver_cache import solved_once


def keys(kept: list[Part]) -> list[str]:
    """The key that would say how wide the top of the first trace is that lacks it, and one of a roughness."""
    tops = [show_path((*part.step.path, "top_width")) for part in kept
            if isinstance(part.element, LineSpec) and part.element.taper]
    rough = [part.rz_key for part in kept if part.rz_key]
    return tops[:1] + rough[:1]


def most(kept: list[Part], hot: ChannelSolution, nyquist: float) -> float:
    """Most that the loss at Nyquist [Hz] may be above its value by both. [dB]"""
    return narrower(kept, hot) + rougher(kept, nyquist)


def narrower(kept: list[Part], hot: ChannelSolution) -> float:
    """Most that the loss may be above its value [dB] where the top of a trace is not declared."""
    more = 0.0
    for row in (row for row in hot.ledger if row.part in ("conductor", "roughness")):
        line = kept[row.element].element
        if isinstance(line, LineSpec):
            more += row.loss * line.taper / 2 / line.task.width_foot
    return more


def rougher(kept: list[Part], nyquist: float) -> float:
    """Most that the loss at Nyquist [Hz] may be above its value [dB] with the roughest foils of their classes."""
    lines = (part.element for part in kept if isinstance(part.element, LineSpec))
    return sum(line.length * _growth(line.task, line.rz_most, nyquist) for line in lines if line.rz_most is not None)


@solved_once
def _growth(task: LineTask, rz: tuple[float, float, float, float], nyquist: float) -> float:
    """Growth of the loss at Nyquist [Hz] where the faces have another roughness. [dB/m]"""
    usual = solve_lossy(task)
    if isinstance(usual, Missing):
        return 0.0
    now, then = (float(one.loss_db_per_m(nyquist).total) for one in (usual, replace(usual, task=replace(task, rz=rz))))
    return max(then - now, 0.0)
