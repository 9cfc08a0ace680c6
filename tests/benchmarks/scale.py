# SPDX-License-Identifier: MIT
"""What a study of many variants costs: a candidate, a task of the cluster, a result; and what ten million would take.

`python tests/benchmarks/scale.py [--tasks 100000] [--variants 24]` prints the figures of `docs/concepts/scale.md`, as
this machine has them; `--search SPEC` those of one design space, serially. Those of the cluster are measured where
dask.distributed is installed: a scheduler and two workers as processes, and batches that cost nothing, of one candidate
and as `sweep` sends them.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from pcbrules import api
from pcbrules.api._variants import BATCH, VariantJudge, batch_size
from pcbrules.rulesets import load as ruleset_of
from pcbrules.studies.searching.exploring import SpaceBounds, explore
from pcbrules.studies.searching.part_outcome import BlockedBy, CountedMargin, PartOutcome
from pcbrules.studies.searching.rule_groups import RuleGroup
from pcbrules.studies.searching.space import AxisPoint, PartTask, SearchAxis, SearchSpace, SpaceFrame
from pcbrules.studies.variants.axes import MOST_VARIANTS, Edits, read_axes, variants
from pcbrules.studies.variants.judged import Tried

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "boards" / "hgx-h100-baseboard.yaml"
AXIS = "links.pcie_up.path.run.width=4mil:8mil:{}"

CANDIDATES = 10_000_000
WORKERS = 1_000


def judge_of(rules: tuple[str, ...]) -> VariantJudge:
    """What judges the variants of the H100 board by some rules; without any by all."""
    ruleset = ruleset_of("training")
    return VariantJudge(api.load(BOARD).document, ruleset, rules or tuple(ruleset.rules), ())


def edits(count: int) -> Iterator[Edits]:
    """So many widths of one bundle."""
    axes = read_axes([AXIS.format(count)], api.load(BOARD).document)
    return (one.edits for one in variants(axes))


def candidate(rules: tuple[str, ...], count: int) -> tuple[float, Tried]:
    """Processor time of a variant when the board is warm [s], and what it was judged."""
    judge, every = judge_of(rules), list(edits(count))
    judge((every[0],))
    begun = time.process_time()
    (*_, last) = judge(tuple(every[1:]))
    return (time.process_time() - begun) / (count - 1), last


def bookkeeping(axes: int) -> tuple[int, float, int]:
    """Candidates of a space of so many axes of ten values; time of a search whose rules cost nothing [s]; judged."""
    dice = Random(1)
    document = api.load(BOARD).document
    made = tuple(SearchAxis(f"axis{at}", tuple(
        AxisPoint(f"{place}", (((str(at),), place),) if place else (), cost=dice.randint(-3000, 6000) if place else 0,
                  thicker=dice.choice((0.0, 0.1, 0.2))) for place in range(10))) for at in range(axes))
    space = SearchSpace((SpaceFrame("", document, made, thickness=1.0),))
    groups = (RuleGroup(0, ("A",), (0, 1)), RuleGroup(1, ("B",), (0, 2, 3)), RuleGroup(2, ("C",), tuple(range(axes))))
    margins: dict[tuple[object, ...], float] = {}

    def part(name: str, values: tuple[int, ...]) -> PartOutcome:
        costs = sum(axis.points[at].cost for axis, at in zip(made, values, strict=False))
        margin = margins.setdefault((name, values), round(0.3 + costs / 20_000 + 0.2 * dice.random(), 7))
        blocked = BlockedBy(name) if name != "C" and margin < 0.35 else None
        return PartOutcome(blocked, (CountedMargin(name, "x", margin),))

    def run(tasks: Sequence[PartTask]) -> list[PartOutcome]:
        found = []
        for task in tasks:
            at = {path[0]: place for path, place in task.edits}
            parts = [part(one.rules[0], tuple(at.get(str(axis), 0) for axis in one.axes)) for one in groups
                     if one.rules[0] in task.rules]
            found.append(PartOutcome(next((one.blocked for one in parts if one.blocked), None),
                                     tuple(margin for one in parts for margin in one.margins)))
        return found

    begun = time.process_time()
    answer = explore(space, groups, run, ("A", "B", "C"), SpaceBounds(8000, None, 1.45))
    return space.count, time.process_time() - begun, answer.works[-1].judged


def searched(spec: str) -> None:
    """Print what a search of a design space costs serially."""
    begun = time.process_time()
    found = api.search(spec)
    taken = time.process_time() - begun
    works = found.explored.works
    print(f"{spec}: {found.space.count:,} candidates in {taken:.1f} s, {found.parts_judged:,} checks, "
          f"judged by all rules {works[-1].judged:,} of {works[-1].combinations:,}; {found.explored.passing:,} pass; "
          f"{found.space.count / taken:.1f} candidates/s")


def nothing(task: tuple[int, ...]) -> int:
    """A batch that costs nothing; its length."""
    return len(task)


def cluster(tasks: int) -> dict[int, float]:
    """Time of a candidate on a cluster of two processes that do nothing else, by the size of its batch [s]."""
    from distributed import Client, LocalCluster

    found = {}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local, Client(local) as client:
        pool = client.get_executor()
        for size in (1, BATCH, batch_size(MOST_VARIANTS)):
            sent = [tuple(range(size))] * max(tasks // size, 1)
            begun = time.perf_counter()
            count = sum(pool.map(nothing, sent))
            found[size] = (time.perf_counter() - begun) / count
    return found


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--tasks", type=int, default=100_000)
    parser.add_argument("--variants", type=int, default=24)
    parser.add_argument("--search", metavar="SPEC")
    asked = parser.parse_args()
    if asked.search:
        searched(asked.search)
        return 0
    for axes in (5, 6, 7):
        count, seconds, judged = bookkeeping(axes)
        print(f"search of {count:,} candidates, rules that cost nothing: {seconds:.2f} s of processor time, {judged:,} "
              "judged by the last group")
    whole, last = candidate((), asked.variants)
    one, _ = candidate(("SIG001",), asked.variants)
    print(f"a candidate, all rules: {whole:.3f} s of processor time; SIG001 alone: {one:.3f} s")
    sent = len(pickle.dumps(judge_of(())))
    kept = len(json.dumps({"variant": "4.5 mil", "judged": last.row()})) + 1
    print(f"a task carries {sent / 1e3:.0f} kB of board and ruleset; a result is {kept} bytes of the kept file")
    try:
        overhead = cluster(asked.tasks)
    except ImportError:
        print("dask.distributed is not installed: no figures of the cluster")
        return 0
    for size, seconds in overhead.items():
        print(f"the cluster, batches of {size}: {1e6 * seconds:.1f} us a candidate; "
              f"{CANDIDATES:,} candidates: {CANDIDATES * seconds / 3600:.2f} h of the scheduler, "
              f"{CANDIDATES / size * sent / 1e12:.3f} TB sent")
    print(f"{CANDIDATES:,} candidates on {WORKERS:,} workers: {CANDIDATES * whole / WORKERS / 3600:.1f} h of judging, "
          f"{CANDIDATES * kept / 1e9:.1f} GB kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
