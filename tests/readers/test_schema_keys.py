# SPDX-License-Identifier: MIT
"""An unknown key is told where what it says is written; nothing it says is ever to be removed."""

from __future__ import annotations

import re

import pytest

from pcbrules import api
from pcbrules.document import parse_yaml
from pcbrules.errors import PROBLEM_LIMIT, InputError
from pcbrules.model.board_schema import board_schema
from pcbrules.readers import schema_keys
from pcbrules.readers.key_synonyms import ADVICE, SYNONYMS, VALUES
from pcbrules.readers.schema_keys import meaning, pattern, schema_paths

PATHS = set(schema_paths())
TRACE = ("links", "up", "path", 0, "trace")
ROW = ("stackup", 3)
TRACE_KEYS = ("layer", "width", "gap", "length", "top_width", "note", "neighbours", "reference_gaps")
ROW_KEYS = ("kind", "thickness", "material", "dk", "glass", "note", "name")


@pytest.mark.parametrize("place", SYNONYMS)
def test_every_target_is_in_the_schema_at_its_place(place: str) -> None:
    for target, words in SYNONYMS[place].items():
        assert f"{place}.{target}".lstrip(".") in PATHS, (place, target)
        for word in words.split():
            assert f"{place}.{word}".lstrip(".") not in PATHS, f"{word} is a key at {place}"


def test_every_path_of_an_advice_is_in_the_schema() -> None:
    for one in ADVICE:
        assert f"{one.place}.x".rpartition(".")[0] == one.place
        assert any(path.startswith(f"{one.place}.") for path in PATHS)
        for path in re.findall(r"`([^`]*\.[^`]*)`", one.text):
            assert path in PATHS, path


def test_every_word_for_a_value_stands_for_an_accepted_one() -> None:
    text = str(board_schema())
    assert all(f"'{word}'" in text for word in VALUES)


@pytest.mark.parametrize(
    ("path", "known", "value", "fix"),
    [
        ((*ROW, "er"), ROW_KEYS, 3.4, "write 'dk'"),
        ((*ROW, "epsilon_r"), ROW_KEYS, 3.4, "write 'dk'"),
        ((*ROW, "Dielectric-Constant"), ROW_KEYS, 3.4, "write 'dk'"),
        ((*ROW, "\u03b5r"), ROW_KEYS, 3.4, "write 'dk'"),
        ((*ROW, "thicknes"), ROW_KEYS, "1 mm", "write 'thickness'"),
        ((*ROW, "thickness_mil"), ROW_KEYS, 4.5, "write 'thickness: 4.5 mil'"),
        ((*ROW, "h_um"), ROW_KEYS, 114, "write 'thickness', with the unit in the value: '114 um'"),
        ((*ROW, "comment"), ROW_KEYS, "x", "write 'note'"),
        ((*ROW, "df"), ROW_KEYS, 0.02, "`materials.laminates.*.df`"),
        ((*ROW, "tan_delta"), ROW_KEYS, 0.02, "`materials.laminates.*.df`"),
        ((*ROW, "tg"), ROW_KEYS, "150 degC", "`materials.laminates.*.thermal.tg`"),
        ((*ROW, "impedance"), ROW_KEYS, "50 ohm", "`links.*.impedance`"),
        ((*TRACE, "coplanar_gap"), TRACE_KEYS, "5 mil", "coplanar.gap"),
        ((*TRACE, "spacing"), TRACE_KEYS, "5 mil", "write 'gap'"),
        ((*TRACE, "reference_plane"), TRACE_KEYS, "L2", "`stackup[].role`"),
        ((*TRACE, "drill"), TRACE_KEYS, "0.2 mm", "`via_types.*.drill`"),
        ((*TRACE, "zzz"), TRACE_KEYS, 1, "write one of the expected keys, or keep it as text in `note`"),
        (("links", "up", "width"), ("standard", "path"), "5 mil", "`links.*.path[].trace.width`"),
        (("links", "up", "z0"), ("standard", "path", "impedance"), "85 ohm", "write 'impedance'"),
        (("via_types", "a", "antipad_diameter"), ("drill", "antipad"), "0.9 mm", "write 'antipad: {width: ...}'"),
        (("via_types", "a", "drill_mm"), ("drill", "antipad"), 0.25, "write 'drill: 0.25 mm'"),
        (("rails", "a", "imax"), ("voltage", "current"), "9 A", "write 'current: {peak: ...}'"),
        (("materials", "laminates", "a", "loss_tangent"), ("dk", "df", "at"), 0.02, "write 'df'"),
        (("links", "up", "path", 0, "-trace"), ("trace", "via"), {}, "begin it with a plain '-' and a blank"),
        (("\u00a0\u00a0platform",), ("board", "links"), "ubb", "a no-break space (U+00A0) stands before it"),
        (("links", "up", "lanes:4"), ("lanes", "path"), None, "write 'lanes: 4'"),
        (("layers",), ("board", "stackup"), [], "write 'stackup'"),
    ],
)
def test_a_key_is_told_where_its_quantity_is_written(
    path: tuple[str | int, ...], known: tuple[str, ...], value: object, fix: str
) -> None:
    found = meaning(path, known, value).fix
    assert fix in found
    assert "remove" not in found


@pytest.mark.parametrize("place", SYNONYMS)
def test_no_key_of_the_schema_is_to_be_removed_anywhere(place: str) -> None:
    """Any key of the schema, written at any place, is answered by a path of the schema or by a sentence on it."""
    at = tuple(0 if part == "[]" else "x" if part == "*" else part
               for part in place.replace("[]", ".[]").split(".") if part)
    assert pattern(at) == place
    known = [path.rpartition(".")[2] for path in PATHS if path.rpartition(".")[0] == place]
    for path in sorted(PATHS)[::7]:
        key = path.rpartition(".")[2]
        if key not in known:
            found = meaning((*at, key), known, 1).fix
            assert found.startswith(("write ", "the ", "it ", "what ", "ground ", "add ", "derating ")), found
            assert "remove" not in found


def test_a_missing_key_is_not_asked_for_beside_the_one_that_stands_for_it() -> None:
    text = "schema: 1\nboard: {name: a, platform: ubb, form_factor: ubb}\nstackup:\n- {kind: copper, id: L1, h: 1 um}\n"
    with pytest.raises(InputError) as caught:
        api.resolve(parse_yaml(text.encode(), "b.yaml"))
    texts = [problem.text() for problem in caught.value.problems]
    assert any("'id'" in one and "write 'name'" in one for one in texts)
    assert any("'h'" in one and "write 'thickness'" in one for one in texts)
    assert sum("this key is missing" in one for one in texts) == 1  # role


def test_many_unknown_keys_are_cut_before_they_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {"meaning": 0}
    real = schema_keys.meaning

    def counted(*args: object) -> object:
        calls["meaning"] += 1
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("pcbrules.readers.schema_errors.meaning", counted)
    keys = "".join(f"key{i}: {i}\n" for i in range(5_000))
    with pytest.raises(InputError) as caught:
        api.resolve(parse_yaml(f"schema: 1\n{keys}".encode(), "b.yaml"))
    assert calls["meaning"] <= 2 * PROBLEM_LIMIT
    assert "and 49" in caught.value.problems[-1].message
