# SPDX-License-Identifier: MIT
"""The commands beside `check`."""

from __future__ import annotations

import json

import pytest
from cli_bench import Bench

from pcbrules.rules import all_rules
from pcbrules.rules._over_spec import OVER_SPEC


def test_no_command_or_an_unknown_one_is_2(bench: Bench) -> None:
    assert bench.run().code == 2
    done = bench.run("chek", "board.yaml")
    assert done.code == 2 and "Did you mean 'check'?" in done.err
    assert bench.run("\x1b[31m").err.count("\x1b") == 0
    assert bench.run("check", "-p", "edge").code == 2
    assert bench.run("check", "board.yaml", "-p", "edge", "--fail-on", "9" * 5000).code == 2


def test_rules_lists_every_rule_with_the_limits_of_a_profile(bench: Bench) -> None:
    lines = bench.run("rules").out.splitlines()
    assert [line.split()[0] for line in lines] == [*all_rules(), *OVER_SPEC]
    text = " ".join(bench.run("rules", "-p", "few.yaml").out.split())
    assert "otherwise: stub < 10 mil (error)" in text and "otherwise: off, not looked at" in text
    assert text.endswith("impedance class beyond what the profile needs not asked: add --over-spec")
    done = bench.run("rules", "-p", "trainning")
    assert done.code == 2 and "write 'training'" in done.err
    assert bench.run("rules", "-p", "").code == 2


@pytest.mark.parametrize("name", ["SIG003", "sig003", " residual-via-stub "])
def test_explain_gives_page_limits_and_sources(bench: Bench, name: str) -> None:
    done = bench.run("explain", name)
    assert done.code == 0
    for words in ("SIG003", "What it checks", "Why it matters", "How to fix it", "training:", "[guide]"):
        assert words in done.out
    done = bench.run("explain", name, "-p", "few.yaml")
    assert "few:" in done.out and "training:" not in done.out and "source: a source [guide]" in done.out


def test_explain_knows_the_rules_of_the_engine_and_suggests(bench: Bench) -> None:
    done = bench.run("explain", "ovr008")
    assert done.code == 0 and "Fewer power supplies" in done.out and "switched off" not in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())
    assert "check --over-spec --select OVR008" in bench.run("explain", "OVR008", "--board", "board.yaml").err
    assert "covers nothing" in bench.run("explain", "pcb002").out
    done = bench.run("explain", "SIG03")
    assert done.code == 2 and "Did you mean 'SIG003'?" in done.err
    assert bench.run("explain", "residual-via-stubb").err.count("residual-via-stub'") == 1
    assert "\x1b" not in bench.run("explain", "\x1b[31m" * 50).err
    done = bench.run("explain", "SIG003", "-p", "none.yaml")
    assert done.code == 2 and done.out == "", "nothing is printed before the profile is read"


def test_library(bench: Bench) -> None:
    assert "laminates" in bench.run("library").out
    assert "megtron6" in bench.run("library", "laminates").out
    assert "source" in bench.run("library", "links", "pcie5").out
    for args in (("laminats",), ("laminates", "megtronn6"), ("links", "../links/pcie5"), ("links", "")):
        done = bench.run("library", *args)
        assert done.code == 2 and done.out == "" and "no '" in done.err


def test_schema(bench: Bench) -> None:
    board = json.loads(bench.run("schema", "board").out)
    assert "stackup" in board["properties"]
    assert json.loads(bench.run("schema", "report").out)["$schema"]
    assert bench.run("schema", "boards").code == 2


def test_init_writes_once_and_says_how_to_go_on(bench: Bench) -> None:
    done = bench.run("init", "--example", "hgx-h100-baseboard", "mein board.yaml")
    assert done.code == 0 and "pcbrules check 'mein board.yaml' --profile training" in done.out
    before = (bench.folder / "mein board.yaml").read_bytes()
    done = bench.run("init", "--example", "hgx-h100-baseboard", "mein board.yaml")
    assert done.code == 2 and "exists" in done.err and (bench.folder / "mein board.yaml").read_bytes() == before
    (bench.folder / "link.yaml").symlink_to("elsewhere.yaml")
    assert bench.run("init", "--example", "hgx-h100-baseboard", "link.yaml").code == 2
    assert bench.run("init", "--example", "hgx-h100-baseboard", "-o", "other.yaml").code == 0
    assert "name one" in bench.run("init", "--example", "hgx-h100-baseboard", "-o", "a.yaml", "b.yaml").err
    assert not (bench.folder / "elsewhere.yaml").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "--profile"),
        (("-p", "edge", "--example", "hgx-h100-baseboard"), "--profile"),
        (("-p", "egde"), "Did you mean 'edge'?"),
        (("-p", ""), "is none of"),
        (("-p", "../templates/edge"), "is none of"),
        (("--example", "hgx-h100"), "is none of"),
        (("-p", "edge", "none/board.yaml"), "does not exist"),
        (("-p", "edge", "."), "exists"),
    ],
)
def test_init_refuses(bench: Bench, args: tuple[str, ...], words: str) -> None:
    done = bench.run("init", *args)
    assert done.code == 2 and words in done.err


def test_prices_belong_to_what_counts_with_them(bench: Bench) -> None:
    done = bench.check("--costs", "prices.yaml")
    assert done.code == 2 and "--costs needs --over-spec" in done.err
    done = bench.check("--costs", "prices.yaml", "--over-spec")
    assert done.code == 2 and "prices.yaml" in done.err and "no such file" in done.err
