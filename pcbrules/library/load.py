# SPDX-License-Identifier: MIT
"""Library entries by a name, an alias or another spelling; an unknown name is told with those that may be meant."""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml
from pydantic import TypeAdapter

from pcbrules.library.figures import candidates, listed, variant
from pcbrules.library.shelf import LOADER, UnknownEntry, find, folder, ids, kinds, names, read, root
from pcbrules.model.catalogue.dielectrics import Laminate
from pcbrules.model.catalogue.fabrication import FabricationClass
from pcbrules.model.catalogue.parts import Assumption, BiasCurve, Bond, Capacitor, ConnectorPart, Cooling, Foil, Glass
from pcbrules.model.catalogue.systems import AcceleratorModel, FormFactor, LinkStandard, Platform
from pcbrules.model.catalogue.workload_boards import WorkloadBoards

__all__ = [
    "UnknownEntry", "accelerator", "bias_curves", "bond", "capacitor", "connector", "cooling", "defaults", "entry",
    "fabrication", "find", "foil", "form_factor", "glass", "ids", "kinds", "laminate", "laminates", "link", "names",
    "platform", "resolve", "source_text", "workload_boards",
]


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
    found = candidates(kind, name)
    raise UnknownEntry(kind, name, found, listed(kind, found), variant(kind, name))


def entry(kind: str, name: str) -> Any:
    """The record of that kind that a name or alias stands for. Raises ``UnknownEntry``."""
    return read(kind, resolve(kind, name))


def laminate(name: str) -> Laminate:
    """A laminate or solder mask. Raises ``UnknownEntry``."""
    found: Laminate = entry("laminates", name)
    return found


def laminates() -> tuple[Laminate, ...]:
    """Every laminate and solder mask, by identifier."""
    return tuple(read("laminates", identifier) for identifier in ids("laminates"))


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
    tree = yaml.load(root().joinpath("defaults.yaml").read_bytes(), Loader=LOADER)
    return TypeAdapter(dict[str, Assumption]).validate_python(tree)


@cache
def bias_curves() -> dict[str, BiasCurve]:
    """What a DC bias leaves of ceramic capacitors, by body size; ``any`` where it is not known."""
    tree = yaml.load(root().joinpath("bias.yaml").read_bytes(), Loader=LOADER)
    return TypeAdapter(dict[str, BiasCurve]).validate_python(tree)


@cache
def workload_boards() -> WorkloadBoards:
    """The table that leads from a workload to a board."""
    return WorkloadBoards.model_validate(
        yaml.load(root().joinpath("workload_boards.yaml").read_bytes(), Loader=LOADER))


def source_text(kind: str, name: str) -> str:
    """The file of an entry as it is written, with units and sources. Raises ``UnknownEntry``."""
    return folder(kind).joinpath(f"{resolve(kind, name)}.yaml").read_text(encoding="utf-8")
