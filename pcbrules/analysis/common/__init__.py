# SPDX-License-Identifier: MIT
"""Shared by all rooms: tasks and their plan, the way over all links and all rails, intervals, dielectrics, loads.

In: the board. Out: small records and functions that the other rooms take; no fact.
Imports nothing from another room.
Read `plan.py` first.
"""
