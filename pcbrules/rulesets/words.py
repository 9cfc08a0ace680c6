# SPDX-License-Identifier: MIT
"""Words that a ruleset may use: conditions of a profile, and what `when` can ask for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import get_args

from pcbrules import library
from pcbrules.model.rail import Rail

CONDITIONS = {
    "cold": ("temperature", -100.0, 300.0, "-100 degC to 300 degC"),
    "hot": ("temperature", -100.0, 300.0, "-100 degC to 300 degC"),
    "plane_temperature": ("temperature", -100.0, 300.0, "-100 degC to 300 degC"),
    "slew": ("slew", 0.0, 1e15, "more than zero"),
    "duty": ("ratio", 0.0, 1.0, "more than zero and at most 100 %"),
    "load_step": ("ratio", 0.0, 1.0, "more than zero and at most 100 %"),
}
"""Dimension of each condition, the range (above the first number, up to the second), and the range in words."""

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
    })


def fabrication_classes() -> tuple[str, ...]:
    """Names of the fabrication classes."""
    return library.ids("fabrication")
