"""Describes what an agent perceives as text for a language model: what is new, then how things are.

Each line is about one thing, in an order that never changes. Text that others chose (what they say,
titles, names) is hostile: it is put in quotes, without control characters and line breaks, so that
it cannot look like a line of ours. What is said to the agent, and what it reads on a board, is not
cut off: a long speech is split after a word, says so, and goes on with the next observation. Every
part has a limit in bytes, and so has the whole: no tokenizer that works on bytes makes more tokens
of a text than it has bytes.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import UNSET

from thorp.kernel.errors import InvalidError
from thorp.language.possibilities import Possibilities, Recipe, find_possibilities
from thorp.protocol.block_view import BlockView
from thorp.protocol.frame import clip
from thorp.protocol.news import News
from thorp.protocol.obs import Entity, Event, Obs, Position
from thorp.protocol.outcome import MAX_HINT_BYTES, Outcome

# The most bytes of each part. Items that do not fit are counted: "and 7 more".
NEWS_BYTES: Final = 960
NOW_BYTES: Final = {
    "world": 200,
    "you": 240,
    "doing": 160,
    "carrying": 400,
    "land": 160,
    "blocks": 320,
    "near": 480,
    "offers": 320,
    "notices": 320,
    "notes": 640,
}
MAX_BYTES: Final = NEWS_BYTES + sum(NOW_BYTES.values()) + 360
"""No text is longer: the parts, their names, and the words about how many more there are."""
# A sentence of somebody else: enough to understand it. `open`, `search_board` and `load_memory`
# show the rest.
MAX_QUOTE_BYTES: Final = 160
MAX_SPEECH_BYTES: Final = 640  # How much of a speech or post is shown at a time: a paragraph.
# The longest speech; a world lets nobody say more than 2,000 bytes.
MAX_HEARD_CHARACTERS: Final = 4_000
# Speeches and posts that wait for the next observation; later ones are counted only.
MAX_CARRIED: Final = 8
# The ids and places that come with a speech, told after its words.
MAX_IDS_BYTES: Final = 240
MAX_LINE_BYTES: Final = 480
# Why an action was refused: what was wrong, and what to send instead.
MAX_REASON_BYTES: Final = 440
MAX_LISTED: Final = 12  # Items of a list, and fields of an object, in a line.
# Events that wait to be described; an agent that thinks for a minute misses older ones.
MAX_EVENTS: Final = 64

_PLAIN: Final = re.compile(r"[\w@,.:#+-]{1,64}", re.ASCII)
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
_CHAT: Final = "CHAT"
_POST: Final = "POST"  # An event of our own: one post of a board that was read.
# Events that hold long texts of others, and the field in which they do.
_SPEECH: Final = {_CHAT: "text", _POST: "body"}
_CONTINUED: Final = "continued"
_POSTS: Final = {"BOARD": "posts", "BOARD_SEARCH": "results"}
_EVENT_FIELDS: Final = {"t", "type"}
RESULT_FIELDS: Final = {"t", "type", "ref", "ok", "code", "message", "hint", "task_id", "kind"}


class Describer:
    """Writes the observations of one agent. `palette` names the blocks: the catalog
    `block_palette`.

    Give it every observation, with `take` or `describe`, or what a `thorp.client.Agent` observes:
    the events of one that is left out are never described.
    """

    def __init__(self, palette: Sequence[str] = ()) -> None:
        self._sight = BlockView()
        self._sight.palette = list(palette)
        self._news = News()
        self._events: deque[Event] = deque(maxlen=MAX_EVENTS)
        self._obs: Obs | None = None
        self._described: Obs | None = None  # What was described last.

    @property
    def position(self) -> Position:
        return (0, 0, 0) if self._obs is None else self._obs.body.pos

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where blocks of these names are, the nearest first."""
        return self._sight.find_all(*names)

    def take(self, obs: Mapping[str, Any] | Obs) -> None:
        """Take in an observation without describing it yet. The same one twice counts once."""
        try:
            seen = obs if isinstance(obs, Obs) else msgspec.convert(obs, Obs)
        except msgspec.ValidationError as problem:
            raise InvalidError(f"no OBS: {problem}", code="obs") from None
        if self._obs is not None and seen.tick == self._obs.tick:
            return
        if self._obs is not None and seen.tick != self._obs.tick + 1:
            self._sight.forget()  # changes of a cube that was not seen are of no use
        if self._obs is not None and seen.tick < self._obs.tick:  # another life, in another world
            self._news.forget()
            self._events.clear()
            self._described = None
        self._obs = seen
        self._sight.take(seen.voxels)
        for event in seen.events:
            self._news.take(event)
            self._events.append(event)

    def possibilities(self, recipes: Iterable[Recipe]) -> Possibilities:
        """What the agent can do, as far as its newest observation shows it."""
        if self._obs is None:
            return Possibilities()
        return find_possibilities(self._obs, self._sight, self._news.offers, recipes)

    def describe(self, obs: Mapping[str, Any] | Obs, refused: str = "") -> str:
        """What is new since the last time, and how things are now.

        `refused` says why the agent's last action never reached the world, if it did not; it comes
        first.
        """
        self.take(obs)
        now = self._obs
        assert now is not None
        why = (
            [f"your last action was refused: {_clean(refused, MAX_REASON_BYTES)}"]
            if refused
            else []
        )
        news = self._tell_news([*((line, None) for line in why), *self._news_items(now)])
        self._described = now
        parts = {name: _bounded(lines, NOW_BYTES[name]) for name, lines in self._now(now).items()}
        sections = (f"{name}: {text}" for name, text in parts.items() if text)
        return "\n".join(["NEWS", *([news] if news else ["nothing"]), "NOW", *sections])

    def _tell_news(self, items: list[tuple[str, Event | None]]) -> str:
        """As many lines as there is room for. Personal news that does not fit, or not to its end,
        waits for the next observation."""
        lines = [line for line, _ in items]
        count = _count_fitting(lines, NEWS_BYTES, "\n")
        rests = [_rest(event) for _, event in items[:count] if event is not None]
        later = [event for _, event in items[count:] if event is not None and _is_personal(event)]
        room = max(0, MAX_CARRIED - sum(rest is not None for rest in rests))
        self._events.clear()
        self._events.extend(rest for rest in rests if rest is not None)
        self._events.extend(later[:room])
        kept = lines[:count]
        if count < len(lines):
            waiting = (
                f", {len(later[:room])} of them with your next observation" if later[:room] else ""
            )
            kept.append(f"and {len(lines) - count} more{waiting}")
        return "\n".join(kept)

    def _news_items(self, obs: Obs) -> Iterator[tuple[str, Event | None]]:
        """The lines of the news, the most important first, each with the event that it is about."""
        ranked = sorted((each for event in self._events for each in _expanded(event)), key=_rank)
        own = [event for event in ranked if _rank(event) == 0]
        over = [event.get("task_id") for event in own if event["type"] != "ACTION_RESULT"]
        for event in own:
            # If a task is over, it need not be said that it began.
            if event["type"] != "ACTION_RESULT" or event.get("task_id") not in over:
                yield _told_event(event), event
        if self._described is not None:
            yield from ((line, None) for line in _changes(self._described, obs))
        for event in ranked[len(own) :]:
            if not (event.get("type") == _CHAT and event.get("from") == obs.agent_id):
                yield _told_event(event), event

    def _now(self, obs: Obs) -> dict[str, Iterable[str]]:
        """Every part as its items, by its name."""
        body = obs.body
        world = obs.world
        rules = obs.local_rules
        hour, minute = divmod(round(world.time_of_day * 1440) % 1440, 60)
        sky = [
            f"tick {obs.tick}",
            f"day {world.season_day}",
            f"{hour:02}:{minute:02}",
            _word(world.weather),
        ]
        degrees = [] if world.temperature is UNSET else [f"{world.temperature} °C"]
        event = [] if world.active_event is UNSET else [f"event {_word(world.active_event)}"]
        health = f"hp {body.hp} of 20, hunger {body.hunger} of 20, stamina {body.stamina:.0%}"
        status = [_word(each) for each in body.status if each != "NONE"]
        where = f"{_word(obs.agent_id)} at {_place(body.pos)}"
        may = [
            name
            for name in ("build", "break", "trade")
            if getattr(rules.permissions, f"can_{name}")
        ]
        land = [] if rules.land_id is UNSET else [f"{_word(rules.land_id)} of {_word(rules.owner)}"]
        blocks = self._sight.nearest() if self._sight.palette else {}
        near = sorted(
            obs.entities,
            key=lambda each: sum(abs(a - b) for a, b in zip(each.pos, body.pos, strict=True)),
        )
        offers = (
            offer
            for offer in self._news.offers.values()
            if offer.get("expires_tick", obs.tick) >= obs.tick
        )
        posts = (
            (board.board_id, post) for board in obs.public_boards or [] for post in board.top_posts
        )
        return {
            "world": [*sky, _word(world.biome), *degrees, *event],
            "you": [where, health, *status],
            "doing": [
                f"{_word(task.kind)} {task.progress:.0%} ({_word(task.task_id)})"
                for task in obs.tasks
            ],
            "carrying": [f"{_word(each.item)} {each.count}" for each in obs.inventory],
            "land": [_word(rules.role), *land, f"you may {', '.join(may) or 'do nothing'}"],
            "blocks": [
                f"{_word(name)} {_place(place)}" for name, place in blocks.items() if name != "AIR"
            ],
            "near": map(_entity, near),
            "offers": map(_offer, offers),
            "notices": [
                f"{_word(each.post_id)} on {_word(board)}: {_quote(each.title)}"
                for board, each in posts
            ],
            "notes": [f"{_quote(note.key)} {_quote(note.value)}" for note in obs.memory or []],
        }


def refusal(code: str, message: str, deed: str = "", hint: str = "") -> str:
    """A refused action (its type is `deed`) as a sentence: what was wrong, and what to send
    instead."""
    return str(
        Outcome(
            ok=False,
            code=_clean(code, 40),
            message=_clean(message, MAX_QUOTE_BYTES),
            deed=deed,
            hint=_clean(hint, MAX_HINT_BYTES),
        )
    )


def _expanded(event: Event) -> list[Event]:
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


def _is_personal(event: Event) -> bool:
    """Whether words were meant for the agent: a whisper, or something that it asked to read."""
    kind = event.get("type")
    return (
        kind == _POST
        or (kind == _CHAT and event.get("channel") == "WHISPER")
        or _CONTINUED in event
    )


def _split_speech(event: Event) -> tuple[str, str]:
    """The part of a speech that is shown now, and the rest. The cut is between two words."""
    said = str(event.get(_SPEECH[str(event.get("type"))], ""))
    text = _one_line(said[:MAX_HEARD_CHARACTERS])
    head = clip(text, MAX_SPEECH_BYTES)
    if head == text:
        return text, ""
    head = head.rpartition(" ")[0] or head
    return head, text[len(head) :].lstrip()


def _rest(event: Event) -> Event | None:
    """The rest of a speech as an event; None if it was shown to its end."""
    field = _SPEECH.get(str(event.get("type")))
    if field is None:
        return None
    _, rest = _split_speech(event)
    return {**event, field: rest, _CONTINUED: True} if rest else None


def _rank(event: Event) -> int:
    return _RANKS.get(str(event.get("type")), _OTHERS_RANK)


def _told_event(event: Event) -> str:
    kind = str(event.get("type"))
    if kind in _SPEECH:
        said, rest = _split_speech(event)
        words = '"' + said.replace('"', "'") + '"'
        ending = " (it goes on with your next observation)" if rest else _told_ids(event)
        return f"{_speaker(event)} {words}{ending}"
    own = _rank(event) == 0
    head, untold = (_told_result(event), RESULT_FIELDS) if own else (_word(kind), _EVENT_FIELDS)
    more = [f"{_word(name)} {_value(value)}" for name, value in event.items() if name not in untold]
    return clip("; ".join([head, *more]), MAX_LINE_BYTES)


def _told_ids(event: Event) -> str:
    """The ids and places in the data of a speech, each after the name of its field."""
    ids = list(islice(_ids_in(event.get("data"), "id"), MAX_LISTED))
    return f" [{_bounded(ids, MAX_IDS_BYTES, ', ')}]" if ids else ""


def _ids_in(value: object, name: str) -> Iterator[str]:
    match value:
        case [int(), int(), int()]:
            yield f"{_word(name)} {_value(value)}"
        case str() if _ID.fullmatch(value):
            yield f"{_word(name)} {value}"
        case list():
            for each in value:
                yield from _ids_in(each, name)
        case dict():
            for inner, each in value.items():
                yield from _ids_in(each, name if inner == "id" else inner)


def _speaker(event: Event) -> str:
    """Who says something, or what a post is."""
    if event.get("type") == _POST:
        title = "goes on:" if _CONTINUED in event else f"{_quote(event.get('title'))} says"
        return f"{_word(event.get('post_id'))} of {_word(event.get('author'))} {title}"
    channel = "" if event.get("channel") == "LOCAL" else f" ({_word(event.get('channel'))})"
    return f"{_word(event.get('from'))} {'goes on' if _CONTINUED in event else 'says'}{channel}"


def _told_result(event: Event) -> str:
    """The result of an action: done, begun, or why not. Its `ref` may be the name of a tool and a
    number."""
    ref, task, deed, code, message, hint = (
        str(event.get(name, "")) for name in ("ref", "task_id", "kind", "code", "message", "hint")
    )
    head = f"{_word(task)} {_word(deed)}"
    sentence = "done"
    if event["type"] == "ACTION_RESULT":
        head = _word(ref) if ref else "your action"
        deed = ref.rpartition("-")[0].upper()
        sentence = f"begun {_word(task)}" if task else _clean(message, MAX_QUOTE_BYTES) or "ok"
    if code:
        return f"{head}: {refusal(code, message, deed, hint)}"
    return f"{head}: {sentence} ({_clean(hint, MAX_HINT_BYTES)})" if hint else f"{head}: {sentence}"


def _changes(before: Obs, now: Obs) -> Iterator[str]:
    gained = Counter({each.item: each.count for each in now.inventory})
    gained.subtract({each.item: each.count for each in before.inventory})
    goods = [f"{_word(item)} {count:+}" for item, count in sorted(gained.items()) if count]
    if goods:
        yield clip(f"your goods: {', '.join(goods)}", MAX_LINE_BYTES)
    for name in ("hp", "hunger"):
        was = getattr(before.body, name)
        is_now = getattr(now.body, name)
        if was != is_now:
            yield f"your {name}: {was} to {is_now}"
    if before.body.pos != now.body.pos:
        yield f"you went from {_place(before.body.pos)} to {_place(now.body.pos)}"


def _entity(entity: Entity) -> str:
    tags = [_word(tag) for tag in entity.tags[:3]]
    goods = f" {_word(entity.item)} {entity.count}" if entity.item else ""
    # A block's id says where it is.
    place = "" if "@" in entity.id else f" at {_place(entity.pos)}"
    return " ".join([f"{_word(entity.id)}{goods}{place}", *tags])


def _offer(offer: Event) -> str:
    gives, wants = (_value(offer.get(side)) for side in ("offer", "request"))
    return (
        f"{_word(offer.get('trade_id'))} from {_word(offer.get('from'))} gives {gives} for {wants}"
    )


def _bounded(items: Iterable[str], budget: int, between: str = "; ") -> str:
    """As many items as there is room for, and how many more there are."""
    lines = list(items)
    count = _count_fitting(lines, budget, between)
    rest = [f"and {len(lines) - count} more"] if count < len(lines) else []
    return between.join(lines[:count] + rest)


def _count_fitting(lines: Sequence[str], budget: int, between: str) -> int:
    """How many of the first lines fit into `budget` bytes."""
    for number, line in enumerate(lines):
        budget -= len(line.encode()) + len(between)
        if budget < 0:
            return number
    return len(lines)


def _value(value: object) -> str:
    """A field of an event in short: goods as "3 COAL", a place as "4 20 -9", texts in quotes."""
    match value:
        case bool() | int() | float():
            return str(value)
        case [int(), int(), int()]:
            return _place((value[0], value[1], value[2]))
        case [str() as item, int() as count] | {"item": str() as item, "count": int() as count}:
            return f"{count} {_word(item)}"
        case list():
            rest = ["…"] if len(value) > MAX_LISTED else []
            return ", ".join([*map(_value, value[:MAX_LISTED]), *rest]) or "nothing"
        case dict():
            fields = islice(value.items(), MAX_LISTED)
            return f"({', '.join(f'{_word(name)} {_value(each)}' for name, each in fields)})"
    return _word(value)


def _place(position: Position) -> str:
    return "{} {} {}".format(*position)


def _word(value: object) -> str:
    """An id as it is; any other text in quotes."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else _quote(text)


def _quote(value: object) -> str:
    return '"' + _clean(value, MAX_QUOTE_BYTES).replace('"', "'") + '"'


def _clean(value: object, max_bytes: int) -> str:
    """One line of printable text, cut to its limit."""
    line = _one_line(str(value)[: 4 * max_bytes])
    cut = clip(line, max_bytes)
    return cut if cut == line and len(str(value)) <= 4 * max_bytes else f"{cut}…"


def _one_line(text: str) -> str:
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())
