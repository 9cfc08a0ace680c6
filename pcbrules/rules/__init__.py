# SPDX-License-Identifier: MIT
"""The rules, one file each: docstring (its page), ``META`` (its card), ``check(fact, limits)``.

A rule compares; it computes no physics. Discovery is by folder: every module that does not begin with ``_``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Protocol

from pcbrules.results.rule import Limits, Meta, Skip, Verdict


class Rule(Protocol):
    """What a rule module offers."""

    META: Meta
    __doc__: str | None

    def check(self, fact: Any, limits: Limits) -> Iterable[Verdict | Skip]:
        """Compare one fact with the limits that apply to it."""
        ...


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by id, in order of id."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    modules: list[Rule] = [import_module(f"{__name__}.{name}") for name in names]
    return MappingProxyType({module.META.id: module for module in modules})


def find_rule(text: str) -> Rule | None:
    """The rule with this id or name, without regard to case."""
    wanted = text.strip().lower()
    for rule in all_rules().values():
        if wanted in (rule.META.id.lower(), rule.META.name):
            return rule
    return None
