# SPDX-License-Identifier: MIT
"""Plated holes: capacitance, inductance, the wave along a barrel, stubs, coupling of pairs of barrels."""
