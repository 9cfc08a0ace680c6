# SPDX-License-Identifier: MIT
"""What the keys of `workload` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Workload": {
        "task": "adapters: LoRA and QLoRA; on-device: serving beside the sensor",
        "model": "see `pcbrules library models`; keys beside it replace its figures",
        "params": "parameters of the model",
        "active_params": "parameters that a token needs, with a mixture of experts",
        "precision": "format of the weights; of training it is that of the forward pass",
        "context": "tokens of one stream or sequence; 8k is 8,192",
        "streams": "streams, or sequences of training, at the same time on all accelerators together",
        "cache_precision": "format of keys and values, bf16 without one",
        "layers": "layers of the model",
        "hidden": "hidden size",
        "heads": "heads of queries",
        "kv_heads": "heads of keys and values",
        "head_size": "values of a head",
        "state_bytes": "bytes of weights, gradients and optimiser a parameter: 12 to 20",
        "adapter_params": "parameters of the adapters",
        "recompute": "activations that the backward pass computes again",
        "tokens_per_second": "wanted rate of one stream",
        "training_tokens": "tokens that are trained on",
        "reasoning": "true for long chains of thought: serving that loads a board like training",
        "utilisation": "share of the peak power that is drawn on average",
    },
}
EXAMPLES: Mapping[str, Mapping[str, str]] = {"Workload": {"utilisation": "50 %"}}
