# SPDX-License-Identifier: MIT
"""Words that limits can be made of."""

from __future__ import annotations

from pcbrules.model.foil_ladder import FOIL_CLASSES

__all__ = ["FOIL_CLASSES"]
