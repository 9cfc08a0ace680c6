# SPDX-License-Identifier: MIT
"""`pcbrules fab`: the package that is written, and what is kept."""

from __future__ import annotations

from cli_bench import BOARD, Bench

FILES = {"notes.md", "stackup.csv", "stackup.xml", "impedance.csv", "loss.csv", "drill.csv", "backdrill.csv"}


def written(bench: Bench, folder: str) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in (bench.folder / folder).iterdir()}


def test_the_package_is_written_and_an_existing_file_is_kept(bench: Bench) -> None:
    bench.put("board.yaml", BOARD.replace("width: 90 mm", "width: 900 mm"))
    done = bench.run("fab", "board.yaml", "-o", "order", "-p", "few.yaml")
    assert done.code in (0, 3) and done.out.startswith("wrote notes.md, stackup.csv")
    first = written(bench, "order")
    assert first.keys() == FILES
    assert b"Profile few" in first["notes.md"] and b"- MEC001 error" in first["notes.md"]
    bench.run("fab", "board.yaml", "-o", "again", "-p", "few.yaml")
    assert written(bench, "again") == first
    bench.put("kept/loss.csv", "mine")
    done = bench.run("fab", "board.yaml", "-o", "kept")
    assert done.code == 2 and "loss.csv exists; name another folder" in done.err
    assert written(bench, "kept") == {"loss.csv": b"mine"}


def test_what_was_not_evaluated_is_told(bench: Bench) -> None:
    """The board has no foils of its own: what is sold is taken, and the order says so."""
    text = (bench.folder / "board.yaml").read_text()
    bench.put("odd.yaml", text.replace("role: ground}", "role: signal}"))
    done = bench.run("fab", "odd.yaml", "-o", "order")
    assert done.code == 3 and "was not evaluated" in done.err
    assert b"not evaluated: L1 has no reference plane" in written(bench, "order")["impedance.csv"]


def test_a_folder_that_cannot_be_made_is_told(bench: Bench) -> None:
    done = bench.run("fab", "board.yaml", "-o", "no/such/folder")
    assert done.code == 2 and "cannot write into" in done.err
    assert bench.run("fab", "edge", "-o", "order").code == 2
