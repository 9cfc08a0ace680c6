# SPDX-License-Identifier: MIT
"""The overlay that `init --from` writes: all that a layout does not know, each as a choice to make (``#?``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from pcbrules.analysis.channel.loss_budget import has_budget, wanted_budget
from pcbrules.errors import clip, escape
from pcbrules.layout.layout import Layout, NetPair
from pcbrules.library.load import link
from pcbrules.library.shelf import find
from pcbrules.studies.default_build_up import default_build_up
from pcbrules.studies.layout_stackup import FR4
from pcbrules.studies.layout_thermal import via_arrays
from pcbrules.studies.layout_values import board_name, word
from pcbrules.studies.link_proposals import OTHER, LinkProposal, LinkProposals, link_proposals, patterns_of
from pcbrules.studies.open_ends import choice
from pcbrules.studies.overlay_links import pair_name
from pcbrules.studies.rail_proposals import RailProposal, rail_proposals

RAILS = 8
"""Rails that are written as a choice; the others are named."""

LISTED = 12
"""Names in one comment."""

LONGEST = 200
"""Characters of a list of names in one comment."""


def overlay_text(layout: Layout) -> str:
    """The overlay of a layout, which lies in the same folder."""
    lines = [*_head(layout), *_board(layout), *_stackup(layout), *_links(layout, link_proposals(layout)),
             *_rails(rail_proposals(layout)), *_rest(layout)]
    return "\n".join(map(escape, lines)) + "\n"  # whatever a layout holds, a line stays one line


def _head(layout: Layout) -> Iterator[str]:
    name = PurePath(layout.file).name
    yield f"# What {clip(name, 60)} does not know, in the keys of a board file. It counts before the layout."
    yield "# Lines with #? are yours to decide: delete `#? ` where the line is right, or write your own. What is left"
    yield "# open is not evaluated, never guessed. Next: pcbrules check THIS_FILE --profile NAME"
    yield "schema: 1"
    yield f"layout: {word(name)}"


def _board(layout: Layout) -> Iterator[str]:
    yield from ("", "board:")
    yield "  #? platform: edge-carrier       # pcbrules library platforms"
    yield "  #? form_factor: som-carrier     # pcbrules library form_factors"
    if not layout.outline:
        yield "  #? size: {width: '? mm', height: '? mm'}    # the layout has no closed outline"
    yield from ("", "fabrication:")
    yield "  #? class: standard              # what your fabricator holds: pcbrules library fabrication"
    yield "  #? ipc_class: 2"


def _stackup(layout: Layout) -> Iterator[str]:
    yield ""
    sheets = [one for one in layout.layers if one.kind == "dielectric"]
    if not sheets:
        yield "# The layout has no build-up: write it from the top, with the names of its copper layers."
        yield "#? stackup:"
        for place, one in enumerate(layout.copper):
            if place:
                yield "#? - {kind: dielectric, thickness: '? mm', material: '?'}"
            yield f"#? - {{kind: copper, name: {word(one.name)}, thickness: 35 um, role: signal}}    # or ground, mixed"
        return
    default = default_build_up(layout.layers)
    if default is not None:
        yield f"# The layout has KiCad's default build-up: {default.text}."
        yield "# Enter your fabricator's before you believe an impedance: in the layout, or a line for each sheet:"
        names = [word(one.name) for one in sheets]
        yield f"#   {', '.join(names)}, such as {names[0]}: {{thickness: 0.21 mm}}"
    yield "# Sheets by name, material or kind. Materials and foils of the library: pcbrules library laminates, foils"
    yield "stackup:"
    for key in dict.fromkeys(one.material or one.kind for one in sheets):
        own = [one for one in sheets if (one.material or one.kind) == key]
        values = " and ".join(dict.fromkeys(f"Dk {one.dk:g}, Df {one.df:g}" if one.dk and one.df else "no Dk and Df"
                                         for one in own))
        known = find("laminates", key)
        why = "the name in the layout" if known else "an example" if not FR4.fullmatch(key) else (
            "an example: FR4 is no product")
        count = f"{len(own)} sheet{'' if len(own) == 1 else 's'}"
        yield f"  #? {word(key)}: {{material: {known or 'it-180a'}}}    # {why}; {count}, {values} in the layout"
    yield "  #? copper: {foil: std-ed}       # an example: the foil class of all copper"
    if any(one.kind == "mask" for one in layout.layers):
        yield "  #? mask: {material: psr-4000-bn}    # an example: pcbrules library laminates"


def _links(layout: Layout, found: LinkProposals) -> Iterator[str]:
    yield ""
    yield "# One entry for pairs of one standard, by a net of each or a pattern; several pairs make several links."
    yield "links:"
    taken: list[str] = []
    for group in found.groups:
        if group.family.standards:
            yield _entry(group, layout, taken)
            yield from _budget(group.family.standards[0])
    for group in found.groups:
        if not group.family.standards:
            yield (f"  # {group.family.title} by name, no standard of the library: {_named(group.pairs)}"
                   f"{_why_no_ends(group)}")
    reasons: dict[str, list[NetPair]] = {}
    for pair, why in found.without:
        reasons.setdefault(why.partition(": ")[2] or why, []).append(pair)
    for why, pairs in reasons.items():
        yield f"  # not followed, {clip(why)}: {_named(pairs)}"
    if not found.groups and not found.without:
        yield "  # no pair with tracks was found by its name: name both nets, nets: {p: NET, n: NET}"


def _entry(group: LinkProposal, layout: Layout, taken: list[str]) -> str:
    name, number = group.family.name, 1
    while name in taken:
        number += 1
        name = f"{group.family.name}_{number}"
    taken.append(name)
    patterns = [word(text) for text in patterns_of(group, layout)]
    nets = patterns[0] if len(patterns) == 1 else f"[{', '.join(patterns)}]"
    ohms = f", impedance: {group.impedance:g} ohm" if group.impedance else ""
    count = f"{len(group.pairs)} pair{'' if len(group.pairs) == 1 else 's'}"
    of = f" of net class {clip(group.net_class)}" if group.net_class else ""
    why = f"{group.family.title} by name, or {', '.join(group.family.standards[1:])}"
    if group.family is OTHER:
        why = f"the name says no standard, for example {', '.join(OTHER.standards)}"
    return (f"  #? {name}: {{standard: {group.family.standards[0]}{ohms}, nets: {nets}{_no_ends(group)}}}    "
            f"# {count}{of}: {why}{_why_no_ends(group)}")


def _no_ends(group: LinkProposal) -> str:
    """The parts that are no ends, each with the capacitance that only its data sheet has."""
    if group.among:
        return ", left_out: ['?']"
    loads = ", ".join(f"{word(one)}: '? pF'" for one in group.left_out)
    return f", left_out: {{{loads}}}" if loads else ""


def _why_no_ends(group: LinkProposal) -> str:
    """The choice of the ends in words."""
    if group.among:
        return f"; {clip(choice(group.among, LISTED), LONGEST)} are the ends: `left_out` names the others"
    if group.left_out:
        names, ends = ", ".join(map(clip, group.left_out[:LISTED])), "end" if len(group.left_out) == 1 else "ends"
        return f"; {names} by name no {ends}: capacitance of each leg to ground from the data sheet"
    return ""


def _budget(name: str) -> Iterator[str]:
    """What to write where a standard leaves the loss of the board open."""
    standard = link(name)
    if not has_budget(standard):
        yield f"  #     {standard.name} has no public loss budget: to have CHN001 judge the loss of the board, add the"
        yield "  #     loss that the data sheets of both chips allow for the board:"
        yield f"  #     budget: {wanted_budget(standard.nyquist)}"


def _named(pairs: Sequence[NetPair]) -> str:
    more = f" and {len(pairs) - LISTED} more" if len(pairs) > LISTED else ""
    return ", ".join(clip(pair_name(pair), 60) for pair in pairs[:LISTED]) + more


def _rails(found: Sequence[RailProposal]) -> Iterator[str]:
    yield ""
    yield "# Nets with capacitors to ground. Role and current are yours. `net`, `source` and `loads` are read from the"
    yield "# layout: the copper between these parts and its return, capacitors, distances. The parts are proposed by"
    yield "# their names. For |Z| and the load step add vrm: {resistance: '? mohm'}, crossover: '? kHz', tolerance:"
    yield "# {ac: '? %'} and `step: '? A'` of the current; for its release vrm: {phases: 1, phase_inductance: '? uH'}."
    yield "rails:"
    taken: set[str] = set()
    for one in found[:RAILS]:
        name = board_name(one.net.rpartition("/")[2]) or "rail"
        if name in taken:
            continue
        taken.add(name)
        banks = ", ".join(f"{count} x {value or 'a value that cannot be read'}" for value, count in one.banks)
        fed = f"; fed by {clip(one.source)}" if one.source else ""
        parts = f"net: {word(one.net)}"
        if one.feeds and one.loads:
            parts += f", source: {word(one.feeds)}, loads: [{', '.join(map(word, one.loads))}]"
        voltage = f"{one.voltage} V" if one.voltage else "'? V'"  # in quotes it is read, and told with its line
        draws = f"voltage: {voltage}, current: {{sustained: '? A', peak: '? A'}}"
        yield f"  #? {word(name)}: {{{parts}, role: io, load: other, {draws}}}    # {banks}{fed}"
    if len(found) > RAILS:
        yield f"  # more nets with capacitors: {', '.join(clip(one.net, 40) for one in found[RAILS:RAILS + LISTED])}"
    if not found:
        yield "  # no net with capacitors to ground was found"


def _rest(layout: Layout) -> Iterator[str]:
    yield from ("", "# What draws power and how it is cooled; `power: {}` where the board has no supplies of its own.")
    known = len(via_arrays(layout))
    arrays, why = ("", f"{known} arrays of thermal vias are drawn") if known else (
        ", via_arrays: {}", "no array of thermal vias")
    yield f"#? thermal: {{cooling: passive{arrays}}}    # pcbrules library cooling; {why}"
    yield "#? system: {accelerators: []}       # none on this board"
    yield "#? power: {}"
