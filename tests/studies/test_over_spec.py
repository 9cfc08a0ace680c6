# SPDX-License-Identifier: MIT
"""OVR rules: each just passing and just failing, against a check of the cheaper board; never asked, never a pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fix_boards import BOARD
from test_savings import FAST

from pcbrules import api, reports, rulesets
from pcbrules.api._over_spec import over_spec
from pcbrules.api._variants import shown_groups
from pcbrules.errors import InputError
from pcbrules.phrases import read_path
from pcbrules.reports._causes import causes
from pcbrules.reports._coverage import coverage_rows
from pcbrules.reports.html._cards import cards, subject_of
from pcbrules.results.coverage import NOT_ASKED
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.rules._over_spec import FAMILIES, OVER_SPEC
from pcbrules.studies.moves.costs import PARTS, shipped
from pcbrules.studies.saving import saving_text

ROOT = Path(__file__).resolve().parents[2]
LIGHT = FAST.replace("L4, thickness: 70 um, base_weight: 2 oz", "L4, thickness: 35 um, base_weight: 1 oz")
SLOW = FAST.replace("pcie4", "pcie3")
CORE = FAST[FAST.index("- {kind: dielectric, name: C4-5"):FAST.index("- {kind: copper, name: L5")]
PLANE = "- {kind: copper, name: %s, thickness: 30 um, base_weight: 1 oz, role: ground}\n"
SUPPLY = PLANE.replace("ground", "power")
THIN = CORE.replace("name: C4-5, thickness: 800 um", "thickness: 240 um")
LAYERS = FAST.replace(CORE, f"{THIN}{PLANE % 'G1'}{THIN}{PLANE % 'G2'}{THIN}")
"""Eight layers: the pair L4 and G1, one a side of the middle, is named nowhere."""
NAMED = LAYERS.replace(PLANE % "G1", SUPPLY % "G1").replace("planes: [L5]", "planes: [L5, G1]")
MICRO = "  uvia: {span: [L1, L2], kind: microvia, drill: 0.10 mm, pad: 0.25 mm, fill: plated}\nlinks:"
SYSTEM = """
system:
  components:
  - {name: retimer, package: bga, pitch: 0.5 mm, escape_via: uvia}
"""
THREE = "set `power.supplies.count: 3`"
GPU = "\nsystem: {accelerators: [{name: gpu, type: h100-sxm, count: 1}]}"
POWER = GPU + "\npower: {supplies: {count: 4, redundant: 1, capacity: 1 kW}, system_peak: %s}\n"


def wasted(text: str, rules: str, profile: str = "edge") -> dict[str, list[Finding]]:
    """The OVR findings of a board that is judged by some rules of a profile alone."""
    ruleset = rulesets.load(profile)
    ruleset = replace(ruleset, rules={name: ruleset.rules[name] for name in rules.split()})
    found: dict[str, list[Finding]] = {}
    for one in over_spec(api.load(text), ruleset):
        found.setdefault(one.rule, []).append(one)
    return found


def loss(text: str) -> float:
    """The upper end of the loss of the link, in dB."""
    found = api.check(api.load(text), "edge", api.Options(select=("CHN001",))).findings
    (measured,) = [one.measured for one in found if one.subject == "links.up"]
    assert measured is not None
    return measured.hi


def budget(text: str, most: float) -> str:
    return text.replace("loss: 8 dB, at: 8 GHz", f"loss: {most:.4f} dB, at: 8 GHz")


RTF = FAST.replace("role: signal, foil: hvlp2, bond: low-etch}\n- {kind: dielectric, thickness: 127 um, material: "
                   "megtron7n, form: prepreg", "role: signal, foil: std-ed, bond: low-etch}\n- {kind: dielectric, "
                   "thickness: 127 um, material: megtron7n, form: prepreg")


@pytest.mark.parametrize(("more", "wastes"), [(1.0005, True), (0.9995, False)])
def test_foil_is_more_than_the_budget_needs(more: float, wastes: bool) -> None:
    """With a budget just above the loss on std-ed foil, hvlp2 on L3 is wasted; just below it is not."""
    assert RTF != FAST
    found = wasted(budget(FAST, more * loss(RTF)), "CHN001")["OVR003"]
    texts = [one.message for one in found if one.subject == "stackup.L3.foil"]
    told = "foil std-ed on L3, now hvlp2: saves 0.6 % of the price of the bare board; CHN001 links.up"
    assert ([text.startswith(told) for text in texts] == [True]) is wastes


@pytest.mark.parametrize(("rules", "profile", "text", "rule", "subject"), [
    ("CHN001", "edge", FAST, "OVR002", "stackup"),
    ("STK001", "edge", LAYERS, "OVR004", "stackup.L4"),
    ("STK003", "edge", FAST, "OVR005", "stackup.L5"),
    ("STK004", "edge", FAST.replace("links:", MICRO), "OVR006", "via_types.uvia"),
    ("CHN003", "edge", SLOW, "OVR007", "via_types.fast.backdrill"),
    ("PDN008", "edge", FAST + POWER % "1.99 kW", "OVR008", "power.supplies.count"),
    ("SIG001", "edge", FAST, "OVR009", "fabrication.impedance_control"),
])
def test_what_is_wasted(rules: str, profile: str, text: str, rule: str, subject: str) -> None:
    found = wasted(text, rules, profile)
    (one,) = [one for one in found[rule] if one.subject == subject]
    assert one.status is Status.FAIL and one.severity is Severity.ADVICE and one.measured is not None
    assert one.measured.value > 0 and " % of the price of the bare board" in one.message and one.fix
    (total,) = found["OVR001"]
    assert total.status is Status.FAIL and total.measured is not None
    assert total.measured.value >= one.measured.value


@pytest.mark.parametrize(("rules", "profile", "text", "rule", "status"), [
    ("STK001", "edge", NAMED, "OVR004", Status.NOT_APPLICABLE),
    ("STK003", "training", LIGHT, "OVR005", Status.PASS),
    ("STK004", "training", FAST.replace("links:", MICRO) + SYSTEM, "OVR006", Status.PASS),
    ("CHN003", "edge", BOARD, "OVR007", Status.PASS),
    ("PDN008", "edge", FAST + POWER % "2.01 kW", "OVR008", Status.PASS),
    ("SIG001", "training", FAST.replace("class: advanced", "class: standard"), "OVR009", Status.PASS),
])
def test_what_is_needed(rules: str, profile: str, text: str, rule: str, status: Status) -> None:
    (one,) = wasted(text, rules, profile)[rule]
    assert (one.status, one.subject) == (status, "board"), one.message


def test_where_the_rule_that_would_say_no_judges_nothing_nothing_is_known() -> None:
    """Without accelerators the headroom is not evaluated: one supply less would worsen no finding."""
    found = wasted(FAST + (POWER % "1.99 kW").replace(GPU, ""), "PDN008 SIG001")
    (one,) = found["OVR008"]
    assert (one.status, one.severity) == (Status.NOT_EVALUATED, Severity.ADVICE)
    assert one.message == "PDN008 judges nothing of this board: whether less would do is not known"


def test_a_class_that_no_judged_number_depends_on_is_not_known_to_be_needless() -> None:
    """With a spread that is closer than the class no number says what its coupon is for; the lower class is judged."""
    wide = FAST.replace("tolerance: 5 %, coupon", "tolerance: 15 %, coupon")
    lower, unknown = wasted(wide, "SIG001")["OVR009"]
    assert (lower.status, lower.subject) == (Status.FAIL, "fabrication.class")
    assert (unknown.status, unknown.subject) == (Status.NOT_EVALUATED, "board")
    assert unknown.message == ("no number that is judged depends on the impedance class: "
                               "whether less would do is not known")
    page = saving_text.console(api.cheaper(api.load(wide), replace(rulesets.load("edge"), rules={
        "SIG001": rulesets.load("edge").rules["SIG001"]})))
    assert "impedance-control: not known, no number that is judged depends on it" in page
    assert "no impedance class" not in page


def test_subjects_are_places_and_each_is_one_of_its_rule() -> None:
    found = wasted(FAST, "CHN001 SIG001 STK003 CHN003 PDN001")
    for rule, some in found.items():
        subjects = [one.subject for one in some]
        assert len(set(subjects)) == len(subjects), rule
        assert all(read_path(one) for one in subjects) and not any(" " in one or "_L" in one for one in subjects)
    assert len(found["OVR003"]) > 4


def test_fewer_supplies_at_the_limit() -> None:
    """Two of three supplies of 1 kW hold a system peak of 1.99 kW, and do not hold 2.01 kW."""
    (one,) = wasted(FAST + POWER % "1.99 kW", "PDN008")["OVR008"]
    assert one.message.startswith("3 supplies, 1 fewer, now 4: saves 10 % of the price of the bare board")
    assert "PDN008 power.supplies 329 % -> 186 % (limit >= 20 %), still passes" in one.message and one.fix == THREE


def test_layers_that_nothing_names_become_dielectric() -> None:
    """240 um of core, 70 um and 30 um of copper and what lies inside them keep the board as thick as it is."""
    judge, moves, _ = api._fixing._savings(
        api.load(LAYERS), replace(rulesets.load("edge"), rules={}), shipped(), 1)
    (gone,) = [one for one in moves if one.family == "layers"]
    before, after = (api.load(text).board.stack for text in (LAYERS, judge.made([gone]).tree))
    assert before is not None and after is not None
    assert [one.name for one in after.coppers] == ["L1", "L2", "L3", "G2", "L5", "L6"]
    assert after.thickness == pytest.approx(before.thickness, rel=1e-4)


def test_not_asked_is_switched_off_and_never_a_pass() -> None:
    report = api.check(api.load(FAST), "edge", api.Options(select=("STK001",)))
    assert not [one for one in report.findings if one.rule in OVER_SPEC]
    assert {rule for rule, why in report.switched_off if why == NOT_ASKED} == set(OVER_SPEC)
    said = reports.text("console", (report,), width=300)
    assert "; over-specification not asked (--over-spec)" in said and "OVR" not in said


def test_every_family_has_a_rule_and_a_page() -> None:
    assert set(FAMILIES.values()) | {"OVR001"} == set(OVER_SPEC)
    assert all("advice" in text and "--over-spec" in text for _, text in OVER_SPEC.values())


@pytest.mark.long
def test_a_training_board_that_is_judged_for_inference_says_what_it_wastes_and_where() -> None:
    file = "boards/hgx-h100-baseboard.yaml"
    loaded = api.load(str(ROOT / file), file)
    options = api.Options(over_spec=True)
    report = api.check(loaded, "datacenter-inference", options)
    plain = api.check(loaded, "datacenter-inference")
    own = [one for one in report.findings if one.rule in OVER_SPEC]
    assert report.exit_code == plain.exit_code and report.verdict is plain.verdict
    assert {one.severity for one in own} == {Severity.ADVICE}
    (total,) = [one for one in own if one.rule == "OVR001"]
    assert total.measured is not None and total.measured.value == pytest.approx(0.09, abs=0.005), "as the page says"
    wastes = {one.rule: one for one in own if one.status is Status.FAIL}
    assert {"OVR003", "OVR008"} <= set(wastes)
    assert not any("nvsw_core" in one.message for one in own if one.rule == "OVR008" and one.status is Status.FAIL), (
        "its |Z| misses the step of the profile already, as advice: fewer capacitors would make it worse")
    assert all(one.where.file == file and one.where.line > 10 for one in wastes.values() if one.rule != "OVR001")
    again = api.cheaper(loaded, "datacenter-inference")
    assert total.measured.value == pytest.approx(again.saved / PARTS / 100)


def test_rules_on_request_are_known_by_name() -> None:
    """`--select OVR009` with `--over-spec` judges that rule alone; without it, and elsewhere, the message says how."""
    loaded = api.load(FAST)
    report = api.check(loaded, "edge", api.Options(select=("OVR009",), over_spec=True))
    assert {one.rule for one in report.findings if not one.rule.startswith("PCB")} == {"OVR009"}
    assert report.exit_code == 0
    why = dict(report.switched_off)
    assert why["OVR001"] == why["SIG001"] == "left out by --select or --ignore" and "OVR009" not in why
    report = api.check(loaded, "edge", api.Options(select=("STK001", "OVR"), ignore=("OVR003",), over_spec=True))
    rules = {one.rule for one in report.findings}
    assert {"STK001", "OVR001", "OVR002"} <= rules and "OVR003" not in rules
    with pytest.raises(InputError) as caught:
        api.check(loaded, "edge", api.Options(select=("OVR009",)))
    (problem,) = caught.value.problems
    assert problem.message == "these rules are not asked here" and "--over-spec" in problem.fix
    with pytest.raises(InputError, match="not asked here"):
        shown_groups(("OVR009",), rulesets.load("edge"))


def test_reports_say_not_asked_and_put_savings_on_one_card() -> None:
    report = api.check(api.load(FAST), "edge", api.Options(select=("STK001",)))
    assert ("not asked", len(OVER_SPEC)) in [(row.name, row.rules) for row in coverage_rows(report)]
    assert not any("OVR" in text for row in coverage_rows(report) if row.name == "switched off" for text in row.texts)
    report = api.check(api.load(FAST), "edge", api.Options(select=("STK001", "OVR"), over_spec=True))
    mine = [one for one in report.findings if one.rule in OVER_SPEC]
    assert len(mine) > 9 and {subject_of(one) for one in mine} == {"over-specification"}
    (card,) = [one for one in cards(report) if one.subject == "over-specification"]
    assert (card.kind, card.total) == ("board", len(mine))


def test_the_headline_of_a_cause_is_the_sum_of_what_goes_together() -> None:
    ruleset = rulesets.load("edge")
    ruleset = replace(ruleset, rules={"CHN001": ruleset.rules["CHN001"]})
    found = [one for one in over_spec(api.load(FAST), ruleset) if one.rule == "OVR003" and one.status is Status.FAIL]
    joint = [one for one in found if not one.message.endswith("not together with the other savings")]
    assert len(joint) > 2
    (cause,) = [one for one in causes(found) if one.findings[0].message == joint[0].message]
    total = sum(one.measured.value for one in joint if one.measured is not None)
    assert len(cause.findings) == len(joint)
    assert cause.numbers is not None and not cause.numbers.limit
    assert cause.numbers.measured == f"{100 * total:.3g} % of the bare board's price, together"


def test_prices_of_ones_own_count_and_are_an_input(tmp_path: Path) -> None:
    """A foil of ten times its price saves more, and the report names the file."""
    prices = tmp_path / "prices.yaml"
    prices.write_text(f"foil.hvlp2: {10 * shipped().entries['foil.hvlp2'].parts / PARTS:g}\n", encoding="utf-8")
    board, fast = api.load(FAST), ("MAT002", "CHN001")
    ruleset = rulesets.load("edge")
    ruleset = replace(ruleset, rules={rule: ruleset.rules[rule] for rule in fast})
    usual, own = (api.check(board, ruleset, api.Options(over_spec=True, costs=file)) for file in ("", str(prices)))
    first, second = (next(f.measured.value for f in one.findings if f.rule == "OVR001") for one in (usual, own))
    assert second > 3 * first > 0
    said = " ".join(reports.render("console", [own]).split())
    assert "OVR001 board: saves " in said and "% of the bare board's price" in said and "limit ≤ 0" not in said
    assert [one.role for one in own.inputs if one.file == str(prices)] == ["costs"]
    assert "costs" not in {one.role for one in usual.inputs}
    with pytest.raises(InputError, match="no such cost"):
        prices.write_text("nothing: 1\n", encoding="utf-8")
        api.check(board, ruleset, api.Options(over_spec=True, costs=str(prices)))
