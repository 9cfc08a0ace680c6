# SPDX-License-Identifier: MIT
"""A stand-in for matplotlib, which is no part of pcbrules: axes that write down what is drawn on them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest


class Line:
    def __init__(self, gid: str | None) -> None:
        self.gid = gid

    def get_gid(self) -> str | None:
        return self.gid


class Axes:
    """Axes that write down what is drawn on them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.xaxis = SimpleNamespace(set_major_formatter=lambda text: None)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **named: self.calls.append((name, args, named))

    def has_data(self) -> bool:
        return bool(self.of("plot"))

    def get_lines(self) -> list[Line]:
        return [Line(named.get("gid")) for _, named in self.of("plot")]

    def get_legend_handles_labels(self) -> tuple[list[None], list[str]]:
        labels = [named["label"] for _, _, named in self.calls if named.get("label")]
        return [None] * len(labels), labels

    def get_xlim(self) -> Any:
        return self.of("set_xlim")[-1][0] if self.of("set_xlim") else (0.0, 1.0)

    def get_ylim(self) -> Any:
        return self.of("set_ylim")[-1][0] if self.of("set_ylim") else (0.0, 1.0)

    def of(self, name: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
        return [(args, named) for call, args, named in self.calls if call == name]

    def labels(self) -> list[str]:
        return self.get_legend_handles_labels()[1]


@contextmanager
def stand_in() -> Iterator[None]:
    """Let `matplotlib.pyplot` make such axes."""
    pyplot = SimpleNamespace(subplots=lambda **named: (None, Axes()))
    with pytest.MonkeyPatch.context() as patch:  # of these two alone: what is imported meanwhile stays
        patch.setitem(sys.modules, "matplotlib", SimpleNamespace(pyplot=pyplot))
        patch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
        yield
