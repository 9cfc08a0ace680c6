# SPDX-License-Identifier: MIT
"""What a change of a board costs: an index by name, from a file of the library or of the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pcbrules.document import Document, parse_yaml, read_yaml
from pcbrules.errors import Problems
from pcbrules.spelling import look_alikes
from pcbrules.ties import ordered

PARTS = 1000
"""Costs are whole thousandths of the index: sums do not hang on their order."""

LEAST = 50
"""What another foil, bond treatment or laminate of one layer costs at least: the order changes [thousandths]."""

MOST = 1e6
"""Largest index that a file may give."""

FILE = "move_costs.yaml"

KEYS = ("index", "per", "source", "use")


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost in thousandths of the index, what it is counted per, and where it comes from."""

    parts: int
    per: str
    source: str


@dataclass(frozen=True)
class Costs:
    """All costs by name; ``file`` is that of the user, empty without one."""

    entries: Mapping[str, Cost]
    file: str = ""

    def of(self, name: str, count: float = 1) -> int:
        """Return the cost of so many units in thousandths of the index, one at least: no change is free."""
        return max(round(self.entries[name].parts * count), 1)

    def price(self, kind: str, name: str, otherwise: str = "") -> int:
        """Return the price of an entry of a kind, of one that has none that of ``otherwise``, else zero."""
        known = self.entries.get(f"{kind}.{name}") or self.entries.get(otherwise)
        return known.parts if known else 0

    def dearer(self, kind: str, new: str, old: str, otherwise: str = "") -> int:
        """Return what one entry of a kind costs more than another; ``LEAST`` at least."""
        return max(self.price(kind, new) - self.price(kind, old, otherwise), LEAST)

    def offers(self, kind: str) -> tuple[str, ...]:
        """Return the entries of a kind by price, of equal ones in the order of the file."""
        names = [name for name in self.entries if name.startswith(f"{kind}.")]
        return tuple(name.partition(".")[2] for name in ordered(names, key=lambda one: self.entries[one].parts))


def shown(parts: int) -> str:
    """Return a cost as people read it: ``3.25``."""
    return f"{parts / PARTS:.3f}".rstrip("0").rstrip(".")


@cache
def shipped() -> Costs:
    """Return the costs of the library."""
    data = files("pcbrules").joinpath("library", FILE).read_bytes()
    return Costs(_entries(parse_yaml(data, FILE), {}))


def costs_of(file: str | None) -> Costs:
    """Return the costs of the library, with those of a user's file in their place.

    Parameters
    ----------
    file : str, optional
        YAML: ``NAME: INDEX``, or ``NAME: {index: INDEX, source: TEXT}``.

    Raises
    ------
    InputError
        A name that there is not, or an index that is none, with every fault of the file.
    """
    base = shipped()
    if file is None:
        return base
    document = read_yaml(file)
    return Costs({**base.entries, **_entries(document, base.entries)}, document.file)


def _entries(document: Document, known: Mapping[str, Cost]) -> dict[str, Cost]:
    """The entries of a file; of a user's file the names of ``known`` alone, with their units."""
    problems = Problems(document.file)
    found: dict[str, Cost] = {}
    tree = document.tree
    if not isinstance(tree, dict):
        problems.add(document.problem((), "a file of costs is a mapping", expected="NAME: INDEX"))
        problems.check()
    for name, value in tree.items():
        if known and name not in known:
            near = look_alikes(name, list(known))
            problems.add(document.problem((name,), "there is no such cost", key=True, found=f"'{name}'",
                                          expected="a name of the shipped file, library/" + FILE,
                                          fix=f"did you mean {' or '.join(near)}?" if near else ""))
            continue
        body = value if isinstance(value, dict) else {"index": value}
        for key in body:
            if key not in KEYS:
                problems.add(document.problem((name, key), "unknown key", key=True, found=f"'{key}'",
                                              expected=", ".join(KEYS)))
        index = body.get("index")
        if isinstance(index, bool) or not isinstance(index, int | float) or not 0 <= index <= MOST:
            place = (name, "index") if isinstance(value, dict) else (name,)
            problems.add(document.problem(place, "this is no cost", found=f"{index!r}",
                                          expected=f"a number from 0 to {MOST:.0f}"))
            continue
        per = body.get("per", known[name].per if known else "")
        if known and per != known[name].per:
            problems.add(document.problem((name, "per"), "a cost keeps its unit", found=f"'{per}'",
                                          expected=known[name].per))
        source = body.get("source", f"as given in {document.file}")
        found[name] = Cost(round(float(index) * PARTS), str(per), str(source))
    problems.check()
    return found

