"""Noticing: what of a tick's happenings matters, in words, and who saw it. It reads a world after a tick.

A look costs what has happened, whoever is there.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from thorp.bridges.chronicle.drafts import DRAWN, Draft, Speech
from thorp.bridges.chronicle.hours import day_of, hour_of
from thorp.bridges.chronicle.notice import Notice
from thorp.bridges.chronicle.witnesses import Eyes
from thorp.voxel.world import World

ALIKE_PER_TICK: Final = 16
"""Of one kind in one tick, the first so many: a crowd that does one thing hides nothing else."""


class Noticing:
    """Looks at one world, tick by tick."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._speech = Speech(world)

    def look(self) -> list[Notice]:
        """What of the last tick matters."""
        notices: list[Notice] = []
        eyes = Eyes(self.world)
        seen: Counter[str] = Counter()
        for happening in self.world.happenings:
            kind = str(happening["kind"])
            draw = DRAWN.get(kind)
            if draw is None or seen[kind] == ALIKE_PER_TICK:
                continue
            draft = draw(self._speech, happening)
            if draft is not None:
                seen[kind] += 1
                notices.append(self._notice(draft, eyes))
        return notices

    def _notice(self, draft: Draft, eyes: Eyes) -> Notice:
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
