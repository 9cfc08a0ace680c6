# SPDX-License-Identifier: MIT
"""Heat: does the cooling suit the power, do thermal vias lead it away, how near to Tg is the hottest place?

In: the board's thermal section, accelerators and thermal vias. Out: facts of THM001 to THM005 and MAT003.
Imports `common` and `board`.
Read `cooling.py` first.
"""
