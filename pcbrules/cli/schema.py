# SPDX-License-Identifier: MIT
"""`pcbrules schema`."""

from __future__ import annotations

import json
from typing import Any

import click

from pcbrules.cli._common import emit

EPILOG = """\b
Example (an editor then completes keys and shows units):
  pcbrules schema board > board.schema.json
"""


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(["board", "report", "lines", "design", "channel", "pdn", "layout", "sweep",
                                           "reach", "search", "search-spec", "fix", "cheaper", "platform", "yield"]))
def command(what: str) -> None:
    """Print the JSON Schema of the board file, or of what a command writes as JSON (`report`: `check`).

    `search-spec` is that of the file that `search` reads.
    """
    if what == "search-spec":
        from pcbrules.model.search_spec import search_schema

        _show("pcbrules-search-1", search_schema())
        return
    if what != "board":
        from importlib.resources import files

        emit((files("pcbrules") / "schemas" / f"{what}.schema.json").read_text(encoding="utf-8"))
        return
    from pcbrules.model.board_schema import board_schema

    _show("pcbrules-board-1", board_schema())


def _show(name: str, schema: dict[str, Any]) -> None:
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": name}
    emit(json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n")
