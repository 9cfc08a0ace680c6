# SPDX-License-Identifier: MIT
"""The JSON Schema of the board file, for editors and for messages."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pcbrules.model.board_file import BoardFile
from pcbrules.model.key_texts import describe, record_name
from pcbrules.model.ranges import RANGES, Band
from pcbrules.model.tolerances import COUNTS, DRILLED

GIVEN = ("id", "name", "source", "confidence")
"""Keys that an entry of a board's own library gets from its name and place."""

ONE_POINT = {
    "dk": {"type": "number", "description": "Dk at `at`, instead of `sets`", "examples": [3.4]},
    "df": {"type": "number", "description": "Df at `at`", "examples": [0.002]},
    "at": {"type": "string", "description": "frequency of dk and df", "examples": ["10 GHz"]},
    "method": {"type": "string"},
    "source": {"type": "string"},
}


@cache
def board_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of the board file as it is written: quantities are texts with units. It is not changed."""
    schema = BoardFile.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    own = definitions["Materials"]["properties"]
    for key in ("laminates", "foils", "standards"):
        name = own[key]["additionalProperties" if "additionalProperties" in own[key] else "patternProperties"]
        name = name if "$ref" in name else next(iter(name.values()))
        record = definitions[name["$ref"].rsplit("/", 1)[-1]]
        record["required"] = [field for field in record.get("required", []) if field not in GIVEN]
        if key == "laminates":
            record["properties"] |= ONE_POINT
    describe(schema)
    for name, record in definitions.items():
        _plain_examples(record_name(name), record.get("properties", {}))
        _ranges(record_name(name), record.get("properties", {}))
    return schema


def _ranges(record: str, keys: dict[str, Any]) -> None:
    """Add what is possible and what is usual: keywords of our own, which a validator passes over."""
    for key, given in RANGES.get(record, {}).items():
        bands = (given,) if isinstance(given, Band) else given
        if key in keys:
            keys[key]["x-possible"] = " or ".join(f"{band.least} to {band.most}" for band in bands)
            keys[key]["x-usual"] = " or ".join(f"{band.low} to {band.high}" for band in bands)


def _plain_examples(record: str, keys: dict[str, Any]) -> None:
    """Take the tolerance out of the examples of keys that have none."""
    counts = COUNTS.get(record, frozenset()) | DRILLED.get(record, frozenset())
    for tree in (tree for key, tree in keys.items() if key not in counts):
        for part in (tree, *tree.get("anyOf", ())):
            part |= {key: _plain(part[key]) for key in ("description", "examples") if key in part}


def _plain(shown: Any) -> Any:
    if isinstance(shown, list):
        return [_plain(one) for one in shown]
    return re.sub(r"(?<=[a-z]) \+- [0-9.]+ %", "", shown) if isinstance(shown, str) else shown
