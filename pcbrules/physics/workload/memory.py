# SPDX-License-Identifier: MIT
"""Memory that a transformer takes: its parameters, the state of training, activations and the cache of attention."""

from __future__ import annotations

from pcbrules.physics.common.card import FormulaCard

_SHAPE = {"layers": (1.0, 1000.0), "tokens": (1.0, 1e8), "batch": (1.0, 1e5)}


@FormulaCard(
    gives="B",
    valid={"parameters": (1e3, 1e14), "bytes_each": (0.25, 40.0)},
    source="a count. 12 bytes a trained parameter are weights 2, gradients 2 and the moments of Adam 8; 16 with master "
    "weights in FP32; 18 to 20 with gradients in FP32 (NextPCB, AI training and inference PCB guide, 2026)",
    accuracy="exact for dense storage; block scales of 4-bit formats add 3 % to 6 % of a byte a parameter",
)
def parameter_memory(*, parameters: float, bytes_each: float) -> float:
    """Return the memory of parameters, or of what training holds beside them.

    Parameters
    ----------
    parameters : float
        Parameters that are stored, or trained. [-]
    bytes_each : float
        Bytes of each. [-]

    Returns
    -------
    float
        Memory. [B]

    Examples
    --------
    >>> parameter_memory(parameters=70e9, bytes_each=2) / 1e9
    140.0
    """
    return parameters * bytes_each


@FormulaCard(
    gives="B",
    valid=_SHAPE | {"kv_heads": (1.0, 1000.0), "head_size": (1.0, 4096.0), "bytes_each": (0.25, 8.0)},
    source="a count: one key and one value for each layer, key-value head and token. With grouped queries the heads of "
    "keys and values count, not those of the queries (NextPCB, AI training and inference PCB guide, 2026, has the "
    "latter in its formula and the former in its figure)",
    accuracy="exact for attention that stores keys and values; latent attention stores less",
)
def key_value_cache(
    *, layers: float, kv_heads: float, head_size: float, tokens: float, batch: float, bytes_each: float
) -> float:
    """Return the memory of keys and values of all tokens that attention looks back at.

    Parameters
    ----------
    layers : float
        Layers with attention. [-]
    kv_heads : float
        Heads of keys and values in each. [-]
    head_size : float
        Values of one head. [-]
    tokens : float
        Tokens of one stream. [-]
    batch : float
        Streams at the same time. [-]
    bytes_each : float
        Bytes of a value. [-]

    Returns
    -------
    float
        Memory. [B]

    Examples
    --------
    >>> found = key_value_cache(layers=80, kv_heads=8, head_size=128, tokens=4096, batch=32, bytes_each=2)
    >>> f"{found / 1e9:.1f} GB"
    '42.9 GB'
    """
    return 2 * layers * kv_heads * head_size * tokens * batch * bytes_each


@FormulaCard(
    gives="B",
    valid=_SHAPE | {"hidden": (1.0, 1e5), "heads": (0.0, 1000.0)},
    source="Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, 2022, equation 1 and "
    "table 2: 16-bit activations without recomputation; 2 s b h a layer where all are computed again",
    accuracy="an estimate for the layer of that paper, 30 % for others; with full recomputation a bound from below",
)
def activation_memory(
    *, layers: float, tokens: float, batch: float, hidden: float, heads: float, recomputed: bool = False
) -> float:
    """Return the memory of activations that a backward pass needs.

    Parameters
    ----------
    layers : float
        Layers. [-]
    tokens : float
        Tokens of one sequence. [-]
    batch : float
        Sequences at the same time. [-]
    hidden : float
        Hidden size. [-]
    heads : float
        Heads of queries; 0 where attention keeps no scores, as with selective recomputation. [-]
    recomputed : bool
        True where only the input of each layer is kept.

    Returns
    -------
    float
        Memory. [B]

    Examples
    --------
    >>> found = activation_memory(layers=32, tokens=2048, batch=1, hidden=4096, heads=32)
    >>> f"{found / 1e9:.1f} GB"
    '30.6 GB'
    """
    each = 2.0 if recomputed else 34 + 5 * heads * tokens / hidden
    return layers * tokens * batch * hidden * each
