# SPDX-License-Identifier: MIT
"""Independent reference for the tests: boundary elements for a trace or a pair over one plane or between two.

Total-charge collocation with piecewise constant panels (Wei, Harrington, Mautz, Sarkar, IEEE Trans. MTT-32, 1984):
every copper face and every border of dielectrics carries a charge; the planes enter through the Green function, the
second trace through mirrored sources. Any one unit of length. Against an independent hp finite-element reference:
1e-4 of the impedance in striplines, 4e-4 in microstrips.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

GRADE = 3.0
NODES, WEIGHTS = np.polynomial.legendre.leggauss(3)


@dataclass
class Panels:
    """Ends, and permittivity left and right of the direction of travel; copper is not a number."""

    x0: np.ndarray
    y0: np.ndarray
    x1: np.ndarray
    y1: np.ndarray
    left: np.ndarray
    right: np.ndarray


def _both(n):
    u = np.linspace(0, 1, n + 1)
    return np.where(u < 0.5, (2 * u) ** GRADE / 2, 1 - (2 * (1 - u)) ** GRADE / 2)


def _one(n):
    return 1 - (1 - np.linspace(0, 1, n + 1)) ** GRADE


def _build(sides):
    columns = [[] for _ in range(6)]
    for x0, y0, x1, y1, cuts, left, right in sides:
        x, y = x0 + (x1 - x0) * cuts, y0 + (y1 - y0) * cuts
        many = len(cuts) - 1
        values = (x[:-1], y[:-1], x[1:], y[1:], np.full(many, left), np.full(many, right))
        for column, value in zip(columns, values, strict=True):
            column.append(value)
    return Panels(*(np.concatenate(column) for column in columns))


def _log(x, y, x0, y0, x1, y1):
    """Integral of ln r over each panel and its gradient; shape (points, panels)."""
    length = np.hypot(x1 - x0, y1 - y0)
    tx, ty = (x1 - x0) / length, (y1 - y0) / length
    dx, dy = x[:, None] - (x0 + x1) / 2, y[:, None] - (y0 + y1) / 2
    along, across = dx * tx + dy * ty, -dx * ty + dy * tx
    flat = np.abs(across) < 1e-12 * length
    across = np.where(flat, 0.0, across)
    high, low = along + length / 2, along - length / 2
    log_high, log_low = np.log(high**2 + across**2), np.log(low**2 + across**2)
    safe = np.where(flat, 1.0, across)
    turn = np.where(flat, 0.0, np.arctan(high / safe) - np.arctan(low / safe))
    value = (high * log_high - low * log_low) / 2 - length + across * turn
    slope = (log_high - log_low) / 2
    return value, slope * tx - turn * ty, slope * ty + turn * tx


def _rest(u, w):
    """ln sqrt of (2 sinh^2(u/2) + 2 sin^2(w/2)) / ((u^2 + w^2)/2), smooth at the origin, and its derivatives."""
    square = u * u + w * w
    small = square < 1e-3
    square = np.where(small, 1.0, square)
    full = np.where(small, 1.0, 2 * np.sinh(u / 2) ** 2 + 2 * np.sin(w / 2) ** 2)
    value = np.where(small, (u * u - w * w) / 24, np.log(2 * full / square) / 2)
    by_u = np.where(small, u / 12, np.sinh(u) / full / 2 - u / square)
    by_w = np.where(small, -w / 12, np.sin(w) / full / 2 - w / square)
    return value, by_u, by_w


def _kernel(x, y, p, spacing, mirror):
    """Potential and its gradient of the panels, mirrored in x if ``mirror`` is -1, with the images of the planes."""
    x0, x1 = mirror * p.x0, mirror * p.x1
    total = [-part for part in _log(x, y, x0, p.y0, x1, p.y1)]
    for offset in (0.0,) if spacing is None else (0.0, 2 * spacing):
        image = _log(x, y, x0, offset - p.y0, x1, offset - p.y1)
        total = [a + b for a, b in zip(total, image, strict=True)]
    if spacing is None:
        return total
    k, length = np.pi / spacing, np.hypot(x1 - x0, p.y1 - p.y0)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        xs, ys = (x0 + x1 + node * (x1 - x0)) / 2, (p.y0 + p.y1 + node * (p.y1 - p.y0)) / 2
        u, down, up = k * (x[:, None] - xs), k * (y[:, None] - ys), k * (y[:, None] + ys)
        near = np.where(up > np.pi, up - 2 * np.pi, up)
        far = np.where(up > np.pi, up, up - 2 * np.pi)
        own, own_u, own_w = _rest(u, down)
        image, image_u, image_w = _rest(u, near)
        square = u * u + far * far
        w = weight / 2 * length
        total[0] += w * (image - own - np.log(square) / 2 + np.log(k))
        total[1] += w * k * (image_u - own_u - u / square)
        total[2] += w * k * (image_w - own_w - far / square)
    return total


def _charge(p, spacing, sign):
    xm, ym = (p.x0 + p.x1) / 2, (p.y0 + p.y1) / 2
    own, other = (_kernel(xm, ym, p, spacing, mirror) for mirror in (1, -1))
    value, gx, gy = (a + sign * b for a, b in zip(own, other, strict=True))
    length = np.hypot(p.x1 - p.x0, p.y1 - p.y0)
    nx, ny = -(p.y1 - p.y0) / length, (p.x1 - p.x0) / length
    copper = np.isnan(p.left) | np.isnan(p.right)
    field = -(gx * nx[:, None] + gy * ny[:, None])
    with np.errstate(invalid="ignore"):
        rows = np.where(copper[:, None], value, field * (p.left - p.right)[:, None]) / (2 * np.pi)
    border = np.flatnonzero(~copper)
    rows[border, border] += (p.left + p.right)[border] / 2
    return np.linalg.solve(rows, copper.astype(float)), length, copper


def capacitance(
    *,
    width_low,
    width_high,
    thickness,
    below,
    spacing=None,
    gap=None,
    sign=1,
    dk=(1.0, 1.0),
    beside=None,
    mask=None,
    fine=26,
):
    """Capacitance over epsilon_0 of one trace, or of each of a pair in its even (+1) or odd (-1) mode.

    ``gap`` is at the lower face. ``dk``: below that face, and above it. ``beside``: Dk of the level of the trace.
    ``mask``: Dk, thickness on the laminate, over the trace and beside it.
    """
    nan, sides = np.nan, []
    lean, bottom, top = (width_low - width_high) / 2, below, below + thickness
    inner = 0.0 if gap is None else gap / 2
    outer = width_low / 2 if gap is None else gap / 2 + width_low
    inner_top, outer_top = (0.0 if gap is None else inner + lean), outer - lean
    low, high = dk
    level = high if beside is None else beside
    around, over = (mask[0], mask[0]) if mask else (level, high)
    short = max(8, fine // 2)
    face = _one(fine) if gap is None else _both(fine)
    sides.append((inner, bottom, outer, bottom, face, nan, low))
    sides.append((outer, bottom, outer_top, top, _both(short), nan, around))
    sides.append((outer_top, top, inner_top, top, face if gap else 1 - face[::-1], nan, over))
    if gap is not None:
        sides.append((inner_top, top, inner, bottom, _both(short), nan, around))
    far = outer + 10 * (spacing or 3 * top)

    def away(span):
        first = (2 / short) ** GRADE / 2 * thickness / span
        return np.concatenate([[0.0], np.geomspace(first, 1, int(np.log(1 / first) / np.log(1 + 9 / fine)) + 2)])

    def border(y, x_in, x_out, above, under):
        if abs(above - under) < 1e-12:
            return
        sides.append((x_out, y, far, y, away(far - x_out), above, under))
        if x_in > 0:
            sides.append((0.0, y, x_in, y, 1 - away(x_in)[::-1], above, under))

    border(bottom, inner, outer, around, low)
    if mask is None:
        if beside is not None:
            border(top, inner_top, outer_top, high, level)
    else:
        dk_mask, on, cap, side = mask
        hat, right, left = top + cap, outer + side, inner - side
        border(bottom + on, left if gap else 0.0, right, high, dk_mask)
        sides.append((right, hat, right, bottom + on, _both(short), high, dk_mask))
        if gap:
            sides.append((left, hat, right, hat, _both(fine), high, dk_mask))
            sides.append((left, bottom + on, left, hat, _both(short), high, dk_mask))
        else:
            sides.append((0.0, hat, right, hat, _one(fine), high, dk_mask))
    panels = _build(sides)
    density, length, copper = _charge(panels, spacing, sign)
    free = np.where(np.isnan(panels.left), panels.right, panels.left)
    return float(np.sum(density[copper] * free[copper] * length[copper])) * (2 if gap is None else 1)
