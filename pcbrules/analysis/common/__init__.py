# SPDX-License-Identifier: MIT
"""What every room shares: tasks and their plan, ranges, the words for what is missing, materials, loads.

In: the board. Out: small records and functions that the other rooms take; no fact.
Imports nothing from another room.
Read `plan.py` first.
"""
