# SPDX-License-Identifier: MIT
"""Heat: spreading in boards, fields of thermal vias, stacks of interfaces."""
