# SPDX-License-Identifier: MIT
"""Traces: from a trace on a layer to its cross-section, impedance, delay, loss and skew.

In: the board, a step of a link's path. Out: facts for SIG001, SIG002 and SIG007; solved lines for channels and crosstalk.
Imports `common` and `board`.
Read `task.py` (the cross-section as plain numbers), then `section.py` and `solve.py`.
"""
