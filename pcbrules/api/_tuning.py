# SPDX-License-Identifier: MIT
"""A trace of an edited board at the width, or the gap, for the impedance of its link."""

from __future__ import annotations

from pcbrules.api._profiles import temperatures
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.model.board import Board
from pcbrules.model.link import Trace
from pcbrules.results.profile import Ruleset
from pcbrules.studies.moves.move import Tuned
from pcbrules.studies.variants.routes import with_trace
from pcbrules.units import show, unit_of


def with_tuned(document: Document, board: Board, wanted: Tuned, ruleset: Ruleset, before: Board) -> Document:
    """Return the board file with a trace of the impedance of its link; one that has no target stays as it is.

    Parameters
    ----------
    document : Document
        With all other edits.
    board : Board
        What it resolves to, in the class of the profile.
    wanted : Tuned
    ruleset : Ruleset
        Where the temperatures come from.
    before : Board
        The board before the edits: a trace that gets wider is so many times as wide as there.

    Raises
    ------
    InputError
        A trace that gets wider has no gap with the impedance.
    """
    from pcbrules.studies.design import WantedTrace, trace_lengths

    link = next((one for one in board.links or () if one.name == wanted.link), None)
    traces = link.traces() if link else ()
    if link is None or wanted.trace >= len(traces):
        return document
    step, trace = traces[wanted.trace]
    public = link.standard.impedance
    target = link.spec.impedance.value if link.spec.impedance else public.value.value if public else None
    if target is None or (trace.gap is None and link.standard.signalling == "differential"):
        return document
    cold, _ = temperatures(ruleset)
    width = _width(before, wanted) * wanted.wider if wanted.wider else None
    asked = WantedTrace(layer=trace.layer, impedance=target, pair=trace.gap is not None, width=width,
                        gap=trace.gap.value if trace.gap is not None and width is None else None,
                        coplanar=trace.coplanar.gap.value if trace.coplanar else None)
    made = trace_lengths(board, asked, cold=cold)
    if made is None and not wanted.wider:
        return document  # as drawn: the check says what that is worth
    if made is None:
        raise InputError([document.problem(step.path, "no trace on this layer has the impedance")])
    unit = unit_of(document.get((*step.path, "width")))
    values = {"width": show(made[0] * wanted.share + (1 - wanted.share) * trace.width.value, unit, 3)}
    if width is not None and made[1] is not None:
        values["gap"] = show(made[1], unit, 3)
    return with_trace(document, step, **values)


def _width(board: Board, wanted: Tuned) -> float:
    """Width of a trace as the board file has it. [m]"""
    link = next(one for one in board.links or () if one.name == wanted.link)
    trace = link.traces()[wanted.trace][1]
    assert isinstance(trace, Trace)
    return float(trace.width.value)
