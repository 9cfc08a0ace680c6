# SPDX-License-Identifier: MIT
"""A design space to start from: the laminates and foils of a board, and the other axes as choices to make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from pcbrules.document import show_path
from pcbrules.errors import InputError, clip
from pcbrules.model.stack import PLANE_ROLES, PlacedCopper
from pcbrules.model.stackup import Dielectric
from pcbrules.studies.moves.foils import roughest_of
from pcbrules.studies.moves.laminates import material_of
from pcbrules.studies.moves.move import MoveScene
from pcbrules.studies.searching.axis_kinds import ALL
from pcbrules.studies.searching.layer_count import STEP, with_layers
from pcbrules.studies.searching.prices import known_id, laminate_price
from pcbrules.units import show, unit_of

_PLAIN = re.compile(r"(?!(?:true|false|null|yes|no|on|off)$)[A-Za-z][\w./-]*", re.ASCII | re.IGNORECASE)

Fits = Callable[[tuple[int, ...], str], bool]

BETTER = 2
"""Dearer laminates that an axis offers."""

MOST_NAMES = 6
"""Layers that an axis names."""


def space_text(scene: MoveScene, file: str, profile: str, fits: Fits = lambda plies, name: True) -> str:
    """Return the text of a design space on a board.

    Parameters
    ----------
    scene : MoveScene
    file : str
        The board file, as the space names it.
    profile : str
    fits : function, optional
        From rows of the stackup and the name of a laminate to whether the profile takes it there.
    """
    return "\n".join(_lines(scene, file, profile, fits)) + "\n"


def _lines(scene: MoveScene, file: str, profile: str, fits: Fits) -> Iterator[str]:
    yield f"# Stackups of {clip(scene.board.name, 60)}, for `pcbrules search`."
    yield "# Lines with #? are choices: take them in, or delete them. Values are a list, or FROM:TO:POINTS."
    yield "schema: 1"
    yield f"board: {_word(file)}"
    yield f"profile: {_word(profile)}"
    yield "axes:"
    yield from _axes(scene, fits)
    stack = scene.board.stack
    if stack is not None:
        low, high = (show(share * stack.thickness, "mm", 3) for share in (0.95, 1.05))
        yield f"#? constraints: {{thickness: {{at_least: {low}, at_most: {high}}}, cost: {{at_most: 10}}}}"
    yield "#? links: ['*']          # links that must hold; rails: [] looks at no rail"
    counts = "" if scene.links() else "#? "
    yield f"{counts}objectives: {{margin: [CHN001]}}   # the margin that counts; without it the least of all errors"


def _axes(scene: MoveScene, fits: Fits) -> Iterator[str]:
    stack = scene.board.stack
    if stack is None:
        yield "#? - {vary: links.*.path.run.width, values: '4mil:6mil:5'}"
        return
    signal = [one for one in stack.coppers if one.spec.role not in PLANE_ROLES]
    used = [one for one in signal if scene.links_on([one.name])] or signal
    plies = [one for one in stack.dielectrics if isinstance(one.spec, Dielectric)]
    materials = list(dict.fromkeys(material_of(one) for one in plies))
    if materials:
        whole = len(materials) == 1
        near = {ply.index for one in used[:MOST_NAMES] for up in (True, False)
                for ply in stack.adjacent(one.name, up=up)[1]}
        mine = [one for one in plies if whole or one.index in near]
        rows = tuple(one.index for one in mine)
        around = _laminates(scene, list(dict.fromkeys(material_of(one) for one in mine)) or materials,
                            lambda name: fits(rows, name))
        yield f"- {{laminate: {ALL if whole else _named(used)}, values: [{', '.join(map(_word, around))}]}}"
    if used:
        around = _near([roughest_of(scene, one) for one in used], scene.costs.offers("foil"))
        yield f"- {{foil: {_named(used)}, values: [{', '.join(map(_word, around))}]}}"
    for one in used[:1]:
        beside = next((ply for up in (True, False) for ply in stack.adjacent(one.name, up=up)[1]), None)
        if beside is not None:
            places = [ply.index for ply in stack.dielectrics]
            mirror = stack.dielectrics[len(places) - 1 - places.index(beside.index)]
            names = ", ".join(map(_word, dict.fromkeys((beside.name, mirror.name))))
            ends = ":".join(show(share * beside.spec.thickness.value, "um", 3) for share in (0.8, 1.2))
            yield f"#? - {{thickness: [{names}], values: '{ends}:3'}}"
    with suppress(InputError):  # no cavity to copy
        with_layers(scene, len(stack.coppers) + STEP)
        yield f"#? - {{layers: count, values: [{len(stack.coppers)}, {len(stack.coppers) + STEP}]}}"
    through = next((name for name, via in (scene.board.via_types or {}).items() if via.kind == "through"), None)
    if through is not None:
        yield f"#? - {{backdrill: {_word(through)}, values: [none, 10 mil, 6 mil]}}"
    trace = next((found for link in scene.links() for found in link.traces()), None)
    if trace is not None:
        path = (*trace[0].path, "width")
        unit = unit_of(scene.document.get(path))
        ends = ":".join(show(share * trace[1].width.value, unit, 3) for share in (0.9, 1.1))
        yield f"#? - {{vary: {_word(show_path(path))}, values: '{ends}:3'}}"


def _named(layers: Sequence[PlacedCopper]) -> str:
    return f"[{', '.join(_word(one.name) for one in layers[:MOST_NAMES])}]"


def _laminates(scene: MoveScene, now: Sequence[str], fits: Callable[[str], bool]) -> list[str]:
    """What a board has, with the next cheaper and the next two dearer that the profile takes."""
    prices = [laminate_price(scene, name) for name in now]
    low, high = min(prices), max(prices)
    same = {known_id("laminates", name) for name in now}
    offers = [(laminate_price(scene, name), name) for name in scene.costs.offers("laminate") if name not in same]
    cheaper = next((name for price, name in reversed(offers) if price < low and fits(name)), None)
    better = islice((name for price, name in offers if price > high and fits(name)), BETTER)
    return [*now, *([cheaper] if cheaper else []), *better]


def _near(now: Sequence[str], offers: Sequence[str]) -> list[str]:
    """What a board has, with the next cheaper and the next dearer of what is offered."""
    known = [offers.index(name) for name in now if name in offers]
    if not known:
        return list(dict.fromkeys((*now, *offers[:2])))
    low, high = max(min(known) - 1, 0), min(max(known) + 2, len(offers))
    return list(dict.fromkeys((*now, *offers[low:high])))


def _word(text: str) -> str:
    """A text as YAML takes it for one."""
    return text if _PLAIN.fullmatch(text) else "'" + text.replace("'", "''") + "'"
