# SPDX-License-Identifier: MIT
"""From the file of a design space to what is searched: the board, the axes on it, and what must hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path as FilePath

from pcbrules import rulesets
from pcbrules.api._edited import first_fault
from pcbrules.api._loaded import Loaded, load
from pcbrules.api._named_parts import refuse_unknown_parts
from pcbrules.api._profiles import in_class
from pcbrules.api._required import rules_named
from pcbrules.document import Document, Path, show_path
from pcbrules.errors import InputError, clip, quoted
from pcbrules.model.search_spec import SearchAxisSpec, SearchSpec
from pcbrules.readers.board_yaml import board_of
from pcbrules.readers.search_spec import placed, read_search_spec
from pcbrules.results.finding import Severity
from pcbrules.results.profile import Ruleset
from pcbrules.rules import all_rules
from pcbrules.spelling import look_alikes
from pcbrules.studies.moves.costs import PARTS, Cost, Costs, costs_of
from pcbrules.studies.moves.move import MoveScene
from pcbrules.studies.searching.axis_kinds import axis_values, kept_traces, search_axis
from pcbrules.studies.searching.exploring import SpaceBounds
from pcbrules.studies.searching.layer_count import LayeredBoard, with_layers
from pcbrules.studies.searching.part_outcome import WhatHolds
from pcbrules.studies.searching.space import PartTask, SearchAxis, SearchSpace, SpaceFrame
from pcbrules.studies.variants.along import with_what_moves
from pcbrules.studies.variants.axes import VariedValue
from pcbrules.studies.variants.judged import ShownRule
from pcbrules.ties import ordered

MOST_TRIED = 500
"""Values of a list that are tried on the board before the search begins; of a longer one its ends."""

MOST = 10_000_000
"""Candidates of a space at most: what is known of each is an entry of some arrays, 40 bytes."""


@dataclass(frozen=True)
class SearchJob:
    """What is searched: the space on a board, the rules that judge it and what they are asked for."""

    file: str
    loaded: Loaded
    ruleset: Ruleset
    space: SearchSpace
    rules: tuple[str, ...]
    asked: WhatHolds
    bounds: SpaceBounds

    @property
    def study(self) -> tuple[str, ...]:
        """What a file of kept answers is of."""
        return ("search", self.loaded.document.sha256, *(item.sha256 for item in self.ruleset.inputs),
                self.ruleset.name)

    @staticmethod
    def of(file: str) -> SearchJob:
        """Read a design space with all that it names. Raises InputError with a place in the file of the fault."""
        document, spec = read_search_spec(file)
        folder = FilePath(file).parent
        loaded = _board(document, spec, folder)
        with placed(document, ("profile",)):
            named = spec.profile.lower().endswith((".yaml", ".yml"))
            ruleset = rulesets.load(str(folder / spec.profile) if named else spec.profile)
        costs = _costs(document, spec, folder)
        asked = _asked(document, spec, loaded, ruleset)
        space = _space(document, spec, loaded, ruleset, costs)
        thick, dear = spec.constraints.thickness, spec.constraints.cost
        bounds = SpaceBounds(round(dear.at_most * PARTS) if dear else None,
                             thick.at_least.value if thick.at_least else None,
                             thick.at_most.value if thick.at_most else None)
        return SearchJob(document.file, loaded, ruleset, space, _wanted(ruleset, asked), asked, bounds)


def edited(document: Document, task: PartTask) -> Document:
    """Return a board file with the edits of a task and what moves along, before any trace is tuned."""
    for path, value in with_what_moves(document, task.edits)[0]:
        document = document.edited(path, value)
    for path in ordered(task.removed, key=_place, reverse=True):  # of a list the later items first
        if document.get(path, None) is not None:
            document = document.without(path)
    return document


def _place(path: Path) -> tuple[int | str, ...]:
    """A path to be sorted: places of a list as numbers, before any name."""
    return tuple(part for step in path for part in ((step, "") if isinstance(step, int) else (-1, step)))


def _board(document: Document, spec: SearchSpec, folder: FilePath) -> Loaded:
    with placed(document, ("board",)):
        loaded = load(folder / spec.board)
    if not loaded.document.text:
        raise InputError([document.problem(("board",), "a search edits a board file, and this is none",
                                           found=quoted(spec.board), expected="a board file",
                                           fix="write one of the layout: pcbrules import")])
    return loaded


def _costs(document: Document, spec: SearchSpec, folder: FilePath) -> Costs:
    if isinstance(spec.costs, str):
        with placed(document, ("costs",)):
            return costs_of(str(folder / spec.costs))
    base = costs_of(None)
    own: dict[str, Cost] = {}
    for name, index in (spec.costs or {}).items():
        if name not in base.entries:
            near = look_alikes(name, list(base.entries))
            raise InputError([document.problem(("costs", name), "there is no such cost", key=True, found=quoted(name),
                                               expected="a name of the shipped file, library/move_costs.yaml",
                                               fix=f"did you mean {' or '.join(near)}?" if near else "")])
        own[name] = Cost(round(index * PARTS), base.entries[name].per, f"as given in {document.file}")
    return Costs({**base.entries, **own}, document.file if own else "")


def _asked(document: Document, spec: SearchSpec, loaded: Loaded, ruleset: Ruleset) -> WhatHolds:
    rules = tuple(ruleset.rules)
    judged: list[str] = []
    for at, text in enumerate(spec.constraints.judged):
        with placed(document, ("constraints", "judged", at)):
            judged += rules_named((text,), rules, "judged")
    shown: list[ShownRule] = []
    for at, text in enumerate(spec.objectives.margin):
        name, _, part = text.partition(":")
        with placed(document, ("objectives", "margin", at)):
            mine = [ShownRule(rule, part) for rule in rules_named((name,), rules, "margin")]
            refuse_unknown_parts("--margin", mine, loaded, ruleset)
            shown += mine
    in_unit = spec.objectives.unit == "limit"
    if in_unit and len({one.rule for one in shown}) != 1:
        raise InputError([document.problem(("objectives", "unit"), "a margin in the unit of its limit is that of one "
                                           "rule", found=f"{len(spec.objectives.margin)} in `margin`",
                                           expected="one rule, such as CHN001",
                                           fix="name one rule in `margin`, or write `unit: share`")])
    links = [one.name for one in loaded.board.links or ()]
    rails = list(loaded.board.rails or {})
    bound = spec.constraints.impedance
    return WhatHolds(
        level=Severity(spec.fail_on), links=_named(document, ("links",), spec.links, links, "link"),
        rails=_named(document, ("rails",), spec.rails, rails, "rail"), judged=tuple(dict.fromkeys(judged)),
        impedance=bound.at_most.value if bound else None, allow_incomplete=spec.allow_incomplete,
        shown=tuple(dict.fromkeys(shown)), in_unit=in_unit)


def _named(
    document: Document, path: tuple[str, ...], patterns: Sequence[str] | None, known: Sequence[str], what: str
) -> tuple[str, ...] | None:
    """Names that patterns mean, in the order of the board; None where none are given: all count."""
    if patterns is None:
        return None
    found: set[str] = set()
    for at, pattern in enumerate(patterns):
        mine = {name for name in known if name == pattern or fnmatchcase(name, pattern)}
        if not mine:
            near = look_alikes(pattern, list(known))
            raise InputError([document.problem((*path, at), f"the board has no such {what}", found=quoted(pattern),
                                               expected=clip(", ".join(known[:20])),
                                               fix=f"did you mean {' or '.join(near)}?" if near else "")])
        found |= mine
    return tuple(name for name in known if name in found)


def _wanted(ruleset: Ruleset, asked: WhatHolds) -> tuple[str, ...]:
    """The rules of a full check: those that are not off, nor look at nothing but links or rails of which none is asked.
    """
    empty = {section for section, names in (("links", asked.links), ("rails", asked.rails))
             if names is not None and not names}
    named = {*asked.judged, *(one.rule for one in asked.shown)}
    return tuple(rule for rule in ruleset.rules if rule in named or not (
        ruleset.off(rule) or {key.partition(".")[0] for key in all_rules()[rule].META.inputs} <= empty))


def _space(document: Document, spec: SearchSpec, loaded: Loaded, ruleset: Ruleset, costs: Costs) -> SearchSpace:
    counts = [(at, one) for at, one in enumerate(spec.axes) if one.kind == "layers"]
    if len(counts) > 1:
        raise InputError([document.problem(("axes", counts[1][0]), "two axes are the number of layers",
                                           expected="one of them")])
    values = {at: _values(document, at, one) for at, one in enumerate(spec.axes)}
    scene = MoveScene(loaded.document, in_class(loaded.board, ruleset), (), costs)
    frames = []
    kept: set[tuple[str, int]] = set()
    for text, layered, at in _frames(document, counts, values, scene):
        with placed(document, ("axes", at) if at is not None else ("board",)):
            board = in_class(board_of(layered.document)[0], ruleset)
        here = MoveScene(layered.document, board, (), costs)
        axes = tuple(_axis(document, here, number, one, values[number], retune=spec.retune)
                     for number, one in enumerate(spec.axes) if one.kind != "layers")
        kept |= set(kept_traces(here, axes))
        thickness = board.stack.thickness if board.stack else 0.0
        frames.append(SpaceFrame(text, layered.document, axes, layered.cost, thickness,
                                 layered.document is not loaded.document))
    space = SearchSpace(tuple(frames), frozenset(kept))
    _check_places(document, spec, space)
    if space.count > MOST:
        raise InputError([document.problem(("axes",), "too many candidates", found=f"{space.count}",
                                           expected=f"at most {MOST}", fix="take fewer values")])
    return space


def _values(document: Document, at: int, axis: SearchAxisSpec) -> tuple[VariedValue, ...]:
    with placed(document, ("axes", at), lambda one: ("costs",) if one.path == "costs" else ("values",)):
        return axis_values(axis)


def _frames(
    document: Document, counts: Sequence[tuple[int, SearchAxisSpec]],
    values: dict[int, tuple[VariedValue, ...]], scene: MoveScene,
) -> Iterator[tuple[str, LayeredBoard, int | None]]:
    """The board with every number of layers, and which axis says so; as it is without such an axis."""
    if not counts:
        yield "", LayeredBoard(scene.document, 0, 0.0), None
        return
    ((at, axis),) = counts
    for place, value in enumerate(values[at]):
        with placed(document, _value_path(axis, at, place)):
            if not isinstance(value.value, int):
                raise InputError([document.problem(_value_path(axis, at, place), "this is no number of layers",
                                                   found=quoted(value.value), expected="a whole number, such as 12")])
            made = with_layers(scene, value.value)
        if axis.costs is not None:
            made = replace(made, cost=round(axis.costs[place] * PARTS))
        yield value.text, made, at


def _axis(
    document: Document, scene: MoveScene, at: int, spec: SearchAxisSpec, values: tuple[VariedValue, ...], *,
    retune: bool,
) -> SearchAxis:
    """An axis on a board; a value that the board file does not take is a fault of the spec.

    Of a range the ends are tried. A number that is refused for what stands beside it is no fault: another axis may
    move that.
    """
    with placed(document, ("axes", at, spec.kind)):
        axis = search_axis(scene, spec, values, retune=retune)
    ranged = len(values) > MOST_TRIED or (isinstance(spec.values, str) and spec.values.count(":") == 2)
    tried = {0, len(values) - 1} if ranged else range(len(values))
    for place, (value, point) in enumerate(zip(values, axis.points, strict=True)):
        if point.changes and (value.number is None or place in tried):
            try:
                board_of(edited(scene.document, PartTask(0, point.edits, point.removed, (), ())))
            except InputError as error:
                first = error.problems[0]
                own = {show_path(path) for path, _ in point.edits}
                if value.number is not None and not any(one.path in own for one in error.problems):
                    continue
                raise InputError([document.problem(
                    _value_path(spec, at, place), f"the board file does not take this value: {first_fault(error)}",
                    found=quoted(value.value), expected=first.expected, fix=first.fix)]) from None
    return axis


def _value_path(axis: SearchAxisSpec, at: int, place: int) -> Path:
    return ("axes", at, "values", place) if isinstance(axis.values, tuple) else ("axes", at, "values")


def _check_places(document: Document, spec: SearchSpec, space: SearchSpace) -> None:
    """Raise InputError where two axes change one place of the board file."""
    numbers = [at for at, one in enumerate(spec.axes) if one.kind != "layers"]
    for place, axis in enumerate(space.axes):
        if axis.label in [one.label for one in space.axes[:place]]:
            raise InputError([document.problem(("axes", numbers[place]), "two axes change one place",
                                               found=quoted(axis.label), expected="each axis once")])
    taken: dict[Path, int] = {}
    above: dict[Path, int] = {}
    for frame in space.frames:
        for at, axis in zip(numbers, frame.axes, strict=True):
            mine = {path for point in axis.points for path, _ in point.edits}
            for path in sorted(mine, key=show_path):
                upper = [path[:length] for length in range(1, len(path))]
                others = [taken.get(one) for one in (path, *upper)] + [above.get(path)]
                other = next((one for one in others if one not in (None, at)), None)
                if other is not None:
                    raise InputError([document.problem(("axes", at), "two axes change one place", found=show_path(path),
                                                       expected=f"places that axes[{other}] does not change")])
                taken[path] = at
                above.update((one, at) for one in upper)
