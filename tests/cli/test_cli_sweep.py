# SPDX-License-Identifier: MIT
"""`sweep`: each variant is judged as a check of its board judges it, serially, in processes, after an interrupt."""

from __future__ import annotations

import csv
import io

import pytest
from cli_bench import BOARD, Bench
from dask_bench import dask_cluster, run_and_kill
from json_schemas import valid

from pcbrules import api

RESIDUAL = "via_types.pth.backdrill.residual=1mil:12mil:12"
SWEEP = ("sweep", "board.yaml", "-p", "few.yaml", "--vary", RESIDUAL)


def test_each_variant_is_judged_as_a_check_of_it(bench: Bench) -> None:
    done = bench.run(*SWEEP, "--show", "SIG003", "--format", "json")
    tree = valid(done.out, "sweep")
    assert done.code == 0 and len(tree["variants"]) == 12
    for variant in tree["variants"]:
        (value,) = variant["values"]
        board = api.load(BOARD.replace("residual: 4 mil", f"residual: {value}"))
        report = api.check(board, str(bench.folder / "few.yaml"),
                           api.Options(select=("SIG003",)))
        worst = next(one for one in report.findings if one.rule == "SIG003")
        (found,) = variant["rules"]
        assert (variant["verdict"], variant["exit_code"]) == (report.verdict.value, report.exit_code), value
        assert (found["status"], found["subject"]) == (worst.status.value, worst.subject)
        assert worst.measured is not None
        assert found["measured"] == pytest.approx(worst.measured.value / 25.4e-6, rel=1e-6)


def test_the_table_says_where_it_passes(bench: Bench) -> None:
    done = bench.run(*SWEEP, "--show", "SIG003:links.a")
    assert "A = via_types.pth.backdrill.residual: 1 mil to 12 mil, 12 values" in done.out
    said = " ".join(done.out.split())
    assert "SIG003:links.a: links.a.path.via1.bottom" in said
    assert "decides, limit ≥ 0 mil (the layer in use stays whole); < 10 mil" in said
    assert "exit code 0 at 2 mil to 7 mil SIG003:links.a passes at 2 mil to 7 mil" in said
    assert "12 mil  FAIL" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_a_variant_that_is_no_board_says_why(bench: Bench) -> None:
    words = ("sweep", "board.yaml", "-p", "few.yaml", "--vary")
    done = bench.run(*words, "via_types.pth.drill=0.25mm,-1mm", "--show", "SIG003")
    assert done.code == 0 and "REFUSED" in done.out and "via_types.pth.drill: must be greater than zero" in done.out
    assert bench.run(*words, "via_types.pth.drill=0mm,-1mm").code == 2, "none is a board"


def test_the_same_in_processes_and_going_on_after_an_interrupt(bench: Bench) -> None:
    words = (*SWEEP, "--show", "SIG003,MEC001", "--format", "json")
    alone = bench.run(*words)
    assert bench.run(*words, "-j", "2").out == alone.out
    assert bench.run(*words, "--resume", "kept.jsonl").out == alone.out
    kept = bench.folder / "kept.jsonl"
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 13
    kept.write_bytes(b"".join(lines[:6]) + lines[6][:40])  # killed while it wrote the sixth
    assert bench.run(*words, "--resume", "kept.jsonl").out == alone.out
    assert kept.read_bytes() == b"".join(lines)


def test_what_is_kept_is_not_judged_again_and_of_another_study_refused(bench: Bench) -> None:
    words = (*SWEEP, "--show", "SIG003", "--format", "json", "--resume", "kept.jsonl")
    assert bench.run(*words).code == 0
    kept = bench.folder / "kept.jsonl"
    kept.write_text(kept.read_text().replace('"measured": 12.0', '"measured": 77.0').replace('"FAIL"', '"PASS"'))
    assert '"FAIL"' not in bench.run(*words).out, "it is what the file says"
    bench.put("board.yaml", BOARD + "\n# x\n")
    done = bench.run(*words)
    assert done.code == 2 and "belongs to another study" in done.err
    bench.put("kept.jsonl", "hello\n")
    assert "is no file of a study" in bench.run(*words).err


def test_files(bench: Bench) -> None:
    done = bench.run(*SWEEP, "--vary", "board.size.width=40mm,90mm", "--show", "SIG003,MEC001", "-o", "a.csv",
                     "-o", "a.svg", "-o", "a.json")
    assert done.code == 0
    rows = list(csv.DictReader(io.StringIO((bench.folder / "a.csv").read_text())))
    assert len(rows) == 24 and rows[0]["board.size.width"] == "40mm" and rows[0]["MEC001 status"] == "fail"
    assert rows[1]["SIG003 unit"] == "mil" and rows[0]["verdict"] == "FAIL"
    assert (bench.folder / "a.svg").read_text().count("<g transform") == 2
    assert len(valid((bench.folder / "a.json").read_text(), "sweep")["variants"]) == 24


@pytest.mark.parametrize(("words", "said"), [
    (("--vary", "x=1,2"), "the board file has nothing here"),
    (("--vary", RESIDUAL, "--show", "SIG3"), "no rule begins so"),
    (("--vary", RESIDUAL, "-o", "a.txt"), "has to end in"), (("--vary", RESIDUAL, "-o", "a.svg"), "add --show"),
    (("--vary", RESIDUAL, "-o", "none/a.csv"), "cannot write"), ((), "--vary"),
    (("--vary", RESIDUAL, "-j", "2", "--scheduler", "tcp://host:1"), "name one of them"),
    (("--vary", RESIDUAL, "--resume", "board.yaml"), "is an input"),
])
def test_what_is_wrong_is_2(bench: Bench, words: tuple[str, ...], said: str) -> None:
    before = (bench.folder / "board.yaml").read_bytes()
    done = bench.run("sweep", "board.yaml", "-p", "few.yaml", *words)
    assert done.code == 2 and said in " ".join(done.err.split())
    assert (bench.folder / "board.yaml").read_bytes() == before


@pytest.mark.parametrize(("show", "said"), [
    ("SIG003:links.nope", "found 'links.nope'; expected links.a"),
    ("SIG003:links.a.path.via11", "did you mean links.a.path.via1"),
    ("SIG003:lnks", "the board has no such part"),
    ("MEC001:rails.core", "expected there is none"),
])
@pytest.mark.parametrize("command", [("sweep", "--vary", RESIDUAL), ("yield",)])
def test_a_part_that_the_board_does_not_have_is_refused(
    bench: Bench, command: tuple[str, ...], show: str, said: str,
) -> None:
    done = bench.run(command[0], "board.yaml", "-p", "few.yaml", *command[1:], "--show", show)
    text = " ".join(done.err.split())
    assert done.code == 2 and "--show: the board has no such part" in text and said in text and not done.out


def test_a_rule_that_judges_nothing_of_a_part_is_no_pass(bench: Bench) -> None:
    done = bench.run(*SWEEP, "--show", "SIG003:links.a.path.trace1")
    assert done.code == 3 and "PASS" not in done.out and "INCOMPLETE" in done.out
    assert " ".join(done.out.split()).endswith("nothing judged by SIG003:links.a.path.trace1: exit code 3")
    both = bench.run(*SWEEP, "--show", "SIG003,MEC001:links.a", "--format", "json")
    assert both.code == 3 and valid(both.out, "sweep")["exit_code"] == 3


@pytest.mark.long
def test_a_cluster_of_which_a_worker_is_killed_gives_the_same(bench: Bench) -> None:
    """A scheduler and two workers as processes; one is killed while the other judges."""
    words = ("sweep", "board.yaml", "-p", "few.yaml", "--vary", "via_types.pth.backdrill.residual=1mil:12mil:400",
             "--show", "SIG003,MEC001", "--format", "json")
    with dask_cluster(bench.folder, 2) as (address, workers):
        alone = bench.run(*words)
        kept = bench.folder / "kept.jsonl"
        assert run_and_kill(bench, words, address, workers[-1], kept, 20) == alone.bytes
        assert kept.read_bytes().count(b"\n") == 401, "nothing is lost, nothing stands twice"
