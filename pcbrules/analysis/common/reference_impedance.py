# SPDX-License-Identifier: MIT
"""The impedance that a link is held against."""

from __future__ import annotations

from pcbrules.missing import Missing
from pcbrules.model.board import BoardLink

PAIR_IMPEDANCE, SINGLE_IMPEDANCE = 100.0, 50.0
"""Reference impedance of a pair and of a single-ended link without one [ohm]; the loss hardly depends on it."""


def no_reference(link: BoardLink) -> Missing | None:
    """Why nothing can be compared with the impedance of a link; None where its standard or the board file has one."""
    if link.spec.impedance is not None or link.standard.impedance is not None:
        return None
    reason = f"{link.standard.name} has no public impedance to compare with"
    return Missing(reason, f"{link.subject}.impedance", link.path)


def reference_impedance(link: BoardLink) -> float:
    """Reference impedance of a link, differential for a pair. [ohm]"""
    if link.spec.impedance is not None:
        return float(link.spec.impedance.value)
    if link.standard.impedance is not None:
        return float(link.standard.impedance.value.value)
    return SINGLE_IMPEDANCE if link.standard.signalling == "single-ended" else PAIR_IMPEDANCE
