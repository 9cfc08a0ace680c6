# SPDX-License-Identifier: MIT
"""Connectors from Touchstone files: from the board file to the loss of its link, and what does not lead there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.constants import c, pi

from pcbrules import api
from pcbrules.analysis.channel import facts as channel
from pcbrules.analysis.channel.element_chain import block_network
from pcbrules.analysis.channel.task import BlockSpec
from pcbrules.analysis.channel.touchstone_block import touchstone_block
from pcbrules.analysis.common.plan import Planned, here_and_now
from pcbrules.document import Document, read_yaml
from pcbrules.errors import InputError
from pcbrules.missing import Missing
from pcbrules.model.block import Block
from pcbrules.model.conditions import Conditions
from pcbrules.networks.line import line
from pcbrules.networks.pair import pair
from pcbrules.networks.touchstone import touchstone
from pcbrules.readers.touchstone import parse_touchstone
from pcbrules.results.facts.base import Gap
from pcbrules.results.facts.signal import BoardLoss
from pcbrules.studies import channels, channels_files

Complex = NDArray[np.complex128]
Real = NDArray[np.float64]

BASE = Path(__file__).parents[2] / "rules" / "base" / "signal.yaml"
CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
LINK, NYQUIST = "nvl", 26.5625e9
GRID = np.arange(0, 45.01e9, 50e6)


def straight(loss: float = 0.0, grid: Real = GRID) -> Complex:
    """A matched attenuator in each leg [dB], legs 1 to 3 and 2 to 4."""
    s = np.zeros((len(grid), 4, 4), dtype=complex)
    for near, far in ((0, 2), (1, 3)):
        s[:, near, far] = s[:, far, near] = 10 ** (-loss / 20)
    return s


def lines(grid: Real = GRID) -> Complex:
    """Two coupled lines of 10 mm, legs 1 to 3 and 2 to 4."""
    omega = 2j * pi * grid
    even, odd = (
        line(grid, series=omega * z * n / c + 3 + 3e-4 * np.sqrt(1j * grid), shunt=omega * (n / c / z) * (1 - 0.01j),
             length=0.01, z_ref=50.0)
        for z, n in ((56.0, 1.95), (44.0, 1.9)))
    return pair(even=even, odd=odd)


def board(folder: Path, s: Complex | None = None, connector: dict[str, Any] | None = None, *, grid: Real = GRID,
          name: str = "x.s4p", z_ref: float = 50.0, text: str | None = None) -> Document:
    """The base board with a connector in the middle of a path."""
    if s is not None or text is not None:
        written = touchstone(grid, s, z_ref=z_ref) if s is not None else text or ""
        (folder / name).write_text(written, encoding="utf-8")
    path = folder / "board.yaml"
    path.write_bytes(BASE.read_bytes())
    document = read_yaml(str(path))
    steps = list(document.get(("links", LINK, "path")))
    steps.insert(1, {"connector": {"name": "mezz", "touchstone": name} if connector is None else connector})
    return document.edited(("links", LINK, "path"), steps)


def loss_of(document: Document) -> BoardLoss | Gap:
    mine = (item for item in _facts(document) if item.subject == f"links.{LINK}")
    found = [item for item in mine if isinstance(item, BoardLoss | Gap)]
    (one,) = (item for item in found if isinstance(item, BoardLoss) or item.fact is BoardLoss)
    return one


def _facts(document: Document) -> Iterator[Any]:
    for item in channel.facts(api.resolve(document).board, CONDITIONS):
        if isinstance(item, Planned):
            yield from here_and_now(item.bind(item.solve(item.task)))
        else:
            yield item


def value(document: Document) -> float:
    found = loss_of(document)
    assert isinstance(found, BoardLoss), found
    return found.loss.value


def test_a_matched_block_costs_what_the_same_declared_loss_costs(tmp_path: Path) -> None:
    declared = value(board(tmp_path, connector={"name": "mezz", "loss": "1.2 dB", "at": "26.5625 GHz"}))
    document = board(tmp_path, straight(1.2))
    found = loss_of(document)
    assert isinstance(found, BoardLoss)
    assert found.loss.value == pytest.approx(declared, abs=1e-6)
    assert dict(found.ledger)["table"] == pytest.approx(1.2, abs=1e-6)
    assert any("legs from port 1 to 3, 2 to 4" in text for text in found.loss.assumptions)
    assert any("passivity 100 %, reciprocity 100 %, causality 100 %" in text for text in found.loss.assumptions)
    assert ("links", LINK, "path", 1, "connector", "touchstone") in found.loss.reads


def test_the_numbering_of_the_ports_does_not_matter(tmp_path: Path) -> None:
    wanted = value(board(tmp_path, lines()))
    for order in ([0, 2, 1, 3], [2, 3, 0, 1], [1, 0, 3, 2]):
        assert value(board(tmp_path, lines()[:, order][:, :, order])) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.long
def test_a_grid_without_zero_gives_the_same(tmp_path: Path) -> None:
    wanted = value(board(tmp_path, lines()))
    for grid in (np.arange(20e6, 45.01e9, 20e6), np.arange(50e6, 45.01e9, 50e6), np.linspace(70e6, 45e9, 777)):
        assert value(board(tmp_path, lines(grid), grid=grid)) == pytest.approx(wanted, abs=2e-3)


def test_a_reference_of_the_file_is_taken_into_account(tmp_path: Path) -> None:
    """The same connector, described with other reference impedances."""
    grid = GRID[1:]
    spec = BlockSpec(grid.tobytes(), np.ascontiguousarray(pair_of(grid, 50.0)).tobytes(), 100.0)
    other = BlockSpec(grid.tobytes(), np.ascontiguousarray(pair_of(grid, 42.5)).tobytes(), 85.0)
    key = grid.tobytes()
    one, two = (block_network(key, which, z_ref=92.0, f_max=45e9).s for which in (spec, other))
    assert np.abs(one - two).max() < 1e-9


def pair_of(grid: Real, z_ref: float) -> Complex:
    """Differential two-port of a lossy pair of 88 ohm, referred to twice an impedance."""
    omega = 2j * pi * grid
    return line(grid, series=omega * 88 * 1.9 / c + 6, shunt=omega * (1.9 / c / 88), length=0.012, z_ref=2 * z_ref).s


def test_a_connector_at_the_end_of_the_path_stays_out(tmp_path: Path) -> None:
    document = board(tmp_path, straight(3.0))
    plain = read_yaml(str(tmp_path / "board.yaml"))
    at_end = plain.edited(("links", LINK, "path", 0, "connector", "touchstone"), "x.s4p")
    assert value(at_end) == pytest.approx(value(plain), abs=1e-12) and value(document) > value(plain) + 2.9


@pytest.mark.parametrize(("s", "grid", "name", "says"), [
    (straight(0.5, GRID[:-200]), GRID[:-200], "x.s4p", "the data end at 35 GHz, and 39.84 GHz are needed"),
    (lines()[41:], GRID[41:], "x.s4p", "the data begin at 2.05 GHz, too high"),
    (1.06 * straight(0.1), GRID, "x.s4p", "passivity"),
    (straight(0.1)[:, ::2, ::2], GRID, "x.s2p", "a two-port of a pair is its differential mode or one leg"),
    (np.full((len(GRID), 4, 4), 0.3 + 0j), GRID, "x.s4p", "which port leads to which is open"),
    (0.01 * straight(), GRID, "x.s4p", "no straight connection"),
    (lines()[::80], GRID[::80], "x.s4p", "too coarse"),
    (lines().conj(), GRID, "x.s4p", "phase rises"),
])
def test_data_that_do_not_serve_leave_the_loss_unevaluated(
    tmp_path: Path, s: Complex, grid: Real, name: str, says: str
) -> None:
    found = loss_of(board(tmp_path, s, grid=grid, name=name))
    assert isinstance(found, Gap) and f"mezz: {name} does not serve: " in found.reason and says in found.reason
    assert found.key.startswith(f"links.{LINK}.path[1].connector.touchstone")


def test_one_way_connectors_and_mixed_references_do_not_serve() -> None:
    s = straight(0.1)
    s[:, 0, 2] *= 0.9
    s[:, 1, 3] *= 0.9
    found = touchstone_block(made(s), NYQUIST)
    assert isinstance(found, Missing) and "reciprocity" in found.reason
    found = touchstone_block(made(straight(), (50.0, 50.0, 50.0, 45.0)), NYQUIST)
    assert isinstance(found, Missing) and "different impedances" in found.reason


def made(s: Complex, z_ref: tuple[float, ...] = (50.0,) * 4) -> Block:
    return Block(GRID.tobytes(), np.ascontiguousarray(s).tobytes(), z_ref, "x.s4p", "")


def faults(document: Document) -> list[str]:
    with pytest.raises(InputError) as caught:
        api.resolve(document)
    return [problem.text() for problem in caught.value.problems]


@pytest.mark.parametrize("name", ["../x.s4p", "/etc/x.s4p", "C:\\x.s4p", "a/../../x.s4p", "..\\x.s4p"])
def test_a_file_outside_the_folder_of_the_board_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "x.s4p").write_text(touchstone(GRID, straight(), z_ref=50.0), encoding="utf-8")
    (fault,) = faults(board(tmp_path / "in", connector={"touchstone": name}))
    assert "connector.touchstone: a file named in a board stays below the board's folder" in fault


def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "x.s4p").write_text(touchstone(GRID, straight(), z_ref=50.0), encoding="utf-8")
    try:
        (tmp_path / "in" / "x.s4p").symlink_to(tmp_path / "x.s4p")
    except OSError:
        pytest.skip("no links here")
    (fault,) = faults(board(tmp_path / "in", connector={"touchstone": "x.s4p"}))
    assert "stays below the board's folder" in fault


def test_a_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(board(tmp_path, connector={"touchstone": "no.s4p"}))
    assert "no such file; found 'no.s4p'" in fault


def test_a_file_of_fifty_megabytes_is_not_even_read(tmp_path: Path) -> None:
    with (tmp_path / "x.s4p").open("wb") as stream:
        stream.truncate(50_000_000)
    both = faults(board(tmp_path, connector={"touchstone": "x.s4p"}))
    assert any("the file is too large: 50000000 bytes" in fault for fault in both)


def test_the_faults_of_the_file_follow_those_of_the_board(tmp_path: Path) -> None:
    document = board(tmp_path, text="# GHz S RI R 50\n1 0 x\n").edited(("links", LINK, "standard"), "nvlink99")
    first, second, third = faults(document)
    assert "board.yaml:" in first and "board.yaml:" in second and third.startswith(f"{tmp_path.as_posix()}/x.s4p:2:5: ")
    assert any("the Touchstone file cannot be used" in fault for fault in (first, second))


def test_a_loss_beside_the_file_is_told_to_be_left_out(tmp_path: Path) -> None:
    document = board(tmp_path, straight(1.0), {"touchstone": "x.s4p", "loss": "9 dB", "at": "26.5625 GHz"})
    (warning,) = api.resolve(document).warnings
    assert "the Touchstone file counts, and this loss is left out" in warning.text()
    assert value(document) == pytest.approx(value(board(tmp_path, straight(1.0))), abs=1e-12)


def test_the_report_lists_the_file_among_its_inputs(tmp_path: Path) -> None:
    loaded = api.resolve(board(tmp_path, straight(1.0)))
    report = api.check(loaded, "training", api.Options(select=("CHN001",)), fixes=False)
    (entry,) = (item for item in report.inputs if item.role == "touchstone")
    assert entry.file.endswith("x.s4p") and len(entry.sha256) == 64


# The same channel as a Touchstone file


def exported(document: Document) -> str:
    found = channels.channels(api.resolve(document).board, cold=20, hot=85, link=LINK)
    return channels_files.touchstone_text(found.channels[0], "board", 85.0, legs=False)


@pytest.mark.long
def test_the_channel_is_written_as_far_as_the_table_of_the_connector_goes(tmp_path: Path) -> None:
    last = 1.5 * NYQUIST  # 39.84375 GHz
    grid = np.append(np.arange(70e6, 39.8e9, 70e6), last)
    for table, end in ((grid, 39.84e9), (GRID, 45e9), (np.arange(0, 70e9, 50e6), 60e9)):
        found = parse_touchstone(exported(board(tmp_path, lines(table), grid=table)).encode(), "x.s2p")
        assert found.frequency[0] == 0 and found.frequency[-1] == pytest.approx(end, rel=1e-12)
        assert np.diff(found.frequency) == pytest.approx(10e6)


def test_a_table_that_shows_no_way_down_leaves_the_low_frequencies_out(tmp_path: Path) -> None:
    grid = np.append(80e6, np.arange(1e9, 40.1e9, 0.25e9))
    document = board(tmp_path, lines(grid), grid=grid)
    assert isinstance(loss_of(document), BoardLoss)  # the loss needs nothing below 83 MHz
    assert parse_touchstone(exported(document).encode(), "x.s2p").frequency[0] == pytest.approx(80e6)
