# SPDX-License-Identifier: MIT
"""`pcbrules report` and what `check` does for formats that draw."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_bench import Bench

from pcbrules.studies import exhibits


def test_report_writes_a_page_and_prints_the_verdict(bench: Bench) -> None:
    done = bench.run("report", "board.yaml", "-p", "few.yaml")
    checked = bench.check()
    assert done.code == checked.code
    assert done.out.startswith("tiny under profile ") and done.out.count("\n") == 1
    assert done.err.splitlines()[-1] == "written: report.html"
    page = Path("report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "stackup:section" not in page and 'id="stackup_3a_section"' in page


def test_report_takes_another_file_format_and_waivers(bench: Bench) -> None:
    done = bench.run("report", "board.yaml", "-p", "few.yaml", "-o", "a.html", "-o", "b.json", "--today", "2026-06-01")
    assert done.code == bench.check().code
    assert Path("a.html").exists() and Path("b.json").exists() and not Path("report.html").exists()


def test_report_without_a_profile_is_2(bench: Bench) -> None:
    assert bench.run("report", "board.yaml").code == 2


def test_quiet_prints_the_verdict_only(bench: Bench) -> None:
    loud, quiet = bench.check(), bench.check("-q")
    assert quiet.code == loud.code and quiet.out.count("\n") == 1
    verdict = quiet.out.partition(": ")[2]
    assert verdict.strip() in " ".join(loud.out.split()) and verdict.endswith(f"(exit code {quiet.code})\n")


def test_pictures_are_made_only_for_formats_that_draw(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(exhibits, "exhibits", lambda *_: asked.append(1) or ())
    bench.check("-o", "a.json", "-o", "a.md", "-o", "a.sarif")
    assert asked == []
    bench.check("-o", "a.html")
    assert asked == [1]
    bench.check("--format", "html")
    assert asked == [1, 1]


def test_a_pdf_is_not_printed(bench: Bench) -> None:
    done = bench.check("--format", "pdf")
    assert done.code == 2 and "write it with -o report.pdf" in done.err


def test_a_page_of_several_boards_has_an_index(bench: Bench) -> None:
    text = Path("board.yaml").read_text(encoding="utf-8")
    Path("other.yaml").write_text(text.replace("name: tiny", "name: other"), encoding="utf-8")
    bench.run("report", "board.yaml", "other.yaml", "-p", "few.yaml")
    page = Path("report.html").read_text(encoding="utf-8")
    assert 'href="#b1-top"' in page and 'href="#b2-top"' in page and page.count("<h1>") == 2


def test_a_short_pdf_has_no_appendix(bench: Bench) -> None:
    pytest.importorskip("plutoprint")
    pypdf = pytest.importorskip("pypdf")
    done = bench.run("report", "board.yaml", "-p", "few.yaml", "-o", "short.pdf", "--no-appendix")
    assert done.code == bench.check().code and done.err.splitlines()[-1] == "written: short.pdf"
    text = "".join(page.extract_text() for page in pypdf.PdfReader("short.pdf").pages)
    assert "Sign-off" in text and "Findings to look at" in text
    assert "Appendix" not in text and "Provenance" not in text


def test_only_a_pdf_has_an_appendix_to_leave_out(bench: Bench) -> None:
    done = bench.run("report", "board.yaml", "-p", "few.yaml", "-o", "a.html", "--no-appendix")
    assert done.code == 2 and "write '-o a.pdf'" in done.err and not Path("a.html").exists()
