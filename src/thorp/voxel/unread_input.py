"""Shortens inputs that will be refused whatever they say, so that refusals do not fill the disk.

The journal holds every input. But some texts need not be kept: they are longer than any rule takes,
over a rate limit, or more than a memory has room for. Before a tick such texts are replaced by
their length and digest. The tick executes what the journal holds, so a replay gives the same
refusals, to the byte.

    an ACT that is too late      only its tick is kept, because nothing else is looked at
    an action over its limit     `Unread`, which is refused by the same rate limit
    a note without room          `Unread`, which is refused by the same budget
    a text that is too long      another text that is too long, with length and digest
    chat that is too long        its beginning, cut where the rule would cut it
"""

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from operator import is_not
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.voxel.act_dispatch import LATE_TICKS
from thorp.voxel.inputs import Acted, AnyInput
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import WorldState
from thorp.voxel.systems import chat, memory, rate_limits

# A text with more characters is too long for every rule except that of memory. A test checks this.
LONGEST: Final = 2_000
# Shorter texts stay as they are: length and digest need a hundred bytes.
WORTH_BYTES: Final = 256

# The fields that may be replaced, by action.
_TEXTS: Final[dict[type, tuple[str, ...]]] = {
    actions.SetSign: ("text",),
    actions.PostBoard: ("title", "body"),
    actions.SearchBoard: ("text",),
    actions.CreateOrg: ("org_name",),
    actions.ProposeLaw: ("title",),
}


def without_unread(world: WorldState, inputs: Sequence[AnyInput]) -> Sequence[AnyInput]:
    """The inputs of the next tick, shortened: these must be journaled and executed."""
    tick = world.tick + 1
    agents: dict[int, _Foreseen] = {}
    kept: list[AnyInput] | None = None
    for at, entry in enumerate(inputs):
        if type(entry) is not Acted:
            continue
        act = entry.act
        if not tick - LATE_TICKS <= act.tick <= tick:
            act = Act(tick=act.tick)
        elif act.instants:
            foreseen = agents.get(entry.agent)
            if foreseen is None:
                foreseen = agents[entry.agent] = _Foreseen(world, world.agents.get(entry.agent))
            instants = [foreseen.keep(instant) for instant in act.instants]
            if any(map(is_not, instants, act.instants)):
                act = replace(act, instants=instants)
        if act is not entry.act:
            kept = list(inputs) if kept is None else kept
            kept[at] = Acted(entry.agent, act, entry.seen)
    return inputs if kept is None else kept


class _Foreseen:
    """Which of an agent's instants the limits will refuse in the next tick, as far as that is
    certain beforehand."""

    def __init__(self, world: WorldState, agent: Agent | None) -> None:
        self._world = world
        self._agent = agent
        self._attempts: dict[str, int] = {}
        self._uses = 0
        self._saves: list[tuple[str, int]] = []

    def keep(self, wish: Any) -> Any:
        """An instant as it is journaled. Must be called for each instant of the tick, in order."""
        match wish:
            case actions.Say() | actions.Whisper():
                limit = chat.rate_limit_of(wish) if isinstance(wish, actions.Say) else "whisper"
                if self._too_many(limit) and _speech_length(wish) > WORTH_BYTES:
                    return unread(wish, limit)
                if wish.text and len(wish.text) > LONGEST:
                    # One character more than fits, so that its author is told that it was cut.
                    return replace(wish, text=wish.text[: LONGEST + 1])
            case actions.PostBoard():
                if self._too_many("post_board") and _length(wish.title, wish.body) > WORTH_BYTES:
                    return unread(wish, "post_board")
            case actions.SaveMemory():
                return self._keep_note(wish)
            case actions.LoadMemory():
                self._uses += 1
                prefix = wish.prefix or ""
                if len(prefix) > WORTH_BYTES:
                    self._settle()
                    if not any(key.startswith(prefix) for key in self._notes):
                        return replace(wish, prefix=stand_in(prefix))
        return self._keep_texts(wish)

    def _keep_texts(self, wish: Any) -> Any:
        if type(wish) is actions.ProposeLaw and wish.params:
            params = {name: _keep_param(value) for name, value in wish.params.items()}
            if any(map(is_not, params.values(), wish.params.values())):
                wish = replace(wish, params=params)
        for name in _TEXTS.get(type(wish), ()):
            text = getattr(wish, name) or ""
            if len(text) > LONGEST:
                # The rule of CREATE_ORG strips the name before it looks at its length.
                bare = text.strip() if type(wish) is actions.CreateOrg else text
                kept = stand_in(text, longer_than=LONGEST) if len(bare) > LONGEST else bare
                wish = replace(wish, **{name: kept})
        return wish

    def _too_many(self, limit: str) -> bool:
        """Count an attempt, and return whether a rate limit refuses it for certain. See
        `systems.rate_limits`."""
        world = self._world
        agent = self._agent
        attempts = self._attempts.get(limit, 0)
        self._attempts[limit] = attempts + 1
        if agent is None:
            return False
        uses = rate_limits.tuned_limit(world, limit)
        room = uses.room(agent, world.tick + 1)
        room_refused = uses.refusals.room(agent, world.tick + 1)
        # Each earlier attempt of this tick has used up a use or a refusal, and the next one is
        # refused as soon as either is used up. So it is certain after room + room_refused - 1.
        return not room or not room_refused or attempts >= room + room_refused - 1

    def _keep_note(self, wish: actions.SaveMemory) -> actions.AnyInstant:
        """A note as it is journaled: shortened if the agent's memory has no room for it. See
        `systems.memory`."""
        self._uses += 1
        key = wish.key or ""
        value = wish.value or ""
        size = memory.size(key, value)
        if self._uses > memory.USES_PER_TICK:
            return unread(wish, memory.UNREAD) if size > WORTH_BYTES else wish
        if not key:
            return replace(wish, value=stand_in(value)) if size > WORTH_BYTES else wish
        self._saves.append((key, size))
        return unread(wish, memory.UNREAD) if size > WORTH_BYTES and not self._settle() else wish

    def _settle(self) -> bool:
        """Apply the saves that came so far; return whether there was room for the last one. It is
        put off until a long note asks, because adding up all notes takes time."""
        notes = self._notes
        room = True
        for key, size in self._saves:
            room = sum(notes.values()) - notes.get(key, 0) + size <= memory.MEMORY_BYTES
            if room and (key in notes or len(notes) < memory.MAX_NOTES):
                notes[key] = size
        self._saves.clear()
        return room

    @cached_property
    def _notes(self) -> dict[str, int]:
        """The sizes of the agent's notes, with those that were saved so far in this tick."""
        notes = {} if self._agent is None else self._agent.memory
        tick = self._world.tick + 1
        return {
            key: memory.size(key, memo.value)
            for key, memo in notes.items()
            if not memo.is_expired(tick)
        }


def unread(wish: actions.Instant, limit: str) -> actions.Unread:
    """The input that takes the place of an action which is refused unread."""
    text = msgspec.json.encode(wish)
    return actions.Unread(id=wish.id, limit=limit, bytes=len(text), sha256=sha256(text).hexdigest())


def stand_in(text: str, *, longer_than: int = 0) -> str:
    """A text with the length and digest of another, which is refused for the same reason."""
    data = text.encode("utf-8", "surrogatepass")
    return f"(unread: {len(data)} bytes, sha256 {sha256(data).hexdigest()})".ljust(
        longer_than + 1, "."
    )


def _keep_param(value: Any) -> Any:
    """A parameter of a law, shortened if it is long: numbers and names of items are short, and
    anything else is refused."""
    if isinstance(value, str) and len(value) <= WORTH_BYTES:
        return value
    text = msgspec.json.encode(value)
    return stand_in(text.decode()) if len(text) > WORTH_BYTES else value


def _speech_length(wish: actions.Say | actions.Whisper) -> int:
    data = b"" if wish.data is None else msgspec.json.encode(wish.data)
    return _length(wish.text) + len(data)


def _length(*texts: str | None) -> int:
    return sum(len(text) for text in texts if text)
