# SPDX-License-Identifier: MIT
"""The bank that PDN007 proposes: on the board it damps the peak, and with one more digit of inductance it does not."""

from __future__ import annotations

import re
from functools import cache
from math import floor, log10
from pathlib import Path

import pytest

from pcbrules import api
from pcbrules.analysis.power import damping_bank
from pcbrules.document import Document, read_yaml
from pcbrules.results.finding import Finding
from pcbrules.solver_cache import SolverCache

PLACE = Path(__file__).parents[2] / "rules" / "base" / "power.yaml"
LADDER = ("rails", "core", "ladder")


def damping(document: Document) -> list[Finding]:
    """Findings about damping that do not pass, of peaks near 1 MHz; solved anew, since tests move what is searched."""
    with SolverCache().used():
        report = api.check(api.resolve(document), "training", api.Options(select=("PDN007",)))
    return [f for f in report.findings
            if f.subject.startswith("rails.core.peaks.") and f.subject.endswith(".damping") and f.status != "pass"]


@cache
def fix() -> str:
    """The fix of the base board."""
    (before,) = damping(read_yaml(str(PLACE), PLACE.name))
    return before.fix


def with_bank(document: Document, text: str, inductance: str) -> Document:
    """The board with the bank of a fix, its pieces mounted with its ``own`` inductance, the ``most``, or ``more``."""
    found = re.search(r"bank beside (\w+) .*: (?P<count>\d+) pieces like those of (\w+) .*, (?P<c>[0-9.]+) uF "
                      r"\(effective\) and (?P<own>[0-9.]+) nH mounted, each with an ESR of (?P<esr>[0-9.]+) mohm.*"
                      r"up to (?P<most>[0-9.]+) nH mounted still damps the peak", text)
    assert found is not None, text
    ladder = list(document.get(LADDER))
    place = next(i for i, step in enumerate(ladder) if step.get("bank", {}).get("name") == found[1])
    value = float(found["most"]) if inductance == "more" else float(found[inductance])
    step = 10 ** (floor(log10(float(found["own"]))) - 1) if inductance == "more" else 0.0
    own = {"name": "damper", "count": int(found["count"]), "capacitance": f"{found['c']} uF",
           "effective": f"{found['c']} uF", "esr": f"{found['esr']} mohm",
           "mounted_inductance": f"{value + step:.4f} nH"}
    ladder.insert(place + 1, {"bank": own})
    return document.edited(LADDER, ladder)


@pytest.mark.parametrize(("inductance", "damped"), [("own", True), ("most", True), ("more", False)])
def test_the_bank_of_the_fix(inductance: str, damped: bool) -> None:
    """As the rail mounts its pieces, and to the last printed digit of the largest inductance."""
    document = read_yaml(str(PLACE), PLACE.name)
    assert (not damping(with_bank(document, fix(), inductance))) is damped


def test_the_pieces_are_those_of_the_rail() -> None:
    document = read_yaml(str(PLACE), PLACE.name)
    mounted = {step["bank"]["mounted_inductance"] for step in document.get(LADDER) if "bank" in step}
    own = re.search(r"and ([0-9.]+ nH) mounted", fix())
    assert own is not None and own[1] in mounted


def test_more_resistance_where_no_bank_damps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without room for a bank the fix gives the ESR of the bank that rings: on the board it damps the peak."""
    monkeypatch.setattr(damping_bank, "MOST", 0)
    document = read_yaml(str(PLACE), PLACE.name)
    (before,) = damping(document)
    found = re.search(r"raise the ESR of each piece of (\w+) .* from ([0-9.]+) mohm to ([0-9.]+) mohm", before.fix)
    assert found is not None and float(found[3]) > float(found[2]), before.fix
    ladder = [dict(step) for step in document.get(LADDER)]
    place = next(i for i, step in enumerate(ladder) if step.get("bank", {}).get("name") == found[1])
    ladder[place] = {"bank": {**ladder[place]["bank"], "esr": f"{found[3]} mohm"}}
    assert not damping(document.edited(LADDER, ladder))


def test_nothing_is_named_where_nothing_damps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damping_bank, "MOST", 0)
    monkeypatch.setattr(damping_bank, "RAISED", ())
    (before,) = damping(read_yaml(str(PLACE), PLACE.name))
    assert "no bank of the rail's own capacitors damps the peak, nor does more ESR in" in before.fix
