"""Matches in the voxel world: what they share, and `voxel-survival`, one agent that begins with
nothing.

`docs/scenarios.md` says what an agent is shown, what it may answer and what it scores. A turn is a
decision: the agent's actions, and then ticks until it has nothing more to do, at least a second and
at most `busy_ticks`. Scores are whole numbers that follow from the state.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import Seats, integer_parameter, take_seats
from thorp.bridges.answer_guide import AnswerGuide
from thorp.bridges.voxel_chooser import VoxelChooser
from thorp.env import World
from thorp.env.choices import default_choices
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.language.answers import read_answer
from thorp.language.text import Describer
from thorp.language.tools import SIMPLE, TOOLS, Tool, signature
from thorp.voxel import AnyInput, default_catalogs
from thorp.voxel import World as VoxelWorld
from thorp.voxel.achievements import ACHIEVEMENTS, points

LEAST_TURN_TICKS: Final = 5  # A second.
MAX_TURN_TICKS: Final = 600  # Two minutes.
MAX_TICKS: Final = 240_000  # Forty days.
BESIDE_OBS: Final = ("text", "palette", "possible", "ticks_left")
"""Members that an observation has in addition to the fields of an OBS."""

_TECH: Final = frozenset(each.id for each in ACHIEVEMENTS if each.group == "tech")
# Tools that make sense for an agent alone.
_ALONE: Final = (
    *SIMPLE,
    *(tool for tool in TOOLS if tool.name in ("move_to", "mine", "gather", "smelt")),
)

CHOICES: Final = default_choices().names
"""The actions that the numbers under `possible` stand for."""


def grammar(tools: Iterable[Tool]) -> str:
    """The actions that an agent may answer with, for a briefing, each once."""
    return "; ".join(dict.fromkeys(map(signature, tools)))


class _WorldMatchState:
    """The world, what its agent sees, and its action for the next step. `refused` is the reason if
    the agent's answer of this turn was refused."""

    def __init__(self, world: World, seat: str, ends_after: int) -> None:
        self.world = world
        self.seat = seat
        (self.body, self.obs), *_ = world.reset().items()
        self.ends_tick = world.tick + ends_after
        self.palette = [block.id for block in default_catalogs().blocks]
        self.describer = Describer(self.palette)
        self.text = self.describer.describe(self.obs)
        self.act: Any = {}
        self.refused = ""

    def advance(self) -> None:
        """Let the world take the agent's action, and describe what follows."""
        act, self.act = self.act, {}
        refused, self.refused = self.refused, ""
        self.obs = self.world.step({self.body: act})[self.body]
        self.text = self.describer.describe(self.obs, refused)

    @property
    def counts(self) -> dict[str, int]:
        """How often the agent has made each achievement."""
        counts: dict[str, int] = self.world.infos[self.body]["achievements"]
        return counts


class VoxelMatch:
    """Base of the scenarios in the voxel world: a subclass makes the world and counts the score."""

    name = ""
    seats: Seats = (1, 1)
    observation_log = "digest"
    tuning: Mapping[str, object] = {}
    tools: Sequence[Tool] = ()
    """What an agent is told that it may answer with."""
    watch: Callable[[VoxelWorld, Sequence[AnyInput]], None] | None = None
    """Called after every tick of the world, by whoever records a match."""
    began: Callable[[int], None] | None = None
    """Called with the tick in which the agent came."""

    def __init__(self, ticks: int, busy_ticks: int, world: int | UnsetType) -> None:
        self.ticks = integer_parameter("ticks", ticks, 1, MAX_TICKS)
        self.busy_ticks = integer_parameter(
            "busy_ticks", busy_ticks, LEAST_TURN_TICKS, MAX_TURN_TICKS
        )
        self.world = world
        if world is not UNSET:
            self.world = integer_parameter("world", world, 0, SAFE_INTEGER)

    def _world(self, seed: int) -> World:
        raise NotImplementedError

    def answer_guide(self) -> AnswerGuide:
        """Follows the observations of a model, and says what it may answer."""
        return AnswerGuide(self.tools)

    def chooser(self) -> VoxelChooser:
        """Makes questions with letters for answers of a model's observations."""
        return VoxelChooser()

    def init(self, seed: int, agent_ids: Sequence[str]) -> _WorldMatchState:
        (seat,) = take_seats(self.name, agent_ids, self.seats)
        world = self._world(seed if self.world is UNSET else self.world)
        world.watch = self.watch
        state = _WorldMatchState(world, seat, self.ticks)
        if self.began is not None:
            self.began(world.tick)
        return state

    def observe(self, state: _WorldMatchState, agent_id: str) -> Json:
        return {
            **state.obs,
            "text": state.text,
            "palette": state.palette,
            "possible": state.world.possible(state.body),
            "ticks_left": max(0, state.ends_tick - state.world.tick),
        }

    def adjudicate(self, state: _WorldMatchState, agent_id: str, action: Json) -> Adjudication:
        try:
            if type(action) is int:
                possible = state.world.possible(state.body)
                if action not in possible:
                    raise InvalidError(
                        f"{action} is none of what is possible now: {possible}", code="choice"
                    )
                state.act = action
            else:
                state.act = read_answer(action, state.describer)
        except InvalidError as problem:
            state.refused = problem.message
            return Adjudication(False, {"error": problem.message}, state)
        return Adjudication(True, {"noted": True}, state)

    def end_turn(self, state: _WorldMatchState) -> _WorldMatchState:
        state.advance()
        return state

    def is_terminal(self, state: _WorldMatchState) -> bool:
        return state.world.tick >= state.ends_tick

    def score(self, state: _WorldMatchState) -> dict[str, float]:
        return {state.seat: self._score(state.counts)}

    def _score(self, counts: dict[str, int]) -> int:
        raise NotImplementedError

    def summarize(self, state: _WorldMatchState) -> Json:
        counts = {name: count for name, count in state.counts.items() if count}
        return {"tick": state.world.tick, "achievements": counts, "digest": state.world.digest()}


class VoxelSurvival(VoxelMatch):
    """The scenario `voxel-survival`. `ticks` is how long it lasts: a day of the world by default.
    `world` is the seed of the world, which the match draws by itself."""

    name = "voxel-survival"
    tuning: Mapping[str, object] = {"starter_items": {}}
    tools = _ALONE
    briefing = (
        "You are alone in a voxel world, with nothing in your pocket. Collect, craft and build "
        "your way up the tech tree: wood, a bench, tools, stone, coal, iron, a furnace, bread. "
        "Everything counts the first time you do it. Answer with one action: "
        f'{{"action": "mine_nearest", "block": "LOG"}}. There are {grammar(_ALONE)}.'
    )

    def __init__(
        self, ticks: int = 6_000, busy_ticks: int = 50, world: int | UnsetType = UNSET
    ) -> None:
        super().__init__(ticks, busy_ticks, world)

    def _world(self, seed: int) -> World:
        return World(seed, 1, self.tuning, busy_ticks=self.busy_ticks, least_ticks=LEAST_TURN_TICKS)

    def _score(self, counts: dict[str, int]) -> int:
        return points(name for name in _TECH if counts[name])
