# SPDX-License-Identifier: MIT
"""IPC-2581 files, revisions A, B, B1 and C."""
