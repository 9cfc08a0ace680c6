# SPDX-License-Identifier: MIT
"""The output formats, one file each: ``NAME``, ``SUFFIXES`` and ``render``.

A renderer is a pure function from reports to text, or to bytes where the module says ``BINARY = True``: no clock, no
file, no terminal. One that draws exhibits says ``EXHIBITS = True``. Texts have real symbols and the board's units,
but where it says ``FOR_PROGRAMS = True``. Discovery is by folder: every module that does not
begin with ``_``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Protocol

from pcbrules.errors import InputError, Problem, escape, quoted
from pcbrules.phrases import uncommanded
from pcbrules.results.report import Report
from pcbrules.ties import greatest_of, ordered


class Format(Protocol):
    """What a report module offers."""

    NAME: str
    SUFFIXES: tuple[str, ...]

    def render(
        self,
        reports: Sequence[Report],
        *,
        width: int = 80,
        colour: bool = False,
        ascii_only: bool = False,
        verbose: bool = False,
        passes: bool = False,
    ) -> str | bytes:
        """Write the reports as one text that ends with a newline, or as bytes.

        ``width`` (columns), ``colour``, ``verbose`` and ``passes`` (each passed number too) matter to formats for a
        terminal only; ``ascii_only`` keeps the text within ASCII, for a stream that cannot encode more.
        """
        ...


@cache
def _formats() -> Mapping[str, Format]:
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    modules: list[Format] = [import_module(f"{__name__}.{name}") for name in names]
    return MappingProxyType({m.NAME: m for m in ordered(modules, key=lambda m: m.NAME)})


def formats() -> tuple[str, ...]:
    """Names of all formats, in alphabetical order."""
    return tuple(_formats())


def text_formats() -> tuple[str, ...]:
    """Names of the formats that are text: what can be printed."""
    return tuple(name for name, module in _formats().items() if not getattr(module, "BINARY", False))


def draws(name: str) -> bool:
    """True if the format of this name shows exhibits: a report for it needs them."""
    return bool(getattr(_format(name), "EXHIBITS", False))


def _format(name: str) -> Format:
    """The module of a format, or what is wrong with its name."""
    known = _formats()
    if not isinstance(name, str):
        raise TypeError("the name of the format comes first: write render('markdown', [report])")
    if name not in known:
        raise ValueError(f"there is no format {quoted(name)}: choose from {', '.join(known)}")
    return known[name]


def verdicts(reports: Sequence[Report], *, colour: bool = False, ascii_only: bool = False) -> str:
    """One line a report: the board, the profile, and what came out."""
    from pcbrules.reports._text import to_ascii, verdict

    lines = "".join(f"{escape(r.board)} under profile {escape(r.profile.name)}: {verdict(r)}\n" for r in reports)
    return uncommanded(to_ascii(lines) if ascii_only else lines)


def by_suffix(path: str) -> str:
    """Name of the format that a file of this name has; the longest known suffix decides.

    Raises InputError where no format has the suffix.
    """
    known = {suffix: name for name, module in _formats().items() for suffix in module.SUFFIXES}
    matching = [suffix for suffix in known if path.lower().endswith(suffix)]
    if matching:
        return known[greatest_of(matching, key=len)]
    raise InputError(
        [
            Problem(
                file=path,
                line=0,
                column=0,
                path="",
                message="the file name does not say which report to write",
                found=quoted(path),
                expected=f"a name that ends in {', '.join(sorted(known))}",
                fix=f"put the format before the name, as in `json:FILE` (known: {', '.join(formats())})",
            )
        ]
    )


def target(text: str) -> tuple[str, str]:
    """Format and file of an ``--output`` argument: ``out.sarif``, or ``junit:results.dat``.

    Raises InputError.
    """
    name, colon, path = text.partition(":")
    if colon and path and name in _formats():
        return name, path
    return by_suffix(text), text


def render(
    name: str,
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str | bytes:
    """Write the reports in the format of this name (one of ``formats()``); see ``Format.render``.

    Raises
    ------
    TypeError
        The format does not come first, or the reports are no sequence.
    ValueError
        Unknown format.
    """
    module = _format(name)
    if isinstance(reports, Report):
        raise TypeError(f"render() takes a list of reports: write render({name!r}, [report])")
    if not isinstance(reports, Sequence) or not all(isinstance(one, Report) for one in reports):
        raise TypeError("render() takes the format, then a list of reports as check() returns them")
    if not getattr(module, "FOR_PROGRAMS", False):
        from pcbrules.reports._spoken import spoken

        reports = [spoken(one) for one in reports]
    return module.render(reports, width=width, colour=colour, ascii_only=ascii_only, verbose=verbose, passes=passes)


def text(
    name: str,
    reports: Sequence[Report],
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    verbose: bool = False,
    passes: bool = False,
) -> str:
    """The same for a format of ``text_formats()``."""
    made = render(name, reports, width=width, colour=colour, ascii_only=ascii_only, verbose=verbose, passes=passes)
    if isinstance(made, bytes):
        raise TypeError(f"{name} is no text")
    return made
