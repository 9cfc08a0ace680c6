# SPDX-License-Identifier: MIT
"""Fixes of a layout: what was drawn is drawn anew, what the overlay holds stays a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from pcbrules.api._loaded import Loaded, resolve
from pcbrules.api.drawn_fixes import as_drawn
from pcbrules.document import read_yaml
from pcbrules.results.edits import Edits, Fix, Proposal, asked
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.place import Location

BASE = Path(__file__).parent / "rules" / "base" / "signal.yaml"
TRACE = ("links", "nvl", "path", 2)
VIA = ("via_types", "pth")
TRACKS = Location("x.kicad_pcb", item="tracks of A, B", layer="F.Cu", at=(1e-3, 2e-3))
VIAS = Location("x.kicad_pcb", item="vias of A and B", at=(3e-3, 4e-3))
PITCH = Proposal((*VIA, "pitch"), "1 mm")
ANTIPAD = Proposal((*VIA, "antipad", "width"), "0.9 mm")
DRILL = Proposal((*VIA, "backdrill", "residual"), "5 mil")
NEW = (Proposal((*VIA, "escape"), "1 mm"),)


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    """The base board as if a layout had given all of it, but for the backdrill, which its overlay has."""
    document = read_yaml(str(BASE), BASE.name)
    measured = document.unplaced("0").grafted((*VIA, "backdrill"), document, (*VIA, "backdrill"))
    made = resolve(document)
    return Loaded(measured, made.board, drawn={TRACE: TRACKS, VIA: VIAS})


@pytest.mark.parametrize(("edits", "where", "text"), [
    ((Proposal((*TRACE, "trace", "width"), "346 um"),), TRACKS,
     "in the layout, on F.Cu: draw these traces 346 um wide at this gap (re-solved: 85 ohm)"),
    ((ANTIPAD, PITCH), TRACKS, "in the layout, vias of A and B at (3 mm, 4 mm): make the antipads 0.9 mm wide and "
     "place the vias of the pair 1 mm apart (re-solved: 85 ohm)"),
    ((PITCH, DRILL), VIAS, "in the layout: place the vias of the pair 1 mm apart; and in the overlay set "
     "`via_types.pth.backdrill.residual: 5 mil` (re-solved: 85 ohm)"),
    ((DRILL,), VIAS, "set `via_types.pth.backdrill.residual: 5 mil` (re-solved: 85 ohm)"),
    (NEW, VIAS, "set `via_types.pth.escape: 1 mm` (re-solved: 85 ohm)"),
])
def test_what_was_drawn_is_drawn_anew(loaded: Loaded, edits: Edits, where: Location, text: str) -> None:
    fix = f"{asked(edits)} (re-solved: 85 ohm)"
    finding = Finding("SIG001", "t", "links.nvl", Status.FAIL, Severity.ERROR, "m", where, fix=fix,
                      cure=Fix(fix, (edits,)))
    assert as_drawn(finding, loaded).fix == text


def test_a_proposal_that_was_checked_again_is_drawn_too(loaded: Loaded) -> None:
    finding = Finding("VIA001", "t", "links.nvl", Status.FAIL, Severity.ERROR, "m", VIAS, proposal=PITCH,
                      fix="set `via_types.pth.pitch: 1 mm` (re-checked: passes); or a blind via")
    assert as_drawn(finding, loaded).fix == (
        "in the layout: place the vias of the pair 1 mm apart (re-checked: passes); or a blind via")
