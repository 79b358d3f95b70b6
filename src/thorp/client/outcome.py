"""The outcome of an action: done, or refused with a code, a sentence and advice on what to do next; and the
actions that were sent and are not answered yet, each with the future of its outcome.

An action that was sent awaits its ACTION_RESULT; a task that was accepted runs, and awaits its TASK_DONE or
TASK_FAIL. A result whose `ref` is ACT refuses a whole ACT. It does not say which, but ACTs are answered in
the order in which they were sent, so it is the oldest that has no answer and, if it came too late, is that
old. What the world never answers (it crashed, or the agent fell) is settled here after some observations, so
that nobody waits forever.
"""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

import msgspec

from thorp.protocol import codes
from thorp.protocol.obs import Event, Obs

# Codes of this kit, for actions that got no answer from the world.
LOST: Final = "LOST"
GONE: Final = "GONE"
GAVE_UP: Final = "GAVE_UP"

_ADVICE: Final = msgspec.json.decode((files(__package__) / "advice.json").read_bytes())
ADVICE: Final[dict[str, str]] = _ADVICE["codes"]
ADVICE_FOR: Final[dict[str, dict[str, str]]] = _ADVICE["actions"]
"""More exact advice, by the type of the action and the code."""


def advice(deed: str, code: str) -> str:
    return ADVICE_FOR.get(deed, {}).get(code) or ADVICE.get(code, "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """True if the action succeeded. `event` is what the world said last about it."""

    ok: bool
    code: str = ""
    message: str = ""
    task_id: str = ""
    event: dict[str, Any] = field(default_factory=dict)
    deed: str = ""
    """The type of the action, where it is known."""

    def __getitem__(self, name: str) -> Any:
        """A field of what the world said: `outcome["land_id"]`."""
        return self.event[name]

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        """In words: what happened, and what to do about it."""
        if self.ok:
            return f"done: {self.message}" if self.message else "done"
        message = f": {self.message}" if self.message else ""
        return f"refused, {self.code}{message}. {advice(self.deed, self.code)}".rstrip()

    @property
    def cooldown_ticks(self) -> int:
        """After E_RATE_LIMIT, how long to wait."""
        return int(self.event.get("cooldown_ticks", 0))


def outcome_of(event: dict[str, Any], deed: str = "") -> Outcome:
    """The outcome that an ACTION_RESULT, a TASK_DONE or a TASK_FAIL tells of."""
    ok = event.get("type") == "TASK_DONE" or event.get("ok") is True
    code, message, task_id = (str(event.get(name, "")) for name in ("code", "message", "task_id"))
    return Outcome(ok, code, message, task_id, event, deed)


WHOLE_ACT: Final = "ACT"
WINDOW_TICKS: Final = 2  # An ACT is accepted until this many ticks after the observation that it answers.
PATIENCE_OBS: Final = 25  # An answer comes in the observation of its tick; this many later, none will come.
GRACE_OBS: Final = 5  # Frames that a slow reader may have missed since a vanished task was answered.


@dataclass
class _Sent:
    """An ACT on its way: the types of its actions and the futures of their outcomes, by id."""

    tick: int
    deeds: Mapping[str, str]
    waiting: dict[str, Future[Outcome]]
    answered: bool = False
    age: int = 0


@dataclass
class _Running:
    outcome: Future[Outcome]
    deed: str
    unseen: int = 0


class Pending:
    def __init__(self) -> None:
        self._sent: deque[_Sent] = deque()
        self._running: dict[str, _Running] = {}

    def ask(self, deeds: Mapping[str, str], tick: int) -> dict[str, Future[Outcome]]:
        """Note an ACT about to be sent for a tick, the types of its actions by id; return their futures."""
        futures: dict[str, Future[Outcome]] = {ref: get_running_loop().create_future() for ref in deeds}
        if futures:
            self._sent.append(_Sent(tick, deeds, dict(futures)))
        return futures

    def task_of(self, future: Future[Outcome]) -> str:
        """The id of the task whose outcome that future will have; empty if none was accepted."""
        return next((task_id for task_id, task in self._running.items() if task.outcome is future), "")

    def take(self, event: Event) -> None:
        """Learn from an event."""
        kind = event.get("type")
        if kind == "ACTION_RESULT":
            self._take_result(event)
        elif kind in ("TASK_DONE", "TASK_FAIL"):
            running = self._running.pop(str(event.get("task_id")), None)
            if running is not None:
                _settle(running.outcome, outcome_of(event, running.deed))

    def observed(self, obs: Obs) -> None:
        """Give up on what should have been answered by now."""
        if self._sent:
            for sent in self._sent:
                sent.age += 1
            while self._sent and (self._sent[0].age > PATIENCE_OBS or not self._sent[0].waiting):
                self._lose(self._sent.popleft())
        if self._running:
            alive = {task.task_id for task in obs.tasks}
            for task_id, running in list(self._running.items()):
                running.unseen = 0 if task_id in alive else running.unseen + 1
                if running.unseen > GRACE_OBS:
                    del self._running[task_id]
                    _settle(running.outcome, Outcome(False, GONE, "the task is gone", task_id))

    def forget(self, reason: str) -> None:
        """Nothing that was asked will be answered: the body is another one, or the connection is over."""
        while self._sent:
            self._lose(self._sent.popleft(), reason)
        for task_id, running in self._running.items():
            _settle(running.outcome, Outcome(False, LOST, reason, task_id))
        self._running.clear()

    def _take_result(self, event: Event) -> None:
        outcome = outcome_of(event)
        ref = str(event.get("ref"))
        if ref == WHOLE_ACT and not outcome.ok:
            self._refuse_act(outcome)
            return
        if outcome.ok and ref in self._running:  # it was cancelled
            _settle(self._running.pop(ref).outcome, Outcome(False, GONE, outcome.message, ref))
        for sent in self._sent:
            future = sent.waiting.pop(ref, None)
            if future is not None:
                sent.answered = True
                outcome = outcome_of(event, sent.deeds[ref])
                if outcome.ok and outcome.task_id:
                    self._running[outcome.task_id] = _Running(future, outcome.deed)
                else:
                    _settle(future, outcome)
                return

    def _refuse_act(self, outcome: Outcome) -> None:
        now = outcome.event.get("t")
        for sent in self._sent:
            may_be_late = not isinstance(now, int) or sent.tick + WINDOW_TICKS < now
            if not sent.answered and (outcome.code != codes.STALE or may_be_late):
                sent.answered = True
                for future in sent.waiting.values():
                    _settle(future, outcome)
                sent.waiting.clear()
                return

    def _lose(self, sent: _Sent, reason: str = "no answer came") -> None:
        for future in sent.waiting.values():
            _settle(future, Outcome(False, LOST, reason))


def _settle(future: Future[Any], outcome: Outcome) -> None:
    if not future.done():  # its owner may have stopped waiting
        future.set_result(outcome)
