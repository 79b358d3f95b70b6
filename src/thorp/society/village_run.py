"""One life of the village for a comparison: made by a seed, under a condition, perturbed or not.

It is the life that `thorp village live` measures, with changes made between two ticks. Nothing is
kept but the figures of each day and the digest of the world at the end.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

import msgspec

from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import IllegalError, ThorpError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32
from thorp.society.figures import FIGURES
from thorp.village import knowledge
from thorp.village.bounds import figure
from thorp.village.changes import (
    Change,
    Goal,
    PassLaw,
    RepealLaw,
    Weather,
    apply_change,
    change_text,
    law_in_force,
)
from thorp.village.founding import RULES
from thorp.village.headless import EVERYBODY, Headless, bodies, settle
from thorp.village.measure import TOKENS, Meter
from thorp.village.roster import ROSTER
from thorp.village.villager import MEMORY
from thorp.voxel import AnyInput, World, read_tuning, step

Perturbed = Literal["draw", "order", "names"]
"""What ought not to matter, and acts on scripted villagers: the secret draws of the world, the
order in which they come in and are asked, and which of those with one trade has which name."""
PERTURBATIONS: Final[tuple[Perturbed, ...]] = get_args(Perturbed)
NOT_YET: Final = "no_land"
"""The refusal of a law before the city has land. One that is kept waits for it."""


class TimedChange(msgspec.Struct, frozen=True):
    """A change, and the tick after which it is made."""

    at: int
    change: Change
    keep: bool = False
    """A law is passed, or repealed, whenever the society has decided otherwise since."""

    @property
    def text(self) -> str:
        """In words: `after tick 6,000 a storm for 3,000 ticks`."""
        text = change_text(self.change)
        if self.keep:
            return f"from tick {self.at:,} on {text}, also if it is decided otherwise"
        return f"after tick {self.at:,} {text}"


class VillageLife(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on which one life of the village depends."""

    seed: int
    days: int
    tuning: dict[str, Any] = {}
    changes: list[TimedChange] = []
    perturbed: Perturbed | None = None
    """What is otherwise without mattering."""
    variant: int = 1
    """Another number perturbs in another way."""

    def live(self) -> dict[str, Any]:
        """Live, and return the figures of each day and the digest at the end."""
        world = self._world()
        days: list[dict[str, float]] = []
        life = _Life(world, self.changes)
        life.run(self.days * world.tuning.day_ticks, self._order(), days)
        return {"days": days, "digest": world.digest()}

    def rehearse(self) -> None:
        """Live until every change was made that might not fit its world. Refuses one that does
        not."""
        due = [each.at for each in self.changes if not each.keep and not fits_always(each.change)]
        if due:
            world = self._world()
            _Life(world, self.changes).run(max(due) + 1, self._order(), [], whole=False)

    def _world(self) -> World:
        tuning = read_tuning({**RULES, **self.tuning})
        return new_city_world(self.seed, self._draw_seed(), tuning)

    def _own_seed(self) -> int:
        return seed_from("society", str(self.perturbed), self.seed, self.variant)

    def _draw_seed(self) -> int | None:
        return self._own_seed() if self.perturbed == "draw" else None

    def _order(self) -> Sequence[str]:
        if self.perturbed == "order":
            return shuffled(EVERYBODY, self._own_seed())
        return with_other_names(self._own_seed()) if self.perturbed == "names" else EVERYBODY


def fits_always(change: Change) -> bool:
    """Whether a change can be made in any world."""
    return isinstance(change, Weather)


def shuffled(names: Sequence[str], seed: int) -> list[str]:
    """These names in another order."""
    rng = Mulberry32(seed)
    left = list(names)
    return [left.pop(int(rng.random() * len(left))) for _ in names]


def with_other_names(seed: int) -> list[str]:
    """The roster, in which people with the same trade have exchanged their names."""
    waiting: dict[str, list[str]] = {}
    for name in shuffled(EVERYBODY, seed):
        waiting.setdefault(ROSTER[name], []).append(name)
    return [waiting[trade].pop() for trade in ROSTER.values()]


class _Life:
    """A village that lives, and the changes that are still to be made in it."""

    def __init__(self, world: World, changes: Sequence[TimedChange]) -> None:
        self._world = world
        self._meter = Meter(world)
        self._village: Headless | None = None
        self._waiting = [each for each in changes if not each.keep]
        self._kept: dict[int, str] = {}
        """The law that a kept change has made, by the change's place; empty for a repeal."""
        self._keeping = [each for each in changes if each.keep]

    def run(
        self,
        last_tick: int,
        order: Sequence[str],
        days: list[dict[str, float]],
        *,
        whole: bool = True,
    ) -> None:
        """Live until a tick, and note the figures of every day. Refuses a change that does not fit
        the world when it is due, and in a whole life one that was never due."""

        def tick(inputs: Sequence[AnyInput]) -> None:
            self._make_changes()
            step(self._world, inputs)
            line = self._meter.look(inputs)
            if line is not None:
                days.append(figures_of(line))

        self._village = settle(self._world, tick, TOKENS, order)
        while self._world.tick < last_tick:
            self._village.step(tick)
        for place, each in enumerate(self._keeping):
            if whole and place not in self._kept:
                raise IllegalError(
                    f"{each.text}: the city had no land until the end; let it live for more days",
                    code=NOT_YET,
                )

    def _make_changes(self) -> None:
        tick = self._world.tick
        while self._waiting and self._waiting[0].at <= tick:
            self._make(self._waiting.pop(0))
        for place, each in enumerate(self._keeping):
            if each.at <= tick:
                self._keep(place, each)

    def _make(self, each: TimedChange) -> None:
        try:
            apply_change(self._world, each.change)
        except ThorpError as refusal:
            raise IllegalError(f"{each.text}: {refusal.message}", code=refusal.code) from None
        if isinstance(each.change, Goal):
            self._tell(each.change.person)

    def _tell(self, person: str) -> None:
        """Let a villager want what its memory says: it reads its memory only when it comes back."""
        world = self._world
        wish = knowledge.read(world.agents[bodies(world)[person]].memory[MEMORY].value).wish
        assert self._village is not None
        for villager in self._village.villagers:
            if villager.name == person:
                villager.knowledge.wish = wish

    def _keep(self, place: int, each: TimedChange) -> None:
        """Make a law what it is to be, if it is otherwise and the city has land."""
        change = each.change
        assert isinstance(change, PassLaw | RepealLaw)
        land = change.land if isinstance(change, PassLaw) else ""
        try:
            now = law_in_force(self._world, change.law, land)
        except IllegalError as refusal:
            if refusal.code == NOT_YET:
                return
            raise
        if self._kept.get(place) == now:
            return
        if isinstance(change, PassLaw) or now:
            apply_change(self._world, change)
        self._kept[place] = law_in_force(self._world, change.law, land)


def figures_of(line: Mapping[str, Any]) -> dict[str, float]:
    """The figures of a day, by their keys."""
    return {each.key: figure(line, each.key) or 0.0 for each in FIGURES}
