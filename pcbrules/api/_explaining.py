# SPDX-License-Identifier: MIT
"""How the number of a finding came about."""

from __future__ import annotations

from pcbrules.api._arguments import ruleset_of
from pcbrules.api._judging import judge
from pcbrules.api._loaded import Loaded, read_board
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document, show_path
from pcbrules.errors import quoted
from pcbrules.results.explanation import Explanation, Input
from pcbrules.results.finding import Finding
from pcbrules.results.profile import Ruleset


@one_blas_thread
def explain(loaded: Loaded, ruleset: Ruleset, rule: str) -> tuple[Explanation, ...]:
    """The findings of one rule as ``check`` reports them, each with its inputs and how its number came about."""
    loaded, ruleset = read_board(loaded, "explain"), ruleset_of(ruleset)
    found = judge(loaded, ruleset, [rule])
    return tuple(_explanation(finding, loaded, ruleset) for finding in found if finding.rule == rule)


def _explanation(finding: Finding, loaded: Loaded, ruleset: Ruleset) -> Explanation:
    measured = finding.measured
    inputs = []
    for path in dict.fromkeys(measured.reads if measured else ()):
        inputs.append(Input(show_path(path), loaded.at(path), _written(loaded.document, path)))
    derivation = measured.derivation() if measured and measured.derivation else None
    return Explanation(ruleset.name, finding, tuple(inputs), derivation)


def _written(document: Document, path: tuple[str | int, ...]) -> str:
    """A value as the file writes it; of a mapping or a list how much it holds; empty where it is not there."""
    value = document.get(path, "")
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return f"a mapping: {', '.join(value)}"
    if isinstance(value, list):
        plain = all(isinstance(item, str | int | float) for item in value)
        return f"[{', '.join(map(str, value))}]" if plain else f"a list of {len(value)}"
    return document.written(path) or quoted(value)
