"""Lets SIGINT, SIGTERM and SIGHUP end a match only where its log can be closed.

A signal that comes while an agent is waited for ends the match at once, for an agent may take as
long as its limits allow. One that comes while the scenario works waits for the next line of the
log, so that the log says exactly what was done. One that comes after the last line changes nothing:
the match is over.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_OBSERVED: Final = b'{"type":"ObservationEmitted"'
_TURN_STARTED: Final = b'{"type":"TurnStarted"'
_ENDED: Final = b'{"type":"MatchEnded"'


class Interruption:
    """Watches the lines of one match, and holds signals back until they may interrupt it."""

    def __init__(self, watch: Callable[[bytes], object] | None = None) -> None:
        """`watch`, if there is one, gets every line first."""
        self._watch = watch
        self._before: dict[int, Callable[[int, FrameType | None], object]] = {}
        self._began = False
        self._may_interrupt = True
        self._waiting: int | None = None

    @contextmanager
    def holding_signals(self) -> Iterator[None]:
        """Handle signals meanwhile. From the end of the match on they are held back: it is being
        saved."""
        installed = {number: signal.signal(number, self._take) for number in SIGNALS}
        for number, handler in installed.items():
            # A shell's & leaves SIGINT ignored, and SIG_DFL would end us without a log.
            self._before[number] = handler if callable(handler) else signal.default_int_handler
        try:
            yield
        finally:
            for number, handler in installed.items():
                signal.signal(number, handler)

    def watch(self, line: bytes) -> None:
        """Take a line of the log; raises KeyboardInterrupt if a signal waits and the match goes
        on."""
        if self._watch is not None:
            self._watch(line)
        self._began = self._began or line.startswith(_TURN_STARTED)
        is_over = line.startswith(_ENDED)
        # Before the first turn the scenario sets up, which may take long and changes nothing that
        # is logged.
        self._may_interrupt = not is_over and (not self._began or line.startswith(_OBSERVED))
        if self._waiting is not None and not is_over:
            self._interrupt(self._waiting)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        if self._may_interrupt:
            self._interrupt(number)
        self._waiting = number

    def _interrupt(self, number: int) -> None:
        self._may_interrupt = False
        self._waiting = None
        self._before[number](number, None)
