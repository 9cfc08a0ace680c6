# SPDX-License-Identifier: MIT
"""CHN007 names the dimension of a via that meets its limit: the edited board gives what the fix says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pcbrules import api, engine
from pcbrules.analysis.channel import via_cure
from pcbrules.analysis.channel.facts import prepare
from pcbrules.analysis.channel.link_verdicts import MOST_STEP, RETURNS, STEPS, percent
from pcbrules.analysis.channel.site import Site
from pcbrules.analysis.channel.via_cure import ViaCures
from pcbrules.api._arguments import ruleset_of
from pcbrules.api._profiles import in_class
from pcbrules.document import Document, read_yaml
from pcbrules.results.facts.tdr import ViaChange
from pcbrules.results.finding import Finding
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.rules._via_cure import solved
from pcbrules.units import to_si

PLACE = Path(__file__).parent / "base" / "signal.yaml"
BOARD = Path(__file__).parents[2] / "boards" / "hgx-h100-baseboard.yaml"
VIA = ("via_types", "pth")
SOLVED = re.compile(r"re-solved: ([0-9.]+) ohm, ([0-9.]+)%")


def alone(document: Document, *rules: str, profile: str = "training") -> dict[tuple[str, str], Finding]:
    """The findings of some rules by rule and subject, each with the fix that its rule finds for it alone."""
    ruleset = ruleset_of(profile)
    loaded = api.resolve(document)
    found = engine.evaluate(in_class(loaded.board, ruleset), ruleset, loaded.at, rules=rules)
    return {(one.rule, one.subject): one for one in found}


def edited(document: Document, finding: Finding) -> Document:
    """The document with the edits of a fix."""
    assert finding.cure is not None
    for one in finding.cure.ways[0]:
        document = document.edited(one.path, one.value)
    return document


def board(standard: str, impedance: str, layer: str, edits: dict[tuple[str, ...], Any]) -> Document:
    """One link through two vias of the base board."""
    trace = {"layer": layer, "width": "4.8 mil", "top_width": "4.5 mil", "gap": "7.2 mil", "length": "4 in"}
    path = [{"via": {"name": "in", "type": "pth", "enter": "L1", "leave": layer}}, {"trace": trace},
            {"via": {"name": "out", "type": "pth", "enter": layer, "leave": "L1"}}]
    made = read_yaml(str(PLACE), PLACE.name)
    made = made.edited(("links",), {"x": {"standard": standard, "impedance": impedance, "path": path}})
    for place, value in edits.items():
        made = made.edited((*VIA, *place), value)
    return made


def transition(document: Document) -> Finding:
    return alone(document, "CHN007")["CHN007", "links.x.transition"]


@pytest.mark.parametrize(("standard", "impedance", "layer", "edits", "key"), [
    ("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "26 mil"}, ("backdrill", "residual")),
    ("nvlink4", "85 ohm", "L6", {("backdrill", "residual"): "4 mil", ("return_vias", "distance"): "3 mm",
                                 ("antipad",): {"shape": "oval", "width": "1.1 mm", "length": "1.9 mm"}},
     ("antipad", "width")),
])
def test_the_edited_board_gives_what_the_fix_says(
    standard: str, impedance: str, layer: str, edits: dict[tuple[str, ...], Any], key: tuple[str, ...]
) -> None:
    document = board(standard, impedance, layer, edits)
    failing = transition(document)
    assert failing.status == "fail"
    assert failing.cure is not None
    named = failing.cure.ways[0]
    assert named[0].path == (*VIA, *key) and f"`{named[0].key}: {named[0].value}`" in failing.fix.replace(
        f"`{key[0]}.{key[1]}: ", f"`{named[0].key}: ")
    assert (len(named) == 2) is (key[0] == "antipad"), "the length of an oval moves along, and is named"
    cured = edited(document, failing)
    again = transition(cured)
    ohm, off = SOLVED.search(failing.fix).groups()  # type: ignore[union-attr]
    assert again.status in ("pass", "marginal", "not-evaluated")
    assert again.measured is not None and again.measured.value == pytest.approx(float(off) / 100, abs=6e-4)
    assert f"{float(ohm):.3g}" == f"{float(again.message.split()[2]):.3g}"


def test_a_hole_without_a_drill_is_given_the_longest_stub_and_all_keys_of_its_drill() -> None:
    """The class holds the depth to 3 mil, so the residual is the stub less 3 mil; all keys are named, and hold."""
    document = board("pcie4", "100 ohm", "L3", {("backdrill",): None})
    failing = transition(document)
    found = re.match(r"leave a stub of ([0-9.]+) (mil|mm) or less, drill tolerance included: write `backdrill: ",
                     failing.fix)
    assert found is not None and failing.cure is not None, failing.fix
    keys = {one.path[-1]: one.value for one in failing.cure.ways[0]}
    assert list(keys) == ["side", "must_not_cut", "residual", "tolerance", "datum", "diameter"]
    assert to_si(*_number(keys["residual"])) + to_si(*_number(keys["tolerance"])) == pytest.approx(
        to_si(float(found[1]), found[2]), abs=3e-6)
    again = transition(edited(document, failing))
    assert again.measured is not None and 0.13 < again.measured.value <= 0.15
    room = alone(edited(document, failing), "VIA002").values()
    assert {one.status for one in room} <= {"pass", "marginal", "not-applicable"}


def _number(text: str) -> tuple[float, str]:
    value, unit = text.split()
    return float(value), unit


def test_all_together_where_none_is_enough() -> None:
    fix = transition(board("nvlink4", "100 ohm", "L3", {("backdrill", "residual"): "7 mil"})).fix
    assert fix.startswith("no fix found: the best change, `")
    for key in ("backdrill.residual", "antipad.width", "return_vias.distance", "pitch"):
        assert f"`via_types.pth.{key}: " in fix or f"`{key}: " in fix
    off = [float(one) for one in re.findall(r"ohm, ([0-9.]+)%", fix)]
    assert len(off) == 5 and off[0] == min(off) > 15.0
    assert re.search(r"`via_types\.pth`, reaches .* ohm, [0-9.]+%, (marginal|fail) \(re-solved\)\. Tried too: ", fix)


@pytest.mark.long
def test_links_of_one_type_are_given_one_cure() -> None:
    """What meets the limit of nvl_l7 alone leaves nvl_l5 at 15.02 %: both are told what is enough for both."""
    found = alone(h100("nvl_l5", "nvl_l7", "pcie_up"), "CHN007")
    cures = {found["CHN007", f"links.{name}.transition"].fix.partition(" (")[0] for name in ("nvl_l5", "nvl_l7")}
    assert len(cures) == 1


@pytest.mark.long
def test_one_dimension_that_is_enough_for_more_links_goes_before() -> None:
    """Antipads of 0.78 mm meet the return loss of nvl_l7, those of 0.93 mm that of nvl_l5 too."""
    close = {"shape": "oval", "width": "0.55 mm", "length": "1.35 mm"}
    document = h100("nvl_l5", "nvl_l7").edited(("via_types", "fast", "antipad"), close)
    found = alone(document, "CHN004")
    cures = {found["CHN004", f"links.{name}"].fix.partition(" (")[0] for name in ("nvl_l5", "nvl_l7")}
    assert cures == {"set `antipad.width: 0.93 mm` and `antipad.length: 1.73 mm` in `via_types.fast`"}


def test_a_via_within_the_limit_is_not_solved_again() -> None:
    found = transition(board("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "12 mil"}))
    assert found.status == "marginal" and "re-solved" not in found.fix


def test_no_residual_below_what_a_fabricator_drills() -> None:
    """A tolerance of 2 mil would allow 3 mil; the least that is asked for is 5 mil, and without a drill 6 + 5 mil."""
    close = {("backdrill", "residual"): "5 mil", ("backdrill", "tolerance"): "2 mil"}
    assert "residual" not in transition(board("nvlink4", "100 ohm", "L3", close)).fix
    fix = transition(board("nvlink4", "100 ohm", "L3", {("backdrill",): None})).fix
    assert re.search(r"a stub of (11 mil|0\.279 mm) gives", fix)


def test_a_change_asks_for_nothing_that_the_class_refuses() -> None:
    """Holes that are wide apart: ground vias, pitch and antipads come no nearer than pads and planes allow."""
    far = {("antipad",): {"shape": "oval", "width": "1.25 mm", "length": "2.4 mm"}, ("pitch",): "1 mm",
           ("pad",): "0.5 mm", ("return_vias", "distance"): "1.4 mm"}
    document = board("nvlink4", "70 ohm", "L6", {("backdrill", "residual"): "6 mil", **far})
    failing = transition(document)
    tried = re.findall(r"`(?:via_types\.pth\.)?([a-z_.]+): ([0-9.]+ \w+)`", failing.fix)
    for key, value in tried:
        found = alone(document.edited((*VIA, *key.split(".")), value), "STK011", "VIA002")
        wrong = [f for f in found.values() if f.status == "fail" and "pth" in f.subject]
        assert not wrong, (key, value, wrong[0].message)
    assert {"return_vias.distance", "antipad.width"} <= {key for key, _ in tried}


def test_a_fix_says_for_which_other_links_it_holds() -> None:
    document = board("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "26 mil"})
    path = document.get(("links", "x", "path"))
    for name, ohm in (("like", "100 ohm"), ("higher", "125 ohm")):
        document = document.edited(("links", name), {"standard": "pcie4", "impedance": ohm, "path": path})
    fix = transition(document).fix
    assert "; holds for like too; not enough for higher (" in fix


def test_the_fix_of_a_return_loss_gives_what_it_says() -> None:
    document = board("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "30 mil"})

    before = alone(document, "CHN004")["CHN004", "links.x"]
    found = re.search(r"re-solved: ([0-9.]+) dB at the via's ", before.fix)
    assert before.status == "fail" and found is not None
    assert "CHN007 at links.x.transition has the same cause" in before.note
    after = alone(edited(document, before), "CHN004")["CHN004", "links.x"]
    assert after.status in ("pass", "marginal") and after.measured is not None
    assert after.measured.value == pytest.approx(float(found[1]), abs=0.1) and after.measured.value >= 11.95


def h100(*names: str) -> Document:
    """The H100 baseboard with some of its links."""
    document = read_yaml(str(BOARD), BOARD.name)
    links = document.get(("links",))
    return document.edited(("links",), {name: links[name] for name in names})


def searched(document: Document, name: str, least: float) -> tuple[ViaChange, ...]:
    """The search for CHN007 beside a least return loss [dB] that is as sharp as it is written."""
    made = api.resolve(document).board
    link = next(one for one in made.links or () if one.name == name)
    prepared = prepare(made, link, cold=25.0, hot=85.0)

    def sharp(one: Site) -> tuple[Measured, str] | None:
        found = RETURNS.judged(one)
        return found and (replace(found[0], error=0.0, lo=found[0].value, hi=found[0].value), found[1])

    def others() -> Iterator[Site]:
        for other in made.links or ():
            if other.name != name:
                more = prepare(made, other, cold=25.0, hot=85.0)
                yield Site(other, tuple(more.kept), more.task.hot)

    beside = replace(RETURNS, judged=sharp, limit=lambda _: Limit(least, None, "dB", f">= {least} dB"))
    site = Site(link, tuple(prepared.kept), prepared.task.hot)
    part = next(part for part in prepared.kept if part.step.name == "gpu_via")
    limit = Limit(None, MOST_STEP, "%", "<= 15 %")
    return ViaCures(made, site, part, replace(STEPS, limit=lambda _: limit), beside, others).search(limit)


@pytest.mark.long
def test_a_change_that_worsens_the_return_loss_is_no_cure_of_the_step() -> None:
    """Wider antipads bring the reading of nvl_l16 within 15 %, and its return loss from 11.6 below 11.5 dB."""
    tried = searched(h100("nvl_l16"), "nvl_l16", 11.5)
    harmed = next(one for one in tried if one.edits[0].path[-1] == "width")
    assert harmed.meets and not harmed.cures and harmed.harms.startswith("CHN004 pass to fail, 11.")
    assert not tried[-1].cures
    text = solved(tried, low=True).text
    assert "keeps the verdict of the other rule" in text and "CHN007 and CHN004 oppose each other here" in text


def test_what_a_cure_worsens_elsewhere_is_named() -> None:
    """A cure of nvl_l18, for which the return loss does not count, names nvl_l16 of the same type."""
    tried = searched(h100("nvl_l16", "nvl_l18"), "nvl_l18", 11.5)
    assert tried[-1].cures and tried[-1].worsens and tried[-1].worsens[0].startswith("nvl_l16 (CHN004 pass to fail, 1")
    assert "so give this link a via type of its own" in solved(tried, low=True).text


@pytest.mark.long
def test_no_fix_worsens_a_verdict_that_it_does_not_name() -> None:
    """The board with the fix of CHN007 has no worse verdict of CHN004, CHN007 or VIA001; the text says what falls."""
    document, rules = h100("nvl_l16", "nvl_l18"), ("CHN004", "CHN007", "VIA001")
    before = alone(document, *rules)
    cured = before["CHN007", "links.nvl_l16.transition"]
    fix = cured.fix
    fell = re.search(r"the two rules oppose each other: CHN004 stays marginal, from (11\.\d+) dB to (11\.\d+) dB", fix)
    assert fell is not None and float(fell[1]) > float(fell[2]) and "worsens" not in fix
    after = alone(edited(document, cured), *rules)
    order = ["pass", "marginal", "not-evaluated", "fail"]
    assert all(order.index(after[key].status) <= order.index(one.status)
               for key, one in before.items() if one.status in order)


def test_the_return_loss_says_that_wider_antipads_do_not_help() -> None:
    fix = alone(h100("nvl_l16"), "CHN004")["CHN004", "links.nvl_l16"].fix
    assert "worse than now" in fix and "oppose each other here" in fix and "enlarge the antipads" not in fix


def test_ground_vias_stay_where_via001_passes() -> None:
    document = board("nvlink4", "100 ohm", "L3", {("backdrill", "residual"): "7 mil"})
    found = re.search(r"return_vias\.distance: ([0-9.]+ mm)`", transition(document).fix)
    assert found is not None
    after = alone(document.edited((*VIA, "return_vias", "distance"), found[1]), "VIA001")
    assert {f.status for (_, subject), f in after.items() if "count" not in subject} == {"pass"}


def test_the_direction_is_that_of_the_reading() -> None:
    """A socket via of 94.8 ohm, its backdrill at the deepest, on 85 ohm is too high: its antipads are not opened."""
    fix = alone(h100("pcie_dn"), "CHN004")["CHN004", "links.pcie_dn"].fix
    assert fix.startswith("make the antipads smaller or the ground vias closer at socket_via (94.8 ohm, above")


def test_a_cure_is_held_to_the_limits_of_the_ruleset(tmp_path: Path) -> None:
    """The antipads that bring nvl_l16 within 15 % lower its return loss from 11.55 to 11.48 dB.

    8 dB are met by far. 11.5 dB of practice are missed by less than the model knows; those of a contract fail.
    """
    fixes, contract = [], "{provenance: standard, text: contract}"
    for least, source in ((12, "practice"), (8, "practice"), (11.5, "practice"), (11.5, contract)):
        own = tmp_path / "own.yaml"
        own.write_text("ruleset: own\ntitle: own\nversion: '1'\nextends: training\nrules:\n  CHN004:\n"
                       f"  - {{limits: {{return_loss: '>= {least} dB'}}, severity: warning, source: {source}}}\n",
                       encoding="utf-8")
        found = alone(h100("nvl_l16"), "CHN007", profile=str(own))
        fixes.append(found["CHN007", "links.nvl_l16.transition"].fix)
    assert all(fix.startswith("set `antipad.width: ") for fix in fixes[:3])
    assert "CHN004 stays marginal" in fixes[0] and "CHN004" not in fixes[1] and "CHN004 stays marginal" in fixes[2]
    assert "CHN004 marginal to fail, 11." in fixes[3]


@pytest.mark.parametrize(("share", "text"), [(0.1502, "15.02%"), (0.1498, "15.0%"), (0.15, "15.0%"), (0.162, "16.2%")])
def test_a_share_beyond_its_limit_does_not_read_as_within(share: float, text: str) -> None:
    assert percent(share, 0.15) == text


def test_the_step_beside_a_return_loss_is_that_of_the_profiles() -> None:
    common = (BOARD.parents[1] / "rulesets" / "common.yaml").read_text(encoding="utf-8")
    assert f'transition: "<= {100 * MOST_STEP:g} %"' in common


def test_of_many_links_those_nearest_to_their_limits_are_solved_with_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(via_cure, "BESIDE", 2)
    document = board("pcie4", "100 ohm", "L3", {("backdrill", "residual"): "26 mil"})
    path = document.get(("links", "x", "path"))
    for ohm in (100, 105, 125, 140):
        document = document.edited(("links", f"z{ohm}"), {"standard": "pcie4", "impedance": f"{ohm} ohm", "path": path})
    fix = transition(document).fix
    assert "; 2 more links of the type, further from their limits, were not solved with it" in fix
    assert fix.count("z1") == 2
