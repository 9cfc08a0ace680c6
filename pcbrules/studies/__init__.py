# SPDX-License-Identifier: MIT
"""Questions about a board that no profile judges: which lines it has, which trace gives an impedance.

One file a study, one more for its texts. Studies use analysis through the same seams as the rules do.
"""
