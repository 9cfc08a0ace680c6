# SPDX-License-Identifier: MIT
"""What the keys of The file and its `board` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "BoardFile": {"schema": "version of this format"},
    "BoardInfo": {
        "revision": "of the design, such as B2; stands on the first page of a report",
        "date": "of the revision, as YYYY-MM-DD",
        "platform": "what kind of board it is, see `pcbrules library platforms`",
        "form_factor": "outline that it has to fit, see `pcbrules library form_factors`",
    },
    "Outline": {"width": "one side of the board", "height": "the other side"},
    "BoardThickness": {"value": "of the finished board", "over": "what was measured over"},
}
