# SPDX-License-Identifier: MIT
"""A call with something else than it takes is answered with a sentence that says how to call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import pcbrules
from pcbrules import api, reports
from pcbrules.cli.main import cli

ROOT = Path(__file__).parents[1]
BOARD = ROOT / "tests" / "rules" / "base" / "stackup_edge.yaml"

def report(board: pcbrules.Loaded) -> pcbrules.Report:
    return pcbrules.check(board, "edge", pcbrules.Options(select=("MEC",)))


@pytest.fixture(scope="module")
def board() -> pcbrules.Loaded:
    return pcbrules.load(BOARD)


@pytest.mark.parametrize(("call", "kind", "says"), [
    (lambda b: pcbrules.check("none.yaml", profile="edge"), pcbrules.InputError, "none.yaml: "),
    (lambda b: pcbrules.check(b), TypeError, "missing a required argument: 'profile'; a profile is one of datacenter-"),
    (lambda b: pcbrules.check(b, "edge", waiver={}), TypeError, "no argument 'waiver': did you mean waivers?"),
    (lambda b: pcbrules.lines(b, "edge", nothing=1), TypeError, "it has board, profile, layer, link"),
    (lambda b: pcbrules.lines(b, "edge", layer=3), TypeError, "lines() takes a text as layer, not an int"),
    (lambda b: pcbrules.check(b, "edge", fixes="no"), TypeError, "check() takes True or False as fixes, not a str"),
    (lambda b: pcbrules.fix(b, "edge", tries=True), TypeError, "fix() takes a whole number as tries, not a bool"),
    (lambda b: pcbrules.board_yield(b, "edge", samples="many"), TypeError, "takes a whole number as samples"),
    (lambda b: pcbrules.board_yield(b, "edge", fail_on="no"), ValueError, "fail_on is one of error, warning, advice"),
    (lambda b: pcbrules.board_yield(b, "edge", seed=-1), ValueError, "seed and checks are not negative: -1"),
    (lambda b: pcbrules.design(b, "edge", {"layer": "L1"}), TypeError, "pcbrules.WantedTrace(layer='L1'"),
    (lambda b: pcbrules.Options(limit_sources=3), TypeError, "as {'guide': 'warning'}, not an int"),
    (lambda b: pcbrules.Options(limit_sources=[3]), ValueError, "not 3"),
    (lambda b: pcbrules.Options(limit_sources={"guide": "fatal"}), ValueError, "not ('guide', 'fatal')"),
    (lambda b: pcbrules.Options(costs=3), TypeError, "costs takes the path of a file of costs, not an int"),
    (lambda b: report(b).plot(most="x"), ValueError, "most is a whole number from 1, not 'x'"),
    (lambda b: b.replace([3], 1), TypeError, "takes a key such as"),
    (lambda b: pcbrules.check(b, "edge", waivers=3), TypeError, "waivers takes the path of a file, its text or a"),
    (lambda b: pcbrules.check(b, "edge", waivers={}, today=3), TypeError, "today takes a datetime.date or a text"),
    (lambda b: pcbrules.check(b, "edge", today="1.3.2026"), pcbrules.InputError, "write '2026-03-01'"),
    (lambda b: pcbrules.check(b, "edge", waivers={"waver": []}), pcbrules.InputError, "<waivers>:1:1: a waiver file"),
    (lambda b: pcbrules.check(b, "edge", held_waivers={}), TypeError, "held_waivers needs waivers"),
    (lambda b: pcbrules.check(b, "edge", baseline=3), TypeError, "baseline takes a report, the path of a JSON report"),
    (lambda b: pcbrules.check(b, "edge", baseline="{}"), pcbrules.InputError, "no JSON report"),
    (lambda b: pcbrules.check(b, "edge", regression="1 mil"), TypeError, "need a baseline"),
    (lambda b: pcbrules.check(b, "edge", fail_on="fatal"), ValueError, "one of error, warning, advice, not 'fatal'"),
    (lambda b: pcbrules.check(b, {"extends": "egde"}), pcbrules.InputError, "unknown profile"),
    (lambda b: pcbrules.check(b, {"extends": object()}), TypeError, "profile takes a mapping of texts, numbers"),
    (lambda b: pcbrules.check(b, "edge", require="MEC001:links.none"), pcbrules.InputError, "require: no board has"),
    (lambda b: pcbrules.fix(b, "edge", costs={"phase": 1}), TypeError, "takes the path of a file of costs, not a dict"),
    (lambda b: pcbrules.fix(b, "edge", tries=0), ValueError, "tries is 1 at least, not 0"),
    (lambda b: pcbrules.WantedTrace("L1", "90 ohm", True), TypeError, "impedance as a number in SI units"),
    (lambda b: pcbrules.check("edge", b), TypeError, "takes the board first, then the profile: 'edge' is a profile"),
    (lambda b: pcbrules.check(None, "edge"), TypeError, "as pcbrules.load() takes or returns it"),
    (lambda b: pcbrules.check([b], "edge"), TypeError, "the first is a list"),
    (lambda b: pcbrules.check(b, None), TypeError, "a profile is a name (datacenter-inference, edge, training)"),
    (lambda b: pcbrules.check(b, profile=b), TypeError, "not a Loaded"),
    (lambda b: pcbrules.check(b, "edge", {"fail_on": "error"}), TypeError, "pcbrules.Options(...)"),
    (lambda b: pcbrules.check(b, "egde"), pcbrules.InputError, "profile: unknown profile"),
    (lambda b: pcbrules.check(b, str(BOARD)), pcbrules.InputError, "this is a board file, not a ruleset"),
    (lambda b: pcbrules.load(b), TypeError, "load() takes the path of a board file"),
    (lambda b: pcbrules.load(None), TypeError, "not None"),
    (lambda b: pcbrules.Options(ignore=3), TypeError, "not an int"),
    (lambda b: pcbrules.Options(ignore=(3,)), TypeError, "all of them text"),
    (lambda b: pcbrules.Options(fail_on="fatal"), ValueError, "one of error, warning, advice, not 'fatal'"),
    (lambda b: pcbrules.render("markdown", report(b)), TypeError, "write render('markdown', [report])"),
    (lambda b: pcbrules.render(report(b), "markdown"), TypeError, "the format comes first"),
    (lambda b: pcbrules.render([report(b)], "pdf2"), TypeError, "the format comes first"),
    (lambda b: pcbrules.render("pdf2", [report(b)]), ValueError, "no format 'pdf2': choose from brief.pdf"),
    (lambda b: pcbrules.render("json", "x"), TypeError, "then a list of reports"),
    (lambda b: pcbrules.render("json", [1]), TypeError, "then a list of reports"),
    (lambda b: pcbrules.render("json", 1), TypeError, "then a list of reports"),
    (lambda b: reports.draws("pdf2"), ValueError, "choose from"),
    (lambda b: b.links["nope"], KeyError, "the board has no link 'nope'"),
    (lambda b: api.lines(3, "edge"), TypeError, "lines() takes a board"),
    (lambda b: api.fab_order(3), TypeError, "fab_order() takes a board"),
    (lambda b: api.fab_returned(b, 3, ()), TypeError, "a profile is a name"),
    (lambda b: api.channels(b, 1), TypeError, "a profile is a name"),
    (lambda b: api.rails(3, "edge"), TypeError, "rails() takes a board"),
    (lambda b: api.explain(3, "edge", "SIG001"), TypeError, "explain() takes a board"),
])
def test_a_wrong_call_says_how_to_call(
    board: pcbrules.Loaded, call: Callable[[Any], Any], kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind) as caught:
        call(board)
    told = caught.value
    assert type(told) is kind
    problems = told.problems if isinstance(told, pcbrules.InputError) else ()
    text = "\n".join(problem.text() for problem in problems) or str(told)
    assert says in text and "\n" not in text and not text.startswith("--"), "a call has no options"


def test_what_is_meant_is_taken(board: pcbrules.Loaded, tmp_path: Path) -> None:
    assert pcbrules.Options(fail_on="warning").fail_on is pcbrules.Severity.WARNING  # type: ignore[arg-type]
    assert pcbrules.Options(select=["MEC"]).select == ("MEC",)  # type: ignore[arg-type]
    assert pcbrules.render("json", (report(board),))
    (tmp_path / "mine.yaml").write_text('extends: edge\nruleset: mine\nversion: "1"\ntitle: mine\n', encoding="utf-8")
    mine = pcbrules.check(board, tmp_path / "mine.yaml", pcbrules.Options(select=("MEC",)))  # type: ignore[arg-type]
    assert mine.findings == report(board).findings


@pytest.mark.parametrize(("args", "says"), [
    (["check", str(BOARD), "edge"], "'edge' is a profile, not a board file: write --profile edge"),
    (["check", "edge", str(BOARD), "-p", "edge"], "'edge' is a profile, not a board file"),
    (["report", str(BOARD), "training"], "write --profile training"),
    (["lines", str(BOARD), "edge"], "write --profile edge"),
    (["rules", "edge"], "write --profile edge"),
    (["pdn", str(BOARD), "edge"], "fix: write --profile edge"),
    (["channel", str(BOARD), "edge"], "fix: write --profile edge"),
    (["check", "-p", str(BOARD), str(BOARD)], "this is a board file, not a ruleset"),
    (["explain", "SIG001", str(BOARD)], "write --board"),
    (["library", "edge"], "choose from"),
    ([str(BOARD)], "pcbrules check"),
])
def test_an_argument_in_the_wrong_place_is_told_its_place(args: list[str], says: str) -> None:
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 2 and says in done.output.replace("\n", " ")


def test_a_board_file_of_a_profiles_name_is_a_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("edge").write_bytes(BOARD.read_bytes())
    done = CliRunner().invoke(cli, ["check", "edge", "-p", "edge", "--select", "MEC"])
    assert "is a profile" not in done.output and done.exit_code in (0, 1, 3)


def test_one_name_may_stand_alone_in_every_call(board: pcbrules.Loaded) -> None:
    """As on the command line: one text is one name, or several with commas between."""
    assert pcbrules.Options(select="SIG, STK001").select == ("SIG", "STK001")
    key = "stackup[0].thickness=40um,45um"
    alone = pcbrules.sweep(board, "edge", key, show="STK001,MEC001")
    assert alone == pcbrules.sweep(board, "edge", [key], show=["STK001", "MEC001"])
    assert [one.rule for one in alone.shown] == ["STK001", "MEC001"]
    with pytest.raises(TypeError, match="show takes a sequence of names, not an int"):
        pcbrules.sweep(board, "edge", key, show=3)  # type: ignore[arg-type]


def test_every_plain_argument_of_every_call_refuses_another_type_before_anything_is_read() -> None:
    import inspect

    from pcbrules.api._arguments import PLAIN

    seen = 0
    for name in pcbrules.__all__:
        call = getattr(pcbrules, name)
        if not inspect.isfunction(call) or call.__module__ == "pcbrules.reports":
            continue
        arguments = inspect.signature(call).parameters
        needed = {one.name: object() for one in arguments.values() if one.default is one.empty}
        for one in arguments.values():
            if str(one.annotation) in PLAIN:
                with pytest.raises(TypeError, match=rf"^{name}\(\) takes .* as {one.name}, not an object$"):
                    call(**needed | {one.name: object()})
                seen += 1
    assert seen > 25
