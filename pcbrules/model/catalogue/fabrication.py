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
    that can be ordered. The rest is the least that is held, in metres: width and space of traces on inner and outer
    layers, diameter of a mechanical and of a laser drill, annular ring of either as drawn (pad less drill, halved),
    and laminate from the wall of a drill to copper.
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
    inner_width: Metre
    inner_space: Metre
    outer_width: Metre
    outer_space: Metre
    drill: Metre
    laser: Metre
    ring: Metre
    laser_ring: Metre
    hole_to_copper: Metre
