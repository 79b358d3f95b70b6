"""Composes the OBS of a tick, what each agent sees, for all readers together.

Most of an OBS is text that was made before: inventories, entities and events are written once and
spliced in. The cubes of all readers are gathered and packed together, and a view that has not
changed is not made again. Nothing here changes the world.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from thorp.voxel.lookups import board_views, cubes, event_zones, permissions
from thorp.voxel.observation import entity_view
from thorp.voxel.observation.session import Frame, Session
from thorp.voxel.state.agent import Agent, Movement, Work
from thorp.voxel.state.ground import Ground, Position, chunks_around
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems import movement, weather, work

HUNGRY_BELOW: Final = 5
TIRED_BELOW: Final = 200

_text = msgspec.json.encode
# Thousandths as JSON writes them: 0, 0.001, ... 1.
_MILLI: Final = [
    b"%d" % n if n in (0, 1) else repr(n).encode() for n in (i / 1000 for i in range(1001))
]
_EQUIPMENT: Final = (
    b',"equipment":{"main_hand":"NONE","armor":["NONE","NONE","NONE","NONE"]},"local_rules":'
)


def compose(world: World, sessions: Sequence[Session]) -> None:
    """Queue the frame of the tick just executed for every session whose agent is still there."""
    readers = [
        (session, agent) for session in sessions if (agent := world.agents.get(session.number))
    ]
    if not readers:
        return
    for session, _ in readers:
        if session:  # its length: without waiting frames there is always room
            session.make_room()
    deltas = _look(world, readers)
    entities = entity_view.look(world, [agent for _, agent in readers])
    writer = _Writer(world)
    for (session, agent), ops, seen in zip(readers, deltas, entities, strict=True):
        session.push(writer.frame(session, agent, ops, seen))


def _look(world: WorldState, readers: Sequence[tuple[Session, Agent]]) -> list[bytes]:
    """Bring every session's view up to date. Returns for each the ops of a DELTA, or an empty text
    if it gets a whole cube."""
    ground = world.ground
    radius = world.tuning.obs_radius
    stale = [
        (session, agent) for session, agent in readers if is_stale(ground, session, agent, radius)
    ]
    if stale:
        gathered = cubes.gather(ground, [agent.position for _, agent in stale], radius)
        for (session, _), cube, text in zip(
            stale, gathered, cubes.rle_texts(gathered), strict=True
        ):
            session.rle = text
            if session.delta:
                session.cube = cube.copy()  # a view of the row would keep the whole batch alive
    return [_delta(session, agent, radius) if session.delta else b"" for session, agent in readers]


def is_stale(ground: Ground, session: Session, agent: Agent, radius: int) -> bool:
    """Whether the view of a session must be made anew, because its agent has moved or a chunk in
    view has changed. Notes position and edits as if it were made now."""
    here = agent.position
    edits = session.edits
    session.edits = ground.edits
    if session.at != here:
        session.at = here
        return True
    if edits == ground.edits:
        return False
    return any(
        ground.versions.get(key, ground.renewed) > edits for key in chunks_around(here, radius)
    )


def _delta(session: Session, agent: Agent, radius: int) -> bytes:
    """The ops that lead from the last frame to this one; empty if it is sent whole. A view from
    another place is always sent whole: almost every slot holds another block then."""
    base = session.base
    here = agent.position
    unmoved = base is not None and session.base_at == here
    session.base = session.cube
    session.base_at = here
    if base is None or not unmoved or base is session.cube or session.cube is None:
        return b""
    return cubes.delta_ops(base, session.cube, radius) or b""


class _Writer:
    """Writes the frames of one tick. Parts that several agents have in common are written once: the
    land's rules by land and role, the `world` by biome and height."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._head = b'{"type":"OBS","protocol_version":"0.9","tick":%d,"agent_id":"' % world.tick
        radius = world.tuning.obs_radius
        self._rle_head = b'],"radius":%d,"encoding":"RLE","data":"' % radius
        self._delta_head = b'],"radius":%d,"encoding":"DELTA","ops":' % radius
        self._event = event_zones.observation_fields(world)
        self._worlds: dict[tuple[str, int], bytes] = {}
        self._rules: dict[tuple[str, bytes], bytes] = {}
        self._reputations: dict[tuple[int, ...], bytes] = {}
        self._weather_status = {"STORM": b'"STORM"', "COLD": b'"COLD"'}.get(world.weather)

    def frame(self, session: Session, agent: Agent, ops: bytes, entities: bytes) -> Frame:
        """The OBS of one agent. The order of its fields is fixed: clients compare the bytes."""
        world = self._world
        events, lost = session.select(agent.event_log, world.tick)
        event_texts = [event.text for event in events]
        if lost:
            event_texts.insert(0, b'{"count":%d,"t":%d,"type":"EVENTS_LOST"}' % (lost, world.tick))
        memory = session.carry(self._memory(agent))
        at = b"%d,%d,%d" % (agent.x, agent.y, agent.z)
        text = b"".join(
            (
                self._head,
                agent.id.encode(),
                b'","world":',
                self._world_text(agent),
                b',"self":{"pos":[',
                at,
                self._self(agent),
                agent.inventory_text or _inventory(agent),
                _EQUIPMENT,
                self._local_rules(agent),
                b',"voxels":{"center":[',
                at,
                self._delta_head if ops else self._rle_head,
                ops or session.rle,
                b'},"entities":[' if ops else b'"},"entities":[',
                entities,
                b'],"events":[',
                b",".join(event_texts),
                b'],"tasks":[',
                self._tasks(agent),
                b"]",
                b',"fun_score":' + _text(agent.fun) if any(agent.fun.values()) else b"",
                board_views.public_boards(world, agent),
                memory,
                b"}",
            )
        )
        return Frame(
            tick=world.tick,
            text=text,
            events=[event.number for event in events],
            delta=bool(ops),
            memory=memory,
            lost=lost,
        )

    def _self(self, agent: Agent) -> bytes:
        """The fields from an agent's position up to its inventory."""
        form = (
            b'],"yaw":%d,"hp":%d,"hunger":%d,"stamina":%b,"status":[%b],"reputation":%b},'
            b'"inventory":'
        )
        status = self._status(agent)
        reputation = self._reputation(agent)
        return form % (agent.yaw, agent.hp, agent.hunger, _MILLI[agent.stamina], status, reputation)

    def _world_text(self, agent: Agent) -> bytes:
        world = self._world
        biome = world.ground.biome(agent.x, agent.z)
        text = self._worlds.get((biome, agent.y))
        if text is None:
            day = world.tuning.day_ticks
            days = world.tuning.season_length_ticks // day
            text = self._worlds[biome, agent.y] = _text(
                {
                    "time_of_day": world.tick % day / day,
                    "weather": world.weather,
                    "season_day": world.tick // day % days + 1,
                    "biome": biome,
                    "temperature": weather.temperature(world, agent),
                    **self._event,
                }
            )
        return text

    def _local_rules(self, agent: Agent) -> bytes:
        claim = permissions.land_for(self._world, agent, agent.x, agent.z)
        if claim is None:
            return permissions.WILD_TEXT
        role = permissions.role(claim, agent)
        text = self._rules.get((claim.id, role))
        if text is None:
            text = self._rules[claim.id, role] = permissions.local_rules(self._world, claim, role)
        return text

    def _status(self, agent: Agent) -> bytes:
        status = []
        if agent.hunger < HUNGRY_BELOW:
            status.append(b'"HUNGRY"' if agent.hunger else b'"STARVING"')
        if agent.stamina < TIRED_BELOW:
            status.append(b'"TIRED"')
        if self._weather_status:
            status.append(self._weather_status)
        return b",".join(status) or b'"NONE"'

    def _reputation(self, agent: Agent) -> bytes:
        values = tuple(agent.reputation.values())
        text = self._reputations.get(values)
        if text is None:
            parts = [
                b'"%b":%b' % (kind.encode(), _MILLI[value])
                for kind, value in agent.reputation.items()
            ]
            text = self._reputations[values] = b"{" + b",".join(parts) + b"}"
        return text

    def _tasks(self, agent: Agent) -> bytes:
        if agent.move is None:
            return b"" if agent.work is None else _task(agent.work, work.status(self._world, agent))
        moving = _task(agent.move, movement.status(self._world, agent))
        if agent.work is None:
            return moving
        return moving + b"," + _task(agent.work, work.status(self._world, agent))

    def _memory(self, agent: Agent) -> bytes:
        loaded = self._world.scratch.loaded_memory.get(agent.number)
        if loaded is None:
            return b""
        return b',"memory":' + _text([{"key": key, "value": value} for key, value in loaded])


def _task(task: Movement | Work, status: tuple[float, Position, int]) -> bytes:
    progress, (x, y, z), eta = status
    eta_text = b',"eta_ticks":%d' % eta if eta > 0 else b""
    milli = _MILLI[max(0, min(1000, round(progress * 1000)))]
    form = b'{"task_id":"%b","kind":"%b","progress":%b,"target":[%d,%d,%d]%b}'
    return form % (task.id.encode(), task.kind.encode(), milli, x, y, z, eta_text)


def _inventory(agent: Agent) -> bytes:
    stacks = [{"item": item, "count": agent.inventory[item]} for item in sorted(agent.inventory)]
    agent.inventory_text = _text(stacks)
    return agent.inventory_text
