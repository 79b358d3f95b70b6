"""Observes a world after each tick, keeps what matters as notices, and collects each quarter of a
day into a page.

The cost of observing depends on what has happened, not on the number of agents. Observing may begin
at any tick: a page names the first tick that it covers, so the publisher knows whether the page is
complete.

Witnesses are connected agents that were near enough to see an event. A few are checked one by one;
for a crowd, all positions are gathered once a tick and compared together.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from thorp.bridges.chronicle.draft import Draft, WorldDescriber
from thorp.bridges.chronicle.drafts import DRAFTERS
from thorp.bridges.chronicle.publisher import Page
from thorp.bridges.chronicle.sentences import Notice, group_of, with_more
from thorp.bridges.chronicle.wording import TickRange, day_of, ends_range, hour_of, part_of
from thorp.voxel import Position, World
from thorp.voxel.observation.entity_view import SIGHT
from thorp.voxel.state.world import manhattan

MAX_WITNESSES: Final = 1_000
"""Most witnesses of one event: the nearest, or the first by number if everybody could see it. Each
is a row in the story."""
CROWD: Final = 48
"""From this many bodies near by it is faster to compare all positions at once."""
MAX_NOTICES: Final = 512
"""Notices kept of one range. When there are twice as many, the lighter half is dropped."""
ALIKE_PER_TICK: Final = 16
"""Most notices of one kind in one tick, so that a crowd that does one thing hides nothing else.
Those beyond are counted."""

DAILY: Final = {"harvest": 1, "trade": 2}
"""Kinds that go on all day are reported in one quarter of it only, by its number: the harvest of
the morning, the trading of the afternoon."""


_exact = msgspec.json.Encoder(order="deterministic").encode
# Not the kernel's canonical text, in which numbers are JavaScript's: an agent may say any number.


def event_digest(tick: int, happening: Mapping[str, Any]) -> str:
    """The SHA-256 of an event of a tick, by which a replay can recognise it."""
    return sha256(_exact((tick, happening))).hexdigest()


class WitnessFinder:
    """Finds the agents that could see an event of one tick."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._ids: list[str] | None = None
        self._at: NDArray[np.int64] = np.empty((0, 3), np.int64)

    def witnesses(
        self, where: Position | None, parties: tuple[str, ...], *, everywhere: bool = False
    ) -> tuple[str, ...]:
        """The parties that are in the world, and everybody who was near enough, by number."""
        seen: list[str] = []
        if everywhere:
            seen = self._everybody()[:MAX_WITNESSES]
        elif where is not None:
            crowded = self._bodies_about(where) >= CROWD
            seen = self._near_in_a_crowd(where) if crowded else self._near(where)
        own = [
            agent_id
            for agent_id in parties
            if agent_id not in seen and self._world.agent_by_id(agent_id) is not None
        ]
        return tuple(sorted({*seen, *own}, key=lambda agent_id: int(agent_id[1:])) if own else seen)

    def _everybody(self) -> list[str]:
        """The ids of all connected agents that have ever acted; their positions are kept beside
        them. An agent that never acted may be removed without a trace, so it is not a witness."""
        if self._ids is None:
            looking = [
                agent for agent in self._world.agents.awake if agent.attached and agent.acted
            ]
            self._ids = [agent.id for agent in looking]
            self._at = np.array([agent.position for agent in looking], dtype=np.int64).reshape(
                -1, 3
            )
        return self._ids

    def _bodies_about(self, where: Position) -> int:
        x, _, z = where
        chunks = self._world.agents.chunks()
        return sum(
            len(chunks.get((cx, cz), ()))
            for cx in range((x - SIGHT) >> 4, ((x + SIGHT) >> 4) + 1)
            for cz in range((z - SIGHT) >> 4, ((z + SIGHT) >> 4) + 1)
        )

    def _near(self, where: Position) -> list[str]:
        near = [
            (agent.number, agent.id)
            for agent in self._world.agents.near(where[0], where[2], SIGHT)
            if agent.attached and agent.acted and manhattan(agent.position, where) <= SIGHT
        ]
        return [agent_id for _, agent_id in sorted(near)]

    def _near_in_a_crowd(self, where: Position) -> list[str]:
        """The same as `_near`, with all positions compared at once."""
        ids = self._everybody()
        away = np.abs(self._at - where).sum(axis=1)
        near = np.flatnonzero(away <= SIGHT)
        if len(near) > MAX_WITNESSES:
            near = np.sort(near[np.argsort(away[near], kind="stable")[:MAX_WITNESSES]])
        return [ids[place] for place in near.tolist()]


class WorldObserver:
    """Turns the public events of one world into notices, tick by tick."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._speech = WorldDescriber(world)
        self._wheat = world.catalogs.block_number["WHEAT_RIPE"]
        self._reaped: dict[str, tuple[int, int]] = {}

    def look(self) -> list[Notice]:
        """The notices of the last tick."""
        notices: list[Notice] = []
        eyes = WitnessFinder(self.world)
        seen: Counter[str] = Counter()
        beyond: Counter[tuple[str, str | None]] = Counter()
        for number, happening in (*self._public_events(), *self._harvests()):
            kind = str(happening["kind"])
            draw = DRAFTERS.get(kind)
            draft = None if draw is None else draw(self._speech, happening)
            if draft is None:
                continue
            if seen[kind] == ALIKE_PER_TICK:
                beyond[group_of(draft)] += 1
                continue
            seen[kind] += 1
            notices.append(self._notice(draft, eyes, number, happening))
        return with_more(notices, beyond)

    def _public_events(self) -> Iterator[tuple[str, dict[str, object]]]:
        """The public events of the tick, each with its number in it, as the page counts them."""
        for number, happening in enumerate(self.world.scratch.public_events, 1):
            yield str(number), happening

    def _harvests(self) -> Iterator[tuple[str, dict[str, object]]]:
        """Agents that have taken ripe wheat, each once in a range: there may be hundreds of
        plots. The number is that of the changed block, after a `b`."""
        day_ticks = self.world.tuning.day_ticks
        now = day_of(self.world.tick, day_ticks), part_of(self.world.tick, day_ticks)
        for number, change in enumerate(self.world.scratch.block_changes, 1):
            is_ripe = change.before == self._wheat and change.reason == "MINE"
            if is_ripe and self._reaped.get(change.actor) != now:
                self._reaped[change.actor] = now
                reaped: dict[str, object] = {
                    "kind": "HARVEST",
                    "agent": change.actor,
                    "pos": change.position,
                }
                yield f"b{number}", reaped

    def _notice(
        self, draft: Draft, eyes: WitnessFinder, number: str, happening: Mapping[str, Any]
    ) -> Notice:
        world = self.world
        day_ticks = self.world.tuning.day_ticks
        where = draft.where
        if where is None and draft.who and (agent := world.agent_by_id(draft.who[0])) is not None:
            where = agent.position
        return Notice(
            tick=world.tick,
            day=day_of(world.tick, day_ticks),
            hour=hour_of(world.tick, day_ticks),
            kind=draft.kind,
            who=draft.who,
            where=where,
            witnesses=eyes.witnesses(where, draft.who, everywhere=draft.everywhere),
            about=draft.about,
            alike=draft.alike,
            event=f"E{world.tick}.{number}",
            digest=event_digest(world.tick, happening),
        )


class PageBuilder:
    """Collects what matters in a world, tick by tick, into pages for the chronicle."""

    def __init__(self, world: World) -> None:
        self._noticing = WorldObserver(world)
        self._first = world.tick + 1
        self._notices: list[Notice] = []

    def look(self, world: World) -> Page | None:
        """Take in the last tick. Returns the page of the range that ends with it, if one does."""
        if world is not self._noticing.world:
            self._noticing = WorldObserver(world)
        part = part_of(world.tick, world.tuning.day_ticks)
        noticed = self._noticing.look()
        self._notices += [notice for notice in noticed if DAILY.get(notice.kind, part) == part]
        if len(self._notices) >= 2 * MAX_NOTICES:
            self._notices = _weightiest(self._notices)
        return self.finish(world) if ends_range(world.tick, world.tuning.day_ticks) else None

    def finish(self, world: World) -> Page | None:
        """The page of the range up to the last tick, wherever it ends; None if it is empty."""
        if world.tick < self._first:
            return None
        page = Page(TickRange(self._first, world.tick), world.tuning.day_ticks, self._notices)
        self._first = world.tick + 1
        self._notices = []
        return page


def _weightiest(notices: list[Notice]) -> list[Notice]:
    """The weightiest notices, in their order; among equals the earlier ones are kept."""
    ranked = sorted(range(len(notices)), key=lambda place: (-notices[place].weight, place))
    dropped: Counter[tuple[str, str | None]] = Counter()
    for place in ranked[MAX_NOTICES:]:
        dropped[group_of(notices[place])] += 1 + notices[place].more
    return with_more([notices[place] for place in sorted(ranked[:MAX_NOTICES])], dropped)
