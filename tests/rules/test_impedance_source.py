# SPDX-License-Identifier: MIT
"""An impedance is judged by its target and by the deviation from it: the source names who set the target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pcbrules import api, rulesets
from pcbrules.document import read_yaml
from pcbrules.results.finding import Finding

BASE = read_yaml(str(Path(__file__).parent / "base" / "signal.yaml"))
RUN = "links.pcie.path.run"


def judged(impedance: str | None, link: str = "pcie", **options: Any) -> dict[str, Finding]:
    document = BASE if impedance is None else BASE.edited(("links", link, "impedance"), impedance)
    options = {"select": ("SIG001",), **options}
    report = api.check(api.resolve(document), rulesets.load("training"), api.Options(**options))
    return {finding.subject: finding for finding in report.findings}


def test_a_target_of_the_board_file_is_a_declaration() -> None:
    source = judged("88.7 ohm")[RUN].source
    assert source is not None and source.provenance == "declared"
    assert source.text.startswith("target: the board file; deviation: NextPCB")


@pytest.mark.parametrize("impedance", [None, "85 ohm", "0.085 kohm"])
def test_a_target_that_is_the_standards_has_its_source(impedance: str | None) -> None:
    assert judged(impedance)[RUN].source == judged(None)[RUN].source
    source = judged(impedance)[RUN].source
    assert source is not None and source.provenance == "guide"


def test_beside_a_target_of_the_profile_the_boards_own_is_a_declaration() -> None:
    found = judged("104 ohm", "nvl")
    profile, own = found["links.nvl.path.run"].source, found["links.nvl.path.run.declared"].source
    assert profile is not None and profile.provenance == "guide"
    assert own is not None and own.provenance == "declared"
