# SPDX-License-Identifier: MIT
"""The rails of a board that was read, and their impedances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pcbrules.api._arguments import ProfileGiven, ruleset_of
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import show_path
from pcbrules.engine import conditions_of
from pcbrules.errors import InputError, Problem, clip
from pcbrules.results.plotting import drawn

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from pcbrules.api._loaded import Loaded
    from pcbrules.api._pictures import RailPicture
    from pcbrules.model.rail import Rail as RailSpec
    from pcbrules.networks._skrf import SkrfNetwork


@dataclass(frozen=True, slots=True)
class LoadedRail:
    """A rail of a board that was read."""

    loaded: Loaded
    name: str
    spec: RailSpec

    def __repr__(self) -> str:
        return f"<rail {clip(self.name, 60)} of {clip(self.loaded.name, 60)}>"

    @one_blas_thread
    def impedance(self, profile: ProfileGiven, *, frequency: ArrayLike | None = None) -> SkrfNetwork:
        """The nominal impedance of the rail where its load stands, as a network of scikit-rf with one port.

        Parameters
        ----------
        profile : str, path, mapping or Ruleset
            Where the temperatures come from.
        frequency : sequence of float, optional
            Rising, above zero; if not given a grid that holds the peaks. [Hz]

        Returns
        -------
        skrf.Network
            One port over 1 ohm; its ``z`` is the impedance. [ohm]

        Raises
        ------
        InputError
            Unknown profile, or a rail that is not known: the message says which inputs are missing.
        ValueError
            Frequencies that do not rise, or zero.
        """
        from pcbrules.studies.channel_network import rising
        from pcbrules.studies.names import reason
        from pcbrules.studies.rail_network import rail_network

        grid = None if frequency is None else rising(frequency)
        if grid is not None and grid[0] == 0:
            raise ValueError("the impedance of a rail is asked for above zero")
        made = rail_network(self.loaded.board, self.name, conditions_of(ruleset_of(profile)), grid)
        if isinstance(made, tuple):
            place, document = ("rails", self.name), self.loaded.document
            raise InputError([Problem(*document.place(place), show_path(place), "this rail has no impedance",
                                      found=reason(one)) for one in made])
        return made

    def plot(self, profile: ProfileGiven, what: RailPicture = "impedance", *, ax: Any = None, label: str = "") -> Any:
        """Draw the rail as a report does, with its limits, where matplotlib is installed.

        Parameters
        ----------
        profile : str, path, mapping or Ruleset
            As of ``check``.
        what : str
            ``impedance`` over frequency against its target, ``step`` or ``release``: the voltage after the load step.
        ax, label
            As of ``Link.plot``.

        Returns
        -------
        Axes of matplotlib

        Raises
        ------
        InputError
            Unknown profile, or a picture that cannot be made: the message says why.
        ImportError
            If matplotlib is not installed: it is no part of pcbrules.
        ValueError
            Another word for what to draw.
        """
        from pcbrules.api._pictures import picture

        return drawn(picture(self.loaded, profile, ("rails", self.name), what), ax, label)
