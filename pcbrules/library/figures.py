# SPDX-License-Identifier: MIT
"""The figure by which entries of one kind are told apart, and which of two is the worse choice.

Where a name is not known, entries that may be meant are listed with this figure, the worst first: who takes the first
one without reading on errs on the safe side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from pcbrules.library.shelf import ids, names, read
from pcbrules.model.catalogue.dielectrics import LOSS_ORDER
from pcbrules.model.catalogue.select import LaminateReading, df_at
from pcbrules.spelling import LONGEST, fold, holds, is_variant, look_alikes, near_names
from pcbrules.ties import ordered
from pcbrules.units import show

AT: Final = 10e9
"""Frequency at which laminates are compared. [Hz]"""

FEWEST = 3
"""Characters of a name that must agree for an entry to be listed as one that may be meant."""

MOST = 6
"""Entries that a message lists."""

HIGH_TG: Final = 170.0
"""Glass transition from which on FR4 is sold as one of high Tg. [degC]"""


def figure(kind: str, name: str) -> str:
    """The figure that matters of an entry, with its unit, by its identifier; empty where a kind has none."""
    entry = read(kind, name)
    if kind == "laminates":
        return _loss(entry)
    if kind == "foils":
        return f"Rz {show(entry.rz.min, 'um')} to {show(entry.rz.max, 'um')}"
    if kind == "capacitors":
        return f"{_capacitance(entry.capacitance.typical)}, {entry.body}"
    if kind == "glass":
        return f"{entry.weave} weave"
    if kind == "links":
        return f"Nyquist {show(entry.nyquist, 'GHz', 4)}"
    if kind == "models":
        return f"{entry.params / 1e9:.3g} B parameters"
    if kind == "fabrication":
        return f"width +- {show(entry.width, 'mil')}, impedance +- {show(entry.impedance, '%')}"
    power = getattr(entry, "power", None)
    return show(power.value, "W", 4) if power is not None else ""


def badness(kind: str, name: str) -> float:
    """A number that is larger for the worse choice of a kind; 0 for all entries of a kind without a figure.

    A laminate of more loss (at the end of its range; one without data comes last), a rougher foil, less capacitance,
    an open weave, a faster link, a wider tolerance, a larger model, a device that
    draws more, a connector that carries less.
    """
    entry = read(kind, name)
    if kind == "laminates":
        found = df_at(entry, AT)
        if not isinstance(found, LaminateReading):
            return 0.0
        return found.data.df_range[1] if found.data.df_range else found.value
    if kind == "foils":
        return float(entry.rz.max)
    if kind == "capacitors":
        return -float(entry.capacitance.typical)
    if kind == "glass":
        return float(entry.weave == "open")
    if kind == "links":
        return float(entry.nyquist)
    if kind == "models":
        return float(entry.params)
    if kind == "fabrication":
        return float(entry.impedance)
    power = getattr(entry, "power", None)
    sign = -1.0 if kind == "connectors" else 1.0
    return sign * power.value if power is not None else 0.0


def variant(kind: str, name: str) -> str:
    """The one entry of which ``name`` is a misspelling; empty where another entry may be meant."""
    known = names(kind)
    near = near_names(name, known)
    meant = {known[text] for text in near}
    return meant.pop() if len(meant) == 1 and any(is_variant(name, text) for text in near) else ""


def candidates(kind: str, name: str) -> tuple[str, ...]:
    """Identifiers of entries that may be meant by a name, the worst choice first; none where no name is similar.

    Of laminates first those of a class or glass transition that stands for a name (`low loss`, `Tg170`). Else those
    that bear the whole name within their own (`FR4`, `Megtron 7`), else those that bear its beginning, else those
    that look like it.
    """
    known = names(kind)
    if len(ids(kind)) <= MOST:
        return _worst_first(kind, ids(kind))
    described = _described(name) if kind == "laminates" else ()
    if described:
        return _worst_first(kind, described)[:MOST]
    for part in _beginnings(name):
        found = {known[text] for text in known if holds(text, part)}
        if found:
            break
    else:
        found = {known[text] for text in look_alikes(name, known, most=2 * MOST)}
    return _worst_first(kind, found)[:MOST]


def _described(name: str) -> tuple[str, ...]:
    """Laminates of the loss class or resin that a text names, or standard ones of at least its Tg; none else."""
    words = fold(name)
    tg = re.search(r"tg([0-9]{3})", words)
    least = float(tg[1]) if tg else HIGH_TG if "hightg" in words or words == "fr5" else None
    loss_class = next((one for one in LOSS_ORDER if one != "standard" and words == fold(one)), None)
    resin = "ptfe" if words in ("ptfe", "teflon") else None
    if least is None and loss_class is None and resin is None:
        return ()
    every = {one: read("laminates", one) for one in ids("laminates")}
    return tuple(one for one, entry in every.items() if (
        entry.loss_class == "standard" and any(point.value >= least for point in entry.thermal.tg)
        if least is not None else entry.loss_class == loss_class if loss_class else entry.family == resin))


def _worst_first(kind: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(ordered(sorted(names), key=lambda one: -badness(kind, one)))


def listed(kind: str, names: tuple[str, ...]) -> str:
    """The entries with the figure that matters: ``s1141 (Df 0.0176 at 10 GHz), np155f (...)``."""
    figures = [(name, figure(kind, name)) for name in names]
    return ", ".join(f"{name} ({text})" if text else name for name, text in figures)


def _beginnings(name: str) -> list[str]:
    """A name, then without its last words one after the other, as long as a letter and enough remain."""
    words = name[:LONGEST].replace("-", " ").replace("_", " ").split()[:10]
    parts = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
    return [part for part in parts if len(fold(part)) >= FEWEST and any(letter.isalpha() for letter in part)]


def _loss(entry: Any) -> str:
    found = df_at(entry, AT)
    if not isinstance(found, LaminateReading):
        return f"no Df at {show(AT, 'GHz')}"
    ends = found.data.df_range
    value = f"{ends[0]:g} to {ends[1]:g}" if ends else f"{found.value:.3g}"
    return f"Df {value} at {show(AT, 'GHz')}"


def _capacitance(value: float) -> str:
    return show(value, "uF") if value >= 1e-6 else show(value, "nF")
