# SPDX-License-Identifier: MIT
"""What `import pcbrules` offers; the command line is a thin layer over it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

from pcbrules import engine, library, rulesets, waivers
from pcbrules.baseline import Against
from pcbrules.document import Document, read_yaml, show_path
from pcbrules.errors import InputError, Problem, quoted
from pcbrules.model.board import Board, BoardLink
from pcbrules.model.conditions import Conditions
from pcbrules.readers.board_yaml import board_of
from pcbrules.results.exhibit import Exhibit
from pcbrules.results.explanation import Explanation, Input
from pcbrules.results.finding import SEVERITY_ORDER, Finding, Location, Severity, Status
from pcbrules.results.profile import Ruleset
from pcbrules.results.report import InputFile, Profile, Report
from pcbrules.rules._engine_rules import COMPARED, ENGINE_RULES
from pcbrules.waivers import Permission

if TYPE_CHECKING:  # a check needs neither, and their root finder takes a quarter of a second to load
    from numpy.typing import ArrayLike

    from pcbrules.networks._skrf import SkrfNetwork
    from pcbrules.studies.channels import Channels
    from pcbrules.studies.design import Design, Wanted
    from pcbrules.studies.lines import Lines
    from pcbrules.studies.pdn import Rails
    from pcbrules.studies.pdn_optimum import Decoupling
    from pcbrules.studies.pdn_optimum import Wanted as WantedDecoupling

class NotebookReport(Report):
    """A report that a notebook shows as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from pcbrules.reports._notebook import notebook

        return notebook(self)


JUDGED = frozenset({Status.PASS, Status.MARGINAL, Status.FAIL, Status.WAIVED})
UNUSED = "PCB002"


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge and what counts for the exit code.

    Attributes
    ----------
    fail_on : Severity
        Least severity at which a fail counts.
    select, ignore : tuple of str
        Ids, or beginnings of ids (``SIG``), of the rules to judge or to leave out.
    allow_incomplete : bool
        Findings that were not evaluated do not count.
    require_computed : bool
        A pass that rests on a declaration becomes not evaluated.
    public_only : bool
        Leave out limits without a public source.
    """

    fail_on: Severity = Severity.ERROR
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    allow_incomplete: bool = False
    require_computed: bool = False
    public_only: bool = False


@dataclass(frozen=True, slots=True)
class Loaded:
    """A board file that was read: its document, the resolved board, warnings of the reader."""

    document: Document
    board: Board
    warnings: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The board's name."""
        return self.board.file.board.name

    @property
    def links(self) -> Mapping[str, Link]:
        """The links of the board by their names, in the order of the file."""
        return MappingProxyType({one.name: Link(self, one) for one in self.board.links or ()})


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a board that was read."""

    loaded: Loaded
    spec: BoardLink

    @property
    def name(self) -> str:
        """Its name in the board file."""
        return self.spec.name

    @property
    def standard(self) -> str:
        """Name of its standard."""
        return self.spec.standard.name

    @property
    def nyquist(self) -> float:
        """Half of its symbol rate. [Hz]"""
        return self.spec.standard.nyquist

    def network(
        self, profile: str | Ruleset = "training", *, legs: bool = False, frequency: ArrayLike | None = None
    ) -> SkrfNetwork:
        """The board's part of the channel as a network of scikit-rf, at the hot temperature of a profile.

        Parameters
        ----------
        profile : str or Ruleset
            Where the temperature comes from, and the fabrication class of a board that names none.
        legs : bool
            The four-port of the legs (ports 1, 2: positive and negative at the beginning of the path; 3, 4: at its
            end) in place of the two-port of the differential mode.
        frequency : sequence of float, optional
            Rising, zero allowed; if not given 10 MHz apart from zero to 60 GHz, 85 GHz for the fastest links. [Hz]

        Returns
        -------
        skrf.Network
            Over the link's differential impedance, each leg over half of it. [ohm]

        Raises
        ------
        InputError
            Unknown profile, or a channel that is not known: the message says why.
        ValueError
            Frequencies that do not rise.
        """
        from pcbrules.studies.channel_network import network, rising
        from pcbrules.studies.channels import Unknown, prepared

        ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
        cold, hot = _temperatures(ruleset)
        made = prepared(_in_class(self.loaded.board, ruleset), self.spec, cold=cold, hot=hot)
        if isinstance(made, Unknown):
            raise self._unknown(made.reason)
        grid = None if frequency is None else rising(frequency)
        try:
            return network(made.task.hot, legs=legs, name=self.name, frequency=grid)
        except ValueError as error:
            raise self._unknown(str(error)) from None

    def _unknown(self, reason: str) -> InputError:
        document = self.loaded.document
        place = (document.file, *document.at(self.spec.path), show_path(self.spec.path))
        return InputError([Problem(*place, "this link has no network", found=reason)])


def load(path: str, shown_as: str | None = None) -> Loaded:
    """Read a board file. Raises InputError with every fault."""
    return resolve(read_yaml(path, shown_as))


def resolve(document: Document) -> Loaded:
    """Check and resolve a document: a board file as read, or an edited variant of it. Raises InputError."""
    board, warnings = board_of(document)
    return Loaded(document, board, warnings)


def check(
    loaded: Loaded,
    profile: str | Ruleset,
    options: Options = Options(),
    *,
    permissions: Sequence[Permission] = (),
    waiver_file: InputFile | None = None,
    today: dt.date | None = None,
    against: Against | None = None,
    exhibits: bool = False,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> Report:
    """Judge a board by a profile.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    options : Options
    permissions : sequence of Permission
        Entries of a waiver file; needs ``today``.
    waiver_file : InputFile, optional
        The waiver file, for the list of inputs.
    today : date, optional
        Date at which waivers expire.
    against : Against, optional
        An earlier report: only what is new or has lost margin counts.
    exhibits : bool
        Add what reports in HTML and PDF draw: curves, ledgers, the stackup.
    executor : Executor, optional
        Solves the tasks; serial if absent.
    watch : function, optional
        Is handed the results as they come, and their number: a progress bar.

    Raises
    ------
    InputError
        Unknown profile or rule, faulty ruleset, a profile of which no rule applies, or a baseline that is not
        comparable.
    """
    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    if options.public_only:
        ruleset = ruleset.public_only()
    chosen = _chosen(ruleset, options)
    document, board = loaded.document, loaded.board.file.board.name
    told = against.check(board, document.file, ruleset) if against else ()
    findings = judge(loaded, ruleset, chosen, require_computed=options.require_computed, executor=executor,
                     watch=watch)
    if all(f.status is Status.NOT_APPLICABLE for f in findings):
        raise InputError([
            Problem(document.file, 0, 0, "", f"no rule of profile {ruleset.name} applies to this board",
                    fix="choose another profile, or add the sections that its rules need")
        ])
    conditions = list(ruleset.condition_texts)
    blocks = sorted({(block.file, block.sha256) for block in loaded.board.blocks.values()})
    inputs = [InputFile("board", document.file, document.sha256), *ruleset.inputs]
    inputs += [InputFile("touchstone", *block) for block in blocks]
    mine = [p for p in permissions if p.board in ("", board)]
    if permissions or waiver_file:
        if today is None:
            raise ValueError("waivers need a date")
        findings = waivers.apply(findings, [p for p in mine if p.rule in chosen], today)
        conditions.append(("today", today.isoformat()))
        inputs += [waiver_file] if waiver_file else []
    if against:
        findings, compared = against.compare(findings, board, document.file, chosen, _locator(document))
        told = (*compared, *told)
        if today is not None:  # a loss that a review accepts
            findings = waivers.apply(findings, [p for p in mine if p.rule in COMPARED], today)
        inputs.append(against.baseline.input)
    report = NotebookReport(
        board=board,
        profile=Profile(ruleset.name, ruleset.version, ruleset.title),
        inputs=tuple(inputs),
        conditions=tuple(conditions),
        findings=findings,
        notes=(*told, *_notes(loaded, ruleset, chosen, options)),
        exhibits=_exhibits(loaded, ruleset, findings) if exhibits else (),
    )
    return replace(report, exit_code=exit_code(report, options))


def _exhibits(loaded: Loaded, ruleset: Ruleset, findings: tuple[Finding, ...]) -> tuple[Exhibit, ...]:
    from pcbrules.studies.exhibits import exhibits

    conditions = _conditions(ruleset)
    return exhibits(_in_class(loaded.board, ruleset), conditions, findings)


def lines(
    loaded: Loaded, profile: str | Ruleset, *, layer: str | None = None, link: str | None = None
) -> Lines:
    """Every trace geometry of a board, at the temperatures of a profile.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    layer, link : str, optional
        Only traces of this layer or link.

    Raises
    ------
    InputError
        Unknown profile, layer or link, or a faulty ruleset.
    """
    from pcbrules.studies import lines as line_study

    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    cold, hot = _temperatures(ruleset)
    return line_study.lines(_in_class(loaded.board, ruleset), cold=cold, hot=hot, layer=layer, link=link)


def channels(
    loaded: Loaded, profile: str | Ruleset, *, link: str | None = None, watch: engine.Watch | None = None
) -> Channels:
    """The board's part of every channel, at the temperatures of a profile.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    link : str, optional
        Only this link.
    watch : function, optional
        Is handed the channels as they come, and their number: a progress bar.

    Raises
    ------
    InputError
        Unknown profile or link, or a faulty ruleset.
    """
    from pcbrules.studies import channels as channel_study

    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    cold, hot = _temperatures(ruleset)
    return channel_study.channels(_in_class(loaded.board, ruleset), cold=cold, hot=hot, link=link, watch=watch)


def design(loaded: Loaded, profile: str | Ruleset, wanted: Wanted) -> Design:
    """The trace that has an impedance on a layer of a board, at the temperatures of a profile.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    wanted : Wanted
        Layer, impedance, and what is given of the trace.

    Raises
    ------
    InputError
        Unknown profile or layer, a faulty ruleset, or what is wanted cannot be.
    """
    from pcbrules.studies import design as design_study

    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    cold, hot = _temperatures(ruleset)
    return design_study.design(_in_class(loaded.board, ruleset), wanted, cold=cold, hot=hot)


def rails(loaded: Loaded, profile: str | Ruleset, *, rail: str | None = None) -> Rails:
    """The power rails of a board: |Z| over frequency against the limit of a profile, and what each bank does.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    rail : str, optional
        Only this rail.

    Raises
    ------
    InputError
        Unknown profile or rail, or a faulty ruleset.
    """
    from pcbrules.studies import pdn as rail_study

    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    rule = rail_study.RULE
    findings = judge(loaded, ruleset, [rule]) if rule in ruleset.rules else ()
    return rail_study.rails(loaded.board, _conditions(ruleset), findings, rail=rail)


def rail_exhibits(loaded: Loaded, profile: str | Ruleset, rail: str) -> tuple[Exhibit, ...]:
    """What a report draws of one rail beside its impedance: load step, release, drop over the planes.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    rail : str
        Name of the rail.
    """
    from pcbrules.studies.exhibits import Scene, rails_over_time, rails_planes, scene_limits

    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    rules = [rule for rule in (*rails_over_time.RULES, *rails_planes.RULES) if rule in ruleset.rules]
    scene = Scene(loaded.board, _conditions(ruleset), scene_limits(judge(loaded, ruleset, rules)))
    made = (*rails_over_time.exhibits(scene), *rails_planes.exhibits(scene))
    return tuple(one for one in made if one.subject == f"rails.{rail}")


def decoupling(loaded: Loaded, profile: str | Ruleset, rail: str, wanted: WantedDecoupling) -> Decoupling:
    """The fewest capacitors of a rail that hold its limit, and what the power rules then say.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    rail : str
        Name of the rail.
    wanted : pcbrules.studies.pdn_optimum.Wanted
        Margin, further parts, most pieces a bank.

    Raises
    ------
    InputError
        Unknown profile, rail or part, a faulty ruleset, or a rail that cannot be evaluated.
    """
    from pcbrules.studies import pdn_optimum

    ruleset = rulesets.load(profile) if isinstance(profile, str) else profile
    rules = [rule for rule in ruleset.rules if rule.startswith("PDN")]

    def judged(document: Document) -> tuple[Board, tuple[Finding, ...]]:
        variant = resolve(document)
        return variant.board, judge(variant, ruleset, rules)

    return pdn_optimum.decoupling(loaded.document, judged, _conditions(ruleset), rail, wanted)


def _conditions(ruleset: Ruleset) -> Conditions:
    return Conditions(**ruleset.conditions)  # type: ignore[arg-type]


def _temperatures(ruleset: Ruleset) -> tuple[float, float]:
    """Board temperatures of the two corners. [degC]"""
    return float(ruleset.conditions["cold"]), float(ruleset.conditions["hot"])


def judge(
    loaded: Loaded,
    ruleset: Ruleset,
    rules: Iterable[str],
    *,
    require_computed: bool = False,
    executor: Executor | None = None,
    watch: engine.Watch | None = None,
) -> tuple[Finding, ...]:
    """Findings of some rules, worst first, without waivers; see ``check``."""
    locate = _locator(loaded.document)

    def judged(board: Board, rules: Iterable[str], watch: engine.Watch | None = None) -> tuple[Finding, ...]:
        return engine.evaluate(
            _in_class(board, ruleset), ruleset, locate, rules=rules, require_computed=require_computed,
            executor=executor, watch=watch,
        )

    return tuple(_with_checked_fix(f, loaded, judged) for f in judged(loaded.board, rules, watch))


def _locator(document: Document) -> Callable[[tuple[str | int, ...]], Location]:
    return lambda path: Location(document.file, *document.at(path))


def explain(loaded: Loaded, ruleset: Ruleset, rule: str) -> tuple[Explanation, ...]:
    """The findings of one rule as ``check`` reports them, each with its inputs and how its number came about."""
    found = judge(loaded, ruleset, [rule])
    return tuple(_explanation(finding, loaded.document, ruleset) for finding in found if finding.rule == rule)


def _explanation(finding: Finding, document: Document, ruleset: Ruleset) -> Explanation:
    measured = finding.measured
    inputs = []
    for path in dict.fromkeys(measured.reads if measured else ()):
        line, column = document.at(path)
        inputs.append(Input(show_path(path), Location(document.file, line, column), _written(document, path)))
    derivation = measured.derivation() if measured and measured.derivation else None
    return Explanation(ruleset.name, finding, tuple(inputs), derivation)


def _written(document: Document, path: tuple[str | int, ...]) -> str:
    """A value as the file writes it; of a mapping or a list how much it holds; empty where it is not there."""
    value = document.get(path, "")
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return f"a mapping: {', '.join(value)}"
    if isinstance(value, list):
        plain = all(isinstance(item, str | int | float) for item in value)
        return f"[{', '.join(map(str, value))}]" if plain else f"a list of {len(value)}"
    return document.written(path) or quoted(value)


def settle(reports: Sequence[Report], permissions: Sequence[Permission], options: Options) -> list[Report]:
    """Reports of several boards under one waiver file: an entry that serves one board is not unused on the others."""
    unused = [{f.where for f in report.findings if f.rule == UNUSED} for report in reports]
    serving = {p.where for p in permissions if not p.board and not all(p.where in places for places in unused)}
    result = []
    for report in reports:
        kept = tuple(f for f in report.findings if f.rule != UNUSED or f.where not in serving)
        report = replace(report, findings=kept)
        result.append(replace(report, exit_code=exit_code(report, options)))
    return result


def exit_code(report: Report, options: Options) -> int:
    """1 a fail at or above ``fail_on``; 3 nothing failed but something was not evaluated, or a rule crashed; else 0.

    What a baseline has already does not count, and what it had judged may not be left open. A report in which nothing
    at all was judged is 3 whatever was allowed: it checked nothing.
    """
    fresh = [f for f in report.findings if not (f.change and f.change.known)]
    counted = [f for f in fresh if SEVERITY_ORDER[f.severity] <= SEVERITY_ORDER[options.fail_on]]
    if any(f.status is Status.FAIL or (f.status is Status.MARGINAL and f.counts_as_fail) for f in counted):
        return 1
    if any(f.status is Status.CRASHED for f in report.findings):
        return 3
    if not any(f.status in JUDGED and f.rule not in ENGINE_RULES for f in report.findings):
        return 3
    open_ones = [f for f in counted if f.status is Status.NOT_EVALUATED and f.waiver is None]
    if options.allow_incomplete:
        open_ones = [f for f in open_ones if f.change and f.change.was in JUDGED]
    return 3 if open_ones else 0


def worst_exit(codes: Iterable[int]) -> int:
    """The code of several boards: 2, 1, 3, 0 in this order of precedence."""
    return min(codes, key=(2, 1, 3, 0).index, default=0)


def _chosen(ruleset: Ruleset, options: Options) -> list[str]:
    known = list(ruleset.rules)

    def named(rule: str, texts: tuple[str, ...]) -> bool:
        return any(rule.startswith(text.upper()) for text in texts)

    for text in (*options.select, *options.ignore):
        if not text or not any(named(rule, (text,)) for rule in known):
            raise InputError([
                Problem("--select/--ignore", 0, 0, "", "no rule begins so", quoted(text), ", ".join(known[:40]))
            ])
    chosen = [r for r in known if (not options.select or named(r, options.select)) and not named(r, options.ignore)]
    if not chosen:
        raise InputError([Problem("--select/--ignore", 0, 0, "", "no rule is left to judge")])
    return chosen


def _in_class(board: Board, ruleset: Ruleset) -> Board:
    """The board, made in the profile's fabrication class where it names none of its own."""
    own = board.file.fabrication and board.file.fabrication.fab_class
    name = ruleset.conditions.get("fabrication_class")
    return board if own or name is None else replace(board, fabrication=library.entry("fabrication", str(name)))


def _notes(loaded: Loaded, ruleset: Ruleset, chosen: list[str], options: Options) -> Iterator[str]:
    """What the reader warned of, and how far this check was narrowed: a report must say what it leaves out."""
    yield from (problem.text() for problem in loaded.warnings)
    yield from ruleset.notes
    yield from (f"left out, no public source: {text}" for text in ruleset.dropped)
    omitted = [rule for rule in ruleset.rules if rule not in chosen]
    if omitted:
        yield f"rules left out by --select or --ignore: {', '.join(omitted)}"
    if options.allow_incomplete:
        yield "what was not evaluated does not count for the exit code (--allow-incomplete)"
    if options.require_computed:
        yield "a pass that rests on a declaration is not evaluated (--require-computed)"
    if options.fail_on is not Severity.ERROR:
        yield f"fails count from severity {options.fail_on.value} (--fail-on)"


def _with_checked_fix(
    finding: Finding, loaded: Loaded, judged: Callable[[Board, Iterable[str]], tuple[Finding, ...]]
) -> Finding:
    """Quote a numeric fix only if the board with it passes this finding."""
    proposal = finding.proposal
    if proposal is None:
        return finding
    try:
        variant = resolve(loaded.document.edited(proposal.path, proposal.value))
    except InputError:
        return replace(finding, proposal=None)
    again = judged(variant.board, [finding.rule])
    same = [f for f in again if f.subject == finding.subject]
    if not same or any(f.status is not Status.PASS for f in same):
        return replace(finding, proposal=None)
    text = f"set `{show_path(proposal.path)}` to {proposal.value} (re-checked: passes)"
    return replace(finding, fix=f"{text}; or {finding.fix}" if finding.fix else text)


def is_board_name(name: str) -> bool:
    """True for names that a directory scan takes for board files."""
    return PurePath(name).suffix.lower() in (".yaml", ".yml") and not PurePath(name).name.startswith(".")
