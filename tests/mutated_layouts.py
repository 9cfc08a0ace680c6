# SPDX-License-Identifier: MIT
"""Layouts with a few bytes changed, cut, doubled or put elsewhere."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from pcbrules.api import _layout_text
from pcbrules.document import parse_yaml
from pcbrules.errors import InputError
from pcbrules.extraction.drawn_path import DrawnPath, DrawnPaths
from pcbrules.extraction.measures import measures
from pcbrules.layout.layout import Layout
from pcbrules.readers.board_yaml import board_of
from pcbrules.studies import layout_text
from pcbrules.studies.layout_board import LinkWish


def mutants(count: int, data: bytes, pieces: tuple[bytes, ...], seed: int = 1) -> Iterator[bytes]:
    """So many changed copies, the same ones for the same seed."""
    random = Random(seed)
    for _ in range(count):
        made = bytearray(data)
        for _ in range(random.choice((1, 1, 2, 5))):
            at, to = sorted((random.randrange(len(made) + 1), random.randrange(len(made) + 1)))
            to = min(to, at + random.choice((1, 1, 4, 40)))
            kind = random.randrange(5)
            if kind == 0:
                del made[at:to]
            elif kind == 1:
                made[at:at] = random.choice(pieces)
            elif kind == 2:
                made[at:to] = random.choice(pieces)
            elif kind == 3:
                made[at:at] = made[at:to] * random.choice((1, 2, 50))
            elif at < len(made):
                made[at] = random.randrange(256)
        if random.randrange(20) == 0:
            del made[random.randrange(len(made) + 1):]
        yield bytes(made)


def shown(layout: Layout, *, once: bool = False) -> tuple[str, str]:
    """What the command prints of a layout, in both formats; a board file with all its links has to be readable.

    With `once` the layout is measured once, and the board file has no neighbours.
    """
    found, ways = measures(layout), DrawnPaths(layout)
    paths = [(LinkWish(f"up{place}", "pcie3"), path) for place, pair in enumerate(layout.pairs)
             if isinstance(path := ways.of(pair), DrawnPath)]
    text = _layout_text.layout_text(layout, paths, "made.yaml", found=found if once else None).text
    try:
        board_of(parse_yaml(text.encode(), "made.yaml"))
    except InputError as error:  # not the layout is at fault here
        raise AssertionError(f"what import writes cannot be read: {error}") from error
    return layout_text.console(layout, found), layout_text.json_text(layout, found)


def run(about: str, parse: Callable[[bytes, str], Layout], small: bytes,
        make: Callable[[int, bytes], Iterator[bytes]]) -> int:
    """Read what `make` makes of files, as the command line says; print how many were read and refused."""
    parser = argparse.ArgumentParser(description=about.split("\n", 1)[0])
    parser.add_argument("count", type=int)
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    wrong = 0
    files = [(one.name, one.read_bytes(), 20) for one in given.files]
    for name, data, count in (("small", small, given.count), *files):
        read = refused = 0
        slowest = 0.0
        for number, mutant in enumerate(make(count, data)):
            begin = time.process_time()
            try:
                shown(parse(mutant, name))
                read += 1
            except InputError:
                refused += 1
            except Exception as error:
                wrong += 1
                print(f"{name} {number}: {type(error).__name__}: {error}")
            slowest = max(slowest, time.process_time() - begin)
        wrong += slowest > 60
        print(f"{name}: {read} read, {refused} refused, slowest {slowest:.2f} s")
    return 1 if wrong else 0
