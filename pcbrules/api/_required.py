# SPDX-License-Identifier: MIT
"""Rules that must have judged something, whatever a board, a ruleset or a waiver says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pcbrules.errors import InputError, Problem, quoted
from pcbrules.phrases import Path, clip, read_path, show_path
from pcbrules.results.answers import OWN
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.gate import JUDGED
from pcbrules.results.place import Location
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES, UNJUDGED
from pcbrules.rules._over_spec import OVER_SPEC
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
            on_request = [rule for rule in OVER_SPEC if text and rule.startswith(text.upper())]
            if on_request:
                raise InputError([Problem(option, 0, 0, "", "these rules are not asked here", quoted(text),
                                          f"a rule other than {on_request[0]}" if len(on_request) == 1 else
                                          f"rules other than {on_request[0]} to {on_request[-1]}",
                                          "`pcbrules check --over-spec` asks them")])
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
        Rules, or beginnings of rules, that are required; each may name a part of the board: ``SIG001:links.up``.
    where : Location
        The board file.
    """
    for rule, part in _asked(texts):
        mine = [one for one in findings if one.rule == rule and (not part or _within(one.subject, part))]
        if any(one.status in JUDGED for one in mine):
            continue
        whole = [one for one in findings if one.rule == rule and one.status is Status.NOT_APPLICABLE]
        name = f"{rule}:{part}" if part else rule
        reasons = dict.fromkeys(_reason(one) for one in mine or whole) or (_absent(part),)
        message = f"{name} is required and judged nothing: {'; '.join(reasons)}"
        yield Finding(
            rule=UNJUDGED, title=ENGINE_RULES[UNJUDGED][0], subject=f"require.{name}", status=Status.NOT_EVALUATED,
            severity=Severity.ERROR, message=message, where=where, source=OWN, counts_as_fail=True,
            fix=f"give what {rule} needs (`pcbrules explain {rule}`), or require it no longer")


SHOWN = 8
"""Parts that a message names; the others are counted."""


def known_parts(texts: Sequence[str], subjects: Collection[str], trees: Sequence[object] = ()) -> None:
    """Raise InputError for a part that is required and that no board has, with the names that look like it.

    Parameters
    ----------
    texts : sequence of str
        Required rules, as `RULE` or `RULE:PART`.
    subjects : collection of str
        Subjects of the findings of all boards, and of the baseline.
    trees : sequence
        Contents of board files that are not checked now.
    """
    paths = {path[:length] for one in subjects if (path := read_path(one)) for length in range(1, len(path) + 1)}
    places = {show_path(path) for path in paths} | set(subjects)
    problems = []
    for text in dict.fromkeys(texts):
        name, _, part = text.partition(":")
        if not part or part in places or any(_within(one, part) for one in subjects):
            continue
        here = read_path(part) or (part,)
        if any(_has(tree, here) for tree in trees):
            continue
        near = near_names(part, sorted(places))
        beside = sorted(show_path(path) for path in paths if len(path) == len(here) and path[:-1] == here[:-1])
        more = f" and {len(beside) - SHOWN} more" if len(beside) > SHOWN else ""
        problems.append(Problem(
            "--require", 0, 0, "", f"no board has a finding in {clip(part, 60)}", quoted(text),
            ", ".join(beside[:SHOWN]) + more if beside else "a subject of a report, such as links.NAME",
            f"write {' or '.join(f'{name}:{one}' for one in near)}" if near else
            "`pcbrules check BOARD -p PROFILE --show pass` shows all subjects"))
    if problems:
        raise InputError(problems)


def _has(tree: object, path: Path) -> bool:
    """True where a board file has something at a path; True too of one that could not be read."""
    for step in path:
        if isinstance(tree, dict) and step in tree:
            tree = tree[step]
        else:
            return tree is None
    return True


def _asked(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each rule that is required, with the part of the board, empty for all of it; each pair once."""
    known = tuple(all_rules())
    asked: dict[str, dict[str, None]] = {rule: {} for rule in known}
    for text in texts:
        name, _, part = text.partition(":")
        for rule in rules_named((name,), known, "--require"):
            asked[rule][part] = None
    return ((rule, part) for rule, parts in asked.items() for part in parts)


def _within(subject: str, part: str) -> bool:
    """True where a subject is a part of the board, or lies in it."""
    return subject == part or subject.startswith((f"{part}.", f"{part}["))


def _reason(finding: Finding) -> str:
    """Why a finding judges nothing; of one that does not apply also what it says of it."""
    said = f" ({finding.message})" if finding.status is Status.NOT_APPLICABLE and finding.message else ""
    return _STATES[finding.status] + said


def _absent(part: str) -> str:
    return f"there is no finding of it in {part}" if part else "it is left out of this check"
