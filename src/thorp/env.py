"""The voxel world as an environment in process: no sockets, no disk, no clock.

    env = World(seed=7, agents=2)
    obs = env.reset()                                       # {"A1": {…}, "A2": {…}}
    obs = env.step({"A1": {"tasks": [{"type": "MOVE_TO", "target": [3, 22, 4]}]}})

Observations and acts are dicts as on the wire. `type`, `protocol_version`, `agent_id` and `tick` of an act
may be left out: an act answers the observation before it. An act that cannot be read is answered as on the
wire, with an `E_BAD_REQUEST` among the events. An agent without an act passes.

Everything follows from the seed, the number of agents, the tuning and the acts: the same acts give the same
observations, in whatever order the dictionary has them. Nothing is secret here: the draw seed follows from
the seed.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.protocol.act import ActError, read_act
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel.inputs import Acted, AnyInput, Join, Malformed
from thorp.voxel.new_world import found
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.state.world import World as VoxelWorld
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning, read_tuning

Act = Mapping[str, Any]
Obs = dict[str, Any]

# As many as one core moves in 200 ms. More have no room in a world of the usual tuning anyway.
MAX_AGENTS: Final = 2_500

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class World:
    """A world with a fixed number of agents. `reset` comes first, and begins again whenever it is called."""

    def __init__(self, seed: int, agents: int = 1, tuning: Tuning | Mapping[str, Any] | None = None) -> None:
        if not 1 <= agents <= MAX_AGENTS:
            raise InvalidError(f"agents must be in 1..{MAX_AGENTS}, not {agents}", code="range")
        self.seed = seed
        self.tuning = tuning if isinstance(tuning, Tuning) else read_tuning(tuning)
        self._agents = agents
        self._sessions: dict[str, Session] = {}
        self._now: VoxelWorld | None = None

    def reset(self) -> dict[str, Obs]:
        """Begin at tick 1, in which all agents join; return what they see."""
        self._now = found(self.seed, tuning=self.tuning)
        joins = [Join(f"agent {number}", _token(number)) for number in range(1, self._agents + 1)]
        step(self._world, joins)
        self._sessions = {agent.id: Session(agent.number) for agent in self._world.agents}
        return self._observe()

    def step(self, acts: Mapping[str, Act]) -> dict[str, Obs]:
        """Execute the next tick; return what every agent sees after it."""
        world = self._world
        inputs = [self._input(agent_id, acts[agent_id]) for agent_id in self._sessions if agent_id in acts]
        if len(inputs) != len(acts):
            self._refuse_unknown(acts)
        step(world, inputs)
        return self._observe()

    @property
    def _world(self) -> VoxelWorld:
        if self._now is None:
            raise IllegalError("this world has not begun; call reset() first", code="no_world")
        return self._now

    @property
    def tick(self) -> int:
        """The tick that was executed last."""
        return self._world.tick

    def digest(self) -> str:
        """The digest of the whole state, as journals hold it."""
        return self._world.digest()

    def _input(self, agent_id: str, act: Act) -> AnyInput:
        session = self._sessions[agent_id]
        head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "agent_id": agent_id, "tick": self.tick}
        try:
            read = read_act(_encode({**head, **act}))
        except (ActError, TypeError, ValueError, msgspec.EncodeError) as problem:
            return Malformed(session.number, str(problem))
        return Acted(session.number, read, session.seen(read.tick))

    def _observe(self) -> dict[str, Obs]:
        sessions = self._sessions
        compose(self._world, list(sessions.values()))
        frames = {agent_id: session.take() for agent_id, session in sessions.items()}
        return {agent_id: _decode(frame) for agent_id, frame in frames.items() if frame is not None}

    def _refuse_unknown(self, acts: Mapping[str, Act]) -> None:
        unknown = next(agent_id for agent_id in acts if agent_id not in self._sessions)
        raise InvalidError(f"there is no agent {unknown!r}; there are A1 to A{self._agents}", code="agent")


def _token(number: int) -> str:
    """Nobody resumes a session in process, so the token need not be secret."""
    return sha256(b"%d" % number).hexdigest()
