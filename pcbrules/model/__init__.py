# SPDX-License-Identifier: MIT
"""The board as the rules see it: frozen records, SI floats, every name known."""
