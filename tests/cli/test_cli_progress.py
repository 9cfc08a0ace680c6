# SPDX-License-Identifier: MIT
"""The progress bar: on a terminal, for many tasks, and nowhere else."""

from __future__ import annotations

import io

import pytest
from cli_bench import ROOT, Bench

from pcbrules import api
from pcbrules.cli import _common

H100 = str(ROOT / "boards" / "hgx-h100-baseboard.yaml")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Stands for stderr from here on; a fixture would be too early, before the capture of the test."""
    made = Terminal()
    monkeypatch.setattr("sys.stderr", made)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_many_tasks_are_counted_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    watch = _common.watch()
    assert watch is not None
    assert list(watch(iter(range(200)), 200)) == list(range(200))
    assert "solving" in screen.getvalue() and "100%" in screen.getvalue()


def test_few_tasks_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    watch = _common.watch()
    assert watch is not None
    assert list(watch(iter(range(5)), 5)) == list(range(5))
    assert screen.getvalue() == ""


@pytest.mark.parametrize(("name", "value"), [("CI", "true"), ("TERM", "dumb")])
def test_nothing_in_ci_or_on_a_dumb_terminal(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    terminal(monkeypatch)
    assert _common.watch() is not None
    monkeypatch.setenv(name, value)
    assert _common.watch() is None


@pytest.mark.long
def test_nothing_where_stderr_is_no_terminal(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_common, "MANY", 1)
    assert _common.watch() is None
    for words in (("check", H100, "-p", "training"), ("channel", H100, "-p", "training")):
        done = bench.run(*words)
        assert done.err == "" and "solving" not in done.out


@pytest.mark.long
def test_the_report_and_the_channels_are_the_same_with_and_without() -> None:
    seen: list[int] = []

    def watch(items, count):
        seen.append(count)
        yield from items

    loaded = api.load(H100)
    assert api.check(loaded, "training", watch=watch) == api.check(loaded, "training")
    stages = len(seen)
    assert api.channels(loaded, "training", watch=watch) == api.channels(loaded, "training")
    assert stages >= 1 and len(seen) == stages + 1 and min(seen) > 1, "each stage of the check, and the channels"
