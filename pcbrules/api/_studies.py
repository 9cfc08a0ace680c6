# SPDX-License-Identifier: MIT
"""Questions that no profile judges: lines, channels, rails, what would suffice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcbrules import engine
from pcbrules.api._arguments import ProfileGiven, kind, ruleset_of
from pcbrules.api._judging import judge
from pcbrules.api._loaded import BoardGiven, Loaded, read_board, resolve
from pcbrules.api._profiles import in_class, temperatures
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import Document
from pcbrules.model.board import Board
from pcbrules.phrases import under
from pcbrules.results.exhibit import Exhibit
from pcbrules.results.finding import Finding

if TYPE_CHECKING:  # their root finder takes a quarter of a second to load
    from pcbrules.studies.channels import Channels
    from pcbrules.studies.design import Design, WantedTrace
    from pcbrules.studies.lines import Lines
    from pcbrules.studies.pdn import Rails
    from pcbrules.studies.pdn_optimum import Decoupling
    from pcbrules.studies.pdn_optimum import WantedRail as WantedDecoupling


@one_blas_thread
def lines(
    board: BoardGiven, profile: ProfileGiven, *, layer: str | None = None, link: str | None = None
) -> Lines:
    """Every trace geometry of a board, at the temperatures of a profile.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    layer, link : str, optional
        Only traces of this layer or link.

    Raises
    ------
    InputError
        Unknown profile, layer or link, or a faulty ruleset.
    """
    from pcbrules.studies import lines as line_study

    loaded = read_board(board, "lines")
    ruleset = ruleset_of(profile)
    cold, hot = temperatures(ruleset)
    return line_study.lines(in_class(loaded.board, ruleset), cold=cold, hot=hot, layer=layer, link=link)


@one_blas_thread
def channels(
    loaded: Loaded, profile: ProfileGiven, *, link: str | None = None, watch: engine.Watch | None = None
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

    loaded = read_board(loaded, "channels")
    ruleset = ruleset_of(profile)
    cold, hot = temperatures(ruleset)
    return channel_study.channels(in_class(loaded.board, ruleset), cold=cold, hot=hot, link=link, watch=watch)


@one_blas_thread
def design(board: BoardGiven, profile: ProfileGiven, wanted: WantedTrace) -> Design:
    """The trace that has an impedance on a layer of a board, at the temperatures of a profile.

    Parameters
    ----------
    board : BoardGiven
        A board that was read, or what ``load`` takes: path, text or mapping.
    profile : ProfileGiven
        Name of a shipped profile, or a ruleset: its file, its text, as a mapping, or read.
    wanted : WantedTrace
        Layer, impedance, and what is given of the trace.

    Raises
    ------
    InputError
        Unknown profile or layer, a faulty ruleset, or what is wanted cannot be.
    """
    from pcbrules.studies import design as design_study

    if not isinstance(wanted, design_study.WantedTrace):
        raise TypeError("design() takes what is wanted as pcbrules.WantedTrace(layer='L1', impedance=90.0, pair=True), "
                        f"not {kind(wanted)}")
    loaded = read_board(board, "design")
    ruleset = ruleset_of(profile)
    cold, hot = temperatures(ruleset)
    return design_study.design(in_class(loaded.board, ruleset), wanted, cold=cold, hot=hot)


@one_blas_thread
def rails(loaded: Loaded, profile: ProfileGiven, *, rail: str | None = None) -> Rails:
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

    loaded = read_board(loaded, "rails")
    ruleset = ruleset_of(profile)
    rule = rail_study.RULE
    findings = judge(loaded, ruleset, [rule]) if rule in ruleset.rules else ()
    return rail_study.rails(loaded.board, engine.conditions_of(ruleset), findings, rail=rail)


@one_blas_thread
def rail_exhibits(loaded: Loaded, profile: ProfileGiven, rail: str) -> tuple[Exhibit, ...]:
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

    loaded = read_board(loaded, "rail_exhibits")
    ruleset = ruleset_of(profile)
    rules = [rule for rule in (*rails_over_time.RULES, *rails_planes.RULES) if rule in ruleset.rules]
    scene = Scene(loaded.board, engine.conditions_of(ruleset), scene_limits(judge(loaded, ruleset, rules)))
    made = (*rails_over_time.exhibits(scene), *rails_planes.exhibits(scene))
    return tuple(one for one in made if one.subject == f"rails{under(rail)}")


@one_blas_thread
def decoupling(loaded: Loaded, profile: ProfileGiven, rail: str, wanted: WantedDecoupling) -> Decoupling:
    """The fewest capacitors of a rail that hold its limit, and what the power rules then say.

    Parameters
    ----------
    loaded : Loaded
    profile : str or Ruleset
        Name of a shipped profile, path of a ruleset file, or a ruleset.
    rail : str
        Name of the rail.
    wanted : pcbrules.studies.pdn_optimum.WantedRail
        Margin, further parts, most pieces a bank.

    Raises
    ------
    InputError
        Unknown profile, rail or part, a faulty ruleset, or a rail that cannot be evaluated.
    """
    from pcbrules.studies import pdn_optimum

    loaded = read_board(loaded, "decoupling")
    ruleset = ruleset_of(profile)
    rules = [rule for rule in ruleset.rules if rule.startswith("PDN")]

    def judged(document: Document) -> tuple[Board, tuple[Finding, ...]]:
        variant = resolve(document)
        return variant.board, judge(variant, ruleset, rules)

    def resolved(document: Document) -> Board:
        return resolve(document).board

    return pdn_optimum.decoupling(loaded.document, judged, resolved, engine.conditions_of(ruleset), rail, wanted)
