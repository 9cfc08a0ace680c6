# SPDX-License-Identifier: MIT
"""A KiCad board of four layers, made for a test: pairs from a socket to a chip over a whole ground plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

HEAD = """(kicad_pcb (version 20241229) (generator "pcbnew") (generator_version "9.0")
  (general (thickness 1.58))
  (layers (0 "F.Cu" signal) (4 "In1.Cu" power) (6 "In2.Cu" signal) (2 "B.Cu" signal) (25 "Edge.Cuts" user))
  (setup (stackup
    (layer "F.Mask" (type "Top Solder Mask") (thickness 0.01))
    (layer "F.Cu" (type "copper") (thickness 0.035))
    (layer "dielectric 1" (type "prepreg") (thickness 0.11) (material "FR4") (epsilon_r 4.3) (loss_tangent 0.02))
    (layer "In1.Cu" (type "copper") (thickness 0.0175))
    (layer "dielectric 2" (type "core") (thickness 1.235) (material "FR4") (epsilon_r 4.5) (loss_tangent 0.02))
    (layer "In2.Cu" (type "copper") (thickness 0.0175))
    (layer "dielectric 3" (type "prepreg") (thickness 0.11) (material "FR4") (epsilon_r 4.3) (loss_tangent 0.02))
    (layer "B.Cu" (type "copper") (thickness 0.035))
    (layer "B.Mask" (type "Bottom Solder Mask") (thickness 0.01))))
"""
PLANE = "(xy 100 50) (xy 180 50) (xy 180 130) (xy 100 130)"


def drawn_board(pairs: Sequence[str] = ("PCIE_TX0_", "PCIE_RX0_", "USB_D"), *, more: str = "", cut: Sequence[str] = (),
                parts: str = "", nets: Sequence[str] = (), series: Mapping[str, tuple[str, str]] = {}) -> str:
    """The text of the board.

    Parameters
    ----------
    pairs : sequence of str
        What the names of the nets of each pair begin with; P and N follow. They lie 5 mm apart on the top layer.
    more, parts : str
        Further objects.
    cut : sequence of str
        Pairs whose P has no track.
    nets : sequence of str
        Further nets.
    series : mapping
        Letter of the reference and value of parts in the middle of both legs of a pair; the nets behind end in 2.
    """
    names = [f"{pair}{leg}" for pair in pairs for leg in "PN"]
    behind = {name: f"{name}2" if name[:-1] in series else name for name in names}
    table = list(dict.fromkeys(["GND", *names, *nets, *behind.values()]))
    number = {name: place for place, name in enumerate(table, 1)}
    text = HEAD + '  (net 0 "") ' + " ".join(f'(net {place} "{name}")' for name, place in number.items()) + "\n"
    text += '  (gr_rect (start 100 50) (end 180 130) (layer "Edge.Cuts"))\n'
    for reference, x in (("J1", 110), ("U1", 150)):
        pads = ""
        for place, name in enumerate(names):
            y = 5 * (place // 2) + 0.3 * (place % 2)
            net = name if reference == "J1" else behind[name]
            pads += (f'    (pad "{place + 1}" smd rect (at 0 {y}) (size 0.5 0.15) (layers "F.Cu" "F.Mask") '
                     f'(net {number[net]} "{net}"))\n')
        text += (f'  (footprint "lib:{reference}" (layer "F.Cu") (at {x} 60) (property "Reference" "{reference}") '
                 f'(property "Value" "PART")\n{pads}  )\n')
    for place, name in enumerate(names):
        y = 60 + 5 * (place // 2) + 0.3 * (place % 2)
        stretches = [(110, 150, name)]
        if name[:-1] in series:
            stretches = [(110, 129, name), (131, 150, behind[name])]
            letter, value = series[name[:-1]]
            text += (f'  (footprint "lib:s" (layer "F.Cu") (at 130 {y}) (property "Reference" "{letter}{place + 1}") '
                     f'(property "Value" "{value}")\n')
            for pin, (x, net) in enumerate(((-1, name), (1, behind[name])), 1):
                text += (f'    (pad "{pin}" smd rect (at {x} 0) (size 0.2 0.2) (layers "F.Cu") '
                         f'(net {number[net]} "{net}"))\n')
            text += "  )\n"
        for begin, end, net in stretches if not (name.endswith("P") and name[:-1] in cut) else ():
            text += f'  (segment (start {begin} {y}) (end {end} {y}) (width 0.15) (layer "F.Cu") (net {number[net]}))\n'
    text += (f'  (zone (net 1) (net_name "GND") (layer "In1.Cu") (hatch edge 0.5) (polygon (pts {PLANE}))\n'
             f'    (filled_polygon (layer "In1.Cu") (pts {PLANE})))\n')
    return f"{text}{parts}{more})\n"


def footprint(
    name: str, x: float, y: float, *pads: tuple[float, float, str], size: float = 1.0, value: str = ""
) -> str:
    """A part on top with square pads: place from the part's own, and net as `8 "+5V"`."""
    shapes = "".join(f'    (pad "{pin}" smd rect (at {u} {v}) (size {size} {size}) (layers "F.Cu") (net {net}))\n'
                     for pin, (u, v, net) in enumerate(pads, 1))
    return (f'  (footprint "lib:f" (layer "F.Cu") (at {x} {y}) (property "Reference" "{name}") '
            f'(property "Value" "{value}")\n{shapes}  )\n')


def segment(x: float, y: float, u: float, v: float, width: float, net: str = '8 "+5V"', layer: str = "F.Cu") -> str:
    return f'  (segment (start {x} {y}) (end {u} {v}) (width {width}) (layer "{layer}") (net {net.split()[0]}))\n'
