# SPDX-License-Identifier: MIT
"""Traces: from a trace on a layer to its cross-section, impedance, delay, loss and skew.

In: the board, a step of a link's path. Out: facts of SIG001, SIG002, SIG007 and MAT005; solved lines.
Imports `common` and `board`.
Read `task.py` (the cross-section as plain numbers), then `section.py` and `solve.py`.
"""
