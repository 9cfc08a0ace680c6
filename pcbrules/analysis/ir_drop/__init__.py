# SPDX-License-Identifier: MIT
"""Direct current over the copper of a rail: drop, power lost, current of barrels, narrow places.

In: the shapes of a rail's planes, its sources and balls. Out: the facts of PDN006, maps for pictures.
Imports `common` alone.
Read `task.py`, then `solve.py`.
"""
