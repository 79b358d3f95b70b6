"""`World`: a world with a fixed number of agents, stepped by its caller. See `docs/env.md`.

Observations and acts are dicts as on the wire. An act that cannot be read is answered as on the
wire, with an `E_BAD_REQUEST` among the events. An agent without an act passes. An act may also be a
number, an index into `action_names`; an action that the mask rules out is a wait. With `arrays`
observations are numpy arrays.

Everything follows from the seed, the number of agents, the tuning and the acts; the order of the
acts in their dictionary does not matter. Nothing is secret here: the draw seed follows from the
seed.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache, partial
from hashlib import sha256
from operator import index
from typing import Any, Final, Self, SupportsIndex

import msgspec

from thorp.env.arrays import ArraySpec, observation_spec, observe
from thorp.env.choices import body_of, default_choices
from thorp.env.notebook import show
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.protocol.act import Act as WireAct
from thorp.protocol.act import ActError, read_act
from thorp.protocol.actions import Task
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel import (
    Acted,
    AnyInput,
    Join,
    Malformed,
    Tuning,
    create_world,
    default_catalogs,
    read_tuning,
    step,
)
from thorp.voxel import World as VoxelWorld
from thorp.voxel.achievements import IDS, points
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.record import RULES, Epoch
from thorp.voxel.persistence.snapshot import encode_state, pack, restore
from thorp.voxel.terrain.generator import NoiseTerrain

Act = Mapping[str, Any] | SupportsIndex
Obs = dict[str, Any]

# The most ticks of one step: an hour of world time at the usual rate.
MAX_BUSY_TICKS: Final = 18_000
# As many as one core can move in 200 ms; a usual world has no room for more.
MAX_AGENTS: Final = 2_500

# How much terrain a process keeps for the next `reset` or copy. A chunk has 16 kB, and one agent
# needs five of them at first.
KEPT_TERRAINS: Final = 64
KEPT_CHUNKS: Final = 1_024

_NONE: Final = dict.fromkeys(IDS, 0)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class _KeptTerrain(NoiseTerrain):
    """Terrain that keeps its chunks: making them is most of the work of a `reset`, and they follow
    from the seeds."""

    chunk = lru_cache(KEPT_CHUNKS)(NoiseTerrain.chunk)


@lru_cache(KEPT_TERRAINS)
def _terrain(seed: int, draw_seed: int, boundary_r: int) -> _KeptTerrain:
    return _KeptTerrain(seed, draw_seed, default_catalogs(), boundary_r)


_make_world = partial(
    create_world, make_terrain=lambda seed, drawn, _, reach: _terrain(seed, drawn, reach)
)


class World:
    """A world with a fixed number of agents. Call `reset` first; every call begins a new episode.

    A step is one tick. With `busy_ticks` it goes on while every agent is busy with a task, up to
    this many ticks, so that each step is a decision. It takes at least `least_ticks`. After
    `max_steps` steps the episode has ended: `dones` are true, and only `reset` can follow. Without
    `max_steps` an episode has no end. An agent that dies comes back in the same step; its `infos`
    say so.
    """

    def __init__(
        self,
        seed: int,
        agents: int = 1,
        tuning: Tuning | Mapping[str, Any] | None = None,
        *,
        arrays: bool = False,
        busy_ticks: int = 1,
        least_ticks: int = 1,
        max_steps: int | None = None,
    ) -> None:
        if not 1 <= agents <= MAX_AGENTS:
            raise InvalidError(f"agents must be in 1..{MAX_AGENTS}, not {agents}", code="range")
        if max_steps is not None and max_steps < 1:
            raise InvalidError(f"max_steps must be at least 1, not {max_steps}", code="range")
        if not 1 <= busy_ticks <= MAX_BUSY_TICKS:
            raise InvalidError(
                f"busy_ticks must be in 1..{MAX_BUSY_TICKS}, not {busy_ticks}", code="range"
            )
        self.seed = seed
        self.tuning = tuning if isinstance(tuning, Tuning) else read_tuning(tuning)
        self.arrays = arrays
        self.busy_ticks = max(busy_ticks, least_ticks)
        self.least_ticks = least_ticks
        self.max_steps = max_steps
        self.agent_ids: Final = tuple(f"A{number}" for number in range(1, agents + 1))
        self.rewards: dict[str, float] = {}
        """For each agent: the points of the achievements that it unlocked in the last step."""
        self._steps = 0
        self._unlocked: dict[str, list[str]] = {}
        self._downed: list[str] = []
        self._sessions: dict[str, Session] = {}
        # The masks of the last observation, if it had any.
        self._masks: dict[str, bytes] = {}
        self._now: VoxelWorld | None = None
        self._begun_with = seed
        """The seed that the episode began with."""
        self.watch: Callable[[VoxelWorld, Sequence[AnyInput]], None] | None = None
        """Called after every tick with its inputs, by whoever records the world; a copy has
        none."""

    def _repr_html_(self) -> str:
        """The world in a notebook: from above, with its agents."""
        return (
            "<p>a world that was not begun: reset()</p>" if self._now is None else show(self._now)
        )

    def reset(self) -> dict[str, Obs]:
        """Begin a new episode at tick 1, in which all agents join; return what they see."""
        self._now = _make_world(self.seed, tuning=self.tuning)
        self._begun_with = self.seed
        self._prepare()
        # Nobody resumes a session in process, so the tokens need not be secret.
        tokens = {
            number: sha256(b"%d" % number).hexdigest()
            for number in range(1, len(self.agent_ids) + 1)
        }
        self._tick([Join(f"agent {number}", token) for number, token in tokens.items()])
        joined = [self._now.agents[number] for number in self._now.scratch.joined]
        self._sessions = {agent.id: Session(agent.number) for agent in joined}
        self._steps = 0
        self._begin_step()
        return self._observe()

    def step(self, acts: Mapping[str, Act]) -> dict[str, Obs]:
        """Execute the next step; return what all agents see after it. A call that raises has
        changed nothing."""
        world = self._world
        if self.is_over:
            raise IllegalError(
                f"the episode has ended after {self.max_steps} steps; call reset()", code="ended"
            )
        inputs = self._inputs(acts)
        self._begin_step()
        self._steps += 1
        self._tick(inputs)
        self._note_events(world)
        bodies = [session.number for session in self._sessions.values()]
        for ticks in range(1, self.busy_ticks):
            idle = (
                body for body in bodies if not (world.agents[body].move or world.agents[body].work)
            )
            if ticks >= self.least_ticks and next(idle, None) is not None:
                break
            self._tick([])
            self._note_events(world)
        return self._observe()

    def _prepare(self) -> None:
        """Change a new world before the agents join. Does nothing; subclasses may override it."""

    def _tick(self, inputs: list[AnyInput]) -> None:
        self._execute(inputs)

    def _execute(self, inputs: Sequence[AnyInput]) -> None:
        """Execute one tick, and show it to whoever watches."""
        step(self._world, inputs)
        if self.watch is not None:
            self.watch(self._world, inputs)

    @property
    def action_names(self) -> tuple[str, ...]:
        """The discrete actions; the number of one is its index."""
        return default_choices().names

    def possible(self, agent_id: str) -> list[int]:
        """The discrete actions that an agent can take now."""
        mask = default_choices().mask(
            self._world, self._world.agents[self._sessions[agent_id].number]
        )
        return [number for number, allowed in enumerate(mask) if allowed]

    @property
    def block_palette(self) -> list[str]:
        """The names of blocks; the numbers in cubes are indexes into it."""
        return [block.id for block in self._world.catalogs.blocks]

    @property
    def observation_spec(self) -> dict[str, ArraySpec]:
        """Shape, type and bounds of each array of an observation; see `thorp.env.arrays`."""
        return observation_spec(self.tuning.obs_radius)

    @property
    def dones(self) -> dict[str, bool]:
        """Whether the episode has ended, for each agent."""
        return dict.fromkeys(self._sessions, self.is_over)

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """For each agent: how often it did each achievement, what it unlocked in the last step, and
        whether it died in it."""
        return {
            agent_id: {
                "achievements": {**_NONE, **self._world.agents[session.number].achievements},
                "unlocked": list(self._unlocked.get(agent_id, ())),
                "downed": agent_id in self._downed,
            }
            for agent_id, session in self._sessions.items()
        }

    @property
    def tick(self) -> int:
        """The tick that was executed last."""
        return self._world.tick

    def digest(self) -> str:
        """The digest of the whole state, as journals hold it."""
        return self._world.digest()

    def clone(self) -> Self:
        """A copy that continues exactly as this one would, and independently of it."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        fields = {**self.__dict__, "watch": None}
        if self._now is not None:
            epoch = Epoch(
                rules=RULES,
                catalogs=self._now.catalogs.digest(),
                # Not `self.seed`, which is that of the next episode, and not the world's own, which
                # each season changes.
                seed=self._begun_with,
                draw_seed=self._now.draw_seed,
                tuning=self.tuning,
            )
            fields["_now"] = pack(encode_state(self._now, epoch))
        return fields

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)
        if self._now is not None:
            self._now = restore(fields["_now"], _make_world)
        for session in self._sessions.values():
            # Have the view made again: a restored ground counts its edits from 0.
            session.at = None

    @property
    def _world(self) -> VoxelWorld:
        if self._now is None:
            raise IllegalError("this world has not begun; call reset() first", code="no_world")
        return self._now

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.max_steps is not None and self._steps >= self.max_steps

    def _inputs(self, acts: Mapping[str, Act]) -> list[AnyInput]:
        if not isinstance(acts, Mapping):
            raise InvalidError(f"step takes a dict of acts by agent, not {acts!r:.80}", code="acts")
        unknown = next((agent_id for agent_id in acts if agent_id not in self._sessions), None)
        if unknown is not None:
            last = self.agent_ids[-1]
            raise InvalidError(
                f"there is no agent {unknown!r:.80}; there are A1 to {last}", code="agent"
            )
        inputs = [
            self._input(agent_id, acts[agent_id]) for agent_id in self._sessions if agent_id in acts
        ]
        return [entry for entry in inputs if entry is not None]

    def _input(self, agent_id: str, act: Act) -> AnyInput | None:
        session = self._sessions[agent_id]
        if not isinstance(act, Mapping):
            return self._chosen(agent_id, session, act)
        head = {
            "type": "ACT",
            "protocol_version": PROTOCOL_VERSION,
            "agent_id": agent_id,
            "tick": self.tick,
        }
        try:
            read = read_act(_encode({**head, **act}))
        except (ActError, TypeError, ValueError, msgspec.EncodeError) as problem:
            return Malformed(session.number, str(problem))
        return Acted(session.number, read, session.seen(read.tick))

    def _chosen(self, agent_id: str, session: Session, act: SupportsIndex) -> AnyInput | None:
        """The act that a discrete action stands for; None for a wait, and for an action that the
        mask rules out."""
        world = self._world
        choices = default_choices()
        try:
            number = -1 if isinstance(act, bool) else index(act)
        except TypeError:
            number = -1
        if not 0 <= number < len(choices):
            most = len(choices) - 1
            raise InvalidError(
                f"the act of {agent_id} must be a dict, or an integer from 0 to {most}, not "
                f"{act!r:.80}",
                code="act",
            )
        agent = world.agents[session.number]
        mask = self._masks.get(agent_id) or choices.mask(world, agent)
        wish = choices.wish(number, body_of(world, agent)) if number and mask[number] else None
        if wish is None:
            return None
        tasks, instants = ([wish], []) if isinstance(wish, Task) else ([], [wish])
        read = WireAct(tick=world.tick, tasks=tasks, instants=instants)  # type: ignore[arg-type]
        return Acted(session.number, read, session.seen(world.tick))

    def _begin_step(self) -> None:
        self.rewards = dict.fromkeys(self._sessions, 0.0)
        self._unlocked = {}
        self._downed = []

    def _note_events(self, world: VoxelWorld) -> None:
        """Take rewards and deaths from the public events of the tick."""
        for event in world.scratch.public_events:
            agent_id = str(event.get("agent"))
            if agent_id not in self._sessions:
                continue
            if event["kind"] == "UNLOCKED":
                unlocked = self._unlocked.setdefault(agent_id, [])
                unlocked.append(str(event["achievement"]))
                self.rewards[agent_id] = float(points(unlocked))
            elif event["kind"] == "DOWNED":
                self._downed.append(agent_id)

    def _observe(self) -> dict[str, Obs]:
        sessions = self._sessions
        if self.arrays:
            observations = observe(self._world, list(sessions.values()), default_choices())
            seen = dict(zip(sessions, observations, strict=True))
            self._masks = {agent_id: obs["action_mask"].tobytes() for agent_id, obs in seen.items()}
            return seen
        compose(self._world, list(sessions.values()))
        frames = {agent_id: session.take() for agent_id, session in sessions.items()}
        return {agent_id: _decode(frame) for agent_id, frame in frames.items() if frame is not None}
