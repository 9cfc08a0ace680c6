# SPDX-License-Identifier: MIT
"""Two-dimensional quasi-static field solver of lines: capacitance, inductance, resistance of any cross-section."""
