# SPDX-License-Identifier: MIT
"""The terminal report in full (`-v`): 80 columns, statuses in words, all that a finding must say, the summary."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from report_samples import all_samples, everything, finding, nasty, report

from pcbrules import reports
from pcbrules.reports._text import columns, to_ascii, wrap
from pcbrules.results.finding import Severity, Status
from pcbrules.results.measured import Measured

SAMPLES = all_samples()


def console(*items: object, **options: object) -> str:
    return reports.render("console", items, **{"verbose": True, **options})  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("width", [20, 64, 80, 120])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_line_is_too_wide(sample: str, width: int, ascii_only: bool) -> None:
    text = reports.render("console", SAMPLES[sample], width=width, ascii_only=ascii_only, verbose=True)
    assert max(columns(line) for line in text.split("\n")) <= max(width, 64)
    assert not [line for line in text.split("\n") if line != line.rstrip()]


def test_width_at_80() -> None:
    assert max(columns(line) for line in console(everything(), nasty()).split("\n")) <= 80


def test_finding_says_all_that_it_must() -> None:
    text = console(report(finding(fix="drill to L15", note="worst case of the drill"), exit_code=1))
    for part in (
        "✗ error  SIG003  links.nvl0.path.via2.stub_bottom",
        "Residual via stub after backdrill [error]",
        "measured   11.8 mil (9.0 … 14.6), limit < 10 mil, margin −1.8 mil [computed]",
        "[guide]",
        "note       worst case of the drill",
        "assumed    drill depth tolerance 4 mil",
        "fix        drill to L15",
        "at         boards/x.yaml:41:7",
        "FAIL: 1 error, 0 pass (exit code 1)",
    ):
        assert part in text


def test_worst_first_and_passes_are_not_listed() -> None:
    text = console(everything())
    found = [
        text.index(word) for word in ("✗ error", "! crashed", "~ marginal", "? not evaluated", "○ waived")
    ]
    assert found == sorted(found)
    assert "links.nvl1.path.via2" not in text and "✓ pass  " in text


def test_summary_counts_every_status_and_basis() -> None:
    text = console(everything())
    rows = {
        " ".join(m[1].split()[1:]): m[2].split()
        for m in re.finditer(r"^  (\S [a-z ]+?) {2,}(\d.*)$", text, re.MULTILINE)
    }
    assert rows == {
        "fail": ["3", "2", "-", "1", "-"],
        "crashed": ["1", "-", "-", "-", "1"],
        "not evaluated": ["1", "-", "-", "-", "1"],
        "marginal": ["1", "-", "1", "-", "-"],
        "waived": ["1", "1", "-", "-", "-"],
        "accepted": ["0", "-", "-", "-", "-"],
        "pass": ["5", "1", "4", "-", "-"],
        "not applicable": ["1", "-", "-", "-", "1"],
    }
    assert "passed: MAT001 (4)" in text and "not applicable: THM009: " in text


def test_reasons_for_not_applicable() -> None:
    assert "the board declares no heat source" in console(everything())


def test_verdict_names_severities() -> None:
    text = console(
        report(
            finding(severity=Severity.WARNING),
            finding(subject="b"),
            finding(Status.NOT_EVALUATED, severity=Severity.ADVICE),
            exit_code=1,
        )
    )
    assert "FAIL: 1 error, 1 warning, 1 not evaluated (advice), 0 pass (exit code 1)" in text


def test_nothing_judged_is_not_a_pass() -> None:
    for empty in (report(exit_code=2), report(finding(Status.NOT_APPLICABLE), exit_code=2)):
        assert "INCOMPLETE: nothing was judged (exit code 2)" in console(empty)


def test_last_line() -> None:
    for sample in SAMPLES.values():
        *_, last = reports.text("console", sample).splitlines()
        assert not sample or re.search(r"\(exit code \d\)$", last)


def test_several_boards_end_with_a_verdict_each() -> None:
    text = reports.render("console", SAMPLES["two boards"])
    assert "\nbaseboard-8x under profile training: FAIL: 2 errors" in text
    assert "\nedge under profile training: PASS: 1 pass" in text


def test_colour_only_when_asked_and_never_alone() -> None:
    assert "\x1b" not in console(everything(), nasty())
    coloured = console(everything(), nasty(), colour=True)
    assert "\x1b[1;31m✗ error\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]+m", "", coloured) == console(everything(), nasty())


def test_waiver_is_told() -> None:
    text = " ".join(console(everything()).split())
    assert "waiver prototype run, measured 6 dB on coupon; owner J. Müller; expires 2027-03-31;" in text
    assert "bound <= 14 mil; was fail" in text


def test_inputs_and_conditions() -> None:
    text = " ".join(console(everything()).split())
    assert "board boards/x.yaml (sha256 a1a1a1a1a1a1)" in text and "hot 85 °C" in text


def test_ascii_spelling() -> None:
    assert to_ascii("−1.8 µm ≤ 5 Ω … ✗ ü 東") == "-1.8 um <= 5 ohm ... X \\xfc \\u6771"


def test_wrap_counts_columns_and_cuts_long_words() -> None:
    assert wrap("東京" * 5, 8) == ["東京東京", "東京東京", "東京"]
    assert wrap("a bb ccc", 4, "- ", "  ") == ["- a", "  bb", "  cc", "  c"]
    assert wrap("links.abc.defghijkl", 12) == ["links.abc.", "defghijkl"]
    assert wrap("", 10, "x") == ["x"]
    assert wrap("e\u0301" * 6, 6) == ["e\u0301" * 6]


def test_the_summary_counts_assumptions_only_where_there_are_some() -> None:
    number = Measured(value=1.0, lo=1.0, hi=2.0, model="rating over current", basis="assumed")
    one = report(finding(Status.PASS, measured=number), finding())
    text = console(one, width=20)
    heads = next(line for line in text.split("\n") if "declared" in line)
    row = next(line for line in text.split("\n") if line.startswith("  ✓ pass"))
    assert heads.split() == ["all", "computed", "table", "declared", "assumed", "none"]
    assert row.split()[2:] == ["1", "-", "-", "-", "1", "-"]
    assert max(columns(line) for line in text.split("\n")) <= 64
    assert "assumed " not in console(report(finding(measured=replace(number, basis="computed")))).split("Summary")[1]
    assert "| Assumed |" in reports.render("markdown", [one])
    assert "| Assumed |" not in reports.render("markdown", [everything()])
