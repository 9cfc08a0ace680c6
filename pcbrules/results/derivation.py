# SPDX-License-Identifier: MIT
"""How a number came about: its formula, and the values between the inputs and the result."""

from __future__ import annotations

from dataclasses import dataclass

from pcbrules.brief import brief


@dataclass(frozen=True, slots=True)
class Step:
    """A value on the way to a result.

    Attributes
    ----------
    name : str
        What it is: ``effective permittivity``.
    value : float
        In SI units (losses in dB, ratios as fractions).
    unit : str
        Display unit, one of ``units``; empty for a number, or for one whose unit ``name`` tells.
    source : str
        Where it comes from: a model, a data sheet, a tolerance; empty where the name says it.
    """

    name: str
    value: float
    unit: str = ""
    source: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Derivation:
    """Formulas as plain text, their source and accuracy, and the steps in order."""

    formulas: tuple[str, ...]
    source: str
    steps: tuple[Step, ...]

    __repr__ = brief
