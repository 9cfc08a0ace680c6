# SPDX-License-Identifier: MIT
"""Limits, bounds and conditions that the board file itself sets, beside those of the baseline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from pcbrules.baseline.planned import acceptance, meant
from pcbrules.baseline.weaker import SOURCE, RulePair, weaker_text
from pcbrules.model.stated import Easier, Stated, easier, loosened
from pcbrules.phrases import Path, read_path, show_path, within
from pcbrules.results.finding import Change, Finding, Severity, Status
from pcbrules.results.place import Address, Location
from pcbrules.rules import all_rules
from pcbrules.rules._engine_rules import ENGINE_RULES, RELAXED

NAMED = frozenset({"links", "rails", "via_types", "evidence", "system"})
"""Sections whose parts have names: a part that is new or gone is no change of its values."""

TIGHTER = "fabrication.tolerances"

RAISED = "confirm that the part has it; if not, undo it in the board file"
"""What to do about a rating of a part that was raised: findings ask for a part of a higher one."""

LISTED = 20
"""Values that a message names; the others are counted."""


def owner(name: str) -> str:
    """Return the link, rail or section that the name of a value, or a subject, belongs to."""
    path = read_path(name) or (name,)
    return show_path(path[:3] if path[0] == "materials" else path[:2] if path[0] in NAMED else path[:1])


def loosened_findings(
    before: Mapping[str, str],
    now: Sequence[Stated],
    relaxed: Sequence[RulePair],
    locate: Callable[[Address], Location],
    severity: Severity,
    asked: Collection[str] = (),
    promised: Sequence[RulePair] = (),
) -> tuple[list[Finding], list[RulePair], list[str], list[RulePair]]:
    """Return one finding for the values of each link, rail or section that make a check easier, one for the others.

    The rest are the weaker limits that no value explains, the values that were given as asked, in words, and the
    findings of ``promised`` that no value explains.

    Parameters
    ----------
    before : mapping
        Values by name, as the baseline has them.
    now : sequence of Stated
        Values of the board file as it is.
    relaxed : sequence of (Finding, BaselineFinding)
        Findings with a weaker limit which only the board file can have moved: one that lies where a value was loosened
        is told beside it, and all others are returned.
    locate : function
        Where a value stands.
    severity : Severity
        What a value weighs that makes a check easier, as its kind or a weaker limit says. One of which nobody can say
        is a warning, and so is a raised rating of a part.
    asked : collection of str
        Places of the board file that findings of the baseline asked for.
    promised : sequence of (Finding, BaselineFinding)
        Findings whose number was computed in the baseline and is declared now. Where the rule reads a value of a
        section that changed, such as the tolerance of the impedance class, that value is the cause of all of them.
    """
    groups: defaultdict[tuple[str, bool], list[tuple[Stated, str]]] = defaultdict(list)
    ratings: defaultdict[str, list[tuple[Stated, str]]] = defaultdict(list)
    given = []
    for one, text, looser in _changes(before, now):
        if one.key not in before and _is_asked(one.path, asked):
            given.append(f"{one.key} {one.value}")
        elif looser and one.path and easier(read_path(one.key) or ()) is Easier.RATING:
            ratings[owner(one.key)].append((one, text))
        else:
            groups[owner(one.key), looser].append((one, text))
    left, open_ = list(relaxed), list(promised)
    found = []
    for (place, looser), changes in sorted(groups.items(), key=lambda group: not group[0][1]):
        mine = [pair for pair in left if owner(pair[0].subject) == place or _decides(changes, pair[0].rule)]
        left = [pair for pair in left if not any(pair is one for one in mine)]
        weak = [pair for pair in open_ if _decides(changes, pair[0].rule)]
        open_ = [pair for pair in open_ if not any(pair is one for one in weak)]
        weighs = severity if looser or mine or weak else Severity.WARNING
        found.append(_finding(changes, mine, locate, weighs, weak))
    found += [replace(_finding(changes, [], locate, Severity.WARNING), fix=RAISED) for changes in ratings.values()]
    return found, left, given, open_


def _decides(changes: Sequence[tuple[Stated, str]], rule: str) -> bool:
    """True where a rule reads one of the values of a section without named parts, such as the fabrication class."""
    inputs = all_rules()[rule].META.inputs if rule in all_rules() else ()
    return any(within(one.key, key) for one, _ in changes for key in inputs
               if owner(one.key).partition(".")[0] not in NAMED)


def _is_asked(path: Path, asked: Collection[str]) -> bool:
    """True for a value that findings asked for, by itself or with what it lies in; not for all of a link or rail."""
    return any(show_path(path[:length]) in asked for length in range(2, len(path) + 1)
               if owner(show_path(path[:length])) != show_path(path[:length]))


def other_files(
    before: Mapping[str, str], now: Mapping[str, str], locate: Callable[[Address], Location]
) -> list[Finding]:
    """Return a warning for measured files with other bytes than in the baseline: they are taken for what they say.

    Parameters
    ----------
    before, now : mapping
        Digest by name of each Touchstone file.
    locate : function
        Where a value stands.
    """
    names = [name for name in now if before.get(name, now[name]) != now[name]]
    changes = [(Stated(f"files.{name}", "", ()), f"{name} has other data than in the baseline") for name in names]
    if not changes:
        return []
    files = " and ".join(one.key.removeprefix("files.") for one, _ in changes[:LISTED])
    undo = f"put the earlier {files} back; {meant('the new data are meant')}"
    return [replace(_finding(changes, [], locate, Severity.WARNING), fix=undo)]


def _changes(before: Mapping[str, str], now: Sequence[Stated]) -> Iterator[tuple[Stated, str, bool]]:
    """Each value that is not what it was, in words, and whether it makes a check easier.

    A limit or condition that is taken out does: what the profile or the class says counts then. A tolerance of the
    board's own that is put in does: it is narrower than that of the class.
    """
    here, there = {one.key for one in now}, {owner(key) for key in before}
    for one in now:
        was = before.get(one.key)
        if was is None:
            if owner(one.key) in there or owner(one.key).partition(".")[0] not in NAMED:
                yield one, f"{one.key} not declared in the baseline, {one.value} now", within(one.key, TIGHTER)
        elif was != one.value:
            looser = loosened(read_path(one.key) or (one.key,), was, one.value)
            if looser is not False:
                yield one, f"{one.key} {was} in the baseline, {one.value} now", bool(looser)
    left = {owner(one.key) for one in now}
    for key, was in before.items():
        if key not in here and (owner(key) in left or owner(key).partition(".")[0] not in NAMED):
            known = easier(read_path(key) or (key,)) not in (None, Easier.UNKNOWN)
            yield Stated(key, "", ()), f"{key} {was} in the baseline, not declared now", known


def _finding(
    changes: Sequence[tuple[Stated, str]], relaxed: Sequence[RulePair], locate: Callable[[Address], Location],
    severity: Severity, promised: Sequence[RulePair] = (),
) -> Finding:
    first = changes[0][0]
    texts = [text for _, text in changes[:LISTED]]
    more = f"; and {len(changes) - LISTED} more" if len(changes) > LISTED else ""
    of_ruleset = within(first.key, "conditions")
    where = "ruleset" if of_ruleset else "board file"
    effects = [*weaker_text(relaxed), *_promises(promised, LISTED)]
    effect = f" ({'; '.join(effects)})" if effects else ""
    subject = f"baseline.{first.key}"
    whole = "; ".join([*(text for _, text in changes), *_promises(promised, len(promised))])
    return Finding(
        rule=RELAXED, title=ENGINE_RULES[RELAXED][0], subject=subject, status=Status.FAIL,
        severity=severity, message=f"{'; '.join(texts)}{more}{effect}", source=SOURCE, counts_as_fail=True,
        where=locate(first.path or (read_path(first.key) or ())[:2]),
        change=Change(False, None, "new: relaxed since the baseline",
                      (acceptance(RELAXED, subject, whole, every_board=of_ruleset),)),
        fix=f"undo it in the {where}; {meant('it is meant')}")


def _promises(pairs: Sequence[RulePair], listed: int) -> Iterator[str]:
    """Yield, for each rule, its numbers that were computed and are declared now, with their subjects."""
    for rule in dict.fromkeys(finding.rule for finding, _ in pairs):
        mine = [(finding, old) for finding, old in pairs if finding.rule == rule]
        was, now = mine[0][1].basis, mine[0][0].basis
        more = f" and {len(mine) - listed} more" if len(mine) > listed else ""
        names = ", ".join(finding.subject for finding, _ in mine[:listed])
        yield f"{rule} {was} in the baseline, {now} now: {names}{more}"
