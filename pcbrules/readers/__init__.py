# SPDX-License-Identifier: MIT
"""From a file to a board, one reader per input format."""
