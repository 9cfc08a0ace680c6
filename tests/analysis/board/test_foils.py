# SPDX-License-Identifier: MIT
"""What is assumed of an unnamed bond treatment covers every treatment of the library."""

from __future__ import annotations

import pytest

from pcbrules import library
from pcbrules.analysis.board.foils import BOND_ADDS, BOND_TOOTH
from pcbrules.model.catalogue.select import roughness


@pytest.mark.parametrize("bond", library.ids("oxide"))
@pytest.mark.parametrize("foil", library.ids("foils"))
def test_no_bond_of_the_library_is_rougher_than_what_is_assumed(foil: str, bond: str) -> None:
    bare = library.entry("foils", foil)
    worst = roughness(bare, library.entry("oxide", bond))[2]
    assert worst <= max(bare.rz.max + BOND_ADDS, BOND_TOOTH) * (1 + 1e-9)


def test_it_is_no_rougher_than_the_roughest() -> None:
    bonds = [library.entry("oxide", name) for name in library.ids("oxide")]
    assert max(bond.add.max for bond in bonds if bond.add) == pytest.approx(BOND_ADDS)
    assert max(bond.floor.max for bond in bonds if bond.floor) == pytest.approx(BOND_TOOTH)
