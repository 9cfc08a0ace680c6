# SPDX-License-Identifier: MIT
"""Findings of what is dearer than a profile needs: each saving of ``cheaper`` with its rule, place and index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pcbrules.api._fixing import saved
from pcbrules.api._loaded import Loaded
from pcbrules.phrases import show_path
from pcbrules.results.answers import OWN
from pcbrules.results.edits import Proposal, asked
from pcbrules.results.finding import Finding, Severity, Status
from pcbrules.results.limit import Limit
from pcbrules.results.measured import Measured
from pcbrules.results.place import Address
from pcbrules.results.profile import Ruleset
from pcbrules.rules._over_spec import FAMILIES, OVER_SPEC, TOTAL, WITNESSES
from pcbrules.studies.fixing.search import excluded_by
from pcbrules.studies.moves.costs import PARTS, shown
from pcbrules.studies.moves.move import Remedy
from pcbrules.studies.saving.saving_text import told
from pcbrules.studies.saving.savings import Saving, SavingsFound

NOTHING = Limit(None, 0.0, "%", "<= 0 %")
"""The limit of what can be saved, a share of the price of the bare board [-]."""

ALONE = Limit(None, 0.0, "%", "<= 0 % (alone)")
"""The same for a saving that does not go together with the others: it is no part of their sum."""

MODEL = "index of the changes, each judged by a full check"

_WORDS = {"impedance-control": "impedance class", "fabrication-class": "fabrication class"}

TYPED = 3
"""Edits that a fix names; a patch writes more."""


def over_spec(
    loaded: Loaded, ruleset: Ruleset, *, costs: str | None = None, jobs: int = 1
) -> tuple[Finding, ...]:
    """Return a finding of each saving and of their sum; of a family of changes without any that nothing cheaper passes.

    Parameters
    ----------
    loaded : Loaded
        A board that a board file holds.
    ruleset : Ruleset
        The profile.
    costs : str, optional
        File of costs that replace those of the library.
    jobs : int
        Processes that judge the changed boards.

    Raises
    ------
    InputError
        A board that no board file holds, or a file of costs with faults.
    """
    moves, found = saved(loaded, ruleset, costs=costs, jobs=jobs)
    return (_total(loaded, found), *_families(loaded, ruleset, moves, found))


def _total(loaded: Loaded, found: SavingsFound) -> Finding:
    together = [one for one in found.alone if one.at in found.together]
    total = sum(one.saved for one in together)
    most = ", ".join(f"{one.text} ({shown(one.saved)})" for one in together[:TYPED])
    count = len(together)
    text = (f"{count} change{'s' if count > 1 else ''} save{'' if count > 1 else 's'} {shown(total)} % of the price of "
            f"the bare board and no verdict gets worse; the most: {most}") if count else (
        f"nothing cheaper passes ({found.judged} boards judged)")
    fix = "`pcbrules fix --cheaper --patch FILE` writes the changes" if count else ""
    return _finding(loaded, TOTAL, "board", ("board",), text, total, fix)


def _families(
    loaded: Loaded, ruleset: Ruleset, moves: Sequence[Remedy], found: SavingsFound
) -> Iterator[Finding]:
    apart = excluded_by(moves)
    listed = [one for one in found.alone if one.at in found.together or apart[one.at].isdisjoint(found.together)]
    for one in listed:
        move = moves[one.at]
        path = next((place for place in move.removed if place[0] == "via_types"), move.places[0])
        subject = move.subject or show_path(move.places[0])
        yield _finding(loaded, FAMILIES[move.family], subject, path, _told(loaded, move, one, one.at in found.together),
                       one.saved, _fix(move, ruleset), NOTHING if one.at in found.together else ALONE)
    failing = {FAMILIES[one.family] for one in listed}
    tried = {FAMILIES[one.family]: 0 for one in moves}
    for move in moves:
        tried[FAMILIES[move.family]] += 1
    for rule in dict.fromkeys(FAMILIES.values()):
        unknown = tuple(_unknown(rule, found))
        yield from (_unjudged(loaded, rule, Status.NOT_EVALUATED, one) for one in unknown)
        if rule in failing or unknown:
            continue
        if rule in tried:
            text = f"of {tried[rule]} cheaper ways none passes, or a larger saving holds it"
            yield _finding(loaded, rule, "board", ("board",), text, 0, "")
        else:
            yield _unjudged(loaded, rule, Status.NOT_APPLICABLE, "nothing cheaper is known for this board")


def _unknown(rule: str, found: SavingsFound) -> Iterator[str]:
    """Why it is not known whether less would do, at most one text: a rule has one finding of the board."""
    mine = [family for family, own in FAMILIES.items() if own == rule]
    lacking = sorted({one for family in mine if family in found.unproven for one in WITNESSES[family]})
    unmoved = [_WORDS[family] for family in mine if family in found.unmoved]
    texts = []
    if lacking:
        texts.append(f"{' and '.join(lacking)} judge{'s' if len(lacking) == 1 else ''} nothing of this board")
    if unmoved:
        texts.append(f"no number that is judged depends on the {' and the '.join(unmoved)}")
    if texts:
        yield f"{'; '.join(texts)}: whether less would do is not known"


def _unjudged(loaded: Loaded, rule: str, status: Status, message: str) -> Finding:
    return Finding(rule=rule, title=OVER_SPEC[rule][0], subject="board", status=status, severity=Severity.ADVICE,
                   message=message, source=OWN, where=loaded.at(("board",)))


def _told(loaded: Loaded, move: Remedy, one: Saving, together: bool) -> str:
    """``foil L3: hvlp2 -> rtf saves 0.55 %; CHN001 links.up 4.1 -> 4.9 dB (limit <= 9 dB), still passes``."""
    old = loaded.document.get(move.edits[0][0], None) if len(move.edits) == 1 else None
    what = f"{move.text}, now {old}" if isinstance(old, str | int) else move.text
    return f"{what}: saves {shown(one.saved)} % of the price of the bare board{told(one.nearest)}" + (
        "" if together else "; not together with the other savings")


def _fix(move: Remedy, ruleset: Ruleset) -> str:
    typed = [Proposal(_address(path), str(value)) for path, value in move.edits if isinstance(value, str | int)]
    if len(typed) == len(move.edits) <= TYPED and not move.tuned:
        parts = [asked(typed)] if typed else []
        parts += [f"remove `{show_path(path)}`" for path in move.removed]
        return " and ".join(parts)
    return f"`pcbrules fix --cheaper -p {ruleset.name} --patch FILE` writes the {len(move.places)} edits"


def _address(path: Sequence[str | int]) -> Address:
    return tuple(path)


def _finding(
    loaded: Loaded, rule: str, subject: str, path: Address, message: str, parts: int, fix: str,
    limit: Limit = NOTHING,
) -> Finding:
    index = parts / PARTS / 100
    return Finding(
        rule=rule, title=OVER_SPEC[rule][0], subject=subject, status=Status.FAIL if parts else Status.PASS,
        severity=Severity.ADVICE, message=message, where=loaded.at(path), source=OWN, fix=fix, limit=limit,
        measured=Measured(value=index, lo=index, hi=index, model=MODEL, basis="computed"), counts_as_fail=bool(parts),
    )
