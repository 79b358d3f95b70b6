"""Events of the world in words, and the order in which they matter to those who see them."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from thorp.language.phrases import (
    MAX_LISTED,
    MAX_QUOTE_BYTES,
    bounded,
    clean,
    one_line,
    quote,
    value_text,
    word,
)
from thorp.protocol.frame import clip
from thorp.protocol.obs import Event
from thorp.protocol.outcome import MAX_HINT_BYTES, Outcome

# The longest speech; a world lets nobody say more than 2,000 bytes.
MAX_HEARD_CHARACTERS: Final = 4_000
MAX_LINE_BYTES: Final = 480
# Why an action was refused: what was wrong, and what to send instead.
MAX_REASON_BYTES: Final = 440
MAX_SPEECH_BYTES: Final = 640  # How much of a speech or post is shown at a time: a paragraph.
# The ids and places that come with a speech, told after its words.
MAX_IDS_BYTES: Final = 240
# What the world names its things: A3, C000007, ORG000001, LAND_A1_001, CHEST@4,20,-9.
_ID: Final = re.compile(r"[A-Z][A-Z0-9_]{0,39}(\d|@-?\d{1,8},-?\d{1,8},-?\d{1,8})", re.ASCII)
# The order of the news: results of the agent's own actions, then what concerns it, then the rest.
_RANKS: Final = {
    **dict.fromkeys(("ACTION_RESULT", "TASK_DONE", "TASK_FAIL"), 0),
    **dict.fromkeys(("RESPAWN", "DAMAGE", "TRADE_DONE", "CONTRACT", "CONTAINER", "BOARD"), 1),
    **dict.fromkeys(("ORG_INVITE", "LAND_OFFER"), 1),
    **dict.fromkeys(("SIGN", "BOARD_SEARCH", "TRADE_DECLINED", "FINE", "MAINTENANCE"), 1),
    "POST": 1,
    "CHAT": 2,
    "FUN": 4,
}
_OTHERS_RANK: Final = 3
CHAT: Final = "CHAT"
_POST: Final = "POST"  # An event of our own: one post of a board that was read.
# Events that hold long texts of others, and the field in which they do.
_SPEECH: Final = {CHAT: "text", _POST: "body"}
_CONTINUED: Final = "continued"
_POSTS: Final = {"BOARD": "posts", "BOARD_SEARCH": "results"}
_EVENT_FIELDS: Final = {"t", "type"}
RESULT_FIELDS: Final = {"t", "type", "ref", "ok", "code", "message", "hint", "task_id", "kind"}


def expanded(event: Event) -> list[Event]:
    """The posts of a board that was read as events of their own, the newest first, so that each can
    be shown whole; any other event as it is."""
    kind = str(event.get("type"))
    posts = event.get(_POSTS.get(kind, ""))
    if not isinstance(posts, list):
        return [event]
    head = {name: value for name, value in event.items() if value is not posts}
    newest_first = posts if kind == "BOARD_SEARCH" else posts[::-1]
    shared = {"type": _POST, "board_id": event.get("board_id")}
    return [head, *({**post, **shared} for post in newest_first if isinstance(post, dict))]


def is_personal(event: Event) -> bool:
    """Whether words were meant for the agent: a whisper, or something that it asked to read."""
    kind = event.get("type")
    return (
        kind == _POST or (kind == CHAT and event.get("channel") == "WHISPER") or _CONTINUED in event
    )


def _split_speech(event: Event) -> tuple[str, str]:
    """The part of a speech that is shown now, and the rest. The cut is between two words."""
    said = str(event.get(_SPEECH[str(event.get("type"))], ""))
    text = one_line(said[:MAX_HEARD_CHARACTERS])
    head = clip(text, MAX_SPEECH_BYTES)
    if head == text:
        return text, ""
    head = head.rpartition(" ")[0] or head
    return head, text[len(head) :].lstrip()


def rest_of_speech(event: Event) -> Event | None:
    """The rest of a speech as an event; None if it was shown to its end."""
    field = _SPEECH.get(str(event.get("type")))
    if field is None:
        return None
    _, rest = _split_speech(event)
    return {**event, field: rest, _CONTINUED: True} if rest else None


def rank_of(event: Event) -> int:
    """How early an event is told: 0 is what the agent itself did."""
    return _RANKS.get(str(event.get("type")), _OTHERS_RANK)


def event_text(event: Event) -> str:
    """An event in one line."""
    kind = str(event.get("type"))
    if kind in _SPEECH:
        said, rest = _split_speech(event)
        words = '"' + said.replace('"', "'") + '"'
        ending = " (it goes on with your next observation)" if rest else _told_ids(event)
        return f"{_speaker(event)} {words}{ending}"
    own = rank_of(event) == 0
    head, untold = (result_text(event), RESULT_FIELDS) if own else (word(kind), _EVENT_FIELDS)
    more = [
        f"{word(name)} {value_text(value)}" for name, value in event.items() if name not in untold
    ]
    return clip("; ".join([head, *more]), MAX_LINE_BYTES)


def _told_ids(event: Event) -> str:
    """The ids and places in the data of a speech, each after the name of its field."""
    ids = list(islice(_ids_in(event.get("data"), "id"), MAX_LISTED))
    return f" [{bounded(ids, MAX_IDS_BYTES, ', ')}]" if ids else ""


def _ids_in(value: object, name: str) -> Iterator[str]:
    match value:
        case [int(), int(), int()]:
            yield f"{word(name)} {value_text(value)}"
        case str() if _ID.fullmatch(value):
            yield f"{word(name)} {value}"
        case list():
            for each in value:
                yield from _ids_in(each, name)
        case dict():
            for inner, each in value.items():
                yield from _ids_in(each, name if inner == "id" else inner)


def _speaker(event: Event) -> str:
    """Who says something, or what a post is."""
    if event.get("type") == _POST:
        title = "goes on:" if _CONTINUED in event else f"{quote(event.get('title'))} says"
        return f"{word(event.get('post_id'))} of {word(event.get('author'))} {title}"
    channel = "" if event.get("channel") == "LOCAL" else f" ({word(event.get('channel'))})"
    return f"{word(event.get('from'))} {'goes on' if _CONTINUED in event else 'says'}{channel}"


def refusal(code: str, message: str, deed: str = "", hint: str = "") -> str:
    """A refused action (its type is `deed`) as a sentence: what was wrong, and what to send
    instead."""
    return str(
        Outcome(
            ok=False,
            code=clean(code, 40),
            message=clean(message, MAX_QUOTE_BYTES),
            deed=deed,
            hint=clean(hint, MAX_HINT_BYTES),
        )
    )


def result_text(event: Event) -> str:
    """The result of an action: done, begun, or why not. Its `ref` may be the name of a tool and a
    number."""
    ref, task, deed, code, message, hint = (
        str(event.get(name, "")) for name in ("ref", "task_id", "kind", "code", "message", "hint")
    )
    head = f"{word(task)} {word(deed)}"
    sentence = "done"
    if event["type"] == "ACTION_RESULT":
        head = word(ref) if ref else "your action"
        deed = ref.rpartition("-")[0].upper()
        sentence = f"begun {word(task)}" if task else clean(message, MAX_QUOTE_BYTES) or "ok"
    if code:
        return f"{head}: {refusal(code, message, deed, hint)}"
    return f"{head}: {sentence} ({clean(hint, MAX_HINT_BYTES)})" if hint else f"{head}: {sentence}"
