# SPDX-License-Identifier: MIT
"""pcbrules: a pre-tapeout screen of printed circuit boards for signal and power integrity."""

from __future__ import annotations

from pcbrules.version import VERSION as __version__

__all__ = ["__version__"]
