# SPDX-License-Identifier: MIT
"""A link from end to end: its elements in a chain, loss, return loss, stubs in band, a step that comes back.

In: the path of a link, its lines and vias. Out: facts of CHN001 to CHN005 and CHN007; curves for pictures.
Imports `common`, `lines` and `vias`.
Read `elements.py` (from a path to elements), then `task.py` and `solve.py`.
"""
