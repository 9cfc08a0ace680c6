# SPDX-License-Identifier: MIT
"""A better fabrication class, and an impedance class with coupons."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.studies.moves.move import Helped, MoveScene, Remedy

CLASSES = ("standard", "advanced", "premium")
"""From the plainest to the best."""

MADE = ("STK008", "STK009", "STK010", "STK011", "SIG001", "SIG003", "VIA002")


def moves(scene: MoveScene) -> Iterator[Remedy]:
    """Yield better classes, and an ordered impedance class."""
    now = scene.board.fabrication.id
    later = CLASSES[CLASSES.index(now) + 1:] if now in CLASSES else ()
    for steps, name in enumerate(later, 1):
        yield Remedy("fabrication-class", f"fabrication class {name}", scene.costs.of("fabrication-class", steps),
                   "fabrication class", (Helped(MADE),), ((("fabrication", "class"), name),))
    declared = scene.board.declared_fabrication
    if declared is None or declared.impedance_control is None:
        yield Remedy("impedance-control", "impedance class of 5 % with coupons", scene.costs.of("impedance-control"),
                   "impedance control", (Helped(("SIG001",)),),
                   ((("fabrication", "impedance_control"), {"tolerance": "5 %", "coupon": True}),))
