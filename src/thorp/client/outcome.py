"""What became of an action: done, or refused with a code, a sentence and advice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from thorp.protocol import codes

# Codes of this kit, for actions that got no answer from the world.
LOST: Final = "LOST"
GONE: Final = "GONE"
GAVE_UP: Final = "GAVE_UP"

ADVICE: Final = {
    codes.NO_PERMISSION: "Ask the owner of the land, or do it somewhere else.",
    codes.NO_RESOURCE: "Get what is missing first: mine, gather, craft or trade it.",
    codes.INVALID_TARGET: "Look again: it does not exist, is no such thing, or is out of reach.",
    codes.BLOCKED: "Something is in the way or too far off: move, clear it, or choose another place.",
    codes.RATE_LIMIT: "Wait for the cooldown, then try again.",
    codes.CONFLICT: "Another task is running or something changed: cancel the task, or wait for its end.",
    codes.UNSAFE: "This would do harm; choose another way or another place.",
    codes.STALE: "The answer came too late for its observation: decide anew on the newest one.",
    codes.BAD_REQUEST: "Mend the action: the message names the field.",
    codes.INTERNAL: "The world could not do it, through no fault of yours; try something else.",
    LOST: "No answer came, and it may have been done or not: look at the newest observation.",
    GONE: "The task ended without a result: it was stopped, or the agent fell. Begin anew if still wanted.",
    GAVE_UP: "It took longer than you would wait, and was cancelled.",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """True if the action succeeded. `event` is what the world said last about it."""

    ok: bool
    code: str = ""
    message: str = ""
    task_id: str = ""
    event: dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        """In words: what happened, and what to do about it."""
        if self.ok:
            return f"done: {self.message}" if self.message else "done"
        message = f": {self.message}" if self.message else ""
        return f"refused, {self.code}{message}. {ADVICE.get(self.code, '')}".rstrip()

    @property
    def cooldown_ticks(self) -> int:
        """After E_RATE_LIMIT, how long to wait."""
        return int(self.event.get("cooldown_ticks", 0))


def outcome_of(event: dict[str, Any]) -> Outcome:
    """The outcome that an ACTION_RESULT, a TASK_DONE or a TASK_FAIL tells of."""
    return Outcome(
        ok=event.get("type") == "TASK_DONE" or event.get("ok") is True,
        code=str(event.get("code", "")),
        message=str(event.get("message", "")),
        task_id=str(event.get("task_id", "")),
        event=event,
    )
