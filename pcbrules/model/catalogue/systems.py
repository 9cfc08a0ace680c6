# SPDX-License-Identifier: MIT
"""Records of the library for links, accelerators and boards. Values are SI floats; losses are in dB."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from pcbrules.model.catalogue.base import Entry, Sourced
from pcbrules.model.catalogue.fields import (
    Baud,
    BitRate,
    Byte,
    ByteRate,
    Count,
    Decibel,
    Farad,
    FlopRate,
    Hertz,
    Id,
    Impedance,
    Label,
    LibraryRecord,
    Metre,
    Number,
    Provenance,
    Second,
    Text,
    Volt,
    Watt,
)

Modulation = Literal["NRZ", "PAM3", "PAM4", "3-phase"]
BITS_PER_SYMBOL: Final[dict[Modulation, float]] = {"NRZ": 1.0, "PAM3": 11 / 7, "PAM4": 2.0, "3-phase": 16 / 7}
"""Bits of one symbol: USB4 packs 11 bits in 7 PAM3 symbols, C-PHY 16 bits in 7 three-wire symbols."""

ENDPOINT: Final = "endpoint-package"

PACKAGES: Final = frozenset({"root-package", ENDPOINT})
"""Budgets of packages alone."""

NO_BOARD: Final = PACKAGES | {"connector", "cable-assembly"}
"""Parts of a channel that are no board: no link of a board can be held to them."""

ANY_PART: Final = "any"
"""Word of a standard's lane skew that holds for every part."""

PART_ALIASES: Final = {"system-board": "baseboard"}
"""Words of a standard's lane skew for a part that its loss budget calls otherwise."""


class ImpedanceTarget(Sourced):
    """Impedance that the board is to have, differential, with the tolerance that the source gives."""

    value: Impedance
    provenance: Provenance
    note: Text = ""


class LossBudget(Sourced):
    """Insertion loss allowed between reference planes: ``loss`` (dB) at ``at`` (Hz), less ``reserve`` (dB).

    ``normative`` is true where the standard itself makes it binding for this part; ``with_package`` where one plane
    is a die, so that the loss of a package counts in.
    """

    name: Id
    loss: Decibel
    at: Hertz
    reserve: Decibel | None = None
    planes: Label
    normative: bool
    with_package: bool = False
    provenance: Provenance
    note: Text = ""

    @property
    def limit(self) -> float:
        """Loss less reserve, dB."""
        return self.loss - (self.reserve or 0.0)


class LaneSkew(Sourced):
    """Largest difference of delay (s) between the lanes of a link over one part of the channel."""

    where: Id
    value: Second
    provenance: Provenance


class CouplingCapacitor(Sourced):
    """Range of the AC coupling capacitor (F)."""

    min: Farad
    max: Farad
    body: Label | None = None
    provenance: Provenance
    note: Text = ""


class MaskPiece(LibraryRecord):
    """One stretch of a mask, dB, with x = f in GHz:
    ``constant + root sqrt(x) + linear x + square x^2 + cube x^3 + decade log10(x)``."""

    start: Hertz
    stop: Hertz
    constant: Number = 0.0
    root: Number = 0.0
    linear: Number = 0.0
    square: Number = 0.0
    cube: Number = 0.0
    decade: Number = 0.0


class StandardMask(Sourced):
    """A limit over frequency, positive dB: insertion loss and its deviation at most, the others at least.

    ``segments`` are the parts of a channel, by the names of loss budgets, that it holds for; empty for any.
    """

    quantity: Literal[
        "insertion-loss",
        "insertion-loss-deviation",
        "return-loss",
        "common-mode-return-loss",
        "mode-conversion",
        "crosstalk-ratio",
    ]
    pieces: Annotated[tuple[MaskPiece, ...], Field(min_length=1)]
    segments: tuple[Id, ...] = ()
    planes: Label
    normative: bool
    provenance: Provenance
    note: Text = ""

    @property
    def upper(self) -> bool:
        """True if the mask bounds the quantity from above."""
        return self.quantity.startswith("insertion-loss")


class NoiseTerms(Sourced):
    """By what crosstalk becomes noise at a receiver: peaks (V) of the differential voltage of near-end and far-end
    aggressors, 20 % to 80 % rise time (s) of their edges, half-power bandwidth (Hz) of the receiver."""

    near: Volt
    far: Volt
    rise: Second | None = None
    receiver: Hertz
    provenance: Provenance
    note: Text = ""


class NoisePiece(LibraryRecord):
    """A stretch of loss (dB) over which the noise is at most ``constant`` (V) plus ``slope`` (V/dB) times the loss."""

    start: Decibel
    stop: Decibel
    constant: Volt
    slope: Number = 0.0


class NoiseLimit(Sourced):
    """Integrated crosstalk noise allowed, by the loss of the signal at Nyquist."""

    pieces: Annotated[tuple[NoisePiece, ...], Field(min_length=1)]
    planes: Label
    normative: bool
    provenance: Provenance
    note: Text = ""


class ErlSet(Sourced):
    """Effective return loss that a part of a channel needs (dB), and how it is computed, by the names of IEEE 802.3.

    ``segment`` is the part by the name of its loss budget. ``reference`` is 2 Z_t (ohm), ``transition`` T_r (s, 20 % to
    80 %), ``receiver`` f_r over f_b, ``reach`` N_bx (UI, 0 allowed), ``permitted`` rho_x, ``count`` N (UI), ``fixture``
    T_fx (s, there and back), ``error_ratio`` DER_0. beta_x is 0, and the window closes from f_r to f_b.
    """

    segment: Id
    name: Label
    limit: Decibel
    planes: Label
    reference: Impedance
    transition: Second
    receiver: Number
    reach: Annotated[int, Field(strict=True, ge=0)]
    permitted: Number
    count: Count
    fixture: Second
    error_ratio: Annotated[Number, Field(gt=0, lt=0.5)]
    normative: bool
    provenance: Provenance
    note: Text = ""


class LinkStandard(Entry, Sourced):
    """A link standard, one lane in one direction.

    ``rate`` (bit/s) times ``coding`` is what the modulation carries: symbol rate (Bd) times bits per symbol.
    ``source`` and ``confidence`` are those of rate, modulation and symbol rate.
    """

    family: Id
    generation: Label
    rate: BitRate
    coding: Annotated[Number, Field(ge=1, le=1.5)] = 1.0
    modulation: Modulation
    symbol_rate: Baud
    nyquist: Hertz
    signalling: Literal["differential", "single-ended", "trio"]
    pairs_per_link: Count | None = None
    links_per_device: Count | None = None
    impedance: ImpedanceTarget | None = None
    budgets: tuple[LossBudget, ...] = ()
    masks: tuple[StandardMask, ...] = ()
    noise: NoiseTerms | None = None
    noise_limit: NoiseLimit | None = None
    erl: tuple[ErlSet, ...] = ()
    com_minimum: Decibel | None = None
    lane_skew: tuple[LaneSkew, ...] = ()
    ac_capacitor: CouplingCapacitor | None = None
    notes: tuple[Text, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        carried = self.symbol_rate * BITS_PER_SYMBOL[self.modulation]
        if abs(carried - self.rate * self.coding) > 1e-5 * carried:
            raise ValueError("symbol rate, modulation, rate and coding do not agree")
        if abs(self.nyquist - self.symbol_rate / 2) > 1e-9 * self.nyquist:
            raise ValueError("the Nyquist frequency is half the symbol rate")
        if len({budget.name for budget in self.budgets}) != len(self.budgets):
            raise ValueError("two budgets have one name")
        if len({one.segment for one in self.erl}) != len(self.erl):
            raise ValueError("two sets of ERL are for one part of the channel")
        return self

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts of a channel that a link on a board may be: those of loss budgets, masks, ERL and lane skew."""
        names = (*(one.name for one in self.budgets), *(part for one in self.masks for part in one.segments),
                 *(one.segment for one in self.erl),
                 *(PART_ALIASES.get(one.where, one.where) for one in self.lane_skew))
        return tuple(dict.fromkeys(name for name in names if name not in NO_BOARD | {ANY_PART}))

    def resembles(self, other: LinkStandard) -> bool:
        """True if a figure of the other for reflections may stand beside this one: its modulation, at least its rate.

        An eye of two levels stands more reflection than one of four, and a slower one more than a faster one.
        """
        return self.modulation == other.modulation and self.symbol_rate >= other.symbol_rate * (1 - 1e-9)

    def budget(self, name: str) -> LossBudget | None:
        """The budget of that name, if the standard has one."""
        return next((budget for budget in self.budgets if budget.name == name), None)


class PowerDraw(Sourced):
    """Power (W): ``value`` is the rated sustained power, ``min`` and ``max`` the range that can be set."""

    value: Watt
    min: Watt | None = None
    max: Watt | None = None
    provenance: Provenance
    note: Text = ""


class TensorRate(Sourced):
    """Rated operations per second of dense matrices in 16 bit, and in 8 bit where they are faster."""

    bf16: FlopRate
    fp8: FlopRate | None = None


class AcceleratorModel(Entry, Sourced):
    """An accelerator. ``source`` and ``confidence`` cover memory and links; ``power``, ``compute`` have their own."""

    vendor: Label
    kind: Literal["module", "card", "som", "chip"]
    form_factor: Id | None = None
    power: PowerDraw | None = None
    power_connectors: tuple[Id, ...] = ()
    memory: Byte | None = None
    memory_type: Label | None = None
    memory_bandwidth: ByteRate | None = None
    compute: TensorRate | None = None
    links: tuple[Id, ...] = ()


class Platform(Entry):
    """What kind of board this is; rulesets set layer counts by platform."""

    kind: Literal["baseboard", "switch-board", "module", "card", "carrier", "system"]
    source: Label


class FormFactor(Entry, Sourced):
    """Outline of a board: nominal width and length (m), or the range in which they lie."""

    kind: Literal["baseboard", "module", "card", "carrier", "system"]
    nominal: tuple[Metre, Metre] | None = None
    smallest: tuple[Metre, Metre] | None = None
    largest: tuple[Metre, Metre] | None = None
    thickness_min: Metre | None = None
    thickness_max: Metre | None = None
    provenance: Provenance
