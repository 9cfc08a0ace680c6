# SPDX-License-Identifier: MIT
"""What each key of the board file means, in a few words: for the JSON Schema and the pages made of it.

By the record in which a key stands, and `*` for all. A key that says it itself (``Field(description=...)``) has no
text here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

EVERYWHERE: Mapping[str, str] = {
    "name": "by which the report and waivers call it",
    "note": "a remark; it is not read",
    "source": "document that says it",
    "confidence": "how it was come by: read in public, computed from that, recalled, or declared",
    "provenance": "what kind of source that is",
}

TEXTS: Mapping[str, Mapping[str, str]] = {
    "BoardFile": {"schema": "version of this format"},
    "BoardInfo": {
        "platform": "what kind of board it is, see `pcbrules library platforms`",
        "form_factor": "outline that it has to fit, see `pcbrules library form_factors`",
    },
    "Outline": {"width": "one side of the board", "height": "the other side"},
    "BoardThickness": {"value": "of the finished board", "over": "what was measured over"},
    "Fabrication": {
        "class": "fabrication class with its tolerances, see `pcbrules library fabrication`",
        "aspect_ratio": "depth over drill that the fabricator agrees to, instead of the class's",
        "min_dielectric": "thinnest dielectric that the fabricator agrees to",
        "ipc_class": "performance class of IPC-6012",
    },
    "ImpedanceControl": {
        "tolerance": "of the impedance, as ordered",
        "coupon": "whether the fabricator measures it on a coupon",
    },
    "Tolerances": {
        "width": "of a trace, as a length or a share",
        "dielectric": "of the thickness of dielectrics",
        "copper": "of the thickness of copper",
        "dk": "of Dk",
        "df": "of Df",
        "backdrill": "of the depth of backdrills",
        "thickness": "of the whole board",
    },
    "Materials": {
        "laminates": "laminates and solder masks, by the name that the stackup uses",
        "foils": "foil classes, by name",
        "standards": "link standards, by the name that links use",
    },
    "Laminate": {
        "id": "given by the name of the entry",
        "aliases": "other names",
        "vendor": "who makes it",
        "class": "loss class, or `mask`",
        "family": "kind of resin",
        "halogen_free": "whether it is",
        "df_slope": "growth of Df above the highest point: d ln Df / d ln f",
        "sets": "tables of Dk and Df, one for each measuring method and construction",
        "method": "how `dk` and `df` were measured",
    },
    "DataSet": {
        "method": "how it was measured; values of different methods differ",
        "construction": "glass and resin content that it holds for",
        "design": "true where the maker means the values for impedance work",
        "points": "frequency, Dk, Df, in ascending frequency",
    },
    "library Thermal": {
        "tg": "glass transition, by method",
        "td": "temperature of decomposition",
        "cte_z_below": "expansion through the board below Tg",
        "cte_z_above": "expansion through the board above Tg",
        "expansion_50_260": "expansion through the board from 50 to 260 degC",
        "t288": "time to delamination at 288 degC, in min",
        "k": "thermal conductivity through the board",
    },
    "GlassTransition": {
        "value": "temperature",
        "method": "how it was measured",
        "at_least": "true where the source gives a lower bound",
    },
    "Fact": {"value": "the value", "at_least": "true where the source gives a lower bound"},
    "Spread": {"typical": "typical value", "min": "least value of good parts", "max": "greatest value of good parts"},
    "Foil": {
        "id": "given by the name of the entry",
        "aliases": "other names",
        "rank": "a higher number is a smoother class",
        "rz": "roughness, peak to valley",
        "rq": "roughness, root mean square",
        "examples": "products of the class",
    },
    "Example": {"text": "product and its figure"},
    "library Link": {
        "id": "given by the name of the entry",
        "aliases": "other names",
        "family": "by which rulesets address it with its relatives",
        "generation": "within the family",
        "rate": "of one lane in one direction",
        "coding": "symbols sent over symbols used, 1.03125 for 64b/66b",
        "modulation": "levels of a symbol",
        "symbol_rate": "symbols per second; the unit interval is one over it",
        "nyquist": "half the symbol rate",
        "signalling": "on a pair, on one wire, or on three",
        "pairs_per_link": "pairs in one direction",
        "links_per_device": "links that a device has",
        "budgets": "insertion loss allowed, by part of the channel",
        "masks": "limits over frequency",
        "com_minimum": "channel operating margin that the standard asks for",
        "lane_skew": "largest difference between lanes, by part of the channel",
        "notes": "what else to know",
    },
    "ImpedanceTarget": {"value": "differential impedance, with the tolerance of the source"},
    "LossBudget": {
        "name": "by which a link names it as its `segment`",
        "loss": "largest insertion loss",
        "at": "frequency of the loss",
        "reserve": "kept back from the loss",
        "planes": "from where to where it counts",
        "normative": "true where the standard makes it binding",
        "with_package": "true where one end is a die, so that the package counts",
    },
    "library Mask": {
        "quantity": "what is limited",
        "pieces": "stretches of frequency with a formula each",
        "planes": "from where to where it counts",
        "normative": "true where the standard makes it binding",
    },
    "MaskPiece": {
        "start": "lowest frequency",
        "stop": "highest frequency",
        "constant": "dB",
        "root": "dB, times the root of the frequency in GHz",
        "linear": "dB, times the frequency in GHz",
        "square": "dB, times its square",
        "cube": "dB, times its cube",
        "decade": "dB, times its decimal logarithm",
    },
    "NoiseTerms": {
        "near": "peak voltage of near-end aggressors",
        "far": "peak voltage of far-end aggressors",
        "rise": "rise time of their edges, 20 to 80 %",
        "receiver": "half-power bandwidth of the receiver",
    },
    "NoiseLimit": {
        "pieces": "stretches of insertion loss with a bound each",
        "planes": "from where to where it counts",
        "normative": "true where the standard makes it binding",
    },
    "NoisePiece": {
        "start": "least insertion loss",
        "stop": "greatest insertion loss",
        "constant": "noise allowed",
        "slope": "V more for each dB of loss",
    },
    "LaneSkew": {"where": "part of the channel", "value": "largest difference of delay"},
    "CouplingCapacitor": {
        "min": "least capacitance",
        "max": "greatest capacitance",
        "body": "sizes of the part",
    },
    "Copper": {
        "kind": "a copper layer",
        "thickness": "finished thickness, plating included",
        "base_weight": "foil that was laminated, before plating",
        "role": "what the layer is for",
        "foil": "foil class of both sides, or of each; see `pcbrules library foils`",
    },
    "FoilSides": {"top": "side towards the first layer", "bottom": "side towards the last layer"},
    "Dielectric": {
        "kind": "a core or a pressed prepreg",
        "thickness": "between the copper faces, after pressing",
        "material": "laminate, of `materials` or of `pcbrules library laminates`",
        "form": "cured before the press, or in it",
        "glass": "glass style or styles, see `pcbrules library glass`",
        "plies": "number of glass layers",
    },
    "Mask": {
        "kind": "solder mask",
        "thickness": "beside traces",
        "over_trace": "on top of traces",
        "material": "solder mask, of `materials` or of `pcbrules library laminates`",
    },
    "ViaType": {
        "span": "first and last copper layer of the barrel",
        "kind": "what kind of hole",
        "drill": "drill, not the finished hole",
        "finished": "finished hole",
        "plating": "thickness of the copper in the hole",
        "pad": "diameter of the pads",
        "pitch": "between the two holes of a pair, axis to axis",
        "fill": "what is in the hole",
    },
    "Antipad": {
        "shape": "round for each hole, or one oval for the pair; may be left out",
        "width": "diameter, or the narrow side of an oval",
        "length": "long side of an oval",
    },
    "Backdrill": {
        "side": "from which the drill comes",
        "residual": "barrel left beyond the layer in use, nominal",
        "depth": "below the outer surface, instead of `residual`",
        "tolerance": "of the depth, both ways",
        "datum": "what the depth is counted from",
        "diameter": "of the backdrill",
    },
    "Link": {
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
        "skew": "of the legs, P less N",
    },
    "Trace": {
        "layer": "on which it runs",
        "width": "of the wider face",
        "top_width": "of the narrower face, after etching",
        "gap": "between the two traces of a pair, edge to edge",
        "length": "of the longest lane",
        "length_p": "of the P leg",
        "length_n": "of the N leg",
        "zigzag": "true where the route turns to and fro across the weave",
        "breakout": "true for lines within a ball field",
        "reference_gaps": "splits and voids below or above the trace; `[]` for none",
        "reference_gaps_from": "whether they were read from a layout or are declared",
        "neighbours": "traces that run beside it; `[]` for none",
    },
    "LaneLengths": {"min": "of the shortest lane", "max": "of the longest lane"},
    "ReferenceGap": {"layer": "plane that has it", "width": "along the trace", "at": "place along the trace"},
    "Neighbour": {
        "link": "that runs there, where it is one of this board",
        "coupled_length": "over which both run side by side",
        "direction": "of its signal, compared with this one",
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
    "Rail": {
        "role": "what the rail is for; rulesets set limits by it",
        "load": "what draws the current",
        "voltage": "nominal voltage",
        "load_line": "resistance by which the regulator lets its voltage fall on purpose",
        "target": "impedance that the load's maker asks for",
        "planes": "copper layers that carry the rail",
        "ladder": "banks and planes, from the regulator to the load",
        "crossover": "frequency from which capacitors and no longer the regulator hold the rail",
    },
    "RailTolerance": {"dc": "share for setting and load", "ac": "ripple that the load allows"},
    "LoadCurrent": {
        "sustained": "drawn all the time at full load",
        "peak": "largest",
        "step": "size of the fastest change",
        "idle": "drawn at rest",
        "slew": "how fast a step comes",
    },
    "Vrm": {
        "phases": "number of phases",
        "resistance": "output resistance with the loop closed, at the sense point, load line included",
        "inductance": "output inductance with the loop closed; without it that of a loop with the rail's `crossover`",
        "distance": "in the plane, to the edge of the ball field",
        "phase_positions": "each phase inductor, instead of one distance",
        "vertical": "true where it stands beneath the package",
        "rated_continuous": "current that it can carry all the time, as built",
        "rated_peak": "current that it can carry for a moment",
        "over_current_limit": "current at which it shuts down",
        "phase_rating": "current of one phase",
        "rated_at": "ambient and airflow of the rating",
        "ambient": "temperature around it",
        "thermal_evidence": "an entry of `evidence`",
    },
    "Phase": {"distance": "in the plane, to the edge of the ball field", "share": "of the current"},
    "CapacitorBank": {
        "part": "of `pcbrules library capacitors`, or a text",
        "count": "number of parts",
        "capacitance": "of one part, nominal",
        "esr": "series resistance of one part",
        "mounted_inductance": "of one part with its vias, instead of `esl` and `mounting`",
    },
    "Mounting": {
        "via_length": "from the pad to the planes",
        "via_pitch": "between supply and ground via, axis to axis",
        "via_drill": "diameter of the vias",
        "pairs": "pairs of vias",
    },
    "Spreading": {
        "resistance": "there and back",
        "inductance": "there and back",
        "between": "the two planes",
        "length": "in the direction of the current",
        "width": "across the current",
        "inner_radius": "where the current leaves, for a round flow",
        "outer_radius": "where it comes from, for a round flow",
    },
    "MeasuredPart": {"file": "Touchstone file below the folder of the board"},
    "PartBody": {
        "length": "along the line between its vias",
        "width": "across that line",
        "height": "above its pads",
    },
    "Area": {"from": "corner of a rectangle", "to": "the opposite corner"},
    "RailLayout": {
        "from": "corner of the planes",
        "to": "the opposite corner",
        "pairs": "facing layers, in order of depth from the package, of each pair the layer nearer to it first",
    },
    "LayoutVias": {"drill": "diameter of the vias", "plating": "copper on the wall of the hole"},
    "BallArea": {
        "from": "corner of the ball field, a ball at it",
        "to": "the opposite corner",
        "drill": "diameter of the vias of the balls, instead of that of `vias`",
    },
    "PartPlaces": {
        "at": "place of every part",
        "side": "face of the board: that of the package, or the opposite one",
    },
    "RailCopper": {"sharing": "whether all sources give equal currents, or have one potential"},
    "CopperSheet": {"layer": "copper layer that carries it"},
    "Region": {
        "from": "corner of a rectangle",
        "to": "corner across from it",
        "corners": "of a polygon, in order, instead of a rectangle",
    },
    "Perforation": {
        "from": "corner of a rectangle",
        "to": "corner across from it",
        "corners": "of a polygon, in order, instead of a rectangle",
        "pitch": "of the square lattice",
    },
    "CopperSource": {
        "layers": "that it feeds",
        "at": "middle of a round place",
        "diameter": "of the round place",
        "from": "corner of a rectangle, instead of a round place",
        "to": "corner across from it",
    },
    "BarrelGrid": {
        "layers": "that the holes join",
        "first": "middle of the first hole",
        "pitch": "from hole to hole, both ways",
        "columns": "holes along x",
        "rows": "holes along y",
        "drill": "diameter of the drill",
        "plating": "thickness of the copper in the holes",
    },
    "BallField": {
        "layers": "that the balls reach",
        "first": "middle of the first ball",
        "pitch": "from ball to ball, both ways",
        "columns": "balls along x",
        "rows": "balls along y",
        "drill": "diameter of their holes",
        "plating": "thickness of the copper in the holes",
        "surface": "layer on which the package stands",
    },
    "SensePoint": {"layer": "on which it lies", "at": "its place"},
    "PowerPackage": {
        "inductance": "from the balls to the die",
        "resistance": "from the balls to the die",
        "die_capacitance": "on the die",
        "die_resistance": "in series with it",
        "source": "who gives these figures",
    },
    "Thermal": {
        "cooling": "of the system, see `pcbrules library cooling`",
        "via_arrays": "fields of thermal vias, by name",
        "inlet": "temperature of the air or liquid that comes in",
    },
    "Tim": {"mount": "whether the cold plate is screwed down or pressed on by springs", "contributors": "to the gap"},
    "TimContributor": {
        "gap": "share of the gap, with its tolerance",
        "in_contact_area": "whether it counts where the plate touches",
    },
    "ViaArray": {
        "under": "the part above",
        "pitch": "of the square grid",
        "drill": "diameter of the vias",
        "plating": "thickness of the copper in the holes",
        "count": "number of vias",
        "fill": "what is in the holes",
        "laminate_conductivity": "through the board, instead of the library's",
        "foil_thickness": "of the outer foils over the field",
    },
    "BoardAir": {
        "temperature": "of the air at the board",
        "top": "heat-transfer coefficient of the upper face",
        "bottom": "heat-transfer coefficient of the lower face",
    },
    "PowerSystem": {"system_peak": "largest power of the whole system"},
    "Supplies": {
        "count": "number of supplies",
        "redundant": "how many of them may fail",
        "capacity": "power of one",
    },
    "Card": {
        "connectors": "power inlets, see `pcbrules library connectors`",
        "peak": "largest power of the card",
    },
    "System": {"accelerators": "kinds of accelerator", "components": "parts that matter for the build-up"},
    "Accelerator": {"type": "see `pcbrules library accelerators`", "count": "number of them"},
    "DevicePower": {"sustained": "all the time at full load", "peak": "largest"},
    "Component": {
        "package": "kind of package",
        "pitch": "of its balls or pins",
        "escape_via": "via type by which its inner balls get out",
    },
    "Rack": {"power": "of the whole rack", "cooling": "see `pcbrules library cooling`"},
    "Evidence": {
        "file": "where it lies",
        "reference": "title or number of the document",
        "date": "as YYYY-MM-DD",
    },
}

EXAMPLES: Mapping[str, Mapping[str, str]] = {
    "Fabrication": {"min_dielectric": "50 um"},
    "Tolerances": {
        "width": "12 um",
        "dielectric": "8 %",
        "copper": "10 %",
        "dk": "2 %",
        "df": "10 %",
        "backdrill": "3 mil",
        "thickness": "10 %",
        "registration": "75 um",
    },
    "Dielectric": {"resin": "68 %"},
    "Backdrill": {"depth": "1.8 mm"},
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
    "ReferenceGap": {"width": "0.5 mm", "at": "12 mm"},
    "Neighbour": {"offset": "0.4 mm"},
    "Connector": {"loss": "1 dB", "skew": "1 ps", "press_fit_length": "1.2 mm"},
    "AcCapacitor": {"esr": "40 mohm"},
    "Rail": {"load_line": "0.4 mohm", "target": "0.3 mohm", "crossover": "150 kHz"},
    "CopperSource": {"diameter": "3 mm", "share": "25 %"},
    "BarrelGrid": {"pitch": "1 mm", "drill": "0.3 mm", "plating": "25 um"},
    "Perforation": {"pitch": "1 mm", "antipad": "0.7 mm", "share": "60 %"},
    "Vrm": {"ambient": "50 degC"},
    "Phase": {"share": "25 %"},
    "CapacitorBank": {"esl": "0.3 nH"},
    "Mounting": {"via_length": "0.3 mm", "via_pitch": "0.8 mm", "via_drill": "0.2 mm"},
    "PartBody": {"length": "0.8 mm", "width": "1.6 mm", "height": "0.8 mm"},
    "Spreading": {"length": "20 mm", "width": "40 mm", "inner_radius": "10 mm", "outer_radius": "25 mm"},
    "PowerPackage": {"resistance": "0.05 mohm", "die_capacitance": "500 nF", "die_resistance": "0.1 mohm"},
    "BallArea": {"drill": "0.25 mm"},
    "ViaArray": {"laminate_conductivity": "0.35 W/(m K)"},
}
"""Values of a likely size, where the example of the quantity would be none: the crossover of a rail is not 16 GHz."""


def describe(schema: dict[str, Any]) -> None:
    """Add texts and examples to a schema. A key's own description stands; a required quantity keeps its form."""
    for name, definition in {"BoardFile": schema, **schema["$defs"]}.items():
        own = TEXTS.get(record_name(name), {})
        for key, tree in definition.get("properties", {}).items():
            example = EXAMPLES.get(record_name(name), {}).get(key)
            if example:
                tree["examples"] = [example]
            text = own.get(key) or EVERYWHERE.get(key)
            said = tree.get("description", "")
            form = "with its unit" in said
            if text and (form or not said):
                tree["description"] = f"{text}: {said}" if form else text


def record_name(definition: str) -> str:
    """The record of a definition in the schema; those of the library that share a name are marked."""
    if definition.startswith(("Fact_", "Spread_")):
        return definition.split("_")[0]
    last = definition.rpartition("__")[2]
    return f"library {last}" if definition.startswith("pcbrules__model__catalogue") else last
