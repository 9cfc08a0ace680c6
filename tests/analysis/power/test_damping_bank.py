# SPDX-License-Identifier: MIT
"""The bank that PDN007 proposes: on the board it damps the peak, and with twice the inductance it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding

PLACE = Path(__file__).parents[2] / "rules" / "base" / "power.yaml"
LADDER = ("rails", "core", "ladder")


def damping(document: Document) -> list[Finding]:
    """Findings about damping that do not pass, of peaks near 1 MHz."""
    report = api.check(api.resolve(document), "training", api.Options(select=("PDN007",)))
    return [f for f in report.findings
            if f.subject.startswith("rails.core.peaks.") and f.subject.endswith(".damping") and f.status != "pass"]


@pytest.mark.parametrize(("share", "damped"), [(1.0, True), (3.0, False)])
def test_the_bank_of_the_fix(share: float, damped: bool) -> None:
    document = read_yaml(str(PLACE), PLACE.name)
    (before,) = damping(document)
    found = re.search(r"bank beside (\w+) .*: (\d+) pieces of 100 uF \(effective\), each with an ESR of ([0-9.]+) mohm "
                      r"and at most ([0-9.]+) nH", before.fix)
    assert found is not None
    ladder = list(document.get(LADDER))
    place = next(i for i, step in enumerate(ladder) if step.get("bank", {}).get("name") == found[1])
    own = {"name": "damper", "count": int(found[2]), "capacitance": "100 uF", "effective": "100 uF",
           "esr": f"{found[3]} mohm", "mounted_inductance": f"{share * float(found[4]):.4f} nH"}
    ladder.insert(place + 1, {"bank": own})
    assert (not damping(document.edited(LADDER, ladder))) is damped
