# SPDX-License-Identifier: MIT
"""What a workload needs, for readers (80 columns) and for programs (JSON, ``schemas/platform.schema.json``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pcbrules.analysis.common.workload_need import USED
from pcbrules.library import load as library
from pcbrules.model.workload import LEARNING
from pcbrules.studies.pages import document, page, wrapped
from pcbrules.studies.platform.advice import MFU, AcceleratorFleet, PlatformAdvice
from pcbrules.units import show

GIGA = 1e9
HEAD = ("accelerator", "number", "memory", "power", "direct link")


def console(found: PlatformAdvice) -> str:
    """Memory in parts, what holds it, the links, the duty, and the board to start from."""
    return page(_console(found))


def _console(found: PlatformAdvice) -> Iterator[str]:
    yield from wrapped(_title(found), 0)
    yield ""
    yield "Memory"
    for part in found.need.parts:
        ends = f" ({_gb(part.lo)} to {_gb(part.hi)})" if part.lo < part.hi else ""
        yield from wrapped(f"{part.name}: {_gb(part.value)}{ends}: {part.formula}")
    yield from wrapped(f"sum: {_gb(found.need.total)}, of which a framework may use {show(USED, '%')} of the memory")
    for key in found.need.keys:
        yield from wrapped(f"not declared, so the unfavourable end counts: {_option(key)}")
    yield ""
    yield "Accelerators that hold it"
    yield from _table(found)
    yield from _links(found)
    yield ""
    yield "Load"
    why = found.why or "dense serving draws 40 % to 70 % of the peak (NextPCB, AI server PCB guide, 2026)"
    declared = ", as given" if found.workload.utilisation else ""
    yield from wrapped(f"duty {show(found.duty, '%')}{declared}: {why}")
    yield ""
    yield "Board"
    row = found.row
    yield from wrapped(f"profile {row.profile} ({found.source})")
    if found.why and row.profile != "training":
        yield from wrapped(f"The duty of this workload is that of training. Write it as `workload:` in the board file: "
                           f"profile {row.profile} then counts with {show(found.duty, '%')}.")
    for form in dict.fromkeys(_form(one) for one in found.fleets):
        mine = [one for one in found.fleets if _form(one) == form]
        yield from wrapped(f"{form}: {', '.join(one.part.id for one in mine)}")
        yield from (f"      pcbrules init --example {name}" for name in found.boards_for(mine[0]))
    if found.contradictions:
        yield ""
        yield "Published figures that arithmetic contradicts"
        for text in found.contradictions:
            yield from wrapped(text)


def _form(one: AcceleratorFleet) -> str:
    """The form factor of an accelerator."""
    return one.part.form_factor or "form not known"


def _title(found: PlatformAdvice) -> str:
    work, need = found.workload, found.need
    name = found.model.name if found.model else f"a model of {need.params / GIGA:.4g} B parameters"
    active = f", {need.params * need.active / GIGA:.4g} B of them active" if need.active < 1 else ""
    of = ("sequence" if work.task in LEARNING else "stream") + ("s" if work.streams > 1 else "")
    return (f"{work.task} of {name}{active} in {work.precision}: {work.streams} {of} of {work.context:,.0f} tokens")


def _gb(value: float) -> str:
    return f"{value / GIGA:,.4g} GB" if value < 1e12 else f"{value / 1e12:.4g} TB"


def _option(key: str) -> str:
    return f"--{key.partition('.')[2].replace('_', '-')}"


def _table(found: PlatformAdvice) -> Iterator[str]:
    learning = found.workload.task in LEARNING
    timed = any(one.days is not None for one in found.fleets)
    last = () if learning and not timed else ("days",) if learning else ("tok/s each",)
    rows = [(*HEAD, *last)]
    for one in found.fleets:
        power = _watts(one.part.power.value * one.count) if one.part.power else "-"
        figure = one.days if learning else one.ceiling
        link = one.link or ("none" if one.part.links else "not known")
        rows.append((one.part.id, f"{one.count}{'*' if one.by_rate else ''}", _gb((one.part.memory or 0) * one.count),
                     power, link, *(("-" if figure is None else f"{figure:,.3g}",) if last else ())))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield f"    {'  '.join(text.ljust(width) for text, width in zip(row, widths, strict=True))}".rstrip()
    if any(one.by_rate for one in found.fleets):
        yield from wrapped("* more than memory asks, for the wanted rate")
    several = [one for one in found.fleets if one.boards > 1]
    if several:
        yield from wrapped("more than one board: " + ", ".join(
            f"{one.part.id} {one.boards} boards of {found.row.count}" for one in several))
    if learning and not timed:
        why = "without rated operations" if found.workload.training_tokens else "without --training-tokens"
        yield from wrapped(f"the time of training is not known {why}")
    elif learning:
        yield from wrapped(f"days: 6 x parameters x tokens over {show(MFU, '%')} of the rated operations")
    else:
        yield from wrapped("tok/s each: ceiling of tokens per second of a stream, bandwidth over the bytes that a "
                           "token reads, or arithmetic where that is less; served rates are 50 % to 85 % of it")


def _watts(value: float) -> str:
    return f"{value:.3g} W" if value < 999.5 else f"{value / 1000:.3g} kW"


def _links(found: PlatformAdvice) -> Iterator[str]:
    """What the sums between accelerators take of a step."""
    told = [one for one in found.fleets if one.host is not None]
    if not told:
        alone = all(one.count == 1 for one in found.fleets)
        yield from wrapped("links: one accelerator needs none" if alone else
                           "links: their share of a step is not known without layers, hidden size and rated operations")
        return
    words = [f"{one.part.id} x {one.count // one.boards}: {_share(one)}" for one in told]
    times = "four" if found.workload.task in LEARNING else "two"
    yield from wrapped("links: time of the sums between accelerators over the time of a step without them (ring "
                       f"all-reduce on one board, {times} a layer): {'; '.join(words)}")
    yield from _latency(found, told)


def _latency(found: PlatformAdvice, told: Sequence[AcceleratorFleet]) -> Iterator[str]:
    """What the shares leave out: the sums wait for each other, and in a ring each hop for the one before it."""
    layers = found.workload.layers or (found.model.layers if found.model else None)
    hops = 2 * (max(one.count // one.boards for one in told) - 1)
    if layers:
        learning = found.workload.task in LEARNING
        sums = (4 if learning else 2) * layers
        yield from wrapped(f"latency of the links is not modelled: {sums} sums of {hops} hops wait for each other, so "
                           f"1 us a hop adds {sums * hops / 1000:.3g} ms to a {'step' if learning else 'token'}")


def _share(one: AcceleratorFleet) -> str:
    own = f"{show(one.direct, '%', 2)} over {one.link}, " if one.direct is not None else ""
    return f"{own}{show(one.host or 0, '%', 2)} over pcie5"


def json_text(found: PlatformAdvice) -> str:
    """The same as JSON: memory in bytes, power in watts, shares as fractions."""
    need, row, work = found.need, found.row, found.workload
    return document("", row.profile, {
        "task": work.task, "model": found.model.id if found.model else None, "params": need.params,
        "active_params": need.params * need.active, "precision": work.precision, "context": work.context,
        "streams": work.streams,
        "memory": [{"part": part.name, "bytes": part.value, "low_bytes": part.lo, "high_bytes": part.hi,
                    "formula": part.formula, "not_given": part.key or None} for part in need.parts],
        "memory_bytes": need.total,
        "accelerators": [_tree(found, one) for one in found.fleets],
        "duty": found.duty, "loads_like_training": bool(found.why),
        "boards": list(row.boards), "source": found.source,
        "links_source": library.workload_boards().links_source,
        "contradictions": list(found.contradictions),
    })


def _tree(found: PlatformAdvice, one: AcceleratorFleet) -> dict[str, Any]:
    return {
        "accelerator": one.part.id, "form_factor": one.part.form_factor, "start_from": list(found.boards_for(one)),
        "count": one.count, "boards": one.boards, "by_rate": one.by_rate,
        "memory_bytes": (one.part.memory or 0.0) * one.count,
        "power_w": one.part.power.value * one.count if one.part.power else None,
        "link": one.link or None, "tokens_per_second": _four(one.ceiling), "prefill_s": _four(one.prefill),
        "days": _four(one.days), "link_share": _four(one.direct), "host_share": _four(one.host),
    }


def _four(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")
