# SPDX-License-Identifier: MIT
"""`bundle` and `verify`: the same bytes for the same inputs, and what was changed is found."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cli_bench import BOARD, ROOT, STUB, Bench, ruleset

from pcbrules.api.evidence.archive import packed

WAIVER = f"waivers: [{{rule: SIG003, subject: {STUB}, at_most: 12 mil, reason: r, owner: o, expires: 2026-12-31}}]\n"


def bundled(bench: Bench, *words: str, name: str = "e.zip") -> Any:
    return bench.run("bundle", "board.yaml", "-p", "few.yaml", "--no-selftest", "-o", name, *words)


def opened(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def written(path: Path, files: dict[str, bytes]) -> None:
    """An archive of the files whose manifest fits them."""
    manifest = json.loads(files["manifest.json"])
    about = {key: value for key, value in manifest.items() if key not in ("format", "files", "digest")}
    counted = {name: data for name, data in files.items() if name not in ("manifest.json", "machine.json")}
    path.write_bytes(packed(counted, about, {}))


def test_the_same_inputs_give_the_same_bytes_and_verify(bench: Bench) -> None:
    bench.put("board.yaml", BOARD.replace("residual: 4 mil", "residual: 9 mil"))
    bench.put("w.yaml", WAIVER)
    on = ("--waivers", "w.yaml", "--today", "2026-06-01")
    done = bundled(bench, *on)
    assert done.code == 0 and "1 waived" in done.out
    bundled(bench, *on, name="f.zip")
    assert (bench.folder / "e.zip").read_bytes() == (bench.folder / "f.zip").read_bytes()
    files = opened(bench.folder / "e.zip")
    inputs = {"inputs/board.yaml", "inputs/few.yaml", "inputs/w.yaml"}
    assert inputs | {"report.json", "report.html", "library.json"} <= set(files)
    manifest = json.loads(files["manifest.json"])
    assert manifest["verdict"] == "PASS"
    assert manifest["settings"] == {"profile": "inputs/few.yaml", "today": "2026-06-01"}
    assert manifest["files"]["inputs/board.yaml"] == sha256(files["inputs/board.yaml"]).hexdigest()
    assert "machine.json" not in manifest["files"] and "megtron6" in json.loads(files["library.json"])["laminates"]
    (bench.folder / "board.yaml").unlink()
    done = bench.run("verify", "e.zip")
    assert done.code == 0 and "gives the same again" in done.out


def test_bundle_and_verify_print_the_digest(bench: Bench) -> None:
    """An archive that somebody made anew from other inputs is whole: only the digest, kept apart, tells it."""
    def line(out: str) -> str:
        (one,) = (text for text in out.splitlines() if text.startswith("digest "))
        return one

    done = bundled(bench)
    digest = json.loads(opened(bench.folder / "e.zip")["manifest.json"])["digest"]
    assert line(done.out) == f"digest {digest}" and "Keep it apart from the archive" in done.out
    assert line(bench.run("verify", "e.zip").out) == line(done.out)
    bench.put("board.yaml", BOARD.replace("residual: 4 mil", "residual: 5 mil"))
    bundled(bench)
    again = bench.run("verify", "e.zip")
    assert again.code == 0 and line(again.out) != line(done.out)


def test_one_difference_is_one(bench: Bench) -> None:
    bundled(bench)
    files = opened(bench.folder / "e.zip")
    manifest = json.loads(files["manifest.json"])
    files["manifest.json"] = json.dumps({**manifest, "verdict": "FAIL"}).encode()
    written(bench.folder / "e.zip", files)
    done = bench.run("verify", "e.zip")
    assert done.code == 1 and "1 difference\n" in done.out


def test_the_exit_code_is_that_of_check(bench: Bench) -> None:
    bench.put("few.yaml", ruleset().replace("< 10 mil", "< 1 mil"))
    assert bundled(bench).code == 1
    assert bench.run("verify", "e.zip").code == 0


def test_a_file_that_was_changed_is_found(bench: Bench) -> None:
    bundled(bench)
    files = opened(bench.folder / "e.zip")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data.replace(b"residual: 4 mil", b"residual: 5 mil"))
    bench.put("t.zip", "")
    (bench.folder / "t.zip").write_bytes(made.getvalue())
    done = bench.run("verify", "t.zip")
    assert done.code == 2 and "not the one that was packed" in done.err and "inputs/board.yaml" in done.err
    files["inputs/board.yaml"] = files["inputs/board.yaml"].replace(b"residual: 4 mil", b"residual: 9 mil")
    written(bench.folder / "t.zip", files)
    done = bench.run("verify", "t.zip")
    assert done.code == 1 and "verdict: PASS in the archive, FAIL now" in done.out
    assert f"SIG003 {STUB}, measured: 6" in done.out


@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x", "c:x"])
def test_a_name_that_leads_out_is_refused(bench: Bench, name: str) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, b"x")
    (bench.folder / "t.zip").write_bytes(made.getvalue())
    done = bench.run("verify", "t.zip")
    assert done.code == 2 and "leads out of it" in done.err and not (bench.folder.parent / "x").exists()


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04" + b"\0" * 40])
def test_what_is_no_archive_is_2(bench: Bench, data: bytes) -> None:
    (bench.folder / "t.zip").write_bytes(data)
    done = bench.run("verify", "t.zip")
    assert done.code == 2 and "t.zip" in done.err and "Traceback" not in done.err
    assert bench.run("verify", "none.zip").code == 2


@pytest.mark.parametrize("left", ["report.json", "inputs/board.yaml"])
def test_an_archive_that_lacks_a_part_is_2(bench: Bench, left: str) -> None:
    bundled(bench)
    files = opened(bench.folder / "e.zip")
    del files[left]
    written(bench.folder / "t.zip", files)
    done = bench.run("verify", "t.zip")
    assert done.code == 2 and "Traceback" not in done.err


def test_a_layout_with_its_overlay_is_checked_again(bench: Bench) -> None:
    shutil.copy(ROOT / "tests" / "data" / "layouts" / "design.kicad_pcb", bench.folder)
    done = bench.run("bundle", "design.kicad_pcb", "-p", "edge", "--no-selftest", "-o", "e.zip")
    assert done.code in (0, 1, 3), done.err
    assert bench.run("verify", "e.zip").code == 0


def test_a_process_ends_with_the_code_of_the_command(bench: Bench, program: tuple[str, ...]) -> None:
    """What a command hands to click as its code is the code of the program."""
    bench.put("few.yaml", ruleset().replace("< 10 mil", "< 1 mil"))
    words = ("bundle", "board.yaml", "-p", "few.yaml", "--no-selftest", "-o", "e.zip")
    assert bench.process(*words, cwd=bench.folder, program=program).code == 1
    files = opened(bench.folder / "e.zip")
    files["report.json"] = files["report.json"].replace(b'"verdict": "FAIL"', b'"verdict": "PASS"')
    written(bench.folder / "e.zip", files)
    assert bench.process("verify", "e.zip", cwd=bench.folder, program=program).code == 1


@pytest.mark.parametrize("name", ["/etc/hostname", "../../etc/hostname", "inputs/none.yaml"])
def test_nothing_beside_the_archive_is_read(bench: Bench, name: str) -> None:
    bench.put("board.yaml", BOARD)
    assert bundled(bench).code in (0, 1, 3)
    files = opened(bench.folder / "e.zip")
    manifest = json.loads(files["manifest.json"])
    manifest["inputs"][0][1] = name
    files["manifest.json"] = json.dumps(manifest).encode()
    written(bench.folder / "e.zip", files)
    done = bench.run("verify", "e.zip")
    assert done.code == 2 and "does not hold an input" in done.err


def test_a_digest_of_other_files_is_refused(bench: Bench) -> None:
    bench.put("board.yaml", BOARD)
    assert bundled(bench).code in (0, 1, 3)
    files = opened(bench.folder / "e.zip")
    files["manifest.json"] = files["manifest.json"].replace(
        json.loads(files["manifest.json"])["digest"].encode(), b"0" * 64)
    with zipfile.ZipFile(bench.folder / "e.zip", "w") as archive:
        for one, data in files.items():
            archive.writestr(one, data)
    done = bench.run("verify", "e.zip")
    assert done.code == 2 and "digest" in done.err


@pytest.mark.parametrize(("name", "was", "now", "told"), [
    ("report.html", b"<title>", b"<title>x", "report.html, line 8: "),
    ("library.json", b"megtron6", b"megtron7", "library.json, laminates.megtron6"),
    ("report.json", b"A few rules", b"All rules", "profile.title: All rules in the archive, A few rules now"),
    ("report.json", b'"board": "tiny"', b'"board": "huge"', "board: huge in the archive, tiny now"),
    ("selftest.json", b'"error": 0.', b'"error": 1.', "selftest.json, "),
])
def test_a_change_of_any_file_is_told_with_its_place(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, was: bytes, now: bytes, told: str
) -> None:
    for module in ("making", "again"):
        monkeypatch.setattr(f"pcbrules.api.evidence.{module}.worst_errors_json", lambda: b'[{"error": 0.1}]\n')
    assert bench.run("bundle", "board.yaml", "-p", "few.yaml", "-o", "e.zip").code == 0
    assert bench.run("verify", "e.zip").code == 0
    files = opened(bench.folder / "e.zip")
    assert was in files[name]
    files[name] = files[name].replace(was, now)
    written(bench.folder / "e.zip", files)
    done = bench.run("verify", "e.zip")
    assert done.code == 1 and told in done.out
    assert bench.run("verify", "e.zip", "--no-selftest").code == (name != "selftest.json")


def test_the_archive_does_not_hang_on_where_it_was_made(bench: Bench) -> None:
    assert bundled(bench).code == 0
    (bench.folder / "deep").mkdir()
    for name in ("board.yaml", "few.yaml"):
        shutil.copy(bench.folder / name, bench.folder / "deep" / name)
    done = bench.run("bundle", "deep/board.yaml", "-p", "deep/few.yaml", "--no-selftest", "-o", "f.zip")
    assert done.code == 0 and (bench.folder / "e.zip").read_bytes() == (bench.folder / "f.zip").read_bytes()
