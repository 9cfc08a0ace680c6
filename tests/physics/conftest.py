# SPDX-License-Identifier: MIT
"""Reference solvers and laws that the rooms of this folder share are found here."""
