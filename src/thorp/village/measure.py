"""Measures how a village lives, day by day, from what anyone may see: tasks, actions and public
events.

    Meter      looks at a world after each tick, and makes a line of figures of each day
    live       lets a village live in process, and measures it

Bodies are sampled every `SAMPLE_TICKS`. A villager is idle in a sample if it has neither a move nor
a work task, and asked for nothing since the last one that a spectator could see. `docs/village.md`
lists the keys.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from statistics import median
from time import process_time
from typing import Any, Final, get_args

import msgspec

from thorp.bridges.chronicle import PageBuilder, chronicle_config
from thorp.bridges.chronicle.digest import digest
from thorp.bridges.chronicle.publisher import Page, stands
from thorp.bridges.chronicle.sentences import forms, formula
from thorp.protocol import actions
from thorp.village.bounds import CAUSES
from thorp.village.exchange import Exchange, wealth
from thorp.village.headless import EVERYBODY, run
from thorp.village.headless_minds import HeadlessMinds
from thorp.village.highlights import Highlights
from thorp.village.minds import NAMES
from thorp.village.roster import ROSTER
from thorp.village.thought_log import ThoughtLog
from thorp.voxel import Acted, Agent, AnyInput, Attach, World, step
from thorp.voxel.society.wealth import inequality
from thorp.voxel.state.records import LawStatus, Structure
from thorp.voxel.systems import blueprints

VERSION: Final = 1
SAMPLE_TICKS: Final = 10
MINUTES: Final = 20
"""Minutes of a day at the usual rate; half of them are daytime."""
_DAYTIME: Final = range(MINUTES // 4, MINUTES * 3 // 4)
PURPOSE_TICKS: Final = 50
"""A walk was aimless if the villager does nothing there within this time."""
OPERATOR: Final = "GEORGE"
"""Who reads the whole chronicle."""
STIRRING: Final = frozenset(
    ("TRADE", "CONTRACT", "BUILT", "POST", "LAW", "VOTE", "JOIN", "JOIN_ORG", "REACHED_GOAL")
)
"""Public events that make a minute worth watching."""
# Actions that spectators do not see; actions that count as dealings; actions that only move a body.
_UNSEEN: Final = (actions.Whisper, actions.SaveMemory, actions.LoadMemory, actions.Vote)
_DEALS: Final = (
    *(actions.Say, actions.Whisper, actions.Vote, actions.OfferTrade, actions.AcceptTrade),
    *(actions.PostBoard, actions.PostContract, actions.AcceptContract, actions.SubmitContract),
)
_WALKS: Final = (actions.MoveTo, actions.Follow, actions.Stop)

Line = dict[str, Any]
"""The figures of one day."""
TOKENS: Final = {name: f"the token of {name}" for name in ROSTER}
"""Of villagers in a world that nobody keeps, so that nobody else can come in with them."""

_STATES: Final = {"posted": "OPEN", "completed": "COMPLETED", "failed": "FAILED"}
_CAUSE: Final = re.compile(rb'"kind":"([A-Z_]+)".*"type":"DAMAGE"')


class Meter:
    """Measures one village. `look` comes after every tick, with that tick's inputs. `present` are
    the numbers of people who came in before; `others` are not measured, by name."""

    def __init__(
        self, world: World, present: Sequence[int] = (), others: Collection[str] = ()
    ) -> None:
        self._world = world
        self._others = others
        self._people: dict[int, str] = {}
        self._ids: dict[str, str] = {}
        """The ids of the people, by name."""
        self._acted: dict[int, str] = {}
        """Who did something that ended at once, since the last sample, and what."""
        self._walks: dict[int, str] = {}
        """The walk that each of them was on in the last sample."""
        self._arrived: dict[int, int] = {}
        """When the walks ended that have not led to anything yet."""
        self._posted: dict[str, int] = {}
        self._built: dict[str, Structure] = {}
        """Also those that the world has forgotten, since their builder has made many."""
        self._reader = PageBuilder(world)
        config = chronicle_config()
        self._stands = lambda text: stands(text, config)
        self._told: Counter[str] = Counter()
        """The forms of the chronicle's sentences so far."""
        self._highlights = Highlights()
        self._thoughts = ThoughtLog()
        self._meet(present)
        self._begin_day()

    def follow(self, world: World) -> None:
        """Go on with a world that took the place of the other, as one under another tuning does."""
        self._world = world

    def _begin_day(self) -> None:
        self._highlights.begin_day()
        self._thoughts.begin_day()
        self._exchange = Exchange()
        self._seen: Counter[tuple[int, bool]] = Counter()
        """Samples of each villager, and those in which it was idle, by whether they were in
        daytime."""
        self._idle: Counter[tuple[int, bool]] = Counter()
        self._doing: Counter[str] = Counter()
        self._weather: dict[str, None] = {}
        self._event: str | None = None
        self._counts: Counter[str] = Counter()
        self._contracts: Counter[str] = Counter()
        self._orders: Counter[str] = Counter()
        self._waits: list[int] = []
        self._refused: Counter[str] = Counter()
        self._downed: Counter[str] = Counter()
        self._starving: dict[str, None] = {}
        self._loud: set[int] = set()
        self._walked = self._aimless = 0

    def look(self, inputs: Sequence[AnyInput]) -> Line | None:
        """Take a tick in; the figures of the day that it ends, if it ends one."""
        world = self._world
        back = [entry.agent for entry in inputs if isinstance(entry, Attach)]
        self._meet([*back, *world.scratch.joined])
        for entry in inputs:
            if isinstance(entry, Acted) and entry.agent in self._people:
                self._take_act(entry)
        for event in world.scratch.public_events:
            self._take_event(event)
        page = self._reader.look(world)
        if page is not None:
            self._read(page)
        self._highlights.end_tick(is_day=self._minute() in _DAYTIME)
        if world.tick % SAMPLE_TICKS == 0:
            self._sample()
        if world.tick % world.tuning.day_ticks:
            return None
        line = self._line()
        self._begin_day()
        return line

    def so_far(self) -> Line:
        """The figures of a day that is not over."""
        return {**self._line(), "day": self._world.tick // self._world.tuning.day_ticks + 1}

    def _meet(self, numbers: Sequence[int]) -> None:
        """Villagers are those who come in; other bodies are not measured."""
        world = self._world
        for number in numbers:
            if number in world.agents and world.agents[number].name not in self._others:
                self._people[number] = world.agents[number].name
                self._ids[world.agents[number].name] = world.agents[number].id

    def _take_act(self, entry: Acted) -> None:
        if entry.act.intent:
            self._thoughts.take(entry.agent, entry.act.intent)
        for asked in entry.act.instants:
            if not isinstance(asked, _UNSEEN):
                self._acted[entry.agent] = _tag(asked)
            if isinstance(asked, _DEALS):
                self._arrived.pop(entry.agent, None)
        for task in entry.act.tasks:
            self._acted[entry.agent] = _tag(task)
            if not isinstance(task, _WALKS):
                self._arrived.pop(entry.agent, None)

    def _take_event(self, event: Mapping[str, Any]) -> None:
        kind = str(event["kind"])
        self._counts[kind] += 1
        self._highlights.take(event, self._world.tick, self._ids)
        self._exchange.take(event)
        if kind in STIRRING:
            self._loud.add(self._minute())
        if kind == "CONTRACT":
            self._take_contract(event)
        elif kind == "DOWNED":
            agent = self._world.agent_by_id(str(event["agent"]))
            if agent is not None and agent.number in self._people:
                self._downed[_cause(agent)] += 1
        elif kind == "TOWN_RESULT" and event["status"] in ("rejected", "failed", "stale"):
            self._refused[str(event["reason"]).lower()] += 1

    def _take_contract(self, event: Mapping[str, Any]) -> None:
        state = str(event["state"])
        contract_id = str(event["contract_id"])
        if state != "FAILED" or event["acceptor"]:  # a contract nobody took has not failed
            self._contracts[state] += 1
        if event["poster"] in self._world.orgs:
            self._orders[state] += 1
            if state == "OPEN":
                self._posted[contract_id] = self._world.tick
            elif contract_id in self._posted:
                since = self._posted.pop(contract_id)
                self._waits += [self._world.tick - since] if state == "ACCEPTED" else []

    def _minute(self) -> int:
        day = self._world.tuning.day_ticks
        return self._world.tick % day * MINUTES // day

    def _sample(self) -> None:
        world = self._world
        is_day = self._minute() in _DAYTIME
        self._weather[world.weather] = None
        if world.director.event is not None:
            self._event = self._event or world.director.event.id
        for number, name in self._people.items():
            agent = world.agents.get(number)
            if agent is None:
                continue
            self._seen[number, is_day] += 1
            task = agent.work or agent.move
            doing = _tag(task.request) if task is not None else self._acted.get(number)
            if doing is None:
                self._idle[number, is_day] += 1
            elif is_day:
                self._doing[doing] += 1
            if agent.hunger == 0:
                self._starving[name] = None
            self._follow_walk(agent)
        self._thoughts.sample(self._people)
        self._acted.clear()

    def _follow_walk(self, agent: Agent) -> None:
        """Judge the walk that ended before this sample, and the one that came to nothing."""
        tick = self._world.tick
        number = agent.number
        walk = agent.move.id if agent.move is not None else ""
        if agent.work is not None:
            self._arrived.pop(number, None)
        if tick - self._arrived.get(number, tick) >= PURPOSE_TICKS:
            del self._arrived[number]
            self._aimless += 1
        before = self._walks.get(number, "")
        asked = self._acted.get(number)
        if (
            before != walk if before else not walk and asked == "MOVE_TO"
        ):  # the latter was a short one
            self._walked += 1
            if agent.work is None and asked in (None, "MOVE_TO", "FOLLOW", "STOP"):
                self._arrived.setdefault(number, tick)
        self._walks[number] = walk

    def _read(self, page: Page) -> None:
        world = self._world
        names = [*(agent.name for agent in world.agents), *(org.name for org in world.orgs)]
        paragraphs = digest(
            page.ticks,
            page.notices,
            page.day_ticks,
            OPERATOR,
            stands=self._stands,
            most=len(page.notices),
        )
        for paragraph in paragraphs:
            if not paragraph.visible_to or OPERATOR in paragraph.visible_to:
                self._told.update(forms(paragraph.text, names))

    # One day

    def _line(self) -> Line:
        world = self._world
        sampled = dict.fromkeys(number for number, _ in self._seen)
        shares = {
            self._people[person]: self._idle[person, True] / max(1, self._seen[person, True])
            for person in sampled
        }
        worst = max(shares.items(), key=itemgetter(1), default=("", 0.0))
        seen = _sum_of(self._seen, day=True)
        counts = self._counts
        return {
            "v": VERSION,
            "seed": world.seed,
            "day": world.tick // world.tuning.day_ticks,
            "tick": world.tick,
            "weather": list(self._weather),
            "event": self._event,
            "people": len(sampled),
            "idle_day": self._idle_share(day=True),
            "idle_night": self._idle_share(day=False),
            "idle_worst": [worst[0], round(worst[1], 3)],
            "aimless": round(self._aimless / max(1, self._walked), 3),
            "doing": {
                name: round(count / max(1, seen), 3) for name, count in self._doing.most_common()
            },
            "quiet_minutes": MINUTES // 2 - len(self._loud & {*_DAYTIME}),
            "worth_pointing_at": self._highlights.count,
            "longest_lull": self._highlights.longest_lull,
            "distinct_thoughts": self._thoughts.distinct,
            "same_thought": self._thoughts.most_alike,
            "buildings": self._buildings(),
            "trades": counts["TRADE"],
            "partners": self._exchange.partners,
            "contracts": {name: self._contracts[state] for name, state in _STATES.items()},
            "orders": self._orders_today(),
            "downed": {cause: self._downed[cause] for cause in CAUSES},
            "upkeep": {
                "paid": counts["PAID_UPKEEP"],
                "missed": counts["MISSED_UPKEEP"],
                "stage": max((claim.stage for claim in world.claims), default=0),
            },
            "laws": {
                status: sum(law.status == status for law in world.laws)
                for status in get_args(LawStatus)
            },
            "votes": self._exchange.votes,
            "tax": self._exchange.tax,
            "stock": self._stock(),
            "wealth": wealth(world, self._present()),
            "gini": inequality(world),
            "starving": list(self._starving),
            "formula": round(formula(self._told), 3),
            "told": self._told.total(),
            "digest": world.digest(),
        }

    def _idle_share(self, *, day: bool) -> float:
        return round(_sum_of(self._idle, day=day) / max(1, _sum_of(self._seen, day=day)), 3)

    def _buildings(self) -> dict[str, int]:
        world = self._world
        self._built |= {structure.id: structure for structure in world.structures}
        plans = [
            (
                structure.blueprint_id,
                blueprints.plan_of(
                    world, structure.blueprint_id, structure.anchor, structure.rotation
                ),
            )
            for structure in self._built.values()
        ]
        kinds = [
            kind for kind, plan in plans if blueprints.blocks_standing(world, plan) == len(plan)
        ]
        return {"standing": len(kinds), "today": self._counts["BUILT"], "kinds": len(set(kinds))}

    def _orders_today(self) -> dict[str, Any]:
        return {
            "posted": self._orders["OPEN"],
            "done": self._orders["COMPLETED"],
            "wait_median": round(median(self._waits)) if self._waits else None,
            "refused": dict(sorted(self._refused.items())),
        }

    def _present(self) -> list[Agent]:
        """The people who are in the world."""
        agents = self._world.agents
        return [agents[number] for number in self._people if number in agents]

    def _stock(self) -> dict[str, list[int]]:
        """The count of each item in common stores, and in the villagers' pockets."""
        world = self._world
        common: Counter[str] = Counter()
        for box in world.containers:
            if box.kind == "CHEST":
                common.update(box.stock)
        for org in world.orgs:
            common.update(org.treasury)
        pockets: Counter[str] = Counter()
        for agent in self._present():
            pockets.update(agent.inventory)
        return {item: [common[item], pockets[item]] for item in sorted({*(+common), *(+pockets)})}


def _sum_of(samples: Mapping[tuple[int, bool], int], *, day: bool) -> int:
    return sum(count for (_, is_day), count in samples.items() if is_day == day)


def _tag(request: msgspec.Struct) -> str:
    return str(request.__struct_config__.tag)


def _cause(agent: Agent) -> str:
    """The kind of the last damage that a body took."""
    hits = (_CAUSE.search(event.text) for event in reversed(agent.event_log.events))
    return next((hit[1].decode() for hit in hits if hit is not None), "UNKNOWN")


class Costs(msgspec.Struct):
    """CPU time of a run, in seconds."""

    ticks: int = 0
    people: int = len(ROSTER)
    world: float = 0.0
    villagers: float = 0.0
    """Looking and thinking."""
    measuring: float = 0.0

    @property
    def tick_ms(self) -> float:
        return 1000 * (self.world + self.villagers) / max(1, self.ticks)

    @property
    def villager_ms(self) -> float:
        return 1000 * self.villagers / max(1, self.ticks * self.people)


def live(
    world: World,
    days: int,
    *,
    show: Callable[[Line], None],
    watch: Callable[[int], None] = lambda _: None,
    execute: Callable[[World, Sequence[AnyInput]], object] = step,
    tokens: Mapping[str, str] = TOKENS,
    order: Sequence[str] = EVERYBODY,
    minds: HeadlessMinds | None = None,
) -> Costs:
    """Let a village live for some days; the rest of a day that has begun is the first. `execute`
    executes a tick, which whoever keeps the world does in another way. `order` is that in which
    villagers come in and are asked.

    `minds` come in when the village has lived its first days, as they do where it is served. They
    are measured by themselves, under `minds`: the other figures are those of the villagers."""
    meter = Meter(world, others=() if minds is None else NAMES)
    costs = Costs()
    day = world.tuning.day_ticks
    began = process_time()

    def tick(inputs: Sequence[AnyInput]) -> None:
        if minds is not None:
            inputs = [*inputs, *minds.inputs]
        start = process_time()
        execute(world, inputs)
        stepped = process_time()
        line = meter.look(inputs)
        if minds is not None:
            minds.look(inputs)
        if line is not None:
            if minds is not None:
                line["minds"] = minds.figures()
            costs.people = line["people"]
            show(line)
        watch(world.tick)
        costs.ticks += 1
        costs.world += stepped - start
        costs.measuring += process_time() - stepped

    run(world, tick, tokens, to_tick=(world.tick // day + days) * day, order=order)
    costs.villagers = process_time() - began - costs.world - costs.measuring
    return costs
