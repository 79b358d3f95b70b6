"""Makes the frames for spectators: the tick, and chunks in two layers. Each frame is made once for
all viewers."""

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
from thorp.voxel import Acted, Agent, AnyInput, Attach, Join, Position, World
from thorp.voxel.observation.surface import (
    changed_columns,
    changed_voxels,
    surface_bytes,
    voxel_bytes,
)
from thorp.voxel.state.ground import ChunkKey, Ground
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.systems import movement, work
from thorp.voxel.systems.chat import PUBLIC as PUBLIC_CHANNELS
from thorp.voxel.systems.chat import channel_of

# Changed blocks and events that one TICK lists. The chunks' patches are complete in any case.
MAX_AUDITS: Final = 256
MAX_HAPPENINGS: Final = 256
# Actions that one TICK lists, and the bytes of the longest: as many as a post on a board may have.
MAX_ACTIONS: Final = 256
MAX_ACTION_BYTES: Final = 4_096
# Actions that only the agent itself, one other agent or the members of its organisation may know
# of. An action that could not be read may be any of these.
_UNREAD: Final = (actions.BadInstant, actions.Unread, actions.BadTask)
PRIVATE: Final = (actions.Whisper, actions.SaveMemory, actions.LoadMemory, actions.Vote, *_UNREAD)
# Chunks that may be generated or decompressed in one tick, about 1 ms each.
MADE_PER_TICK: Final = 8
# The cache of chunk frames: 1 kB for a surface, 43 kB for voxels.
KEPT_BYTES: Final = 16 * 2**20

# An agent's new intent is shown only after this many ticks: every ten seconds at most.
INTENT_TICKS: Final = 50

# As many bodies as a world has by default, and a few that have just changed.
SLEEPERS_KEPT: Final = 3_000

_encode = msgspec.json.encode

# What a sleeping body looks like, as a key of the cache of its text.
_Looks = tuple[str, str, Position, int, int, int, int, str]
_LOOKS: Final = attrgetter("id", "name", "position", "yaw", "hp", "hunger", "stamina", "org")


class SelfDescription(NamedTuple):
    """What an agent says about itself: what it is, and why it does what it does."""

    title: str = ""
    intent: str = ""
    tick: int = -INTENT_TICKS
    """When it stated the intent."""


_NOTHING: Final = SelfDescription()


class SelfDescriptions:
    """What agents say about themselves, by number. That is in the journal as part of their inputs,
    and not in the state of the world."""

    def __init__(self) -> None:
        self._descriptions: dict[int, SelfDescription] = {}

    def take(self, world: World, inputs: Sequence[AnyInput]) -> None:
        """Take in the titles and intents among the inputs of a tick. An intent that comes too soon
        after the last one is left out."""
        joined = iter(world.scratch.joined)
        for entry in inputs:
            if isinstance(entry, Acted):
                if entry.act.intent and world.tick - self.of(entry.agent).tick >= INTENT_TICKS:
                    self._descriptions[entry.agent] = SelfDescription(
                        self.of(entry.agent).title, entry.act.intent, world.tick
                    )
            elif isinstance(entry, Join | Attach):
                number = entry.agent if isinstance(entry, Attach) else next(joined, 0)
                self._descriptions.pop(number, None)
                if entry.title:
                    self._descriptions[number] = SelfDescription(entry.title)
        if len(self._descriptions) > len(world.agents):
            self._descriptions = {
                number: description
                for number, description in self._descriptions.items()
                if number in world.agents
            }

    def of(self, number: int) -> SelfDescription:
        """What an agent said last about itself."""
        return self._descriptions.get(number, _NOTHING)


class Tick(ShownTick, tag="TICK", kw_only=True):
    """The protocol's TICK, and the public events of the tick."""

    agents: list[ShownAgent | msgspec.Raw]  # type: ignore[assignment]

    happenings: list[dict[str, object]] | UnsetType = UNSET


def tick_text(world: World, inputs: Sequence[AnyInput], descriptions: SelfDescriptions) -> bytes:
    """The JSON of one tick, which all spectators get."""
    happenings = world.scratch.public_events[:MAX_HAPPENINGS]
    came = [happening for happening in happenings if happening["kind"] == "JOIN"]
    joins = [
        ShownJoin(agent_id=str(happening["agent"]), name=str(happening["name"]))
        for happening in came
    ]
    leaves = [str(happening["agent"]) for happening in happenings if happening["kind"] == "LEAVE"]
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
                else _shown_agent(world, agent, descriptions.of(agent.number))
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
    """The ACTs of a tick, without actions that are private or too long to be shown."""
    actions: list[ShownAction] = []
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
            actions.append(ShownAction(agent_id=agent_id, act=fields))
    return actions


def _is_public(asked: actions.Action) -> bool:
    if isinstance(asked, PRIVATE):
        return False
    if isinstance(asked, actions.Say) and channel_of(asked) not in PUBLIC_CHANNELS:
        return False
    return len(_encode(asked)) <= MAX_ACTION_BYTES


def _shown_agent(world: World, agent: Agent, description: SelfDescription) -> ShownAgent:
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
        title=description.title or UNSET,
        intent=description.intent or UNSET,
    )


@lru_cache(maxsize=SLEEPERS_KEPT)
def _sleeper(looks: _Looks) -> msgspec.Raw:
    """What spectators are shown of a sleeping body, encoded: most stay the same for a long time."""
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
    """One way to show chunks, as a surface or cell by cell: its messages, and its limits."""

    name: str
    per_tick: int
    """How many chunks a viewer gets in a tick."""
    kept_ticks: int
    """How long a viewer keeps a chunk that it no longer wants."""
    whole: Callable[..., object]
    """Makes the message of a whole chunk, from the data that `packed` gives."""
    packed: Callable[[bytes], bytes]
    patch: Callable[..., object]
    """Makes the message of a changed chunk, from the cells that `changed` gives."""
    cell: type[msgspec.Struct]
    changed: Callable[[Ground, list[Position]], list[tuple[int, int, int, int]]]
    evict: Callable[..., object]
    """Makes the message that a viewer may forget a chunk."""

    def whole_frame(self, key: ChunkKey, cells: bytes, deflate: bool) -> bytes:
        """The frame of a whole chunk, compressed or not."""
        data = b64encode(self.packed(cells)).decode()
        return _frame(self.whole, key, deflated_frame if deflate else text_frame, data=data)

    def patch_frame(self, key: ChunkKey, ground: Ground, changed: list[Position]) -> bytes:
        """The frame of the changes of a chunk."""
        fields = self.cell.__struct_fields__
        cells = [dict(zip(fields, each, strict=True)) for each in self.changed(ground, changed)]
        return _frame(self.patch, key, cells=cells)

    def evict_frame(self, key: ChunkKey) -> bytes:
        """The frame that tells a viewer to forget a chunk."""
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
    """A cache of chunk frames, each kept until its chunk changes or the cache is full."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._whole: dict[tuple[str, ChunkKey, bool], bytes] = {}
        self._kept_bytes = 0
        self._patches: dict[tuple[str, ChunkKey], bytes] = {}
        self._changed: dict[ChunkKey, list[Position]] = {}
        self._may_make = MADE_PER_TICK
        """How many more chunks may be generated in this tick."""

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
        """The frame of this tick's changes of a chunk that `begin_tick` returned."""
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
