# SPDX-License-Identifier: MIT
"""What the keys of `stackup` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Copper": {
        "kind": "a copper layer",
        "thickness": "finished thickness, plating included",
        "base_weight": "foil that was laminated, before plating",
        "role": "what the layer is for",
        "foil": "foil class of both sides, or of each; see `pcbrules library foils`",
        "finish": "of an outer layer: what is plated on copper that no solder mask covers",
    },
    "FoilSides": {"top": "side towards the first layer", "bottom": "side towards the last layer"},
    "Dielectric": {
        "kind": "a core or a pressed prepreg",
        "thickness": "between the copper faces, after pressing",
        "material": "laminate, of `materials` or of `pcbrules library laminates`",
        "form": "cured before the press, or in it",
        "glass": "glass style or styles, see `pcbrules library glass`",
        "plies": "number of glass layers",
    },
    "Mask": {
        "kind": "solder mask",
        "thickness": "beside traces",
        "over_trace": "on top of traces",
        "material": "solder mask, of `materials` or of `pcbrules library laminates`",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "Dielectric": {"resin": "68 %"},
}
