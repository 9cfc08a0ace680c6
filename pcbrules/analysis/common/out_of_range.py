# SPDX-License-Identifier: MIT
"""Words for an input that leaves the range of a formula: the key of the board file, the value, the unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pcbrules.physics.common.card import Beyond
from pcbrules.units import Quantity, show, unit_of


class Word(NamedTuple):
    """Name of an argument of a formula in a report, its unit, and the value of the key over that of the argument."""

    text: str
    unit: str = ""
    factor: float = 1.0

    def of(self, value: float) -> str:
        """Return a value of the argument, in SI, as the report shows it: `276 mil`."""
        return show(value * self.factor, self.unit, 4)


Words = Mapping[str, Word]

BARREL: Words = {
    "gap": Word("the antipad gap, half of `antipad.width` less `drill`", "mm"),
    "port1_stub": Word("a stub of the via", "mil"),
    "port2_stub": Word("a stub of the via", "mil"),
    "dk": Word("the Dk around the barrel"),
    "barrel_radius": Word("`drill`", "mm", 2.0),
    "radius": Word("`drill`", "mm", 2.0),
    "width": Word("`antipad.width`", "mm"),
    "pitch": Word("`pitch`", "mm"),
    "other_pitch": Word("the `pitch` of the other pair", "mm"),
    "plane_pitch": Word("the distance of two planes", "mm"),
    "distance": Word("`return_vias.distance`", "mm"),
    "impedance": Word("the impedance of the barrels", "ohm"),
    "z_ref": Word("half of the `impedance` of the link", "ohm"),
    "frequency": Word("the frequency", "GHz"),
}
"""Words for a via, whose numbers stand in its type."""

FACES: Words = {
    "temperature": Word("the temperature of the copper", "degC"),
    "rz": Word("the roughness of a face, `rz_top`, `rz_bottom` or that of its `foil`", "um"),
    "resistivity": Word("the resistivity of the copper in ohm m"),
}
"""Words for the copper of a trace and its planes."""

PLANES: Words = {"separation": Word("the distance of the planes", "um")}


def in_file_words(left: str | None, words: Words) -> str | None:
    """Return in the words of the board file what leaves the range of a formula; any other reason as it is."""
    if not isinstance(left, Beyond):
        return left
    over, _, under = left.name.partition(" / ")
    side = "above" if left.above else "below"
    if under:
        names = [words[one].text if one in words else one for one in (over, under)]
        sizes = [words[one].factor if one in words else 1.0 for one in (over, under)]
        value, bound = (one * sizes[0] / sizes[1] for one in (left.value, left.bound))
        return f"{names[0]} is {value:.3g} times {names[1]}, {side} {bound:.3g}, the end of the model's range"
    word = words.get(left.name)
    if word is None:
        return left
    return f"{word.text}, {word.of(left.value)}, is {side} {word.of(left.bound)}, the end of the model's range"


def key_word(name: str, quantity: Quantity | None, unit: str) -> Word:
    """Return the word for an argument that is a key of the board file: in the unit in which the file writes it."""
    return Word(f"`{name}`", unit_of(quantity.text) if quantity is not None else unit)
