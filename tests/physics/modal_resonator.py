# SPDX-License-Identifier: MIT
"""A stub of a barrel in a stack of round cavities as a closed resonator, by modes: full-wave, without loss.

Barrel of radius a, shorted at its upper end by a plane where the signal leaves (half-way between two planes the voltage
is zero at the notch), open at its lower end; planes with antipads of radius b; a wall of radius R instead of ground
vias. The unknowns are the fields along the axis in the antipad edges and below the barrel.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from scipy.constants import c, mu_0, pi
from scipy.optimize import brentq
from scipy.special import ive, j0, j1, kve, y0, y1

Array = Any


def cavity_inductance(f: Array, a: float, wall: float, dk: float) -> Array:
    """Inductance per metre of a barrel in the middle of round cavities. [H/m]"""
    k = 2 * pi * np.asarray(f) / c * np.sqrt(dk)
    field = j0(k * a) * y0(k * wall) - y0(k * a) * j0(k * wall)
    slope = -k * (j1(k * a) * y0(k * wall) - y1(k * a) * j0(k * wall))
    return -mu_0 / (2 * pi * a) * field / slope


def notch(*, a: float, b: float, wall: float, planes: Array, end: float, dk: float, about: float) -> float:
    """Lowest resonance near a frequency [Hz]; planes from the bottom wall to the short, rising [m]."""

    def least(f: float) -> float:
        values = np.linalg.eigvalsh(_system(2 * pi * f / c * np.sqrt(dk), a, b, wall, planes, end))
        return float(values[np.argmin(np.abs(values))])

    f = np.linspace(0.8, 1.2, 41) * about
    g = [least(one) for one in f]
    for low, high, u, v in zip(f[:-1], f[1:], g[:-1], g[1:], strict=True):
        if u * v < 0:
            root = brentq(least, low, high, rtol=1e-7)
            if abs(least(root * (1 + 3e-7))) < 0.2 * min(abs(u), abs(v)):  # a zero and no pole
                return float(root)
    raise ValueError("no resonance")


def _across(r: float, s: float, t: Array) -> Array:
    """I0(tr) K0(ts) - I0(ts) K0(tr), times exp(-|t (r - s)|); t real or imaginary."""
    m = np.abs((t * (r - s)).real)
    up = ive(0, t * r) * kve(0, t * s) * np.exp((t * r).real - t * s - m)
    return up - ive(0, t * s) * kve(0, t * r) * np.exp((t * s).real - t * r - m)


def _slope(r: float, s: float, t: Array) -> Array:
    """The same derived by r."""
    m = np.abs((t * (r - s)).real)
    up = ive(1, t * r) * kve(0, t * s) * np.exp((t * r).real - t * s - m)
    return t * (up + ive(0, t * s) * kve(1, t * r) * np.exp((t * s).real - t * r - m))


def _overlap(k: Array, low: float, q: Array, start: float, z1: float, z2: float) -> Array:
    """Integrals of cos k(z - low) cos q(z - start) from z1 to z2."""
    k, q, middle, height = k[:, None], q[None, :], (z1 + z2) / 2, z2 - z1

    def part(sign: int) -> Array:
        w, phase = k + sign * q, -k * low - sign * q * start
        return height * np.sinc(w * height / (2 * pi)) * np.cos(w * middle + phase) / 2

    return part(-1) + part(1)


def _system(k: float, a: float, b: float, wall: float, planes: Array, end: float) -> Array:
    low, high = planes[0], planes[-1]
    height = high - low
    body = np.arange(240) * pi / height
    t = np.sqrt(body**2 - k**2 + 0j)
    norm = np.where(body == 0, height, height / 2)
    across, fade = _across(a, b, t), np.exp(-np.abs((t * (a - b)).real))
    at_a, from_b = _slope(a, b, t) / across / t**2 / norm, -_slope(a, a, t) * fade / across / t**2 / norm
    from_a, at_b = _slope(b, b, t) * fade / across / t**2 / norm, -_slope(b, a, t) / across / t**2 / norm
    edge, own = [], []
    for z1, z2 in pairwise(planes):
        q = np.arange(max(2, round(160 * (z2 - z1) / height))) * pi / (z2 - z1)
        edge.append(_overlap(body, low, q, z1, z1, z2))
        s = np.sqrt(q**2 - k**2 + 0j)
        y = -kve(1, s * b) / kve(0, s * b) / s
        y[0] = (_slope(b, wall, s[:1]) / _across(b, wall, s[:1]) / s[:1] ** 2)[0]
        own.append(y * np.where(q == 0, z2 - z1, (z2 - z1) / 2))
    holes, outward = np.hstack(edge), np.concatenate(own)
    q = np.arange(60) * pi / (end - low)
    below, s = _overlap(body, low, q, low, low, end), np.sqrt(q**2 - k**2 + 0j)
    inward = ive(1, s * a) / ive(0, s * a) / s * np.where(q == 0, end - low, (end - low) / 2)
    matrix = np.block(
        [
            [b * np.diag(outward) - b * holes.T @ (at_b[:, None] * holes), -b * holes.T @ (from_a[:, None] * below)],
            [a * below.T @ (from_b[:, None] * holes), a * below.T @ (at_a[:, None] * below) - a * np.diag(inward)],
        ]
    ).real
    scale = np.sqrt(np.abs(np.diag(matrix)))
    matrix = matrix / scale[:, None] / scale
    return (matrix + matrix.T) / 2
