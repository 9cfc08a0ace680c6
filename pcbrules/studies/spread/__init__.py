# SPDX-License-Identifier: MIT
"""What the spread of fabrication and material makes of a board: factors, samples, yield."""
