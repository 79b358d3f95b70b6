"""The village in process: every villager is a reader of the world, like one behind a socket."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from thorp.bridges.village.villager import Act, Villager
from thorp.protocol.act import read_act
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.protocol.obs import Obs
from thorp.voxel.inputs import Acted, AnyInput
from thorp.voxel.observe import compose
from thorp.voxel.session import Session
from thorp.voxel.world import World

Tick = Callable[[Sequence[AnyInput]], object]
"""Executes the next tick of a world."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Obs).decode


class Headless:
    """Villagers and the bodies they have, by number. Their inputs of the next tick are `inputs`."""

    def __init__(self, world: World, villagers: dict[int, Villager]) -> None:
        self._world = world
        self._villagers = villagers
        self._sessions = {number: Session(number) for number in villagers}
        self.inputs: list[AnyInput] = []

    def step(self, tick: Tick) -> None:
        """One tick, and what the villagers make of it."""
        tick(self.inputs)
        compose(self._world, list(self._sessions.values()))
        self.inputs = []
        for number, villager in self._villagers.items():
            frame = self._sessions[number].take()
            act = villager.take(_decode(frame)) if frame is not None else None
            if act is not None:
                self.inputs.append(self._acted(number, act))

    def _acted(self, number: int, act: Act) -> Acted:
        tick = self._world.tick
        head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "tick": tick}
        text = _encode({**head, "agent_id": self._world.agents[number].id, **act})
        return Acted(number, read_act(text), self._sessions[number].seen(tick))
