# SPDX-License-Identifier: MIT
"""Signals that ask the process to end: they are obeyed after what was begun has been cleaned up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""What asks to end, beside the interrupt: a job that is cancelled or out of time, a terminal that is closed."""


class Stopped(BaseException):
    """A signal asked the process to end; nothing but `main` catches this."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def text(self) -> str:
        """``ended by SIGTERM``."""
        return f"ended by {signal.Signals(self.number).name}"


def obey() -> None:
    """Raise `Stopped` where one of the signals comes; one that is ignored already (nohup) stays so."""
    for number in ENDING:
        with suppress(ValueError, OSError):  # not the main thread
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _stop)


def _stop(number: int, frame: FrameType | None) -> None:
    for other in ENDING:
        with suppress(ValueError, OSError):
            signal.signal(other, signal.SIG_IGN)  # once is enough: the next one must not disturb the cleaning
    raise Stopped(number)


@contextmanager
def unbroken() -> Iterator[None]:
    """Let no signal come between the steps inside; it comes afterwards. Does nothing on Windows."""
    block = getattr(signal, "pthread_sigmask", None)
    if block is None:
        yield
        return
    before = block(signal.SIG_BLOCK, {signal.SIGINT, *ENDING})
    try:
        yield
    finally:
        block(signal.SIG_SETMASK, before)
