# SPDX-License-Identifier: MIT
"""Words that a ruleset may use: conditions of a profile, and what `when` can ask for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import get_args

from pcbrules import library
from pcbrules.model.rail import Rail
from pcbrules.model.ranges import Band
from pcbrules.model.ranges import kinds as of

CONDITIONS: Mapping[str, Band] = {
    "cold": of.AMBIENT,
    "hot": of.AMBIENT,
    "plane_temperature": of.AMBIENT,
    "slew": of.SLEW,
    "duty": Band("0.1 %", "2 %", "100 %", "100 %", "%"),
    "load_step": Band("0.1 %", "1 %", "100 %", "100 %", "%"),
}
"""Conditions that are a quantity, with their range."""

CHOICES = {"load_step_from": ("share", "idle")}
"""Conditions that are a word; the first one holds where a profile says none."""

OPEN_TAGS = frozenset({"standard", "family"})
"""Tags whose words a board file may add to (`materials.standards`)."""


@cache
def known_words() -> Mapping[str, tuple[str, ...]]:
    """Tags that facts carry, with the words that each can have."""
    standards = library.ids("links")
    return MappingProxyType({
        "standard": standards,
        "family": tuple(sorted({library.entry("links", name).family for name in standards})),
        "platform": library.ids("platforms"),
        "form_factor": library.ids("form_factors"),
        "rail_role": get_args(Rail.model_fields["role"].annotation),
        "load": get_args(Rail.model_fields["load"].annotation),
        "speed": ("fast", "slow"),
        "load_step": ("below-profile",),
    })


def fabrication_classes() -> tuple[str, ...]:
    """Names of the fabrication classes."""
    return library.ids("fabrication")
