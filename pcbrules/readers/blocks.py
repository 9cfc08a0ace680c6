# SPDX-License-Identifier: MIT
"""The Touchstone files that a board names."""

from __future__ import annotations

from functools import lru_cache

from pcbrules.document import Path
from pcbrules.document.textfile import read_bytes
from pcbrules.errors import InputError, quoted
from pcbrules.model.block import Block
from pcbrules.model.board import PathStep
from pcbrules.model.link import Trace
from pcbrules.readers.named_files import file_below
from pcbrules.readers.names import Names


def add_block(step: PathStep, blocks: dict[str, Block], names: Names) -> None:
    """Read the file that a step of a path names, once for all that do; its faults join those of the board."""
    body, table = step.body, step.body.table
    if table is None:
        return
    place = (*step.path, "touchstone") if isinstance(body.touchstone, str) else (*step.path, "touchstone", "file")
    own = ("loss", "impedance", "delay", "length", "die_capacitance", "ball_capacitance")
    for key in own:
        compared = key == "length" and isinstance(body, Trace)
        if getattr(body, key, None) is not None and not compared:
            names.warn((*step.path, key), f"the Touchstone file counts, and this {key.replace('_', ' ')} is left out")
    read_block(table.file, place, blocks, names)
    if table.ports is not None:
        _check_ports(table.ports, (*step.path, "touchstone", "ports"), blocks.get(table.file), names)


def _check_ports(ports: tuple[int, ...], place: Path, block: Block | None, names: Names) -> None:
    """Two or four different ports that the file has."""
    if len(ports) == 3 or len(set(ports)) < len(ports):
        names.fault(place, "an element has two or four ends", found=str(list(ports)), expected="two or four different "
                    "ports", fix="give [near P, near N, far P, far N] of a pair, [near, far] of a line")
    elif block is not None and max(ports) > len(block.z_ref):
        names.fault(place, "the file has no such port", found=str(max(ports)),
                    expected=f"a port from 1 to {len(block.z_ref)}", fix="number the ports as the file does")


def read_block(text: str, place: Path, blocks: dict[str, Block], names: Names) -> None:
    """Read a file that the board names at a place, unless it has been read."""
    if text in blocks:
        return
    path = file_below(text, place, names)
    if path is None:
        return
    from pcbrules.readers.touchstone import SIZE_LIMIT  # numbers of thousands of points: numpy, which few boards need

    try:
        blocks[text] = _block(read_bytes(path, path.as_posix(), SIZE_LIMIT), path.as_posix())
    except InputError as error:
        names.fault(place, "the Touchstone file cannot be used", found=quoted(text), fix="see its faults below")
        for problem in error.problems:
            names.problems.add(problem)


@lru_cache(maxsize=4)
def _block(data: bytes, file: str) -> Block:
    """The table of a file: boards are resolved again and again with the same one."""
    from pcbrules.readers.touchstone import parse_touchstone

    found = parse_touchstone(data, file)
    return Block(found.frequency.tobytes(), found.s.tobytes(), tuple(found.z_ref.tolist()), found.file, found.sha256)
