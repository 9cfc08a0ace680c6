# SPDX-License-Identifier: MIT
"""Does every tolerance of the board file stand where it counts?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.model.board_file import BoardFile
from pcbrules.model.tolerances import COUNTS, DRILLED
from pcbrules.readers.names import Names
from pcbrules.readers.written import alone
from pcbrules.units import Quantity

INSTEAD: Mapping[tuple[str, str], str] = {
    ("Rail", "voltage"): "its tolerance is `tolerance: {dc: ..., ac: ...}` of the rail",
    ("LinkSpec", "impedance"): "what fabrication holds is `fabrication.impedance_control.tolerance`",
    ("ImpedanceTarget", "value"): "what fabrication holds is `fabrication.impedance_control.tolerance`",
    ("Budget", "loss"): "a budget is the largest loss that is allowed",
    ("Copper", "fill"): "a share is nominal",
    ("Trace", "top_width"): "its tolerance is that of `width`",
}
"""What stands for the tolerance of a key, where another key does."""


def check_tolerances(file: BoardFile, names: Names) -> None:
    """Keep a problem for every tolerance that no rule would read: it would be dropped unseen."""
    for name, via in (file.via_types or {}).items():
        counts = {} if via.backdrill is None else DRILLED
        for record, key, quantity, path in _quantities(via, ("via_types", name)):
            _check(counts, record, key, quantity, path, names)
    for record, key, quantity, path in _quantities(file.model_copy(update={"via_types": None}), ()):
        _check({}, record, key, quantity, path, names)


def _check(
    more: Mapping[str, frozenset[str]], record: str, key: str, quantity: Quantity, path: Path, names: Names
) -> None:
    if quantity.minus is None and quantity.plus is None:
        return
    if key in COUNTS.get(record, frozenset()) | more.get(record, frozenset()):
        return
    plain = f"write the value alone: '{alone(quantity)}'"
    message = "a tolerance has no effect here"
    if key in DRILLED.get(record, frozenset()):
        message = "a tolerance has no effect on a via without `backdrill`"
    instead = INSTEAD.get((record, key))
    names.fault(path, message, found=quoted(quantity.text), fix=f"{plain}; {instead}" if instead else plain)


def _quantities(node: Any, path: Path, record: str = "", key: str = "") -> Iterator[tuple[str, str, Quantity, Path]]:
    """Every quantity below a place, with the record that holds it, its key there, and its place."""
    if isinstance(node, Quantity):
        yield record, key, node, path
    elif isinstance(node, BaseModel):
        fields = type(node).model_fields
        for name, value in node.__dict__.items():
            if value is not None:
                step = fields[name].alias or name
                yield from _quantities(value, (*path, step), type(node).__name__, step)
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from _quantities(value, (*path, name), record, key)
    elif isinstance(node, tuple):
        for i, value in enumerate(node):
            yield from _quantities(value, (*path, i), record, key)
