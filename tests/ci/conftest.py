# SPDX-License-Identifier: MIT
"""The command-line bench is at hand here too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
