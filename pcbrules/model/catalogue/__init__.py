# SPDX-License-Identifier: MIT
"""The records that library entries and a board's own materials are made of."""
