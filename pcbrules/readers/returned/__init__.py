# SPDX-License-Identifier: MIT
"""What a fabricator returns for an order: its stackup and its lines, as IPC-2581 or CSV."""
