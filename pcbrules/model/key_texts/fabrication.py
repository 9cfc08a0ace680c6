# SPDX-License-Identifier: MIT
"""What the keys of `fabrication` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "Fabrication": {
        "class": "fabrication class with its tolerances, see `pcbrules library fabrication`",
        "aspect_ratio": "depth over drill that the fabricator agrees to, instead of the class's",
        "min_dielectric": "thinnest dielectric that the fabricator agrees to",
        "ipc_class": "performance class of IPC-6012",
    },
    "ImpedanceControl": {
        "tolerance": "of the impedance, as ordered",
        "coupon": "whether the fabricator measures it on a coupon",
    },
    "Tolerances": {
        "width": "of a trace, as a length or a share",
        "dielectric": "of the thickness of dielectrics",
        "copper": "of the thickness of copper",
        "dk": "of Dk",
        "df": "of Df",
        "backdrill": "of the depth of backdrills",
        "thickness": "of the whole board",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "Fabrication": {"min_dielectric": "50 um"},
    "Tolerances": {
        "width": "12 um",
        "dielectric": "8 %",
        "copper": "10 %",
        "dk": "2 %",
        "df": "10 %",
        "backdrill": "3 mil",
        "thickness": "10 %",
        "registration": "75 um",
    },
}
