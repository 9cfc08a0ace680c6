# SPDX-License-Identifier: MIT
"""Fixes of a layout: what was drawn is drawn anew, what the overlay holds stays a key."""

from __future__ import annotations

from dataclasses import replace
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
BESIDE = Location("x.kicad_pcb", item="tracks of A, B beside C, D", layer="F.Cu", at=(5e-3, 2e-3))
VIAS = Location("x.kicad_pcb", item="vias of A and B", at=(3e-3, 4e-3))
PITCH = Proposal((*VIA, "pitch"), "1 mm")
APART = Proposal((*TRACE, "trace", "neighbours", 0, "spacing"), "0.31 mm")
ANTIPAD = Proposal((*VIA, "antipad", "width"), "0.9 mm")
DRILL = Proposal((*VIA, "backdrill", "residual"), "5 mil")
NEW = (Proposal((*VIA, "escape"), "1 mm"),)


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    """The base board as if a layout had given all of it, but for the backdrill, which its overlay has."""
    document = read_yaml(str(BASE), BASE.name).edited((*TRACE, "trace", "neighbours"), [
        {"spacing": "0.2 mm", "coupled_length": "1 in", "direction": "opposite"}])
    measured = document.unplaced("0").grafted((*VIA, "backdrill"), document, (*VIA, "backdrill"))
    made = resolve(document)
    return Loaded(measured, made.board, drawn={TRACE: TRACKS, VIA: VIAS, (*TRACE, "trace", "neighbours", 0): BESIDE})


@pytest.mark.parametrize(("edits", "where", "text"), [
    ((Proposal((*TRACE, "trace", "width"), "346 um"),), TRACKS,
     "in the layout, on F.Cu: draw these traces 346 um wide at this gap (re-solved: 85 ohm)"),
    ((APART,), BESIDE, "in the layout, on F.Cu: draw these traces 0.31 mm from the neighbour, edge to edge, "
     "(re-solved: 85 ohm)"),
    ((APART,), TRACKS, "in the layout, tracks of A, B beside C, D on F.Cu at (5 mm, 2 mm): draw these traces 0.31 mm "
     "from the neighbour, edge to edge, (re-solved: 85 ohm)"),
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


def test_an_element_of_a_fix_without_a_number_says_which_tracks_it_is(loaded: Loaded) -> None:
    """The name of a stretch is ours: the drawing knows its nets and its place."""
    text = "make trace1 wider, or its gap narrower (80 ohm, below the reference of 85 ohm)"
    name = loaded.links["nvl"].spec.steps[2].name
    finding = Finding("CHN007", "t", "links.nvl.line", Status.FAIL, Severity.ERROR, "m", VIAS,
                      fix=text.replace("trace1", name))
    assert as_drawn(finding, loaded).fix == (
        f"in the layout: make {name} (tracks of A, B on F.Cu at (1 mm, 2 mm)) wider, or its gap narrower "
        "(80 ohm, below the reference of 85 ohm)")
    here = replace(finding, where=TRACKS)
    assert as_drawn(here, loaded).fix.startswith(f"in the layout: make {name} (this place) wider")
    for other in (replace(finding, status=Status.NOT_EVALUATED), replace(finding, fix=f"give `{name}.gap`"),
                  replace(finding, subject="links.other.line"), replace(finding, fix=f"make {name}x wider")):
        assert as_drawn(other, loaded) == other
