# SPDX-License-Identifier: MIT
"""Memory, rate and duty that a workload needs of its accelerators, by the board file and the library's models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pcbrules.brief import brief
from pcbrules.missing import Missing
from pcbrules.model.board import Board
from pcbrules.model.catalogue.models import ModelShape
from pcbrules.model.workload import LEARNING, TRAINED, Precision, Workload
from pcbrules.physics.workload.memory import activation_memory, key_value_cache, parameter_memory
from pcbrules.physics.workload.rate import compute_rate, decode_rate, weights_read
from pcbrules.units import show

BYTES: Final[dict[Precision, float]] = {
    "fp32": 4.0, "bf16": 2.0, "fp16": 2.0, "fp8": 1.0, "int8": 1.0, "fp4": 0.5, "int4": 0.5,
}
SCALES: Final = (0.03, 0.06)
"""Bytes a parameter of the block scales of 4-bit formats, least and most."""

STATE: Final = (12.0, 20.0)
"""Bytes a trained parameter, least and most: weights, gradients and moments; with master weights and more."""
ADAPTED: Final = 16.0
"""Bytes a parameter of adapters."""
ADAPTERS: Final = (0.001, 0.02)
"""Parameters of adapters over those of the model, where they are not declared: ranks 8 to 128; practice."""

USED: Final = 0.9
"""Share of the memory that a framework leaves for all of this; practice."""

SERVING_DUTY: Final = 0.7
"""Share of the peak that dense serving draws at most, averaged: NextPCB, AI server PCB guide, 2026: 40 % to 70 %."""


@dataclass(frozen=True, slots=True)
class MemoryPart:
    """Memory of one kind [B] with its range, the formula in words, and what was taken for granted."""

    name: str
    value: float
    lo: float
    hi: float
    formula: str
    key: str = ""

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class WorkloadNeed:
    """Memory of a workload in parts, and what its rate follows from.

    ``weights`` are all of them [B], ``active`` the share that a token needs [-], ``cache`` the keys and values of one
    stream [B].
    """

    parts: tuple[MemoryPart, ...]
    params: float
    active: float
    weights: float
    cache: float
    streams: int

    __repr__ = brief

    @property
    def total(self) -> float:
        """Memory of all parts. [B]"""
        return sum(part.value for part in self.parts)

    @property
    def least(self) -> float:
        """The least that all parts may be. [B]"""
        return sum(part.lo for part in self.parts)

    @property
    def most(self) -> float:
        """The most. [B]"""
        return sum(part.hi for part in self.parts)

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys that would narrow the memory down."""
        return tuple(dict.fromkeys(part.key for part in self.parts if part.key))

    @property
    def read(self) -> float:
        """Weights that a step of decoding reads. [B]"""
        return weights_read(weights=self.weights, active=self.active, batch=float(self.streams))

    def ceiling(self, bandwidth: float, operations: float | None) -> float:
        """Tokens per second of each stream that bandwidth and, where it is known, arithmetic allow. [1/s]"""
        found = decode_rate(bandwidth=bandwidth, weights=self.read, kept=self.cache, batch=float(self.streams))
        if operations is not None:
            found = min(found, compute_rate(operations=operations, parameters=self.params * self.active))
        return found / self.streams


def loads_like_training(workload: Workload, model: ModelShape | None) -> str:
    """Why a workload draws its peak for as long as it runs; empty where it does not."""
    if workload.task in LEARNING:
        return f"{workload.task} runs at full load"
    if workload.reasoning:
        return "serving with reasoning runs near full bandwidth for minutes"
    if _active(workload, model) < 1:
        return "serving a mixture of experts keeps memory and links busy"
    return ""


def duty_of(workload: Workload, model: ModelShape | None) -> float:
    """Share of the peak that a workload draws, averaged. [-]"""
    if workload.utilisation is not None:
        return min(1.0, float(workload.utilisation.value))
    return 1.0 if loads_like_training(workload, model) else SERVING_DUTY


def workload_duty(board: Board) -> float | None:
    """The duty that a board's workload sets in place of the profile's; None where it says none. [-]"""
    workload = board.workload
    if workload is None or not (workload.utilisation or loads_like_training(workload, board.model)):
        return None
    return duty_of(workload, board.model)


def workload_need(workload: Workload, model: ModelShape | None) -> WorkloadNeed | Missing:
    """Memory and rate of a workload, or the key that is missing; values of the board file replace the library's."""
    params = workload.params or (model.params if model else None)
    if params is None:
        return Missing("neither a model nor its parameters are declared", "workload.params")
    if workload.context is None:
        return Missing("the tokens of a stream are not declared", "workload.context")
    learning = workload.task in LEARNING
    cache = 0.0 if learning else _cache(workload, model)
    if isinstance(cache, Missing):
        return cache
    each = BYTES[workload.precision]
    parts = list(_state(workload, params) if workload.task in TRAINED else _weights(workload, params))
    if learning:
        kept = _activations(workload, model)
        if isinstance(kept, Missing):
            return kept
        parts.append(kept)
    else:
        whole = cache * workload.streams
        parts.append(MemoryPart("KV cache", whole, whole, whole, _cache_words(workload, model)))
    scaled = each + (sum(SCALES) / 2 if each < 1 else 0.0)
    return WorkloadNeed(tuple(parts), params, _active(workload, model),
                        parameter_memory(parameters=params, bytes_each=scaled), cache, workload.streams)


def _active(workload: Workload, model: ModelShape | None) -> float:
    """Share of the parameters that a token needs. [-]"""
    params = workload.params or (model.params if model else None)
    active = workload.active_params or (model.active_params if model and workload.params is None else None)
    return min(1.0, active / params) if active and params else 1.0


def _weights(workload: Workload, params: float) -> list[MemoryPart]:
    """Weights that are not trained, and adapters that are."""
    each = BYTES[workload.precision]
    few, many = SCALES if each < 1 else (0.0, 0.0)
    value, lo, hi = (parameter_memory(parameters=params, bytes_each=each + one)
                     for one in ((few + many) / 2, few, many))
    scales = f" + {few:g} to {many:g} of block scales" if many else ""
    parts = [MemoryPart("weights", value, lo, hi, f"{params / 1e9:.4g} B x {each:g} bytes{scales}")]
    if workload.task == "adapters":
        given = workload.adapter_params
        ends = (given, given) if given else tuple(share * params for share in ADAPTERS)
        low, high = (parameter_memory(parameters=one, bytes_each=ADAPTED) for one in ends)
        text = f"{ADAPTED:g} bytes a parameter of the adapters"
        text += "" if given else f", {show(ADAPTERS[0], '%')} to {show(ADAPTERS[1], '%')} of the model's assumed"
        parts.append(MemoryPart("adapters", high, low, high, text, "" if given else "workload.adapter_params"))
    return parts


def _state(workload: Workload, params: float) -> list[MemoryPart]:
    """Weights, gradients and optimiser of a model that is trained."""
    given = workload.state_bytes
    least, most = (given, given) if given else STATE

    def part(name: str, low: float, high: float, words: str) -> MemoryPart:
        lo, hi = (parameter_memory(parameters=params, bytes_each=one) for one in (low, high))
        return MemoryPart(name, hi, lo, hi, words, "" if given else "workload.state_bytes")

    rest = [least - 4, most - 4]
    if given and given < 12:
        words = f"{params / 1e9:.4g} B x {given:g} bytes"
        return [part("weights, gradients and optimiser", given, given, words)]
    gradients = (2.0, 2.0 + max(0.0, most - 18))
    optimiser = (rest[0], most - 2 - gradients[1])
    if given:
        gradients = (gradients[1], gradients[1])
        optimiser = (optimiser[1], optimiser[1])
    size = f"{params / 1e9:.4g} B"
    return [
        part("weights", 2.0, 2.0, f"{size} x 2 bytes"),
        part("gradients", *gradients, f"{size} x {_ends(*gradients)} bytes"),
        part("optimiser", *optimiser, f"{size} x {_ends(*optimiser)} bytes: moments 8, master weights 4, copies"),
    ]


def _ends(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _value(workload: Workload, model: ModelShape | None, key: str) -> float | None:
    own = getattr(workload, key)
    found = own if own is not None else getattr(model, key, None)
    return None if found is None else float(found)


def _cache_each(workload: Workload) -> float:
    return BYTES[workload.cache_precision or "bf16"]


def _cache(workload: Workload, model: ModelShape | None) -> float | Missing:
    """Keys and values of one stream. [B]"""
    layers, heads, size = (_value(workload, model, key) for key in ("layers", "kv_heads", "head_size"))
    latent = model.cache_values if model and workload.kv_heads is None else None
    if layers is not None and latent:  # keys and values together: the formula has both apart
        heads, size = 0.5, float(latent)
    for key, found in (("layers", layers), ("kv_heads", heads), ("head_size", size)):
        if found is None:
            return Missing("the shape of the model is not declared", f"workload.{key}")
    return key_value_cache(layers=layers or 0, kv_heads=heads or 0, head_size=size or 0,
                           tokens=workload.context or 0, batch=1, bytes_each=_cache_each(workload))


def _cache_words(workload: Workload, model: ModelShape | None) -> str:
    layers, heads, size = (_value(workload, model, key) for key in ("layers", "kv_heads", "head_size"))
    values = f"2 x {layers:g} layers x {heads:g} heads x {size:g}" if heads and size else (
        f"{layers:g} layers x {model.cache_values if model else 0} values")
    return f"{values} x {workload.context:g} tokens x {workload.streams} x {_cache_each(workload):g} bytes"


def _activations(workload: Workload, model: ModelShape | None) -> MemoryPart | Missing:
    """What the backward pass needs, from all computed again to none."""
    shape = {key: _value(workload, model, key) for key in ("layers", "hidden", "heads")}
    for key, found in shape.items():
        if found is None:
            return Missing("the shape of the model is not declared", f"workload.{key}")
    layers, hidden, heads = (found or 0.0 for found in shape.values())
    tokens, batch = workload.context or 0, float(workload.streams)

    def kept(recompute: str) -> float:
        return activation_memory(layers=layers, tokens=tokens, batch=batch, hidden=hidden,
                                 heads=heads if recompute == "none" else 0.0, recomputed=recompute == "full")

    if workload.recompute:
        value = kept(workload.recompute)
        return MemoryPart("activations", value, 0.7 * value, 1.3 * value,
                          f"{_ACTIVATIONS[workload.recompute]}, +-30 %")
    return MemoryPart("activations", kept("none"), kept("full"), kept("none"),
                      "all computed again, to none: recomputation not declared", "workload.recompute")


_ACTIVATIONS = {"full": "2 s b h a layer", "selective": "34 s b h a layer", "none": "s b h (34 + 5 a s / h) a layer"}
