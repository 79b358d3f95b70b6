"""One life of a society of agents for a comparison: programs or models decide for its people.

Everybody is asked at the same ticks, in one order, when their body has nothing to do. What a model
replied is part of the life's result; a life that is given those replies asks nobody, and is the
same to the byte. Programs promise the same as in matches: to depend on nothing but what they are
given.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from typing import Any, Final, Literal, get_args

import msgspec

from thorp.arena.contract import Agent, AgentConfig, AgentContext, MatchTask, Seat
from thorp.arena.external import open_agent
from thorp.arena.external.spec import ModelSpec, parse_spec
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32
from thorp.language.answers import read_answer
from thorp.language.text import Describer
from thorp.language.tools import SIMPLE, signature
from thorp.models.chat import ChatMessage, ChatRequest, Reply
from thorp.models.client import Budget, ChatClient
from thorp.models.decode import DecodeError, find_object
from thorp.models.recording import Recording
from thorp.protocol.act import read_act
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.society.people import NAMES, OTHER_NAMES, Layout, People, told
from thorp.society.village_run import TimedChange, figures_of, shuffled
from thorp.village.changes import apply_change
from thorp.village.measure import Meter
from thorp.voxel import Acted, AnyInput, Join, World, create_world, default_catalogs, read_tuning
from thorp.voxel import step as execute
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session

PerturbedPeople = Literal["draw", "order", "names", "wording", "format"]
PERTURBATIONS: Final[tuple[PerturbedPeople, ...]] = get_args(PerturbedPeople)
SCENARIO: Final = "voxel-survival"
"""The match that programs are told they play: they see what they would see in it."""
MAX_FAILURES: Final = 20
"""Failed turns in a row after which a mind is not asked again."""
REPLY_SECONDS: Final = 60.0
REPLY_TOKENS: Final = 300
TOKENS: Final = 2**31
"""Of a life's budget, which is one of calls."""
RULES: Final = (
    "You live in a world of blocks, with others like you. Each message tells what you see and what "
    "has happened. Answer with one JSON object and nothing else: "
    '{"action": NAME} with the fields of the action. Actions: '
    + "; ".join(signature(tool) for tool in SIMPLE)
    + "."
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class AgentLife(msgspec.Struct, frozen=True, kw_only=True):
    """Everything on which one life of a society of agents depends."""

    seed: int
    days: int
    people: People
    tuning: dict[str, Any] = {}
    changes: list[TimedChange] = []
    perturbed: PerturbedPeople | None = None
    variant: int = 1
    words: dict[str, str] = {}
    """Words that take the place of others, if the wording is perturbed."""
    layout: Layout = "lines"
    replies: str | None = None
    """What its models replied in an earlier life, so that nobody is asked."""

    def live(self) -> dict[str, Any]:
        """Live, and return the figures of each day, the digest at the end, and what models
        replied."""
        tuning = read_tuning(self.tuning)
        world = create_world(self.seed, self._draw_seed(), tuning)
        recording = Recording()
        if self.replies is not None:
            recording = Recording.from_jsonl(self.replies.encode())
            recording.replaying = True
        with ExitStack() as opened:
            minds = self._open_minds(opened, recording)
            days = _Life(world, minds, self).run(self.days * tuning.day_ticks)
        replies = recording.to_jsonl().decode() if self._spec_is_model else None
        row = {"days": days, "digest": world.digest()}
        return row if replies is None else {**row, "replies": replies}

    def rehearse(self) -> None:
        """Does nothing: every change that is allowed among agents fits any world."""

    @property
    def names(self) -> list[str]:
        """What everybody is called."""
        pool = shuffled(OTHER_NAMES, self._own_seed()) if self.perturbed == "names" else NAMES
        return list(pool[: self.people.count])

    @property
    def _spec_is_model(self) -> bool:
        return isinstance(parse_spec(self.people.agent), ModelSpec)

    def _own_seed(self) -> int:
        return seed_from("society", str(self.perturbed), self.seed, self.variant)

    def _draw_seed(self) -> int | None:
        return self._own_seed() if self.perturbed == "draw" else None

    def order(self) -> list[int]:
        """The places of the people, in the order in which they come in and are asked."""
        places = [str(place) for place in range(self.people.count)]
        if self.perturbed == "order":
            places = shuffled(places, self._own_seed())
        return [int(place) for place in places]

    def _open_minds(self, opened: ExitStack, recording: Recording) -> "list[Mind]":
        """What decides for each of the people; it is closed with the stack."""
        people = self.people.reworded(self.words) if self.perturbed == "wording" else self.people
        budget = Budget(calls=people.calls, tokens=TOKENS)
        client: ChatClient | None = None
        if self._spec_is_model and not recording.replaying:
            client = ChatClient.from_environment()
        minds = []
        for place, name in enumerate(self.names):
            persona = told(name, people.persona, self.layout)
            spec = parse_spec(people.agent)
            if isinstance(spec, ModelSpec):
                asks = _Model(spec.model, _rules(persona, people.goal), client, recording, budget)
                minds.append(Mind(place, name, persona, people.goal, asks.act))
                continue
            seat = Seat(name, people.agent)
            task = MatchTask(scenario=SCENARIO, seats=(seat,), seed=self.seed, max_turns=2**31 - 1)
            agent = opened.enter_context(open_agent(seat, task, None))
            agent.init(AgentConfig(name, seed_from("society", self.seed, place)))
            program = _Program(agent, seed_from("society", "draws", self.seed, place))
            minds.append(Mind(place, name, persona, people.goal, program.act))
        return minds


class Mind:
    """One of the people: what it is told about itself, and what decides for it."""

    def __init__(
        self,
        place: int,
        name: str,
        persona: str,
        goal: str,
        act: Callable[[int, dict[str, Json]], Json],
    ) -> None:
        self.place = place
        self.name = name
        self.turn = 0
        self.failures = 0
        self.last_failure = ""
        self.refused = ""
        """Why its last answer was refused before it reached the world; empty if it was not."""
        self.has_answered = False
        self._about = {"persona": persona, "goal": goal}
        self._act = act

    def decide(self, obs: dict[str, Any], describer: Describer) -> dict[str, Any] | None:
        """The parts of an act; None if there are none."""
        self.turn += 1
        text = describer.describe(obs, self.refused)
        self.refused = ""
        try:
            answer = self._act(self.turn, {**obs, "text": text, **self._about})
            part = read_answer(answer, describer)
        except InvalidError as problem:
            self.refused = problem.message
        except ThorpError as failure:
            self.failures += 1
            self.last_failure = str(failure)
            return None
        self.failures = 0
        self.has_answered = True
        return None if self.refused else part


class _Program:
    """Asks a program, as a match does."""

    def __init__(self, agent: Agent, seed: int) -> None:
        self._agent = agent
        self._rng = Mulberry32(seed)

    def act(self, turn: int, observation: dict[str, Json]) -> Json:
        context = AgentContext(self._rng.random, turn, self._agent.id)
        return self._agent.act(observation, context)


def _rules(persona: str, goal: str) -> str:
    """What a model is told before everything else."""
    parts = (RULES, persona, goal and f"Your goal: {goal}")
    return "\n\n".join(part for part in parts if part)


class _Model:
    """Asks a model, or what it replied before. It is told the moment alone."""

    def __init__(
        self,
        model: str,
        rules: str,
        client: ChatClient | None,
        recording: Recording,
        budget: Budget,
    ) -> None:
        self._system = ChatMessage("system", rules)
        self._model = model
        self._client = client
        self._recording = recording
        self._budget = budget

    def act(self, turn: int, observation: dict[str, Json]) -> Json:
        question = ChatMessage("user", str(observation["text"]))
        request = ChatRequest(
            model=self._model, messages=(self._system, question), max_tokens=REPLY_TOKENS
        )
        caller = sha256(self._system.content.encode()).hexdigest()
        reply = self._recording.ask(caller, request.digest, lambda: self._call(request))
        try:
            return find_object(reply.text)
        except DecodeError:
            raise InvalidError("the reply holds no JSON object", code="action") from None

    def _call(self, request: ChatRequest) -> Reply:
        assert self._client is not None, "a recording that answers never calls"
        return self._client.complete(request, seconds=REPLY_SECONDS, budget=self._budget)


class _Life:
    """A world and the people in it, as they live."""

    def __init__(self, world: World, minds: Sequence[Mind], life: AgentLife) -> None:
        self._world = world
        self._life = life
        self._meter = Meter(world)
        self._minds = [minds[place] for place in life.order()]
        self._sessions: list[Session] = []
        palette = [block.id for block in default_catalogs().blocks]
        self._describers = [Describer(palette) for _ in self._minds]
        self._waiting = list(life.changes)
        self._days: list[dict[str, float]] = []

    def run(self, last_tick: int) -> list[dict[str, float]]:
        """Live until a tick; the figures of every day. A life in which somebody never answered is
        refused."""
        world = self._world
        tokens = [sha256(mind.name.encode()).hexdigest() for mind in self._minds]
        self._tick(
            [Join(mind.name, token) for mind, token in zip(self._minds, tokens, strict=True)]
        )
        self._sessions = [Session(number) for number in world.scratch.joined]
        inputs: list[AnyInput] = []
        while world.tick < last_tick:
            self._tick(inputs)
            inputs = self._ask() if world.tick % self._life.people.every == 0 else []
        silent = [mind for mind in self._minds if not mind.has_answered]
        if silent:
            why = f"{silent[0].name} never answered: {silent[0].last_failure or 'it was not asked'}"
            raise IllegalError(why, code="agent")
        return self._days

    def _tick(self, inputs: Sequence[AnyInput]) -> None:
        while self._waiting and self._waiting[0].at <= self._world.tick:
            apply_change(self._world, self._waiting.pop(0).change)
        execute(self._world, inputs)
        line = self._meter.look(inputs)
        if line is not None:
            self._days.append(figures_of(line))

    def _ask(self) -> list[AnyInput]:
        """What everybody does who has nothing to do."""
        asked = [place for place, _ in enumerate(self._minds) if self._is_free(place)]
        compose(self._world, [self._sessions[place] for place in asked])
        made = [self._acted(place) for place in asked]
        return [entry for entry in made if entry is not None]

    def _is_free(self, place: int) -> bool:
        agent = self._world.agents.get(self._sessions[place].number)
        is_gone = agent is None or self._minds[place].failures >= MAX_FAILURES
        return not is_gone and agent is not None and not (agent.move or agent.work)

    def _acted(self, place: int) -> AnyInput | None:
        session = self._sessions[place]
        frame = session.take()
        if frame is None:
            return None
        obs = _decode(frame)
        part: Mapping[str, Any] | None = self._minds[place].decide(obs, self._describers[place])
        if part is None:
            return None
        head = {
            "type": "ACT",
            "protocol_version": PROTOCOL_VERSION,
            "agent_id": obs["agent_id"],
            "tick": self._world.tick,
        }
        try:
            act = read_act(_encode({**head, **part}))
        except ThorpError as problem:
            self._minds[place].refused = str(problem)
            return None
        return Acted(session.number, act, session.seen(self._world.tick))
