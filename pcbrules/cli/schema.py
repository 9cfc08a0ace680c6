# SPDX-License-Identifier: MIT
"""`pcbrules schema`."""

from __future__ import annotations

import json

import click

from pcbrules.cli._common import emit

EPILOG = """\b
Example (an editor then completes keys and shows units):
  pcbrules schema board > board.schema.json
"""


@click.command(epilog=EPILOG)
@click.argument("what", type=click.Choice(["board", "report", "lines", "design", "channel", "pdn", "layout", "sweep",
                                           "reach", "fix", "cheaper", "platform", "yield"]))
def command(what: str) -> None:
    """Print the JSON Schema of the board file, or of what a command writes as JSON (`report`: `check`)."""
    if what != "board":
        from importlib.resources import files

        emit((files("pcbrules") / "schemas" / f"{what}.schema.json").read_text(encoding="utf-8"))
        return
    from pcbrules.model.board_schema import board_schema

    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "pcbrules-board-1",
        **board_schema(),
    }
    emit(json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
