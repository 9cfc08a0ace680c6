# SPDX-License-Identifier: MIT
"""The record of a fabrication class."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pcbrules.model.catalogue.base import Entry, Sourced
from pcbrules.model.catalogue.fields import Metre, Number, Ratio


class FabricationClass(Entry, Sourced):
    """What a fabrication class holds: tolerances (half widths) and capabilities.

    ``width`` (m), ``backdrill`` depth (m), ``registration`` of drills and layers (m), the other tolerances are ratios;
    ``aspect_ratio`` is thickness over drill, ``min_dielectric`` (m) the thinnest dielectric, ``impedance`` the class
    that can be ordered.
    """

    width: Metre
    dielectric: Ratio
    copper: Ratio
    dk: Ratio
    df: Ratio
    backdrill: Metre
    thickness: Ratio
    registration: Metre
    aspect_ratio: Annotated[Number, Field(gt=0)]
    min_dielectric: Metre
    impedance: Ratio
