# SPDX-License-Identifier: MIT
"""One fix for all findings that the vias of one type decide: judged again with its edits, for every link of the type.

CHN003, CHN004 and CHN007 each look for a fix of one link. Here those that look at one via type are taken together: the
fix of the worst finding is solved, and its edits are judged again on all links with vias of the type. Where that leaves
a limit missed, the fix of the worst such finding is tried too, and the better of both is the plan. The first finding
says it whole, the others refer to it, and no fix is solved for a finding that the plan meets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pcbrules.api._loaded import resolve
from pcbrules.api.fixes import BROKEN, Judge
from pcbrules.document import Document
from pcbrules.errors import InputError
from pcbrules.model.board import Board
from pcbrules.phrases import parts_of, under
from pcbrules.reports._numbers import texts
from pcbrules.results.answers import searched
from pcbrules.results.edits import NO_FIX, Edits, Fix, asked, keys, listed, said
from pcbrules.results.finding import Effect, Finding, Plan, Status

DECIDED = ("CHN003", "CHN004", "CHN007")
"""Rules whose findings the dimensions of a via decide."""

KEPT = ("SIG003", "STK010", "STK011", "VIA001", "VIA002")
"""Rules that a plan may not break: what can be made, and what is asked of every via."""

OF_LINES = ("line", "breakout")
"""Parts of CHN007 that no via decides: such a finding keeps its own fix, whatever an edit of vias does for it."""

OPEN = (Status.FAIL, Status.MARGINAL)

ORDER = {one: place for place, one in enumerate(
    (Status.PASS, Status.NOT_APPLICABLE, Status.MARGINAL, Status.NOT_EVALUATED, Status.FAIL, Status.CRASHED))}
"""From better to worse."""

FURTHER = 0.01
"""Share of a limit by which a number that fails may get worse [-]."""

COST, NEAR = 0.05, 0.2
"""A plan tells what loses more than the one share of its limit and has less than the other left [-]."""

MANY = 3
"""Links of a via type, times those of them that miss a limit, from which on the latter are judged first [-]."""

TOLD = 12
"""Outcomes of one rule, and links, that the whole text of a plan lists."""

NAMED = 2
"""Links that a text for a page without room names at most."""

TRIED = 2
"""Edits that are judged again for one via type at most."""

MET_BY, EDITS_FOR = "the edits of ", "the edits for "
"""How a fix begins that refers to the finding which says the plan whole."""

Key = tuple[str, str]
"""Rule and subject of a finding."""


def with_plans(findings: tuple[Finding, ...], document: Document, judge: Judge) -> tuple[Finding, ...]:
    """Return the findings, those of one via type with one plan where the edits of one of them hold when judged again.

    Parameters
    ----------
    findings : tuple of Finding
        What was found on the board of the document, worst first.
    document : Document
        The board file, which the plans edit.
    judge : function
        Judges an edited board as the board was judged.
    """
    now = {(one.rule, one.subject): one for one in findings}
    types = dict.fromkeys(one.search.changes for one in findings
                          if one.rule in DECIDED and one.search is not None and _missed(one))
    made: dict[Key, Finding] = {}
    for name in types:
        if name:
            made |= _planned(name, {**now, **made}, document, judge)
    return tuple(made.get((one.rule, one.subject), one) for one in findings)


def told_where_open(findings: tuple[Finding, ...], say: Callable[[str], str]) -> tuple[Finding, ...]:
    """Return the findings with every plan said whole by one that a reader is shown.

    The first finding of a plan may be waived, accepted or known in the baseline: then no report that leaves such ones
    out has its fix, and the first other one says it. ``say`` puts a text into the words of a layout.
    """
    made = list(findings)
    for plan in dict.fromkeys(one.plan for one in findings if one.plan is not None):
        mine = [at for at, one in enumerate(findings) if one.plan == plan]
        teller = next((at for at in mine if not _refers(findings[at])), None)
        heirs = [at for at in mine if _shown(findings[at])]
        if teller is None or teller in heirs or not heirs:
            continue
        for at in heirs:
            made[at] = _heir(plan, findings[teller], findings[heirs[0]], findings[at], say)
    return tuple(made)


def _heir(plan: Plan, teller: Finding, first: Finding, one: Finding, say: Callable[[str], str]) -> Finding:
    """A finding that referred to one which is not shown: it says the plan whole, or refers to the one that does."""
    old, new = (f"{at.rule} at {at.subject}" for at in (teller, first))
    effect = next((at for at in (*plan.met, *plan.left) if (at.rule, at.subject) == (one.rule, one.subject)), None)
    if effect is None:
        return one
    rest = one.fix.removeprefix(say(_refer(plan, effect, old)))
    if one is not first:
        return replace(one, fix=say(_refer(plan, effect, new)) + rest)
    return replace(one, fix=say(_whole(plan, replace(one, search=None, cure=None))) + rest)


def _refers(one: Finding) -> bool:
    """True of a finding whose fix refers to another one of its plan."""
    return one.fix.startswith((MET_BY, f"{NO_FIX}: {EDITS_FOR}"))


def _shown(one: Finding) -> bool:
    """True of a finding that counts: it is not waived, and no baseline knows it."""
    return one.status in OPEN and not one.waiver and not (one.change is not None and one.change.known)


def _planned(name: str, now: Mapping[Key, Finding], document: Document, judge: Judge) -> dict[Key, Finding]:
    """The findings that the best of two fixes of a via type is for, and those of which a fix was solved."""
    group = [key for key, one in now.items() if key[0] in DECIDED and one.plan is None and one.search is not None
             and one.search.changes == name and _missed(one)]
    links = frozenset(_link(now[key]) for key in group)
    solved: dict[Key, Finding] = {}
    best: Plan | None = None
    tried = 0
    for key in group:
        if best is not None and key in {(one.rule, one.subject) for one in best.met}:
            continue
        solved[key] = searched(now[key])
        cure = solved[key].cure
        if cure is None or not cure.ways or (best is not None and cure.ways[0] == best.edits):
            continue
        plan = _tried(name, cure, links, {**now, **solved}, document, judge)
        met = plan is not None and any((one.rule, one.subject) in group for one in plan.met)
        if plan is not None and met and (best is None or _score(plan, now) < _score(best, now)):
            best = plan
        tried += 1
        if tried == TRIED or (best is not None and not best.left and not best.apart):
            break
    if best is None:
        return solved
    return solved | {(one.rule, one.subject): one for one in _told(best, group, {**now, **solved})}


def _missed(finding: Finding) -> bool:
    """True if the number is beyond its limit, failed or not."""
    return finding.status in OPEN and not _meets(finding)


def _is_cured(old: Finding, new: Finding) -> bool:
    """True if a number that a via decides is beyond its limit before, and judged to be within it after."""
    return old.rule in DECIDED and _missed(old) and _meets(new) and not _is_lost(old, new)


def _meets(finding: Finding) -> bool:
    """True if the number is within the limit."""
    measured, limit = finding.measured, finding.limit
    return measured is not None and limit is not None and limit.met_by(measured.value)


def _fails_more(old: Finding, new: Finding) -> bool:
    """True if what fails before and after lies further beyond its limit then."""
    return old.status is Status.FAIL and new.status is Status.FAIL and _lost(old, new) > FURTHER


def _is_lost(old: Finding, new: Finding) -> bool:
    """True if what was judged is not evaluated any more: nobody knows whether it meets its limit then."""
    return new.status is Status.NOT_EVALUATED and old.status is not Status.NOT_EVALUATED


def _lost(old: Finding, new: Finding) -> float:
    """The margin that is lost, over the size of the limit [-]; zero where nothing is compared."""
    if old.measured is None or new.measured is None or old.limit is None or not old.limit.scale():
        return 0.0
    return (old.limit.margin(old.measured.value) - old.limit.margin(new.measured.value)) / old.limit.scale()


def _near(finding: Finding) -> bool:
    """True if little margin is left."""
    measured, limit = finding.measured, finding.limit
    return measured is not None and limit is not None and limit.margin(measured.value) < NEAR * limit.scale()


def _score(plan: Plan, now: Mapping[Key, Finding]) -> tuple[int, int, int]:
    """The less the better: fails that are left, limits that are missed, links that keep the values of today."""
    links = _links(plan.apart)
    kept = [one for key, one in now.items() if key[0] in DECIDED and _missed(one) and _link(one) in links]
    statuses = [one.status for one in plan.left] + [one.status for one in kept]
    return sum(one in BROKEN for one in statuses), len(statuses), len(links)


def _links(found: Sequence[Effect]) -> list[str]:
    return list(dict.fromkeys(map(_link, found)))


def _link(one: Finding | Effect) -> str:
    """The link that a finding belongs to."""
    steps = parts_of(one.subject)
    return steps[min(1, len(steps) - 1)]


def _tried(
    name: str, cure: Fix, missed: frozenset[str], now: Mapping[Key, Finding], document: Document, judge: Judge
) -> Plan | None:
    """What edits make of all links with vias of the type; None where the board takes them not, or loses by them.

    Where few of them have ``missed`` a limit these are judged first: a plan that cures none of them is no plan.
    """
    edits = cure.ways[0]
    try:
        board = resolve(_edited(document, edits)).board
    except InputError:
        return None

    def judged(board: Board) -> list[tuple[Finding, Finding]]:
        return [(now[one.rule, one.subject], one) for one in judge(board, (*DECIDED, *KEPT))
                if (one.rule, one.subject) in now]

    sharing = _only(board, edits)
    are_few = sharing.asked is not None and MANY * len(missed) < len(sharing.asked)
    if are_few and not any(_is_cured(old, one) for old, one in judged(replace(sharing, asked=missed))):
        return None
    pairs = judged(sharing)
    lines = {one.subject for _, one in pairs if parts_of(one.subject)[-1] in OF_LINES}
    worse = [(old, one) for old, one in pairs
             if ORDER[one.status] > ORDER[old.status] or _fails_more(old, one) or _is_lost(old, one)]
    if any(one.rule in KEPT and one.status in BROKEN for _, one in worse):
        return None
    apart = [_outcome(old, one) for old, one in worse if one.rule in DECIDED]
    lost = set(_links(apart))
    mine = [(old, one) for old, one in pairs if one.rule in DECIDED and old.status in OPEN and _link(one) not in lost
            and one.subject not in lines and (one.status is Status.PASS or not _meets(old))]
    costs = [(old, one) for old, one in pairs if one.rule in DECIDED and _link(one) not in lost
             and (old, one) not in mine and _lost(old, one) > COST and (one.status is Status.MARGINAL or _near(one))]
    return Plan(f"via_types{under(name)}", edits, cure.lead, apart=tuple(apart),
                costs=tuple(_outcome(old, one) for old, one in costs),
                met=tuple(_outcome(old, one) for old, one in mine if _meets(one)),
                left=tuple(_outcome(old, one) for old, one in mine if not _meets(one)),
                assumed=_assumed(name, document))


def _assumed(name: str, document: Document) -> str:
    """The antipad of a type as a key where the file does not declare it: that decides the impedance of the via."""
    kind = document.get(("via_types", name))
    return f"via_types{under(name)}.antipad" if isinstance(kind, Mapping) and "antipad" not in kind else ""


def _edited(document: Document, edits: Edits) -> Document:
    for one in edits:
        document = document.edited(one.path, one.value)
    return document


def _only(board: Board, edits: Edits) -> Board:
    """The board, of which the links are looked at that have vias of the edited types: nothing else changes."""
    wanted = {str(one.path[1]) for one in edits}
    return replace(board, asked=frozenset(link.name for link in board.links or ()
                                          if any(via.type in wanted for _, via in link.vias())))


def _outcome(old: Finding, new: Finding) -> Effect:
    was, becomes = (texts(one).measured.partition(" (")[0] for one in (old, new))
    return Effect(old.rule, old.subject, was, becomes or new.message, new.status)


def _told(plan: Plan, group: Sequence[Key], now: Mapping[Key, Finding]) -> Iterator[Finding]:
    """The findings of a plan: the first says it whole, the others refer to it."""
    of_plan = {(one.rule, one.subject): one for one in (*plan.met, *plan.left)}
    first = now[next(key for key in group if key in of_plan)]
    for key, one in of_plan.items():
        old = now[key]
        cure = Fix("", (plan.edits,), shorter=tuple(_shorter(plan, one)))
        if old is first:
            yield replace(old, plan=plan, search=None, cure=cure, fix=_whole(plan, first))
            continue
        text = _refer(plan, one, f"{first.rule} at {first.subject}")
        yield replace(old, plan=plan, search=None, cure=cure, fix=_with(text, old if one in plan.left else None))


def _refer(plan: Plan, one: Effect, at: str) -> str:
    """The gain of a finding from a plan that another finding lists in full."""
    return f"{NO_FIX}: {EDITS_FOR}{at} {_reached(one)}" if one in plan.left else (
        f"{MET_BY}{at} meet this limit: {_moved(one)}")


def _shorter(plan: Plan, one: Effect) -> Iterator[str]:
    """What a plan is and does for one of its findings, for a page without room."""
    kept = _kept(plan)
    first = f"{_declare(plan)}; if the limit is missed then too, " if plan.assumed else ""
    whole = f"{plan.lead}: {asked(plan.edits)}" if plan.lead else asked(plan.edits)
    others = len(plan.met) + len(plan.left) - 1
    missed = f", {len(plan.left)} of them still beyond the limit" if plan.left else ""
    more = f"; {others} more re-checked{missed}" if others else ""
    if one in plan.left:
        meets = "" if not plan.met else f", and meet {len(plan.met)} of {others} other limits"
        for what in (f" ({said(plan.edits)})", f" of {keys(plan.edits)}", ""):
            yield f"{NO_FIX}: the best edits{what} {_reached(one)}{meets}{kept}"
        for met in dict.fromkeys((meets, "")):
            yield f"{NO_FIX}: the best edits {_reached(one)}{met}"
        return
    changed = f"change {keys(plan.edits)}"
    brief = plan.lead or changed
    moved = _moved(one).replace(" (", ", ").removesuffix(")")
    for what in (whole, brief):
        yield f"{first}{what}{kept} (re-checked: {moved}{more})"
    for what in dict.fromkeys((brief, changed)):
        yield f"{first}{what}{kept} ({moved})"
    if plan.assumed:
        yield _declare(plan)


def _declare(plan: Plan) -> str:
    """That the dimension which the plan assumes is to be declared: it comes before every edit."""
    return f"give `{plan.assumed}`, which is assumed"


def _kept(plan: Plan) -> str:
    """Which links get no edits, since they would get worse, for a page without room."""
    served, lost = _links((*plan.met, *plan.left)), _links(plan.apart)
    if not lost:
        return ""
    if len(lost) > len(served):
        return f", on a copy of `{plan.subject}` for {_few(served)} alone"
    return f", and keep {_few(lost)} on a copy of `{plan.subject}`"


def _few(names: Sequence[str]) -> str:
    """Links by name; where they are many, their number."""
    return listed(names) if len(names) <= NAMED else f"{len(names)} links"


def _many(names: Sequence[str]) -> str:
    """Links by name, of many the first ones and how many more there are."""
    return listed(names) if len(names) <= TOLD else f"{', '.join(names[:TOLD])} and {len(names) - TOLD} more"


def _with(text: str, old: Finding | None) -> str:
    """A text with what is left where no dimension of the via helps."""
    known = old and (old.search or old.cure)
    otherwise = known.otherwise if known else ""
    return f"{text}. {otherwise}" if otherwise else text


def _whole(plan: Plan, first: Finding) -> str:
    """The edits, what they make of every finding, and which links keep the values of today."""
    parts = [_outcomes(plan.met)]
    if plan.left:
        parts.append(f"still beyond the limit: {_outcomes(plan.left)}")
    if plan.costs:
        parts.append(f"costs margin: {_outcomes(plan.costs)}")
    served, lost = _links((*plan.met, *plan.left)), _links(plan.apart)
    what = f"{plan.lead}: {asked(plan.edits)}" if plan.lead else asked(plan.edits)
    if lost and len(lost) > len(served):
        what = f"give {_many(served)} a copy of `{plan.subject}` with {said(plan.edits).rpartition(' in `')[0]}"
        parts.append("other links get worse by these edits")
    elif lost:
        what += f", and keep {_many(lost)} on a copy of it with today's values"
        parts.append(f"on {_many(lost)} these edits would give {_outcomes(plan.apart)}")
    missed = next((one for one in plan.left if (one.rule, one.subject) == (first.rule, first.subject)), None)
    best = f"{NO_FIX}: the best edits {_reached(missed)}. They are: " if missed else ""
    if plan.assumed:
        best = f"{best}{_declare(plan)}; then " if missed else f"{_declare(plan)}. If the limit is missed then too: "
    return _with(f"{best}{what} (re-checked: {'; '.join(parts)})", first if missed else None)


def _outcomes(found: Sequence[Effect]) -> str:
    """``CHN007 nvl_l5 22.0 -> 12.3 % (marginal), nvl_l7 ...; CHN004 ...``: the first of each rule, the rest counted."""
    rules: dict[str, list[Effect]] = {}
    for one in found:
        rules.setdefault(one.rule, []).append(one)
    return "; ".join(f"{rule} " + ", ".join([*(f"{_short(one.subject)} {_moved(one)}" for one in mine[:TOLD]),
                                             *([f"{len(mine) - TOLD} more"] if len(mine) > TOLD else [])])
                     for rule, mine in rules.items())


def _moved(one: Effect) -> str:
    """``22.0 -> 12.3 % (marginal)``."""
    if one.status is Status.NOT_EVALUATED:
        return f"{one.was} -> not evaluated"
    unit = one.becomes.rpartition(" ")[2]
    was = one.was.removesuffix(f" {unit}")
    status = "" if one.status is Status.PASS else f" ({'fails' if one.status is Status.FAIL else one.status.value})"
    return f"{was} -> {one.becomes}{status}"


def _reached(one: Effect) -> str:
    """``reach 17.9 % (marginal)``, or that it is not evaluated then."""
    if one.status is Status.NOT_EVALUATED:
        return "leave it not evaluated"
    return f"reach {_moved(one).rpartition(' -> ')[2]}"


def _short(subject: str) -> str:
    """A link by its name, a via of it by both names."""
    steps = parts_of(subject)
    return f"{steps[1]} {steps[3]}" if len(steps) > 3 and steps[2] == "path" else steps[min(1, len(steps) - 1)]
