# SPDX-License-Identifier: MIT
"""Many variants of one board, each judged as a check would judge it, side by side where there are processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from pcbrules import engine
from pcbrules.api._arguments import ProfileGiven, kind, names, ruleset_of
from pcbrules.api._edited import first_fault, judged
from pcbrules.api._loaded import BoardGiven, read_board
from pcbrules.api._named_parts import refuse_unknown_parts
from pcbrules.api._required import rules_named
from pcbrules.api._workers import workers
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document
from pcbrules.errors import InputError, Problem, clip
from pcbrules.results.gate import JUDGED
from pcbrules.results.profile import Ruleset
from pcbrules.studies.variants.along import with_what_moves
from pcbrules.studies.variants.axes import Edits, Variant, read_axes, variants
from pcbrules.studies.variants.given_axes import given_axes
from pcbrules.studies.variants.judged import REFUSED, ShownRule, Tried, refused, tried
from pcbrules.studies.variants.kept import Kept
from pcbrules.studies.variants.sweep import Sweep

if TYPE_CHECKING:
    from concurrent.futures import Executor

Values = str | Sequence[Any] | tuple[ArrayLike, str]
"""Values of an axis: a text, a sequence of values of a board file, or numbers with their unit."""

BATCH = 8
"""Variants that go to a process at once, at least: side by side they share lines and vias."""

MOST_BATCHES = 4000
"""Batches of a study at most: each costs the scheduler of a cluster some milliseconds and carries the board."""


@dataclass(frozen=True)
class VariantJudge:
    """Judges variants of a board; a copy of it works in another process."""

    document: Document
    ruleset: Ruleset
    rules: tuple[str, ...]
    shown: tuple[ShownRule, ...]

    def __call__(self, batch: tuple[Edits, ...]) -> list[Tried]:
        """Judge some variants, one after the other."""
        return [self._judged(edits) for edits in batch]

    @one_blas_thread
    def _judged(self, edits: Edits) -> Tried:
        document = self.document
        try:
            for path, value in with_what_moves(document, edits)[0]:
                document = document.edited(path, value)
            found = judged(document, self.ruleset, self.rules)
        except InputError as error:
            return refused(first_fault(error), self.shown)
        return tried(found, self.shown)


def sweep(
    board: BoardGiven,
    profile: ProfileGiven,
    vary: Mapping[str, Values] | Sequence[str] | str,
    *,
    show: Sequence[str] | str = (),
    jobs: int = 1,
    executor: Executor | None = None,
    kept: Kept[Tried] | None = None,
    watch: engine.Watch | None = None,
) -> Sweep:
    """Judge every combination of some values of a board.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    vary : mapping, or sequence of str
        What is varied. A mapping gives each key its values: numbers with a unit, as
        ``{"links.up.path.run.width": (np.linspace(4, 8, 9), "mil")}``, or those of a board file, as
        ``{"stackup[2].material": ["megtron6", "megtron7n"]}``. A text is that of the command line:
        ``links.up.path.run.width=4mil:8mil:9`` for nine even steps, ``stackup[2].material=a,b`` for values. ``*`` in a
        key stands for every key and every item.
    show : sequence of str
        Rules to judge, and to show the deciding finding of: ``CHN001``, ``CHN001:links.up``. Without any all rules are
        judged and the verdict alone is shown.
    jobs : int
        Processes that judge variants. The answer is the same whatever their number.
    executor : Executor, optional
        Judges them in place of those, in other processes or on other machines.
    kept : Kept, optional
        File of an earlier run, whose variants are not judged again; new ones are appended as they come.
    watch : function, optional
        Is handed the variants as they are judged, and their number: a progress bar.

    Raises
    ------
    InputError
        Unknown profile, rule or key, no axis, no value of which makes a board, or a file of another study.
    """
    loaded = read_board(board, "sweep")
    vary = [vary] if isinstance(vary, str) else vary  # its values have commas between
    if not isinstance(vary, Mapping | Sequence) or not all(isinstance(one, str) for one in vary):
        raise TypeError("sweep() takes what is varied as {key: (numbers, 'mil')} or as texts 'KEY=4mil:8mil:9', not "
                        + kind(vary))
    ruleset = ruleset_of(profile)
    named = shown_groups(names(show, "show"), ruleset)
    shown = shown_rules(named)
    rules = tuple(dict.fromkeys(one.rule for one in shown)) or tuple(ruleset.rules)
    if not vary:
        raise InputError([Problem("--vary", 0, 0, "", "nothing is varied", fix="name what is varied, and its values")])
    document = loaded.document
    axes = given_axes(vary, document) if isinstance(vary, Mapping) else read_axes(vary, document)
    refuse_unknown_parts("--show", shown, loaded, ruleset)
    every = tuple(variants(axes))
    judge = VariantJudge(loaded.document, ruleset, rules, shown)
    study = (loaded.document.sha256, *(item.sha256 for item in ruleset.inputs), ruleset.name, *rules,
             *(one.name for one in shown))
    done = kept.begin(study) if kept else {}
    new = [one for one in every if _name(one) not in done]

    def answers(pool: Executor | None) -> Iterator[tuple[Variant, Tried]]:
        batches = [tuple(one.edits for one in batch) for batch in _batches(new, batch_size(len(new)))]
        each: Callable[..., Iterable[list[Tried]]] = pool.map if pool else map
        yield from zip(new, (one for batch in each(judge, batches) for one in batch), strict=True)

    with workers(jobs if executor is None else 1) as pool:
        found = answers(executor or pool)
        for variant, one in watch(found, len(new)) if watch else found:
            done[_name(variant)] = one
            if kept:
                kept.add(_name(variant), one)
    if all(done[_name(one)].verdict == REFUSED for one in every):
        raise InputError([Problem("--vary", 0, 0, "", f"no value makes a board, of {len(every)}", clip(", ".join(vary)),
                                  "values as in a board file, with their unit: 5mil:7mil:3",
                                  done[_name(every[0])].why)])
    along = with_what_moves(loaded.document, every[0].edits)[1]
    rows = tuple((one, done[_name(one)]) for one in every)
    heard = {name for name, rule in zip(shown, zip(*(one.deciding for _, one in rows), strict=True), strict=True)
             if any(one is not None and one.status in JUDGED for one in rule)} if shown else set()
    silent = tuple(text for text, mine in named.items() if not heard.intersection(mine))
    return Sweep(loaded.name, ruleset.name, axes, shown, rows, along, silent)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """A cluster of Dask as an executor: the scheduler at an address such as ``tcp://host:8786``.

    Raises
    ------
    InputError
        Dask is not installed, or nobody answers at the address.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError([Problem("--scheduler", 0, 0, "", "this needs dask.distributed, which is not installed",
                                  fix="run `pip install '.[cluster]'` in the checkout")]) from None
    try:
        client = Client(address, timeout="10s")
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError([Problem("--scheduler", 0, 0, "", "no scheduler answers", f"'{address}'",
                                  "an address such as tcp://host:8786", str(error).partition("\n")[0])]) from None
    with client:
        yield client.get_executor()


def batch_size(count: int) -> int:
    """Return how many of so many variants go to a process at once."""
    return max(BATCH, ceil(count / MOST_BATCHES))


def shown_groups(texts: Sequence[str], ruleset: Ruleset) -> dict[str, tuple[ShownRule, ...]]:
    """Return the rules that each text names, or begins, with the part of the board behind a colon."""
    known = tuple(ruleset.rules)
    parted = ((text, *text.partition(":")) for text in texts)
    return {text: tuple(ShownRule(rule, part) for rule in rules_named((name,), known, "--show"))
            for text, name, _, part in parted}


def shown_rules(groups: Mapping[str, tuple[ShownRule, ...]]) -> tuple[ShownRule, ...]:
    """Return the rules of all groups, each once."""
    return tuple(dict.fromkeys(one for group in groups.values() for one in group))


def _name(variant: Variant) -> str:
    """The values of a variant, as a file keeps them."""
    return "\x1f".join(repr(one.value) for one in variant.values)


def _batches(items: Sequence[Variant], size: int) -> Iterator[tuple[Variant, ...]]:
    rest = iter(items)
    while batch := tuple(islice(rest, size)):
        yield batch
