# SPDX-License-Identifier: MIT
"""How a return loss came about: what each element sends back alone, the path, and the ends of the interval."""

from __future__ import annotations

import numpy as np

from pcbrules.analysis.channel.element_chain import ElementChain
from pcbrules.analysis.channel.mask_margins import DEEPEST, decibels, largest_spread
from pcbrules.analysis.channel.site import Site
from pcbrules.analysis.channel.solve import solve_elements
from pcbrules.analysis.channel.task import LeastMargin
from pcbrules.analysis.lines.solve import solve_lossy
from pcbrules.results.derivation import Derivation, Step


def return_steps(site: Site, least: LeastMargin, error: float, *, masked: bool, end: str) -> Derivation:
    """Return the steps to the least return loss of a path, or to its least margin to a mask.

    Parameters
    ----------
    site : Site
        The link, solved: every element has a model.
    least : LeastMargin
        The least margin to the mask (``masked``), or the least return loss.
    error : float
        Model error that is judged with it. [dB]
    masked : bool
        True where a mask gives the limit.
    end : str
        The end of the path that it is seen from.
    """
    task = site.task.lightest if least.light else site.task.heaviest
    lines, vias, _ = solve_elements(task, solve_lossy)
    row = ElementChain(task, lines, vias, np.array([least.frequency]))
    alone = [float(decibels(np.abs(one.s[0, least.port - 1, least.port - 1]))) for one in row.elements()]
    steps = [
        Step("reference impedance", task.z_ref, "ohm", "the link or its standard"),
        Step("Nyquist frequency", task.nyquist, "GHz", "the link's standard"),
        Step("frequency of the least margin" if masked else "frequency of the least return loss", least.frequency,
             "GHz", "the points of the mask" if masked else "from 50 MHz to Nyquist"),
        *(Step(f"{part.step.name}: return loss alone", loss, "dB", "between matched lines")
          for part, loss in zip(site.kept, alone, strict=True) if loss < DEEPEST),
        Step("insertion loss of the path there", float(row.loss()[0]), "dB", "what is far is seen through it twice"),
        Step("return loss of the path there", least.margin.value + least.limit, "dB", f"seen from {end}"),
    ]
    if masked:
        steps += [Step("the mask there", least.limit, "dB"), Step("margin to the mask", least.margin.value, "dB")]
    steps += [Step(f"least return loss, {which} bound of the vias", bound, "dB", "impedance and Dk along the barrels")
              for which, bound in zip(("dearer", "cheaper"), least.bounds, strict=False)]
    steps += [Step("model error (k = 2)", error, "dB", "the larger change")] if least.bounds else []
    steps += [
        Step("impedance of the lines may be off by", largest_spread(task), "%", "fabrication; what is not declared"),
        Step("lower end of the interval", least.margin.lo, "dB", "vias at their bounds and lines off together"),
        Step("upper end of the interval", least.margin.hi, "dB", "vias at their bounds and lines off together"),
    ]
    formulas = ("return loss = -20 log10 |S11|, the other end matched to the reference impedance",
                "lines off by s add s / 2 (1 + |S21|^2) to |S11|, or take as much from it")
    return Derivation(formulas, "networks cascaded by scikit-rf", tuple(steps))
