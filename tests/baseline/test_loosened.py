# SPDX-License-Identifier: MIT
"""Limits, bounds and conditions that the board file itself sets: which there are, and what of them is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from pcbrules.baseline.loosened import loosened_findings, other_files
from pcbrules.baseline.reader import BaselineFinding, _asked
from pcbrules.model.board_schema import board_schema
from pcbrules.model.stated import Easier, Stated, easier, loosened, stated
from pcbrules.phrases import read_path
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.place import Location

DESCRIBES = re.compile("|".join((
    r"schema", r"board\.(name|revision|date|note|size\..*|thickness\..*)", r"fabrication\.(smallest\..*|note)",
    r"stackup\..*", r"via_types\.\*\.(?!backdrill\.(\[\]\.)?tolerance).*", r"links\.\*\.(polarity_inverted|note)",
    r"links\.\*\.path\.\[\]\.(?!loss$|at$|skew$|crosstalk\.|touchstone).*",
    r"rails\.\*\.(planes|copper|package|layout|note)\b.*",
    r"rails\.\*\.ladder\.\[\]\.(?!touchstone).*",
    r"rails\.\*\.vrm\.(phases|resistance|inductance|phase_inductance|distance|phase_positions\..*"
    r"|vertical|note)",
    r"thermal\.tim\..*", r"thermal\.via_arrays\.\*\.(under|pitch|drill|plating|count|fill|laminate_conductivity"
    r"|foil_thickness)",
    r"system\.accelerators\.\[\]\.name", r"system\.components\..*",
)))
"""Keys that describe copper, a part or a name: of these a tolerance alone is told."""


def leaves(node: Any, path: tuple[str, ...] = (), seen: tuple[str, ...] = ()) -> Iterator[str]:
    """The keys of the board file that hold a value, `*` for a name and `[]` for a place in a list."""
    schema = board_schema() if node is None else node
    definitions = board_schema()["$defs"]
    name = schema.get("$ref", "").rpartition("/")[2]
    if name:
        yield from () if name in seen else leaves(definitions[name], path, (*seen, name))
        return
    below = [(part, path) for kind in ("anyOf", "oneOf", "allOf") for part in schema.get(kind, ())]
    below += [(part, (*path, key)) for key, part in schema.get("properties", {}).items()]
    more = [part for part in (schema.get("additionalProperties"), *schema.get("patternProperties", {}).values())
            if isinstance(part, dict)]
    below += [(part, (*path, "*")) for part in more]
    below += [(schema["items"], (*path, "[]"))] if isinstance(schema.get("items"), dict) else []
    for part, place in below:
        yield from leaves(part, place, seen)
    if not below and schema.get("type") != "null":
        yield ".".join(path)


STEP = re.compile(r"^(links\.\*\.path|rails\.\*\.ladder)\.\[\]\.\w+\.")


def test_every_key_of_a_board_file_sets_something_or_describes_something() -> None:
    """A key that is new to the board file has to be sorted: else a change of it would pass without a word."""
    keys = {STEP.sub(r"\1.[].", key) for key in leaves(None)}
    assert len(keys) > 500
    sets = {key for key in keys if easier(tuple(key.split("."))) is not None}
    assert not [key for key in sorted(keys - sets) if not DESCRIBES.fullmatch(key)]
    assert not [key for key in sorted(sets) if DESCRIBES.fullmatch(key)]
    for key in ("links.*.crosstalk_elsewhere.bound", "rails.*.vrm.ambient", "thermal.board_air.temperature",
                "rails.*.target", "links.*.budget.loss", "fabrication.class", "workload.utilisation",
                "fabrication.tolerances.dk", "evidence.*.file", "materials.laminates.*.df"):
        assert key in sets


@pytest.mark.parametrize(("key", "was", "now", "looser"), [
    ("links.up.crosstalk_elsewhere.bound", "40 dB", "46 dB", True),
    ("links.up.crosstalk_elsewhere.bound", "40 dB", "36 dB", False),
    ("links.up.crosstalk_elsewhere.bound", "40 dB", "40dB", False),
    ("links.up.path.slot.loss", "0.5 dB", "0.2 dB", True),
    ("rails.core.vrm.ambient", "60 degC", "45 degC", True),
    ("rails.core.current.peak", "1 kA", "900 A", True),
    ("rails.core.tolerance.dc", "1 %", "30 mV", None),
    ("fabrication.class", "standard", "advanced", None),
    ("links.up.path.trace1.width", "4 mil +- 10 %", "4 mil +- 5 %", True),
    ("links.up.path.trace1.width", "4 mil +- 10 %", "5 mil +- 0.5 mil", False),
    ("links.up.path.trace1.width", "4 mil +- 10 %", "3 mil +- 0.4 mil", False),
])
def test_which_change_makes_a_check_easier(key: str, was: str, now: str, looser: bool | None) -> None:
    assert loosened(read_path(key) or (), was, now) is looser


def test_values_have_names_that_hold_where_a_list_grows() -> None:
    step = {"connector": {"loss": "0.5 dB"}}
    before = {"links": {"up": {"path": [step, {"trace": {"length": "1 in", "note": "+- 3"}}]}}}
    after = {"links": {"up": {"path": [{"trace": {"length": "2 in"}}, step]}}}
    assert [(one.key, one.path) for one in stated(before)] == [
        ("links.up.path.connector1.loss", ("links", "up", "path", 0, "connector", "loss"))]
    assert [one.key for one in stated(after)] == ["links.up.path.connector1.loss"]
    assert easier(("links", "up", "path", "slot", "crosstalk", "bound")) is Easier.HIGHER


def found(before: dict[str, str], now: dict[str, str]) -> list[tuple[str, Severity]]:
    """What is told of these values where checks are held."""
    made, *_ = loosened_findings(before, [Stated(key, value, ()) for key, value in now.items()], [],
                                lambda address: Location("b.yaml", 1, 1), Severity.ERROR)
    return [(one.message, one.severity) for one in made]


def test_a_limit_that_a_value_moves_is_told_beside_it_and_makes_it_an_error() -> None:
    """Nobody can say by their names which standard is easier; the limits of the findings do."""
    def pair(subject: str, low: float, was: float) -> Any:
        limit = Limit(low, None, "dB", f">= {low:g} dB")
        before = Limit(was, None, "dB", f">= {was:g} dB")
        finding = Finding(rule="CHN004", title="Return loss", subject=subject, status=Status.PASS, message="m",
                          severity=Severity.ERROR, where=Location("b.yaml", 1, 1), limit=limit)
        old = BaselineFinding("CHN004", subject, Status.PASS, Severity.ERROR, "computed", "dB", before, 1, 1, 1)
        return finding, old

    relaxed = [pair("links.up.path", 8, 12), pair("links.down", 8, 12)]
    now = [Stated("links.up.standard", "pcie3", ())]
    (one,), left, *_ = loosened_findings({"links.up.standard": "pcie5"}, now, relaxed,
                                     lambda address: Location("b.yaml", 1, 1), Severity.ERROR)
    assert one.severity is Severity.ERROR and left == relaxed[1:]
    assert one.message == ("links.up.standard pcie5 in the baseline, pcie3 now (CHN004 limit >= 12 dB in the baseline, "
                           ">= 8 dB now (links.up.path))")


def test_a_fabrication_class_and_the_limits_that_it_sets_are_one_finding() -> None:
    """The rules that read the class are told beside it; one that does not stays by itself."""
    limit, before = Limit(75e-6, None, "um", ">= 75 um"), Limit(100e-6, None, "um", ">= 100 um")
    name = "links.up.path.run.width"
    pairs: list[Any] = [
        (Finding(rule=rule, title="t", subject=name, status=Status.PASS, message="m", severity=Severity.ERROR,
                 where=Location("b.yaml", 1, 1), limit=limit),
         BaselineFinding(rule, name, Status.PASS, Severity.ERROR, "computed", "um", before, 1, 1, 1))
        for rule in ("STK009", "STK010", "SIG007")]
    (one,), left, *_ = loosened_findings(
        {"fabrication.class": "standard"}, [Stated("fabrication.class", "advanced", ())], pairs,
        lambda address: Location("b.yaml", 1, 1), Severity.ERROR)
    assert left == pairs[2:] and one.severity is Severity.ERROR
    assert one.message.startswith("fabrication.class standard in the baseline, advanced now (STK009 limit >= 100 um")
    assert "STK010" in one.message


def test_a_measured_file_with_other_data_is_told() -> None:
    """It is taken for what it says: nobody computes it anew."""
    def locate(address: Any) -> Location:
        return Location("b.yaml", 1, 1)

    old = {"models/x.s4p": "aa", "models/y.s4p": "bb"}
    (one,) = other_files(old, {"models/x.s4p": "ac", "models/y.s4p": "bb", "models/z.s4p": "cc"}, locate)
    assert one.message == "models/x.s4p has other data than in the baseline" and one.severity is Severity.WARNING
    assert one.fix.startswith("put the earlier models/x.s4p back; ") and "board file" not in one.fix
    assert not other_files(old, {"models/x.s4p": "aa"}, locate)


def test_what_is_told_of_a_value() -> None:
    old = {"links.up.lane_skew": "5 ps", "rails.core.target": "1 mohm"}
    assert found(old, {**old, "links.up.lane_skew": "8 ps"}) == [
        ("links.up.lane_skew 5 ps in the baseline, 8 ps now", Severity.ERROR)]
    assert found(old, {**old, "links.up.budget.loss": "9 dB"}) == [
        ("links.up.budget.loss not declared in the baseline, 9 dB now", Severity.WARNING)]
    assert found({**old, "links.up.budget.loss": "9 dB"}, old) == [
        ("links.up.budget.loss 9 dB in the baseline, not declared now", Severity.ERROR)]
    assert found({**old, "links.up.standard": "pcie5"}, old)[0][1] is Severity.WARNING
    assert found(old, {**old, "fabrication.tolerances.dk": "1 %"}) == [
        ("fabrication.tolerances.dk not declared in the baseline, 1 % now", Severity.ERROR)], "the class has more"
    assert not found(old, {**old, "links.down.lane_skew": "5 ps", "rails.aux.target": "2 mohm"}), "new links and rails"
    assert not found(old, {"rails.core.target": "1 mohm"}), "a link that is gone is told as gone"
    assert found(old, {**old, "thermal.inlet": "30 degC"}), "a section has no name of its own"


@pytest.mark.parametrize(("key", "was", "now"), [
    ("power.supplies.capacity", "90 W", "120 W"), ("power.supplies.count", "2", "3"),
    ("rails.core.vrm.rated_continuous", "12 A", "16 A"), ("rails.core.vrm.rated_peak", "12 A", "16 A"),
    ("rails.core.vrm.phase_rating", "60 A", "70 A"), ("rails.core.vrm.over_current_limit", "12 A", "16 A"),
])
def test_a_raised_rating_of_a_part_is_confirmed_not_undone(key: str, was: str, now: str) -> None:
    """The cures of PDN004 and PDN008 ask for it. Lowered it is none, and taken out it is an error."""
    made, *_ = loosened_findings({key: was}, [Stated(key, now, ("x", "y"))], [],
                                   lambda address: Location("b.yaml", 1, 1), Severity.ERROR)
    (one,) = made
    assert one.severity is Severity.WARNING and one.fix.startswith("confirm that the part has it")
    assert one.message == f"{key} {was} in the baseline, {now} now"
    assert not found({key: now}, {key: was})
    other = f"{key.rpartition('.')[0]}.ambient"
    assert found({key: was, other: "1"}, {other: "1"}) == [
        (f"{key} {was} in the baseline, not declared now", Severity.ERROR)]


def test_a_value_that_a_finding_asked_for_is_given_not_loosened() -> None:
    place = ("links", "up", "path", 0, "connector", "loss")
    before = {"links.up.standard": "pcie4"}
    now = [Stated("links.up.standard", "pcie4", ("links", "up", "standard")),
           Stated("links.up.path.slot.loss", "0.6 dB", place),
           Stated("links.up.budget.loss", "6 dB", ("links", "up", "budget", "loss"))]

    def told(asked: set[str]) -> tuple[list[str], list[str]]:
        made, _, given, _ = loosened_findings(before, now, [], lambda address: Location("b.yaml", 1, 1), Severity.ERROR,
                                           asked)
        return [one.message for one in made], given

    loss, budget = (f"links.up.{name} not declared in the baseline, {value} now"
                    for name, value in (("path.slot.loss", "0.6 dB"), ("budget.loss", "6 dB")))
    assert told({"links.up.path[0].connector.loss"}) == ([budget], ["links.up.path.slot.loss 0.6 dB"])
    assert told({"links.up.budget"}) == ([loss], ["links.up.budget.loss 6 dB"])
    assert told({"links.up", "links.up.path[1].connector.loss"}) == ([f"{loss}; {budget}"], [])


def test_what_a_finding_asks_for() -> None:
    text = "the loss is not declared: give `links.up.path[0].connector.loss`, `rails.a.target` and `x.y`; see `p.q`"
    assert list(_asked({"message": text, "fix": "order it: `fabrication.impedance_control`; or give `a.b`"})) == [
        "links.up.path[0].connector.loss", "rails.a.target", "x.y", "a.b"]
    assert not list(_asked({"message": 3, "fix": None}))
