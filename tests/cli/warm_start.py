# SPDX-License-Identifier: MIT
"""The command line as a process that starts at once: a server has the program loaded and forks for each call.

For tests of what is around the program, such as a script that calls it. What the start of the interpreter decides
(encoding of the streams, hash seed, which modules are loaded) needs a process of its own.

As a script it is the client: `python -I -S warm_start.py SOCKET ARGUMENTS`.
"""

from __future__ import annotations

import os
import select
import socket
import sys

LENGTH = 8
"""Bytes of the length of a call."""

CRASHED = 70
"""Exit code where the program ends with an exception."""


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
    """Load the program, say so on stdout, and answer calls one after the other until stdin ends."""
    import tempfile
    from pathlib import Path

    from cli_bench import Bench

    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        bench.run("check", f"{folder}/board.yaml", "-p", f"{folder}/few.yaml", "-o", f"{folder}/a.html",
                  "-o", f"markdown:{folder}/a.md", "-o", f"sarif:{folder}/a.sarif", "-o", f"junit:{folder}/a.xml")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen()
        print("ready", flush=True)
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            client, _ = listener.accept()
            with client:
                _answer(client)


def _answer(client: socket.socket) -> None:
    size, streams, _, _ = socket.recv_fds(client, LENGTH, 3)
    data = b""
    while len(data) < int.from_bytes(size, "big"):
        data += client.recv(1 << 20)
    count, *words = (os.fsdecode(word) for word in data.split(b"\0"))
    arguments, folder, environment = words[: int(count)], words[int(count)], words[int(count) + 1 :]
    child = os.fork()
    if not child:
        _run(arguments, folder, dict(pair.split("=", 1) for pair in environment), streams)
    for stream in streams:
        os.close(stream)
    client.send(bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF]))


def _run(arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    """Be the program; never returns."""
    import traceback

    from pcbrules.cli.main import main

    code = CRASHED
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["pcbrules", *arguments]
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 (ends with the process)
        encoding = environment.get("PYTHONIOENCODING", "utf-8")
        sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        try:
            main()
            code = 0
        except SystemExit as error:
            code = int(error.code or 0)
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(sys.argv[2])
    sys.exit(call(sys.argv[1], sys.argv[2:]))
