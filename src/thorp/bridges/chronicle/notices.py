"""A notice: something that happened in a world and matters, with whoever saw it.

Noticing: what of a tick's happenings matters, in words, and who saw it. It reads a world after a tick.

A look costs what has happened, whoever is there.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

import msgspec

from thorp.bridges.chronicle.drafts import DRAWN, Draft, Speech
from thorp.bridges.chronicle.hours import day_of, hour_of
from thorp.bridges.chronicle.names import Said
from thorp.bridges.chronicle.witnesses import Eyes
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World


class Kind(NamedTuple):
    weight: int
    """How much it matters, beside the others of its range."""
    public: bool = False
    """Everybody may know; else whoever saw it, and the operator."""


KINDS: Final[dict[str, Kind]] = {
    "season": Kind(100),
    "city": Kind(98),
    "law active": Kind(95, public=True),
    "claim": Kind(90, public=True),
    "land ended": Kind(90, public=True),
    "guild": Kind(88),
    "death": Kind(86),
    "rescue": Kind(86),
    "org ended": Kind(80),
    "town executed": Kind(78, public=True),
    "town failed": Kind(76, public=True),
    "law rejected": Kind(74, public=True),
    "law proposed": Kind(72, public=True),
    "deed": Kind(70, public=True),
    "claim grown": Kind(68, public=True),
    "town refused": Kind(66, public=True),
    "event begins": Kind(64),
    "law vote": Kind(56, public=True),
    "built": Kind(52),
    "contract failed": Kind(46),
    "contract kept": Kind(44),
    "goal": Kind(40),
    "event ends": Kind(36),
    "trade": Kind(30),
    "joined": Kind(32),
    "contract dropped": Kind(14),
    "contract untaken": Kind(12),
}


class Notice(msgspec.Struct, frozen=True):
    tick: int
    day: int
    hour: int
    kind: str
    who: tuple[str, ...]
    """Ids of agents: whoever did it comes first."""
    where: Position | None
    witnesses: tuple[str, ...]
    """Ids of those who saw it, whoever it was about among them, in order of their numbers."""
    about: dict[str, Said]
    """The words of its sentence."""
    alike: str | None = None
    """Notices of a kind with the same text here may be told in one sentence."""

    @property
    def weight(self) -> int:
        return KINDS[self.kind].weight

    @property
    def public(self) -> bool:
        return KINDS[self.kind].public


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
