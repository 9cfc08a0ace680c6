# SPDX-License-Identifier: MIT
"""Write every output of boards into a folder, through the API: all reports, the studies, pictures, Touchstone files.

`python every_output.py FOLDER [--noise SEED] [--few] BOARD...` is one process of one setting of processor and threads;
`test_determinism` compares what several of them have written.

`--noise` stands for a processor that is not at hand: it moves every result of linear algebra and of transcendental
functions by some last bits, each element by another amount, as other kernels and vector lengths do.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

HEAD = "# profile:"
ULP = 2.0**-52
"""Spacing of the numbers from one on."""

BITS = 4.0
"""Largest relative error that `--noise` adds [ULP]."""

LINEAR = ("solve", "inv", "eig", "eigh", "eigvals", "eigvalsh", "lstsq", "svd")
FUNCTIONS = ("exp", "expm1", "log", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot", "angle",
             "arctan", "arctan2", "arcsinh", "arccosh", "einsum", "dot", "sum", "power", "mean")
SPECIAL = ("exp1", "hankel2", "jv", "i0e", "i1e", "k0e", "k1e", "iv", "kv", "yv", "ndtr", "ndtri")
DENSE = ("cholesky", "eig", "solve", "solve_triangular", "lu_solve")
SPARSE = ("spsolve",)


def profile_of(board: Path) -> str:
    """The profile that a board names in its header."""
    lines = board.read_text(encoding="utf-8").splitlines()[:40]
    return next(line.partition(":")[2].strip() for line in lines if line.startswith(HEAD))


def add_noise(seed: int) -> None:
    """Put a wrapper that moves the last bits around functions of numpy and scipy; before pcbrules takes them."""
    import numpy as np
    import scipy.linalg
    import scipy.sparse.linalg
    import scipy.special

    random = np.random.default_rng(seed)

    def moved(value: Any) -> Any:
        if isinstance(value, tuple) and type(value) is tuple:
            return tuple(moved(one) for one in value)
        if isinstance(value, tuple):  # a named one
            return type(value)(*(moved(one) for one in value))
        array = np.asarray(value)
        if array.dtype.kind not in "fc" or array.dtype.itemsize < 8:
            return value
        plain = np.array(array).reshape(-1).view(np.float64)
        whole = plain == np.rint(plain)  # what is exact everywhere: 0, 1
        plain *= np.where(whole, 1.0, 1 + random.uniform(-BITS, BITS, plain.size) * ULP)
        made = plain.view(array.dtype).reshape(array.shape)
        return made if isinstance(value, np.ndarray) else made[()]

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def noisy(*args: Any, **kwargs: Any) -> Any:
            made = moved(function(*args, **kwargs))
            out = kwargs.get("out")
            if out is None:
                return made
            out[...] = made
            return out

        return noisy

    for module, names in ((np.linalg, LINEAR), (np, FUNCTIONS), (scipy.special, SPECIAL), (scipy.linalg, DENSE),
                          (scipy.sparse.linalg, SPARSE)):
        for name in names:
            setattr(module, name, around(getattr(module, name)))


def outputs(path: str, *, studies: bool, pages: bool, files: bool) -> Iterator[tuple[str, str | bytes]]:
    """Name and content of each output of a board: reports; if asked for studies, pages of paper, Touchstone files."""
    from pcbrules import api, reports
    from pcbrules.studies import channels_files, channels_text, lines_text, lines_touchstone, pdn_files, pdn_text

    loaded, profile = api.load(path), profile_of(Path(path))
    report = api.check(loaded, profile, exhibits=True)
    for name in reports.formats():
        if pages or name in reports.text_formats():
            yield f"report.{name}", reports.render(name, [report], verbose=True)
    yield "ascii", reports.text("console", [report], verbose=True, ascii_only=True, width=120)
    if not studies:
        return
    lines = api.lines(loaded, profile)
    yield "lines.txt", lines_text.console(lines, profile)
    yield "lines.json", lines_text.json_text(lines, profile)
    yield from lines_touchstone.files(lines) if files else ()
    channels = api.channels(loaded, profile, link=None if pages else next(iter(loaded.links)))
    yield "channel.txt", channels_text.console(channels, profile, ledger=True)
    yield "channel.json", channels_text.json_text(channels, profile)
    for channel in channels.channels:
        yield f"{channel.link}.svg", channels_files.svg(channel)
        if files:
            for legs in (False, True):
                yield f"{channel.link}.s{2 + 2 * legs}p", channels_files.touchstone_text(
                    channel, channels.board, channels.hot, legs=legs)
    rails = api.rails(loaded, profile, rail=None if pages else next(iter(loaded.board.rails or {}), None))
    yield "pdn.txt", pdn_text.console(rails, profile, detail=True)
    yield "pdn.json", pdn_text.json_text(rails, profile)
    for rail in rails.rails:
        yield f"{rail.name}.svg", pdn_files.svg(rail, api.rail_exhibits(loaded, profile, rail.name))
        if files:
            yield f"{rail.name}.s1p", pdn_files.touchstone_text(rail, rails.board, ports=1)


def write(folder: Path, boards: Sequence[str], *, few: bool = False, files: bool = False) -> None:
    """Write the outputs of boards; of a few no page of paper, and studies of the last board alone."""
    for board in boards:
        studies = not few or board == boards[-1]
        for name, content in outputs(board, studies=studies, pages=not few, files=files):
            data = content if isinstance(content, bytes) else content.encode()
            (folder / f"{Path(board).stem}.{name}".replace(os.sep, "_")).write_bytes(data)


def main() -> None:
    """Write the outputs in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("boards", nargs="+")
    parser.add_argument("--noise", type=int)
    parser.add_argument("--few", action="store_true", help="no PDF; of the last board alone one channel and one rail")
    parser.add_argument("--files", action="store_true", help="Touchstone files too")
    options = parser.parse_args()
    if options.noise is not None:
        add_noise(options.noise)
    write(options.folder, options.boards, few=options.few, files=options.files)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    main()
