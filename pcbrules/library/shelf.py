# SPDX-License-Identifier: MIT
"""Where library entries lie: folders, files, names. One file is parsed for a name; aliases are looked for in texts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import yaml

from pcbrules.model.catalogue.dielectrics import Laminate
from pcbrules.model.catalogue.fabrication import FabricationClass
from pcbrules.model.catalogue.fields import LibraryRecord
from pcbrules.model.catalogue.models import ModelShape
from pcbrules.model.catalogue.parts import Bond, Capacitor, ConnectorPart, Cooling, Foil, Glass
from pcbrules.model.catalogue.systems import AcceleratorModel, FormFactor, LinkStandard, Platform
from pcbrules.spelling import fold, look_alikes, same_name

RECORDS: Final[dict[str, type[LibraryRecord]]] = {
    "accelerators": AcceleratorModel,
    "capacitors": Capacitor,
    "connectors": ConnectorPart,
    "cooling": Cooling,
    "fabrication": FabricationClass,
    "foils": Foil,
    "form_factors": FormFactor,
    "glass": Glass,
    "laminates": Laminate,
    "links": LinkStandard,
    "models": ModelShape,
    "oxide": Bond,
    "platforms": Platform,
}
LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnknownEntry(KeyError):
    """No entry of that name.

    ``nearest`` holds names that may be meant, the worst choice first, ``listed`` the same with the figure that
    matters; ``variant`` is the one entry of which the name is a mere misspelling, or empty.
    """

    def __init__(self, kind: str, name: str, nearest: tuple[str, ...], listed: str = "", variant: str = "") -> None:
        super().__init__(name)
        self.kind = kind
        self.name = name
        self.nearest = nearest
        self.listed = listed or ", ".join(nearest)
        self.variant = variant

    def __str__(self) -> str:
        like = f"; similar names: {self.listed}" if self.nearest else ""
        hint = f"; did you mean {self.variant}?" if self.variant else like
        return f"no '{self.name[:60]}' among the {self.kind} of the library{hint}"


def kinds() -> tuple[str, ...]:
    """The kinds of entries, which are the folders of the library."""
    return tuple(sorted(RECORDS))


@cache
def ids(kind: str) -> tuple[str, ...]:
    """The identifiers of a kind, sorted. Reads the folder, not the files."""
    names = (item.name for item in folder(kind).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def find(kind: str, name: str) -> str | None:
    """The identifier that a name stands for, None where it stands for nothing: without a look at what may be meant."""
    wanted = fold(name)
    return _folded(kind).get(wanted) or next((one for one, text in _texts(kind) if wanted in text
                                              and wanted in map(fold, _called(read(kind, one)))), None)


def _called(record: Any) -> tuple[str, ...]:
    """What an entry is called beside its identifier."""
    return record.name, *record.aliases


@cache
def _texts(kind: str) -> tuple[tuple[str, str], ...]:
    """The identifiers of a kind with the texts of their files, folded: a name that an entry has stands there."""
    return tuple((one, fold(folder(kind).joinpath(f"{one}.yaml").read_text(encoding="utf-8"))) for one in ids(kind))


@cache
def _folded(kind: str) -> dict[str, str]:
    """The identifiers of a kind by how they fold; of two the first."""
    return {fold(identifier): identifier for identifier in reversed(ids(kind))}


def root() -> Traversable:
    """The folder of the library."""
    return files("pcbrules.library")


def folder(kind: str) -> Traversable:
    """The folder of a kind. Raises ``UnknownEntry`` where there is no such kind."""
    if kind not in RECORDS:
        raise UnknownEntry("kinds", kind, look_alikes(kind, kinds()), "", same_name(kind, kinds()))
    return root().joinpath(kind)


@cache
def read(kind: str, identifier: str) -> Any:
    """The record of an entry by its identifier."""
    tree = yaml.load(folder(kind).joinpath(f"{identifier}.yaml").read_bytes(), Loader=LOADER)
    return RECORDS[kind].model_validate(tree)


@cache
def names(kind: str) -> dict[str, str]:
    """Every name of a kind as it is written, with the identifier that it stands for. Reads all files of the kind."""
    known = {identifier: identifier for identifier in ids(kind)}
    for identifier in ids(kind):
        for name in _called(read(kind, identifier)):
            known.setdefault(name, identifier)
    return known
