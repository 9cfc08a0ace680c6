# SPDX-License-Identifier: MIT
"""Facts: what analysis found out about a board, one record per subject. Rules read them; they load no numpy."""
