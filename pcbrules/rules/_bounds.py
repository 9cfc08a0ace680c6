# SPDX-License-Identifier: MIT
"""Words that limits can be made of."""

from __future__ import annotations

FOIL_CLASSES = ("ed", "rtf", "lp", "vlp", "vlp2", "hvlp", "hvlp2", "hvlp3")
"""Foil classes, roughest first; the position is the rank that a foil of the library carries."""
