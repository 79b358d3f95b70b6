"""The outcome of an action: done, or refused with a code, a sentence and advice on what to do next."""

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
    codes.BAD_REQUEST: "Mend the action as the message says.",
    codes.INTERNAL: "The world could not do it, through no fault of yours; try something else.",
    LOST: "No answer came, and it may have been done or not: look at the newest observation.",
    GONE: "The task ended without a result: it was stopped, or the agent fell. Begin anew if still wanted.",
    GAVE_UP: "It took longer than you would wait, and was cancelled.",
}

_MEMBERS: Final = (
    "Only members of the land may: its owner, whom it has listed, the members of its organisation."
)
_ADMINS: Final = (
    "Only the owner of the land may, or the leader and officers of the organisation that owns it."
)
_ONE_ORG: Final = "One is in one organisation at most: leave yours first."
_OFFICERS: Final = "Only its leader and officers may: ask them, or to become one."
_TERMINAL: Final = "Stand within 3 cells of a CONTRACT_TERMINAL, and name it as CONTRACT_TERMINAL@x,y,z."
_CONTRACT: Final = "Look into the terminal: it lists its contracts and what has become of them."
_MARKET: Final = (
    "Trading is not allowed here: go where `local_rules` has can_trade, or ask the owner to allow it."
)

ADVICE_FOR: Final = {
    "EAT": {codes.BAD_REQUEST: "`item_id` must name food, and `count` be positive."},
    "TRANSFER": {
        codes.BAD_REQUEST: "It needs `src_container`, another `dst_container`, `item_id`, and a positive "
        "`count`."
    },
    "POST_BOARD": {
        codes.BAD_REQUEST: "It needs `board_id` of a BULLETIN_BOARD, `title` (at most 80 bytes) and `body` "
        "(at most 2,000).",
        codes.NO_PERMISSION: "The board stands on land where you may not trade: ask its owner.",
        codes.BLOCKED: "Go up to the board, or post on one that is everywhere, under any name.",
    },
    "CLAIM_LAND": {
        codes.NO_RESOURCE: "1 BATTERY and 1 CRYSTAL_SHARD, beyond radius 32 by area: craft or trade.",
        codes.CONFLICT: "Another land or home is there: go farther off, or take a smaller radius.",
        codes.BLOCKED: "The totem needs a free cell, at most 32 cells away.",
    },
    "UPGRADE_CLAIM": {
        codes.NO_PERMISSION: f"{_ADMINS} Upkeep must be paid, too.",
        codes.CONFLICT: "It is that large already, or would overlap another land.",
    },
    "SET_PERMISSIONS": {codes.NO_PERMISSION: _ADMINS},
    "ADD_MEMBER": {codes.NO_PERMISSION: _ADMINS},
    "REMOVE_MEMBER": {codes.NO_PERMISSION: _ADMINS},
    "DEED_LAND": {codes.NO_PERMISSION: _ADMINS},
    "CREATE_ORG": {codes.CONFLICT: _ONE_ORG},
    "JOIN_ORG": {
        codes.CONFLICT: _ONE_ORG,
        codes.NO_PERMISSION: "It is closed: ask its leader or an officer to invite you.",
    },
    "LEAVE_ORG": {codes.BLOCKED: "You are in no organisation."},
    "ORG_DEPOSIT": {codes.NO_PERMISSION: "Only its members may: join it first."},
    "ORG_WITHDRAW": {codes.NO_PERMISSION: _OFFICERS},
    "SET_ORG_OPEN": {codes.NO_PERMISSION: _OFFICERS},
    "INVITE_ORG": {
        codes.NO_PERMISSION: _OFFICERS,
        codes.CONFLICT: "Nothing is left to be done: it is a member.",
    },
    "SET_ORG_ROLE": {codes.NO_PERMISSION: "Only its leader gives roles."},
    "PROPOSE_LAW": {
        codes.NO_PERMISSION: _MEMBERS,
        codes.CONFLICT: "The land has as many laws under way as it may: wait until one is decided.",
        codes.INVALID_TARGET: "No such land or template: the catalog `law_templates` lists them.",
    },
    "VOTE": {
        codes.NO_PERMISSION: _MEMBERS,
        codes.BLOCKED: "Its voting has not begun, or is over: LAW events, and `agent.news.laws`, tell when.",
    },
    "OFFER_TRADE": {
        codes.NO_PERMISSION: _MARKET,
        codes.CONFLICT: "Too many offers wait for an answer: cancel one, or let it lapse.",
    },
    "ACCEPT_TRADE": {
        codes.NO_PERMISSION: f"It is for somebody else; or else: {_MARKET}",
        codes.NO_RESOURCE: "One of the two no longer has what was promised.",
        codes.INVALID_TARGET: "It was accepted, declined or cancelled, or has lapsed.",
    },
    "DECLINE_TRADE": {codes.NO_PERMISSION: "It is for somebody else."},
    "CANCEL_TRADE": {codes.NO_PERMISSION: "It is somebody else's; yours is to accept or decline it."},
    "POST_CONTRACT": {
        codes.INVALID_TARGET: _TERMINAL,
        codes.BLOCKED: _TERMINAL,
        codes.NO_RESOURCE: "The reward is taken when the contract is posted: have it with you.",
        codes.CONFLICT: "It stands already, or there are too many contracts, of yours or here.",
    },
    "ACCEPT_CONTRACT": {
        codes.NO_PERMISSION: "Nobody takes on a contract of their own.",
        codes.NO_RESOURCE: "The deposit is taken at once, and more of it the less you are trusted.",
        codes.CONFLICT: f"It is taken, too late or done, or you have too many. {_CONTRACT}",
        codes.BLOCKED: _TERMINAL,
        codes.INVALID_TARGET: _CONTRACT,
    },
    "SUBMIT_CONTRACT": {
        codes.NO_PERMISSION: f"Only who has accepted it may. {_CONTRACT}",
        codes.BLOCKED: f"Something is lacking still, or the terminal is too far off. {_CONTRACT}",
    },
    "SEARCH_BOARD": {
        codes.INVALID_TARGET: "There is no such board; one that is everywhere begins with a post."
    },
}
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
    return Outcome(
        ok=event.get("type") == "TASK_DONE" or event.get("ok") is True,
        code=str(event.get("code", "")),
        message=str(event.get("message", "")),
        task_id=str(event.get("task_id", "")),
        event=event,
        deed=deed,
    )
