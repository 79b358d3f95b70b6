"""The outcome of an action: done, or refused with a code, a sentence and advice on what to do
next."""

from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

import msgspec

# Codes of the agent's own side, for actions that the world did not answer.
LOST: Final = "LOST"
"""No answer came: the connection broke, the world crashed, or the body is another one."""
GONE: Final = "GONE"
"""The task is not running any more, and nothing said how it ended; or it was cancelled."""
GAVE_UP: Final = "GAVE_UP"
"""It took longer than the agent was willing to wait."""

MAX_HINT_BYTES: Final = 200  # A sentence, which every door has room for.

_ADVICE: Final = msgspec.json.decode((files(__package__) / "advice.json").read_bytes())
ADVICE: Final[dict[str, str]] = _ADVICE["codes"]
"""What to do about a refusal, by its code."""
ADVICE_FOR: Final[dict[str, dict[str, str]]] = _ADVICE["actions"]
"""More exact advice, by the type of the action and the code."""


def advice(deed: str, code: str) -> str:
    """What to do after an action of the type `deed` was refused with `code`; empty if unknown."""
    return ADVICE_FOR.get(deed, {}).get(code) or ADVICE.get(code, "")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an action ended; true if it succeeded. `event` is what the world said last about it."""

    ok: bool
    code: str = ""
    message: str = ""
    task_id: str = ""
    event: dict[str, Any] = field(default_factory=dict)
    deed: str = ""
    """The type of the action, where it is known."""
    hint: str = ""
    """The hint that the world adds to a refusal: what is wrong in this particular case."""

    def __getitem__(self, name: str) -> Any:
        """A field of what the world said: `outcome["land_id"]`."""
        return self.event[name]

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        """In words: what happened, and what to do about it."""
        message = f": {self.message}" if self.message else ""
        hint = f"Hint: {self.hint}" if self.hint else ""
        if hint and hint[-1] not in ".?!":
            hint += "."
        if self.ok:
            return f"done{message}. {hint}" if hint else f"done{message}"
        return f"refused, {self.code}{message}. {hint or advice(self.deed, self.code)}".rstrip()

    @property
    def cooldown_ticks(self) -> int:
        """After E_RATE_LIMIT, how long to wait."""
        return int(self.event.get("cooldown_ticks", 0))


def outcome_of(event: dict[str, Any], deed: str = "") -> Outcome:
    """Read the outcome from an ACTION_RESULT, a TASK_DONE or a TASK_FAIL."""
    return Outcome(
        ok=event.get("type") == "TASK_DONE" or event.get("ok") is True,
        code=str(event.get("code", "")),
        message=str(event.get("message", "")),
        task_id=str(event.get("task_id", "")),
        event=event,
        deed=deed,
        hint=str(event.get("hint", "")),
    )
