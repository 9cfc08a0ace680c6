# SPDX-License-Identifier: MIT
"""An example of each rule: a board that just fails, and the change with which it passes.

The data is made of the cases of the rule (``tests/rules/rule_examples.py``), which the tests judge.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

NAME = "examples.json"


@dataclass(frozen=True, slots=True)
class Judged:
    """What a rule says of a subject: its status, with the severity of a fail, and value and limit where it has them."""

    subject: str
    status: str
    severity: str
    found: str

    @property
    def text(self) -> str:
        """The same for a reader: ``links.up.run: 92.1 ohm, limit ...``."""
        return f"{self.subject}: {self.found}"

    @property
    def word(self) -> str:
        """``fails (error)``, ``passes``."""
        return f"fails ({self.severity})" if self.status == "fail" else "passes"


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A board under a profile, as it fails and as it passes.

    ``diff`` are the lines of the board file in which the two differ, with the names of what they stand in: those that
    begin with ``-`` fail, those with ``+`` pass.
    """

    profile: str
    fails: Judged
    passes: Judged
    diff: tuple[str, ...]


def example(rule: str) -> RuleExample | None:
    """Return the example of a rule; None where there is none."""
    return _examples().get(rule)


@cache
def _examples() -> dict[str, RuleExample]:
    tree = json.loads((files("pcbrules.rules") / NAME).read_text(encoding="utf-8"))
    return {
        rule: RuleExample(one["profile"], Judged(**one["fails"]), Judged(**one["passes"]), tuple(one["diff"]))
        for rule, one in tree.items()
    }
