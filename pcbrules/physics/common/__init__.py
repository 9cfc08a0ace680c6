# SPDX-License-Identifier: MIT
"""What formulas of every room share: the card, first extremes of arrays, toleranced sums."""
