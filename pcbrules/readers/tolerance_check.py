# SPDX-License-Identifier: MIT
"""Does every tolerance of the board file stand where it counts?"""

from __future__ import annotations

from collections.abc import Mapping

from pcbrules.document import Path
from pcbrules.errors import quoted
from pcbrules.model.board_file import BoardFile
from pcbrules.model.tolerances import COUNTS, DRILLED
from pcbrules.readers.names import Names
from pcbrules.readers.numbers_in import numbers_in
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
    drilled = {name for name, via in (file.via_types or {}).items() if via.backdrill is not None}
    for number in numbers_in(file, ()):
        if isinstance(number.value, Quantity):
            more = DRILLED if number.path[0] == "via_types" and number.path[1] in drilled else {}
            _check(more, number.record, number.key, number.value, number.path, names)


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
