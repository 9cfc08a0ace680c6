# SPDX-License-Identifier: MIT
"""Plated holes: what backdrilling leaves of them, their stubs, the ground vias beside them, one via solved.

In: the board's via types and the vias of its links. Out: facts of SIG003, STK005, VIA001 and VIA002; solved vias.
Imports `common` alone.
Read `plated_holes.py` (lengths), then `task.py` and `solve.py` (a via as plain numbers).
"""
