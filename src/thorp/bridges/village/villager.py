"""A villager: observations in, ACTs out.

Its day is a script, a generator that yields the ACT to send for the newest observation, or None to wait for
the next one. Scripts are made of verbs (`walk`, `mine`, `craft`, ...), which are generators too: they ask
for one action and wait until it is done, refused, or takes too long.

Whatever the script does, habits go on beside it: a villager eats when it is hungry, becomes a citizen when
there is a city, takes the offers of its neighbours when it has the goods, and votes for the city's laws.

A script that fails, for whatever reason, begins again a while later with the chapter that it was in: what is
wrong with one villager is nobody else's trouble.

The same villagers live in process (`headless`) and behind sockets: they know only the protocol.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Mapping
from typing import Any, Final, NamedTuple, TypeVar, get_args

from thorp.bridges.village.crafting import yield_of
from thorp.bridges.village.notebook import SITTING, Notebook, write
from thorp.bridges.village.sight import Sight
from thorp.protocol.actions import SoundTask
from thorp.protocol.obs import Event, Obs, Position

_log = logging.getLogger(__name__)

T = TypeVar("T")
Action = dict[str, Any]
Act = dict[str, list[Any]]
Script = Generator[Act | None, None, T]

TASKS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(SoundTask))

HUNGRY_BELOW: Final = 13
TIRED_BELOW: Final = 0.25
# What is eaten for strength must leave enough against hunger.
SPARE_FOOD: Final = 8
FOODS: Final = ("BREAD", "COOKED_MEAT", "BERRIES")
# Whoever waits looks up so often: is it hungry, has it the goods that a neighbour asked for?
LOOK_AGAIN_TICKS: Final = 20
# Walking a hundred cells takes four hundred ticks, and twice as long in a storm.
PATIENCE_TICKS: Final = 1_500
# After a script has failed; twice as long each time.
FIRST_REST_TICKS: Final = 25
LONGEST_REST_TICKS: Final = 3_000
CHAPTER: Final = "village/chapter"
NOTEBOOK: Final = "village/notebook"


class Outcome(NamedTuple):
    """How an action ended. `event` is what the world said about it last."""

    ok: bool
    event: Mapping[str, Any]

    def __bool__(self) -> bool:
        return self.ok

    @property
    def code(self) -> str:
        return str(self.event.get("code", ""))


class Villager:
    def __init__(
        self,
        name: str,
        notebook: Notebook,
        catalogs: Mapping[str, Any],
        life: Callable[[Villager], Script[None]],
    ) -> None:
        self.name = name
        self.notebook = notebook
        self.recipes: dict[str, Any] = {
            output["item"]: recipe for recipe in catalogs["recipes"] for output in recipe["outputs"]
        }
        self.sight = Sight(catalogs["block_palette"])
        self._life = life
        self._script: Script[None] | None = None
        self._obs: Obs | None = None
        self._inventory: dict[str, int] | None = None
        self._asked = 0
        self._answers: dict[str, Event] = {}
        """What came for the actions that a verb is waiting for."""
        self._offers: dict[str, Event] = {}
        """The newest offer of each neighbour, by its id."""
        self._votes: list[str] = []
        self._org = "city"
        """The organisation that it is in or will join, as the notebook calls it."""
        self._is_member = False
        self.wake_tick = 0
        """It need not look again before this tick, unless something happens to it."""
        self._ate_tick = 0
        self.heard: list[Event] = []
        """The events of the newest observation."""
        self.keeps_notebook = False
        self._kept_sitting: int | None = None
        self._stumbles = 0
        self._rests_until = 0

    # What it knows

    @property
    def obs(self) -> Obs:
        if self._obs is None:
            raise AssertionError(f"{self.name} has seen nothing yet")
        return self._obs

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

    def is_here(self, position: Position, near: int) -> bool:
        """Whether a column is so near, along the axes."""
        x, _, z = self.position
        return abs(x - position[0]) + abs(z - position[2]) <= near

    def id_of(self, name: str) -> str | None:
        return self.notebook.ids.get(name)

    def belongs_to(self, org: str, *, is_member: bool = False) -> None:
        """It is a member of an organisation, or will be as soon as there is one."""
        self._org, self._is_member = org, is_member

    # One observation

    def take(self, obs: Obs) -> Act | None:
        """Live through one observation; the ACT to answer it with, if any."""
        if obs.tick < self._rests_until:
            return None
        try:
            return self._live_through(obs)
        except Exception:
            self._script = None
            self._rests_until = obs.tick + min(FIRST_REST_TICKS << self._stumbles, LONGEST_REST_TICKS)
            self._stumbles += 1
            _log.exception("%s has stumbled, and rests until tick %d", self.name, self._rests_until)
            return None

    def _live_through(self, obs: Obs) -> Act | None:
        if obs.tick < self.wake_tick and not obs.events and not self._has_news():
            return None
        self.wake_tick = obs.tick + 1
        self._obs, self._inventory = obs, None
        self.sight.take(obs.voxels)
        self.heard = obs.events
        for event in obs.events:
            self._hear(event)
        if self._script is None:
            self.notebook.ids[self.name] = obs.agent_id
            self.notebook.homes.setdefault(self.name, obs.body.pos)
            self._script = self._begin()
        wish = next(self._script)
        habits = self._habits()
        if not habits:
            return wish
        act = wish or {"instants": [], "tasks": []}
        act["instants"] = [*act["instants"], *habits]
        return act

    def _begin(self) -> Script[None]:
        if self.obs.tasks:  # of an earlier life
            yield {"instants": [], "tasks": [], "cancel": [task.task_id for task in self.obs.tasks]}
        yield from self._life(self)
        while True:
            yield None

    def _hear(self, event: Event) -> None:
        kind = event["type"]
        if kind == "ACTION_RESULT" and event["ref"] in self._answers:
            self._answers[event["ref"]] = event
        elif kind == "ACTION_RESULT" and event["ref"] == "ACT":  # it came too late, and counts for nothing
            self._answers = dict.fromkeys(self._answers, event)
        elif kind in ("TASK_DONE", "TASK_FAIL") and event["task_id"] in self._answers:
            self._answers[event["task_id"]] = event
        elif kind == "RESPAWN":
            self._answers = dict.fromkeys(self._answers, event)  # whatever was begun is over
        elif kind == "TRADE_OFFER" and event["from"] in self.notebook.ids.values():
            self._offers[event["from"]] = event
        elif kind == "LAW" and event["status"] == "VOTING" and self._org == "city":
            self._votes.append(event["law_id"])

    def _habits(self) -> list[Action]:
        actions: list[Action] = []
        body = self.obs.body
        if body.hunger < HUNGRY_BELOW or body.stamina < TIRED_BELOW:
            actions += self._meal()
        if self._offers:
            actions += self._bargains()
        if not self._is_member and self._org in self.notebook.things:
            actions.append({"type": "JOIN_ORG", "org_id": self.notebook.things[self._org]})
            self._is_member = True
        if self._has_news():
            self._kept_sitting = self.notebook.done[SITTING]
            actions.append({"type": "SAVE_MEMORY", "key": NOTEBOOK, "value": write(self.notebook)})
        if self._votes:
            actions.append({"type": "VOTE", "law_id": self._votes.pop(), "choice": "YES"})
        return actions

    def _has_news(self) -> bool:
        """Whether the council sits today, which must not be forgotten: it sits once a day."""
        return self.keeps_notebook and self.notebook.done.get(SITTING) != self._kept_sitting

    def _meal(self) -> list[Action]:
        """One bite; the next when this one has been digested."""
        food = next((food for food in FOODS if self.have(food)), None)
        is_hungry = self.obs.body.hunger < HUNGRY_BELOW
        if food is None or self.tick < self._ate_tick + 10 or not (is_hungry or self.have(food) > SPARE_FOOD):
            return []
        self._ate_tick = self.tick
        return [{"type": "EAT", "item_id": food}]

    def _bargains(self) -> list[Action]:
        """Take the first offer for which there are goods enough."""
        for neighbour, event in list(self._offers.items()):
            if event["expires_tick"] < self.tick:
                del self._offers[neighbour]
            elif all(self.have(item) >= count for item, count in event["request"]):
                del self._offers[neighbour]
                return [{"type": "ACCEPT_TRADE", "trade_id": event["trade_id"]}]
        return []

    # Verbs

    def do(self, kind: str, /, *, ticks: int = PATIENCE_TICKS, **fields: Any) -> Script[Outcome]:
        """Ask for one action and wait how it ends."""
        self._asked += 1
        ref = f"{self.obs.agent_id}-{self._asked}-{self.tick}"
        action = {"type": kind, "id": ref, **fields}
        self._answers = {ref: {}}
        is_task = kind in TASKS
        yield {"instants": [] if is_task else [action], "tasks": [action] if is_task else []}
        until = self.tick + ticks
        while not self._answers[ref] and self.tick < until:
            yield from self._idle(until)
        answer = self._answers[ref]
        task_id = answer.get("task_id") if answer.get("ok") else None
        if task_id is None:
            return Outcome(bool(answer.get("ok")), answer)
        return (yield from self._end_of(task_id, until))

    def _end_of(self, task_id: str, until: int) -> Script[Outcome]:
        """Wait for a task; it may have ended in the observation that said it began."""
        self._answers = {task_id: {}}
        for event in self.heard:
            self._hear(event)
        while not self._answers[task_id]:
            if self.tick >= until:
                yield {"instants": [], "tasks": [], "cancel": [task_id]}
                return Outcome(False, {"code": "GAVE_UP"})
            yield from self._idle(until)
        event = self._answers[task_id]
        return Outcome(event["type"] == "TASK_DONE", event)

    def wait(self, ticks: int) -> Script[None]:
        until = self.tick + ticks
        while self.tick < until:
            yield from self._idle(until)

    def _idle(self, until: int) -> Script[None]:
        self.wake_tick = min(until, self.tick + LOOK_AGAIN_TICKS)
        yield None

    def wait_for(self, ready: Callable[[], bool], *, ticks: int, every: int = 10) -> Script[bool]:
        """Wait until something is so; False if it takes too long."""
        until = self.tick + ticks
        while not ready():
            if self.tick >= until:
                return False
            yield from self.wait(every)
        return True

    def walk(self, target: Position, near: int = 1, tries: int = 4) -> Script[bool]:
        """Go where a column is so near; False if there is no way."""
        for _ in range(tries):
            if self.is_here(target, near):
                return True
            yield from self.do("MOVE_TO", target=list(target), tolerance=near)
        return self.is_here(target, near)

    def mine(self, position: Position) -> Script[Outcome]:
        return (yield from self.do("MINE", block_pos=list(position), ticks=400))

    def place(self, position: Position, item: str) -> Script[Outcome]:
        return (yield from self.do("PLACE", block_pos=list(position), item_id=item))

    def build(self, blueprint: str, anchor: Position, rotation: int = 0) -> Script[Outcome]:
        return (
            yield from self.do(
                "BUILD_BLUEPRINT", blueprint_id=blueprint, anchor=list(anchor), rotation=rotation
            )
        )

    def put(self, container: str, item: str, count: int) -> Script[Outcome]:
        return (yield from self._transfer("SELF", container, item, count))

    def fetch(self, container: str, item: str, count: int) -> Script[Outcome]:
        return (yield from self._transfer(container, "SELF", item, count))

    def _transfer(self, source: str, target: str, item: str, count: int) -> Script[Outcome]:
        fields: Action = {"src_container": source, "dst_container": target, "item_id": item, "count": count}
        return (yield from self.do("TRANSFER", **fields))

    def say(self, text: str, channel: str = "LOCAL") -> Script[Outcome]:
        return (yield from self.do("SAY", channel=channel, text=text))

    def offer(self, name: str, offer: dict[str, int], request: dict[str, int]) -> Script[Outcome]:
        """Offer a neighbour goods for goods, wherever it is."""
        fields: Action = {"to": self.id_of(name), "offer": [*offer.items()], "request": [*request.items()]}
        return (yield from self.do("OFFER_TRADE", **fields))

    def make(self, item: str, count: int = 1) -> Script[bool]:
        """Craft until there are so many, with all that goes into it, at the stations that stand near."""
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
        return bool(outcome) and self.have(item) >= count
