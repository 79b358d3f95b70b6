"""Jobs: what a villager does next. Each trade has a list of jobs, the most urgent first; survival
comes before all of them, and works of the town after. The first that is due and was not put aside
is done.

A job that came to nothing is logged, with what was refused, and put aside for a while.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from thorp.protocol.obs import Position
from thorp.village import errands
from thorp.village.digging import IN_NEED, dig_out, dig_towards, is_below, is_under
from thorp.village.forage import pick_berries
from thorp.village.miner import come_up
from thorp.village.needs import FOODS
from thorp.village.night_watch import is_on_watch
from thorp.village.thoughts import sleep, thought_of
from thorp.village.villager import PATIENCE_TICKS, Script, Villager

_log = logging.getLogger(__name__)

# Parts of the day at which people go home, and get up.
DUSK: Final = 0.85
DAWN: Final = 0.18
# It freezes in the nights of cold days, which are a half of them: nobody stays out.
COLD_DUSK: Final = 0.72
COLD_DAWN: Final = 0.25
WAKEFUL_TICKS: Final = 2_000
HURT: Final = 9
DEEP: Final = 6
# Hungrier than this nobody stays away from home without food.
EMPTY: Final = 9
FAILED_PAUSE: Final = 600
NOTHING_TICKS: Final = 20
TORCH_REACH: Final = 3
# Jobs below the ground.
DIGGING: Final = ("shift", "quarry", "prospecting")
# In the cold the way home is walked in stages, each of them with this much strength.
STAGES: Final = 4
RESTED: Final = 0.4
# A villager that finds no way into its house sleeps elsewhere for this long.
SHUT_OUT_TICKS: Final = 30_000
# Whose place is on the plaza.
STAY_NEAR: Final = ("reeve", "smith", "storekeeper")
# Those who stay away for long take food along.
GO_FAR: Final = ("miner", "forester")
# For more than a day: a way out of a cave may take that long.
PROVISIONS: Final = 46
# Hunger falls by 30 a day. With less than this to bear it a villager goes to the store: by night,
# by day, and in the afternoon, since the night takes 16; with less than the last two it picks
# berries.
RESERVE_BY_NIGHT: Final = 10
RESERVE: Final = 26
RESERVE_FOR_THE_NIGHT: Final = 40
AFTERNOON: Final = 0.6
COLD_AFTERNOON: Final = 0.45
LEAST_RESERVE: Final = 22
LEAST_NEAR: Final = 12
# Things on the ground perish after a day.
DROPPED_TICKS: Final = 5_000


class Job(NamedTuple):
    """One row of a villager's table of jobs: when it is due, and the script that does it."""

    name: str
    is_due: Callable[[Villager], bool]
    work: Callable[[Villager], Script[bool]]
    ticks: int = 1_500
    """Whatever takes longer is given up."""
    pause: int = 300
    """How long it is put aside when it came to nothing."""
    urgent: bool = False
    """It interrupts whatever comes after it."""


def is_night(me: Villager) -> bool:
    """Nobody sleeps in the hours after it came into the world."""
    hours = (COLD_DAWN, COLD_DUSK) if me.obs.world.weather == "COLD" else (DAWN, DUSK)
    return not me.is_hour(*hours) and me.tick > me.knowledge.notes.get("born", 0) + WAKEFUL_TICKS


def is_bedtime(me: Villager) -> bool:
    """Whether it is night, and neither this villager's turn to watch nor anybody waits for it."""
    return is_night(me) and not (me.is_needed or is_on_watch(me))


def life_of(jobs: Sequence[Job]) -> Callable[[Villager], Script[None]]:
    """The life of a villager with these jobs."""
    everything = (*SURVIVAL, *jobs)

    def life(me: Villager) -> Script[None]:
        me.jobs = everything
        yield from errands.tell(me, f"I am {me.name}, {me.trade} of Thorp.")
        if me.trade == "reeve" and me.knowledge.things:
            yield from errands.tell(me, me.knowledge.where(*me.knowledge.things))
        while True:
            job = next((job for job in everything if _is_drawn(me, job)), None)
            if job is None:
                yield from me.wait(NOTHING_TICKS)
            else:
                urgent = [
                    each for each in jobs[: everything.index(job) - len(SURVIVAL)] if each.urgent
                ]
                yield from _do(me, job, urgent if job not in SURVIVAL else [])
                yield None

    return life


def _is_drawn(me: Villager, job: Job) -> bool:
    return me.tick >= me.postponed_until.get(job.name, 0) and job.is_due(me)


def _do(me: Villager, job: Job, urgent: Sequence[Job]) -> Script[None]:
    def alarm() -> bool:
        is_called = is_alarmed(me, job) if job not in SURVIVAL else is_saved(me, job)
        return is_called or any(_is_drawn(me, each) for each in urgent)

    me.refusal = {}
    me.job = job.name
    me.job_tick = me.tick
    me.intent = thought_of(me, job.name)
    try:
        done = yield from me.within(job.ticks, job.work(me), alarm)
    except Exception:
        _log.exception("%s: the job %r went wrong", me.name, job.name)
        me.postponed_until[job.name] = me.tick + FAILED_PAUSE
        return
    if done is None and alarm():  # it was interrupted
        return
    if not done:
        me.postponed_until[job.name] = me.tick + job.pause
        if me.refusal:
            _log.info("%s: %r came to nothing: %s", me.name, job.name, dict(me.refusal))


def is_alarmed(me: Villager, job: Job) -> bool:
    """Whether something is more urgent than any work: the night, the cold, hunger, or that it is
    lost."""
    body = me.obs.body
    is_starving = body.hunger <= EMPTY and errands.food(me) == 0 and job != MARKET
    can_rise = me.tick >= max(me.postponed_until.get("way up", 0), me.postponed_until.get("pit", 0))
    is_left_below = is_deep(me) and is_under(me) and not digs(me, job)
    is_lost = can_rise and (me.blocked >= 4 * errands.STUCK or is_left_below)
    return is_bedtime(me) or (me.is_freezing and body.hp <= HURT) or is_starving or is_lost


def is_saved(me: Villager, job: Job) -> bool:
    """Whether hunger does it harm on its slow way to food, while the store calls out food that it
    could have brought from afar."""
    return (
        job.name in ("meal", "berries for oneself")
        and me.obs.body.hunger == 0
        and any(map(me.knowledge.spare.get, FOODS))
        and _is_drawn(me, FROM_AFAR)
    )


def digs(me: Villager, job: Job) -> bool:
    """Whether a job takes this villager below the ground."""
    return job.name in DIGGING or (job.name == "contract" and me.trade in ("miner", *errands.GUILD))


# Survival


def reserve(me: Villager) -> int:
    """The hunger that it could bear before it starves, with the food that it has."""
    return me.obs.body.hunger + errands.food(me)


def lacks_food(me: Villager) -> bool:
    """Whether it has so little to eat that it should look for berries."""
    return reserve(me) < (LEAST_NEAR if me.trade in STAY_NEAR else LEAST_RESERVE)


def is_hungry(me: Villager) -> bool:
    """Whether it lacks food and there is some in the store, as far as it knows."""
    afternoon = COLD_AFTERNOON if me.obs.world.weather == "COLD" else AFTERNOON
    least = RESERVE if me.obs.world.time_of_day < afternoon else RESERVE_FOR_THE_NIGHT
    if me.trade in GO_FAR and not is_deep(me):
        least = max(least, PROVISIONS)
    return (
        reserve(me) < (RESERVE_BY_NIGHT if is_night(me) else least)
        and me.knowledge.has_heard_of("store")
        and (me.trade not in errands.GUILD or bool(errands.surplus(me)))
        and (any(map(me.knowledge.spare.get, (*FOODS, "RAW_MEAT"))) or me.trade in STAY_NEAR)
    )


def rest(me: Villager) -> Script[bool]:
    """Go home, or to the lamps of the plaza; wait there for the morning, in the warmth of a
    torch."""
    plaza = me.knowledge.plaza and me.knowledge.place(me.number % 9 - 4, me.number // 9 * 4 - 4)
    home = me.knowledge.home if me.tick >= me.knowledge.notes.get("shut out until", 0) else None
    bed = home or plaza
    if me.trade in errands.GUILD:  # in its quarter or in the town, whatever is nearer
        bed = min(filter(None, (home, me.knowledge.born)), key=me.away, default=None)
    if bed is not None and not is_warm_below(me):
        is_shut = yield from walk_home(me, bed)
        if is_shut and bed == me.knowledge.home:
            me.knowledge.notes["shut out until"] = me.tick + SHUT_OUT_TICKS
            me.learn()
            return False
    is_store_near = me.knowledge.home is None and me.own_org == "city"
    if is_store_near and errands.has_scarce_goods(me):
        yield from errands.hand_over(me, errands.surplus(me))
    me.intent = sleep(me)
    while is_bedtime(me) or (me.is_freezing and me.obs.body.hp <= HURT):
        if me.is_freezing or me.obs.world.weather == "COLD":
            yield from light_a_torch(me)
        if any(_is_drawn(me, job) for job in SURVIVAL if job.name in ("food from afar", "meal")):
            return True
        yield from me.wait(100)
    return True


def walk_home(me: Villager, bed: Position) -> Script[bool]:
    """Go to bed; when freezing and exhausted, no step further than a torch of its own.

    The only way to a house that is shut leads into the mine below it: there it turns back, and
    returns True.
    """
    start = me.position

    def is_beneath() -> bool:
        return me.position[1] < bed[1] - DEEP and is_under(me)

    is_outside = not is_beneath()
    for _ in range(STAGES):
        while is_exhausted(me, RESTED) and (yield from light_a_torch(me)):
            yield from me.wait(100)
        way = me.walk(bed, 1, tries=2)
        walked = yield from me.within(
            PATIENCE_TICKS, way, lambda: is_exhausted(me) or (is_outside and is_beneath())
        )
        if is_outside and is_beneath():
            yield from me.walk(start, 2, tries=2)
            return True
        if walked is not None:
            break
    return False


def is_exhausted(me: Villager, strength: float = 0.02) -> bool:
    """Whether it freezes and has no strength to go on."""
    return me.is_freezing and me.obs.body.stamina < strength


def light_a_torch(me: Villager) -> Script[bool]:
    """Unless one burns near enough to warm."""
    torch = next(me.sight.find_all("TORCH"), None)
    if (
        torch is not None
        and max(abs(torch[axis] - me.position[axis]) for axis in range(3)) <= TORCH_REACH
    ):
        return True
    spot = free_spot(me)
    if spot is None or not (me.have("TORCH") or (yield from me.make("TORCH"))):
        return False
    return bool((yield from me.place(spot, "TORCH")))


def free_spot(me: Villager) -> Position | None:
    """A cell beside oneself with room for a block, and ground below."""
    x, y, z = me.position
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        spot = (x + dx, y, z + dz)
        below = me.sight.block((x + dx, y - 1, z + dz))
        if me.sight.block(spot) in ("AIR", "TALL_GRASS") and below not in (
            "AIR",
            "TALL_GRASS",
            "WATER",
        ):
            return spot
    return None


def has_dropped(me: Villager) -> bool:
    """Whether what it lost in a fall still lies there, and it is day."""
    is_left = me.tick < me.knowledge.notes.get("fell", 0) + DROPPED_TICKS
    return is_left and "fell" in me.knowledge.places and not is_night(me)


def pick_up(me: Villager) -> Script[bool]:
    """Fetch what it lost when it fell."""
    where = me.knowledge.places.pop("fell")
    me.learn()
    yield from me.walk(where, 1, tries=2)
    for thing in [thing for thing in me.obs.entities if thing.type == "ITEM"]:
        yield from me.walk(thing.pos, 1, tries=1)
        yield from me.do("GATHER", target_id=thing.id)
    return True


def is_deep(me: Villager) -> bool:
    """Whether it was left below the ground when it gave up what it did there."""
    start = me.knowledge.plaza or me.knowledge.born
    is_low = start is not None and me.position[1] < start[1] - DEEP
    return (is_low or "digging up" in me.knowledge.notes) and is_below(me)


def is_warm_below(me: Villager) -> bool:
    """Whether it had better stay in the mine for the night: it freezes above."""
    return me.obs.world.weather == "COLD" and is_night(me) and is_under(me)


def climb_out(me: Villager) -> Script[bool]:
    """Out of a pit, straight up; out of a ravine or a house, towards the plaza."""
    me.blocked = 0
    start = me.position
    if is_below(me):
        yield from dig_out(me, lambda: not is_below(me))
    else:
        yield from dig_towards(me, me.knowledge.plaza or me.knowledge.born or start)
    me.trapped = me.trapped + 1 if me.position == start else 0
    return not me.trapped


def is_in_need(me: Villager) -> bool:
    """Whether it starves with nothing to eat, so that somebody should bring it food."""
    return (
        me.obs.body.hunger <= IN_NEED
        and errands.food(me) == 0
        and me.knowledge.has_heard_of("store")
    )


def must_forage(me: Villager) -> bool:
    """Whether it should pick berries for itself now."""
    return lacks_food(me) and not is_night(me)


FROM_AFAR: Final = Job(
    name="food from afar", is_due=is_in_need, work=errands.send_for_food, pause=300
)
SURVIVAL: Final = (
    FROM_AFAR,
    Job(name="pit", is_due=errands.is_stuck, work=climb_out, ticks=4_000, pause=50),
    Job(
        name="way up",
        is_due=lambda me: is_deep(me) and not is_warm_below(me),
        work=come_up,
        ticks=4_000,
        pause=60,
    ),
    Job(
        name="warmth",
        is_due=lambda me: me.is_freezing and me.obs.body.hp <= HURT,
        work=rest,
        pause=50,
    ),
    Job(name="meal", is_due=is_hungry, work=errands.eat_at_the_store, ticks=3_000, pause=100),
    Job(name="berries for oneself", is_due=must_forage, work=pick_berries, ticks=900, pause=100),
    Job(name="rest", is_due=is_bedtime, work=rest, ticks=3_000, pause=20),
    Job(name="lost goods", is_due=has_dropped, work=pick_up, ticks=800),
)
MARKET: Final = Job(
    name="market", is_due=errands.has_errand, work=errands.visit_store, ticks=900, pause=300
)


def arrive(me: Villager) -> Script[bool]:
    """Go to the plaza first of all, with torches for the night."""
    if not me.have("TORCH"):
        yield from me.make("TORCH", 4)
    if not (yield from errands.to_plaza(me, near=4)):
        return False
    me.knowledge.notes["arrived"] = me.tick
    me.learn()
    return True


ARRIVAL: Final = Job(
    name="arrival",
    is_due=lambda me: me.knowledge.has_heard_of("store") and "arrived" not in me.knowledge.notes,
    work=arrive,
    pause=100,
)
