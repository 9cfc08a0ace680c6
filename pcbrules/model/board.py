# SPDX-License-Identifier: MIT
"""The board with every name resolved: what analysis reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from pcbrules.brief import brief
from pcbrules.model.block import Block
from pcbrules.model.catalogue.fabrication import FabricationClass
from pcbrules.model.catalogue.models import ModelShape
from pcbrules.model.catalogue.records import (
    Assumption,
    BiasCurve,
    Bond,
    Capacitor,
    ConnectorPart,
    Cooling,
    Foil,
    Glass,
    Laminate,
)
from pcbrules.model.catalogue.systems import AcceleratorModel, FormFactor, Platform
from pcbrules.model.catalogue.systems import LinkStandard as Standard
from pcbrules.model.default_build_up import DefaultBuildUp
from pcbrules.model.link import AcCapacitor, LinkSpec, Load, Package, Stretch, Trace, Via
from pcbrules.model.link import Connector as LinkConnector
from pcbrules.model.outline import BoardThickness, Outline
from pcbrules.model.rail import Rail
from pcbrules.model.stack import Stack
from pcbrules.model.stackup import Fabrication, Layer
from pcbrules.model.system import Evidence, PowerSystem, System, Thermal
from pcbrules.model.via import ViaType
from pcbrules.model.workload import Workload
from pcbrules.phrases import under

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a link's path, with its name (default: kind and count) and its place in the file."""

    name: str
    kind: str
    body: Package | Via | Trace | LinkConnector | AcCapacitor | Stretch | Load
    path: Path

    __repr__ = brief

    def __hash__(self) -> int:
        return hash(self.path)


@dataclass(frozen=True, slots=True)
class BoardLink:
    """A link with its standard and the steps of its path."""

    name: str
    spec: LinkSpec
    standard: Standard
    steps: tuple[PathStep, ...]

    __repr__ = brief

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def subject(self) -> str:
        """``links.NAME``."""
        return f"links{under(self.name)}"

    @property
    def path(self) -> Path:
        """Place in the board file."""
        return ("links", self.name)

    def traces(self) -> tuple[tuple[PathStep, Trace], ...]:
        """The traces of the path."""
        return tuple((s, s.body) for s in self.steps if isinstance(s.body, Trace))

    @property
    def described(self) -> bool:
        """True if a trace says how the signal runs, or a file of a whole stretch."""
        return any(isinstance(step.body, Trace | Stretch) for step in self.steps)

    def vias(self) -> tuple[tuple[PathStep, Via], ...]:
        """The vias of the path."""
        return tuple((s, s.body) for s in self.steps if isinstance(s.body, Via))

    def step_at(self, path: Path) -> PathStep | None:
        """The step that stands at a place of the board file, None if none does."""
        return next((step for step in self.steps if step.path == path), None)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Library entries that the board names, by the name it uses; the board's own entries come first.

    ``erl_proxy`` is the standard whose effective return loss is shown of links that resemble it and whose own has none;
    None without such a link.
    """

    laminates: Mapping[str, Laminate]
    foils: Mapping[str, Foil]
    bonds: Mapping[str, Bond]
    glass: Mapping[str, Glass]
    capacitors: Mapping[str, Capacitor]
    accelerators: Mapping[str, AcceleratorModel]
    connectors: Mapping[str, ConnectorPart]
    cooling: Mapping[str, Cooling]
    defaults: Mapping[str, Assumption]
    bias: Mapping[str, BiasCurve]
    erl_proxy: Standard | None = None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class Board:
    """A board, whole and checked: names resolve, layers lie somewhere, units are SI.

    A section that the source does not have is None, one that it declares empty is empty.

    Attributes
    ----------
    name : str
    size, thickness : Outline, BoardThickness or None
        As declared.
    layers : tuple of Layer or None
        The stackup from the top, as declared.
    stack : Stack or None
        The same with every layer's height.
    declared_fabrication : Fabrication or None
        What the source says of its own fabrication.
    fabrication : FabricationClass
        What its class makes, or that of the profile.
    blocks : mapping
        The multiports of the files that paths and rails name, by the text that names them.
    revision, date : str
        Of the design, as declared; empty where they are not.
    assumed_pads : mapping
        Diameters that vias have which give no pad, by the name of their type [m].
    default_build_up : DefaultBuildUp or None
        The stackup, where it is the one that a CAD program puts in.
    workload, model : Workload, ModelShape or None
        What its accelerators are to run, and the library's entry of the model that it names.
    asked : frozenset of str or None
        The links that are looked at; None for all. The others are there: they share laminates and vias with them.
    made : dict
        Results of `analysis/common/once_a_board.py`: they live as long as the board, a changed board begins with none,
        equality and pickles leave them out.
    """

    name: str
    size: Outline | None
    thickness: BoardThickness | None
    layers: tuple[Layer, ...] | None
    stack: Stack | None
    declared_fabrication: Fabrication | None
    fabrication: FabricationClass
    via_types: Mapping[str, ViaType] | None
    links: tuple[BoardLink, ...] | None
    rails: Mapping[str, Rail] | None
    thermal: Thermal | None
    power: PowerSystem | None
    system: System | None
    evidence: Mapping[str, Evidence] | None
    platform: Platform | None
    form_factor: FormFactor | None
    catalogue: Catalogue
    blocks: Mapping[str, Block] = field(default_factory=dict)
    assumed_pads: Mapping[str, float] = field(default_factory=dict)
    revision: str = ""
    date: str = ""
    default_build_up: DefaultBuildUp | None = None
    workload: Workload | None = None
    model: ModelShape | None = None
    asked: frozenset[str] | None = None
    made: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    __repr__ = brief

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, tuple(getattr(self, part.name) for part in fields(self) if part.init)

    @property
    def tags(self) -> dict[str, str]:
        """What ruleset conditions about the board as a whole are matched against; empty where it is not declared."""
        return {"platform": self.platform.id if self.platform else "",
                "form_factor": self.form_factor.id if self.form_factor else ""}

    @property
    def links_asked(self) -> tuple[BoardLink, ...]:
        """The links that are looked at."""
        return tuple(one for one in self.links or () if self.asked is None or one.name in self.asked)

    @property
    def form_kind(self) -> str:
        """Kind of its form factor (``card``, ``carrier``), empty where none is declared."""
        return self.form_factor.kind if self.form_factor else ""

    @property
    def names_class(self) -> bool:
        """True where the board file names its fabrication class: what the class gives is then the board's own word."""
        return self.declared_fabrication is not None and self.declared_fabrication.fab_class is not None

    @property
    def is_card(self) -> bool | None:
        """True for an add-in card; None where that hangs on what is not declared."""
        kinds = {one.kind if one else None for one in (self.platform, self.form_factor)}
        return True if "card" in kinds else None if None in kinds else False

    def link_tags(self, link: BoardLink) -> dict[str, str]:
        """What ruleset conditions about a link are matched against."""
        fast = link.standard.symbol_rate >= FAST_SYMBOL_RATE * (1 - 1e-9)
        return {
            **self.tags,
            "standard": link.standard.id,
            "family": link.standard.family,
            "speed": "fast" if fast else "slow",
        }


FAST_SYMBOL_RATE = 25e9
"""Symbol rate [Bd] from which a link counts as fast."""
