"""Minds among the villagers: further people, for whom a small language model chooses.

A mind has no trade and no script. It is a client of the protocol like everybody; what it is told
and the options that it has are those of `thorp.mind`, as the model was tuned. Around the model
stands a harness of a few rules, which say that they are rules:

    eating      whoever is hungry eats what it carries
    thrift      whoever is full is not offered to eat
    a meal      whoever has too little to eat for a night asks the storekeeper for some, from afar,
                and pays in stone or wood, or with what it has
    berries     whoever is hungry, has nothing to eat and sees berries picks them
    manners     no option that the law of the land forbids here, and none that leads far away
    in vain     no option that was refused in this place, with this pocket, a moment ago

Everything else, the model decides: a `Question` goes out, a letter comes back. Nobody waits for it:
while a question is open the mind eats if it has to, and stands still otherwise. So the same mind
lives in process (`headless_minds`) and behind a socket.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from thorp.env.choices import COMPASS
from thorp.kernel.canonical import Json
from thorp.mind import RULES, Menu, Notes, Option, Sight, describe
from thorp.mind.circles import State
from thorp.mind.options import STRIDE
from thorp.protocol import codes
from thorp.protocol.obs import Event, Obs, Position
from thorp.protocol.outcome import Outcome
from thorp.protocol.session import AgentSession, Request, RequestState
from thorp.village.needs import FOODS, worth
from thorp.voxel import World
from thorp.voxel.achievements import ACHIEVEMENTS
from thorp.voxel.systems.pathfinding import DIRECTIONS

NAMES: Final = ("Linnet", "Teal")
"""What minds are called, in the order in which they come."""
MOST_MINDS: Final = len(NAMES)
TITLE: Final = "language model"
"""What viewers are told that a mind is, in the place where villagers have their trade."""
TOLD_FIRST: Final = RULES
"""What the model of a mind is told in every moment, before the moment itself."""
MEMORY: Final = "mind/achieved"
"""Where a mind keeps in the world's own memory what it has achieved. The body that has it is
one."""
DECISION_TICKS: Final = 15
"""The least time from one decision to the next, three seconds: two minds then take less than half
of a core (0.6 s a decision), and are seldom seen to stand still."""
TASK_TICKS: Final = 300
"""The longest wait for a task, a minute, as wherever a model chooses."""
LOOK_TICKS: Final = 50
"""How often a mind that is busy looks at its hunger."""
HUNGRY_BELOW: Final = 13
"""As villagers; berries take four of hunger away."""
FULL_FROM: Final = 17
"""A berry would be wasted on whoever is as full as this."""
RESERVE: Final = 20
"""What a mind has eaten and carries must be worth this much together, or it asks for a meal: it
lasts for a night, in which the storekeeper sleeps, and half a day."""
FAMISHED_BELOW: Final = 11
"""With less than this and without food a mind only picks berries, if it sees some."""
MEAL: Final = 6
"""How many berries it asks for: the storekeeper gives as many as alms, once a day."""
MEAL_TICKS: Final = 300
"""Between two such requests: the storekeeper may be asleep, or have none."""
PAYS_WITH: Final = ("STONE", "PLANK", "LOG", "COAL", "SAND")
"""What a meal is paid with, if there is enough of one."""
EDIBLE: Final = {**FOODS, "RAW_MEAT": 2}
"""What takes hunger away, and how much."""
ROAM_CELLS: Final = 96
"""No walk leads further than this from where it woke: it lives in the village, and the world need
not make land for it for ever."""
STORE_CALL: Final = "Wanted: "
"""How the storekeeper's call begins; who says it is asked for meals."""
MOST_REFUSED: Final = 64
"""Of refused options and of forbidden blocks, the newest so many are remembered."""
MOST_NOTED: Final = 32
"""Of decisions that nobody has asked for, the newest so many are kept."""
DETAIL_CHARACTERS: Final = 120
MOST_SURE: Final = 99
_TECH: Final = frozenset(each.id for each in ACHIEVEMENTS if each.group == "tech")
_EATS: Final = "eat_"
_PICKS: Final = "mine_nearest_berry_bush"
_EATS_BERRIES: Final = "eat_berries"
_BUILDS: Final = ("place_", "block_")
_DIGS: Final = ("mine_",)
_SEARCHES: Final = "mine_nearest_"
_WALK: Final = "walk_"

Act = dict[str, Any]
By = Literal["model", "rule"]


class Weighed(msgspec.Struct, frozen=True):
    """An option, and how probable the model held it; None if it said nothing about it."""

    letter: str
    name: str
    probability: float | None = None


class MindDecision(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One decision: what a mind read, chose and weighed, and what came of it."""

    number: int
    tick: int
    read: str
    """What it was told of the moment, after the rules that never change."""
    chose: str
    by: By
    """`rule` where only one option was left."""
    weighed: list[Weighed]
    """The options, the most probable first."""
    seconds: float = 0.0
    """How long the model took."""
    came: str = ""
    """What came of it: `done` or a refusal; empty while it goes on."""


class MindReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on its way to the server: whose it is, and what it was."""

    agent: str
    decision: MindDecision


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked: it answers with one of the letters."""

    tick: int
    prompt: str
    letters: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a model has answered."""

    letter: str
    probabilities: Mapping[str, float] = {}
    seconds: float = 0.0


class Mind:
    """One mind: its body as it sees it, what it remembers, and the question that it waits for."""

    def __init__(self, name: str, catalogs: Mapping[str, Any]) -> None:
        self.name = name
        self.session = AgentSession(name=name)
        self.question: Question | None = None
        """What is to be asked; None while there is nothing to decide."""
        self.wake_tick = 0
        """It need not look again before this tick, unless something happens to it."""
        self.asked = 0
        """How many questions it had."""
        self.decided = 0
        """How many options it took."""
        self._catalogs = catalogs
        self._log: deque[MindDecision] = deque(maxlen=MOST_NOTED)
        self.sight = Sight(catalogs["block_palette"])
        """What it sees."""
        self.notes = Notes()
        """What it remembers of what it did and saw."""
        self.menu: Menu | None = None
        """The options of the newest question, those that were not offered among them."""
        self._home: Position | None = None
        self._next_tick = 0
        self._queue: deque[dict[str, Any]] = deque()
        """Actions of the option that was chosen, which are still to be asked for."""
        self._request: Request | None = None
        self._chosen: MindDecision | None = None
        self._outcome = ""
        self._refused: dict[tuple[State, str], None] = {}
        self._forbidden: dict[Position, None] = {}
        self._storekeeper = ""
        self._ordered_tick = -MEAL_TICKS
        self._kept: frozenset[str] | None = None
        """What its memory in the world says that it has achieved; None before it was written."""
        self._is_awake = False
        """Whether it has read that memory."""
        self._recalling: Request | None = None

    # One observation

    def take(self, obs: Obs) -> list[Act]:
        """Live through one observation; the ACTs to answer it with."""
        session = self.session
        if not session.agent_id:
            session.begin(obs.agent_id, self._catalogs)
        session.receive(obs)
        self._home = self._home or obs.body.pos
        for event in obs.events:
            self._hear(event)
        self.wake_tick = obs.tick + LOOK_TICKS
        if not self._is_awake:
            self._recall(obs)
            return session.take_frames()
        habits = list(self._habits(obs))
        if habits:
            session.act(unanswered=habits)
        self._go_on()
        if self._is_free(obs):
            if obs.tick < self._next_tick:
                self.wake_tick = self._next_tick
            else:
                self._consider(obs)
        return session.take_frames()

    def answer(self, reply: Reply) -> list[Act]:
        """Take the model's answer to the open question; the ACTs that carry it out."""
        question = self.question
        menu = self.menu
        assert question is not None, "there is a question to answer"
        assert menu is not None, "questions are about a menu"
        self.question = None
        if reply.letter not in question.letters:
            self.give_up(DECISION_TICKS)
            return []
        self._choose(menu.option(reply.letter), question, reply)
        return self.session.take_frames()

    def give_up(self, ticks: int) -> None:
        """The model gave no usable answer: ask again after so many ticks."""
        self.question = None
        self._next_tick = self._obs.tick + ticks
        self.wake_tick = self._next_tick

    def take_log(self) -> list[MindDecision]:
        """The decisions since this was called last, the oldest first; one whose outcome became
        known comes a second time."""
        taken = [*self._log]
        self._log.clear()
        return taken

    @property
    def _obs(self) -> Obs:
        obs = self.session.obs
        assert obs is not None, "it has seen something"
        return obs

    def _is_free(self, obs: Obs) -> bool:
        """Whether nothing is under way."""
        return not (self._queue or self._request or self.question or obs.tasks)

    # Deciding

    def _consider(self, obs: Obs) -> None:
        """Look around, and ask; where only one option is left, take it."""
        sight = self.sight
        sight.take(obs)
        self.notes.take(sight)
        menu = Menu(sight)
        self.menu = menu
        letters = self._offered(menu, obs)
        question = Question(
            tick=obs.tick, prompt=describe(sight, self.notes, menu), letters=letters
        )
        if len(letters) > 1:
            self.asked += 1
            self.question = question
            return
        self._choose(menu.option(letters or menu.letters[0]), question, None)

    def _choose(self, option: Option, question: Question, reply: Reply | None) -> None:
        """Begin to carry an option out, and write the decision down."""
        menu = self.menu
        assert menu is not None, "options come from a menu"
        self.notes.took(option, menu)
        part: dict[str, list[Json]] = menu.act(option)
        self._queue.extend(
            action
            for action in (*part.get("instants", ()), *part.get("tasks", ()))
            if isinstance(action, dict)
        )
        self.decided += 1
        self._chosen = MindDecision(
            number=self.decided,
            tick=question.tick,
            read=question.prompt,
            chose=option.name,
            by="rule" if reply is None else "model",
            weighed=_weighed(menu, question.letters, reply),
            seconds=0.0 if reply is None else round(reply.seconds, 3),
        )
        self._outcome = "done"
        self.session.intent = _thought(self._chosen)
        self._log.append(self._chosen)
        self._next_tick = question.tick + DECISION_TICKS
        if self._queue:
            self._go_on()
        else:
            self._end_decision()
        self.wake_tick = self._next_tick

    def _go_on(self) -> None:
        """Take in how the last action ended, and ask for the next one of the option."""
        request = self._request
        if request is not None:
            if request.state is not RequestState.SETTLED:
                return
            self._request = None
            assert request.outcome is not None, "it is settled"
            self._take_outcome(request, request.outcome)
            if not self._queue:
                self._end_decision()
        if self._queue:
            self._request = self.session.do(self._queue.popleft(), ticks=TASK_TICKS)

    def _take_outcome(self, request: Request, outcome: Outcome) -> None:
        """Note what was refused."""
        if outcome.ok:
            return
        self._outcome = f"{outcome.code} {outcome.message}".strip()[:DETAIL_CHARACTERS]
        if outcome.code == codes.NO_PERMISSION and "block_pos" in request.action:
            x, y, z = request.action["block_pos"]
            self._forbidden[x, y, z] = None
            _keep_newest(self._forbidden)

    def _end_decision(self) -> None:
        """An option was carried out: note what came of it."""
        chosen = self._chosen
        if chosen is None:
            return
        self._chosen = None
        self._log.append(msgspec.structs.replace(chosen, came=self._outcome))
        if self._outcome != "done":
            self._refused[_state(self._obs), chosen.chose] = None
            _keep_newest(self._refused)

    # The rules around the model

    def _offered(self, menu: Menu, obs: Obs) -> str:
        """The letters of the options that a question is asked about."""
        worthwhile = self.notes.offered(menu)
        meal = menu.named(_PICKS) if _is_famished(obs) else None
        if meal is not None and self._may(meal, menu, obs):
            return meal.letter
        allowed = [
            option.letter
            for option in menu.options
            if option.letter in worthwhile and self._may(option, menu, obs)
        ]
        return "".join(allowed)

    def _may(self, option: Option, menu: Menu, obs: Obs) -> bool:
        """Whether an option is neither forbidden, nor in vain, nor leads far away."""
        name = option.name
        if (_state(obs), name) in self._refused:
            return False
        rules = obs.local_rules.permissions
        if name.startswith(_SEARCHES):
            return menu.target(option) not in self._forbidden
        if name.startswith(_DIGS):
            return rules.can_break
        if name.startswith(_BUILDS):
            return rules.can_build
        if name.startswith(_EATS):
            return obs.body.hunger < FULL_FROM
        if name.startswith(_WALK):
            return self._stays_near(obs.body.pos, name.removeprefix(_WALK))
        return True

    def _stays_near(self, position: Position, side: str) -> bool:
        """Whether a walk to this side ends where it lives, or leads back there."""
        home = self._home or position
        dx, dz = DIRECTIONS[COMPASS.index(side)]
        x, _, z = position
        now = max(abs(x - home[0]), abs(z - home[2]))
        then = max(abs(x + STRIDE * dx - home[0]), abs(z + STRIDE * dz - home[2]))
        return then <= ROAM_CELLS or then < now

    def _habits(self, obs: Obs) -> Iterator[dict[str, Any]]:
        """What it does beside any decision: remembering, eating, asking for a meal."""
        yield from self._memory()
        pocket = _pocket(obs)
        food = next((item for item in EDIBLE if pocket.get(item, 0)), None)
        if obs.body.hunger < HUNGRY_BELOW and food is not None:
            if food == "BERRIES":
                self.notes.achieved.add(_EATS_BERRIES)
            yield {"type": "EAT", "item_id": food, "count": 1}
        reserve = obs.body.hunger + sum(EDIBLE[item] * pocket.get(item, 0) for item in EDIBLE)
        if reserve < RESERVE and self._storekeeper:
            yield from self._order_meal(obs.tick, pocket)

    def _order_meal(self, tick: int, pocket: Mapping[str, int]) -> Iterator[dict[str, Any]]:
        """Ask the storekeeper for a meal, at the list's price; who cannot pay begs."""
        if not pocket or tick < self._ordered_tick + MEAL_TICKS:
            return
        self._ordered_tick = tick
        prices = {item: -(-MEAL // worth({item: 1})) for item in PAYS_WITH}
        payment = next(
            ((item, price) for item, price in prices.items() if pocket.get(item, 0) >= price),
            (max(sorted(pocket), key=pocket.__getitem__), 1),
        )
        yield {
            "type": "OFFER_TRADE",
            "to": self._storekeeper,
            "offer": [list(payment)],
            "request": [["BERRIES", MEAL]],
        }

    def _recall(self, obs: Obs) -> None:
        """Read what it has achieved out of the world's memory; it may take some tries."""
        asked = self._recalling
        if asked is None:
            self._recalling = self.session.do({"type": "LOAD_MEMORY", "prefix": MEMORY})
        elif asked.state is RequestState.SETTLED:
            self._recalling = None
            assert asked.outcome is not None, "it is settled"
            if asked.outcome.ok:
                notes = obs.memory if isinstance(obs.memory, list) else []
                kept = next((note.value for note in notes if note.key == MEMORY), "")
                self.notes.achieved |= _TECH.intersection(kept.split())
                self._is_awake = True
        self.wake_tick = obs.tick + 1

    def _memory(self) -> Iterator[dict[str, Any]]:
        """Write down what it has achieved, whenever that grows."""
        achieved = frozenset(self.notes.achieved)
        if self._kept != achieved:
            self._kept = achieved
            value = " ".join(sorted(achieved))
            yield {"type": "SAVE_MEMORY", "key": MEMORY, "value": value}

    def _hear(self, event: Event) -> None:
        """Learn who keeps the store: who calls what it lacks."""
        if event["type"] == "CHAT" and str(event.get("text", "")).startswith(STORE_CALL):
            self._storekeeper = str(event["from"])


def bodies(world: World) -> dict[str, int]:
    """The numbers of the minds that live in a world, by name."""
    numbers: dict[str, int] = {}
    for agent in world.agents:
        if agent.name in NAMES and MEMORY in agent.memory:
            numbers.setdefault(agent.name, agent.number)
    return numbers


def _pocket(obs: Obs) -> dict[str, int]:
    return {stack.item: stack.count for stack in obs.inventory}


def _is_famished(obs: Obs) -> bool:
    """Whether it is hungry, and carries nothing to eat."""
    return obs.body.hunger < FAMISHED_BELOW and not _pocket(obs).keys() & EDIBLE.keys()


def _state(obs: Obs) -> State:
    """Where a mind is, and what it has."""
    return State.of(obs.body.pos, _pocket(obs))


def _weighed(menu: Menu, letters: str, reply: Reply | None) -> list[Weighed]:
    """The options of a question, the most probable first."""
    probabilities = {} if reply is None else reply.probabilities
    listed = [
        Weighed(
            option.letter,
            option.name,
            None if option.letter not in probabilities else round(probabilities[option.letter], 4),
        )
        for option in menu.options
        if option.letter in letters
    ]
    return sorted(listed, key=lambda each: -(each.probability or 0.0))


def _thought(decision: MindDecision) -> str:
    """A decision in a sentence, for those who watch."""
    words = decision.chose.replace("_", " ")
    first = decision.weighed[0] if decision.weighed else None
    if decision.by == "rule" or first is None or first.probability is None:
        return f"I {words}."
    percent = min(MOST_SURE, round(100 * first.probability))
    return f"I {words}, of {len(decision.weighed)} options, {percent} % sure."


def _keep_newest(kept: dict[Any, None]) -> None:
    while len(kept) > MOST_REFUSED:
        del kept[next(iter(kept))]
