# SPDX-License-Identifier: MIT
"""The board as its layout draws it: outline, planes, the checked links by status, pins where findings are."""

from __future__ import annotations

from collections.abc import Iterator

from pcbrules.errors import clip
from pcbrules.layout.arcs import Point, flattened
from pcbrules.layout.copper import Track
from pcbrules.layout.layout import Layout
from pcbrules.phrases import under, within
from pcbrules.results.exhibit import BoardDrawing, DrawnLink, DrawnPolyline, DrawnSheet, Exhibit, FindingPin
from pcbrules.results.finding import STATUS_ORDER, Finding, Status
from pcbrules.studies.exhibits import Scene
from pcbrules.ties import least_of
from pcbrules.units import show

Line = tuple[Point, ...]

SHOWN = (Status.FAIL, Status.CRASHED, Status.NOT_EVALUATED, Status.MARGINAL, Status.WAIVED,
         Status.ACCEPTED)
"""Statuses of findings that have a pin."""

SAG = 2e-6
"""What a chord may lie off an arc of a checked net. [m]"""


def exhibits(scene: Scene) -> Iterator[Exhibit]:
    """The drawing, where the board was read from a layout that draws one."""
    layout = scene.layout
    if layout is None or not (layout.outline or layout.tracks):
        return
    from pcbrules.extraction.board_picture import board_picture  # geometry: only where a layout is drawn

    nets = {name: scene.drawn[address].nets for name in (link.name for link in scene.board.links or ())
            if (address := ("links", name)) in scene.drawn}
    copper = board_picture(layout, {net for own in nets.values() for net in own})
    turn = _Turn(layout)
    left_out = f"; the {copper.left_out} shortest pieces of other tracks are left out" if copper.left_out else ""
    yield BoardDrawing(
        key="layout:drawing", subject="layout", title=f"The board as {clip(layout.file)} draws it",
        note=f"seen from above, all layers; links as drawn, coloured by the worst of their findings; planes and other "
             f"tracks within {show(copper.tolerance, 'mm')}{left_out}",
        outline=tuple(map(turn.line, layout.outline)),
        sheets=tuple(DrawnSheet(one.layer, tuple(map(turn.line, one.areas)), tuple(map(turn.line, one.tracks)))
                     for one in copper.layers),
        links=tuple(_link(name, own, layout, scene.findings, turn) for name, own in nets.items()),
        pins=tuple(_pins(layout, scene.findings, turn)),
    )


class _Turn:
    """From the system of a layout to that of the picture, y downwards. [mm]"""

    def __init__(self, layout: Layout) -> None:
        self.sign = 1e3 if layout.y_down else -1e3

    def at(self, point: Point) -> tuple[float, float]:
        return point[0] * 1e3, point[1] * self.sign

    def line(self, points: Line) -> DrawnPolyline:
        return tuple(map(self.at, points))


def _link(
    name: str, nets: tuple[str, ...], layout: Layout, findings: tuple[Finding, ...], turn: _Turn
) -> DrawnLink:
    tracks: dict[tuple[str, float], list[DrawnPolyline]] = {}
    for one in layout.tracks:
        if one.net in nets:
            tracks.setdefault((one.layer, one.width * 1e3), []).append(turn.line(_points(one)))
    ends = [part for part in layout.parts if sum(pad.net in nets for pad in part.pads) > 1]
    return DrawnLink(
        name=name, status=_status(f"links{under(name)}", findings),
        tracks=tuple((layer, width, tuple(lines)) for (layer, width), lines in tracks.items()),
        holes=tuple((turn.at(via.at), via.pad * 1e3) for via in layout.vias if via.net in nets),
        parts=tuple((turn.at(part.at), clip(part.reference, 20)) for part in ends if part.reference),
    )


def _points(track: Track) -> Line:
    if track.mid is None:
        return track.start, track.end
    return flattened(track.start, track.mid, track.end, sag=SAG)


def _status(subject: str, findings: tuple[Finding, ...]) -> Status:
    """The worst status of a subject; not evaluated where nothing was judged."""
    own = [one.status for one in findings if within(one.subject, subject) and one.status is not Status.NOT_APPLICABLE]
    return least_of(own, key=lambda status: STATUS_ORDER[status], default=Status.NOT_EVALUATED)


def _pins(layout: Layout, findings: tuple[Finding, ...], turn: _Turn) -> Iterator[FindingPin]:
    """One pin a place, with all of its findings, the worst first."""
    places: dict[Point, list[Finding]] = {}
    for one in findings:
        if one.status in SHOWN and one.where.at is not None and one.where.file == layout.file:
            places.setdefault(one.where.at, []).append(one)
    for at, found in places.items():
        worst = least_of((one.status for one in found), key=lambda status: STATUS_ORDER[status])
        yield FindingPin(turn.at(at), worst, tuple((one.rule, one.subject, one.message) for one in found))
