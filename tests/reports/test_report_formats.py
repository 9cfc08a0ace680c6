# SPDX-License-Identifier: MIT
"""What holds for every format: discovery, same bytes, harmless characters, ASCII on demand, light imports."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from report_samples import all_samples

from pcbrules import reports
from pcbrules.errors import InputError

SAMPLES = all_samples()
FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)

every_format = pytest.mark.parametrize("name", reports.text_formats())
every_sample = pytest.mark.parametrize("sample", SAMPLES)


def test_formats_are_found_by_folder() -> None:
    folder = Path(reports.__file__).parent
    files = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert len(reports.formats()) == len({name for name in files if not name.startswith("_")})
    assert {"console", "json"} <= set(reports.text_formats()) < set(reports.formats())
    assert "pdf" not in reports.text_formats() and reports.draws("html") and not reports.draws("json")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("out.txt", "console"),
        ("out.json", "json"),
        ("a.b/OUT.JSON", "json"),
        ("out.sarif", "sarif"),
        ("out.sarif.json", "sarif"),
        ("TEST-board.xml", "junit"),
        ("summary.md", "markdown"),
        ("review.html", "html"),
        ("review.HTM", "html"),
        ("review.pdf", "pdf"),
        ("summary.markdown", "markdown"),
    ],
)
def test_suffix_names_the_format(path: str, name: str) -> None:
    assert reports.by_suffix(path) == name
    assert reports.target(path) == (name, path)


@pytest.mark.parametrize("path", ["out", "out.docx", "json", "-", "", "out.json/"])
def test_unknown_suffix_is_an_input_error(path: str) -> None:
    with pytest.raises(InputError) as caught:
        reports.by_suffix(path)
    assert ".sarif" in str(caught.value) and "json:FILE" in str(caught.value)


def test_target_takes_the_format_from_a_prefix() -> None:
    assert reports.target("junit:results.dat") == ("junit", "results.dat")
    assert reports.target("json:C:\\out.txt") == ("json", "C:\\out.txt")
    assert reports.target("C:\\reports\\out.json") == ("json", "C:\\reports\\out.json")
    with pytest.raises(InputError):
        reports.target("junit:")


@every_format
@every_sample
def test_same_input_gives_the_same_text_with_one_final_newline(name: str, sample: str) -> None:
    text = reports.render(name, SAMPLES[sample])
    assert text == reports.render(name, all_samples()[sample])
    assert text.endswith("\n") and not text.endswith("\n\n") and "\r" not in text


@every_format
@every_sample
def test_no_character_that_a_terminal_obeys(name: str, sample: str) -> None:
    text = reports.render(name, SAMPLES[sample])
    assert not FORBIDDEN.search(text)
    text.encode("utf-8")


@every_format
@every_sample
def test_ascii_on_demand(name: str, sample: str) -> None:
    assert reports.render(name, SAMPLES[sample], ascii_only=True, verbose=True).isascii()


@every_format
def test_no_format_claims_compliance(name: str) -> None:
    text = reports.render(name, SAMPLES["two boards"], verbose=True)
    assert not re.search("compliant", text, re.IGNORECASE)


def test_reports_load_nothing_heavy() -> None:
    code = (
        "import sys, pcbrules.reports as r; r.formats(); "
        "print([m for m in ('numpy', 'scipy', 'skrf', 'pydantic', 'yaml', 'click', 'pcbrules.rules') "
        "if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.long
def test_same_bytes_under_another_hash_seed() -> None:
    code = (
        "import sys, pathlib; sys.path.insert(0, sys.argv[1]); import report_samples as s; "
        "from pcbrules import reports; "
        "made = [reports.render(name, (s.everything(), s.nasty())) for name in reports.text_formats()]; "
        "sys.stdout.buffer.write(''.join(made).encode())"
    )
    here = __file__.rpartition("test_report_formats")[0]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, here],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "LC_ALL": locale},
        ).stdout
        for seed, locale in (("1", "C"), ("2", "C.UTF-8"))
    }
    assert len(outputs) == 1
