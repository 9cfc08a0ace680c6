# SPDX-License-Identifier: MIT
"""The yield of a board for readers (80 columns) and for programs (CSV; JSON, ``schemas/yield.schema.json``)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from math import floor

from pcbrules.errors import clip
from pcbrules.results.finding import SEVERITY_ORDER
from pcbrules.studies.pages import document, page, section, total, wrapped
from pcbrules.studies.spread.board_yield import COUPON_RULE, WORST, BoardYield, SpreadNumber
from pcbrules.units import show

LONGEST = 25
"""Lines of a page without details."""

NAMED = 3
"""Names of each list on it."""

BASIS = (
    "factors are independent and normal, a tolerance is three standard deviations. All heights of a laminate move "
    "together, so do all its Dk and all its Df; all widths of a layer move together, at constant pitch."
)


def console(found: BoardYield, least: float | None = None, *, every: bool = False, details: bool = False) -> str:
    """The joint yield and what drives it, in 25 lines; with ``details`` or ``every`` the factors and the numbers whole.
    """
    return page(_whole(found, least, every) if every or details else _short(found, least))


def _whole(found: BoardYield, least: float | None, every: bool) -> Iterator[str]:
    yield from _answer(found)
    yield from wrapped(BASIS)
    yield ""
    yield "Factors"
    rows = [(clip(one.name, 34), one.level, one.tolerance, one.source) for one in found.factors]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    for row in rows:
        yield f"    {'  '.join(text.ljust(width) for text, width in zip(row, widths, strict=True))}".rstrip()
    shown = found.numbers if every else tuple(one for one in found.numbers if one.fails > 0 or one.cpk)[:WORST]
    yield ""
    rest = "" if len(shown) == len(found.numbers) else f"the {len(shown)} worst of "
    yield f"Numbers: {rest}{len(found.numbers)} that vary, {found.still} do not"
    for one in shown:
        yield from _number(one)
    yield from _lists(found, WORST)
    yield ""
    yield _last(found, least)


def _short(found: BoardYield, least: float | None) -> Iterator[str]:
    """The answer, then as many of the numbers that count as have room."""
    head = list(_answer(found))
    tail = list(_lists(found, NAMED))
    ours = [one for one in found.numbers if _counts(one, found)]
    others = sum(one.fails > 0 and not _counts(one, found) for one in found.numbers)
    if others:
        tail += ["", *wrapped(f"{others} {'number' if others == 1 else 'numbers'} beyond a limit on some boards "
                              f"{'does' if others == 1 else 'do'} not count at --fail-on {found.fail_on.value}", 0)]
    tail += ["", "With -v: the factors, and every number with its range.", _last(found, least)]
    middle: list[str] = ["", "What drives it, worst first:"]
    for one in ours:
        more = list(_driven(one))
        if len(head) + len(middle) + len(more) + len(tail) > LONGEST:
            break
        middle += more
    yield from head
    yield from middle if len(middle) > 2 else ()
    yield from tail


def _driven(one: SpreadNumber) -> Iterator[str]:
    """A number in short: how often it fails, its range, and what moves it."""
    cpk = "" if one.cpk is None else f", Cpk {one.cpk:.2f}"
    nominal = f"nominal {_value(one, one.nominal)}{' from the target' if one.signed else ''}"
    yield from wrapped(f"{one.name}: fails {_fails(one)}, {nominal}, limit {one.limit}{cpk}")
    drivers = ", ".join(f"{name} {show(share, '%', 2)}" for name, share in one.drivers[:3])
    yield from wrapped(f"moved by {drivers}", 8)


def _counts(one: SpreadNumber, found: BoardYield) -> bool:
    return SEVERITY_ORDER[one.severity] <= SEVERITY_ORDER[found.fail_on]


def _lists(found: BoardYield, most: int) -> Iterator[str]:
    """What fails whatever varies, and what is not evaluated."""
    for title, names, why in (
        ("Fail at any sample:", found.always, "beyond its limit, and nothing that varies moves it"),
        ("Not evaluated:", found.open, "at some samples or at all"),
    ):
        yield from section(title, ((name, why) for name in names[:most]))
        if len(names) > most:
            yield f"    and {len(names) - most} more"


def _number(one: SpreadNumber) -> Iterator[str]:
    sign = "distance from the target, " if one.signed else ""
    yield from wrapped(f"{one.name} ({one.severity.value}): {sign}limit {one.limit}")
    low, *_, high = one.quantiles
    cpk = "" if one.cpk is None else f", Cpk {one.cpk:.2f}"
    range_of = "99.73 % not known" if one.rough else f"99.73 % from {_value(one, low)} to {_value(one, high)}"
    yield from wrapped(f"nominal {_value(one, one.nominal)}, {range_of}{cpk}, fails {_fails(one)}", 8)
    corners = "not known" if one.corners is None else (
        f"{_value(one, one.corners[0])} to {_value(one, one.corners[1])} (solved)")
    yield from wrapped(f"by root of squares {_value(one, one.rss[0])} to {_value(one, one.rss[1])}, all tolerances at "
                       f"once {corners}", 8)
    if one.error is not None:
        rough = ": too rough for quantiles, solve samples with --exact" if one.rough else ""
        yield from wrapped(f"surrogate within {_digits(one.error[0], 2)} {one.unit} rms, "
                           f"{_digits(one.error[1], 2)} {one.unit} at most{rough}".replace("  ", " "), 8)
    drivers = ", ".join(f"{name} {show(share, '%', 2)}" for name, share in one.drivers[:3])
    yield from wrapped(f"moved by {drivers}", 8)


def _value(one: SpreadNumber, value: float) -> str:
    return f"{_digits(value, 3)} {one.unit}".strip()


def _digits(value: float, digits: int) -> str:
    return f"{value:.{digits}g}" if 1e-4 <= abs(value) < 10**digits or value == 0 else (
        f"{value:.0f}" if abs(value) >= 1 else f"{value:.{digits - 1}e}")


def _fails(one: SpreadNumber) -> str:
    low, high = one.fails_between
    if one.error is None or high - low < 5e-5:
        return _percent(one.fails)
    return f"{_percent(one.fails)} ({_percent(low)} to {_percent(high)} by the surrogate's error)"


def _percent(share: float) -> str:
    """A share; what is less than all is never shown as all."""
    text = show(share, "%", 3)
    return f"{floor(1e4 * share) / 100:.2f} %" if text == "100 %" and share < 1 else text


def _answer(found: BoardYield) -> Iterator[str]:
    """The share of the boards that pass, first; then of which boards, and how sure that is."""
    level = {"error": "errors", "warning": "errors and warnings", "advice": "any finding"}[found.fail_on.value]
    if not found.judged:
        yield from wrapped(f"yield not known: no number that counts ({level}) was judged", 0)
    else:
        low, high = found.between
        most = "At most " if found.open or found.silent else ""
        sure = f"at least {_percent(low)}" if found.share == 1 else (
            f"at most {_percent(high)}" if found.share == 0 else f"{_percent(low)} to {_percent(high)}")
        yield from wrapped(f"{most}{_percent(found.share)} of the boards pass ({sure}, 95 % confidence)", 0)
    yield from wrapped(f"{found.board} under profile {found.profile}: {found.samples:,} boards sampled "
                       f"(seed {found.seed}); {level} count")
    scrapped = found.coupon is not None and any(one.rule == COUPON_RULE and one.signed for one in found.numbers)
    if found.coupon is not None and not scrapped:
        yield from wrapped(f"coupon: no impedance ({COUPON_RULE}) was sampled, so no board is scrapped for the ordered "
                           f"+-{show(found.coupon, '%')}")
    if found.coupon is not None and scrapped:
        sent = f"; of those shipped {_percent(found.share_shipped)} pass" if found.judged else ""
        yield from wrapped(f"coupon: {_percent(found.shipped / found.samples)} of the boards made are within the "
                           f"ordered +-{show(found.coupon, '%')} of impedance; the others are scrapped{sent}")
    if found.solved == 1:
        yield from wrapped("no number was judged on the board as it is: nothing is sampled")
    elif found.exact:
        yield from wrapped("every sample is solved")
    else:
        measured = f"; their error is measured on {found.checks} solved samples" if found.checks else ""
        yield from wrapped(f"samples are taken from quadratic surrogates of {found.solved - found.checks} solved "
                           f"boards{measured}")
    if found.judged and found.modelled[0] != found.modelled[1]:
        yield from wrapped(f"with all surrogates off by their error: {_percent(found.modelled[0])} to "
                           f"{_percent(found.modelled[1])} pass")


def _last(found: BoardYield, least: float | None) -> str:
    """The total, with the exit code."""
    if not found.judged:
        return total(found.missed(least), _open(found) or "nothing judged")
    asked = "" if least is None else f", {_percent(least)} asked"
    return total(found.missed(least), f"{found.passing:,} of {found.samples:,} boards pass{asked}", _open(found))


def _open(found: BoardYield) -> str:
    """What is not evaluated, and what was named and judged nothing."""
    nothing = f"nothing judged by {', '.join(found.silent)}" if found.silent else ""
    return ", ".join(filter(None, (f"{len(found.open)} not evaluated" if found.open else "", nothing)))


def csv_text(found: BoardYield) -> str:
    """One row a number that varies, in the unit of its limit."""
    rows = found.to_rows()
    stream = io.StringIO()
    if rows:
        writer = csv.DictWriter(stream, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return stream.getvalue()


def json_text(found: BoardYield, least: float | None = None) -> str:
    """The same as JSON."""
    return document(found.board, found.profile, {
        "exit_code": found.missed(least), "samples": found.samples, "seed": found.seed, "exact": found.exact,
        "solved": found.solved, "checks": found.checks, "fail_on": found.fail_on.value,
        "factors": [{"name": one.name, "level": one.level, "tolerance": one.tolerance, "source": one.source}
                    for one in found.factors],
        "coupon": found.coupon, "shipped": found.shipped, "passing": found.passing,
        "yield": _seven(found.share) if found.judged else None,
        "yield_of_shipped": _seven(found.share_shipped) if found.judged else None,
        "judged": found.judged,
        "yield_low": _seven(found.between[0]), "yield_high": _seven(found.between[1]),
        "yield_modelled_low": _seven(found.modelled[0]), "yield_modelled_high": _seven(found.modelled[1]),
        "always_fail": list(found.always), "not_evaluated": list(found.open), "judged_nothing": list(found.silent),
        "still": found.still,
        "numbers": found.to_rows(),
    })


def _seven(value: float) -> float:
    return float(f"{value:.7g}")
