# SPDX-License-Identifier: MIT
"""Results of solvers, kept in one place that has an owner, a bound in bytes, and counts.

A solver is a function of frozen records and plain numbers; `@solved_once` stands above it. Whoever runs solvers
decides where their results are looked up: ``with cache.used():``, as the engine does with the cache that it is handed.
Otherwise it is the cache of the process, so that studies and pictures after a check find what the check has solved. The
functions between engine and solver, some hundred, do not hand a cache on: what they compute does not depend on it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from gc import get_referents
from threading import Lock
from time import perf_counter
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

LIMIT = 96 * 2**20
"""Bytes that a cache keeps if nothing else is said: a board of 300 links solves nothing twice that takes time."""

ENTRY = 512
"""Bytes of an entry beside its arguments and its result."""

FILLED = 0.75
"""Part of the limit that is left filled where results have to go: they go in bulk [-]."""

LARGE = 1024
"""Arrays and texts from this size on may be part of several results and count once, as arguments do. [bytes]"""

_Measure = tuple[int, dict[int, int]]
"""Bytes of an object, and apart from them those of each large array and text, by identity."""

_SMALL = {type(one): sys.getsizeof(one) for one in (1.0, 1, True, 1j, None)}
_WITH_ARRAY: dict[type, bool] = {}
"""Kinds that hold an array, as they are met."""
_NO_DATA = (type, FunctionType, BuiltinFunctionType, ModuleType)


class _Call:
    """A solver with its arguments as a key: records within records are hashed once, not at every step of a look-up."""

    __slots__ = ("_hash", "parts")

    def __init__(self, solve: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> None:
        self.parts: tuple[Any, ...] = (solve, args, *kwargs.items()) if kwargs else (solve, args)
        self._hash = hash(self.parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Call) and self._hash == other._hash and self.parts == other.parts


@dataclass(slots=True)
class _Entry:
    """A result, its bytes, and those of it, its arguments and their arrays, which may be part of other entries too.

    ``worth`` is the time that it took to solve over all its bytes [s/B]; those of the lowest ``rank`` go first.
    """

    result: Any
    size: int
    large: dict[int, int]
    measures: dict[int, _Measure]
    worth: float = 0.0
    rank: float = 0.0


class SolverCache:
    """Results by solver and arguments, up to a limit.

    Beyond it those go that were asked for long ago, and those that took little time for their size (GreedyDual-Size:
    Cao and Irani, Cost-aware WWW proxy caching algorithms, 1997). ``limit`` and ``size`` are in bytes; ``hits`` counts
    the results that were found, ``solved`` by solver those that were not.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._lock = Lock()
        self.clear()

    def clear(self) -> None:
        """Forget all results and counts."""
        self.size = 0
        self.hits = 0
        self.solved: Counter[str] = Counter()
        self._entries: dict[_Call, _Entry] = {}
        self._gone = 0.0  # the highest rank that had to go
        self._shared: dict[int, int] = {}
        self._measures: dict[int, _Measure] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __reduce__(self) -> tuple[Any, ...]:
        return process_cache, ()  # results stay where they are: another process has a cache of its own

    def result(self, solve: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        """Return the result of a solver, solved now or before; what it raises is not kept."""
        key = _Call(solve, args, kwargs)
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self.hits += 1
                entry.rank = self._gone + entry.worth
                self._entries[key] = self._entries.pop(key)  # of equal ranks the one that waits longest goes first
        if entry is None:
            begun = perf_counter()
            made = solve(*args, **kwargs)
            time = perf_counter() - begun
            entry = self._entry(key, made)
            entry.worth = time / (entry.size + sum(entry.large.values()))
            with self._lock:
                self.solved[f"{solve.__module__}.{solve.__qualname__}"] += 1
                self._add(key, entry)
        result: R = entry.result
        return result

    def worth(self, solve: Callable[..., R], args: tuple[Any, ...]) -> float | None:
        """Return the time that a kept result took over its size [s/B], None for one that is not kept."""
        with self._lock:
            entry = self._entries.get(_Call(solve, args))
        return None if entry is None else entry.worth

    def take(self, solve: Callable[..., R], args: tuple[Any, ...], result: R, worth: float) -> None:
        """Keep a result that another process has solved, and what it was worth there."""
        key = _Call(solve, args)
        entry = self._entry(key, result)
        entry.worth = worth
        with self._lock:
            self._add(key, entry)

    def _add(self, key: _Call, entry: _Entry) -> None:
        if key in self._entries:  # another thread was faster
            return
        self._entries[key] = entry
        entry.rank = self._gone + entry.worth
        self.size += entry.size
        self._measures |= entry.measures
        for one, size in entry.large.items():
            holders = self._shared.get(one, 0)
            self.size += 0 if holders else size
            self._shared[one] = holders + 1
        if self.size > self.limit:
            for old in sorted(self._entries, key=lambda one: self._entries[one].rank):
                self._remove(old)
                if self.size <= FILLED * self.limit:
                    break

    def _remove(self, key: _Call) -> None:
        old = self._entries.pop(key)
        self._gone = max(self._gone, old.rank)
        self.size -= old.size
        for one, size in old.large.items():
            self._shared[one] -= 1
            if not self._shared[one]:
                del self._shared[one]
                self._measures.pop(one, None)
                self.size -= size

    def _entry(self, key: _Call, result: Any) -> _Entry:
        """Measure a result and its arguments, each once: a result is an argument of the next solver as a rule."""
        large: dict[int, int] = {}
        measured: dict[int, _Measure] = {}
        for one in (result, *key.parts[1], *(value for _, value in key.parts[2:])):
            if type(one) in _SMALL:
                continue
            own, parts = measured[id(one)] = self._measures.get(id(one)) or _measured(one)
            large |= parts if id(one) in parts else {id(one): own, **parts}
        return _Entry(result, ENTRY, large, measured)

    @contextmanager
    def used(self) -> Iterator[SolverCache]:
        """Have all solvers below look up their results here."""
        token = _USED.set(self)
        try:
            yield self
        finally:
            _USED.reset(token)


_PROCESS = SolverCache()
_USED: ContextVar[SolverCache] = ContextVar("solver_cache", default=_PROCESS)


def process_cache() -> SolverCache:
    """Return the cache of this process."""
    return _PROCESS


def used_cache() -> SolverCache:
    """Return the cache that solvers look up now."""
    return _USED.get()


def solved_once(solve: Callable[P, R]) -> Callable[P, R]:
    """Decorate a solver: its results are kept in the cache that is used. Its arguments are hashable."""

    @wraps(solve)
    def looked_up(*args: P.args, **kwargs: P.kwargs) -> R:
        return _USED.get().result(solve, args, kwargs)

    return looked_up


def _measured(result: Any) -> _Measure:
    """Return the bytes of an object with all that it holds, and apart from them those of each large array and text."""
    size, large = 0, {}
    seen: set[int] = set()
    open_: list[Any] = [result]
    while open_:
        one = open_.pop()
        kind = type(one)
        if kind is tuple and one and type(one[0]) is float:  # a curve
            size += sys.getsizeof(one) + len(one) * _SMALL[float]
            continue
        place = id(one)
        if place in seen:
            continue
        seen.add(place)
        small = _SMALL.get(kind)
        if small is not None:
            size += small
            continue
        if kind not in _WITH_ARRAY:
            _WITH_ARRAY[kind] = hasattr(kind, "nbytes")
        if _WITH_ARRAY[kind]:  # of a part of an array the whole is alive
            while getattr(one, "base", None) is not None:
                one = one.base
        elif isinstance(one, _NO_DATA):
            continue
        else:
            open_ += get_referents(one)
        own = sys.getsizeof(one)
        if own >= LARGE and not isinstance(one, tuple | list | dict):
            large[id(one)] = own
        else:
            size += own
    return size, large
