# SPDX-License-Identifier: MIT
"""An overlay laid over the document of a layout: key by key, the overlay counts, and what it replaces is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pcbrules.document import Document, Path
from pcbrules.errors import Problems, clip, quoted
from pcbrules.layout.layers import LayoutLayer
from pcbrules.layout.net_patterns import matches
from pcbrules.studies.layout_values import board_name
from pcbrules.studies.overlay_sheets import names_of, places_of

APART = ("layout", "links", "stackup", "via_types")
"""Sections of an overlay that are not laid over the board key by key as they stand."""


def overlaid(
    base: Document, overlay: Document, entries: Mapping[str, str], sheets: Sequence[LayoutLayer], problems: Problems
) -> Document:
    """The document of a layout with an overlay over it; warnings of what is replaced go to `problems`, and faults.

    Parameters
    ----------
    base, overlay : Document
    entries : mapping
        The entry of the overlay by the name of each link that was made of it.
    sheets : sequence of LayoutLayer
        The sheet of each entry of the base's stackup.
    """
    check_elements(base, overlay, entries, problems)
    rest = overlay
    for section in APART:
        rest = rest.without((section,)) if section in overlay.tree else rest
    for section in [key for key, value in rest.tree.items() if value is None]:  # all of it is left open
        rest = rest.without((section,))
    banks = list(_banks(overlay, base, problems))
    for path in dict.fromkeys(at[:3] for _, at, _ in banks):
        rest = rest.without(path)
    made = _laid(base, (), rest, (), problems)
    for path, at, source in (*_links(overlay, entries, base), *_stackup(overlay, base, sheets, problems),
                             *_via_types(overlay, base), *banks):
        made = _laid(made, path, source, at, problems)
    return made


def _links(overlay: Document, entries: Mapping[str, str], base: Document) -> Iterator[tuple[Path, Path, Document]]:
    given = overlay.get(("links",), None)
    if given is None:
        return
    if not isinstance(given, dict) or not given:
        yield ("links",), ("links",), overlay
        return
    for name, entry in entries.items():
        if base.get(("links", name), None) is not None:
            own = overlay.without(("links", entry, "nets"))
            loads = overlay.get(("links", entry, "left_out"), None)
            if loads is not None:
                own = own.without(("links", entry, "left_out"))
            for part, value in loads.items() if isinstance(loads, dict) else ():
                yield from ((("links", name, "path", place, kind, "capacitance"), ("links", entry, "left_out", part),
                             overlay) for place, kind, names in _elements(base, name)
                            if kind == "load" and board_name(part) in names and value is not None)
            elements = overlay.get(("links", entry, "path"), None)
            if isinstance(elements, dict):
                own = own.without(("links", entry, "path"))
                for key in elements:
                    yield from ((("links", name, "path", place, kind), ("links", entry, "path", key), overlay)
                                for place, kind, names in _elements(base, name) if _fits(key, names))
            yield ("links", name), ("links", entry), own
    for entry, body in given.items():
        if not isinstance(body, dict) or "nets" not in body:
            yield ("links", entry), ("links", entry), overlay


def _elements(base: Document, link: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Place and kind of each element of a path, and the words that name it."""
    for place, element in enumerate(base.get(("links", link, "path"))):
        for kind, body in element.items():
            yield place, kind, tuple(filter(None, (body.get("name"), body.get("type"), body.get("layer"), kind)))


def _fits(key: str, names: Sequence[str]) -> bool:
    return key in names or matches(key, names)


def check_elements(base: Document, overlay: Document, entries: Mapping[str, str], problems: Problems) -> None:
    """Keep a problem for a key of a link's `path` that fits no element of any path of the entry."""
    for entry in dict.fromkeys(entries.values()):
        names = [names for name, of in entries.items() if of == entry and base.get(("links", name), None) is not None
                 for _, _, names in _elements(base, name)]
        elements = overlay.get(("links", entry, "path"), None)
        for key in elements if isinstance(elements, dict) and names else ():
            if not any(_fits(key, one) for one in names):
                known = ", ".join(dict.fromkeys(clip(name) for one in names for name in one))
                problems.add(overlay.problem(
                    ("links", entry, "path", key), "no element of the path has this name or kind", key=True,
                    found=quoted(key), expected=known))


def _stackup(
    overlay: Document, base: Document, sheets: Sequence[LayoutLayer], problems: Problems
) -> Iterator[tuple[Path, Path, Document]]:
    """A list replaces the build-up; in a mapping, keys name sheets: by name, material, kind, or a pattern of these."""
    given = overlay.get(("stackup",), None)
    if not isinstance(given, dict):
        if given is not None:
            told = overlay.problem(("stackup",), "replaces the build-up of the layout", key=True, level="warning")
            problems.add(told)
            yield ("stackup",), ("stackup",), overlay
        return
    if base.get(("stackup",), None) is None:
        problems.add(overlay.problem(("stackup",), "the layout has no build-up that can be read", key=True,
                                     fix="write the whole build-up as a list, from the top"))
        return
    for key in given:
        found = places_of(key, sheets)
        if not found:
            known = dict.fromkeys(name for one in sheets for name in names_of(one))
            problems.add(overlay.problem(("stackup", key), "no sheet of the layout has this name or material", key=True,
                                         found=quoted(key), expected=", ".join(map(clip, known))))
        for place in found:
            yield ("stackup", place), ("stackup", key), overlay


def _banks(overlay: Document, base: Document, problems: Problems) -> Iterator[tuple[Path, Path, Document]]:
    """Of a rail whose copper was drawn, keys of a `ladder` that is a mapping name capacitors, or are a pattern."""
    rails = overlay.get(("rails",), None)
    for rail, body in rails.items() if isinstance(rails, dict) else ():
        given = body.get("ladder") if isinstance(body, dict) else None
        steps = base.get(("rails", rail, "ladder"), None)
        if not isinstance(given, dict) or not isinstance(steps, list):
            continue
        names = {place: step["bank"]["name"] for place, step in enumerate(steps) if "bank" in step}
        for key in given:
            found = [place for place, name in names.items() if name == key or matches(key, (name,))]
            if not found:
                problems.add(overlay.problem(
                    ("rails", rail, "ladder", key), "no capacitor of the rail has this name", key=True,
                    found=quoted(key), expected=", ".join(map(clip, names.values()))))
            for place in found:
                yield ("rails", rail, "ladder", place, "bank"), ("rails", rail, "ladder", key), overlay


def _via_types(overlay: Document, base: Document) -> Iterator[tuple[Path, Path, Document]]:
    """A key with ``*`` is laid over every type that it fits; any other is a type of its own, or one of the layout's."""
    given = overlay.get(("via_types",), None)
    if not isinstance(given, dict):
        if given is not None:
            yield ("via_types",), ("via_types",), overlay
        return
    known = base.get(("via_types",), None) or {}
    for key in given:
        fits = [name for name in known if matches(key, (name,))] if "*" in key else [key]
        for name in fits:
            yield ("via_types", name), ("via_types", key), overlay


def _laid(base: Document, path: Path, overlay: Document, at: Path, problems: Problems) -> Document:
    for below in _leaves(overlay.get(at)):
        old = base.get((*path, *below), None)
        new = overlay.get((*at, *below))
        if old is not None and old != new and (*path, *below) != ("schema",) and not base.source((*path, *below)):
            told = overlay.problem((*at, *below), f"replaces {_said(old)} of the layout", level="warning")
            if told not in problems.kept:
                problems.add(told)
    return base.grafted(path, overlay, at)


def _said(value: Any) -> str:
    return "the value" if isinstance(value, dict | list) else quoted(value)


def _leaves(value: Any) -> Iterator[Path]:
    """Paths to all that is no mapping."""
    if not isinstance(value, dict):
        yield ()
        return
    for key, item in value.items():
        yield from ((key, *below) for below in _leaves(item))
