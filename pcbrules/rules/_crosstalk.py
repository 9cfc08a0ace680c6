# SPDX-License-Identifier: MIT
"""How the crosstalk at either end of a link is judged.

Lines alone nearly always pass: where nothing bounds via field and connectors, only what fails already is judged. So is
signal over crosstalk where a part of what the signal loses has no bound. A connector of unknown loss has one: the ratio
is judged after the most that it takes, and the message says which loss would break the limit. Every verdict shows
signal over crosstalk, and says whether its limit is normative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import ceil, floor, log10

from pcbrules.results.edits import Fix, asked
from pcbrules.results.facts.signal import OpenLoss, PairCrosstalk
from pcbrules.results.measured import Measured
from pcbrules.results.rule import Bound, Limits, Skip, Verdict
from pcbrules.units import show

INPUTS = (
    "links.*.path[].trace.neighbours", "links.*.path[].via.neighbours", "via_types",
    "links.*.path[].connector.crosstalk", "links.*.path[].connector.loss", "links.*.crosstalk_elsewhere", "stackup",
)


ROUNDING = 1e-6
"""Tenths of a dB that lie nearer below one than this are the next ones: a limit may have to be exceeded."""


def judge(fact: PairCrosstalk, limits: Limits) -> Iterator[Verdict | Skip]:
    """Compare the power sum at one end, and signal over crosstalk, with those limits that there are."""
    if "crosstalk" in limits:
        yield _level(fact, limits["crosstalk"])
    if "ratio" in limits:
        yield _ratio(fact, limits["ratio"])


def _level(fact: PairCrosstalk, bound: Bound) -> Verdict | Skip:
    text = f"{fact.end}-end crosstalk {fact.crosstalk.value:.1f} dB: {_parts(fact)}; {_signal(fact)}"
    return _judged(fact, fact.crosstalk, bound, text, fact.rest)


def _ratio(fact: PairCrosstalk, bound: Bound) -> Verdict | Skip:
    if fact.ratio is None or fact.loss is None:
        return Skip(fact.ratio_gap, part="ratio", bound=bound)
    over = "crosstalk of both ends" if fact.both_ends else f"{fact.end}-end crosstalk"
    worst = f", the largest up to Nyquist: a stub resonates at {show(fact.resonance, 'GHz')}" if fact.resonance else ""
    text = f"signal over {over} is {_size(fact, fact.ratio)} after {fact.loss:.1f} dB of loss{worst}: {_parts(fact)}"
    if fact.connectors is not None:
        text = f"{text}; {_open(fact.connectors, fact.ratio, bound)}"
    rest = "; ".join(text for text in (fact.rest, fact.ratio_rest) if text)
    return _judged(fact, fact.ratio, bound, text, rest, "ratio")


def _size(fact: PairCrosstalk, ratio: Measured) -> str:
    """Signal over crosstalk, after all that connectors of unknown loss take; an upper end where it may lose more."""
    if fact.connectors is None:
        return f"{ratio.value:.1f} dB{' at most' if fact.ratio_rest else ''}"
    return f"{ratio.value:.1f} to {ratio.value + fact.connectors.most:.1f} dB{' at most' if fact.ratio_rest else ''}"


def _open(connectors: OpenLoss, ratio: Measured, bound: Bound) -> str:
    """Which loss of the connectors would break the limit, and what they take at most."""
    text = f"{connectors.reason}; at most {connectors.most:.1f} dB ({connectors.share})"
    least = bound.limit.low if bound.limit is not None else None
    if least is None:
        return text
    spare = ratio.value + connectors.most - least
    return f"{text}; more than {spare:.1f} dB would break the limit" if spare > 0 else text


def _signal(fact: PairCrosstalk) -> str:
    """Signal over crosstalk beside the figure of the standard, or of its modulation."""
    if fact.ratio is None:
        return f"signal over crosstalk is not known: {fact.ratio_gap}"
    over = "crosstalk of both ends" if fact.both_ends else "crosstalk"
    usual = fact.offers["ratio"].limit.text
    return f"signal over {over} is {_size(fact, fact.ratio)}, where {usual} is asked for"


def _parts(fact: PairCrosstalk) -> str:
    """What the crosstalk is made of."""
    way = "opposite" if fact.end == "near" else "same"
    lines = f"no neighbour in the {way} direction"
    if fact.lines is not None:
        many = "1 neighbour" if fact.neighbours == 1 else f"{fact.neighbours} neighbours"
        lines = f"traces {fact.lines:.1f} dB near {show(fact.frequency, 'GHz', 4)} ({many} in the {way} direction)"
    if fact.vias is not None:
        many = "1 pair" if fact.via_neighbours == 1 else f"{fact.via_neighbours} pairs"
        lines += f", via field at most {fact.vias:.1f} dB, computed ({many} in the {way} direction)"
    if fact.bound is not None:
        lines += f", {fact.bound_of} at most {fact.bound:.1f} dB, declared"
    return f"{lines} ({fact.louder})" if fact.louder else lines


def _standing(bound: Bound) -> str:
    """Whether a limit is normative: what a standard's mask says of itself, else what its source is."""
    text = bound.limit.text if bound.limit is not None else ""
    if "informative" in text or "normative" in text:
        return "normative" if "informative" not in text else "informative"
    return "normative" if bound.source.provenance == "standard" else "informative"


def _isolation(fact: PairCrosstalk, measured: Measured, bound: Bound, part: str) -> str:
    """The declared bound with which the whole interval meets the limit, all else as it is; nothing where none does.

    Signal over crosstalk is as much larger where the path loses less.
    """
    limit = bound.limit
    if limit is None or fact.bound is None or fact.both_ends:
        return ""
    ends = [end for end in (limit.margin(measured.lo), limit.margin(measured.hi)) if end <= 0]
    if not ends:
        return ""
    rest = sum(10 ** (level / 10) for level in (fact.lines, fact.vias) if level is not None)
    left = 10 ** ((fact.crosstalk.value + min(ends)) / 10) - rest
    if left <= 0:
        return ""
    less = f", or a path with {ceil(-10 * min(ends) + ROUNDING) / 10:.1f} dB less loss" if part == "ratio" else ""
    return f" ({floor(100 * log10(left) - ROUNDING) / 10:.1f} dB or less, all else unchanged){less}"


FIX = "space the traces further apart, shorten the common run, or put a plane between"


def _apart(fact: PairCrosstalk, measured: Measured, bound: Bound, part: str) -> str | Fix:
    """The spacing of the loudest neighbour with which the whole interval meets the limit, solved again."""
    search, limit = fact.ratio_spacing if part == "ratio" else fact.spacing, bound.limit
    missed = limit is not None and not (limit.met_by(measured.lo) and limit.met_by(measured.hi))
    found = search(limit) if search is not None and limit is not None and missed else None
    if found is None:
        return FIX
    return Fix(f"{asked(found.edits)} in place of {found.today} along {found.along} (re-solved: "
               f"{found.crosstalk:.1f} dB); or shorten the common run, or put a plane between", (found.edits,))


def _judged(
    fact: PairCrosstalk, measured: Measured, bound: Bound, text: str, rest: str, part: str = ""
) -> Verdict | Skip:
    """What is known in part only, as ``rest`` says, can break a limit but not meet it."""
    standing = _standing(bound)
    said = bound.limit is not None and standing in bound.limit.text
    text = text if said else f"{text}; the limit is {standing}"
    if fact.at_most and bound.limit is not None and not bound.limit.met_by(measured.value):
        return Skip(f"{text}; {fact.at_most}", part=part, bound=bound)
    if rest and (bound.limit is None or bound.limit.met_by(measured.value)):
        return Skip(f"{text}; {rest}", part=part, bound=bound, key=fact.rest_key if fact.rest else "")
    fix: str | Callable[[], str | Fix] = partial(_apart, fact, measured, bound, part)
    if fact.loudest == "vias":
        fix = ("place the pairs further apart, add ground vias between them or shorten the stubs: the bound of the "
               "via field decides; or declare the figure of a field solver (`crosstalk_elsewhere`)")
    elif fact.loudest == "declared":
        fix = (f"choose a connector and pin map with better isolation{_isolation(fact, measured, bound, part)}: "
               f"the declared bound of {fact.bound_of} decides")
    return Verdict(measured=measured, bound=bound, message=text, fix=fix, part=part)
