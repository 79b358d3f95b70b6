"""Frames for spectators: the tick, and chunks in two layers. Each is made once for all viewers."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from thorp.protocol import actions, observer
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.protocol.observer import (
    ShownAction,
    ShownAgent,
    ShownAudit,
    ShownJoin,
    ShownTask,
    ShownTick,
)
from thorp.protocol.websocket import deflated_frame, text_frame
from thorp.voxel.inputs import Acted, AnyInput, Attach, Join
from thorp.voxel.observation.surface import (
    changed_columns,
    changed_voxels,
    surface_bytes,
    voxel_bytes,
)
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import ChunkKey, Ground, Position
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import World
from thorp.voxel.systems import movement, work
from thorp.voxel.systems.chat import PUBLIC as PUBLIC_CHANNELS
from thorp.voxel.systems.chat import channel_of

# Changed blocks and events that one TICK lists. The chunks' patches are complete in any case.
MAX_AUDITS: Final = 256
MAX_HAPPENINGS: Final = 256
# Actions that one TICK lists, each with as many bytes as a post on a board has.
MAX_ACTIONS: Final = 256
MAX_ACTION_BYTES: Final = 4_096
# Actions that only the agent itself, one other or the members of its organisation may know of. What
# could not be read may be any of these.
_UNREAD: Final = (actions.BadInstant, actions.Unread, actions.BadTask)
PRIVATE: Final = (actions.Whisper, actions.SaveMemory, actions.LoadMemory, actions.Vote, *_UNREAD)
# Chunks that may be generated or decompressed in one tick, about 1 ms each.
MADE_PER_TICK: Final = 8
# The cache of chunk frames: 1 kB for a surface, 43 kB for voxels.
KEPT_BYTES: Final = 16 * 2**20

# An agent tells why it does something at most so often: every ten seconds.
INTENT_TICKS: Final = 50

# As many bodies as a world has by default, and a few that have just changed.
SLEEPERS_KEPT: Final = 3_000

_encode = msgspec.json.encode

# What a sleeping body looks like, as a key under which its text is kept.
_Looks = tuple[str, str, Position, int, int, int, int, str]
_LOOKS: Final = attrgetter("id", "name", "position", "yaw", "hp", "hunger", "stamina", "org")


class SelfDescription(NamedTuple):
    """What an agent says of itself: what it is, and why it does what it does."""

    title: str = ""
    intent: str = ""
    tick: int = -INTENT_TICKS
    """When the intent was told."""


_NOTHING: Final = SelfDescription()


class SelfDescriptions:
    """What agents say of themselves, by number. It is in the journal with their inputs, and in no
    state."""

    def __init__(self) -> None:
        self._told: dict[int, SelfDescription] = {}

    def take(self, world: World, inputs: Sequence[AnyInput]) -> None:
        """Take in what the inputs of a tick tell. An intent too soon after the last one is left
        out."""
        joined = iter(world.scratch.joined)
        for entry in inputs:
            if isinstance(entry, Acted):
                if entry.act.intent and world.tick - self.of(entry.agent).tick >= INTENT_TICKS:
                    self._told[entry.agent] = SelfDescription(
                        self.of(entry.agent).title, entry.act.intent, world.tick
                    )
            elif isinstance(entry, Join | Attach):
                number = entry.agent if isinstance(entry, Attach) else next(joined, 0)
                self._told.pop(number, None)
                if entry.title:
                    self._told[number] = SelfDescription(entry.title)
        if len(self._told) > len(world.agents):
            self._told = {
                number: told for number, told in self._told.items() if number in world.agents
            }

    def of(self, number: int) -> SelfDescription:
        return self._told.get(number, _NOTHING)


class Tick(ShownTick, tag="TICK", kw_only=True):
    """The protocol's TICK, and the public events of the tick."""

    agents: list[ShownAgent | msgspec.Raw]  # type: ignore[assignment]

    happenings: list[dict[str, object]] | UnsetType = UNSET


def tick_text(world: World, inputs: Sequence[AnyInput], told: SelfDescriptions) -> bytes:
    """The JSON of one tick, which all spectators get."""
    happenings = world.scratch.public_events[:MAX_HAPPENINGS]
    came = [one for one in happenings if one["kind"] == "JOIN"]
    joins = [ShownJoin(agent_id=str(one["agent"]), name=str(one["name"])) for one in came]
    leaves = [str(one["agent"]) for one in happenings if one["kind"] == "LEAVE"]
    audits = [
        ShownAudit(tick=world.tick, actor=actor, pos=pos, before=before, after=after, reason=reason)
        for actor, reason, pos, before, after in world.scratch.block_changes[:MAX_AUDITS]
    ]
    day = world.tuning.day_ticks
    event = world.director.event
    return _encode(
        Tick(
            tick=world.tick,
            time_of_day=world.tick % day / day,
            weather=world.weather,
            active_event_id=UNSET if event is None else event.id,
            active_event_ends_tick=UNSET if event is None else event.ends_tick,
            agents=[
                _sleeper(_LOOKS(agent))
                if agent.asleep
                else _shown(world, agent, told.of(agent.number))
                for agent in world.agents
                if not agent.hidden
            ],
            joins=joins or UNSET,
            leaves=leaves or UNSET,
            actions=_actions(world, inputs) or UNSET,
            audits=audits or UNSET,
            happenings=happenings or UNSET,
        )
    )


def _actions(world: World, inputs: Sequence[AnyInput]) -> list[ShownAction]:
    """The ACTs of a tick, without private actions and those that are too long to be shown."""
    shown: list[ShownAction] = []
    acted = [entry for entry in inputs if isinstance(entry, Acted) and entry.agent in world.agents]
    for entry in acted[:MAX_ACTIONS]:
        agent_id = world.agents[entry.agent].id
        act = entry.act
        fields: dict[str, object] = {
            "type": "ACT",
            "protocol_version": PROTOCOL_VERSION,
            "tick": act.tick,
            "agent_id": agent_id,
            "instants": [asked for asked in act.instants if _is_public(asked)],
            "tasks": [asked for asked in act.tasks if _is_public(asked)],
            "cancel": act.cancel,
        }
        if fields["instants"] or fields["tasks"] or fields["cancel"]:
            shown.append(ShownAction(agent_id=agent_id, act=fields))
    return shown


def _is_public(asked: actions.Action) -> bool:
    if isinstance(asked, PRIVATE):
        return False
    if isinstance(asked, actions.Say) and channel_of(asked) not in PUBLIC_CHANNELS:
        return False
    return len(_encode(asked)) <= MAX_ACTION_BYTES


def _shown(world: World, agent: Agent, told: SelfDescription) -> ShownAgent:
    move = agent.move
    job = agent.work
    return ShownAgent(
        id=agent.id,
        name=agent.name,
        connected=agent.attached,
        pos=agent.position,
        yaw=agent.yaw,
        hp=agent.hp,
        hunger=agent.hunger,
        stamina_milli=agent.stamina,
        org_id=agent.org or UNSET,
        move_task=UNSET
        if move is None
        else shown_task(move.request, *movement.status(world, agent)),
        work_task=UNSET if job is None else shown_task(job.request, *work.status(world, agent)),
        title=told.title or UNSET,
        intent=told.intent or UNSET,
    )


@lru_cache(maxsize=SLEEPERS_KEPT)
def _sleeper(looks: _Looks) -> msgspec.Raw:
    """The same for a sleeping body, as text: it looks the same for long."""
    agent_id, name, pos, yaw, hp, hunger, stamina, org = looks
    sleeper = ShownAgent(
        id=agent_id,
        name=name,
        connected=False,
        pos=pos,
        yaw=yaw,
        hp=hp,
        hunger=hunger,
        stamina_milli=stamina,
        org_id=org or UNSET,
    )
    return msgspec.Raw(_encode(sleeper))


def shown_task(
    request: Any, progress: float, target: tuple[int, int, int], eta_ticks: int
) -> ShownTask:
    """What spectators are shown of a task."""
    kind = request.__struct_config__.tag
    target_id = getattr(request, "target_id", None) or ""
    return ShownTask(
        kind=kind, target=target, progress=progress, target_id=target_id, eta_ticks=eta_ticks
    )


class Layer(NamedTuple):
    """One way to show a chunk, with its messages, and how many chunks a viewer gets."""

    name: str
    per_tick: int
    kept_ticks: int
    """How long a viewer keeps a chunk that it no longer wants."""
    whole: Callable[..., object]
    packed: Callable[[bytes], bytes]
    patch: Callable[..., object]
    cell: type[msgspec.Struct]
    changed: Callable[[Ground, list[Position]], list[tuple[int, int, int, int]]]
    evict: Callable[..., object]

    def whole_frame(self, key: ChunkKey, cells: bytes, deflate: bool) -> bytes:
        data = b64encode(self.packed(cells)).decode()
        return _frame(self.whole, key, deflated_frame if deflate else text_frame, data=data)

    def patch_frame(self, key: ChunkKey, ground: Ground, changed: list[Position]) -> bytes:
        fields = self.cell.__struct_fields__
        cells = [dict(zip(fields, each, strict=True)) for each in self.changed(ground, changed)]
        return _frame(self.patch, key, cells=cells)

    def evict_frame(self, key: ChunkKey) -> bytes:
        return _frame(self.evict, key)


def _frame(
    message: Callable[..., object],
    key: ChunkKey,
    frame: Callable[[bytes], bytes] = text_frame,
    **fields: object,
) -> bytes:
    return frame(_encode(message(cx=key[0], cz=key[1], **fields)))


LAYERS: Final = (
    Layer(
        name="surface", per_tick=32, kept_ticks=50,
        whole=observer.ChunkSurface, packed=surface_bytes,
        patch=observer.ChunkPatch, cell=observer.SurfaceCell, changed=changed_columns,
        evict=observer.ChunkEvict,
    ),
    Layer(
        name="voxels", per_tick=8, kept_ticks=10,
        whole=observer.ChunkVoxels, packed=voxel_bytes,
        patch=observer.ChunkVoxelPatch, cell=observer.VoxelCell, changed=changed_voxels,
        evict=observer.ChunkVoxelsEvict,
    ),
)  # fmt: skip


class Chunks:
    """A cache of chunk frames, kept while they are true."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._whole: dict[tuple[str, ChunkKey, bool], bytes] = {}
        self._kept_bytes = 0
        self._patches: dict[tuple[str, ChunkKey], bytes] = {}
        self._changed: dict[ChunkKey, list[Position]] = {}
        self._may_make = MADE_PER_TICK

    def begin_tick(self, changes: Sequence[BlockChange]) -> list[ChunkKey]:
        """Take the changes of a tick; return the chunks that they are in."""
        self._may_make = MADE_PER_TICK
        self._patches.clear()
        self._changed.clear()
        for change in changes:
            x, _, z = change.position
            self._changed.setdefault((x >> 4, z >> 4), []).append(change.position)
        for key in self._changed:
            for layer in LAYERS:
                self._drop((layer.name, key, False))
                self._drop((layer.name, key, True))
        return list(self._changed)

    def patch(self, layer: Layer, key: ChunkKey) -> bytes:
        frame = self._patches.get((layer.name, key))
        if frame is None:
            frame = layer.patch_frame(key, self._ground, self._changed[key])
            self._patches[layer.name, key] = frame
        return frame

    def whole(self, layer: Layer, key: ChunkKey, deflate: bool = False) -> bytes | None:
        """The frame of a whole chunk; None when this tick has generated enough of them."""
        frame = self._whole.get((layer.name, key, deflate))
        if frame is None:
            if not self._ground.in_use(*key):
                if not self._may_make:
                    return None
                self._may_make -= 1
            frame = layer.whole_frame(key, self._ground.look(*key), deflate)
            self._whole[layer.name, key, deflate] = frame
            self._kept_bytes += len(frame)
            while self._kept_bytes > KEPT_BYTES:
                self._drop(next(iter(self._whole)))
        return frame

    def _drop(self, key: tuple[str, ChunkKey, bool]) -> None:
        self._kept_bytes -= len(self._whole.pop(key, b""))
