# SPDX-License-Identifier: MIT
"""What couples into a link: traces beside it, vias beside its vias, connectors; the sum, and its noise.

In: the neighbours that the file gives, solved channels. Out: facts of SIG005, SIG006 and CHN005.
Imports `common`, `lines`, `vias` and `channel`.
Read `neighbours.py`, then `solve.py` and `power_sum.py`.
"""
