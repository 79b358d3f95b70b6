"""Describes what an agent perceives as text for a language model: what is new, then how things are.

Each line is about one thing, in an order that never changes. Text that others chose (what they say,
titles, names) is hostile: it is put in quotes, without control characters and line breaks, so that
it cannot look like a line of ours. What is said to the agent, and what it reads on a board, is not
cut off: a long speech is split after a word, says so, and goes on with the next observation. Every
part has a limit in bytes, and so has the whole: no tokenizer that works on bytes makes more tokens
of a text than it has bytes.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET

from thorp.kernel.errors import InvalidError
from thorp.language.event_text import (
    CHAT,
    MAX_LINE_BYTES,
    MAX_REASON_BYTES,
    event_text,
    expanded,
    is_personal,
    rank_of,
    rest_of_speech,
)
from thorp.language.phrases import (
    bounded,
    clean,
    count_fitting,
    place_text,
    quote,
    value_text,
    word,
)
from thorp.language.possibilities import Possibilities, Recipe, find_possibilities
from thorp.protocol.block_view import BlockView
from thorp.protocol.frame import clip
from thorp.protocol.news import News
from thorp.protocol.obs import Entity, Event, Obs, Position

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
# Speeches and posts that wait for the next observation; later ones are counted only.
MAX_CARRIED: Final = 8
# Events that wait to be described; an agent that thinks for a minute misses older ones.
MAX_EVENTS: Final = 64


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
            [f"your last action was refused: {clean(refused, MAX_REASON_BYTES)}"] if refused else []
        )
        news = self._tell_news([*((line, None) for line in why), *self._news_items(now)])
        self._described = now
        parts = {name: bounded(lines, NOW_BYTES[name]) for name, lines in self._now(now).items()}
        sections = (f"{name}: {text}" for name, text in parts.items() if text)
        return "\n".join(["NEWS", *([news] if news else ["nothing"]), "NOW", *sections])

    def _tell_news(self, items: list[tuple[str, Event | None]]) -> str:
        """As many lines as there is room for. Personal news that does not fit, or not to its end,
        waits for the next observation."""
        lines = [line for line, _ in items]
        count = count_fitting(lines, NEWS_BYTES, "\n")
        rests = [rest_of_speech(event) for _, event in items[:count] if event is not None]
        later = [event for _, event in items[count:] if event is not None and is_personal(event)]
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
        ranked = sorted((each for event in self._events for each in expanded(event)), key=rank_of)
        own = [event for event in ranked if rank_of(event) == 0]
        over = [event.get("task_id") for event in own if event["type"] != "ACTION_RESULT"]
        for event in own:
            # If a task is over, it need not be said that it began.
            if event["type"] != "ACTION_RESULT" or event.get("task_id") not in over:
                yield event_text(event), event
        if self._described is not None:
            yield from ((line, None) for line in _changes(self._described, obs))
        for event in ranked[len(own) :]:
            if not (event.get("type") == CHAT and event.get("from") == obs.agent_id):
                yield event_text(event), event

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
            word(world.weather),
        ]
        degrees = [] if world.temperature is UNSET else [f"{world.temperature} °C"]
        event = [] if world.active_event is UNSET else [f"event {word(world.active_event)}"]
        health = f"hp {body.hp} of 20, hunger {body.hunger} of 20, stamina {body.stamina:.0%}"
        status = [word(each) for each in body.status if each != "NONE"]
        where = f"{word(obs.agent_id)} at {place_text(body.pos)}"
        may = [
            name
            for name in ("build", "break", "trade")
            if getattr(rules.permissions, f"can_{name}")
        ]
        land = [] if rules.land_id is UNSET else [f"{word(rules.land_id)} of {word(rules.owner)}"]
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
            "world": [*sky, word(world.biome), *degrees, *event],
            "you": [where, health, *status],
            "doing": [
                f"{word(task.kind)} {task.progress:.0%} ({word(task.task_id)})"
                for task in obs.tasks
            ],
            "carrying": [f"{word(each.item)} {each.count}" for each in obs.inventory],
            "land": [word(rules.role), *land, f"you may {', '.join(may) or 'do nothing'}"],
            "blocks": [
                f"{word(name)} {place_text(place)}"
                for name, place in blocks.items()
                if name != "AIR"
            ],
            "near": map(_entity, near),
            "offers": map(_offer, offers),
            "notices": [
                f"{word(each.post_id)} on {word(board)}: {quote(each.title)}"
                for board, each in posts
            ],
            "notes": [f"{quote(note.key)} {quote(note.value)}" for note in obs.memory or []],
        }


def _changes(before: Obs, now: Obs) -> Iterator[str]:
    gained = Counter({each.item: each.count for each in now.inventory})
    gained.subtract({each.item: each.count for each in before.inventory})
    goods = [f"{word(item)} {count:+}" for item, count in sorted(gained.items()) if count]
    if goods:
        yield clip(f"your goods: {', '.join(goods)}", MAX_LINE_BYTES)
    for name in ("hp", "hunger"):
        was = getattr(before.body, name)
        is_now = getattr(now.body, name)
        if was != is_now:
            yield f"your {name}: {was} to {is_now}"
    if before.body.pos != now.body.pos:
        yield f"you went from {place_text(before.body.pos)} to {place_text(now.body.pos)}"


def _entity(entity: Entity) -> str:
    tags = [word(tag) for tag in entity.tags[:3]]
    goods = f" {word(entity.item)} {entity.count}" if entity.item else ""
    # A block's id says where it is.
    place = "" if "@" in entity.id else f" at {place_text(entity.pos)}"
    return " ".join([f"{word(entity.id)}{goods}{place}", *tags])


def _offer(offer: Event) -> str:
    gives, wants = (value_text(offer.get(side)) for side in ("offer", "request"))
    return f"{word(offer.get('trade_id'))} from {word(offer.get('from'))} gives {gives} for {wants}"
