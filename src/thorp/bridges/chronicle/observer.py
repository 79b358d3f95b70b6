"""Observes a world after each tick, keeps what matters as notices, and makes a page of each quarter of a day.

Observing costs time for what has happened, not for how many agents there are. It may begin at any tick: a
page names the first tick that it covers, so the publisher knows whether the page is complete.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from thorp.bridges.chronicle.drafts import DRAFTERS, Draft, WorldDescriber
from thorp.bridges.chronicle.hours import TickRange, day_of, ends_range, hour_of, part_of
from thorp.bridges.chronicle.notices import Notice
from thorp.bridges.chronicle.publisher import Page
from thorp.bridges.chronicle.witnesses import WitnessFinder
from thorp.voxel.state.world import World

MAX_NOTICES: Final = 512
"""Of one range. When there are twice as many the lighter half is forgotten."""


ALIKE_PER_TICK: Final = 16
"""Of one kind in one tick, the first so many: a crowd that does one thing hides nothing else."""


class WorldObserver:
    """Looks at one world, tick by tick."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._speech = WorldDescriber(world)
        self._wheat = world.catalogs.block_number["WHEAT_RIPE"]
        self._reaped: dict[str, tuple[int, int]] = {}

    def look(self) -> list[Notice]:
        """What of the last tick matters."""
        notices: list[Notice] = []
        eyes = WitnessFinder(self.world)
        seen: Counter[str] = Counter()
        for happening in (*self.world.scratch.public_events, *self._harvests()):
            kind = str(happening["kind"])
            draw = DRAFTERS.get(kind)
            if draw is None or seen[kind] == ALIKE_PER_TICK:
                continue
            draft = draw(self._speech, happening)
            if draft is not None:
                seen[kind] += 1
                notices.append(self._notice(draft, eyes))
        return notices

    def _harvests(self) -> Iterator[dict[str, object]]:
        """Who has taken ripe wheat, each once in a range: there may be hundreds of plots."""
        day_ticks = self.world.tuning.day_ticks
        now = day_of(self.world.tick, day_ticks), part_of(self.world.tick, day_ticks)
        for change in self.world.scratch.block_changes:
            is_ripe = change.before == self._wheat and change.reason == "MINE"
            if is_ripe and self._reaped.get(change.actor) != now:
                self._reaped[change.actor] = now
                yield {"kind": "HARVEST", "agent": change.actor, "pos": change.position}

    def _notice(self, draft: Draft, eyes: WitnessFinder) -> Notice:
        world, day_ticks = self.world, self.world.tuning.day_ticks
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
        )


class PageBuilder:
    def __init__(self, world: World) -> None:
        self._noticing = WorldObserver(world)
        self._first = world.tick + 1
        self._notices: list[Notice] = []

    def look(self, world: World) -> Page | None:
        """Take in what a tick was; the page of the range that it ends, if it ends one."""
        if world is not self._noticing.world:
            self._noticing = WorldObserver(world)
        self._notices += self._noticing.look()
        if len(self._notices) >= 2 * MAX_NOTICES:
            self._notices = _weightiest(self._notices)
        if not ends_range(world.tick, world.tuning.day_ticks):
            return None
        page = Page(TickRange(self._first, world.tick), world.tuning.day_ticks, self._notices)
        self._first, self._notices = world.tick + 1, []
        return page


def _weightiest(notices: list[Notice]) -> list[Notice]:
    """Of those that weigh the same, the first."""
    ranked = sorted(range(len(notices)), key=lambda place: (-notices[place].weight, place))
    return [notices[place] for place in sorted(ranked[:MAX_NOTICES])]
