# SPDX-License-Identifier: MIT
"""Channels of any kind for tests of laws: lines whose numbers are known, vias, capacitors, declared parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.constants import c, mil, pi

from pcbrules.analysis.channel.task import BlockSpec, ChannelTask, Element, LineSpec, LossSpec, PackageSpec, SeriesCap
from pcbrules.analysis.common.dielectrics import DielectricPoints
from pcbrules.analysis.lines.task import LineTask
from pcbrules.analysis.vias.task import ViaSpec
from pcbrules.networks.line import line

Real = NDArray[np.float64]
NEPER = 20 / np.log(10)

LAMINATE = DielectricPoints(((1e9, 3.31, 0.0015), (26e9, 3.31, 0.0025)))
PAIR = LineTask(
    width_foot=4.8 * mil,
    width_top=4.5 * mil,
    thickness=15.2e-6,
    gap=7.2 * mil,
    foot_up=False,
    below=(),
    above=(),
    cover=None,
    cover_over_trace=None,
    rz=(1.5e-6,) * 4,
    resistivity_trace=1.8e-8,
    resistivity_plane=1.7241e-8,
    temperature=20.0,
)


@dataclass(frozen=True)
class Slab:
    """A solved cross-section: impedance of a leg [ohm], smooth skin resistance at 10 GHz [ohm/m], what roughness adds
    to it [-], loss tangent [-]; the even mode has ``even`` times the impedance and is ``slower``."""

    z: float = 50.0
    skin: float = 25.0
    rough: float = 0.4
    df: float = 0.002
    dk: float = 3.28
    even: float = 1.2
    slower: float = 1.0
    u_loss: float = 0.05

    def rlgc(self, f: Real, mode: str = "odd") -> tuple[Real, Real, Real, Real]:
        """R, L, G, C per metre of one leg."""
        f = np.asarray(f, dtype=float)
        z = self.z * (self.even if mode == "even" else 1.0)
        slow = np.sqrt(self.dk) / c * (self.slower if mode == "even" else 1.0)
        skin = self.skin * (1 + self.rough) * np.sqrt(f / 10e9)
        capacitance = np.full_like(f, slow / z)
        inside = skin / (2 * pi * np.maximum(f, 1.0))
        return skin, z * slow + inside, 2 * pi * f * self.df * capacitance, capacitance

    def loss_parts(self, frequency: float) -> dict[str, float]:
        """Parts of the matched loss [dB/m], which add up to it exactly."""

        def attenuation(slab: Slab) -> float:
            r, inductance, g, capacitance = slab.rlgc(np.array([frequency]))
            omega = 2j * pi * frequency
            return float(NEPER * np.sqrt((r + omega * inductance) * (g + omega * capacitance)).real[0])

        total, copper = attenuation(self), attenuation(replace(self, df=0.0))
        smooth = copper / (1 + self.rough)
        return {"conductor": smooth, "roughness": copper - smooth, "dielectric": total - copper}


@dataclass(frozen=True)
class Sample:
    """A channel and the cross-sections of its lines by their widths."""

    task: ChannelTask
    slabs: tuple[Slab, ...]

    def solver(self, task: LineTask) -> Slab:
        """The cross-section whose number is in the width."""
        return self.slabs[round(task.width_foot / PAIR.width_foot) - 1]

    def with_slab(self, place: int, slab: Slab) -> Sample:
        """The same channel with another cross-section of one line."""
        slabs = list(self.slabs)
        spec = self.task.elements[place]
        assert isinstance(spec, LineSpec)
        slabs[round(spec.task.width_foot / PAIR.width_foot) - 1] = slab
        return replace(self, slabs=tuple(slabs))

    def with_element(self, place: int, element: Element) -> Sample:
        """The same channel with another element in one place."""
        elements = list(self.task.elements)
        elements[place] = element
        return replace(self, task=replace(self.task, elements=tuple(elements)))

    @property
    def lines(self) -> list[int]:
        """Places of the lines."""
        return [place for place, one in enumerate(self.task.elements) if isinstance(one, LineSpec)]


slabs = st.builds(
    Slab, z=st.floats(35, 65), skin=st.floats(5, 60), rough=st.floats(0, 2), df=st.floats(0.0005, 0.02),
    dk=st.floats(2.8, 4.3), even=st.floats(1.0, 1.6), slower=st.floats(0.95, 1.05),
)
vias = st.builds(
    ViaSpec, through_length=st.floats(0, 2.5e-3), port1_stub=st.just(0.0) | st.floats(1e-4, 2e-3),
    port2_stub=st.just(0.0) | st.floats(1e-4, 2e-3), drill_diameter=st.floats(0.2e-3, 0.3e-3),
    antipad_diameter=st.floats(0.7e-3, 0.9e-3), dk=st.floats(3.0, 4.2), df_points=st.just(LAMINATE),
)


def _table(z: float, length: float) -> BlockSpec:
    """A connector as the table of a line of some loss [ohm, m], to 85 GHz."""
    f = np.arange(0, 85.3e9, 400e6)
    made = line(f, series=2j * pi * f * z * 1.9 / c + 20 * (1 + 1j) * np.sqrt(f / 1e10),
                shunt=2j * pi * f * 1.9 / c / z * (1 - 0.004j), length=length, z_ref=100.0)
    return BlockSpec(f.tobytes(), np.ascontiguousarray(made.s).tobytes(), 100.0)


others = (
    st.sampled_from([_table(88.0, 8e-3), _table(104.0, 15e-3), _table(95.0, 30e-3)])
    | st.builds(SeriesCap, capacitance=st.floats(75e-9, 265e-9), inductance=st.floats(0, 0.3e-9),
                loss=st.floats(0, 0.5), frequency=st.just(16e9))
    | st.builds(LossSpec, loss=st.floats(0, 4), frequency=st.just(16e9))
    | st.builds(PackageSpec, impedance=st.floats(80, 105), delay=st.floats(10e-12, 200e-12), loss=st.floats(0, 5),
                frequency=st.just(16e9), die_capacitance=st.floats(0, 120e-15), ball_capacitance=st.floats(0, 90e-15),
                die_last=st.booleans())
)


@st.composite
def samples(draw: st.DrawFn, *, least: int = 0, calm: bool = False) -> Sample:
    """Any channel with at least ``least`` lines; a ``calm`` one has nothing that resonates in band."""
    nyquist = draw(st.sampled_from([4e9, 8e9, 16e9, 26.5625e9, 53.125e9]))
    kinds = draw(st.lists(st.sampled_from(["line", "line", "via", "other"]), min_size=1, max_size=6))
    kinds += ["line"] * max(0, least - kinds.count("line"))
    elements: list[Element] = []
    made: list[Slab] = []
    for kind in kinds:
        if kind == "line":
            made.append(draw(slabs))
            task = replace(PAIR, width_foot=PAIR.width_foot * len(made))
            elements.append(LineSpec(task, draw(st.floats(1e-3, 0.25))))
        elif kind == "via":
            one = draw(vias)
            shortest = 0.02 * c / nyquist
            small = {"through_length": min(one.through_length, shortest), "port1_stub": 0.0,
                     "port2_stub": min(one.port2_stub, shortest)}
            elements.append(replace(one, **small) if calm else one)
        else:
            elements.append(draw(others))
    return Sample(ChannelTask(tuple(elements), draw(st.sampled_from([85.0, 92.0, 100.0])), nyquist), tuple(made))
