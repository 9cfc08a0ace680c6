# SPDX-License-Identifier: MIT
"""How many examples a law is tried on: a sample in the suite, all of them in the CI workflow (`PCBRULES_LAWS=many`),
all and new ones at each run by `make laws` (`PCBRULES_LAWS=all`)."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

LAWS = os.environ.get("PCBRULES_LAWS", "")
ALL = LAWS in ("all", "many")
SHARE = 0.07
"""Of the examples of a law, those that the suite takes."""
FEWEST = 3
"""The suite takes at least this many, where there are as many."""

NO_CONSTANTS = providers._local_constants if hasattr(providers, "_local_constants") else None
"""Constants of the modules that are loaded, before any is read: a law tried alone has the examples that it has among
all others, and no run parses all modules for them."""


def examples(count: int, *, fewest: int = FEWEST) -> settings:
    """Settings of a law that is tried on ``count`` examples, in the suite on ``fewest`` at least."""
    return settings(max_examples=count if ALL else max(min(fewest, count), round(SHARE * count)))


def load_profile() -> None:
    """Make the settings that hold where a law has none of its own. No check hangs on the clock of a busy machine."""
    settings.register_profile("suite", examples(100), derandomize=LAWS != "all", deadline=None, print_blob=True,
                              suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("suite")
    if LAWS != "all" and hasattr(providers, "_get_local_constants"):
        providers._get_local_constants = lambda: NO_CONSTANTS
