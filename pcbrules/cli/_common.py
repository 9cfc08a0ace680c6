# SPDX-License-Identifier: MIT
"""What commands share: printing so that any stream can take it, and writing files whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pcbrules.cli._signals import unbroken
from pcbrules.errors import Problem, clip, escape
from pcbrules.phrases import uncommanded
from pcbrules.symbols import aligned

if TYPE_CHECKING:
    from pcbrules.api import Loaded


MANY = 60
"""Tasks from which a progress bar is shown: about half a second."""


class Failure(click.ClickException):
    """The command cannot do what it was asked for: one line on stderr, exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))


UNREAD = 128 + 13
"""Exit code of a command whose output nobody read to its end: that of a process which SIGPIPE ends."""


class OutputReader:
    """The reader of stdout. ``left`` is true from when a line could not be handed over."""

    left = False


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """End in silence where the reader of stdout has left while help was printed."""
    try:
        yield
    except BrokenPipeError:
        _silence()
        raise click.exceptions.Exit(UNREAD) from None


def delivered(code: int) -> int:
    """Return the exit code of a run: a success that was not read to its end is none, a fail stays what it is."""
    return UNREAD if OutputReader.left and not code else code


def misplaced(error: click.UsageError) -> str:
    """What an argument that a command does not take was meant to be: a profile or a board; empty where nobody knows."""
    from pcbrules.rulesets import profiles

    extra = re.search(r"unexpected extra arguments? \((.*)\)", error.message)
    options = {option for one in (error.ctx.command.params if error.ctx else ()) for option in one.opts}
    for word in extra[1].split() if extra else ():
        if word in profiles() and "--profile" in options:
            return f". '{word}' is a profile: write --profile {word}"
        if word.lower().endswith((".yaml", ".yml")) and "--board" in options:
            return f". A board is named by an option: write --board {clip(word, 80)}"
    return ""


def refuse_profiles(names: Iterable[str]) -> None:
    """A profile where a board file is due is told, if no file has that name."""
    from pcbrules.rulesets import profiles

    for name in names:
        if name in profiles() and not os.path.exists(name):
            raise click.UsageError(f"'{name}' is a profile, not a board file: write --profile {name}.")


def load_board(file: str, overlay: str | None = None) -> Loaded:
    """Read a board file, a layout with an overlay, or standard input for ``-``. Raises InputError."""
    from pcbrules import api
    from pcbrules.document import SIZE_LIMIT, parse_yaml

    if file != "-":
        return api.load(Path(file), overlay=overlay)
    return api.resolve(parse_yaml(sys.stdin.buffer.read(SIZE_LIMIT + 1) if sys.stdin else b"", "<stdin>"))


def terminal() -> dict[str, bool]:
    """Whether stdout takes colour, and whether it takes ASCII only."""
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    try:
        "✗µΩ…".encode(sys.stdout.encoding or "ascii")
        plain = False
    except (UnicodeEncodeError, LookupError):
        plain = True
    return {"colour": colour, "ascii_only": plain}


def for_reader(page: str) -> str:
    """Return a page with real symbols where stdout takes them."""
    return page if terminal()["ascii_only"] else aligned(page)


def columns() -> int:
    """Columns of the terminal; 80 where stdout is none, so that a file or a pipe has the same text everywhere.

    The environment variable COLUMNS, which a shell keeps to itself, goes before both.
    """
    asked = sys.stdout.isatty() or os.environ.get("COLUMNS")
    return shutil.get_terminal_size((80, 24)).columns if asked else 80


def watch() -> Callable[[Iterable[Any], int], Iterator[Any]] | None:
    """A progress bar on stderr; None where nobody looks at it: no terminal, a dumb one, or a run of CI."""
    stream = sys.stderr
    if stream is None or not stream.isatty() or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        return None

    def shown(items: Iterable[Any], count: int) -> Iterator[Any]:
        if count < MANY:
            yield from items
            return
        with click.progressbar(items, length=count, label="solving", file=stream, width=30,
                               update_min_steps=max(count // 100, 1)) as bar:
            yield from bar

    return shown


def print_problems(problems: Iterable[Problem]) -> None:
    """One line a problem, on stderr."""
    for problem in problems:
        complain(problem.text())


def complain(text: str) -> None:
    """Print a line for people on stderr."""
    if sys.stderr is not None:
        click.echo(encodable(uncommanded(text), sys.stderr.encoding), err=True)


def say(text: str) -> None:
    """Print a line for people on stdout; characters that it cannot encode are escaped."""
    emit(uncommanded(f"{text}\n"), sys.stdout.encoding or "utf-8")


def emit(text: str, encoding: str = "utf-8") -> None:
    """Print text on stdout as it is, without changing line ends.

    Where the reader has left, the command goes on in silence, so that its files are written; see `delivered` for its
    exit code. Raises Failure where stdout cannot be written for another reason.
    """
    stream = sys.stdout
    data = text.encode(encoding, "backslashreplace")
    try:
        if hasattr(stream, "buffer"):
            stream.flush()
            stream.buffer.write(data)
        else:
            stream.write(data.decode(encoding))
        stream.flush()
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        raise Failure(f"cannot write to standard output: {error.strerror}") from None


def _silence() -> None:
    """Let what is still buffered, and all that follows, go nowhere."""
    OutputReader.left = True
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def encodable(text: str, encoding: str | None) -> str:
    """The text with characters that the stream cannot write escaped."""
    encoding = encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def check_targets(files: Sequence[Path], inputs: Sequence[str]) -> None:
    """No file may replace another one, or what it was made from."""
    taken = {os.path.realpath(file) for file in inputs}
    for path in files:
        real = os.path.realpath(path)
        if real in taken and not is_special(path):
            raise click.UsageError(f"'{clip(str(path), 80)}' is an input, or is written twice.")
        taken.add(real)


def write_files(files: Sequence[tuple[Path, str | bytes]]) -> None:
    """Write files (text as UTF-8): first each beside its place, then rename all into place; none is left half done.

    A link is followed; a device or a pipe is written to directly. Raises Failure.
    """
    staged: list[tuple[str, Path]] = []
    at = Path()
    try:
        for path, text in files:
            at = path
            data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
            if is_special(path):
                path.write_bytes(data)
            else:
                _stage(Path(os.path.realpath(path)), data, staged)
        with unbroken():
            for part, at in staged:
                os.replace(part, at)
    except OSError as error:
        raise Failure(f"cannot write {at}: {error.strerror}") from None
    finally:
        with unbroken():
            for part, _ in staged:
                Path(part).unlink(missing_ok=True)


def is_special(path: Path) -> bool:
    """True for a device or a pipe."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _stage(path: Path, data: bytes, staged: list[tuple[str, Path]]) -> None:
    """Write a file beside its place; it stands in ``staged`` as soon as it is there."""
    with unbroken():
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".pcbrules-", suffix=".part")
        staged.append((name, path))
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
    os.chmod(name, 0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def rule_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Rules of an option that may be repeated, or take several with commas between."""
    return tuple(name.strip() for text in texts for name in text.split(","))
