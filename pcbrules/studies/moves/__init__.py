# SPDX-License-Identifier: MIT
"""Changes of a board that may cure findings, one family a file: a module with ``moves(scene)`` is one."""
