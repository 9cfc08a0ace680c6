# SPDX-License-Identifier: MIT
"""The links of a board that was read: networks, impedance over time, crosstalk, pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pcbrules.api._arguments import ProfileGiven, ruleset_of
from pcbrules.api._profiles import in_class, temperatures
from pcbrules.blas_threads import one_blas_thread
from pcbrules.document import show_path
from pcbrules.errors import InputError, Problem, clip
from pcbrules.model.board import Board, BoardLink
from pcbrules.results.plotting import drawn

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from pcbrules.analysis.channel.facts import Prepared
    from pcbrules.analysis.channel.tdr_solve import TdrProfile
    from pcbrules.api._loaded import Loaded
    from pcbrules.api._pictures import LinkPicture
    from pcbrules.networks._skrf import SkrfNetwork
    from pcbrules.studies.channels import LoudestCrosstalk


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a board that was read."""

    loaded: Loaded
    spec: BoardLink

    def __repr__(self) -> str:
        return f"<link {clip(self.name, 60)}: {clip(self.standard, 60)}, {len(self.spec.steps)} elements>"

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

    @one_blas_thread
    def network(
        self, profile: ProfileGiven, *, legs: bool = False, frequency: ArrayLike | None = None
    ) -> SkrfNetwork:
        """The board's part of the channel as a network of scikit-rf, at the hot temperature of a profile.

        Parameters
        ----------
        profile : str, path, mapping or Ruleset
            Where the temperature comes from, and the fabrication class of a board that names none.
        legs : bool
            The four-port of the legs (ports 1, 2: positive and negative at the beginning of the path; 3, 4: at its
            end) in place of the two-port of the differential mode.
        frequency : sequence of float, optional
            Rising, zero allowed; if not given 10 MHz apart from zero to 60 GHz, 85 GHz for the fastest links. [Hz]

        Returns
        -------
        skrf.Network
            Over the link's differential impedance, each leg over half of it; of a single-ended link over its own. [ohm]

        Raises
        ------
        InputError
            Unknown profile, or a channel that is not known: the message says why.
        ValueError
            Frequencies that do not rise, or legs of a single-ended link.
        """
        from pcbrules.studies.channel_network import network, rising

        made = self._prepared(profile)
        grid = None if frequency is None else rising(frequency)
        if legs and self.spec.standard.signalling != "differential":
            raise ValueError(f"{self.name} is single-ended: it has no legs")
        try:
            return network(made.task.hot, legs=legs, name=self.name, frequency=grid)
        except ValueError as error:
            raise self._unknown(str(error)) from None

    @one_blas_thread
    def tdr(self, profile: ProfileGiven) -> TdrProfile:
        """Impedance over time from either end of the path, at the hot temperature of a profile.

        The step rises as CHN007 has it, from the Nyquist frequency of the link. Packages are left out.

        Parameters
        ----------
        profile : str, path, mapping or Ruleset
            As of ``network``.

        Returns
        -------
        TdrProfile
            ``time`` [s], there and back, with ``from_1`` and ``from_2`` [ohm].

        Raises
        ------
        InputError
            Unknown profile, or a channel that is not known: the message says why.
        """
        from pcbrules.analysis.channel.site import tdr_task
        from pcbrules.analysis.channel.tdr_solve import profile as solved

        made = self._prepared(profile)
        seen = solved(tdr_task(made.kept, made.task.hot.z_ref, self.nyquist)[1])
        if seen is None:
            raise self._unknown("an element has no model over time")
        return seen

    @one_blas_thread
    def crosstalk(self, profile: ProfileGiven) -> LoudestCrosstalk:
        """Crosstalk at the louder end of the link, as SIG005 and SIG006 add it up.

        Parameters
        ----------
        profile : str, path, mapping or Ruleset
            As of ``network``.

        Returns
        -------
        LoudestCrosstalk
            Its ``level`` [dB], ``end`` and ``frequency`` [Hz].

        Raises
        ------
        InputError
            Unknown profile, or crosstalk that is not known: the message says why.
        """
        from pcbrules.missing import Missing
        from pcbrules.studies.channels import loudest_crosstalk
        from pcbrules.studies.names import reason

        board, cold, hot = self._judged(profile)
        found = loudest_crosstalk(board, self.spec, cold=cold, hot=hot)
        if isinstance(found, Missing):
            raise self._unknown(reason(found), "the crosstalk of this link is not known")
        return found

    def plot(self, profile: ProfileGiven, what: LinkPicture = "loss", *, ax: Any = None, label: str = "") -> Any:
        """Draw the link as a report does, with its limits and masks, where matplotlib is installed.

        Parameters
        ----------
        profile : str, path, mapping or Ruleset
            As of ``check``.
        what : str
            ``loss`` and ``return_loss`` over frequency, ``tdr`` over time, or ``ledger``: where the loss arises.
        ax : Axes of matplotlib, optional
            Where to draw; a new figure if not given. Curves on axes that hold a picture get the next colour.
        label : str
            Stands before the names of the curves, to tell boards apart.

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

        return drawn(picture(self.loaded, profile, ("links", self.name), what), ax, label)

    def _prepared(self, profile: ProfileGiven) -> Prepared:
        """The channel as numbers. Raises InputError where it is not known."""
        from pcbrules.missing import Missing
        from pcbrules.studies.channels import prepared
        from pcbrules.studies.names import reason

        board, cold, hot = self._judged(profile)
        made = prepared(board, self.spec, cold=cold, hot=hot)
        if isinstance(made, Missing):
            raise self._unknown(reason(made))
        return made

    def _judged(self, profile: ProfileGiven) -> tuple[Board, float, float]:
        """The board as a check takes it, what it leaves open at the unfavourable end, and its temperatures [degC]."""
        from pcbrules.analysis.common.sold import ends_of_what_is_sold

        ruleset = ruleset_of(profile)
        board, _ = ends_of_what_is_sold(in_class(self.loaded.board, ruleset))
        return board, *temperatures(ruleset)

    def _unknown(self, reason: str, message: str = "this link has no network") -> InputError:
        document = self.loaded.document
        place = (*document.place(self.spec.path), show_path(self.spec.path))
        return InputError([Problem(*place, message, found=reason)])
