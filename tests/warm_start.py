# SPDX-License-Identifier: MIT
"""The command line as a process that starts at once: a server has the program loaded and runs each call of a client.

For tests of what is around the program, such as a script that calls it, and of pages that show many commands. What the
start of an interpreter decides (encoding of the streams, hash seed, which modules are loaded) needs a process of its
own. Calls run one after the other: of a pipe of two, the second reads when the first has ended.

As a script it is the client: `python -I -S warm_start.py SOCKET ARGUMENTS`. With `-c CODE` as first arguments a copy of
the server runs that code, as `python -c` would with all of the program loaded: it may end in any way.
"""

from __future__ import annotations

import os
import select
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # the client loads nothing that it does not need
    from collections.abc import Callable

LENGTH = 8
"""Bytes of the length of a call."""

CRASHED = 70
"""Exit code where the program ends with an exception."""


SOLVED = 400 * 2**20
"""Bytes of results that a process of the suite keeps: those of all example boards, whatever is judged in between."""


def keep_solved() -> None:
    """Keep more results than a user's process does: many tests judge the same boards."""
    from pcbrules.solver_cache import process_cache

    process_cache().limit = SOLVED


def call(place: str, arguments: list[str]) -> int:
    """Hand arguments, folder, environment and streams to the server; the exit code."""
    environment = [f"{name}={value}" for name, value in os.environ.items()]
    words = [str(len(arguments)), *arguments, os.getcwd(), *environment]
    data = b"\0".join(os.fsencode(word) for word in words)
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(place)
        socket.send_fds(server, [len(data).to_bytes(LENGTH, "big")], [0, 1, 2])
        server.sendall(data)
        return server.recv(1)[0]


def serve(place: str) -> None:
    """Load the program, say so on stdout, and answer calls until stdin ends."""
    import pcbrules.api
    import pcbrules.cli.check  # noqa: F401

    keep_solved()
    own = [os.dup(stream) for stream in range(3)]
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        print("ready", flush=True)
        while listener in select.select([listener, own[0]], [], [])[0]:
            client, _ = listener.accept()
            with client:
                _answer(client, own)


def _answer(client: socket.socket, own: list[int]) -> None:
    size, streams, _, _ = socket.recv_fds(client, LENGTH, 3)
    data = b""
    while len(data) < int.from_bytes(size, "big"):
        data += client.recv(1 << 20)
    count, *words = (os.fsdecode(word) for word in data.split(b"\0"))
    arguments, folder, environment = words[: int(count)], words[int(count)], words[int(count) + 1 :]
    before = dict(os.environ)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(pair.split("=", 1) for pair in environment)
    os.chdir(folder)
    try:
        code = _copied(arguments[1], arguments[2:]) if arguments[:1] == ["-c"] else _run(arguments)
    finally:
        os.chdir("/")
        os.environ.clear()
        os.environ.update(before)
        for number, stream in enumerate(own):
            os.dup2(stream, number)
    client.send(bytes([code & 0xFF]))


def _copied(code: str, arguments: list[str]) -> int:
    """Have a copy of this process run some code; its exit code."""
    copy = os.fork()
    if copy:
        return os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    ended = CRASHED

    def run() -> None:
        nonlocal ended
        try:
            exec(compile(code, "-c", "exec"), {"__name__": "__main__"})
            ended = 0
        except SystemExit as end:
            ended = int(end.code or 0)

    try:
        _run(arguments, run)
    finally:  # whether or not the streams can be closed
        os._exit(ended)


def _run(arguments: list[str], what: Callable[[], object] | None = None) -> int:
    """Be the program, or something else with its streams; the exit code."""
    import traceback

    from pcbrules.cli.main import main

    sys.argv = ["pcbrules", *arguments]
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    with (
        open(0, encoding="utf-8", closefd=False) as sys.stdin,
        open(1, "w", encoding=encoding, closefd=False) as sys.stdout,
        open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as sys.stderr,
    ):
        try:
            (what or main)()
        except SystemExit as end:
            return int(end.code or 0)
        except BaseException:
            traceback.print_exc()
            return CRASHED
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    else:
        sys.exit(call(sys.argv[1], sys.argv[2:]))
