# SPDX-License-Identifier: MIT
"""A board with some of its inputs changed: axes of values, the variants that they span, what each is judged."""
