# SPDX-License-Identifier: MIT
"""What the planes under a stretch of a pair give its entry in the board file."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.errors import clip
from pcbrules.extraction.drawn_path import DrawnStretch
from pcbrules.extraction.measures import LayoutMeasures
from pcbrules.extraction.plane_slits import PlaneSlit, slits
from pcbrules.extraction.reference import ReferenceLayer
from pcbrules.layout.layout import Layout


def planes_of(step: DrawnStretch, layout: Layout, found: LayoutMeasures) -> list[ReferenceLayer]:
    """The layers above and below a stretch that hold zones; ``found`` are the measures of the layout."""
    return [one for one in found.references[layout.pairs.index(step.pair)] if one.layer == step.layer]


def slits_of(step: DrawnStretch, layout: Layout, found: LayoutMeasures) -> tuple[PlaneSlit, ...] | None:
    """The slits under a stretch; None where its planes are unknown."""
    own = planes_of(step, layout, found)
    if not any(one.is_plane for one in own) or any(one.unknown for one in own) or found.conflicts:
        return None
    return slits(own, None if step.gap.gap is None else step.gap.gap + step.gap.width)


def slit_notes(found: tuple[PlaneSlit, ...]) -> Iterator[str]:
    """Where each slit is, for a comment. [mm]"""
    for one in found:
        nets = " and ".join(clip(gap.net) for gap in one.gaps)
        yield f"{nets} at ({one.at[0] * 1e3:.4f}, {one.at[1] * 1e3:.4f}) mm"
