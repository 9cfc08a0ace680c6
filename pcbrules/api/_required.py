# SPDX-License-Identifier: MIT
"""Rules that must have judged something, whatever a board, a ruleset or a waiver says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.results.answers import OWN
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.gate import JUDGED
from pcbrules.results.place import Location
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES, UNJUDGED
from pcbrules.spelling import near_names

_STATES = {
    Status.CRASHED: "it crashed",
    Status.NOT_EVALUATED: "nothing of it could be evaluated",
    Status.ACCEPTED: "all of it is accepted as not evaluated",
    Status.NOT_APPLICABLE: "it does not apply",
}


def rules_named(texts: Sequence[str], known: Sequence[str], option: str) -> tuple[str, ...]:
    """Return the rules that begin with one of the texts, in the order of ``known``.

    Raises
    ------
    InputError
        No rule begins with a text: the names that look like it are proposed.
    """
    for text in texts:
        if not text or not any(rule.startswith(text.upper()) for rule in known):
            near = near_names(text.upper(), known)
            groups = ", ".join(dict.fromkeys(rule[:3] for rule in known))
            fix = f"write {' or '.join(near)}" if near else "`pcbrules rules` lists them"
            raise InputError([Problem(option, 0, 0, "", "no rule begins so", quoted(text),
                                      f"a rule (SIG001) or the beginning of some ({groups})", fix)])
    return tuple(rule for rule in known if any(rule.startswith(text.upper()) for text in texts))


def unjudged(findings: Sequence[Finding], texts: Sequence[str], where: Location) -> Iterator[Finding]:
    """Yield a finding for each required rule that judged nothing: the check is incomplete.

    Parameters
    ----------
    findings : sequence of Finding
        Those of the whole check.
    texts : sequence of str
        Rules, or beginnings of rules, that are required.
    where : Location
        The board file.
    """
    for rule in rules_named(texts, tuple(all_rules()), "--require"):
        mine = [one for one in findings if one.rule == rule]
        if any(one.status in JUDGED for one in mine):
            continue
        reasons = dict.fromkeys(_STATES[one.status] for one in mine) or ("it is left out of this check",)
        message = f"{rule} is required and judged nothing: {'; '.join(reasons)}"
        yield Finding(
            rule=UNJUDGED, title=ENGINE_RULES[UNJUDGED][0], subject=f"require.{rule}", status=Status.NOT_EVALUATED,
            severity=Severity.ERROR, message=message, where=where, source=OWN, counts_as_fail=True,
            fix=f"give what {rule} needs (`pcbrules explain {rule}`), or require it no longer")
