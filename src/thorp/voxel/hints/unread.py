"""Hints about actions that could not be read: the name that was sent, and the nearest right one."""

import re
from functools import cache
from typing import Final, get_args

from msgspec import structs

from thorp.protocol import actions
from thorp.protocol.near_names import did_you_mean, nearest, quote_name
from thorp.voxel.hints.case import Case

PAGE: Final = "docs/protocol.md lists all"

_INSTANTS: Final = {
    str(kind.__struct_config__.tag): kind for kind in get_args(actions.SoundInstant)
}
_TASKS: Final = {str(kind.__struct_config__.tag): kind for kind in get_args(actions.SoundTask)}
_KINDS: Final[dict[str, type[actions.Action]]] = {**_INSTANTS, **_TASKS}
_NAMES: Final = tuple(_KINDS)
# Other words for an action, which do not look like its name.
_OTHER_WORDS: Final = {
    **dict.fromkeys(("WALK", "GO", "GOTO", "GO_TO", "STEP", "RUN"), "MOVE_TO"),
    **dict.fromkeys(("CHAT", "TALK", "SPEAK", "TELL", "SHOUT", "MESSAGE"), "SAY"),
    **dict.fromkeys(("DIG", "BREAK", "CHOP", "HARVEST"), "MINE"),
    **dict.fromkeys(("PICK_UP", "PICKUP", "TAKE", "COLLECT", "LOOT"), "GATHER"),
    **dict.fromkeys(("READ", "LOOK", "INSPECT"), "OPEN"),
    **dict.fromkeys(("COOK", "MELT"), "SMELT"),
    **dict.fromkeys(("MAKE", "CREATE"), "CRAFT"),
    **dict.fromkeys(("GIVE", "TRADE", "SELL", "BUY"), "OFFER_TRADE"),
    **dict.fromkeys(("REMEMBER", "NOTE"), "SAVE_MEMORY"),
    **dict.fromkeys(("HAND_IN", "TURN_IN", "FULFIL", "FULFILL"), "SUBMIT_CONTRACT"),
    **dict.fromkeys(("TAKE_ON", "TAKE_CONTRACT"), "ACCEPT_CONTRACT"),
    "RECALL": "LOAD_MEMORY",
    "HALT": "STOP",
}
# A field of the action that was sent, and the word in it.
_WORD: Final = re.compile(r'"(\w{1,20})"\s*:\s*"(\w{2,40})"', re.ASCII)


def hint_for(bad: actions.BadInstant | actions.BadTask) -> str:
    """The type that was probably meant, or the fields that the action takes."""
    kind = _KINDS.get(bad.name)
    if kind is None:
        return _unknown(bad.name) if bad.name else _nameless(bad.sent)
    part = "tasks" if bad.name in _TASKS else "instants"
    if isinstance(bad, actions.BadTask) != (part == "tasks"):
        return f'{bad.name} belongs into "{part}" of the ACT'
    return f"{bad.name} takes {fields_of(kind)}"


def _unknown(name: str) -> str:
    meant = _OTHER_WORDS.get(name.upper(), "")
    guess = f"; did you mean {meant}?" if meant else did_you_mean(name, _NAMES)
    return f"No action {quote_name(name)}{guess} {PAGE}"


def _nameless(sent: str) -> str:
    for field, word in _WORD.findall(sent):
        name = nearest(word, _NAMES)
        if name and field not in ("id", "text"):
            return f'An action is named by its type: send "type": "{name}", not "{field}". {PAGE}'
    return f'An action needs a type: {{"type": "SAY", "text": "hello"}}. {PAGE}'


def missing(case: Case) -> str:
    """The fields that are missing, and all that the action takes."""
    names = case.refusal.message.removeprefix("missing ").split("/")
    absent = [name for name in names if case.field(name) in (None, "")]
    if case.field("target_id") and "board_id" in absent:  # either of them names the board
        absent.remove("board_id")
    kind = _KINDS.get(case.kind)
    if kind is None or not absent:
        return ""
    return f"missing {' and '.join(absent)} of {case.kind}; it takes {fields_of(kind)}"


@cache
def fields_of(kind: type[actions.Action]) -> str:
    """The fields of an action, as they are called on the wire."""
    names = [field.name for field in structs.fields(kind) if field.name != "id"]
    return ", ".join(names) or "no fields"
