# SPDX-License-Identifier: MIT
"""What a board's accelerators are to run: the optional section `workload` of the board file."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from pcbrules.model.amounts import ContextTokens, Parameters, TrainedTokens
from pcbrules.model.shapes import PositiveRatio, Record, Text

Task = Literal["training", "fine-tuning", "adapters", "serving", "on-device"]
Precision = Literal["fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4"]
Recompute = Literal["none", "selective", "full"]

TRAINED: Final[frozenset[Task]] = frozenset({"training", "fine-tuning"})
"""Tasks that train every parameter."""

LEARNING: Final[frozenset[Task]] = TRAINED | {"adapters"}
"""Tasks with a backward pass."""

Whole = Annotated[int, Field(ge=1, le=1_000_000)]


class Workload(Record):
    """A model and what is done with it. What `model` names in the library need not be given."""

    task: Task
    model: Text | None = None
    params: Parameters | None = None
    active_params: Parameters | None = None
    precision: Precision = "bf16"
    context: ContextTokens | None = None
    streams: Whole = 1
    cache_precision: Precision | None = None
    layers: Whole | None = None
    hidden: Whole | None = None
    heads: Whole | None = None
    kv_heads: Whole | None = None
    head_size: Whole | None = None
    state_bytes: Annotated[float, Field(ge=2, le=40)] | None = None
    adapter_params: Parameters | None = None
    recompute: Recompute | None = None
    tokens_per_second: Annotated[float, Field(gt=0, le=1e6)] | None = None
    training_tokens: TrainedTokens | None = None
    reasoning: bool = False
    utilisation: PositiveRatio | None = None
