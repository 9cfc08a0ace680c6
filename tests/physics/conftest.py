# SPDX-License-Identifier: MIT
"""Formulas are judged by their values; how long one call takes on a busy machine says nothing."""

from hypothesis import settings

settings.register_profile("physics", deadline=None)
settings.load_profile("physics")
