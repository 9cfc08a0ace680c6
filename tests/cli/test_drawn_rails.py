# SPDX-License-Identifier: MIT
"""Rails of a layout, from the file to the finding: small drawings with known answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from cli_bench import Bench
from drawn_board import PLANE, drawn_board, footprint, segment
from real_boards import folder
from scipy.constants import mu_0

from pcbrules import api
from pcbrules.analysis.common.interval import fixed
from pcbrules.analysis.ir_drop.drawn_ladder import drawn_ladder
from pcbrules.analysis.ir_drop.drawn_spreading import DrawnSpreading, drawn_spreading
from pcbrules.analysis.ir_drop.solve import solve_flow
from pcbrules.analysis.ir_drop.undeclared import side_tasks
from pcbrules.analysis.power.capacitor_bank import BankNumbers
from pcbrules.analysis.power.drawn_lead import with_lead
from pcbrules.missing import Missing
from pcbrules.model.conditions import Conditions
from pcbrules.model.rail import Rail
from pcbrules.physics.lines.microstrip_thin import thin_microstrip
from pcbrules.physics.power.sheet import Disc, solve_sheet
from pcbrules.physics.power.sheet_panels import Side
from pcbrules.results.finding import Finding

SQUARE = 1.7241e-8 * (1 + 0.00393 * 50) / 35e-6
"""Of 35 um at 70 degC, the temperature of planes of the profile `edge`. [ohm]"""

CONDITIONS = Conditions(cold=20, hot=85, plane_temperature=70, slew=1e9, duty=1, load_step=0.5)
OPTIONS = api.Options(select=("PDN006",))

OVERLAY = """\
schema: 1
layout: design.kicad_pcb
board: {platform: edge-carrier, form_factor: som-carrier}
stackup:
  FR4: {material: it-180a}
  '*.Cu': {foil: std-ed}
links: {}
rails:
  main: {net: +5V, source: L1, loads: [U2], role: io, load: other, voltage: 5 V, current: {sustained: 2 A, peak: 2 A}}
"""


def checked(bench: Bench, drawing: str, overlay: str = OVERLAY) -> dict[str, Finding]:
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=drawing))
    bench.put("design.overlay.yaml", overlay)
    return {one.subject: one for one in api.check(api.load("design.kicad_pcb"), "edge", OPTIONS).findings}


def test_a_thin_trace_aslant_has_its_resistance(bench: Bench) -> None:
    """A trace of 0.12 mm, 40 mm to the right and 15 mm down: 42.7 mm less 0.5 mm at each pad, over 0.12 mm."""
    found = checked(bench, footprint("L1", 110, 90, (0, 0, '8 "+5V"'), size=0.6)
                    + footprint("U2", 150, 105, (0, 0, '8 "+5V"'), size=0.6) + segment(110, 90, 150, 105, 0.12))
    drop, neck = found["rails.main.copper.drop"].measured, found["rails.main.copper.neck"].measured
    assert drop is not None and drop.undeclared is not None and neck is not None
    squares = (math.hypot(40, 15) - 0.6) / 0.12
    assert drop.undeclared.lo * 5 == pytest.approx(2 * squares * SQUARE, rel=0.01)
    assert "0.12 mm wide" in found["rails.main.copper.neck"].message
    where = found["rails.main.copper.neck"].where
    assert (where.item, where.layer, where.parts) == ("copper of +5V", "F.Cu", ("L1",))


POWER, GROUND = '8 "+5V"', '1 "GND"'


def both(name: str, x: float, y: float) -> str:
    """A part with a pad of the supply, and one of ground 3 mm below."""
    return footprint(name, x, y, (0, 0, POWER), (0, 3, GROUND), size=0.6)


def hole(x: float, y: float, net: str = GROUND) -> str:
    return f'  (via (at {x} {y}) (size 0.6) (drill 0.3) (layers "F.Cu" "B.Cu") (net {net.split()[0]}))\n'


def test_a_drawn_return_adds_its_resistance(bench: Bench) -> None:
    """40 mm of 2 mm there, 40 mm of 0.3 mm back: less 0.6 mm of pads."""
    found = checked(bench, both("L1", 110, 90) + both("U2", 150, 90) + segment(110, 90, 150, 90, 2.0)
                    + segment(110, 93, 150, 93, 0.3, GROUND))
    drop = found["rails.main.copper.drop"]
    assert drop.measured is not None and drop.measured.undeclared is None
    there = 40 / 2.0 + 2 * 0.2  # the current spreads from a pad of 0.6 mm, some 0.4 squares less the pad at each end
    assert drop.measured.value * 5 == pytest.approx(2 * (39.4 / 0.3 + there) * SQUARE, rel=0.01)
    assert "over the supply and return planes" in drop.message


def test_a_return_plane_has_the_resistance_between_its_vias(bench: Bench) -> None:
    """Vias of 0.3 mm, 40 mm apart in a plane of 80 mm by 80 mm of 17.5 um, against boundary integrals."""
    drawing = (both("L1", 110, 90) + both("U2", 150, 90) + segment(110, 90, 150, 90, 2.0)
               + hole(110, 93) + hole(150, 93))
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=drawing))
    bench.put("design.overlay.yaml", OVERLAY)
    loaded = api.load("design.kicad_pcb")
    rail, stack = (loaded.board.rails or {})["main"], loaded.board.stack
    assert rail.copper is not None and rail.copper.return_side is not None and stack is not None
    assert [sheet.layer for sheet in rail.copper.return_side.sheets] == ["F.Cu", "In1.Cu"]
    (task,) = side_tasks((rail.copper.return_side,), rail.copper, stack, CONDITIONS)
    flow = solve_flow(task)
    corners = [0j, 80 + 0j, 80 + 80j, 80j]
    outline = [Side(a / 1e3, b / 1e3) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    discs = [Disc(complex(x, 43) / 1e3, 0.3e-3, at) for at, x in enumerate((10, 50))]
    squares = 1 / float(solve_sheet(loops=[outline], discs=discs, contacts=2).conductance[0, 0])
    assert flow.loss - flow.barrels == pytest.approx(squares * 2 * SQUARE, rel=0.02)


@pytest.mark.parametrize(("drawing", "said"), [
    (footprint("L1", 110, 90, (0, 0, POWER)) + both("U2", 150, 90), "L1 has no pad on ground"),
    (both("L1", 110, 90) + footprint("U2", 150, 90, (0, 0, POWER)), "no net of ground on both ends"),
    (both("L1", 110, 90) + both("U2", 150, 90), "no copper joins its source to a load"),
])
def test_a_return_that_is_not_known_stays_open_and_says_why(bench: Bench, drawing: str, said: str) -> None:
    found = checked(bench, drawing + segment(110, 90, 150, 90, 2.0))
    drop = found["rails.main.copper.drop"].measured
    assert drop is not None and drop.undeclared is not None and drop.undeclared.key == "rails.main.copper.return"
    told = [one.message for one in api.load("design.kicad_pcb").warnings if "return of +5V is left open" in one.message]
    assert len(told) == 1 and said in told[0]


def test_a_fill_that_contradicts_what_stands_in_it_leaves_the_copper_open(bench: Bench) -> None:
    """A via of the supply in the stored fill of ground, without an antipad."""
    drawing = (both("L1", 110, 90) + both("U2", 150, 90) + segment(110, 90, 150, 90, 2.0)
               + segment(110, 93, 150, 93, 1, GROUND))
    drop = checked(bench, drawing + hole(130, 90, POWER))["rails.main.copper.drop"].measured
    assert drop is not None and drop.undeclared is not None and drop.undeclared.key == "rails.main.copper.return"
    assert any("its stored fill on In1.Cu contradicts what stands in it" in one.message
               for one in api.load("design.kicad_pcb").warnings)


def test_the_return_of_an_inductor_ends_at_the_regulator_that_feeds_it(bench: Bench) -> None:
    coil = footprint("L1", 110, 90, (0, 0, POWER), (-3, 0, '9 "SW"'))
    chip = footprint("U9", 104, 90, (0, 0, '9 "SW"'), (0, 3, GROUND))
    drawing = coil + chip + both("U2", 150, 90) + segment(110, 90, 150, 90, 2.0) + segment(104, 93, 150, 93, 1, GROUND)
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V", "SW"), more=drawing))
    bench.put("design.overlay.yaml", OVERLAY)
    rail = (api.load("design.kicad_pcb").board.rails or {})["main"]
    assert rail.copper is not None and rail.copper.return_side is not None
    (source,) = rail.copper.return_side.sources
    assert source.place == pytest.approx((0.104, 0.093))
    bench.put("design.overlay.yaml", OVERLAY.replace("source: L1,", "source: L1, return_net: GND, return_source: U2,"))
    assert (api.load("design.kicad_pcb").board.rails or {})["main"].copper.return_side is None  # the load itself


def test_the_return_of_a_bead_ends_at_the_regulator_of_the_net_behind_it(bench: Bench) -> None:
    """U2 draws from the bead and from the net before it: it is a load, no regulator."""
    coil = footprint("L1", 110, 90, (0, 0, '9 "+5VA"'), (-3, 0, '10 "SW"'))
    chip = footprint("U9", 104, 90, (0, 0, '10 "SW"'), (0, 3, GROUND))
    load = footprint("U2", 150, 90, (0, 0, POWER), (0, 3, GROUND), (3, 0, '9 "+5VA"'), size=0.6)
    drawing = (coil + chip + footprint("FB1", 120, 90, (0, 0, POWER), (-3, 0, '9 "+5VA"')) + load
               + segment(120, 90, 150, 90, 2.0) + segment(104, 93, 150, 93, 1, GROUND))
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V", "+5VA", "SW"), more=drawing))
    bench.put("design.overlay.yaml", OVERLAY.replace("source: L1", "source: FB1"))
    rail = (api.load("design.kicad_pcb").board.rails or {})["main"]
    assert rail.copper is not None and rail.copper.return_side is not None
    (source,) = rail.copper.return_side.sources
    assert source.place == pytest.approx((0.104, 0.093))


def test_a_rail_that_is_sensed_counts_its_return_from_the_ground_of_the_source(bench: Bench) -> None:
    """Sensed at the load the supply drops nothing, and the return all of its 131 squares."""
    drawing = (both("L1", 110, 90) + both("U2", 150, 90) + segment(110, 90, 150, 90, 2.0)
               + segment(110, 93, 150, 93, 0.3, GROUND))
    drop = checked(bench, drawing, OVERLAY.replace("loads: [U2],", "loads: [U2], sense: U2,"))["rails.main.copper.drop"]
    assert drop.measured is not None and "from the sense point" in drop.message
    assert drop.measured.value * 5 == pytest.approx(2 * 39.4 / 0.3 * SQUARE, rel=0.01)


def test_each_load_returns_what_it_draws(bench: Bench) -> None:
    """U2 has one pad of the supply and two of ground, U3 one and one: half of the current each."""
    two = footprint("U2", 150, 90, (0, 0, POWER), (0, 3, GROUND), (2, 3, GROUND), size=0.6)
    drawing = (both("L1", 110, 90) + two + both("U3", 130, 90) + segment(110, 90, 150, 90, 2.0)
               + segment(110, 93, 152, 93, 1, GROUND))
    found = checked(bench, drawing, OVERLAY.replace("[U2]", "[U2, U3]"))
    assert "rails.main.copper.drop" in found
    rail = (api.load("design.kicad_pcb").board.rails or {})["main"]
    assert rail.copper is not None and rail.copper.return_side is not None
    assert [one.share.value for one in rail.copper.return_side.balls if one.share] == pytest.approx([0.25, 0.25, 0.5])


def capacitor(name: str, x: float, y: float = 90) -> str:
    """A 0402 on the supply, its pad of ground with a via to the plane."""
    made = footprint(name, x, y, (0, 0, POWER), (0, 1, GROUND), size=0.5, value="100nF")
    return made.replace("lib:f", "Capacitor_SMD:C_0402_1005Metric") + hole(x, y + 1)


def spread(bench: Bench, width: float, more: str = "") -> tuple[Rail, DrawnSpreading]:
    """A trace of 40 mm over a whole plane 0.11 mm below it."""
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=both("L1", 110, 90) + both("U2", 150, 90) + more
                                              + segment(110, 90, 150, 90, width) + hole(110, 93) + hole(150, 93)))
    bench.put("design.overlay.yaml", OVERLAY)
    board = api.load("design.kicad_pcb").board
    rail = (board.rails or {})["main"]
    found = drawn_spreading(rail, board.stack, CONDITIONS)
    assert found is not None
    return rail, found


@pytest.mark.parametrize("width", [0.15, 0.5])
def test_the_inductance_of_a_trace_is_that_of_a_line_of_its_width(bench: Bench, width: float) -> None:
    """mu0 over the capacitance of a strip in air, 39.4 mm between the pads of 0.6 mm and some spreading at them."""
    _, found = spread(bench, width)
    line = mu_0 / float(thin_microstrip(width=width / 0.11, dk=1.0))
    assert found.inductance == pytest.approx(39.4e-3 * line, rel=0.03)


def test_a_wide_plane_has_the_inductance_of_plates(bench: Bench) -> None:
    """10 mm wide, 40 mm long: mu0 h a square, less some fringe at its edges and none of plates near its pads."""
    rail, found = spread(bench, 10.0)
    stack = api.load("design.kicad_pcb").board.stack
    assert rail.copper is not None and stack is not None
    plates = mu_0 * 0.11e-3 * solve_flow(side_tasks((rail.copper,), rail.copper, stack, CONDITIONS)[0]).loss / SQUARE
    assert 0.85 * plates < found.inductance < plates


def test_a_capacitor_stands_where_its_pad_is_on_the_way(bench: Bench) -> None:
    """At 10 and 30 of 40 mm: a quarter, a half and a quarter of the inductance, and of the resistance."""
    rail, found = spread(bench, 0.6, capacitor("C1", 120) + capacitor("C2", 140) + capacitor("C3", 130, 85))
    banks = [step.bank for step in rail.ladder or () if step.bank]
    assert [one.name for one in banks] == ["C1", "C2"], "C3 stands beside the copper"
    assert banks[0].part == "mlcc-100nf-0402" and banks[0].mounting is None, "its own pad has no via"
    stack = api.load("design.kicad_pcb").board.stack
    steps = drawn_ladder(rail, stack, CONDITIONS, "rails.main")
    assert not isinstance(steps, Missing)
    parts = [ell.value / found.inductance for _, ell in steps]
    assert parts == pytest.approx([0.25, 0, 0.5, 0, 0.25], abs=0.02) and sum(parts) == pytest.approx(1)
    assert sum(r.value for r, _ in steps) == pytest.approx(found.resistance.value)


def test_a_capacitor_on_a_trace_of_its_own_has_the_inductance_and_resistance_of_it(bench: Bench) -> None:
    """A trace of 0.2 mm leaves the main one at half of it, 5 mm to the middle of the pad: 4.45 mm between both.

    By hand: mu0 over the capacitance of a strip in air, 0.11 mm over the plane; 22 squares of 35 um at 70 degC.
    """
    at = 130, 95
    rail, _ = spread(bench, 0.6, capacitor("C3", *at) + segment(130, 90, *at, 0.2))
    (bank,) = (step.bank for step in rail.ladder or () if step.bank)
    assert bank.name == "C3" and bank.tap is not None and bank.lead is not None
    assert [one.value for one in bank.tap.at] == pytest.approx([0.130, 0.0902], abs=0.2e-3)
    (lead,) = bank.lead
    assert (lead.layer, lead.width.value) == ("F.Cu", pytest.approx(0.2e-3))
    assert lead.length.value == pytest.approx(4.45e-3, abs=1e-5)
    stack = api.load("design.kicad_pcb").board.stack
    bare = BankNumbers(fixed(1e-7), fixed(0.02), fixed(0.4e-9), ())
    made = with_lead(bare, bank, stack, CONDITIONS, "bank")
    assert isinstance(made, BankNumbers)
    line = lead.length.value * mu_0 / float(thin_microstrip(width=0.2 / 0.11, dk=1.0))
    assert made.inductance.value - 0.4e-9 == pytest.approx(line, rel=0.01) and 1.3e-9 < line < 2e-9
    assert made.inductance.hi - 0.4e-9 == pytest.approx(1.25 * line, rel=0.01)
    assert made.esr.value - 0.02 == pytest.approx(lead.length.value / 0.2e-3 * SQUARE, rel=0.01)


def test_vias_on_the_way_to_a_capacitor_have_the_inductance_of_pairs_with_vias_of_ground(bench: Bench) -> None:
    """Down at 3 mm, up again at 8 mm, vias of ground 1 and 1.2 mm beside: 1.525 mm of two wires each, by hand."""
    at = 130, 102
    rail, _ = spread(bench, 0.6, capacitor("C3", *at) + segment(130, 90, 130, 93, 0.2) + hole(130, 93, POWER)
                     + hole(131, 93) + segment(130, 93, 130, 98, 0.2, layer="B.Cu") + hole(130, 98, POWER)
                     + hole(131.2, 98) + segment(130, 98, *at, 0.2))
    (bank,) = (step.bank for step in rail.ladder or () if step.bank)
    assert bank.lead is not None and [one.layer for one in bank.lead] == ["F.Cu", "B.Cu", "F.Cu"]
    assert bank.lead_vias is not None
    assert [(one.layers, one.drill.value, one.pitch.value) for one in bank.lead_vias] == [
        (("F.Cu", "B.Cu"), pytest.approx(0.3e-3), pytest.approx(1e-3)),
        (("B.Cu", "F.Cu"), pytest.approx(0.3e-3), pytest.approx(1.2e-3))]
    stack = api.load("design.kicad_pcb").board.stack
    bare = BankNumbers(fixed(1e-7), fixed(0.02), fixed(0.4e-9), ())
    whole, traces = (with_lead(bare, one, stack, CONDITIONS, "bank") for one in (
        bank, bank.model_copy(update={"lead_vias": None})))
    assert isinstance(whole, BankNumbers) and isinstance(traces, BankNumbers)
    loop = sum(mu_0 * 1.525e-3 / math.pi * math.acosh(pitch / 0.3) for pitch in (1.0, 1.2))
    assert whole.inductance.value - traces.inductance.value == pytest.approx(loop, rel=1e-3)
    assert whole.inductance.lo - traces.inductance.lo == pytest.approx(loop / 2, rel=1e-3)
    tube = 1.7241e-8 * (1 + 0.00393 * 50) * 1.525e-3 / (math.pi * (0.15**2 - 0.13**2) * 1e-6)
    assert whole.esr.value - traces.esr.value == pytest.approx(2 * tube, rel=1e-2)


def test_the_via_of_a_pad_counts_to_the_mounting_alone(bench: Bench) -> None:
    """A via in the pad itself, and one 2 mm before it at the copper that carries current."""
    ways = segment(130, 90, 130, 95, 0.2, layer="B.Cu") + hole(130, 90, POWER) + hole(130, 95, POWER)
    rail, _ = spread(bench, 0.6, capacitor("C3", 130, 95) + ways + hole(131, 91))
    (bank,) = (step.bank for step in rail.ladder or () if step.bank)
    assert bank.lead_vias is not None
    assert [(one.layers, one.pitch.value) for one in bank.lead_vias] == [
        (("F.Cu", "B.Cu"), pytest.approx(math.sqrt(2) * 1e-3, rel=1e-5))]


@pytest.mark.parametrize("given", [
    '"dielectric 2": {thickness: 1 mm}\n  "dielectric 3": {thickness: 0.345 mm}',
    '"* 2": {thickness: 1000 um}\n  "*c 3": {thickness: 345 um}',
])
def test_what_is_measured_has_the_thicknesses_of_the_overlay(bench: Bench, given: str) -> None:
    """The via of a capacitor to a trace on the third layer is as long as in a drawing of these thicknesses."""
    parts = both("L1", 110, 90) + both("U2", 150, 90) + capacitor("C3", 130) + hole(110, 93) + hole(150, 93)
    thick = drawn_board(nets=("+5V",), more=parts + segment(110, 90, 150, 90, 0.6, layer="In2.Cu")
                        + "".join(hole(x, 90, POWER) for x in (110, 130, 150)))
    thin = "(thickness 1)".join(thick.split("(thickness 1.235)"))
    thin = "(thickness 0.345)".join(thin.rsplit("(thickness 0.11)", 1))
    lengths = []
    for board, more in ((thick, ""), (thin, ""), (thick, f"  {given}\n")):
        bench.put("design.kicad_pcb", board)
        bench.put("design.overlay.yaml", OVERLAY.replace("stackup:\n", f"stackup:\n{more}"))
        rail = (api.load("design.kicad_pcb").board.rails or {})["main"]
        (bank,) = (step.bank for step in rail.ladder or () if step.bank)
        assert bank.mounting is not None and bank.mounting.via_length is not None
        lengths.append(bank.mounting.via_length.value)
    assert lengths == pytest.approx([1.3888e-3, 1.1538e-3, 1.1538e-3], abs=1e-7)


def forked(bench: Bench, rails: str) -> api.Loaded:
    """From L1 20 mm of 0.5 mm to a fork, from there 20 mm to U2 and 10 mm to U3; C3 stands half way to U3."""
    drawing = (both("L1", 110, 90) + both("U2", 150, 90) + both("U3", 130, 100) + capacitor("C3", 130, 95)
               + segment(110, 90, 150, 90, 0.5) + segment(130, 90, 130, 100, 0.5)
               + hole(110, 93) + hole(150, 93) + hole(130, 103))
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=drawing))
    bench.put("design.overlay.yaml", OVERLAY[:OVERLAY.index("  main:")] + rails)
    return api.load("design.kicad_pcb")


RAIL = ("  {}: {{net: +5V, source: L1, loads: [{}], role: io, load: other, voltage: 5 V, tolerance: {{ac: 3 %}}, "
        "crossover: 50 kHz, vrm: {{resistance: 5 mohm}}, current: {{sustained: 2 A, peak: 2 A, step: 0.1 A}}}}\n")


def test_two_loads_behind_a_fork_have_no_line_of_planes_in_common(bench: Bench) -> None:
    """Half of the current each: 20 + 20 / 2 squares of trace to U2, 20 + 10 / 2 to U3, 83 % of it."""
    loaded = forked(bench, RAIL.format("main", "U2, U3"))
    found = [one for one in api.check(loaded, "edge", api.Options(select=("PDN001",))).findings
             if one.subject == "rails.main"]
    assert [one.status.value for one in found] == ["not-evaluated"]
    assert "U2 100%, U3 8" in found[0].message and "write a rail of the same net for each load" in found[0].message


def test_a_rail_for_each_load_of_a_fork_has_its_own_way(bench: Bench) -> None:
    """To U2 the capacitor joins at the fork, half of the way, over 5 mm of trace; to U3 it stands at 25 of 30 mm."""
    loaded = forked(bench, RAIL.format("far", "U2") + RAIL.format("near", "U3"))
    stack, line = loaded.board.stack, mu_0 / float(thin_microstrip(width=0.5 / 0.11, dk=1.0))
    for name, length, parts, lead in (("far", 39.4, [0.5, 0, 0.5], 4.5), ("near", 29.4, [25 / 30, 0, 5 / 30], 0.0)):
        rail = (loaded.board.rails or {})[name]
        steps = drawn_ladder(rail, stack, CONDITIONS, f"rails.{name}")
        assert not isinstance(steps, Missing)
        own = [ell.value for _, ell in steps]
        assert sum(own) == pytest.approx(length * 1e-3 * line, rel=0.04), name
        assert [one / sum(own) for one in own] == pytest.approx(parts, abs=0.025), name
        (bank,) = (step.bank for step in rail.ladder or () if step.bank)
        assert sum(one.length.value for one in bank.lead or ()) == pytest.approx(lead * 1e-3, abs=1e-5), name
    report = api.check(loaded, "edge", api.Options(select=("PDN001",)))
    found = [one for one in report.findings if "rails." in one.subject]
    assert {one.subject.removesuffix(".profile_step") for one in found} == {"rails.far", "rails.near"}
    assert all(one.measured is not None for one in found)
    assert any("C3" in text or "its traces from the copper" in text for text in found[0].measured.assumptions)


ELL = "(xy 110 90) (xy 150 90) (xy 150 100) (xy 130 100) (xy 130 110) (xy 110 110)"

LOOP = ("vrm: {resistance: 5 mohm}, crossover: 50 kHz, tolerance: {ac: 3 %}, "
        "current: {sustained: 2 A, peak: 2 A, step: 0.1 A}}")

WITH_LOOP = OVERLAY.replace("current: {sustained: 2 A, peak: 2 A}}", LOOP)


def on_plane(
    bench: Bench, shape: str, more: str = "", overlay: str = WITH_LOOP, more_vias: Sequence[tuple[float, float]] = ()
) -> api.Loaded:
    """A regulator, a load and C1, each with a via to a plane on In2.Cu, 0.6 mm from its edge, and one of ground beside.

    In1.Cu is ground all over, but for openings of 1 mm round the vias of the supply.
    """
    zone = (f'  (zone (net 8) (net_name "+5V") (layer "In2.Cu") (hatch edge 0.5) (polygon (pts {shape}))\n'
            f'    (filled_polygon (layer "In2.Cu") (pts {shape})))\n')
    pads = (0, 0, POWER), (0, -1, GROUND)
    drawing = footprint("L1", 112, 90.6, *pads, size=0.5) + footprint("U2", 148, 90.6, *pads, size=0.5)
    drawing += footprint("C1", 120, 90.6, *pads, size=0.5, value="100nF").replace("lib:f", "C_0402_1005Metric")
    drawing += zone + more + "".join(hole(x, 90.6, POWER) + hole(x, 89.6) for x in (112, 120, 148))
    text = drawn_board(nets=("+5V",), more=drawing)
    outline, fill = text.rindex(PLANE), opened((112, 90.6), (148, 90.6), (120, 90.6), *more_vias)
    bench.put("design.kicad_pcb", f"{text[:outline]}{fill}{text[outline + len(PLANE):]}")
    bench.put("design.overlay.yaml", overlay)
    return api.load("design.kicad_pcb")


def opened(*holes: tuple[float, float]) -> str:
    """The whole plane of ground with square openings of 1 mm, as one ring that runs to each and back."""
    rows = sorted({y for _, y in holes})
    ring = [(100.0, 50.0), (180.0, 50.0)]
    for y in rows:
        ring.append((180.0, y))
        for x in sorted((x for x, at in holes if at == y), reverse=True):
            ring += [(x + 0.5, y), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5), (x - 0.5, y - 0.5), (x + 0.5, y - 0.5),
                     (x + 0.5, y)]
        ring.append((180.0, y))
    ring += [(180.0, 130.0), (100.0, 130.0)]
    return " ".join(f"(xy {x} {y})" for x, y in ring)


def test_planes_that_face_ground_are_a_cavity_of_their_outline(bench: Bench) -> None:
    """An L of 40 mm by 20 mm without a quarter: 600 mm2; vias of ground 1 mm beside those of the supply."""
    loaded = on_plane(bench, ELL)
    layout = (loaded.board.rails or {})["main"].layout
    assert layout is not None and layout.shape is not None and layout.package.at is not None
    assert layout.pairs == (("In1.Cu", "In2.Cu"),) and not layout.cutouts
    xs, ys = zip(*layout.shape.polygon, strict=True)
    twice = sum(x * ys[k - 1] - xs[k - 1] * y for k, (x, y) in enumerate(zip(xs, ys, strict=True)))
    assert abs(twice) / 2 == pytest.approx(600e-6, rel=1e-3)
    assert layout.package.places == (pytest.approx((0.148, 0.0906)),)
    assert layout.package.pitch.value == pytest.approx(1e-3) and layout.vias.drill.value == pytest.approx(0.3e-3)
    assert layout.regulator.at is not None and layout.banks["C1"].at is not None
    assert [one.value for one in layout.regulator.at[0]] == pytest.approx([0.112, 0.0906])
    assert [one.value for one in layout.banks["C1"].at[0]] == pytest.approx([0.120, 0.0906])
    report = api.check(loaded, "edge", api.Options(select=("PDN001",)))
    (told,) = (one for one in report.receipt if one.startswith("planes of +5V"))
    assert "the cavity between In1.Cu and In2.Cu is judged" in told and "600 mm2 of 600 mm2" in told
    (found,) = (one for one in report.findings if one.subject == "rails.main")
    assert found.measured is not None and any("layout.shape: finite elements" in one
                                              for one in found.measured.assumptions)


@pytest.mark.long
def test_a_drawn_rectangle_has_the_numbers_of_one_that_was_typed(bench: Bench) -> None:
    """A plane of 40 mm by 20 mm: the same `layout` by hand, without `shape`, is solved by cosines."""
    drawn = on_plane(bench, "(xy 110 90) (xy 150 90) (xy 150 110) (xy 110 110)")
    typed = drawn.document.edited(("rails", "main", "layout"), {
        "from": ["110 mm", "90 mm"], "to": ["150 mm", "110 mm"], "pairs": [["In1.Cu", "In2.Cu"]],
        "vias": {"drill": "0.3 mm", "pitch": "1 mm", "plating": "20 um"},
        "package": {"from": ["147.9 mm", "90.5 mm"], "to": ["148.1 mm", "90.7 mm"], "pitch": "1 mm",
                    "at": [["148 mm", "90.6 mm"]]},
        "regulator": {"at": [["112 mm", "90.6 mm"]], "pairs": 1},
        "banks": {"C1": {"at": [["120 mm", "90.6 mm"]]}},
    }).edited(("stackup", 5, "role"), "power")
    values = []
    for board in (drawn, api.resolve(typed)):
        report = api.check(board, "edge", api.Options(select=("PDN001", "PDN005")))
        values.append({one.subject: one.measured.value for one in report.findings
                       if one.subject.startswith("rails.main") and one.measured is not None})
    assert values[0].keys() == values[1].keys() and len(values[0]) >= 2
    for subject, value in values[1].items():
        assert values[0][subject] == pytest.approx(value, rel=0.02), subject


@pytest.mark.parametrize(("shape", "more", "overlay", "said"), [
    (ELL, footprint("U3", 130, 90.6, (0, 0, POWER), (0, -1, GROUND), size=0.5) + hole(130, 90.6, POWER)
     + hole(130, 89.6),
     WITH_LOOP.replace("loads: [U2]", "loads: [U2, U3]"), "it has several loads"),
    ("(xy 115 90) (xy 150 90) (xy 150 110) (xy 115 110)", segment(112, 90.6, 148, 90.6, 0.5), WITH_LOOP,
     "no via to its plane stands within 3 mm of L1"),
    (ELL, "", WITH_LOOP.replace("vrm: {", "vrm: {phases: 2, "),
     "its regulator has 2 phases, and its current enters at 1 parts"),
    (ELL, "", WITH_LOOP.replace("vrm: {", "ladder: [{bank: {name: own, count: 1, capacitance: 10 uF}}], vrm: {"),
     "the overlay gives its `ladder`"),
])
def test_a_cavity_that_cannot_be_judged_says_why(
    bench: Bench, shape: str, more: str, overlay: str, said: str
) -> None:
    loaded = on_plane(bench, shape, more, overlay, [(130, 90.6)] if "U3" in more else [])
    assert (loaded.board.rails or {})["main"].layout is None
    report = api.check(loaded, "edge", OPTIONS)
    (told,) = (one for one in report.receipt if one.startswith("planes of +5V"))
    assert f"the cavity between them is not evaluated ({said}" in told


def test_two_regulators_in_parallel_halve_the_way(bench: Bench) -> None:
    """20 mm of trace from either side to a load in the middle: a quarter of the inductance of 40 mm of it."""
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=both("L1", 110, 90) + both("L2", 150, 90)
                                              + both("U2", 130, 90) + segment(110, 90, 150, 90, 0.5)
                                              + hole(110, 93) + hole(150, 93) + hole(130, 93)))
    bench.put("design.overlay.yaml", OVERLAY.replace("source: L1,", "source: [L1, L2],"))
    board = api.load("design.kicad_pcb").board
    found = drawn_spreading((board.rails or {})["main"], board.stack, CONDITIONS)
    line = mu_0 / float(thin_microstrip(width=0.5 / 0.11, dk=1.0))
    assert found is not None and found.inductance == pytest.approx(19.4e-3 * line / 2, rel=0.04)


def island(*corners: str, layer: str = "F.Cu") -> str:
    ring = " ".join(f"(xy {one})" for one in corners)
    return (f'  (zone (net 8) (net_name "+5V") (layer "{layer}") (hatch edge 0.5) (polygon (pts {ring}))\n'
            f'    (filled_polygon (layer "{layer}") (pts {ring})))\n')


AROUND = "129.8 92.8", "130.2 92.8", "130.2 95.2", "129.8 95.2"
BENT = "129.8 92.8", "133 92.8", "133 95.2", "129.8 95.2", "129.8 94.8", "132.6 94.8", "132.6 93.2", "129.8 93.2"
BELOW = segment(130, 90, 130, 92.8, 0.2) + hole(130, 92.8, POWER) + hole(130, 95.2, POWER)
"""A trace down to a via, and one at the pad: between them is copper of the other side."""


@pytest.mark.parametrize(("more", "said"), [
    (segment(130, 90, 130, 95, 0.2) + hole(130, 93, POWER), ""),
    (segment(130, 90, 130, 93, 0.2) + hole(130, 93, POWER) + segment(130, 93, 130, 95, 0.2, layer="B.Cu")
     + hole(130, 95, POWER), ""),
    (segment(130, 90, 130, 93, 0.2) + hole(130, 93, POWER).replace("0.3", "0.5")
     + segment(130, 93, 130, 95, 0.2, layer="B.Cu") + hole(130, 95, POWER),
     "C3 left out: a via with no via of ground near it lies on the way to them"),
    (segment(130, 90, 130, 93, 0.2) + island(*AROUND), ""),
    (segment(130, 90, 130, 93, 0.2) + island(*BENT),
     "C3 left out: an area of copper that no straight strip crosses lies on the way to them"),
    (BELOW + island(*AROUND, layer="B.Cu"), ""),
    (segment(130, 90, 130, 91.9, 0.2) + hole(130, 92, POWER)
     + island("129.8 91.8", "131 91.8", "131 93.8", "129.8 93.8", "129.8 93.4", "130.6 93.4", "130.6 92.2",
              "129.8 92.2", layer="B.Cu") + hole(130, 93.6, POWER)
     + segment(130, 93.6, 130, 95, 0.2),
     "C3 left out: an area of copper that no straight strip crosses lies on the way to them"),
    ("", "C3 left out: no copper of the rail joins them to its loads"),
])
def test_what_lies_on_the_way_to_a_capacitor_decides_whether_it_is_modelled(
    bench: Bench, more: str, said: str
) -> None:
    """Traces, vias and straight strips are; a bent area, or a hole wider than vias, is not, and the receipt says so."""
    rail, _ = spread(bench, 0.6, capacitor("C1", 120) + capacitor("C3", 130, 95) + more)
    assert [step.bank.name for step in rail.ladder or () if step.bank] == (["C1"] if said else ["C1", "C3"])
    report = api.check(api.load("design.kicad_pcb"), "edge", api.Options(select=("PDN003",)))
    (told,) = (one for one in report.receipt if one.startswith("capacitors of +5V"))
    assert said in told and ("left out" in told) == bool(said)


@pytest.mark.parametrize("layer", ["F.Cu", "B.Cu"])
def test_an_area_of_copper_on_the_way_counts_as_the_trace_within_it(bench: Bench, layer: str) -> None:
    """As wide as a trace it is no wider than that, since the ends of its strip keep off its edges, and as long."""
    start = segment(130, 90, 130, 93, 0.2) if layer == "F.Cu" else BELOW
    end = 95.0 if layer == "F.Cu" else 95.2
    leads = []
    for way in (segment(130, 92.8, 130, end, 0.4, layer=layer), island(*AROUND, layer=layer),
                island("129 92", "131 92", f"131 {end + 0.2}", f"129 {end + 0.2}", layer=layer)):
        rail, _ = spread(bench, 0.6, capacitor("C1", 120) + capacitor("C3", 130, 95) + start + way)
        (bank,) = (step.bank for step in rail.ladder or () if step.bank and step.bank.name == "C3")
        leads.append([(one.layer, one.length.value, one.width.value) for one in bank.lead or ()][-1])
    trace, strip, wide = leads
    assert trace[0] == strip[0] == wide[0]
    assert strip[1] == pytest.approx(trace[1], abs=0.25e-3) and 0.25e-3 < strip[2] < 0.4e-3 * (1 + 1e-9)
    assert strip[2] * 1.3 < wide[2] < 2e-3


def test_an_area_between_a_capacitor_and_its_own_via_belongs_to_its_mounting(bench: Bench) -> None:
    way = (segment(130, 90, 130, 92, 0.2) + hole(130, 92, POWER) + segment(130, 92, 130, 94, 0.2, layer="B.Cu")
           + hole(130, 94, POWER) + island("129.7 93.7", "130.3 93.7", "130.3 95.2", "129.7 95.2"))
    rail, _ = spread(bench, 0.6, capacitor("C1", 120) + capacitor("C3", 130, 95) + way)
    (bank,) = (step.bank for step in rail.ladder or () if step.bank and step.bank.name == "C3")
    assert [one.layer for one in bank.lead or ()] == ["F.Cu", "B.Cu"]


def test_the_impedance_of_a_drawn_rail_is_judged(bench: Bench) -> None:
    """With the regulator declared nothing else is missing; the receipt says by what the cases are known."""
    bench.put("design.kicad_pcb", drawn_board(nets=("+5V",), more=both("L1", 110, 90) + both("U2", 150, 90)
                                              + capacitor("C1", 120) + capacitor("C2", 140)
                                              + segment(110, 90, 150, 90, 2) + hole(110, 93) + hole(150, 93)))
    bench.put("design.overlay.yaml", OVERLAY.replace(
        "voltage: 5 V, current: {sustained: 2 A, peak: 2 A}}", "voltage: 5 V, tolerance: {ac: 3 %}, crossover: 50 kHz, "
        "vrm: {resistance: 5 mohm}, current: {sustained: 2 A, peak: 2 A, step: 0.1 A}}"))
    loaded = api.load("design.kicad_pcb")
    report = api.check(loaded, "edge", api.Options(select=("PDN001",)))
    found = [one for one in report.findings if one.subject == "rails.main"]
    assert found and all(one.measured is not None and "|Z| reaches" in one.message for one in found)
    assert any("inductance of lines of the local width" in text for text in found[0].measured.assumptions)
    (told,) = (one for one in report.receipt if one.startswith("capacitors of +5V"))
    assert told.endswith("C1, C2: case 0402 by Capacitor_SMD:C_0402_1005Metric")


@pytest.mark.long
@pytest.mark.parametrize(("file", "overlay", "supply", "loop"), [
    ("KaiPereira+SODIMM-CM5-Carrier/PCB_CARRIER/carrier.kicad_pcb", "source: Module2, loads: [U1, U2, U4, U3]",
     20.2, 20.8),
    ("will127534+PCIe3_Hub/ASM2806_Breakout.kicad_pcb", "source: U3, loads: [U4]", 7.66, 10.2),
])
def test_the_3v3_of_two_public_boards_is_judged(
    bench: Bench, file: str, overlay: str, supply: float, loop: float
) -> None:
    """Thin traces over a whole board, and a plane with 29 cut-outs: not solvable on a grid of a practical size.

    Resistance [mohm] of the supply alone, as it was solved before its return on ground was drawn, and of the loop.
    """
    place = folder()
    if place is None:
        pytest.skip("the real boards are not beside the checkout")
    bench.put("design.kicad_pcb", (place / "kicad" / file).read_text(encoding="utf-8"))
    bench.put("design.overlay.yaml", 'schema: 1\nlayout: design.kicad_pcb\nrails:\n  "3V3": {net: "+3V3", '
              f"{overlay}, role: io, load: other, voltage: 3.3 V, current: {{sustained: 1 A, peak: 1 A}}}}\n")
    report = api.check(api.load("design.kicad_pcb"), "edge", OPTIONS)
    drop = next(one.measured for one in report.findings if one.subject.endswith(".drop"))
    assert drop is not None
    least = drop.value if drop.undeclared is None else drop.undeclared.lo  # without what the source may have
    assert supply < least * 3.3e3 == pytest.approx(loop, rel=0.02) and loop < 2 * supply
