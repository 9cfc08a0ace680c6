# SPDX-License-Identifier: MIT
"""From a board to facts: one file a question. What costs time is planned as tasks of plain numbers."""
