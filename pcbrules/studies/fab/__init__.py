# SPDX-License-Identifier: MIT
"""What is ordered of a fabricator, made from the board that was checked, and what comes back compared with it."""
