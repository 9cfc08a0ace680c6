# SPDX-License-Identifier: MIT
"""Facts about a channel beside the frequency masks of its standard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pcbrules.results.facts.base import Fact
from pcbrules.results.facts.tdr import Furthest
from pcbrules.results.measured import Measured


@dataclass(frozen=True, kw_only=True)
class MaskMargin(Fact):
    """Least margin to a mask [dB], at ``frequency`` [Hz], where the mask is ``limit`` [dB].

    ``whole`` is false where the board holds a part of the channel alone. ``unseen`` says of which elements nobody knows
    what they send back; empty if of none.
    """

    margin: Measured
    frequency: float
    limit: float
    whole: bool
    unseen: str = ""


@dataclass(frozen=True, kw_only=True)
class LossMask(MaskMargin):
    """Insertion loss of the path."""


@dataclass(frozen=True, kw_only=True)
class LossDeviation(Fact):
    """What the insertion loss differs by from a smooth curve, of either sign.

    ``margin`` is the least to a mask [dB], at ``frequency`` [Hz], where the mask is ``limit`` [dB]; None where there
    is no mask. ``fom_ild`` is the weighted root mean square over the band [dB]. ``whole`` is false where the board
    holds a part of the channel alone; ``unseen`` as in ``MaskMargin``.
    """

    margin: Measured | None
    frequency: float
    limit: float
    fom_ild: Measured
    whole: bool
    unseen: str = ""


@dataclass(frozen=True, kw_only=True)
class CrosstalkNoise(Fact):
    """Crosstalk of all neighbours as noise at the receiver, root mean square (ICN) [V].

    ``near`` and ``far`` are the parts of the lines at either end, ``vias`` the bound of the via field [V];
    ``neighbours`` and ``via_neighbours`` how many count; ``loudest`` the larger part, ``lines``, ``vias`` or
    ``declared``. ``rest`` says what is neither computed nor declared: the noise is then larger than its interval.
    ``whole`` is false where the board holds a part of the channel alone, ``loss`` is that of the signal by which the
    limit was chosen [dB].
    """

    icn: Measured
    near: float
    far: float
    neighbours: int
    vias: float
    via_neighbours: int
    loudest: str
    rest: str
    whole: bool
    loss: float | None


@dataclass(frozen=True, slots=True)
class EffectiveReturn:
    """Effective return loss (ERL) at the worse ``end`` of a path [dB].

    ``named`` is the set of parameters and ``asked`` its limit [dB]: of the link's own standard, or of a proxy.
    """

    measured: Measured
    end: str
    named: str
    asked: float


@dataclass(frozen=True, kw_only=True)
class ReturnLoss(Fact):
    """What the worse end of the path sends back, the other end matched.

    ``margin`` is the least to the mask of the standard [dB], ``least`` the least return loss up to Nyquist where the
    standard has none [dB]; the other one is None. Either lies at ``frequency`` [Hz], where the mask asks for ``limit``
    [dB], seen from ``end``. ``unseen`` as in ``MaskMargin``. ``erl`` is None where it is not computed. ``described`` is
    True where the file says all that the models of the vias on the path take. ``furthest`` gives
    the element that is furthest from the reference.
    """

    margin: Measured | None
    least: Measured | None
    frequency: float
    limit: float
    whole: bool
    end: str
    unseen: str = ""
    described: bool = True
    erl: EffectiveReturn | None = None
    furthest: Callable[[], Furthest | None] | None = field(default=None, compare=False, repr=False)
