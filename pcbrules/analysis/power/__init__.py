# SPDX-License-Identifier: MIT
"""Power rails: impedance over frequency, resonances, droop, regulators, capacitors, supplies.

In: the board's rails and power. Out: facts of PDN001 to PDN005 and PDN007 to PDN009.
Imports `common` alone.
Read `rail_task.py` (a rail as plain numbers), then `ladder.py`; `layout.py` and `plane_rail.py` for real planes.
"""
