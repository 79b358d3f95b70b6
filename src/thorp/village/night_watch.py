"""The night watch: while the others sleep, two of the builders walk the rounds from lamp to lamp,
call the hours, and tell what they see: who is still up, whose house is empty, who sleeps without
one, where it is dark, what they listen for. They ask each other now and then whether all is quiet,
and in the morning one of them tells everybody how the night was.

They take turns, night by night. On freezing nights the watch stays in, like everybody.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from thorp.protocol.obs import Event, Position
from thorp.village import errands, speech
from thorp.village.villager import Script, Villager
from thorp.village.words import listing

WATCH: Final = ("Wystan", "Elspeth", "Rufus", "Lettice")
"""Who takes turns."""
ROUND: Final = ((0, -13), (13, -13), (22, 0), (13, 13), (0, 22), (-13, 13), (-22, 0), (-13, -13))
"""Where the round leads, as distances from the middle of the plaza."""
HOURS: Final = (0.85, 0.18)
"""From dusk to dawn."""
REPORT_HOURS: Final = (0.155, 0.18)
"""Before people get up."""
LISTEN_TICKS: Final = 40
# So much later the second of the pair speaks, who has heard the first by then.
ASIDE_TICKS: Final = 8
EARLY: Final = 0.15
MOST_SIGHTS: Final = 64
SPOKEN: Final = "spoken at"
"""Under this it notes at which place of the round it spoke last."""
EARSHOT: Final = 14
INDOORS: Final = 4
FEW_NAMES: Final = 3
# Degrees from which on a night is mild.
MILD_FROM: Final = 12
FEARED: Final = {
    "BANDIT_CAMP": "Bandits camp",
    "FLOOD_WARNING": "The water may come from",
    "BLIGHT_ZONE": "The blight lies",
}
"""Events that the watch listens for."""
# The pair walks together: where it is on its round follows from the time.
ROUND_TICKS: Final = 150
# Hungrier, or hurt more than this, nobody walks about at night.
LEAST_FOOD: Final = 12
LEAST_HEALTH: Final = 12
NOON: Final = 0.5


def is_on_watch(me: Villager) -> bool:
    """Whether it is this villager's night."""
    if me.name not in WATCH or me.is_hour(HOURS[1], HOURS[0]):
        return False
    is_fair = me.obs.world.weather not in ("COLD", "STORM") and not me.is_freezing
    is_well = me.obs.body.hp >= LEAST_HEALTH and me.obs.body.hunger + errands.food(me) > LEAST_FOOD
    is_settled = me.knowledge.has_heard_of("land")
    return me.name in pair_of(_night(me)) and is_fair and is_well and is_settled


def pair_of(night: int) -> tuple[str, str]:
    """Who watches in a night, by the day on which it begins."""
    return WATCH[night % len(WATCH)], WATCH[(night + 1) % len(WATCH)]


def clock(me: Villager) -> str:
    """The hour as a watchman calls it: `Eleven o'clock`."""
    names = (
        *("Twelve", "One", "Two", "Three", "Four", "Five", "Six"),
        *("Seven", "Eight", "Nine", "Ten", "Eleven"),
    )
    return f"{names[int(me.obs.world.time_of_day * 24) % 12]} o'clock"


def walk_round(me: Villager) -> Script[bool]:
    """To the next place of the round: look, listen, and tell what there is. One of the pair calls
    the hours, the other tells of the places between; the next hour it is the other way round."""
    stop = me.tick // ROUND_TICKS
    dx, dz = ROUND[stop % len(ROUND)]
    place = me.knowledge.place(dx, dz)
    me.intent = f"On watch: {me.knowledge.whereabouts(place)}, then on along the lamps."
    yield from me.walk(place, 2, tries=1)
    before = _people(me)
    yield from me.wait(LISTEN_TICKS + ASIDE_TICKS * pair_of(_night(me)).index(me.name))
    if me.knowledge.notes.get("watch of") != _night(me):
        me.knowledge.notes["watch of"] = _night(me)
        me.night = {}
    if me.name == pair_of(_night(me))[0] and me.is_hour(*REPORT_HOURS) and not _has_reported(me):
        me.knowledge.notes["night told"] = _night(me)
        yield from errands.tell(me, night_report(me))
        return True
    if me.night.get(SPOKEN) != str(stop):
        yield from _tell_sight(me, before, stop)
    return True


def _tell_sight(me: Villager, before: Mapping[str, Position], stop: int) -> Script[None]:
    """Call the hour with what there is to see, if that is its turn, or tell what there is besides.
    Once at each place is enough."""
    hour = int(me.obs.world.time_of_day * 24)
    is_mine = (hour + pair_of(_night(me)).index(me.name)) % 2 == 0
    is_hour = is_mine and me.knowledge.notes.get("called hour") != hour
    sight = next((each for each in sights(me, before) if each[0] not in me.night), None)
    if not is_hour and (is_mine or sight is None):
        return
    me.night[SPOKEN] = str(stop)
    key, news = ("", f"Nothing stirs {_at(me, me.position)}") if sight is None else sight
    if is_hour:
        me.knowledge.notes["called hour"] = hour
    if sight is not None:
        me.night[key] = news
    call = f"{clock(me)}. " if is_hour else ""
    yield from me.say(f"{call}{news}.", data={"watch": {"of": key, "sight": news}})


def _night(me: Villager) -> int:
    """The day on which this night began."""
    return me.day if me.obs.world.time_of_day > NOON else me.day - 1


def _has_reported(me: Villager) -> bool:
    return me.knowledge.notes.get("night told") == _night(me)


def _people(me: Villager) -> dict[str, Position]:
    """Where those are whom it sees, by name, without its mate."""
    names = {number: name for name, number in me.knowledge.ids.items()}
    return {
        names.get(body.id, body.id): body.pos
        for body in me.obs.entities
        if body.type == "AGENT"
        and body.id != me.obs.agent_id
        and names.get(body.id) not in pair_of(_night(me))
    }


def sights(me: Villager, before: Mapping[str, Position]) -> Iterator[tuple[str, str]]:
    """What is to be seen and heard here, the most remarkable first: each with what it is about, so
    that nothing is told twice in a night. `before` is where people were a moment ago."""
    now = _people(me)
    known = {name: spot for name, spot in now.items() if name in me.knowledge.ids}
    for stranger in [name for name in now if name not in known]:
        yield f"stranger {stranger}", f"Who goes there? A stranger {_at(me, now[stranger])}"
    for name, spot in known.items():
        if before.get(name, spot) != spot:
            if EARLY <= me.obs.world.time_of_day < NOON:
                yield f"rose {name}", f"{name} is up already, {_at(me, spot)}"
            else:
                yield f"up {name}", f"{name} is still up, {_at(me, spot)}"
    yield from _houses(me, known)
    yield from _danger(me)
    for name, spot in known.items():
        if name not in me.knowledge.houses:
            yield f"outside {name}", f"{name} has no house, and sleeps {_at(me, spot)}"
    yield from _lamps(me)
    degrees = me.obs.world.temperature
    if isinstance(degrees, int):
        air = "It freezes" if degrees < 0 else "It is mild" if degrees > MILD_FROM else "It is cool"
        yield f"air {air}", f"{air} {_at(me, me.position)}"


def _at(me: Villager, spot: Position) -> str:
    return me.knowledge.whereabouts(spot)


def _houses(me: Villager, people: Mapping[str, Position]) -> Iterator[tuple[str, str]]:
    """Who is at home of those whose house is near."""
    for name, house in me.knowledge.houses.items():
        if not me.is_here(house, EARSHOT) or name in pair_of(_night(me)):
            continue
        spot = people.get(name)
        if spot is None:
            yield f"empty {name}", f"Nobody is in at {name}'s, {_at(me, house)}"
        elif abs(spot[0] - house[0]) + abs(spot[2] - house[2]) <= INDOORS:
            yield f"asleep {name}", f"{name} is asleep at home, {_at(me, house)}"


def _danger(me: Villager) -> Iterator[tuple[str, str]]:
    """What it listens for, if the event of these days is one to fear."""
    event = me.obs.world.active_event
    place = me.obs.world.active_event_center
    if event in FEARED and isinstance(place, tuple):
        feared = FEARED[str(event)]
        yield "danger", f"{feared} {_at(me, place)}: from here I hear nothing of it"


def _lamps(me: Villager) -> Iterator[tuple[str, str]]:
    """How many lights burn within sight."""
    count = sum(1 for _ in me.sight.find_all("TORCH"))
    here = _at(me, me.position)
    lights = "One lamp burns" if count == 1 else f"{count} lamps burn"
    if count:
        yield f"lamps {here}", f"{lights} {here}"
    else:
        yield f"dark {here}", f"It is dark {here}: a lamp is wanting"


def night_report(me: Villager) -> str:
    """The night in a sentence or two, for everybody who gets up."""
    up = _named(me, "up ")
    empty = _named(me, "empty ")
    outside = _named(me, "outside ")
    dark = _named(me, "dark ")
    parts = (
        f"{listing(up[:FEW_NAMES])} {'was' if len(up) == 1 else 'were'} up late" if up else "",
        f"nobody was in at {_owners(empty[:FEW_NAMES])}" if empty else "",
        f"{len(outside)} of us slept without a house" if outside else "",
        f"{len(dark)} places have no light" if len(dark) > 1 else "",
    )
    mate = next(name for name in pair_of(_night(me)) if name != me.name)
    said = "; ".join(part for part in parts if part)
    return f"The night is over. {mate} and I saw {f'this: {said}' if said else 'nobody about'}."


def _owners(names: Sequence[str]) -> str:
    return listing([f"{name}'s" for name in names])


def _named(me: Villager, about: str) -> list[str]:
    return [key.removeprefix(about) for key in me.night if key.startswith(about)]


def last_sight(me: Villager) -> str:
    """What it saw last on its round."""
    told = [sight for key, sight in me.night.items() if key != SPOKEN]
    return told[-1] if told else "All quiet"


def hear(me: Villager, event: Event) -> None:
    """The watch knows who lives where, as the reeve has said, and what its mate has told."""
    told = speech.marked(me, event, "watch")
    if told is not None and told[0] != me.name and len(me.night) < MOST_SIGHTS:
        me.night[str(told[1].get("of"))] = str(told[1].get("sight"))
    heard = speech.marked(me, event, "home")
    at = None if heard is None else heard[1].get("at")
    if heard is None or not isinstance(at, list) or len(at) != len(me.position):
        return
    owner = speech.name_in(me, heard[1], "of")
    if owner is not None:
        me.knowledge.houses[owner] = (int(at[0]), int(at[1]), int(at[2]))
        me.learn()
