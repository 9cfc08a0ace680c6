# SPDX-License-Identifier: MIT
"""What the report says of an input is what a check of the board with another value of it says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pcbrules import api, reports, rulesets
from pcbrules.document import Document, read_yaml
from pcbrules.results.derivation import Derivation, Step
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.studies.exhibits.sensitivities import sensitivities

ROOT = Path(__file__).resolve().parents[2]
FILE = "boards/jetson-orin-carrier.yaml"
RUN = ("links", "pcie_l3", "path", 2, "trace")


@cache
def document() -> Document:
    return read_yaml(ROOT / FILE, FILE)


def found(board: Document, rule: str, subject: str) -> Finding:
    report = api.check(api.resolve(board), "edge", api.Options(select=(rule,)), fixes=False)
    return next(one for one in report.findings if one.subject == subject)


@cache
def rows() -> dict[str, str]:
    loaded = api.resolve(document())
    report = api.check(loaded, "edge", api.Options(select=("SIG001", "CHN001", "PDN001")), fixes=False)
    made = sensitivities(loaded.board, report.findings)
    assert made is not None
    return {first.split("\n")[0].partition(" and ")[0]: moves for first, moves in made.tables[0].rows}


def number(text: str, pattern: str) -> float:
    seen = re.search(pattern, text)
    assert seen is not None, text
    return float(seen[1])


def value(one: Finding) -> float:
    assert one.measured is not None
    return one.measured.value


def test_a_longer_trace_costs_what_is_said() -> None:
    said = number(rows()["CHN001 links.pcie_l3"], r"length of run, 70 mm: ([0-9.]+) dB for 10 mm")
    board = document()
    for key, length in (("length", "80 mm"), ("length_p", "80 mm"), ("length_n", "79.85 mm")):
        board = board.edited((*RUN, key), length)
    longer, today = (value(found(one, "CHN001", "links.pcie_l3")) for one in (board, document()))
    assert longer - today == pytest.approx(said, rel=0.03)


def test_a_wider_trace_moves_the_impedance_as_is_said() -> None:
    said = number(rows()["SIG001 links.pcie_l3.path.run.spread"], r"trace width .*, ([0-9.]+) % for 10 um")
    wide = document().edited((*RUN, "width"), "162.02 um").edited((*RUN, "top_width"), "154.4 um")
    wide = wide.edited((*RUN, "gap"), "163.1 um")
    texts = [found(one, "SIG001", "links.pcie_l3.path.run").message for one in (document(), wide)]
    before, after = (number(text, r"^([0-9.]+) ohm") for text in texts)
    assert (before - after) / before * 100 * 5 == pytest.approx(said, rel=0.05), "2 um wider, 2 um less gap"


def test_a_rail_without_a_bank_is_as_is_said() -> None:
    said = number(rows()["PDN001 rails.p3v3"], r"bank hf1 \(8 x 1 uF\): [0-9.]+ mohm -> ([0-9.]+) mohm without it")
    path = ("rails", "p3v3", "ladder")
    at = next(at for at, step in enumerate(document().get(path))
              if isinstance(step.get("bank"), dict) and step["bank"].get("name") == "hf1")
    assert value(found(document().without((*path, at)), "PDN001", "rails.p3v3")) == pytest.approx(
        said / 1000, rel=0.02)


@pytest.mark.parametrize(("part", "said"), [("stubs", "stubs of all vias: {} without them"),
                                            ("roughness", "roughness of run: {} with a smooth foil")])
@pytest.mark.parametrize(("share", "sign"), [(0.014, "-0.014 dB"), (-0.014, "+0.014 dB")])
def test_a_share_of_the_loss_has_one_sign(part: str, said: str, share: float, sign: str) -> None:
    """Stubs may cancel a reflection, so without them the loss may be larger."""
    steps = (Step(f"run: {part}", share, "dB"),)
    one = Finding(rule="CHN001", title="t", subject="links.up", status=Status.PASS, severity=Severity.ERROR,
                  message="m", where=Location("f", 1, 1), limit=Limit(None, 8.0, "dB", "<= 8 dB"),
                  measured=Measured(value=5.0, lo=5.0, hi=5.0, model="m", basis="computed",
                                    derivation=lambda: Derivation((), "m", steps)))
    made = sensitivities(api.resolve(document()).board, [one])
    assert made is not None and made.tables[0].rows[0][1] == said.format(sign)


@pytest.mark.long
def test_a_report_has_the_sections_that_are_asked() -> None:
    loaded, ruleset = api.resolve(document()), rulesets.load("edge")
    plain = api.check(loaded, ruleset, exhibits=True)
    asked = api.with_studies(plain, loaded, ruleset, reaching=True, fixing=True)
    for report, ids in ((plain, ["sensitivities"]), (asked, ["fix", "reach", "sensitivities"])):
        page = reports.render("html", [report])
        assert isinstance(page, str)
        assert re.findall(r'<section id="(\w+)" class="study">', page) == ids
        assert all(f'<a href="#{one}">' in page for one in ids)
    assert "pcie_l3 routed on L1" in page and "+++ b/boards/jetson-orin-carrier.yaml" in page
    assert len(re.findall("<td[^>]*>reaches", page)) == 5
    assert re.search(r"SIG006 is not evaluated from 83\.2 mm on \(.* is not declared\); SIG006 fails first, from "
                     "130 mm on", page)
    heads = re.findall("<th>([^<]*)</th>", page.partition('<section id="reach"')[2].partition("</thead>")[0])
    assert heads == ["Link", "Layer", "Width", "Reach", "Today", "Verdict"], "each column says what it holds"
    assert "Budgets of the loss" in page and "<td>pcie_m2, pcie_l3 (PCI Express 4.0)</td>" in page
