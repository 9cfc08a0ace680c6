# SPDX-License-Identifier: MIT
"""Mutants of whole layouts of any format through reading, `layout`, `import` and `check`, each in a process of its own.

`python tests/mutated_large.py 20 FILE...`, or `make large-mutants DIR=folder` for all files of 1 MB and more. Half of
the mutants have bytes changed, cut or doubled anywhere, half other values in their places, so that most are read. In an
archive it is one of the files of the product model that is changed. Ends with 1 where anything but a report or a
refusal came out, or a mutant took over 60 s of processor time or over 2 GB.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import resource
import sys
import tarfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random

from corpus import checked
from mutated_layouts import mutants, shown

from pcbrules.errors import InputError
from pcbrules.readers.layout_file import parse_layout
from pcbrules.readers.odb.archive import NEEDED, is_odb

PIECES = (b"(", b")", b'"', b"<", b">", b"/>", b"-", b"1e400", b"nan", b"\xff", b"\0", b" ", b"\n", b"0", b"|",
          b"\xe2\x80\xae", b"9" * 400)

VALUES = (b"", b"0", b"-1", b"1e9", b"1e-12", b"0.1", b"99999", b"GND", b"F.Cu", b"\xc3\xa4", b"true")

NUMBER = re.compile(rb'(?<=[\s"])[-+]?\d+(?:\.\d+)?(?=[\s")])')

TEXT = re.compile(rb'(?<==")[^"<>\d][^"<>]*(?=")|(?<=[ =])"?[A-Za-z][\w/{}.+-]*"?(?=[\s)])')

SECONDS, BYTES = 60, 2_000_000_000


def reworded(count: int, data: bytes, seed: int = 1) -> Iterator[bytes]:
    """Copies with other values in up to 50 places: those of other places of their kind, or now and then odd ones."""
    random = Random(seed)
    kinds = [places for kind in (NUMBER, NUMBER, TEXT) if (places := [one.span() for one in kind.finditer(data)])]
    for _ in range(count if kinds else 0):
        changes = []
        for _ in range(random.choice((1, 3, 10, 50))):
            places = random.choice(kinds)
            other = data[slice(*random.choice(places))]
            changes.append((*random.choice(places), other if random.randrange(10) else random.choice(VALUES)))
        made, end = [], 0
        for at, to, text in sorted(changes):
            if at >= end:
                made += [data[end:at], text]
                end = to
        yield b"".join([*made, data[end:]])


def both(count: int, data: bytes) -> Iterator[bytes]:
    """Half with changed bytes, half with other values."""
    yield from mutants(count // 2, data, PIECES)
    yield from reworded(count - count // 2, data)


def archives(count: int, data: bytes, seed: int = 1) -> Iterator[bytes]:
    """Archives of which one file that is read is a mutant: each has the same chance, and large ones twice."""
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:
        files = {one.name: stream.read() for one in opened.getmembers() if (stream := opened.extractfile(one))}
    names = [name for name in files if NEEDED.fullmatch(name)]
    random = Random(seed)
    for place in range(count):
        name = random.choice(names + [one for one in names if len(files[one]) > 100_000] * 3)
        other, = (mutants if place % 2 else reworded)(1, files[name], *([PIECES] if place % 2 else []), seed=place)
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w") as written:
            for one, text in {**files, name: other}.items():
                entry = tarfile.TarInfo(one)
                entry.size = len(text)
                written.addfile(entry, io.BytesIO(text))
        yield made.getvalue()


def tried(data: bytes, name: str) -> tuple[str, float, int]:
    """What a process of its own makes of a file: `read`, `refused` or the fault; its seconds and bytes."""
    end, begin = os.pipe()
    child = os.fork()
    if not child:
        os.close(end)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        os.write(begin, outcome(data, name).encode()[-4000:])
        os._exit(0)
    os.close(begin)
    with os.fdopen(end, "rb") as stream:
        said = stream.read().decode()
    _, status, used = os.wait4(child, 0)
    return (said if status == 0 else f"ended by signal {status & 127}"), used.ru_utime + used.ru_stime, (
        used.ru_maxrss * 1024)


def outcome(data: bytes, name: str) -> str:
    """`read`, `refused`, or where it broke."""
    try:
        layout = parse_layout(data, name)
        shown(layout, once=True)  # the check measures what runs beside the links
        checked(layout, "0" * 64)
    except InputError as error:
        return "refused" if all(one.text() for one in error.problems) else "a refusal without words"
    except BaseException:  # whatever it is: the process ends here
        return traceback.format_exc()
    return "read"


def main() -> int:
    """Try every mutant of the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("count", type=int)
    parser.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    wrong = 0
    for path in given.files:
        data = path.read_bytes()
        counted = {"read": 0, "refused": 0}
        slowest, largest = 0.0, 0
        for number, mutant in enumerate((archives if is_odb(data) else both)(given.count, data)):
            said, seconds, size = tried(mutant, path.name)
            slowest, largest = max(slowest, seconds), max(largest, size)
            if said in counted:
                counted[said] += 1
            if said not in counted or seconds > SECONDS or size > BYTES:
                wrong += 1
                print(f"{path.name} {number}: {said} ({seconds:.1f} s, {size / 1e6:.0f} MB)", flush=True)
        print(f"{path.name}: {counted['read']} read, {counted['refused']} refused, slowest {slowest:.1f} s, "
              f"largest {largest / 1e6:.0f} MB", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
