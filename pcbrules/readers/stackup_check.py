# SPDX-License-Identifier: MIT
"""Do the layers make a board?"""

from __future__ import annotations

from itertools import pairwise

from pcbrules.errors import quoted
from pcbrules.model.board_file import BoardFile
from pcbrules.model.stackup import Copper, Dielectric, Mask
from pcbrules.readers.names import Names


def check_stackup(file: BoardFile, names: Names) -> None:
    """Names of layers, the order of copper and dielectric, masks outside."""
    layers = file.stackup or ()
    seen: dict[str, int] = {}
    for index, layer in enumerate(layers):
        if layer.name and layer.name in seen:
            names.fault(("stackup", index, "name"), "two layers have this name", found=quoted(layer.name),
                        fix=f"rename one; the other is entry {seen[layer.name] + 1} of the stackup")
        elif layer.name:
            seen[layer.name] = index
        if isinstance(layer, Mask) and index not in (0, len(layers) - 1):
            names.fault(("stackup", index, "kind"), "solder mask lies only on the outside",
                        fix="put it first or last")
    coppers = [i for i, layer in enumerate(layers) if isinstance(layer, Copper)]
    for index in coppers[1:-1]:
        if getattr(layers[index], "finish", None) is not None:
            names.fault(("stackup", index, "finish"), "an inner layer has no surface finish", fix="remove the key")
    if layers and not coppers:
        names.fault(("stackup",), "there is no copper layer")
    inner = [(i, layer) for i, layer in enumerate(layers) if not isinstance(layer, Mask)]
    for (i, a), (j, b) in pairwise(inner):
        if isinstance(a, Copper) and isinstance(b, Copper):
            names.fault(("stackup", j), "two copper layers touch",
                        expected=f"a dielectric between entries {i + 1} and {j + 1}")
    for position, (i, layer) in ((0, inner[0]), (-1, inner[-1])) if inner else ():
        if isinstance(layer, Dielectric):
            where = "begins" if position == 0 else "ends"
            names.fault(("stackup", i), f"the stackup {where} with a dielectric",
                        expected="copper outside (or solder mask on copper)")
