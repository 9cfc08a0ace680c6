# SPDX-License-Identifier: MIT
"""More pieces in a bank of capacitors."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pcbrules.model.rail import CapacitorBank
from pcbrules.phrases import under
from pcbrules.studies.moves.move import POWER, Helped, MoveScene, Remedy

TIMES = (1.25, 1.5, 2, 3, 4, 6)
"""Pieces over those of today [-]."""

BULK, MID = 100e-6, 5e-6
"""Capacitance of one piece from which it counts as bulk, and as mid [F]."""


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield more pieces of every bank."""
    for rail, spec in (scene.board.rails or {}).items():
        for at, step in enumerate(spec.ladder or ()):
            bank = step.bank
            if bank is None:
                continue
            name = bank.name or f"bank {at + 1}"
            counts = dict.fromkeys(math.ceil(times * bank.count) for times in TIMES)
            for count in counts:
                family = bank_kind(scene, bank)
                yield Remedy(family, f"{rail}: {pieces(count)} in {name}, {count - bank.count} more",
                           scene.costs.of(family, count - bank.count), f"pieces {rail} {at}",
                           (Helped((*POWER, "PDN003"), (f"rails{under(rail)}",)),),
                           ((("rails", rail, "ladder", at, "bank", "count"), count),))


def bank_kind(scene: MoveScene, bank: CapacitorBank) -> str:
    """Return what a piece of a bank is counted as."""
    size = bank.capacitance.value if bank.capacitance is not None else None
    if size is None and bank.part is not None:
        part = scene.board.catalogue.capacitors.get(bank.part)
        size = part.capacitance.typical if part is not None else None
    if size is None or size >= BULK:
        return "bulk-capacitor"
    return "mid-capacitor" if size >= MID else "small-capacitor"


def pieces(count: int) -> str:
    """Return a number of pieces in words."""
    return f"{count} piece{'' if count == 1 else 's'}"
