# SPDX-License-Identifier: MIT
"""Ranges by kind of quantity. They are wide: outside of *possible* lies nothing that is built, mostly a slip of a unit.

The reason stands beside each; where none is named it is engineering practice.
"""

from __future__ import annotations

from pcbrules.model.ranges.band import Band

# Lengths of a board: the finest lines of substrate-like boards (mSAP) are 15 um, microstrip on 1.6 mm of FR4 3 mm.
LINE = Band("10 um", "25 um", "3.5 mm", "20 mm", "mil")
LINE_GAP = Band("10 um", "25 um", "2.5 mm", "50 mm", "mil")
TRACE = Band("5 um", "0.3 mm", "2 m", "5 m", "mm")  # the longest backplanes are below 1.5 m; test coupons 1.5 m
TRACE_OR_NONE = TRACE._replace(zero=True)
ASIDE = Band("1 um", "20 um", "25 mm", "1 m", "mm", zero=True)  # from one thing to another beside it
SIDE = Band("1 mm", "5 mm", "1.2 m", "3 m", "mm")  # of a board or panel
PLACE = Band("0 mm", "0 mm", "1.5 m", "5 m", "mm", signed=True)  # a coordinate
REACH = Band("1 um", "50 um", "0.5 m", "2 m", "mm")  # of copper shapes, pads, planes
REACH_OR_NONE = REACH._replace(zero=True)

# Holes: laser vias from 50 um (20 um on package substrates), press-fit holes to 3 mm, mounting holes to 10 mm.
DRILL = Band("20 um", "50 um", "3.5 mm", "15 mm", "mm")
PAD = Band("40 um", "0.1 mm", "6 mm", "15 mm", "mm")
CLEARANCE = Band("40 um", "0.12 mm", "8 mm", "20 mm", "mm")
PITCH = Band("50 um", "0.1 mm", "8 mm", "100 mm", "mm")
PLATING = Band("3 um", "8 um", "0.15 mm", "0.5 mm", "um")  # IPC-6012: 20 to 25 um; solid small vias half the drill
HEIGHT = Band("5 um", "30 um", "10 mm", "25 mm", "mm")  # along the board's thickness

# Layers: 3 um is the thinnest capacitive laminate, 0.1 oz a carrier foil, 20 oz (0.7 mm) the heaviest copper.
COPPER = Band("1 um", "3 um", "0.25 mm", "1 mm", "um")
WEIGHT = Band("0.02 oz", "0.08 oz", "7 oz", "30 oz", "oz")
DIELECTRIC = Band("2 um", "8 um", "3.3 mm", "10 mm", "um")
MASK = Band("1 um", "4 um", "80 um", "0.5 mm", "um")
ROUGHNESS = Band("20 nm", "0.1 um", "15 um", "30 um", "um")  # Rz: rolled foils 0.3 um, standard foils to 12 um
SHALLOW = Band("0.01 um", "10 um", "0.3 mm", "2 mm", "um")  # tolerances of depth and position
BOARD = Band("50 um", "0.2 mm", "10 mm", "25 mm", "mm")  # flex 0.1 mm, probe cards 8 mm

# Materials: air 1, PTFE 2.1, ceramic-filled 10, capacitive laminates to 30; the lossiest resins 0.04.
DK = Band("1", "1.8", "12", "30")
DF = Band("0.00001", "0.0002", "0.05", "0.15", percent=True)
CONDUCTIVITY = Band("0.02 W/(m K)", "0.1 W/(m K)", "10 W/(m K)", "400 W/(m K)")

# Shares and tolerances
SHARE = Band("0 %", "1 %", "100 %", "100 %", "%")
HELD = Band("0.1 %", "1 %", "30 %", "60 %", "%")  # what a fabricator holds
HELD_DK = Band("0.01 %", "0.1 %", "15 %", "50 %", "%")

# Loss and crosstalk: PCIe allows 40 dB from die to die; a network analyser sees 120 dB.
LOSS = Band("0.0001 dB", "0.001 dB", "100 dB", "120 dB", "dB", zero=True)
PART_LOSS = Band("0.0001 dB", "0.001 dB", "20 dB", "60 dB", "dB", zero=True)
ISOLATION = Band("0.1 dB", "6 dB", "120 dB", "250 dB", "dB", zero=True)
LOSS_AT = Band("1 kHz", "50 MHz", "150 GHz", "1 THz", "GHz")
MATERIAL_AT = Band("1 Hz", "1 kHz", "150 GHz", "2 THz", "GHz")
RATE_AT = Band("10 kHz", "10 MHz", "150 GHz", "2 THz", "GHz")

# Time: 1 m of trace takes 7 ns; standards allow lanes some ns, the slowest buses some more.
SKEW = Band("0 ps", "0 ps", "1 ns", "100 ns", "ps", signed=True)
LANE_SKEW = Band("1 fs", "1 ps", "50 ns", "10 us", "ps", zero=True)
PACKAGE_DELAY = Band("1 fs", "0.5 ps", "1 ns", "20 ns", "ps", zero=True)

# Impedance of a line: coupled wide lines 10 ohm, narrow lines on thick dielectric 200 ohm.
LINE_IMPEDANCE = Band("1 ohm", "25 ohm", "200 ohm", "1000 ohm", "ohm")

# Power: rails of accelerators draw to 2 kA; racks to 1 MW; buses of racks have 800 V.
VOLTAGE = Band("10 mV", "0.25 V", "60 V", "1.5 kV", "V")
CURRENT = Band("1 nA", "1 mA", "5 kA", "50 kA", "A")
CURRENT_OR_NONE = CURRENT._replace(zero=True)
SLEW = Band("1 A/s", "0.1 A/us", "20 A/ns", "300 A/ns", "A/us")
HEAT = Band("1 uW", "10 mW", "1 kW", "20 kW", "W")  # of one part on the board
POWER = Band("1 mW", "1 W", "10 kW", "200 kW", "W")  # of a device or card
SUPPLIED = Band("0.1 W", "2 W", "200 kW", "2 MW", "kW")  # by one power supply
SYSTEM_POWER = Band("0.1 W", "2 W", "1 MW", "20 MW", "kW")
SUPPLY = Band("1 uohm", "5 uohm", "2 ohm", "1 kohm", "mohm")  # |Z| that a rail may have
PATH_RESISTANCE = Band("0.1 nohm", "0.5 uohm", "0.1 ohm", "10 ohm", "mohm", zero=True)
# planes, pads and pins: a square of 35 um is 0.5 mohm
PLANE_RESISTANCE = PATH_RESISTANCE._replace(low="0.1 uohm", high="10 mohm")
SPREADING = Band("0.1 fH", "0.1 pH", "5 nH", "1 uH", "pH", zero=True)

# Capacitors: solid ones of 50 ohm-systems 1 pF, cans on boards to 47 mF; more is a supercapacitor.
PART = Band("10 fF", "10 pF", "5 mF", "82 mF", "uF")
SUPERCAPACITOR = Band("0.1 mF", "1 mF", "500 F", "10000 F", "F")
COUPLING = Band("0.1 pF", "0.5 nF", "10 uF", "100 uF", "nF")
PACKAGE_CAPACITANCE = Band("0.01 fF", "1 fF", "10 pF", "1 nF", "fF", zero=True)
LOAD_CAPACITANCE = PACKAGE_CAPACITANCE._replace(low="1 fF", high="20 pF", unit="pF")
DIE = Band("0.1 pF", "0.1 nF", "5 mF", "82 mF", "nF")
ESR = Band("1 uohm", "0.05 mohm", "2 ohm", "1 kohm", "mohm")
ESL = Band("0.01 pH", "0.5 pH", "50 nH", "1 uH", "pH", zero=True)
MOUNTED = Band("0.1 fH", "20 pH", "100 nH", "5 uH", "nH")
OUTPUT_INDUCTANCE = Band("0.01 pH", "1 pH", "10 uH", "10 mH", "nH", zero=True)
INDUCTOR = Band("0.1 nH", "2 nH", "47 uH", "10 mH", "nH")  # of a phase: 5 nH on the die, 33 uH for small rails
LOOP = Band("10 Hz", "500 Hz", "10 MHz", "10 MHz", "kHz")  # bandwidth of a regulator's loop: fast ones 1 MHz

# Heat
AMBIENT = Band("-65 degC", "-40 degC", "130 degC", "250 degC", "degC")
INLET = Band("-65 degC", "-20 degC", "75 degC", "150 degC", "degC")
RISE = Band("0.01 K", "0.5 K", "120 K", "500 K", "K")
FACE = Band("0.5 W/(m2 K)", "2 W/(m2 K)", "500 W/(m2 K)", "50000 W/(m2 K)")  # still air 5, boiling liquid 20000

SIZE = Band("50 um", "0.1 mm", "60 mm", "0.3 m", "mm")  # of the body of a part
PARAMETERS = Band("1000000", "10000000", "10000000000000", "100000000000000")


def count(most: int, usual: int, least: int = 1) -> Band:
    """Return the range of a number of things."""
    return Band(f"{least}", f"{least}", f"{usual}", f"{most}")
