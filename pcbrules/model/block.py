# SPDX-License-Identifier: MIT
"""A multiport that stands in a path as a table of scattering parameters, read from a file."""

from __future__ import annotations

from dataclasses import dataclass, field

from pcbrules.brief import brief


@dataclass(frozen=True, slots=True)
class Block:
    """Scattering parameters as plain bytes, so that tasks made of them can be compared and kept.

    ``frequency`` holds n doubles [Hz], ``s`` n times p times p pairs of doubles (real, imaginary), row by row, in the
    machine's order; ``z_ref`` the reference impedance of every port [ohm]. ``file`` is its name in messages.
    """

    frequency: bytes
    s: bytes
    z_ref: tuple[float, ...]
    file: str = field(compare=False)
    sha256: str = field(compare=False)

    __repr__ = brief
