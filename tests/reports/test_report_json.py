# SPDX-License-Identifier: MIT
"""The JSON report: valid by its schema, counts that add up, numbers in the limit's unit, order of keys."""

from __future__ import annotations

import copy
import math
from pathlib import Path
from typing import Any

import pytest
from json_schemas import schema, valid, validator
from report_samples import NASTY, all_samples, everything, finding, foil, report

from pcbrules import reports
from pcbrules.reports._numbers import texts
from pcbrules.results.finding import Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured

SAMPLES = all_samples()
VALIDATOR = validator("report")
SCHEMA: Any = schema("report")


def read(*items: Any) -> Any:
    return valid(reports.render("json", items), "report")


@pytest.mark.parametrize("sample", SAMPLES)
def test_valid(sample: str) -> None:
    VALIDATOR.validate(read(*SAMPLES[sample]))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("findings", 0, "status"), "ok"),
        (("findings", 0, "measured"), "11.8 mil"),
        (("findings", 0, "where"), "boards/x.yaml:41:7"),
        (("summary", "pass"), -1),
        (("summary", "ok"), 1),
        (("exit_code",), 4),
        (("schema_version",), 2),
        (("findings",), None),
    ],
)
def test_schema_refuses_what_is_wrong(path: tuple[str | int, ...], value: object) -> None:
    tree = copy.deepcopy(read(everything()))
    node = tree
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    assert not VALIDATOR.is_valid(tree)


@pytest.mark.parametrize("key", SCHEMA["$defs"]["report"]["required"])
def test_schema_asks_for_every_key(key: str) -> None:
    tree = read(everything())
    del tree[key]
    assert not VALIDATOR.is_valid(tree)


def test_keys_in_order() -> None:
    tree = read(everything())
    assert list(tree) == SCHEMA["$defs"]["report"]["required"]
    for item in tree["findings"]:
        assert list(item) == SCHEMA["$defs"]["finding"]["required"]
    assert list(SCHEMA["$defs"]["finding"]["properties"]) == SCHEMA["$defs"]["finding"]["required"]


def test_counts_add_up() -> None:
    tree = read(everything())
    statuses = [item["status"] for item in tree["findings"]]
    assert tree["summary"] == {status.value: statuses.count(status.value) for status in Status}
    for status, bases in tree["by_basis"].items():
        assert sum(bases.values()) == tree["summary"][status]
    assert tree["passes_by_basis"] == {"computed": 1, "table": 4, "declared": 0, "assumed": 0}
    assert tree["passed_rules"] == ["MAT001"]


def test_a_finding() -> None:
    item = read(report(finding(fix="f", note="n")))["findings"][0]
    assert item | {"assumptions": [], "model": "", "source": ""} == {
        "rule": "SIG003",
        "subject": "links.nvl0.path.via2.stub_bottom",
        "status": "fail",
        "severity": "error",
        "basis": "computed",
        "measured": 11.83,
        "limit": 10.0,
        "unit": "mil",
        "margin": -1.83,
        "lo": 9.04,
        "hi": 14.61,
        "message": "residual stub of 11.8 mil below layer L14",
        "fix": "f",
        "edits": [],
        "plan": "",
        "where": {"file": "boards/x.yaml", "line": 41, "column": 7},
        "source": "",
        "provenance": "guide",
        "note": "n",
        "model": "",
        "assumptions": [],
        "title": "Residual via stub after backdrill",
        "limit_text": "< 10 mil",
        "limit_low": None,
        "limit_high": 10.0,
        "waiver": None,
        "baseline": None,
    }


def test_waiver() -> None:
    waived = [item for item in read(everything())["findings"] if item["status"] == "waived"]
    assert waived[0]["waiver"] == {
        "reason": "prototype run, measured 6 dB on coupon",
        "owner": "J. Müller",
        "expires": "2027-03-31",
        "bound": "<= 14 mil",
        "was": "fail",
    }


def test_conditions_and_inputs() -> None:
    tree = read(everything())
    assert tree["conditions"] == {"cold": "20 degC", "hot": "85 degC", "slew": "1000 A/us", "duty": "100 %"}
    assert tree["inputs"][0] == {"role": "board", "file": "boards/x.yaml", "sha256": "a1" * 32}


def test_seven_digits_of_what_is_computed_nine_of_a_limit_and_no_infinity() -> None:
    seventh = Limit(1 / 7, None, "", ">= 0.1")
    third = finding(measured=Measured(value=1 / 3, lo=1 / 3, hi=float("inf"), model="m"), limit=seventh)
    item = read(report(third))["findings"][0]
    assert (item["measured"], item["hi"]) == (0.3333333, None)
    assert (item["limit"], item["margin"]) == (0.142857143, 0.1904762)


def test_the_last_bits_of_a_processor_show_nowhere() -> None:
    """A small difference of large numbers has their digits; ends that differ by a bit are no interval."""
    limit = Limit(None, 0.05, "", "<= 5 %")
    here, there = (report(finding(measured=Measured(value=value, lo=value, hi=value + 0.0499982021, model="m"),
                                  limit=limit))
                   for value in (0.00359593008, 0.00359592962))
    assert read(here) == read(there)
    low = -7.93
    mask = Limit(0.0, None, "dB", ">= 0 dB")
    wide = finding(measured=Measured(value=low, lo=low, hi=math.nextafter(low, 0), model="m"), limit=mask)
    assert texts(wide).measured == "−7.93 dB"


def test_word_limit() -> None:
    item = read(report(foil()))["findings"][0]
    assert (item["unit"], item["limit_text"], item["margin"]) == ("rank", ">= vlp", -2.0)


def test_one_object_or_a_list() -> None:
    assert "findings" in read(everything())
    two = read(*SAMPLES["two boards"])
    assert list(two) == ["schema_version", "reports"]
    assert [item["board"] for item in two["reports"]] == ["baseboard-8x", "edge"]
    assert read() == {"schema_version": 1, "reports": []}


def test_letters_stay_and_control_characters_show() -> None:
    item = read(report(finding(message=NASTY["letters"] + NASTY["ansi"] + NASTY["lines"])))["findings"][0]
    assert item["message"].startswith("Prüfling für 東京")
    assert "\\x1b[31mred" in item["message"] and "one\\ntwo" in item["message"]


def test_the_libraries_that_computed_stand_in_the_report() -> None:
    from importlib.metadata import version

    from pcbrules import api

    board = Path(__file__).resolve().parents[2] / "boards" / "real-cm5-sodimm-carrier.yaml"
    made = api.check(api.load(str(board)), "edge", api.Options(select=("MEC",)))
    names = ("numpy", "scipy", "scikit-rf")
    assert read(made)["libraries"] == {name: version(name) for name in names}
    assert "<tr><th>scipy</th>" in reports.render("html", [made])
