# SPDX-License-Identifier: MIT
"""Bundled data: laminates, foils, links, accelerators and the like, one YAML file per entry."""

from __future__ import annotations

from pcbrules.library.load import UnknownEntry, defaults, entry, ids, kinds, laminate, laminates, resolve

__all__ = ["UnknownEntry", "defaults", "entry", "ids", "kinds", "laminate", "laminates", "resolve"]
