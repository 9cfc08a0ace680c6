# SPDX-License-Identifier: MIT
"""The material of a returned layer: which laminate it is, its Dk and Df against those ordered.

A laminate whose Df is returned otherwise keeps its data, scaled at all frequencies. One that is not known is made of
the Dk and Df that come with it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import yaml

from pcbrules.analysis.common.dielectrics import model_frequency, ply_dk
from pcbrules.document import Document
from pcbrules.errors import InputError, Problem, quoted
from pcbrules.library import load as library
from pcbrules.library.shelf import LOADER
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.dielectrics import Laminate
from pcbrules.model.catalogue.select import df_at, dk_at
from pcbrules.model.stackup import Dielectric
from pcbrules.readers.returned.records import ReturnedSheet
from pcbrules.spelling import fold
from pcbrules.studies.fab.difference import REMOVED, Difference, Edit, equal
from pcbrules.studies.fab.material_names import laminate_of
from pcbrules.studies.fab.order import NOT_SPECIFIED, OrderedSheet
from pcbrules.studies.fab.ordered_sheets import class_source
from pcbrules.units import show

GENERIC = frozenset({"soldermask", "mask", "lpi", "prepreg", "core", "dielectric", "pp"})
"""Words, folded, that name a kind of layer and no product."""

USUAL = 1e9
"""Frequency of Dk and Df where neither the order nor the file gives one [Hz]; that of most data sheets."""

MADE_OF = "-returned-"
"""Between the name of a laminate and the number of one that is made of it."""

ROUNDED = 2e-4
"""Relative difference of Dk and Df below which they are equal: an order has five digits of them [-]."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A laminate as returned: the name that the board file has for it, and its record; None where it is not known."""

    name: str
    record: Laminate | None


class ReturnedMaterials:
    """Compares the materials of one returned file with those of a board."""

    def __init__(self, board: Board, document: Document, file: str) -> None:
        self.board, self.document, self.file = board, document, file
        self.made: dict[tuple[object, ...], str] = {}

    def differences(self, ordered: OrderedSheet, returned: ReturnedSheet) -> list[Difference]:
        """What the material, Dk and Df of a layer are returned otherwise. Raises InputError."""
        offered = self._offered(ordered, returned)
        at = returned.at or ordered.at or USUAL
        found: list[Difference] = []
        if offered.record is None and offered.name == ordered.laminate:
            return found  # neither of the two says of what the layer is
        if offered.name != ordered.laminate:
            found.append(self._difference(ordered, returned, "material", ordered.material or NOT_SPECIFIED,
                                          returned.material, "", within=False))
        glass = self._other_glass(ordered, returned)
        if glass:
            found.append(self._difference(ordered, returned, "glass", " + ".join(ordered.glass) or NOT_SPECIFIED,
                                          " + ".join(returned.glass), "", within=not ordered.glass))
        found += self._figures(ordered, returned, at)
        if found:
            edits = (self._unknown(ordered, returned, at) if offered.record is None else
                     tuple(self._edits(ordered, returned, offered, at)))
            found[0] = replace(found[0], edits=(*glass, *edits))
        return found

    @staticmethod
    def _other_glass(ordered: OrderedSheet, returned: ReturnedSheet) -> tuple[Edit, ...]:
        """The edits for another glass: a Dk of the ordered construction no longer holds; none where it is the same.

        A style that the library does not know is taken out: any that is sold.
        """
        given = [library.find("glass", style) or style for style in returned.glass]
        if not given or sorted(given) == sorted(library.find("glass", style) or style for style in ordered.glass):
            return ()
        known = all(library.find("glass", style) for style in given)
        path = ("stackup", ordered.index)
        value = (given[0] if len(given) == 1 else given) if known else REMOVED
        return Edit((*path, "glass"), value), *(Edit((*path, key), REMOVED) for key in ("dk", "resin", "plies"))

    def _figures(self, ordered: OrderedSheet, returned: ReturnedSheet, at: float) -> Iterator[Difference]:
        """Dk and Df against those ordered, at one frequency."""
        for what, value, asked in zip(("Dk", "Df"), (returned.dk, returned.df), self._at(ordered, at), strict=True):
            if value is None or (asked is not None and abs(value / asked - 1) <= ROUNDED):
                continue
            half, source = self._tolerance(what.lower())
            within = asked is not None and abs(value / asked - 1) <= half * (1 + 1e-9)
            where = f" at {show(at, 'GHz', 4)}"
            text = NOT_SPECIFIED if asked is None else f"{asked:.4g}{where}"
            yield self._difference(ordered, returned, what, text, f"{value:.4g}{where}",
                                   f"± {show(half, '%')} ({source})", within=within)

    def _edits(
        self, ordered: OrderedSheet, returned: ReturnedSheet, offered: Offered, at: float
    ) -> Iterator[Edit]:
        """A known laminate with the figures that are returned, and the layer made of it."""
        path = ("stackup", ordered.index)
        changed = offered.name != ordered.laminate
        if changed:
            yield Edit((*path, "material"), offered.name)
            yield from (Edit((*path, key), REMOVED) for key in ("dk", "resin"))
        figures = self._of(offered, at) if changed else self._at(ordered, at)
        dk, df = (1.0 if value is None or not asked or abs(value / asked - 1) <= ROUNDED else value / asked
                  for value, asked in zip((returned.dk, returned.df), figures, strict=True))
        spec = (self.board.layers or ())[ordered.index]
        if isinstance(spec, Dielectric):
            if df != 1.0:
                yield from self._scaled(ordered, offered, dk=1.0, df=df)
            asked = dk != 1.0 or (returned.dk is not None and bool(self._other_glass(ordered, returned)))
            now = self._model_dk(spec, offered) if asked else None
            if now is not None:
                yield Edit((*path, "dk"), float(f"{now * dk:.6g}"))
        elif dk != 1.0 or df != 1.0:
            yield from self._scaled(ordered, offered, dk=dk, df=df)

    def _model_dk(self, spec: Dielectric, offered: Offered) -> float | None:
        """Dk of the layer in the material that is offered, at the frequency by which it will be modelled."""
        if offered.name == spec.material:
            at = model_frequency(self.board, spec.material, USUAL)
            found = ply_dk(self.board, spec, at)
            if spec.dk is not None:
                return float(spec.dk.value)
        else:
            nyquists = {link.standard.nyquist for link in self.board.links or ()}
            record = offered.record
            reached = [at for at in nyquists if record and not isinstance(df_at(record, at), Missing)]
            found = dk_at(record, max(reached, default=USUAL)) if record else Missing("")
        return None if isinstance(found, Missing) else found.value

    def _scaled(self, ordered: OrderedSheet, offered: Offered, *, dk: float, df: float) -> tuple[Edit, ...]:
        """A laminate with the data of the one that is offered, times these ratios, and the layer made of it."""
        key = offered.name, round(dk, 9), round(df, 9)
        if key not in self.made:
            self.made[key] = f"{offered.name}{MADE_OF}{len(self.made) + 1}"
        name = self.made[key]
        tree = self._tree(offered.name)
        for points in ([tree] if "df" in tree else tree.get("sets", ())):
            _scale(points, dk, df)
        return (Edit(("materials", "laminates", name), tree), Edit(("stackup", ordered.index, "material"), name))

    def _tree(self, name: str) -> dict[str, Any]:
        """The record of a laminate as a board file writes it."""
        own = self.document.get(("materials", "laminates", name), None)
        if own is None:
            own = yaml.load(library.source_text("laminates", name), Loader=LOADER)
        tree = copy.deepcopy(own)
        return {key: value for key, value in tree.items() if key not in ("id", "aliases")}

    def _unknown(self, ordered: OrderedSheet, returned: ReturnedSheet, at: float) -> tuple[Edit, ...]:
        """A laminate made of the returned figures. Raises InputError without them."""
        if returned.dk is None or returned.df is None:
            raise InputError([Problem(
                self.file, *returned.place, "",
                f"the material of {ordered.name} is not known, and its Dk and Df are not declared",
                quoted(returned.material), "", "add dk, df and at_ghz, or a name of `pcbrules library laminates`")])
        key = "unknown", fold(returned.material), returned.dk, returned.df, at
        if key not in self.made:
            self.made[key] = f"unknown{MADE_OF}{len(self.made) + 1}"
        name = self.made[key]
        tree: dict[str, Any] = {
            "name": returned.material[:200], "dk": returned.dk, "df": returned.df, "at": show(at, "GHz", 9),
            "source": "returned by the fabricator",
        }
        if ordered.kind == "mask":
            tree |= {"class": "mask", "family": "resist"}
        path = ("stackup", ordered.index)
        return (Edit(("materials", "laminates", name), tree), Edit((*path, "material"), name),
                Edit((*path, "dk"), REMOVED))

    def _offered(self, ordered: OrderedSheet, returned: ReturnedSheet) -> Offered:
        """The laminate that a returned text names; the ordered one where it names none."""
        word = fold(returned.material)
        known = self.board.catalogue.laminates
        mine = {fold(ordered.laminate), fold(ordered.material)} - {""}
        if not word or word in GENERIC or word in mine:
            return Offered(ordered.laminate, known.get(ordered.laminate))
        for name, record in known.items():
            if word in (fold(name), fold(record.name)):
                return self._same(ordered, name, record)
        found = laminate_of(returned.material)
        if found is None:
            return Offered(returned.material, None)
        return self._same(ordered, found, library.laminate(found))

    def _same(self, ordered: OrderedSheet, name: str, record: Laminate) -> Offered:
        """The ordered name where it stands for the same laminate."""
        mine = self.board.catalogue.laminates.get(ordered.laminate)
        return Offered(ordered.laminate if mine is not None and mine.id == record.id else name, record)

    def _at(self, ordered: OrderedSheet, at: float) -> tuple[float | None, float | None]:
        """Dk and Df that were ordered, at another frequency."""
        record = self.board.catalogue.laminates.get(ordered.laminate)
        if record is None or ordered.at is None or equal(at, ordered.at):
            return ordered.dk, ordered.df
        here, there, df = dk_at(record, ordered.at), dk_at(record, at), df_at(record, at)
        dk = None if ordered.dk is None or isinstance(here, Missing) or isinstance(there, Missing) else (
            ordered.dk * there.value / here.value)
        return dk, None if isinstance(df, Missing) else df.value

    def _of(self, offered: Offered | None, at: float) -> tuple[float | None, float | None]:
        if offered is None or offered.record is None:
            return None, None
        dk, df = dk_at(offered.record, at), df_at(offered.record, at)
        return None if isinstance(dk, Missing) else dk.value, None if isinstance(df, Missing) else df.value

    def _tolerance(self, key: str) -> tuple[float, str]:
        own = getattr(self.board.declared_fabrication.tolerances, key) if self.board.declared_fabrication else None
        if own is not None:
            return float(own.value), "board file"
        return float(getattr(self.board.fabrication, key)), class_source(self.board)[0]

    def _difference(
        self, ordered: OrderedSheet, returned: ReturnedSheet, what: str, asked: str, given: str, tolerance: str, *,
        within: bool,
    ) -> Difference:
        return Difference(ordered.name, what, asked, given, tolerance, within, self.file, returned.place)


def _scale(tree: dict[str, Any], dk: float, df: float) -> None:
    """Multiply the figures of one set of points, or of a laminate of one point."""
    if "points" in tree:
        tree["points"] = [[f, float(f"{k * dk:.9g}"), float(f"{loss * df:.9g}")] for f, k, loss in tree["points"]]
    for key, ratio in (("dk", dk), ("df", df)):
        if key in tree:
            tree[key] = float(f"{tree[key] * ratio:.9g}")
        if f"{key}_range" in tree:
            tree[f"{key}_range"] = [float(f"{one * ratio:.9g}") for one in tree[f"{key}_range"]]
