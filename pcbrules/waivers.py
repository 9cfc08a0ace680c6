# SPDX-License-Identifier: MIT
"""Waivers and acceptances: who allowed what, up to which value, and until when."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from pcbrules.dates import EXPECTED, date_fault, read_date
from pcbrules.document import Document, Path
from pcbrules.errors import InputError, Problems, quoted
from pcbrules.phrases import read_path, show_path, within
from pcbrules.results.finding import LOST_MARGIN, Finding, Severity, Source, Status, Waiver, worst_first
from pcbrules.results.limit import Limit, nearly_equal
from pcbrules.results.measured import Measured
from pcbrules.results.place import Location
from pcbrules.rules import all_rules
from pcbrules.rules._bounds import FOIL_CLASSES
from pcbrules.rules._engine_rules import AS_IS, ENGINE_RULES, GONE, PLANNED, RELAXED
from pcbrules.spelling import cure, fold, stands_for
from pcbrules.unit_table import TABLE
from pcbrules.units import NUMBER, UnitError, dimension_of, parse, show

WAIVER_KEYS = ("rule", "subject", "board", "at_most", "at_least", "reason", "owner", "expires")
ACCEPTANCE_KEYS = ("rule", "subject", "board", "change", "reason", "owner", "expires")
BOUNDS = ("at_most", "at_least")
SYNONYMS = {
    "rule": "id rule_id check code",
    "subject": "path object target element net link where",
    "board": "board_file design project",
    "change": "changes difference diff was now",
    "at_most": "max maximum upper up_to below most",
    "at_least": "min minimum lower above least",
    "reason": "why justification comment note rationale description",
    "owner": "who by approver approved_by author responsible signed_by",
    "expires": "expiry expiration expires_on until valid_until end date deadline due",
}
"""Words by which other tools call what a key holds."""
HARD = (Status.FAIL, Status.MARGINAL)
LONG, LONGEST = dt.timedelta(days=731), dt.timedelta(days=1827)
"""Terms from today: from the first on an entry is warned of (2 years), from the second on it covers nothing (5);
practice: a review holds for a board and its next revision."""
FIXES = {
    "PCB002": "remove it, or correct rule and subject",
    "PCB003": "remove it, or renew it after a review",
    "PCB007": "give it a nearer date, and renew it after a review",
}
PLANNED_NEED = {GONE: ("subject",), RELAXED: ("subject", "change"), LOST_MARGIN: ("subject", "change")}
"""Keys that hold an acceptance of what a change takes away or relaxes to exactly this; what is of the ruleset, a rule
or a condition, may go for every board, all else names its `board`."""
KEEP = {
    False: "leave this entry in {file} until the change that it is for is merged, or correct its rule and subject",
    True: "leave this entry in {file} until the change that it is for is merged, then remove it",
}
"""What to do about an entry that is not needed yet, by whether it is of a change that is planned."""
EARLY = "merge the entry first, in a change of its own"
"""What to do about an entry that covers something and that the target branch does not have."""

FAR, FAR_DECIBEL = 10.0, 20.0
"""A bound further off holds nothing: as a multiple of what was found and of the limit [-]; of levels [dB]; practice."""
SHOWN = 3
"""Subjects that a finding about an entry names."""


@dataclass(frozen=True, slots=True)
class Permission:
    """One entry of a waiver file. ``bound`` is empty for an acceptance; ``board`` where it holds for every board.

    ``change`` is what exactly was relaxed, in the words of the finding.
    """

    rule: str
    subject: str
    kind: str
    bound: str
    reason: str
    owner: str
    expires: dt.date
    where: Location
    board: str = ""
    change: str = ""

    def covers(self, finding: Finding) -> bool:
        """True if the entry names this finding and its measured value stays inside the bound."""
        if finding.rule != self.rule:
            return False
        if self.is_planned:
            return finding.status is Status.FAIL and finding.subject == self.subject and self.change == _told(finding)
        if self.kind == "acceptance":
            open_ = finding.status is Status.NOT_EVALUATED or (finding.rule in AS_IS and finding.status is Status.FAIL)
            return self.subject in ("", finding.subject) and open_
        return finding.subject == self.subject and finding.status in HARD and not self.exceeded_by(finding)

    @property
    def is_planned(self) -> bool:
        """True if the entry is for one change: of what it takes away, relaxes, or loses without a number."""
        return self.kind == "acceptance" and self.rule in PLANNED_NEED

    def is_in(self, others: Sequence[Permission]) -> bool:
        """True if others have an entry of the same rule, subject and bound for the same board."""
        mine = (self.kind, self.rule, self.subject, self.bound, self.board, self.change)
        return any((one.kind, one.rule, one.subject, one.bound, one.board, one.change) == mine for one in others)

    def may_be_of(self, tree: object) -> bool:
        """True if the entry may cover a finding of a board file: its link, rail or section is there."""
        rule, _, place = self.subject.removeprefix("baseline.").partition(".")
        path = read_path(place if self.subject.startswith("baseline.") and rule in all_rules() else self.subject) or ()
        for step in path[:2] if path[:1] in (("links",), ("rails",), ("via_types",)) else path[:1]:
            if not isinstance(tree, Mapping) or step not in tree:
                return False
            tree = tree[step]
        return True

    def exceeded_by(self, finding: Finding) -> str:
        """Why the bound does not hold the finding's value; empty if it does."""
        side, _, text = self.bound.partition(" ")
        if finding.measured is None or finding.limit is None:
            instead = "set the limit in a ruleset of your own instead"
            if finding.rule == LOST_MARGIN:
                instead = "move the entry to `acceptances`, as the report of the change prints it"
            return f"there is no number that a bound could hold; {instead}"
        value = finding.measured.value
        if not _bounds_violation(side, value, finding.limit):
            return f"`{side}` does not bound how far the limit {finding.limit.text} is missed"
        bound = _amount(text, finding.limit.unit)
        if bound is None:
            return _other_unit(text, finding.limit)
        inside = value <= bound if side == "at_most" else value >= bound
        return "" if inside or nearly_equal(value, bound) else f"the measured value is beyond the bound ({self.bound})"

    def holds_nothing(self, finding: Finding) -> bool:
        """True where the bound of a waiver lies so far beyond a finding that it covers that no board will reach it."""
        side, _, text = self.bound.partition(" ")
        if not self.bound or finding.measured is None or finding.limit is None:
            return False
        bound, high = _amount(text, finding.limit.unit), side == "at_most"
        limit = finding.limit.high if high else finding.limit.low
        if bound is None or limit is None:
            return False
        value = finding.measured.value
        if finding.limit.unit == "dB":
            return abs(bound - value) > FAR_DECIBEL
        if not high and min(limit, value) > 0:
            return bound < min(limit, value) / FAR
        return abs(bound - limit) > FAR * max(abs(limit), abs(value), abs(limit - value))


def _told(finding: Finding) -> str:
    """What exactly was relaxed, as an entry repeats it; empty of any other finding."""
    entries = finding.change.entries if finding.change else ()
    return next((" ".join(text.split()) for one in entries for key, text in one.keys if key == "change"), "")


def _bounds_violation(side: str, value: float, limit: Limit) -> bool:
    """False for a bound from below on a value that is too high, and the reverse: it would allow any value."""
    if side == "at_most":
        return limit.high is not None and not (limit.low is not None and value < limit.low)
    return limit.low is not None and not (limit.high is not None and value > limit.high)


def _other_unit(text: str, limit: Limit) -> str:
    """Why a bound cannot be held against a limit: the kind of its unit, and the one that is due."""
    number = NUMBER.match(text)
    unit = text[number.end() :].strip() if number else ""
    given = f"is {TABLE[dimension_of(unit)].name}, in {unit}" if unit else "has no unit" if number else "is a word"
    kind = TABLE[dimension_of(limit.unit)].name
    due = f"{kind}, such as '12 {limit.unit}'" if limit.unit else "a number without a unit"
    return f"the bound {text} {given}; the limit {limit.text} takes {due}"


def _amount(text: str, unit: str) -> float | None:
    """A bound in SI, read like a limit in this unit; None if it is something else, or lacks the unit."""
    if unit and NUMBER.fullmatch(text):
        return None
    if not unit and text.lower() in FOIL_CLASSES:
        return float(FOIL_CLASSES.index(text.lower()))
    for dimension in (dimension_of(unit),) if unit else ("number", "ratio"):
        try:
            return parse(text, dimension).value
        except UnitError:
            continue
    return None


def read_waivers(document: Document) -> tuple[Permission, ...]:
    """Read a waiver file: ``waivers`` and ``acceptances``, both lists.

    Raises InputError with every fault; a malformed waiver file waives nothing.
    """
    problems = Problems(document.file)
    tree = document.tree
    if not isinstance(tree, dict) or set(tree) - {"waivers", "acceptances"}:
        raise InputError([document.problem((), "a waiver file has the keys `waivers` and `acceptances` only")])
    result = []
    for section, keys in (("waivers", WAIVER_KEYS), ("acceptances", ACCEPTANCE_KEYS)):
        entries = [] if tree.get(section) is None else tree[section]
        if not isinstance(entries, list):
            problems.add(document.problem((section,), "must be a list", found=quoted(entries)))
            continue
        for i, entry in enumerate(entries):
            permission = _read(document, (section, i), entry, keys, problems)
            if permission:
                result.append(permission)
    problems.check()
    return tuple(result)


class _Fault(NamedTuple):
    """What is wrong with one key of an entry, or (None) with the entry."""

    key: str | None
    message: str
    found: str = ""
    expected: str = ""
    fix: str = ""


def _read(
    document: Document, path: Path, entry: object, keys: tuple[str, ...], problems: Problems
) -> Permission | None:
    if not isinstance(entry, dict):
        problems.add(
            document.problem(path, "must be a mapping", found=quoted(entry), expected=", ".join(keys)))
        return None
    waiver = keys is WAIVER_KEYS
    rule, expires = entry.get("rule"), entry.get("expires")
    date = read_date(expires) if isinstance(expires, str) else None
    bounds = {key: document.written((*path, key)) or str(entry[key]).strip() for key in BOUNDS if key in entry}
    faults = [
        *_faulty_keys(entry, keys),
        *_incomplete(entry, len(bounds), waiver=waiver),
        *_faulty_rule(rule, waiver=waiver),
        *(() if waiver else _faulty_plan(rule, entry)),
        *(_faulty_date(expires) if isinstance(expires, str) and date is None else ()),
        *(_Fault(key, message, quoted(entry[key]), "a value with its unit, e.g. '12 mil'")
          for key, text in bounds.items() if (message := _bound_fault(text))),
    ]
    for key, message, found, expected, fix in faults:
        at = path if key is None else (*path, key)
        problems.add(document.problem(at, message, found=found, expected=expected, fix=fix))
    if faults or date is None:
        return None
    line, column = document.at(path)
    return Permission(
        rule=str(rule),
        subject=_subject(entry.get("subject", "")),
        kind="waiver" if waiver else "acceptance",
        bound=" ".join(next(iter(bounds.items()), ())),
        reason=entry["reason"],
        owner=entry["owner"],
        expires=date,
        where=Location(document.file, line, column),
        board=entry.get("board", ""),
        change=" ".join(entry.get("change", "").split()),
    )


def _faulty_keys(entry: dict[str, Any], keys: tuple[str, ...]) -> Iterator[_Fault]:
    for key, value in entry.items():
        if key not in keys:
            fix = cure(key, keys) or _meant(key, keys)
            yield _Fault(key, "unknown key", quoted(key), ", ".join(keys), fix)
        elif key in BOUNDS and type(value) in (int, float):
            continue
        elif not isinstance(value, str) or not value.strip():
            yield _Fault(key, "must be a text", quoted(value), fix="put it in quotes" if value else "")


def _incomplete(entry: dict[str, Any], bounds: int, *, waiver: bool) -> Iterator[_Fault]:
    needed = ("rule", "subject", "reason", "owner", "expires") if waiver else ("rule", "reason", "owner", "expires")
    yield from (_Fault(None, f"`{key}` is missing") for key in needed if key not in entry)
    if waiver and bounds != 1:
        yield _Fault(None, "a waiver has exactly one bound", expected="`at_most` or `at_least`, e.g. `at_most: 12 mil`")


def _faulty_rule(rule: object, *, waiver: bool) -> Iterator[_Fault]:
    own = (LOST_MARGIN,) if waiver else (*AS_IS, *PLANNED_NEED)
    if waiver and rule in PLANNED:
        yield _Fault("rule", f"{rule} has no number that a bound could hold", quoted(rule),
                     fix="move the entry to `acceptances`")
    elif isinstance(rule, str) and rule not in all_rules() and rule not in own:
        yield _Fault("rule", "unknown rule", quoted(rule), "one of `pcbrules rules`", cure(rule, all_rules()))


def _faulty_plan(rule: object, entry: Mapping[str, Any]) -> Iterator[_Fault]:
    """An acceptance of what a change takes away names exactly that; no other one tells a change."""
    needed = PLANNED_NEED.get(rule, ()) if isinstance(rule, str) else ()
    subject = entry.get("subject")
    if needed and not (isinstance(subject, str) and _of_ruleset(subject)):
        needed = (*needed, "board")
    for key in needed:
        if key not in entry:
            yield _Fault(None, f"`{key}` is missing: an acceptance of {rule} is for one change of one board",
                         fix="copy the entry from the report of the change")
    if "change" in entry and "change" not in needed:
        yield _Fault("change", "only an acceptance of PCB010 or PCB005 has this key", quoted(entry["change"]),
                     fix="write what it says into `reason`")


def _of_ruleset(subject: str) -> bool:
    """True of what a ruleset sets: ``baseline.SIG003``, ``baseline.conditions.hot``."""
    name = subject.strip().removeprefix("baseline.")
    return name in all_rules() or within(name, "conditions")


def _faulty_date(expires: str) -> Iterator[_Fault]:
    message, fix = date_fault(expires)
    yield _Fault("expires", message, quoted(expires), EXPECTED, fix)


def _subject(text: str) -> str:
    """A subject as findings write it: `links['up']` is `links.up`."""
    path = read_path(text.strip())
    return text if path is None else show_path(path)


def _meant(key: str, keys: tuple[str, ...]) -> str:
    """What to do about an unknown key: what it says is never to be dropped."""
    meant = stands_for(key, SYNONYMS)
    if meant in keys:
        return f"write '{meant}'"
    bound = " or ".join(f"'{one}'" for one in BOUNDS if one in keys)
    limit = fold(key) in ("limit", "bound", "value", "threshold") and bound
    return f"write {bound}" if limit else "write what it says into `reason`"


def _bound_fault(text: str) -> str:
    if text.lower() in FOIL_CLASSES:
        return ""
    number = NUMBER.match(text)
    unit = text[number.end() :] if number else ""
    if any(sign in unit for sign in "+-±"):
        return "a bound has no tolerance"
    try:
        parse(text, dimension_of(unit))
    except UnitError as error:
        return error.message
    return ""


def apply(
    findings: Sequence[Finding],
    permissions: Sequence[Permission],
    today: dt.date,
    held: Sequence[Permission] | None = None,
) -> tuple[Finding, ...]:
    """Waive what the entries cover, and add a finding for every entry that is expired or covers nothing.

    ``held`` are the entries of the target branch: an entry counts for what one of them covers too, so that no change
    brings its own waiver. None: every entry counts.

    PCB002 is an unused entry (advice where ``held`` does not have it: the change that needs it follows), PCB003
    an expired one, PCB007 one with a long term or a bound that holds nothing: failures of severity warning. An
    acceptance of several subjects that names none is PCB007 too, of severity advice.
    """
    result = list(findings)
    extra: list[Finding] = []
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)  # of a rule, and of its subjects
    for i, finding in enumerate(findings):
        for subject in {finding.subject, ""}:
            places[finding.rule, subject].append(i)
    for permission in permissions:
        same = places.get((permission.rule, permission.subject), [])
        named = [i for i in same if permission.covers(result[i])]
        term = permission.expires - today
        extra += _of_term(permission, term)
        if not dt.timedelta() <= term <= LONGEST:
            continue
        if not named:
            why = _why_unused(permission, [result[i] for i in same])
            needed = any(result[i].status in HARD for i in same) or (
                not permission.is_planned and (held is None or permission.is_in(held)))
            extra.append(_engine_finding("PCB002", permission, why) if needed else _not_needed(permission, why))
        early = [] if held is None else [i for i in named if not _held(held, result[i], today)]
        if early:
            extra.append(replace(_engine_finding("PCB002", permission, _too_early(permission, len(early))), fix=EARLY))
            named = [i for i in named if i not in early]
        extra += _of_use(permission, [result[i] for i in named])
        for i in named:
            finding = result[i]
            mark = Waiver(permission.reason, permission.owner, permission.expires.isoformat(), permission.bound)
            status = Status.WAIVED if permission.kind == "waiver" else Status.ACCEPTED
            result[i] = replace(finding, status=status, waiver=mark, waived_from=finding.status)
    return tuple(worst_first([*result, *extra]))


def is_early(finding: Finding) -> bool:
    """Return whether a finding tells an entry that covers something, once the target branch has it."""
    return finding.rule == "PCB002" and finding.fix == EARLY


def _not_needed(permission: Permission, why: str) -> Finding:
    """Advice on an entry that is merged before the change that needs it."""
    return replace(_engine_finding("PCB002", permission, f"not needed yet: {why}"), severity=Severity.ADVICE,
                   fix=KEEP[permission.is_planned].format(file=permission.where.file))


def _held(held: Sequence[Permission], finding: Finding, today: dt.date) -> bool:
    """True where an entry of the target branch covers a finding and has not expired."""
    return any(one.covers(finding) and dt.timedelta() <= one.expires - today <= LONGEST for one in held)


def _too_early(permission: Permission, count: int) -> str:
    bound = f" up to {permission.bound}" if permission.bound else ""
    what = "what it covers counts" if count == 1 else f"{count} findings that it covers count"
    return f"the target branch does not have it{bound}, so {what} until then (reason: {permission.reason})"


def _of_term(permission: Permission, term: dt.timedelta) -> Iterator[Finding]:
    """A finding for an entry that has expired, or whose term is long."""
    if term < dt.timedelta():
        yield _engine_finding("PCB003", permission, f"expired on {permission.expires.isoformat()}")
    elif term > LONG:
        yield _engine_finding("PCB007", permission, _too_long(permission, term))


def _of_use(permission: Permission, named: Sequence[Finding]) -> Iterator[Finding]:
    """Findings for an entry that covers more than it should, ``named``: many subjects, or whatever the number is."""
    if permission.kind == "acceptance" and not permission.subject and len(named) > 1:
        yield replace(_engine_finding("PCB007", permission, _covered(named)), severity=Severity.ADVICE,
                      fix="name the subjects")
    far = next((one for one in named if permission.holds_nothing(one)), None)
    if far is not None and far.measured is not None and far.limit is not None:
        yield replace(_engine_finding("PCB007", permission, _too_far(permission, far.measured, far.limit)),
                      fix="set the bound a little beyond the measured value")


def _too_long(permission: Permission, term: dt.timedelta) -> str:
    years, beyond = term.days / 365.25, term > LONGEST
    most = LONGEST if beyond else LONG
    effect = "it covers nothing" if beyond else "a review is due sooner"
    return (f"ends on {permission.expires.isoformat()}, in {years:.1f} years: more than {most.days // 365} years, "
            f"{effect}")


def _too_far(permission: Permission, measured: Measured, limit: Limit) -> str:
    side, _, text = permission.bound.partition(" ")
    beyond = f"{FAR_DECIBEL:g} dB" if limit.unit == "dB" else f"{FAR:g} times"
    return (f"`{side}: {text}` holds nothing: it lies more than {beyond} beyond the measured "
            f"{show(measured.value, limit.unit)} (limit {limit.text})")


def _covered(findings: Sequence[Finding]) -> str:
    subjects = sorted(finding.subject for finding in findings)
    hard = sum(finding.severity is Severity.ERROR for finding in findings)
    names = ", ".join(subjects[:SHOWN]) + (f" and {len(subjects) - SHOWN} more" if len(subjects) > SHOWN else "")
    return f"without a subject it covers {len(subjects)} findings, {hard} of severity error: {names}"


def _why_unused(permission: Permission, findings: Sequence[Finding]) -> str:
    if permission.is_planned:
        told = next((_told(one) for one in findings), "")
        if permission.rule == LOST_MARGIN and any(one.measured for one in findings):
            return "this loss has a number: a waiver with `at_most` holds it"
        return f"the change is another one: {told}" if told else "nothing of this subject is gone, relaxed or lost"
    if permission.kind == "acceptance":
        what = f"for {permission.subject}" if permission.subject else "of this rule"
        return f"nothing {what} is left unevaluated"
    same = [f for f in findings if f.rule == permission.rule and f.subject == permission.subject]
    if not same:
        return "no finding has this rule and subject"
    hard = [f for f in same if f.status in HARD]
    return permission.exceeded_by(hard[0]) if hard else f"the finding is {same[0].status.value}"


def _engine_finding(rule: str, permission: Permission, why: str) -> Finding:
    title = ENGINE_RULES[rule][0]
    name = f"{permission.rule} {permission.subject}".strip()
    return Finding(
        rule=rule,
        title=title,
        subject=f"{permission.kind}s.{permission.rule}" + (f".{permission.subject}" if permission.subject else ""),
        status=Status.FAIL,
        severity=Severity.WARNING,
        message=f"{permission.kind} of {name} by {permission.owner}: {why}",
        where=permission.where,
        source=Source("waiver file", "derived"),
        fix=FIXES[rule],
        counts_as_fail=True,
    )
