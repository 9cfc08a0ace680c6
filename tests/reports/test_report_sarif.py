# SPDX-License-Identifier: MIT
"""SARIF: valid by the schema of the standard; kinds, levels, places, fingerprints, suppressions."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from uuid import UUID

import jsonschema_rs
import markdown_it
import pytest
from report_samples import all_samples, everything, finding, report

from pcbrules import reports
from pcbrules.reports import _rule_page
from pcbrules.results.finding import Change, Severity, Status, Waiver
from pcbrules.results.place import Location
from pcbrules.results.report import InputFile
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES

SAMPLES = all_samples()
SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif-2.1.0.json").read_text("utf-8-sig"))
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)


def read(*items: Any) -> Any:
    return json.loads(reports.render("sarif", items))


def result(item: Any) -> Any:
    return read(report(item))["runs"][0]["results"][0]


@pytest.mark.parametrize("sample", SAMPLES)
def test_valid(sample: str) -> None:
    VALIDATOR.validate(read(*SAMPLES[sample]))


def test_schema_sees_a_fault() -> None:
    tree = read(everything())
    tree["runs"][0]["results"][0]["kind"] = "broken"
    assert not VALIDATOR.is_valid(tree)


@pytest.mark.parametrize("sample", SAMPLES)
def test_rules_that_the_schema_cannot_express(sample: str) -> None:
    for run in read(*SAMPLES[sample])["runs"]:
        rules = run["tool"]["driver"]["rules"]
        assert run["columnKind"] == "unicodeCodePoints"
        for item in run["results"]:
            assert rules[item["ruleIndex"]]["id"] == item["ruleId"]
            assert (item["kind"] == "fail") == (item["level"] != "none")
            board = run["invocations"][item["provenance"]["invocationIndex"]]["properties"]["board"]
            assert item["properties"]["board"] == board
            place = item["locations"][0]["physicalLocation"]
            assert place["region"]["startLine"] >= 1 and place["region"]["startColumn"] >= 1
            uri = place["artifactLocation"]["uri"]
            assert uri.isascii() and not any(sign in uri for sign in ' "<>\\^`{|}#?')
            assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
            assert "](" not in item["message"]["text"] and "{0}" not in item["message"]["text"]


@pytest.mark.parametrize(
    ("status", "severity", "kind", "level"),
    [
        (Status.FAIL, Severity.ERROR, "fail", "error"),
        (Status.FAIL, Severity.WARNING, "fail", "warning"),
        (Status.FAIL, Severity.ADVICE, "fail", "note"),
        (Status.CRASHED, Severity.ERROR, "fail", "error"),
        (Status.MARGINAL, Severity.ERROR, "review", "none"),
        (Status.MARGINAL, Severity.ADVICE, "review", "none"),
        (Status.NOT_EVALUATED, Severity.ERROR, "open", "none"),
    ],
)
def test_kind_and_level(status: Status, severity: Severity, kind: str, level: str) -> None:
    item = result(finding(status, severity=severity))
    assert (item["kind"], item["level"]) == (kind, level)
    assert item["properties"]["severity"] == severity.value and "suppressions" not in item


def test_a_marginal_that_counts_is_a_fail() -> None:
    item = result(finding(Status.MARGINAL, counts_as_fail=True))
    assert (item["kind"], item["level"]) == ("fail", "error")


@pytest.mark.parametrize(("was", "kind", "level"), [
    (Status.FAIL, "fail", "note"), (Status.MARGINAL, "review", "none"), (Status.NOT_EVALUATED, "open", "none")])
def test_waived_is_of_the_kind_that_it_was(was: Status, kind: str, level: str) -> None:
    mark = Waiver("coupon", "jm", "2027-03-31", "")
    item = result(finding(Status.WAIVED, waiver=mark, waived_from=was))
    assert (item["kind"], item["level"]) == (kind, level)


@pytest.mark.parametrize(("known", "was", "state"), [
    (False, None, "new"), (False, Status.PASS, "new"), (True, Status.FAIL, "unchanged"),
    (True, Status.MARGINAL, "updated"),
])
def test_the_state_against_the_baseline(known: bool, was: Status | None, state: str) -> None:
    made = report(replace(finding(), change=Change(known, was, "x")), exit_code=1)
    made = replace(made, inputs=(*made.inputs, InputFile("baseline", "old.json", "ab" * 32)))
    tree = read(made)
    VALIDATOR.validate(tree)
    (run,) = tree["runs"]
    assert run["results"][0]["baselineState"] == state and UUID(run["baselineGuid"]).version == 5
    alone = read(report(finding()))["runs"][0]
    assert "baselineState" not in alone["results"][0] and "baselineGuid" not in alone


def test_help_is_the_page_of_the_rule() -> None:
    (rule,) = read(report(finding()))["runs"][0]["tool"]["driver"]["rules"]
    page = rule["help"]["markdown"]
    assert page.startswith("# SIG003: Residual via stub after backdrill\n\n")
    for heading in ("## What it checks", "## Why it matters", "## How to fix it"):
        assert re.search(rf"^{heading}\n\n\w", page, re.MULTILINE)
    assert "`via_types.*.backdrill`" in page and "helpUri" not in rule
    (rule,) = read(report(finding(rule="PCB005")))["runs"][0]["tool"]["driver"]["rules"]
    assert rule["help"]["markdown"].startswith("# PCB005: Margin lost")


def all_docs(rule: str) -> str:
    """What is written of a rule."""
    return (all_rules()[rule].__doc__ or "") if rule in all_rules() else ENGINE_RULES[rule][1]


def test_every_rule_has_a_page_without_markup_by_accident() -> None:
    parser = markdown_it.MarkdownIt().enable("table")
    for rule in (*all_rules(), *ENGINE_RULES):
        made = _rule_page.page(rule)
        tokens = parser.parse(made)
        inline = {child.type for token in tokens for child in token.children or ()}
        meant = {"em_open", "em_close"} if re.search(r"\s\*\w+\*", all_docs(rule)) else set()
        assert inline <= {"text", "softbreak", "code_inline", *meant}, rule
        assert {token.type for token in tokens if token.type.endswith("_open")} <= {
            "heading_open", "paragraph_open", "bullet_list_open", "list_item_open"}
        assert len(made) > 200 and not re.search(r"\{\d", made)


def test_default_level_is_that_of_the_severity() -> None:
    for severity, level in ((Severity.ERROR, "warning"), (Severity.ADVICE, "note")):
        run = read(report(finding(Status.NOT_EVALUATED, severity=severity)))["runs"][0]
        assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"]["level"] == level


def test_passes_are_no_results() -> None:
    run = read(report(finding(Status.PASS), finding(Status.NOT_APPLICABLE, rule="X")))["runs"][0]
    assert run["results"] == []
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["SIG003", "X"]


def test_waived_is_suppressed() -> None:
    item = result(
        finding(Status.WAIVED, waiver=Waiver("coupon", "jm", "2027-03-31", ""), waived_from=Status.FAIL)
    )
    assert item["suppressions"] == [
        {
            "kind": "external",
            "status": "accepted",
            "justification": "coupon; owner jm; expires 2027-03-31; was fail",
        }
    ]
    assert (item["kind"], item["level"]) == ("fail", "note")


def test_message_says_what_and_how_much() -> None:
    text = result(finding(fix="drill to L15"))["message"]["text"]
    assert text.startswith(
        "links.nvl0.path.via2.stub_bottom: residual stub of 11.8 mil below layer L14. "
        "Measured 11.8 mil (9.0 … 14.6), limit < 10 mil, margin −1.8 mil [computed]. "
        "Fix: drill to L15. Source: "
    )


def test_crash_is_a_notification_and_no_success() -> None:
    invocation = read(everything())["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert [n["level"] for n in invocation["toolExecutionNotifications"]] == ["error", "note"]
    assert read(report())["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_fingerprint_survives_moved_lines_and_tells_subjects_apart() -> None:
    here = finding()
    moved = replace(here, where=Location("boards/x.yaml", 99, 1), message="other")
    other = replace(here, subject="links.nvl0.path.via3.stub_bottom")
    mark = result(here)["partialFingerprints"]
    assert result(moved)["partialFingerprints"] == mark
    assert result(other)["partialFingerprints"] != mark
    assert set(mark) == {"pcbrulesFinding/v1", "primaryLocationLineHash"}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("boards/x.yaml", {"uri": "boards/x.yaml", "uriBaseId": "%SRCROOT%"}),
        ("./boards/x.yaml", {"uri": "boards/x.yaml", "uriBaseId": "%SRCROOT%"}),
        ("boards\\x.yaml", {"uri": "boards/x.yaml", "uriBaseId": "%SRCROOT%"}),
        ("a b/ü#?.yaml", {"uri": "a%20b/%C3%BC%23%3F.yaml", "uriBaseId": "%SRCROOT%"}),
        ("a:b.yaml", {"uri": "a%3Ab.yaml", "uriBaseId": "%SRCROOT%"}),
        ("/tmp/x y.yaml", {"uri": "file:///tmp/x%20y.yaml"}),
        ("C:\\boards\\x.yaml", {"uri": "file:///C:/boards/x.yaml"}),
        ("\\\\server\\share\\x.yaml", {"uri": "file://server/share/x.yaml"}),
    ],
)
def test_uri(file: str, expected: dict[str, str]) -> None:
    place = result(finding(where=Location(file, 1, 1)))["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == expected


def test_uri_reads_back() -> None:
    name = "boards/Prüfling 東京 100%.yaml"
    place = result(finding(where=Location(name, 1, 1)))["locations"][0]["physicalLocation"]
    assert unquote(place["artifactLocation"]["uri"]) == name


def test_place_without_a_line_points_to_the_first_one() -> None:
    place = result(finding(where=Location("x.yaml", 0, 0)))["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1, "startColumn": 1}


def test_many_boards_are_one_run_of_one_category() -> None:
    """Code scanning takes 20 runs a file, and refuses several of one tool and category."""
    several = [
        report(finding(), finding(Status.PASS, rule=f"X{i:02d}"), board=f"b{i}", exit_code=i % 2,
               inputs=(InputFile("board", f"{i}/board.yaml", f"{i:064d}"), InputFile("ruleset", "t.yaml", "1" * 64)))
        for i in range(24)
    ]
    tree = read(*several)
    VALIDATOR.validate(tree)
    (run,) = tree["runs"]
    assert run["automationDetails"]["id"] == "pcbrules/training/" == (
        read(several[3])["runs"][0]["automationDetails"]["id"]), "it does not hang on which boards were checked"
    assert [i["properties"]["file"] for i in run["invocations"]] == [f"{i}/board.yaml" for i in range(24)]
    assert [i["properties"]["exit_code"] for i in run["invocations"]] == [0, 1] * 12
    assert run["properties"]["exit_code"] == 1
    assert len(run["artifacts"]) == 25 and len(run["tool"]["driver"]["rules"]) == 25
    assert len({item["partialFingerprints"]["primaryLocationLineHash"] for item in run["results"]}) == 24
    other = replace(several[0], profile=replace(several[0].profile, name="edge"))
    assert read(several[0], other)["runs"][0]["automationDetails"]["id"] == "pcbrules/edge+training/"


def test_artifacts_carry_hashes_once_each() -> None:
    again = everything()
    run = read(replace(again, inputs=again.inputs + again.inputs[:1]))["runs"][0]
    assert [a["location"]["uri"] for a in run["artifacts"]] == ["boards/x.yaml", "training.yaml"]
    assert run["artifacts"][0]["hashes"] == {"sha-256": "a1" * 32}
