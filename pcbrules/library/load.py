# SPDX-License-Identifier: MIT
"""Find and read library entries. Only the file asked for is read; names resolve without case and punctuation.

An alias costs one reading of all files of its kind.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

import yaml
from pydantic import TypeAdapter

from pcbrules.model.catalogue.dielectrics import Laminate
from pcbrules.model.catalogue.fabrication import FabricationClass
from pcbrules.model.catalogue.fields import LibraryRecord
from pcbrules.model.catalogue.parts import Assumption, Bond, Capacitor, ConnectorPart, Cooling, Foil, Glass
from pcbrules.model.catalogue.systems import AcceleratorModel, FormFactor, LinkStandard, Platform
from pcbrules.spelling import fold, look_alikes, same_name

_RECORDS: Final[dict[str, type[LibraryRecord]]] = {
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
    "oxide": Bond,
    "platforms": Platform,
}
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


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
    return tuple(sorted(_RECORDS))


@cache
def ids(kind: str) -> tuple[str, ...]:
    """The identifiers of a kind, sorted. Reads the folder, not the files."""
    names = (item.name for item in _folder(kind).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def resolve(kind: str, name: str) -> str:
    """The identifier that a name, an alias or another spelling stands for.

    Raises
    ------
    UnknownEntry
        If nothing has that name.
    """
    identifier = find(kind, name)
    if identifier is not None:
        return identifier
    from pcbrules.library.figures import candidates, listed, variant

    found = candidates(kind, name)
    raise UnknownEntry(kind, name, found, listed(kind, found), variant(kind, name))


def find(kind: str, name: str) -> str | None:
    """The identifier that a name stands for, None where it stands for nothing: without a look at what may be meant."""
    wanted = fold(name)
    for identifier in ids(kind):
        if fold(identifier) == wanted:
            return identifier
    return _aliases(kind).get(wanted)


def entry(kind: str, name: str) -> Any:
    """The record of that kind that a name or alias stands for. Raises ``UnknownEntry``."""
    return _read(kind, resolve(kind, name))


def laminate(name: str) -> Laminate:
    """A laminate or solder mask. Raises ``UnknownEntry``."""
    found: Laminate = entry("laminates", name)
    return found


def laminates() -> tuple[Laminate, ...]:
    """Every laminate and solder mask, by identifier."""
    return tuple(_read("laminates", identifier) for identifier in ids("laminates"))


def foil(name: str) -> Foil:
    """A foil class. Raises ``UnknownEntry``."""
    found: Foil = entry("foils", name)
    return found


def bond(name: str) -> Bond:
    """A bond treatment. Raises ``UnknownEntry``."""
    found: Bond = entry("oxide", name)
    return found


def glass(name: str) -> Glass:
    """A glass style. Raises ``UnknownEntry``."""
    found: Glass = entry("glass", name)
    return found


def link(name: str) -> LinkStandard:
    """A link standard. Raises ``UnknownEntry``."""
    found: LinkStandard = entry("links", name)
    return found


def accelerator(name: str) -> AcceleratorModel:
    """An accelerator. Raises ``UnknownEntry``."""
    found: AcceleratorModel = entry("accelerators", name)
    return found


def connector(name: str) -> ConnectorPart:
    """A connector. Raises ``UnknownEntry``."""
    found: ConnectorPart = entry("connectors", name)
    return found


def capacitor(name: str) -> Capacitor:
    """A kind of capacitor. Raises ``UnknownEntry``."""
    found: Capacitor = entry("capacitors", name)
    return found


def cooling(name: str) -> Cooling:
    """A way to cool. Raises ``UnknownEntry``."""
    found: Cooling = entry("cooling", name)
    return found


def platform(name: str) -> Platform:
    """A platform. Raises ``UnknownEntry``."""
    found: Platform = entry("platforms", name)
    return found


def form_factor(name: str) -> FormFactor:
    """A form factor. Raises ``UnknownEntry``."""
    found: FormFactor = entry("form_factors", name)
    return found


def fabrication(name: str) -> FabricationClass:
    """A fabrication class. Raises ``UnknownEntry``."""
    found: FabricationClass = entry("fabrication", name)
    return found


@cache
def defaults() -> dict[str, Assumption]:
    """Parasitics that may be assumed where a board file is silent, by name."""
    tree = yaml.load(_root().joinpath("defaults.yaml").read_bytes(), Loader=_LOADER)
    return TypeAdapter(dict[str, Assumption]).validate_python(tree)


def _root() -> Traversable:
    return files("pcbrules.library")


def _folder(kind: str) -> Traversable:
    if kind not in _RECORDS:
        raise UnknownEntry("kinds", kind, look_alikes(kind, kinds()), "", same_name(kind, kinds()))
    return _root().joinpath(kind)


@cache
def _read(kind: str, identifier: str) -> Any:
    tree = yaml.load(_folder(kind).joinpath(f"{identifier}.yaml").read_bytes(), Loader=_LOADER)
    return _RECORDS[kind].model_validate(tree)


@cache
def names(kind: str) -> dict[str, str]:
    """Every name of a kind as it is written, with the identifier that it stands for. Reads all files of the kind."""
    known = {identifier: identifier for identifier in ids(kind)}
    for identifier in ids(kind):
        record = _read(kind, identifier)
        for name in (record.name, *record.aliases):
            known.setdefault(name, identifier)
    return known


@cache
def _aliases(kind: str) -> dict[str, str]:
    index: dict[str, str] = {}
    for name, identifier in names(kind).items():
        index.setdefault(fold(name), identifier)
    return index


def source_text(kind: str, name: str) -> str:
    """The file of an entry as it is written, with units and sources. Raises ``UnknownEntry``."""
    return _folder(kind).joinpath(f"{resolve(kind, name)}.yaml").read_text(encoding="utf-8")
