# SPDX-License-Identifier: MIT
"""What is new since a baseline, what has lost margin, what is gone.

What the baseline has already does not count; a failure that it does not have counts at its own severity. A margin
lost (PCB005) and a subject that is gone (PCB006) are findings of their own. A waived finding is held by its waiver.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from pcbrules.baseline.derived import computed_in, still_judged
from pcbrules.baseline.loosened import loosened_findings, other_files
from pcbrules.baseline.loss import HELD, MarginLoss, losses, moved, same_kind
from pcbrules.baseline.planned import acceptance, counted, meant
from pcbrules.baseline.reader import Baseline, BaselineFinding, BaselineReport
from pcbrules.baseline.regression import BEYOND, NEAR, OPTION, LossBound
from pcbrules.baseline.renamed import under_new_names
from pcbrules.baseline.vias import taken_away
from pcbrules.baseline.weaker import is_weaker, weaker_findings
from pcbrules.errors import InputError, Problem, clip
from pcbrules.model.stated import Stated
from pcbrules.phrases import read_path, show_path
from pcbrules.results.board_verdict import UNSETTLED
from pcbrules.results.finding import (
    LOST_MARGIN,
    SEVERITY_ORDER,
    STATUS_ORDER,
    Change,
    Finding,
    Severity,
    Source,
    Status,
    WaiverEntry,
    worst_first,
)
from pcbrules.results.place import Address, Location
from pcbrules.results.profile import Ruleset
from pcbrules.rules._engine_rules import COMPARED, ENGINE_RULES, GONE
from pcbrules.spelling import look_alikes
from pcbrules.ties import greatest_of, least_of
from pcbrules.units import show

Locate = Callable[[Address], Location]

COMPARED_NAMES = 100
"""Things that are gone whose name is compared with new ones beside them, and new ones that it is compared with."""

LISTED = 5
"""Things that a note names; the others are counted."""

COUNTS = re.compile(r"^(baseline .*: )[0-9]+( new, [0-9]+ known and not counted, [0-9]+ lost margin, )", re.DOTALL)

OF_WAIVERS = ("PCB002", "PCB003", "PCB007")
"""Rules of the waiver file."""

SOURCE = Source("baseline", "derived")
WORDS = {Status.NOT_EVALUATED: "not evaluated", Status.NOT_APPLICABLE: "not applicable"}


@dataclass(frozen=True, eq=False, slots=True)
class Comparison:
    """A baseline and how to compare with it.

    Attributes
    ----------
    baseline : Baseline
    bounds : tuple of LossBound
        How much of a margin may be lost; without any, nothing.
    forced : bool
        Compare with a baseline of another profile, ruleset or version too.
    hold : bool
        What is gone or relaxed since the baseline is an error, not a warning.
    """

    baseline: Baseline
    bounds: tuple[LossBound, ...] = ()
    forced: bool = False
    hold: bool = False

    def check(self, board: str, file: str, ruleset: Ruleset) -> tuple[str, ...]:
        """Raise InputError where the baseline is not comparable; if forced, say why it is not."""
        report = self.baseline.report_of(board, file)
        problems = tuple(self.baseline.differences(report, ruleset)) if report else ()
        if problems and not self.forced:
            raise InputError(problems)
        return tuple(f"{_difference(p)}: compared all the same (--force-baseline)" for p in problems)

    def compare(
        self, findings: Sequence[Finding], board: str, file: str, rules: Collection[str], locate: Locate, *,
        ruleset: Ruleset, given: Sequence[Stated] = (), measured: Mapping[str, str] | None = None,
        waivers_held: bool = False, vias: Set[str] | None = None,
    ) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
        """The findings with what is known marked, losses and absences added; and what the report notes of it.

        ``given`` are the limits, bounds and conditions of the board file, ``measured`` the digests of its Touchstone
        files by name, ``vias`` its vias (see ``via_places``). Where checks are held, a waiver that the baseline lacks
        covers nothing, unless ``waivers_held`` says that the waivers have been compared already.
        """
        report = self.baseline.report_of(board, file)
        name = self.baseline.source.file
        if report is None:
            known = ", ".join(sorted({clip(r.board, 60) for r in self.baseline.reports})[:LISTED]) or "none"
            note = f"baseline {name} has no report of board {board}: all its findings count (it has: {known})"
            change = Change(False, None, "the baseline has no report of this board")
            return tuple(replace(f, change=change) for f in findings), (note,)
        report, names = under_new_names(report, findings)
        made = _Comparison(report, self.bounds, rules, vias, bare=self.hold and not waivers_held)
        made.compare(findings)
        severity = Severity.ERROR if self.hold else Severity.WARNING
        places = {} if self.baseline.same_rules(report, ruleset) else ruleset.places
        locate = partial(_located, places, locate)
        off = list(_off(made.off, locate, severity))
        gone = [*off, *_gone(made.gone, findings, report.findings, locate, severity)]
        own: list[Finding] = []
        weaker = made.relaxed
        if report.stated is not None:
            moved_here = weaker if self.baseline.same_rules(report, ruleset) else []
            own, left, asked, made.promised = loosened_findings(
                report.stated, given, moved_here, locate, severity, report.asked, made.promised)
            made.weaker["given, as a finding asked"] += asked
            own += other_files(report.measured, measured or {}, locate)
            weaker = left if moved_here else weaker
        made.lost += [_loss_finding(finding, losses(finding, old, self.bounds)) for finding, old in made.promised]
        result = tuple(worst_first([*made.result, *made.lost, *gone, *own, *weaker_findings(weaker, severity, places)]))
        renamed = () if report.board == board else (
            f"the board is called {clip(board, 60)} now and was {clip(report.board, 60)} in the baseline",)
        return result, (*made.notes(name, len(gone)), *renamed, *names)


def new_count(findings: Iterable[Finding]) -> int:
    """Number of findings that the baseline does not have, but losses and absences, which are counted apart.

    Findings of over-specification are not compared and do not count. Those of the waiver file count where only the
    comparison shows them.
    """
    return sum(f.status in UNSETTLED and f.rule not in COMPARED
               and (not f.change.known if f.change else f.rule in OF_WAIVERS) for f in findings)


def recounted(notes: tuple[str, ...], findings: Iterable[Finding]) -> tuple[str, ...]:
    """The notes of a comparison with the number of what is new as it came out, behind waivers and other boards."""
    count = rf"\g<1>{new_count(findings)}\g<2>"
    return tuple(COUNTS.sub(count, note, count=1) for note in notes)


def _difference(problem: Problem) -> str:
    """What differs, for a note: the file and the line of the baseline are not what a reader looks for."""
    if problem.path.endswith("inputs"):  # two digests tell a person nothing
        return f"{problem.message}, so each side is judged by its own limits"
    return problem.message + (f" ({problem.found} in the baseline, {problem.expected} now)" if problem.found else "")


class _Comparison:
    """Walks the findings of today beside those of the baseline."""

    def __init__(
        self, report: BaselineReport, bounds: tuple[LossBound, ...], rules: Collection[str],
        vias: Set[str] | None, *, bare: bool,
    ) -> None:
        self.bounds, self.rules, self.vias, self.bare = bounds, rules, vias, bare
        self.left: defaultdict[tuple[str, str], list[BaselineFinding]] = defaultdict(list)
        for old in report.findings:
            self.left[old.rule, old.subject].append(old)
        self.result: list[Finding] = []
        self.lost: list[Finding] = []
        self.promised: list[tuple[Finding, BaselineFinding]] = []
        self.gone: list[tuple[BaselineFinding, str]] = []
        self.silent: list[tuple[BaselineFinding, str]] = []
        self.off: defaultdict[tuple[str, str], list[BaselineFinding]] = defaultdict(list)
        self.free: list[tuple[Finding, MarginLoss]] = []
        self.moved: list[str] = []
        self.relaxed: list[tuple[Finding, BaselineFinding]] = []
        self.weaker: defaultdict[str, list[str]] = defaultdict(list)
        self.cured = 0

    def compare(self, findings: Iterable[Finding]) -> None:
        """Mark each finding, and keep what was lost and what is gone."""
        for finding in findings:
            same = self.left[finding.rule, finding.subject]
            old = same.pop(0) if same else None
            finding = _without_new_waiver(finding, old) if self.bare else finding
            change = _change(finding, old)
            self.result.append(replace(finding, change=change))
            if old is not None:
                self._beside(finding, old)
        self._lost_from_sight()
        off = dict(self._switched_off())
        for old, reason in self.silent:
            if self._owner(old):
                self.left[old.rule, old.subject].append(old)
            else:
                self.gone.append((old, reason))
        absent_of: defaultdict[tuple[str, str], list[BaselineFinding]] = defaultdict(list)
        for same in self.left.values():
            held = [old for old in same if old.rule in self.rules and old.status in HELD]
            owners = [(old, self._owner(old)) for old in held if old.rule not in off]
            absent = [old for old, owner in owners if owner]
            for old, owner in owners:
                if owner:
                    absent_of[old.rule, owner].append(old)
            self.cured += sum(old.status is Status.FAIL for old in absent)
            for old in held:
                if old.rule in off:
                    self.off[old.rule, off[old.rule]].append(old)
                elif old not in absent:
                    self.gone.append((old, ""))
        self.weaker["no longer there"] += [
            f"{rule} {mine[0].subject} ({mine[0].status})" if len(mine) == 1 else
            f"{rule} {len(mine)} subjects of {owner} ({counted(old.status for old in mine)})"
            for (rule, owner), mine in absent_of.items()]

    def _owner(self, old: BaselineFinding) -> str:
        """The rail or link of a subject that the board no longer needs; empty where the subject is missing."""
        if still_judged(old.rule, old.subject, self.result):
            return computed_in(old.rule, old.subject)
        return "" if self.vias is None else taken_away(old.rule, old.subject, self.result, self.vias)

    def _switched_off(self) -> Iterator[tuple[str, str]]:
        """Rules that are not asked of any part of the board now, and why."""
        by_rule: defaultdict[str, list[Finding]] = defaultdict(list)
        for finding in self.result:
            by_rule[finding.rule].append(finding)
        for rule, mine in by_rule.items():
            if all(f.status is Status.NOT_APPLICABLE and f.subject == "board" for f in mine):
                yield rule, mine[0].message

    def _lost_from_sight(self) -> None:
        """Take what is not evaluated for what was judged above or below it: a gap has another subject than a number."""
        below: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        order = {key: number for number, key in enumerate(self.left)}
        for key in order:  # a subject lies below itself, all that it lies in, and the board
            for place in {*_places(key[1]), "board"}:
                below[key[0], place].append(key)
        for i, finding in enumerate(self.result):
            if finding.status is not Status.NOT_EVALUATED or finding.change is None or finding.change.was is not None:
                continue
            above = {(finding.rule, place) for place in (*_places(finding.subject), "board")}
            keys = (above & order.keys()) | set(below.get((finding.rule, finding.subject), ()))
            taken = [old for key in sorted(keys, key=order.__getitem__) for old in self.left[key] if old.status in HELD]
            if taken:
                below.pop((finding.rule, finding.subject), None)
                worst = least_of((old.status for old in taken), key=STATUS_ORDER.__getitem__)
                names = _listed([f"{old.subject} {old.status}" for old in taken])
                self.result[i] = replace(finding, change=Change(False, worst, f"new: judged in the baseline ({names})"))
                for old in taken:
                    self.left[old.rule, old.subject].remove(old)

    def _beside(self, finding: Finding, old: BaselineFinding) -> None:
        if finding.status is Status.NOT_APPLICABLE and old.status in HELD:
            self.silent.append((old, finding.message))
        name = f"{finding.rule} {finding.subject}"
        if is_weaker(finding, old):
            self.relaxed.append((finding, old))
        elif finding.limit and old.limit and finding.status in HELD and moved(old.limit, finding.limit):
            self.moved.append(f"{name} {old.limit.text}, now {finding.limit.text}")
        if finding.waiver and old.status is not finding.status:
            self.weaker[finding.status].append(f"{name} by {finding.waiver.owner} ({finding.waiver.reason})")
        if finding.status is Status.NOT_APPLICABLE and old.status is Status.NOT_EVALUATED:
            self.weaker["not applicable"].append(name)
        self.cured += old.status is Status.FAIL and finding.status in (Status.PASS, Status.MARGINAL)
        if finding.status not in (Status.PASS, Status.MARGINAL, Status.FAIL):
            return
        found = losses(finding, old, self.bounds)
        self.free += [(finding, loss) for loss in found if loss.free]
        held = [loss for loss in found if not loss.free]
        change = self.result[-1].change
        fails = finding.status is Status.FAIL and finding.severity is Severity.ERROR
        if held and fails and change and not change.known:
            told = replace(change, text=f"{change.text}; {'; '.join(loss.text for loss in held)}")
            self.result[-1] = replace(finding, change=told)  # a new error counts by itself
        elif held and all(loss.promised for loss in held):
            self.promised.append((finding, old))
        elif held:
            self.lost.append(_loss_finding(finding, held))

    def notes(self, file: str, gone: int) -> Iterator[str]:
        """What came out, the bounds, and what is shown nowhere else."""
        known = sum(f.status in UNSETTLED and f.change is not None and f.change.known for f in self.result)
        bound = ", ".join(b.text for b in self.bounds) or (
            f"the model error, where less than {NEAR:.0%} of the limit is left")
        yield (
            f"baseline {file}: {new_count(self.result)} new, {known} known and not counted, "
            f"{len(self.lost)} lost margin, {gone} gone, {self.cured} cured (a lost margin counts beyond {bound})"
        )
        left_out = Counter(old.rule for same in self.left.values() for old in same if _left_out(old, self.rules))
        weaker = {**self.weaker, "limit moved": self.moved,
                  "not checked": [f"{rule} ({count})" for rule, count in sorted(left_out.items())]}
        texts = [f"{what}: {_listed(names)}" for what, names in weaker.items() if names]
        if texts:
            yield f"since the baseline: {'. '.join(texts)}"
        if self.free:
            finding, loss = greatest_of(self.free, key=_share)
            yield (
                f"margins lost in units for which {OPTION} gives no bound, not counted: {len(self.free)}; the largest: "
                f"{finding.rule} {finding.subject}, {loss.text} (add {OPTION} '5 %' to bound them all)"
            )


def _without_new_waiver(finding: Finding, old: BaselineFinding | None) -> Finding:
    """The finding as it is without a waiver that the baseline does not have, or has with another bound."""
    waiver = finding.waiver
    if waiver is None or finding.waived_from is None:
        return finding
    if old is not None and old.status is finding.status and old.bound == waiver.bound:
        return finding
    told = f"the baseline does not have the waiver of {waiver.owner} ({waiver.reason}), so it covers nothing"
    note = f"{finding.note}; {told}" if finding.note else told
    return replace(finding, status=finding.waived_from, waiver=None, waived_from=None, note=note)


def _left_out(old: BaselineFinding, rules: Collection[str]) -> bool:
    return old.rule not in rules and old.rule not in ENGINE_RULES and old.status in HELD


def _change(finding: Finding, old: BaselineFinding | None) -> Change:
    """Is the finding known, so that it does not count by itself?"""
    if old is None:
        return Change(False, None, "new: not in the baseline")
    from_marginal = finding.waived_from is Status.MARGINAL
    same = {
        Status.FAIL: (Status.FAIL,),
        Status.MARGINAL: (Status.MARGINAL, Status.FAIL),
        Status.NOT_EVALUATED: (Status.NOT_EVALUATED,),
        Status.CRASHED: (),
        Status.WAIVED: (Status.WAIVED, Status.FAIL, *((Status.MARGINAL,) if from_marginal else ())),
        Status.ACCEPTED: (Status.ACCEPTED, Status.NOT_EVALUATED),
    }.get(finding.status, tuple(Status))
    milder = SEVERITY_ORDER[old.severity] > SEVERITY_ORDER[finding.severity]
    known = old.status in same and not milder
    was = WORDS.get(old.status, old.status.value) + (f" of severity {old.severity}" if milder else "")
    told = f"{'known' if known else 'new'}: {was} in the baseline"
    if old.has_number and finding.limit is not None and same_kind(old.unit, finding.limit.unit):
        return Change(known, old.status, told, number=old.value, limit=old.limit)
    return Change(known, old.status, told)


def _loss_finding(finding: Finding, found: list[MarginLoss]) -> Finding:
    """A loss is an error even where the limit's source allows a warning only: the bound is the user's own."""
    first = found[0]
    words = ("pcbrules", "explain", finding.rule, "--board", finding.where.file, "--subject", finding.subject)
    subject = f"baseline.{finding.rule}.{finding.subject}"
    own = finding.fix if finding.status in UNSETTLED else ""
    quoted = finding.cure or finding.proposal
    fix = "undo what costs it" if quoted or not own else f"{own}, or undo what costs it"
    if own and quoted:  # meets the limit, and need not win back what was lost
        fix += f"; {finding.rule} alone is met again if you {own}"
    fix += f"; `{shlex.join(words)}` shows what the number is made of"
    if first.measured and first.limit:
        most = show(first.measured.value * BEYOND, first.limit.unit, 2)
        entry = WaiverEntry("waivers", (("rule", LOST_MARGIN), ("subject", subject), ("at_most", most)))
    else:  # no number that a bound could hold
        entry = acceptance(LOST_MARGIN, subject, "; ".join(loss.text for loss in found))
    return Finding(
        rule=LOST_MARGIN,
        title=ENGINE_RULES[LOST_MARGIN][0],
        subject=subject,
        status=Status.FAIL,
        severity=Severity.ADVICE if finding.severity is Severity.ADVICE else Severity.ERROR,
        message=f"{finding.rule} {finding.subject}{' ' if first.measured else ': '}"
                f"{'; '.join(loss.text for loss in found)} ({finding.title})",
        where=finding.where,
        measured=first.measured if first.limit else None,
        limit=first.limit,
        source=SOURCE,
        fix=fix,
        counts_as_fail=True,
        change=Change(False, None, "new: lost since the baseline", (entry,)),
    )


def _located(places: Mapping[str, Location], locate: Locate, address: Address) -> Location:
    """Where something stands: a rule or a condition in the ruleset file that sets it, the rest in the board file."""
    return places.get(show_path(address)) or locate(address)


def _off(
    off: Mapping[tuple[str, str], Sequence[BaselineFinding]], locate: Locate, severity: Severity
) -> Iterator[Finding]:
    """One finding for each rule that judges nothing any more."""
    for (rule, reason), olds in off.items():
        was = counted(old.status for old in olds)
        subjects = "1 subject was" if len(olds) == 1 else f"{len(olds)} subjects were"
        name = f"baseline.{rule}"
        yield Finding(
            rule=GONE, title=ENGINE_RULES[GONE][0], subject=name, status=Status.FAIL, severity=severity,
            message=f"{rule} is off: {subjects} judged in the baseline ({was}), not any more: {reason}",
            where=locate((rule,)), source=SOURCE, counts_as_fail=True,
            fix=f"undo it in the ruleset; {meant('it is meant')}",
            change=Change(False, None, "new: gone since the baseline", (acceptance(GONE, name, every_board=True),)))


def _gone(
    gone: Sequence[tuple[BaselineFinding, str]],
    findings: Iterable[Finding],
    before: Iterable[BaselineFinding],
    locate: Locate,
    severity: Severity,
) -> Iterator[Finding]:
    """One finding for everything that is gone together: a link, or one rule's subject on it."""
    here = {place for f in findings for place in _places(f.subject)}
    there = {place for old in before for place in _places(old.subject)}
    groups: defaultdict[tuple[str, str], list[BaselineFinding]] = defaultdict(list)
    for old, reason in gone:
        missing = next((place for place in _places(old.subject) if place not in here), old.subject)
        groups[missing, reason].append(old)
    siblings: defaultdict[str, list[str]] = defaultdict(list)
    for place in sorted(here - there):
        siblings[_parent(place)].append(place)
    for number, ((name, reason), olds) in enumerate(groups.items()):
        was = counted(old.status for old in olds)
        rules = ", ".join(sorted({old.rule for old in olds}))
        fresh = siblings.get(_parent(name), []) if name not in here and number < COMPARED_NAMES else []
        near = look_alikes(name, fresh[:COMPARED_NAMES])
        judged = f"the baseline judged it ({was}; {rules})"
        text = f"is not judged any more: {reason}" if reason else (
            f"is gone, new beside it: {', '.join(near)}" if near else "is gone")
        subject = f"baseline.{name}"
        yield Finding(
            rule=GONE,
            title=ENGINE_RULES[GONE][0],
            subject=subject,
            status=Status.FAIL,
            severity=severity,
            message=f"{name} {text}; {judged}",
            where=locate(read_path(name) or (name,)),
            source=SOURCE,
            fix=f"{'undo what takes it away' if reason else 'put it back'}; {meant('it is meant')}",
            counts_as_fail=True,
            change=Change(False, None, "new: gone since the baseline", (acceptance(GONE, subject),)),
        )


def _places(subject: str) -> list[str]:
    """A subject and what it lies in, outermost first: `links`, `links.up`, `links.up.path`."""
    path = read_path(subject)
    return [subject] if path is None else [show_path(path[: n + 1]) for n in range(len(path))]


def _parent(subject: str) -> str:
    """The place in which a place lies; empty for an outermost one."""
    return (["", *_places(subject)])[-2]


def _share(item: tuple[Finding, MarginLoss]) -> float:
    """A loss as a share of its limit."""
    finding, loss = item
    if loss.measured is None or finding.limit is None or not finding.limit.scale():
        return float("inf")
    return loss.measured.value / finding.limit.scale()


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    return "; ".join(texts[:LISTED]) + more
