"""A villager: observations in, ACTs out.

Its life is a script, a generator that yields the ACT to send for the newest observation, or None to
wait for the next one. Scripts are made of verbs (`walk`, `mine`, `make`, ...), which are generators
too: they ask for one action and wait until it is done, refused, or takes too long. Habits go on
beside the script: eating, becoming a citizen, voting, saving what was learned. A script that fails
begins again a while later, and troubles no other villager.

The same villagers live in process (`headless`) and behind sockets. They know only the protocol, and
of each other only what they see and hear: no two of them share an object.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

from thorp.protocol.block_view import BlockView
from thorp.protocol.obs import Event, Obs, Position
from thorp.protocol.outcome import GAVE_UP, Outcome
from thorp.protocol.session import AgentSession, Request, RequestState
from thorp.village.conversation import BREATH_TICKS, Conversation
from thorp.village.knowledge import Knowledge, read, write
from thorp.village.needs import FOODS
from thorp.village.thought_log import ASLEEP

_log = logging.getLogger(__name__)

T = TypeVar("T")
Action = dict[str, Any]
Act = dict[str, Any]

MILLION: Final = 1_000_000
HUNGRY_BELOW: Final = 13
TIRED_BELOW: Final = 0.25
HURT_BELOW: Final = 12
# What is eaten for strength must leave enough against hunger.
SPARE_FOOD: Final = 8
# A waiting villager looks up this often: is it hungry? What happens to it wakes it anyway.
LOOK_AGAIN_TICKS: Final = 120
# Walking a hundred cells takes four hundred ticks, and twice as long in a storm.
PATIENCE_TICKS: Final = 1_500
# After a script has failed; twice as long each time.
FIRST_REST_TICKS: Final = 25
LONGEST_REST_TICKS: Final = 3_000
TOLD: Final = ("CONTRACT", "MAINTENANCE")
ANSWERS: Final = ("ACTION_RESULT", "TASK_DONE", "TASK_FAIL")
MEMORY: Final = "village/knowledge"
# Those who watch are shown a new thought no sooner after the last one.
THOUGHT_TICKS: Final = 50
# The past of a world is shown in stretches of this many ticks, each of which begins without any
# thoughts: so in each of them those who sleep tell it again, one after the other. Others soon think
# of something new.
RETELL_TICKS: Final = 250
# What was learned is written down at most this often; what must not happen twice is written down at
# once.
SAVE_TICKS: Final = 300


@dataclass(frozen=True, slots=True)
class Plan:
    """What a script wants to do in answer to the newest observation."""

    requests: Sequence[Request] = ()
    cancel: Sequence[str] = ()


Script = Generator[Plan | None, None, T]


class Villager:
    """One villager: its body as it sees it, what it knows, and the script that it lives by."""

    def __init__(
        self,
        name: str,
        trade: str,
        catalogs: Mapping[str, Any],
        life: Callable[[Villager], Script[None]],
    ) -> None:
        self.name = name
        self.trade = trade
        self.knowledge = Knowledge()
        self.recipes: dict[str, Any] = {
            output["item"]: recipe for recipe in catalogs["recipes"] for output in recipe["outputs"]
        }
        self.blueprints: dict[str, Any] = {plan["id"]: plan for plan in catalogs["blueprints"]}
        self.postponed_until: dict[str, int] = {}
        """Until which tick a job that came to nothing is put off, by its name."""
        self.looked_at: dict[str, dict[tuple[int, int], int]] = {}
        """Where it has looked for something, and when."""
        self.blocked = 0
        """How many ways in a row ended where they began."""
        self.trapped = 0
        """How often in a row it could not dig its way out."""
        self.offers: dict[str, Event] = {}
        """The newest offer of each neighbour, by its id."""
        self.heard: list[Event] = []
        """The events of the newest observation, without those from before its process began."""
        self.refusal: Mapping[str, Any] = {}
        """What was refused last, and why."""
        self.on_news: Callable[[Villager, Event], None] | None = None
        """What its trade makes of news about contracts and land."""
        self.habit: Callable[[Villager], list[Action]] | None = None
        """What its trade does beside whatever job it is at."""
        self.listeners: Sequence[Callable[[Villager, Event], None]] = ()
        """Those parts of its character that take in every event."""
        self.reflexes: Sequence[Callable[[Villager], list[Action]]] = ()
        """What it does beside any job, as people do: answering, thanking, speaking its mind."""
        self.asked: dict[str, tuple[str, int, str]] = {}
        """What neighbours have asked it about, by name, when, and on which channel."""
        self.waits_for: tuple[str, int] | None = None
        """Whom it has asked something, and when, until there is an answer."""
        self.told: tuple[str, str, str, int] | None = None
        """A tale that it was told: by whom, its kind, whom it is about, and when."""
        self.night: dict[str, str] = {}
        """What it has seen on watch tonight, by what it is about."""
        self.receipts: dict[str, str] = {}
        """What it has to tell strangers about their votes, by id, if it is the reeve."""
        self.taken_by: dict[str, str] = {}
        """Who said last that it takes a contract, by the contract's id."""
        self.spoke_tick = 0
        """When it last said something by a reflex."""
        self.is_needed = False
        """Whether somebody waits for it, so that it does not go to bed."""
        self.look_again_ticks = LOOK_AGAIN_TICKS
        self.conversation = Conversation()
        """What strangers have asked it, and what it answers."""
        self.session = AgentSession(name=name)
        """Its side of the protocol: what it sees, and which of its actions wait for an answer."""
        self.sight: BlockView = self.session.blocks
        """The blocks around it."""
        self.council_day = -1
        """The day on which it has opened the council, if it is the mayor."""
        self.wake_tick = 0
        """It need not look again before this tick, unless something happens to it."""
        self.intent = ""
        """What it is at and why, in its own words, for those who watch."""
        self.jobs: Sequence[Any] = ()
        """Its table of jobs, the most urgent first, as soon as it lives."""
        self.job = ""
        """The job that it drew last, by its name."""
        self.job_tick = 0
        """When it drew it."""
        self.manner: Callable[[Villager, str], str] = _as_it_is
        """How it puts a thought in its own words."""
        self._told_intent = ""
        """The thought that it told last."""
        self._thought_tick = -THOUGHT_TICKS
        """When it told them last."""
        self._life = life
        self._catalogs = catalogs
        self._script: Script[None] | None = None
        self._inventory: dict[str, int] | None = None
        self._asked = 0
        self._request: Request | None = None
        """The action that a verb is waiting for."""
        self._missed: list[Event] | None = []
        """What it was told before it remembered who it is; None afterwards."""
        self._knows_until = -1
        self._first_tick = 0
        self._votes: list[tuple[str, str]] = []
        self._is_member = False
        self._ate_tick = 0
        self._has_learned = False
        self._saved_tick = 0
        self._stumbles = 0
        self._rests_until = 0

    # What it knows

    @property
    def obs(self) -> Obs:
        obs = self.session.obs
        if obs is None:
            raise AssertionError(f"{self.name} has seen nothing yet")
        return obs

    @property
    def tick(self) -> int:
        return self.obs.tick

    @property
    def position(self) -> Position:
        return self.obs.body.pos

    @property
    def inventory(self) -> dict[str, int]:
        if self._inventory is None:
            self._inventory = {stack.item: stack.count for stack in self.obs.inventory}
        return self._inventory

    def have(self, item: str) -> int:
        return self.inventory.get(item, 0)

    def first_of(self, items: Iterable[str]) -> str | None:
        """The first of some items that it has."""
        return next((item for item in items if self.have(item)), None)

    def is_here(self, position: Position, near: int) -> bool:
        """Whether it is within `near` cells of a column, along the axes."""
        x, _, z = self.position
        return abs(x - position[0]) + abs(z - position[2]) <= near

    def is_hour(self, first: float, last: float) -> bool:
        """Whether the time of day is between two parts of it."""
        return first <= self.obs.world.time_of_day < last

    @property
    def today(self) -> int:
        return self.obs.world.season_day

    @property
    def _hour(self) -> float:
        return self.obs.world.time_of_day

    def tick_of(self, hour: float, days: int = 0) -> int:
        """The tick at an hour of this day, or of one to come, by how time went by today."""
        notes = self.knowledge.notes
        passed = self._hour - notes.get("first hour", 0) / MILLION
        length = (self.tick - notes.get("first tick", 0)) / passed if passed > 0 else 0.0
        return self.tick + round((days + hour - self._hour) * length)

    @property
    def day(self) -> int:
        """The number of the world's day; the first is 1."""
        return self.knowledge.notes.get("day", 1)

    def was_today(self, what: str) -> bool:
        """Whether its notes say that something was done today."""
        return self.knowledge.notes.get(what) == self.today

    @property
    def number(self) -> int:
        return int(self.obs.agent_id[1:])

    @property
    def is_freezing(self) -> bool:
        return isinstance(self.obs.world.temperature, int) and self.obs.world.temperature < 0

    def away(self, cell: Position) -> int:
        """How far a cell is from the feet, as the reach of hands counts it."""
        x, y, z = self.position
        return abs(x - cell[0]) + abs(y - cell[1]) + abs(z - cell[2])

    def note_deed(self, deed: str, count: int = 1) -> None:
        """Remember what it did today, until the day is over."""
        self.knowledge.deeds[deed] = self.knowledge.deeds.get(deed, 0) + count

    def learn(self) -> None:
        """What it knows has changed, and is to be written down."""
        self._has_learned = True

    # One observation

    def take(self, obs: Obs) -> Act | None:
        """Live through one observation; the ACT to answer it with, if any."""
        if obs.tick < self._rests_until:
            return None
        try:
            return self._live_through(obs)
        except Exception:
            self._script = None
            self._rests_until = obs.tick + min(
                FIRST_REST_TICKS << self._stumbles, LONGEST_REST_TICKS
            )
            self._stumbles += 1
            _log.exception("%s has stumbled, and rests until tick %d", self.name, self._rests_until)
            return None

    def _live_through(self, obs: Obs) -> Act | None:
        if obs.tick < self.wake_tick and not obs.events:
            return None
        self.wake_tick = obs.tick + 1
        self._see(obs)
        for event in obs.events:
            self._take_in(event)
        if self._script is None:
            self._script = self._begin()
        plan = next(self._script)
        habits = self._habits() if self._missed is None else []
        is_stale = self._is_thought_stale()
        if plan is None and not habits and not is_stale and not self._has_new_thought():
            return None
        self._tell_thought()
        plan = plan or Plan()
        self.session.act(plan.requests, unanswered=habits, cancel=plan.cancel)
        (act,) = self.session.take_frames()
        if is_stale:
            self._thought_tick = self.tick
            act = {**act, "intent": self.session.intent}
        return act

    def _is_thought_stale(self) -> bool:
        """Whether it sleeps, and said so in an earlier stretch only. It looks up when that will be
        so."""
        if not self.session.intent.startswith(ASLEEP) or self.intent != self._told_intent:
            return False
        begin = self.tick - (self.tick - self.number) % RETELL_TICKS
        self.wake_tick = min(self.wake_tick, begin + RETELL_TICKS)
        return self._thought_tick < begin

    def _has_new_thought(self) -> bool:
        """Whether to tell another thought now. If it is too soon, it looks up again in time."""
        if self.intent == self._told_intent:
            return False
        due = self._thought_tick + THOUGHT_TICKS
        if self.tick < due:
            self.wake_tick = min(self.wake_tick, due)
        return self.tick >= due

    def _tell_thought(self) -> None:
        if self._has_new_thought():
            self._told_intent = self.intent
            self.session.intent = self.manner(self, self.intent)
            self._thought_tick = self.tick

    def _see(self, obs: Obs) -> None:
        if not self.session.agent_id:
            self.session.begin(obs.agent_id, self._catalogs)
        self.session.receive(obs)
        self._inventory = None
        self._first_tick = self._first_tick or obs.tick
        self.heard = [event for event in obs.events if event["t"] >= self._first_tick]
        if self._missed is None:
            self._count_days()

    def _count_days(self) -> None:
        """Count the days of the world. The calendar begins anew with each season."""
        notes = self.knowledge.notes
        last = notes.get("calendar", 0)
        if last != self.today:
            notes |= {"first tick": self.tick, "first hour": round(MILLION * self._hour)}
            notes["day"] = notes.get("day", 0) + (self.today - last if self.today > last else 1)
            notes["calendar"] = self.today
            self.knowledge.deeds = {}
            self._has_learned = True

    def _take_in(self, event: Event) -> None:
        """Hear of something once: what happened before it wrote down its knowledge is part of
        that."""
        if self._missed is not None and event["type"] not in ANSWERS:
            self._missed.append(event)
        elif event["t"] > self._knows_until:
            self._hear(event)
            if event["type"] not in ANSWERS:
                self.knowledge.heard = event["t"]
            if event["type"] in TOLD and self.on_news is not None:
                self.on_news(self, event)
                # nobody tells it again
                self._has_learned = True
                self._saved_tick = -SAVE_TICKS

    def _begin(self) -> Script[None]:
        if self.obs.tasks:  # of an earlier life
            yield self._cancelled()
        yield from self._recall()
        yield from self._life(self)

    def _cancelled(self) -> Plan:
        return Plan(cancel=[task.task_id for task in self.obs.tasks])

    def _recall(self) -> Script[None]:
        """Remember what an earlier process has learned."""
        while not (yield from self.do("LOAD_MEMORY", prefix=MEMORY)):  # it may have come too late
            yield from self.wait(FIRST_REST_TICKS)
        notes = self.obs.memory
        kept = {note.key: note.value for note in notes} if isinstance(notes, list) else {}
        if MEMORY in kept:
            self.knowledge = read(kept[MEMORY])
            self._knows_until = self.knowledge.heard
        while len(self.heard) < len(self.obs.events):  # some of it is news of old
            yield None
        missed = self._missed or []
        self._missed = None
        for event in missed:
            self._take_in(event)
        if self.knowledge.born is None:
            self.knowledge.born = self.position
            self.knowledge.notes["born"] = self.tick
        yield from self.save()

    def save(self) -> Script[None]:
        """Write down what it knows, and wait until that is done."""
        yield from self.do("SAVE_MEMORY", key=MEMORY, value=write(self.knowledge))
        self._has_learned = False
        self._saved_tick = self.tick

    def _hear(self, event: Event) -> None:
        self._learn_from(event)
        for listen in self.listeners:
            listen(self, event)

    def _learn_from(self, event: Event) -> None:
        kind = event["type"]
        if kind == "RESPAWN":
            self._begin_anew(event)
            self.knowledge.places["fell"] = tuple(event["drop_pos"])
            self.knowledge.notes["fell"] = self.tick
            self._has_learned = True
        elif kind == "CHAT":
            self._has_learned |= self.knowledge.hear(
                self.name, event["from"], event["text"], self.tick
            )
            self.conversation.hear(self, event)
        elif kind == "TRADE_OFFER":
            self.offers[event["from"]] = event
        elif kind == "LAW" and event["status"] == "VOTING":
            self._votes.append((event["law_id"], event.get("template_id", "")))

    def _habits(self) -> list[Action]:
        actions: list[Action] = []
        body = self.obs.body
        if body.hunger < HUNGRY_BELOW or body.stamina < TIRED_BELOW or body.hp < HURT_BELOW:
            actions += self._meal()
        if not self._is_member and self.own_org in self.knowledge.things:
            actions.append({"type": "JOIN_ORG", "org_id": self.knowledge.things[self.own_org]})
            self._is_member = True
        if self._has_learned and self.tick >= self._saved_tick + SAVE_TICKS:
            self._has_learned = False
            self._saved_tick = self.tick
            actions.append({"type": "SAVE_MEMORY", "key": MEMORY, "value": write(self.knowledge)})
        if self._votes and self.own_org == "city":
            law, template = self._votes.pop()
            actions.append({"type": "VOTE", "law_id": law, "choice": self.opinion(law, template)})
        actions += self.conversation.answers(self)
        if self.conversation.is_pending:
            self.wake_tick = min(self.wake_tick, self.tick + BREATH_TICKS)
        for reflex in self.reflexes:
            actions += reflex(self)
        return actions if self.habit is None else actions + self.habit(self)

    @property
    def own_org(self) -> str:
        return "guild" if self.trade.startswith("guild") else "city"

    def opinion(self, law: str, template: str) -> str:
        """How it votes: most are for taxes and fines, few for a ticket or a curfew, and not all
        agree."""
        doubts = (self.number * 7 + sum(map(ord, law))) % 10
        against = 8 if template in ("CURFEW_NO_BUILD", "ACCESS_PASS_CORE") else 2
        return "NO" if doubts < against else "YES"

    def _meal(self) -> list[Action]:
        """One bite; the next when this one has been digested."""
        food = self.first_of(FOODS)
        is_hungry = self.obs.body.hunger < HUNGRY_BELOW or self.obs.body.hp < HURT_BELOW
        if (
            food is None
            or self.tick < self._ate_tick + 10
            or not (is_hungry or self.have(food) > SPARE_FOOD)
        ):
            return []
        self._ate_tick = self.tick
        return [{"type": "EAT", "item_id": food}]

    # Verbs

    def _begin_anew(self, event: Event) -> None:
        """It fell and woke again: whatever it was at is over."""
        if self._request is not None:
            self.session.abandon(self._request, Outcome(ok=False, event=event))

    def do(self, kind: str, /, *, ticks: int = PATIENCE_TICKS, **fields: Any) -> Script[Outcome]:
        """Ask for one action and wait how it ends."""
        self._asked += 1
        ref = f"{self.obs.agent_id}-{self._asked}-{self.tick}"
        request = self.session.request({"type": kind, "id": ref, **fields})
        self._request = request
        yield Plan(requests=[request])
        until = self.tick + ticks
        outcome = yield from self._outcome_of(request, until)
        if not outcome:
            self.refusal = {"action": kind, "code": outcome.code, **outcome.event}
        return outcome

    def _outcome_of(self, request: Request, until: int) -> Script[Outcome]:
        """Wait until a request is settled. A task that takes too long is cancelled."""
        while request.outcome is None:
            if self.tick >= until:
                if request.state is RequestState.RUNNING:
                    yield Plan(cancel=[request.task_id])
                return Outcome(ok=False, code=GAVE_UP)
            yield from self.idle(until)
        return request.outcome

    def within(self, ticks: int, work: Script[T], alarm: Callable[[], bool]) -> Script[T | None]:
        """Do something, but give it up after these ticks, or when there is cause for alarm."""
        until = self.tick + ticks
        while True:
            try:
                act = next(work)
            except StopIteration as end:
                return cast("T", end.value)
            yield act
            if self.tick >= until or alarm():
                work.close()
                self._request = None
                if self.obs.tasks:
                    yield self._cancelled()
                return None

    def wait(self, ticks: int) -> Script[None]:
        until = self.tick + ticks
        while self.tick < until:
            yield from self.idle(until)

    def idle(self, until: int) -> Script[None]:
        self.wake_tick = min(until, self.tick + self.look_again_ticks)
        yield None

    def wait_for(self, ready: Callable[[], bool], *, ticks: int) -> Script[bool]:
        """Wait until something is so; False if it takes too long."""
        until = self.tick + ticks
        while not ready():
            if self.tick >= until:
                return False
            yield from self.wait(10)
        return True

    def walk(self, target: Position, near: int = 1, tries: int = 4) -> Script[bool]:
        """Go until a column is within `near` cells; False if there is no way."""
        for _ in range(tries):
            if self.is_here(target, near):
                return True
            before = self.position
            walked = yield from self.do("MOVE_TO", target=list(target), tolerance=near)
            self.blocked = self.blocked + 1 if not walked and self.position == before else 0
        return self.is_here(target, near)

    def climb_to(self, target: Position) -> Script[bool]:
        """Go to a cell that may lie below or above others."""
        return (yield from self.walk(target, 1, tries=2)) and abs(self.position[1] - target[1]) <= 2

    def mine(self, position: Position) -> Script[Outcome]:
        return self.do("MINE", block_pos=list(position), ticks=400)

    def place(self, position: Position, item: str) -> Script[Outcome]:
        return self.do("PLACE", block_pos=list(position), item_id=item)

    def build(self, blueprint: str, anchor: Position, rotation: int = 0) -> Script[Outcome]:
        return self.do(
            "BUILD_BLUEPRINT", blueprint_id=blueprint, anchor=list(anchor), rotation=rotation
        )

    def put(self, container: str, item: str, count: int) -> Script[Outcome]:
        return self.do(
            "TRANSFER", src_container="SELF", dst_container=container, item_id=item, count=count
        )

    def fetch(self, container: str, item: str, count: int) -> Script[Outcome]:
        return self.do(
            "TRANSFER", src_container=container, dst_container="SELF", item_id=item, count=count
        )

    def say(
        self, text: str, channel: str = "LOCAL", data: Mapping[str, Any] | None = None
    ) -> Script[Outcome]:
        more: dict[str, Any] = {} if data is None else {"data": data}
        return self.do("SAY", channel=channel, text=text, **more)

    def whisper(self, to: str, text: str, data: Mapping[str, Any] | None = None) -> Script[Outcome]:
        more: dict[str, Any] = {} if data is None else {"data": data}
        return self.do("WHISPER", to=to, text=text, **more)

    def make(self, item: str, count: int = 1) -> Script[bool]:
        """Craft until it has `count`, with all that goes into it, at the stations that stand
        near."""
        lacking = count - self.have(item)
        recipe = self.recipes.get(item)
        if lacking <= 0 or recipe is None:
            return lacking <= 0
        units = -(-lacking // yield_of(recipe, item))
        for stack in recipe["inputs"]:
            if not (yield from self.make(stack["item"], units * stack["count"])):
                return False
        if recipe["station"] == "FURNACE":
            outcome = yield from self.do("SMELT", item_id=recipe["inputs"][0]["item"], count=units)
        else:
            outcome = yield from self.do("CRAFT", recipe_id=recipe["recipe_id"], count=units)
        yield None
        if outcome:
            self.note_deed(f"made {item}", lacking)
        return bool(outcome) and self.have(item) >= count


def _as_it_is(_: Villager, thought: str) -> str:
    return thought


def yield_of(recipe: Mapping[str, Any], item: str) -> int:
    """How many of an item one unit of a recipe gives."""
    return int(next(output["count"] for output in recipe["outputs"] if output["item"] == item))
