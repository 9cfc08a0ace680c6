# SPDX-License-Identifier: MIT
"""Edits that findings propose themselves, solved for their limit."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.phrases import parts_of
from pcbrules.results.edits import Edits, said
from pcbrules.results.finding import Finding
from pcbrules.studies.moves.move import STEPS, STUBS, Helped, MoveScene, Remedy, subjects

FAMILIES = {"width": "new-width", "gap": "new-width", "top_width": "new-width", "antipad": "antipad",
            "pitch": "via-pitch", "return_vias": "ground-vias", "residual": "backdrill-depth", "foil": "foil.hvlp2",
            "base_weight": "copper-weight"}
"""By key of an edit: what its cost is counted as; others are ``other``."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield the edits of every finding that has some."""
    for finding in scene.findings:
        ways = [*(finding.cure.ways if finding.cure else ()), *([(finding.proposal,)] if finding.proposal else [])]
        if finding.plan is not None:
            ways.append(finding.plan.edits)
        for edits in ways:
            if edits:
                yield _move(scene, finding, edits)


def _move(scene: MoveScene, finding: Finding, edits: Edits) -> Remedy:
    families = dict.fromkeys(_family(one.path) for one in edits)
    types = {str(one.path[1]) for one in edits if one.path[0] == "via_types"}
    links = [link for name in types for link in scene.links_through(name)]
    helps = [Helped((finding.rule,), (finding.subject,))]
    if links:
        helps.append(Helped((*STEPS, *STUBS, "VIA001", "VIA002"), subjects(links)))
    steps = parts_of(finding.subject)
    if steps[0] == "links" and len(steps) > 1:
        helps.append(Helped((finding.rule, *STEPS), (".".join(steps[:2]),)))
    cost = sum(scene.costs.of(one) for one in families)
    return Remedy("solved", f"{said(edits)} (as {finding.rule} proposes)", cost,
                f"solved {said(edits)}", tuple(helps), tuple((one.path, one.value) for one in edits))


def _family(path: tuple[str | int, ...]) -> str:
    """What an edit counts as: a new backdrill by the first key of its record."""
    if "backdrill" in path and path[-1] != "residual":
        return "backdrill"
    return next((FAMILIES[str(step)] for step in reversed(path) if str(step) in FAMILIES), "other")
