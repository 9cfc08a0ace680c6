# SPDX-License-Identifier: MIT
"""Touchstone files: what is written is read, by every rule of the format; numbers by hand."""

from __future__ import annotations

import io

import numpy as np
import pytest
import skrf
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pcbrules.networks.touchstone import touchstone
from pcbrules.readers.touchstone import Touchstone, parse_touchstone

Complex = NDArray[np.complex128]

ROW = " 0.1 0 0.21 0 0.12 0 0.2 0"
"""Parameters of a two-port: S11, S21, S12, S22."""

V2 = """[Version] 2.0
# GHz S RI R 50
[Number of Ports] 2
[Two-Port Data Order] {order}
[Number of Frequencies] 1
[Matrix Format] {shape}
[Network Data]
1 {data}
[End]
"""


def read(text: str, file: str = "x.s2p") -> Touchstone:
    return parse_touchstone(text.encode(), file)


def by_skrf(text: str, ports: int) -> skrf.Network:
    stream = io.StringIO(text)
    stream.name = f"x.s{ports}p"
    network = skrf.Network()
    network.read_touchstone(stream)
    return network


def made(count: int, ports: int, seed: int = 1) -> Complex:
    random = np.random.default_rng(seed)
    shape = (count, ports, ports)
    return random.uniform(-1, 1, shape) + 1j * random.uniform(-1, 1, shape)


def test_a_two_port_has_s21_before_s12() -> None:
    found = read(f"! a\n# GHz S RI R 50\n! b\n1{ROW} ! c\n2.5{ROW}\n")
    assert found.frequency.tolist() == [1e9, 2.5e9]
    assert found.s[0].tolist() == [[0.1, 0.12], [0.21, 0.2]]
    assert found.z_ref.tolist() == [50, 50] and found.lines.tolist() == [4, 5] and found.ports == 2
    assert found.comments == ("a", "b") and found.warnings == () and found.port_names == ()


@pytest.mark.parametrize("ports", [1, 2, 3, 4, 6])
@pytest.mark.parametrize("form", ["RI", "MA", "DB"])
def test_formats_and_wrapped_rows_as_scikit_rf_reads_them(ports: int, form: str) -> None:
    s = made(3, ports)
    lines = [f"# MHz S {form} R 75"]
    for f, matrix in zip((1, 2.5, 1e3), s.transpose(0, 2, 1) if ports == 2 else s, strict=True):
        rows = [matrix.ravel()] if ports < 3 else list(matrix)
        lead = f"{f}"
        for row in rows:
            for begin in range(0, len(row), 4):
                pairs = []
                for value in row[begin : begin + 4]:
                    size, angle = abs(value), np.angle(value, deg=True)
                    pairs.append({"RI": f"{value.real:.15g} {value.imag:.15g}", "MA": f"{size:.15g} {angle:.15g}",
                                  "DB": f"{20 * np.log10(size):.15g} {angle:.15g}"}[form])
                lines.append(f"{lead} {' '.join(pairs)}")
                lead = ""
    text = "\n".join(lines)
    found, other = read(text, f"x.S{ports}P"), by_skrf(text, ports)
    assert np.allclose(found.s, s, rtol=0, atol=1e-13) and np.allclose(found.s, other.s, rtol=0, atol=1e-13)
    assert np.array_equal(found.frequency, other.f) and (found.z_ref == 75).all() and (other.z0 == 75).all()


@pytest.mark.parametrize("ports", [2, 4])
def test_what_this_package_writes_it_reads(ports: int) -> None:
    frequency, s = np.array([0.0, 1e9, 5.3125e10]), made(3, ports)
    found = read(touchstone(frequency, s, z_ref=42.5, comments=("one",)), f"x.s{ports}p")
    assert np.array_equal(found.frequency, frequency) and np.allclose(found.s, s, rtol=1e-11, atol=1e-14)
    assert (found.z_ref == 42.5).all() and found.comments == ("one",)


@pytest.mark.parametrize(("line", "scale", "z_ref"), [
    ("#", 1e9, 50), ("# hz", 1, 50), ("# r 25 ri s KHZ", 1e3, 25), ("#MHz MA", 1e6, 50),
    ("  # GHz S MA R 1e2", 1e9, 100),
])
def test_the_option_line_has_defaults_any_order_and_any_case(line: str, scale: float, z_ref: float) -> None:
    found = read(f"{line}\n1 0.5 0\n", "x.s1p")
    assert found.frequency[0] == scale and found.z_ref[0] == z_ref and abs(found.s[0, 0, 0] - 0.5) < 1e-15


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(end: str, mark: str) -> None:
    found = read(mark + end.join(["! x", "# GHz S RI R 50", "", f"1{ROW}", f"\t2\t{ROW}"]))
    assert found.lines.tolist() == [4, 5]


def test_a_comment_that_is_not_utf_8_is_a_warning_only() -> None:
    found = parse_touchstone(f"! 25 °C\n# GHz S RI R 50\n1{ROW}\n".encode("latin-1"), "x.s2p")
    assert found.comments == ("25 °C",)
    assert found.warnings[0].text().startswith("x.s2p:1:6: warning: the file is not UTF-8 and is read as Latin-1")


def test_a_second_option_line_that_says_the_same_is_nothing() -> None:
    assert len(read(f"# GHz S RI R 50\n#  ri s R 50.0 ghz\n1{ROW}\n").frequency) == 1


def test_noise_data_after_a_two_port_are_left_out() -> None:
    found = read(f"# GHz S RI R 50\n1{ROW}\n2{ROW}\n1 2.5 0.5 45 0.2\n1.5 2.5 0.5 45 0.2\n")
    assert found.frequency.tolist() == [1e9, 2e9]


def test_one_reference_for_every_port_on_the_option_line() -> None:
    assert read(f"# GHz S RI R 50 75\n1{ROW}\n").z_ref.tolist() == [50, 75]


@pytest.mark.parametrize(("order", "shape", "data", "s21", "s12"), [
    ("21_12", "Full", "0.1 0 0.21 0 0.12 0 0.2 0", 0.21, 0.12),
    ("12_21", "Full", "0.1 0 0.12 0 0.21 0 0.2 0", 0.21, 0.12),
    ("21_12", "Lower", "0.1 0 0.21 0 0.2 0", 0.21, 0.21),
    ("12_21", "Lower", "0.1 0\n 0.21 0 0.2 0", 0.21, 0.21),
    ("21_12", "Upper", "0.1 0 0.12 0 0.2 0", 0.12, 0.12),
    ("12_21", "upper", "0.1 0 0.12 0\n 0.2 0", 0.12, 0.12),
])
def test_order_and_half_matrices_of_version_2(order: str, shape: str, data: str, s21: float, s12: float) -> None:
    found = read(V2.format(order=order, shape=shape, data=data), "x.ts")
    assert found.s[0].tolist() == [[0.1, s12], [s21, 0.2]] and found.warnings == ()


@pytest.mark.parametrize("shape", ["lower", "upper"])
def test_half_matrices_of_four_ports(shape: str) -> None:
    half = made(2, 4)
    s = half + half.transpose(0, 2, 1)
    rows, columns = np.tril_indices(4) if shape == "lower" else np.triu_indices(4)
    lines = [f"{f} " + " ".join(f"{v.real:.15g} {v.imag:.15g}" for v in matrix[rows, columns])
             for f, matrix in enumerate(s)]
    text = "\n".join(["[Version] 2.1", "# Hz S RI R 50", "[Number of Ports] 4", "[Reference] 50 75", "40",
                      "42.5 ! last", f"[Matrix Format] {shape}", "[Number of Frequencies] 2",
                      "[Begin Information]", "# 1 2 [x", "[End Information]", "[Network Data]", *lines, "[End]",
                      "junk"])
    found = read(text, "x.s4p")
    assert np.allclose(found.s, s, rtol=0, atol=1e-14) and found.z_ref.tolist() == [50, 75, 40, 42.5]


def test_noise_data_of_version_2() -> None:
    text = V2.format(order="21_12", shape="Full", data=ROW)
    text = text.replace("[Matrix", "[Number of Noise Frequencies] 1\n[Matrix")
    assert len(read(text.replace("[End]", "[Noise Data]\n4 .7 .64 69 19\n[End]"), "x.ts").frequency) == 1
    (warning,) = read(text, "x.ts").warnings
    assert "count of noise frequencies" in warning.text()


def test_a_file_of_version_2_without_an_end_may_be_cut_off() -> None:
    (warning,) = read(V2.format(order="21_12", shape="Full", data=ROW).replace("[End]\n", ""), "x.ts").warnings
    assert "may have been cut off" in warning.text()


def test_impedances_of_version_1_are_normalised_and_those_of_version_2_are_not() -> None:
    # z = 0.5 at 75 ohm is 37.5 ohm; s = (0.5 - 1) / (0.5 + 1) = -1/3
    assert read("# MHz Z RI R 75\n1 0.5 0\n", "x.s1p").s[0, 0, 0] == pytest.approx(-1 / 3, abs=1e-15)
    assert read("# MHz Y RI R 75\n1 2 0\n", "x.s1p").s[0, 0, 0] == pytest.approx(-1 / 3, abs=1e-15)
    two = ("[Version] 2.0\n# MHz {} RI\n[Number of Ports] 1\n[Number of Frequencies] 1\n[Reference] 75\n"
           "[Network Data]\n{}\n[End]")
    assert read(two.format("Z", "1 37.5 0"), "x.ts").s[0, 0, 0] == pytest.approx(-1 / 3, abs=1e-15)
    assert read(two.format("Y", f"1 {1 / 37.5!r} 0"), "x.ts").s[0, 0, 0] == pytest.approx(-1 / 3, abs=1e-15)


def test_an_open_and_a_short_convert() -> None:
    assert read("# MHz Y RI R 50\n1 0 0\n", "x.s1p").s[0, 0, 0] == 1
    assert read("# MHz Z RI R 50\n1 0 0\n", "x.s1p").s[0, 0, 0] == -1


def test_names_of_ports_come_from_comments() -> None:
    assert read(f"! Port[1] = TX_P\n! port 2 : RX P\n# GHz S RI R 50\n1{ROW}\n").port_names == ("TX_P", "RX P")
    assert read(f"! Port2::DQ\n# GHz S RI R 50\n1{ROW}\n").port_names == ("", "DQ")


def test_a_port_impedance_in_a_comment_that_agrees_is_no_fault() -> None:
    found = read(f"# GHz S RI R 50\n1{ROW}\n! Gamma ! 1 2 3 4\n! Port Impedance50 0 50.01 0\n"
                 f"2{ROW}\n! Port Impedance 50\n! 0 50 0\n")
    assert len(found.frequency) == 2


def test_what_was_read_cannot_be_changed_afterwards() -> None:
    found = parse_touchstone(f"# GHz S RI R 50\n1{ROW}\n".encode(), "a b.s2p")
    assert found.file == "a b.s2p" and len(found.sha256) == 64
    for array in (found.frequency, found.s, found.z_ref, found.lines):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@given(s=st.lists(st.floats(-2, 2), min_size=16, max_size=16), f=st.floats(0, 1e3), ports=st.sampled_from([1, 2]))
def test_every_finite_number_is_read_to_the_last_digit(s: list[float], f: float, ports: int) -> None:
    pairs = " ".join(repr(v) for v in s[: 2 * ports * ports])
    found = read(f"# GHz S RI R 50\n{f!r} {pairs}\n", f"x.s{ports}p")
    flat = found.s[0].T.ravel()
    assert [part for v in flat.tolist() for part in (v.real, v.imag)] == s[: 2 * ports * ports]
    assert found.frequency[0] == f * 1e9
