# SPDX-License-Identifier: MIT
"""The words of a fix that adds pieces to a bank of a rail."""

from __future__ import annotations

from collections.abc import Callable

from pcbrules.results.facts.power import MorePieces


def more_pieces(found: MorePieces | None, shown: Callable[[float], str], otherwise: str) -> str:
    """The pieces that meet a limit, or the nearest that a bank alone comes; ``shown`` says the value that they leave,
    ``otherwise`` is what else helps.
    """
    if found is None:
        return otherwise
    gives = f"{found.count} pieces for {found.before} in {found.bank}" + (f", {found.where}" if found.where else "")
    if found.becomes:
        return f"place {gives} (re-solved: {shown(found.value)}, {found.becomes}); else {otherwise}"
    room = " and as many as have room" if found.room else ""
    return (f"{otherwise}: no bank alone meets the limit with up to 8 times its pieces, 200 at most{room} (re-solved: "
            f"{gives} leave {shown(found.value)})")
