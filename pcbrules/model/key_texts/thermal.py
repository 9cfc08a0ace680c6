# SPDX-License-Identifier: MIT
"""What the keys of `thermal` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Thermal": {
        "cooling": "of the system, see `pcbrules library cooling`",
        "via_arrays": "fields of thermal vias, by name",
        "inlet": "temperature of the air or liquid that comes in",
    },
    "Tim": {"mount": "whether the cold plate is screwed down or pressed on by springs", "contributors": "to the gap"},
    "TimContributor": {
        "gap": "share of the gap, with its tolerance",
        "in_contact_area": "whether it counts where the plate touches",
    },
    "ViaArray": {
        "under": "the part above",
        "pitch": "of the square grid",
        "drill": "diameter of the vias",
        "plating": "thickness of the copper in the holes",
        "count": "number of vias",
        "fill": "what is in the holes",
        "laminate_conductivity": "through the board, instead of the library's",
        "foil_thickness": "of the outer foils over the field",
    },
    "BoardAir": {
        "temperature": "of the air at the board",
        "top": "heat-transfer coefficient of the upper face",
        "bottom": "heat-transfer coefficient of the lower face",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "ViaArray": {"laminate_conductivity": "0.35 W/(m K)"},
}
