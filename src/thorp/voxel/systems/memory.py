"""An agent's private notes: keys and values that outlive connections, restarts and seasons."""

from typing import Final, NoReturn

from thorp.protocol import actions, codes
from thorp.protocol.act import MAX_TICK
from thorp.voxel.refusal import Refusal, cooldown, given, refuse_if
from thorp.voxel.state.agent import Agent, Memo
from thorp.voxel.state.world import World, WorldState

MEMORY_BYTES: Final = 65_536
# Each note costs the world more than its text, and each use looks at all of them.
MAX_NOTES: Final = 1_024
USES_PER_TICK: Final = 16
DEFAULT_LIMIT: Final = 64
MAX_LIMIT: Final = 256
# What `unread_input` writes instead of a note that was refused without being read.
UNREAD: Final = "memory"


def save(world: World, agent: Agent, wish: actions.SaveMemory) -> dict[str, object]:
    """Save a note of an agent, within its budget."""
    _use(world, agent)
    name = given(wish.key, "key")
    value = wish.value or ""
    _forget_expired(world, agent)
    used = sum(size(key, memo.value) for key, memo in agent.memory.items() if key != name)
    refuse_if(used + size(name, value) > MEMORY_BYTES, codes.NO_RESOURCE, "memory budget exceeded")
    if name not in agent.memory and len(agent.memory) >= MAX_NOTES:
        raise Refusal(codes.NO_RESOURCE, f"memory holds at most {MAX_NOTES} keys")
    ttl = wish.ttl_ticks or 0
    agent.memory[name] = Memo(value, min(world.tick + ttl, MAX_TICK) if ttl > 0 else None)
    agent.changed()
    return {}


def refuse(world: World, agent: Agent) -> NoReturn:
    """Refuse, as `save` would, a note for which there was no room whatever it said."""
    _use(world, agent)
    _forget_expired(world, agent)
    raise Refusal(codes.NO_RESOURCE, "memory budget exceeded")


def load(world: World, agent: Agent, wish: actions.LoadMemory) -> dict[str, object]:
    """Show an agent its notes in its next OBS."""
    _use(world, agent)
    limit = wish.limit or 0
    if not 0 < limit <= MAX_LIMIT:
        limit = DEFAULT_LIMIT
    _forget_expired(world, agent)
    prefix = wish.prefix or ""
    keys = sorted(key for key in agent.memory if key.startswith(prefix))[:limit]
    if keys:
        notes = dict(world.scratch.loaded_memory.get(agent.number, ()))
        notes.update((key, agent.memory[key].value) for key in keys)
        world.scratch.loaded_memory[agent.number] = sorted(notes.items())
    return {"message": f"loaded {len(keys)} keys"}


def _use(world: World, agent: Agent) -> None:
    uses = world.scratch.memory_uses[agent.number] = (
        world.scratch.memory_uses.get(agent.number, 0) + 1
    )
    if uses > USES_PER_TICK:
        wait = cooldown(world.tick, world.tick + 1)
        raise Refusal(codes.RATE_LIMIT, f"at most {USES_PER_TICK} uses of memory in a tick", **wait)


def size(key: str, value: str) -> int:
    """How many bytes of an agent's budget a note takes."""
    return len(key.encode()) + len(value.encode())


def _forget_expired(world: WorldState, agent: Agent) -> None:
    expired = [key for key, memo in agent.memory.items() if memo.is_expired(world.tick)]
    for key in expired:
        del agent.memory[key]
    if expired:
        agent.changed()
