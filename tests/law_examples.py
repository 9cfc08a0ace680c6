# SPDX-License-Identifier: MIT
"""How many examples a law is tried on: the same sample at each run of the suite, all and new ones by `make laws`."""

from __future__ import annotations

import os

from hypothesis import settings

ALL = os.environ.get("PCBRULES_LAWS") == "all"
SHARE = 0.25
"""Of the examples of a law, those that the suite takes."""
FEWEST = 4
"""The suite takes at least this many, where there are as many."""


def examples(count: int) -> settings:
    """Settings of a law that is tried on ``count`` examples."""
    return settings(max_examples=count if ALL else max(min(FEWEST, count), round(SHARE * count)))


def load_profile() -> None:
    """Make the settings that hold where a law has none of its own."""
    settings.register_profile("suite", examples(100), derandomize=not ALL, deadline=None, print_blob=True)
    settings.load_profile("suite")
