# SPDX-License-Identifier: MIT
"""Boards whose one signal layer has the section of a golden entry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from pcbrules import api
from pcbrules.document import parse_yaml

DATA = files("pcbrules.selftest") / "data"
LAMINATE = "{{name: {0}, class: standard, family: epoxy, dk: {1}, df: 0.0001, at: 5 GHz, source: made for a test}}"
HEAD = """\
schema: 1
board: {name: golden, platform: edge-carrier, form_factor: som-carrier, size: {width: 90 mm, height: 90 mm}}
fabrication: {class: standard}
"""


def entry(file: str, identifier: str) -> Mapping[str, Any]:
    """An entry of a shipped golden file."""
    data = json.loads((DATA / f"{file}.golden.json").read_text(encoding="utf-8"))
    entries = data.get("entries") or data["cases"]
    found: Mapping[str, Any] = next(one for one in entries if one["id"] == identifier)
    return found


def board(text: str) -> api.Loaded:
    """A board from its text."""
    return api.resolve(parse_yaml(text.encode(), "golden.yaml"))


def stripline(*, below: float, above: float, copper: float, core: float, prepreg: float, links: str = "") -> str:
    """L2 between planes; heights below the foot and above the top face, in micrometres."""
    foil = "foil: hvlp, bond: low-etch"
    return f"""{HEAD}
materials:
  laminates:
    core: {LAMINATE.format('core', core)}
    prepreg: {LAMINATE.format('prepreg', prepreg)}
stackup:
- {{kind: copper, name: L1, thickness: 30 um, role: ground, {foil}}}
- {{kind: dielectric, thickness: {above} um, material: prepreg, form: prepreg}}
- {{kind: copper, name: L2, thickness: {copper} um, role: signal, {foil}}}
- {{kind: dielectric, thickness: {below} um, material: core, form: core}}
- {{kind: copper, name: L3, thickness: 30 um, role: ground, {foil}}}
{links}"""


def microstrip(
    *, height: float, copper: float, laminate: float, mask: tuple[float, float, float] | None = None, links: str = ""
) -> str:
    """L1 over a plane, bare or with a mask of (thickness, over the trace, Dk), in micrometres."""
    foil = "foil: hvlp, bond: low-etch"
    cover = own = ""
    if mask:
        cover = f"- {{kind: mask, name: M, thickness: {mask[0]} um, over_trace: {mask[1]} um, material: mask}}"
        own = f"    mask: {LAMINATE.format('mask', mask[2])}"
    return f"""{HEAD}
materials:
  laminates:
    core: {LAMINATE.format('core', laminate)}
{own}
stackup:
{cover}
- {{kind: copper, name: L1, thickness: {copper} um, role: signal, finish: osp, {foil}}}
- {{kind: dielectric, thickness: {height} um, material: core, form: core}}
- {{kind: copper, name: L2, thickness: 30 um, role: ground, {foil}}}
{links}"""
