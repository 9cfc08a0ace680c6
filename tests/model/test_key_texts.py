# SPDX-License-Identifier: MIT
"""Every key of the board file says what it means, in the schema and so in the reference."""

from __future__ import annotations

from pydantic import TypeAdapter

from pcbrules.model.board_schema import board_schema
from pcbrules.model.key_texts import EXAMPLES, TEXTS, record_name
from pcbrules.model.shapes import Record

SCHEMA = board_schema()
RECORDS = {record_name(name): tree for name, tree in {"BoardFile": SCHEMA, **SCHEMA["$defs"]}.items()}


def test_every_key_is_described() -> None:
    """If this fails: a text in pcbrules/model/key_texts/, or `Field(description=...)` beside the key."""
    keys = [(record, key, tree) for record, one in RECORDS.items() for key, tree in one.get("properties", {}).items()]
    # a key that takes a record is described by that record
    lacking = [(record, key) for record, key, tree in keys if not tree.get("description") and "$ref" not in str(tree)]
    assert not lacking
    forms = [(record, key) for record, key, tree in keys
             if "with its unit" in tree.get("description", "") and ": " not in tree["description"]]
    assert not forms


def test_every_text_has_its_key() -> None:
    assert not [(record, key) for record, texts in TEXTS.items() for key in texts
                if key not in RECORDS.get(record, {}).get("properties", {})]
    assert all(text and not text.endswith(".") for texts in TEXTS.values() for text in texts.values())


def records(kind: type[Record]) -> dict[str, type[Record]]:
    """The records of the board file, by name."""
    return {one.__name__: one for one in kind.__subclasses__()} | {
        name: inner for one in kind.__subclasses__() for name, inner in records(one).items()
    }


def test_examples_are_read_by_their_keys() -> None:
    for name, examples in EXAMPLES.items():
        record = records(Record)[name]
        for key, example in examples.items():
            (field,) = [f for n, f in record.model_fields.items() if key == (f.alias or n)]
            read = TypeAdapter(field.rebuild_annotation())
            assert read.validate_python(example), (name, key)
            assert RECORDS[name]["properties"][key]["examples"] == [example]


def test_a_required_quantity_keeps_its_form() -> None:
    width = RECORDS["Trace"]["properties"]["width"]
    assert width["description"] == "of the wider face: length with its unit, e.g. '4.5 mil +- 10 %'"
    assert width["examples"] == ["4.5 mil +- 10 %"]
    assert RECORDS["Trace"]["properties"]["gap"]["description"].startswith("between the two traces")
