# SPDX-License-Identifier: MIT
"""The board itself: layers and their order, planes, laminates and foils, outline, what a fabricator can make.

In: the board's stackup, materials and fabrication. Out: facts of the STK, MAT, MEC and PLT rules and SIG004.
Imports `common` alone; `lines` and `thermal` take the laminates that a link touches from here.
Read `layer_count.py` first.
"""
