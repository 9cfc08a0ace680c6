# SPDX-License-Identifier: MIT
"""Crosstalk of a link: from traces beside it, vias and connectors, its power sum and its noise.

In: the neighbours that the file gives, solved channels. Out: facts of SIG005, SIG006 and CHN005.
Imports `common`, `lines`, `vias` and `channel`.
Read `neighbours.py`, then `solve.py` and `power_sum.py`.
"""
