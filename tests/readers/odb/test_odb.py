# SPDX-License-Identifier: MIT
"""ODB++ product models: a hand-written one with lengths worked out by hand, archives that hurt, real ones."""

from __future__ import annotations

import gzip
import json
import math
import tarfile
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from mutated_layouts import mutants, shown
from real_boards import facts, folder
from small_odb import MODEL, PIECES, compress, files, parse_text, tarred, zipped

from pcbrules.errors import InputError
from pcbrules.layout.drawn_pairs import drawn_pairs
from pcbrules.layout.layout import NetPair
from pcbrules.layout.parts import in_ring
from pcbrules.layout.rings import area
from pcbrules.readers.drawn.outlines import outline
from pcbrules.readers.layout_file import read_layout
from pcbrules.readers.odb import archive
from pcbrules.readers.odb.board import parse_odb
from pcbrules.readers.odb.symbols import symbol
from pcbrules.readers.odb.uncompress import uncompress

MM = 1e-3
MODELS = facts("odb")


def fault(data: bytes) -> str:
    """The first problem of an archive that is refused."""
    with pytest.raises(InputError) as caught:
        parse_odb(data, "x.zip")
    return caught.value.problems[0].text()


def test_a_small_model_has_its_layers_parts_nets_and_lengths() -> None:
    layout = parse_text(MODEL.encode(), "x.zip")
    assert [(one.name, one.kind, one.role, one.thickness, one.material, one.dk, one.df) for one in layout.layers] == [
        ("SMT", "mask", "", pytest.approx(0.02 * MM), "", 3.5, None),
        ("TOP", "copper", "signal", pytest.approx(0.04 * MM), "", None, None),
        ("DE1", "dielectric", "core", 1.0 * MM, "FR4", 4.2, 0.02),
        ("BOT", "copper", "power", pytest.approx(0.04 * MM), "", None, None)]
    assert (layout.format, layout.version, layout.thickness) == ("odb", "8.1", pytest.approx(1.1 * MM))
    assert layout.nets == ("CLK_N", "CLK_P", "GND") and layout.pairs == (NetPair("CLK_P", "CLK_N"),)
    assert [(one.reference, one.value, one.package, one.side, [(pad.pin, pad.net) for pad in one.pads])
            for one in layout.parts] == [("J1", "CONN", "SOCKET", "top", [("1", "CLK_P"), ("2", "CLK_N")]),
                                         ("U1", "", "PHY", "top", [("A1", "CLK_P"), ("A2", "CLK_N")])]
    # 10 mm on TOP, 1.04 mm from the centre of TOP to that of BOT, 10 mm on BOT, and up again in the pad
    pair, = drawn_pairs(layout)
    assert pair.p.length == pytest.approx((20 + 2 * 1.04) * MM)
    assert pair.n.length == pytest.approx(10 * math.pi * MM)
    assert layout.tracks[1].mid == pytest.approx((15 * MM, -5 * MM))
    via = layout.vias[0]
    assert (via.net, via.kind, via.drill, via.pad) == (
        "CLK_P", "through", pytest.approx(0.3 * MM), pytest.approx(0.6 * MM))
    bare, = layout.loose
    assert (bare.plated, bare.drill, bare.layers) == (False, pytest.approx((MM, MM)), ("BOT",))
    assert dict(layout.skipped) == {"P of symbol star": 1, "T on copper": 1, "negative features of copper": 1}
    assert layout.told == ()


def test_a_plane_keeps_its_void_and_a_pad_its_turn() -> None:
    layout = parse_text(MODEL.encode(), "x.zip")
    zone, = layout.zones
    ring = zone.fills[0].ring
    assert zone.net == "GND" and area(ring) == pytest.approx((600 - math.pi) * 1e-6, rel=1e-4)
    assert not in_ring((15 * MM, 10.5 * MM), ring) and in_ring((17 * MM, 10.5 * MM), ring)
    turned = layout.parts[1].pads[1].shape_on("TOP")  # 30 degrees clockwise
    x, y = 0.45 * math.cos(math.pi / 6), 0.45 * math.sin(math.pi / 6)
    assert turned.holds(((25 + x) * MM, (5 - y) * MM)) and not turned.holds(((25 + x) * MM, (5 + y) * MM))


def test_inches_symbols_in_mils_and_symbols_of_their_own() -> None:
    text = MODEL.replace("=== steps/pcb/layers/top/features\nUNITS=MM", "=== steps/pcb/layers/top/features\nUNITS=INCH")
    track = parse_text(text.encode(), "x").tracks[0]
    assert (track.start[0], track.width) == (pytest.approx(5 * 0.0254), pytest.approx(0.2 * 0.0254))
    assert parse_text(text.replace("$0 r200\n$1 rect1000x500", "$0 r200 M\n$1 rect1000x500").replace(
        "r200 M", "r200M").encode(), "x").tracks[0].width == pytest.approx(0.2 * MM)
    own = MODEL + "=== symbols/star/features\nUNITS=MM\nS P 0\nOB 0 0 I\nOS 1 0\nOS 0 1\nOE\nSE\n"
    made = parse_text(own.encode(), "x")
    assert "P of symbol star" not in dict(made.skipped)
    assert [area(one.shapes[0][1].rings[0]) for one in made.loose if one.shapes[0][1].rings] == [pytest.approx(0.5e-6)]


@pytest.mark.parametrize(("name", "square_um"), [
    ("r100", 2500 * math.pi), ("s100", 1e4), ("rect200x100", 2e4), ("rect200x100xr25", 2e4 - (4 - math.pi) * 625),
    ("oval200x100", 1e4 + 2500 * math.pi), ("di200x100", 1e4), ("rect200x100xc10", 2e4 - 200),
    ("oct100x100x20", 1e4 - 800),
    ("donut_r100x50", 1875 * math.pi), ("donut_s100x50", 7500), ("el200x100", 5000 * math.pi), ("tri200x100", 1e4),
])
def test_standard_symbols_have_their_copper(name: str, square_um: float) -> None:
    made = symbol(name, 1.0)  # micrometres as metres: chords of arcs lie exactly on them
    assert made is not None
    assert sum(abs(area(one)) for one in outline(made)) == pytest.approx(square_um, rel=3e-3)
    assert symbol(name + "?", 1.0) is None


@pytest.mark.long
def test_a_folder_and_archives_of_each_kind_are_the_same(tmp_path: Path) -> None:
    plain = shown(parse_text(MODEL.encode(), "x"))
    drawn = {f"{name}.gz": gzip.compress(one) for name, one in files().items() if "features" in name}
    packed = {name: one for name, one in files().items() if "features" not in name} | drawn
    for data in (zipped(files()), zipped(files(), ""), tarred(files()), tarred(files(), mode="w"), tarred(packed),
                 tarred({f"{name}.Z": compress(one) for name, one in files().items()}),
                 zipped({name.upper(): one for name, one in files().items()})):
        (tmp_path / "x").write_bytes(data)
        assert shown(read_layout(tmp_path / "x", "x")) == plain
    for name, content in files().items():
        place = tmp_path / "job" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    assert shown(read_layout(tmp_path / "job", "x")) == plain
    with pytest.raises(InputError, match="this folder is no ODB"):
        read_layout(tmp_path / "job" / "steps")


@pytest.mark.parametrize(("wrong", "right", "message"), [
    ("P 5 x 1 P 0 0", "P 5 10 1 P 0 0", "top/features:7:1: a coordinate is no number of a board; found '5 x'"),
    ("P 5 1e9 1 P 0 0", "P 5 10 1 P 0 0", "a coordinate is no number of a board"),
    ("P 5 10", "P 5 10 1 P 0 0", "a feature lacks words; found 'P 5 10'"),
    ("P 5 10 1 P 0 x", "P 5 10 1 P 0 0", "a pad has an unknown orientation; found 'x'"),
    ("P 5 10 1 P 0 8 x", "P 5 10 1 P 0 0", "a pad has no angle; found '8 x'"),
    ("OS 1 1\nP 5 10 1 P 0 0", "P 5 10 1 P 0 0", "a contour outside a surface; found 'OS 1 1'"),
    ("OC 14 10", "OC 14 10 15 10 N", "a curve lacks words"),
    ("FID C 7 0", "FID C 1 0", "eda/data:12:1: a net names a layer that the file does not list; found 'FID C 7 0'"),
    ("FID C 1 x", "FID C 1 0", "a reference is no number; found '1 x'"),
    ("CMP 0", "CMP 0 5 10 90 N J1 SOCKET ;0=1", "a component lacks words"),
    ("CMP 0 5 10 x N J1 SOCKET", "CMP 0 5 10 90 N J1 SOCKET ;0=1", "a component has no angle; found 'x'"),
    ("TYPE=DOCUMENT", "TYPE=SIGNAL", "the matrix has no copper layer"),
])
def test_a_fault_has_its_file_and_line(wrong: str, right: str, message: str) -> None:
    text = MODEL.replace(right, wrong)
    if "copper" in message:
        text = text.replace("POWER_GROUND", "DOCUMENT")
    with pytest.raises(InputError) as caught:
        parse_text(text.encode(), "x.zip")
    assert message in caught.value.problems[0].text()


@pytest.mark.parametrize("most", [9, 12, 16])
@pytest.mark.parametrize("clear", [0, 3001])
def test_what_compress_packed_comes_back(most: int, clear: int) -> None:
    """The packing of this test was read by gzip as well, but for codes of 9 bits, at which gzip stumbles."""
    random = Random(most + clear)
    data = b"".join(random.choice((b"OS 0.12 ", b"L 1 2 3\n", random.randbytes(1))) for _ in range(20_000))
    packed = compress(data, most, clear)
    assert len(packed) < len(data) and uncompress(packed, len(data)) == data
    assert uncompress(packed, 1000) is not None and len(uncompress(packed, 1000) or b"") < 70_000
    for broken in (packed[:2], b"xx" + packed, bytes([*packed[:2], 40]) + packed[3:], packed[:3] + b"\xff" * 9):
        assert uncompress(broken, len(data)) is None


def test_archives_made_to_hurt_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("../evil", "/etc/passwd", "a/../../b"):
        assert "a path leaves the archive" in fault(zipped({**files(), name: b"x"}, ""))
        assert "a path leaves the archive" in fault(tarred({**files(), name: b"x"}, ""))
    assert "this archive is no ODB++ product model; found no matrix/matrix" in fault(zipped({"a.txt": b"x"}))
    for data in (zipped(files())[:-40], tarred(files())[:200], b"PK\x03\x04", b"\x1f\x8b\x08\0"):
        assert "the archive cannot be read" in fault(data) or "no ODB++ product model" in fault(data)
    assert "a packed file is damaged" in fault(zipped({**files(), "steps/pcb/layers/x/features.Z": b"\x1f\x9d"}))
    monkeypatch.setattr(archive, "UNPACKED_LIMIT", 5000)
    bomb = b"0" * 100_000
    assert "unpacks to too much" in fault(zipped({**files(), "misc/info": bomb}))
    assert "unpacks to too much" in fault(tarred({**files(), "misc/info": bomb}))
    assert "unpacks to too much" in fault(zipped({**files(), "steps/pcb/layers/x/features.gz": gzip.compress(bomb)}))
    assert "unpacks to too much" in fault(tarred({"other/file": b"0" * 30_000}))
    monkeypatch.setattr(archive, "MEMBER_LIMIT", 5)
    assert "too many files" in fault(zipped(files())) and "too many files" in fault(tarred(files()))


@pytest.mark.long
def test_mutated_models_are_read_or_refused() -> None:
    read = 0
    for data in mutants(30, MODEL.encode(), PIECES):
        try:
            assert all(shown(parse_text(data, "x")))
            read += 1
        except InputError as error:
            assert error.problems and error.problems[0].text()
    assert 0 < read < 30


@pytest.mark.skipif(not MODELS, reason="the folder of real boards is not there")
@pytest.mark.parametrize("path", [
    pytest.param(path, marks=pytest.mark.long if int(one["members"]) > 50 else (), id=Path(path).stem)
    for path, one in MODELS.items()])
def test_a_real_model_has_what_an_independent_parse_found(path: str) -> None:
    expected, place = MODELS[path], Path(folder() or "", path)
    layout = read_layout(place)
    assert [one.name for one in layout.copper] == json.loads(expected["copper_names"])
    assert len(layout.copper) == int(expected["copper"]) and layout.thickness_sum is not None
    types = json.loads(expected["layer_types"])
    assert sum(one.kind == "dielectric" for one in layout.layers) == types["DIELECTRIC"]
    counted: Counter[str] = Counter()
    with tarfile.open(place) as opened:
        names = {one.lower() for one in opened.getnames()}
        matrix = next(one for one in names if one.endswith("matrix/matrix"))
        for one in opened:
            stream = opened.extractfile(one) if one.isreg() else None
            lines = stream.read().decode("latin-1").splitlines() if stream else []
            layer = one.name.lower().rpartition("/")[0].rpartition("/")[2]
            if one.name.endswith("eda/data"):
                nets = {line.split(";")[0].split()[1] for line in lines if line.startswith("NET ")}
            elif one.name.endswith("components"):
                counted["parts"] += sum(line.startswith("CMP ") for line in lines)
            elif one.name.endswith("features") and layer in {copper.name.lower() for copper in layout.copper}:
                counted["tracks"] += sum(line.startswith(("L ", "A ")) for line in lines)
                counted["islands"] += sum(line.startswith("OB ") and line.split()[3] == "I" for line in lines)
            elif one.name.endswith("features") and ("drill" in layer or "hole" in layer):
                counted["holes"] += sum(line.startswith(("P ", "L ")) for line in lines)
    assert matrix and len(nets) == int(expected["eda_nets"])
    assert set(layout.nets) == nets - {"$NONE$"}
    assert len(layout.parts) == counted["parts"] and len(layout.tracks) == counted["tracks"]
    assert sum(len(one.fills) for one in layout.zones) == counted["islands"]
    pads = [*(pad for part in layout.parts for pad in part.pads), *layout.loose]
    assert len(layout.vias) + sum(bool(one.drill) for one in pads) == counted["holes"]
    assert layout.skipped == ()
