# SPDX-License-Identifier: MIT
"""What the keys of `links` mean."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "LinkSpec": {
        "standard": "of `materials` or of `pcbrules library links`",
        "lanes": "pairs in this direction that share the path",
        "impedance": "reference impedance, instead of the standard's",
        "polarity_inverted": "true where P and N are exchanged on the way",
        "lane_skew": "largest difference between lanes, instead of the standard's",
        "path": "what the signal runs through, in order from one end to the other",
    },
    "Budget": {
        "loss": "largest insertion loss of the board's part",
        "at": "frequency of the loss; without it Nyquist",
        "planes": "from where to where it counts",
        "source": "who allows it",
    },
    "Crosstalk": {"bound": "the aggressors together lie this far below", "source": "model or pin map that says it"},
    "Package": {
        "at": "frequency of `loss`",
        "length": "of its lines",
        "skew": "of the legs, P less N",
    },
    "Via": {
        "type": "of `via_types`",
        "enter": "layer on which the signal comes",
        "leave": "layer on which it goes on",
        "plane_change": "where the signal leaves a plane for another one",
        "skew": "of the legs, P less N",
    },
    "Trace": {
        "layer": "on which it runs",
        "width": "of the wider face",
        "top_width": "of the narrower face, after etching",
        "gap": "between the two traces of a pair, edge to edge",
        "broadside": "the other leg of the pair on another layer, instead of `gap`",
        "coplanar": "ground beside the trace or pair on its layer; without the key there is none",
        "length": "of the longest lane",
        "length_p": "of the P leg",
        "length_n": "of the N leg",
        "zigzag": "true where the route turns to and fro across the weave",
        "breakout": "true for lines within a ball field",
        "planes": "layers above and below that carry the return current, where these are not the nearest planes of the "
                  "stackup; `[]` for none",
        "reference_gaps": "splits and voids below or above the trace; `[]` for none",
        "reference_gaps_from": "whether they were read from a layout or are declared",
        "neighbours": "traces that run beside it; `[]` for none",
    },
    "BroadsideLeg": {
        "layer": "of the N leg; the trace's own `layer` is that of the P leg",
        "offset": "from centre line to centre line; 0 mil for one leg over the other",
    },
    "SParameterFile": {
        "file": "Touchstone file, version 1 or 2",
        "ports": "of the file: near P, near N, far P, far N; of a two-port near, far; near is towards the path's "
        "beginning; without it told by the data, lower ports near",
        "temperature": "of the board in the file; of traces in it the loss is bounded at the hot one",
        "two_port": "what a two-port in a pair is: the differential mode, or each leg alone without coupling",
    },
    "Stretch": {
        "enter": "layer on which the signal enters it",
        "leave": "layer on which the signal leaves it",
    },
    "Coplanar": {
        "gap": "from the edge of the trace to the ground, on either side",
        "width": "of the ground on either side; without it a wide pour",
        "stitching": "largest distance along the ground from one via to the planes to the next",
    },
    "LaneLengths": {"min": "of the shortest lane", "max": "of the longest lane"},
    "ReferenceGap": {
        "layer": "plane that has it",
        "width": "along the trace",
        "edge": "from the edge of the trace to the end of the copper beside it, where the copper below is whole",
        "at": "place along the trace",
    },
    "ViaPlanes": {
        "planes": "that of the trace before the via, and that behind it",
        "stitch": "from the signal via to the nearest via or capacitor that joins both planes; absent where none does",
    },
    "Neighbour": {
        "link": "that runs there, where it is one of this board",
        "coupled_length": "over which both run side by side",
        "direction": "of its signal, compared with this one; `unknown` counts at both ends",
    },
    "ViaNeighbour": {
        "along": "from middle to middle of the pairs, on the line through the two vias of this pair",
        "across": "from middle to middle of the pairs, across that line",
        "direction": "of its signal, compared with this one",
    },
    "Connector": {
        "part": "of `pcbrules library connectors`, or a text",
        "loss": "insertion loss",
        "at": "frequency of `loss`",
        "skew": "of the legs, P less N",
        "press_fit_length": "barrel that a press-fit pin needs",
    },
    "AcCapacitor": {
        "capacitance": "of one part",
        "body": "size of the part",
        "esr": "series resistance",
        "inductance": "what it adds to the trace that it stands in",
        "loss": "insertion loss of the part with its pads",
        "at": "frequency of `loss`",
    },
    "Load": {
        "capacitance": "of each leg to ground, in operation",
        "back": "from the end of the trace before it back to where it stands; without it there",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "Package": {
        "impedance": "92 ohm",
        "delay": "120 ps",
        "length": "18 mm",
        "dk": "3.4",
        "die_capacitance": "120 fF",
        "ball_capacitance": "90 fF",
        "skew": "1 ps",
    },
    "Via": {"skew": "0.5 ps"},
    "ReferenceGap": {"width": "0.5 mm", "at": "12 mm", "edge": "0.1 mm"},
    "ViaPlanes": {"stitch": "0.7 mm"},
    "Neighbour": {"offset": "0.4 mm"},
    "Connector": {"loss": "1 dB", "skew": "1 ps", "press_fit_length": "1.2 mm"},
    "AcCapacitor": {"esr": "40 mohm"},
    "Load": {"capacitance": "0.3 pF", "back": "4.2 mm"},
}
