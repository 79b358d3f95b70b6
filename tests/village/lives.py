"""A village that was founded once, and begins again for every test where it stood then."""

import json
from collections.abc import Callable, Sequence
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Any

from tests.village.newcomer import Newcomer
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.protocol.act import read_act
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.village.founding import RULES as VILLAGE_RULES
from thorp.voxel.extension import names
from thorp.voxel.inputs import Acted, AnyInput, Join
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.record import RULES, Epoch
from thorp.voxel.persistence.snapshot import encode_state, pack, restore
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import read_tuning

SEEDS = (1337, 42)
"""Of the villages that are founded once and live on in many tests."""
FOUNDED_TICKS = 13_500
"""The morning of the third day: land, terminal and jobs are there."""
VILLAGE_TICKS = 12_000
"""Two days, as `thorp up --village` lets pass before anybody comes in."""
TOKENS = {name: f"the token of {name}" for name in village.ROSTER}


def packed(world: World) -> bytes:
    epoch = Epoch(
        rules=RULES,
        catalogs=world.catalogs.digest(),
        extensions=names(world.extensions),
        seed=world.seed,
        draw_seed=world.draw_seed,
        tuning=world.tuning,
    )
    return pack(encode_state(world, epoch))


class Founded:
    """Villages by their seeds. Whoever asks first founds one; tests that run beside wait for it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __call__(self, seed: int, ticks: int = FOUNDED_TICKS) -> World:
        kept = self._directory / f"village-{seed}-{ticks}"
        with kept.with_suffix(".lock").open("w") as lock:
            flock(lock, LOCK_EX)
            if not kept.exists():
                world = new_city_world(seed, tuning=read_tuning(VILLAGE_RULES))
                village.run(world, lambda inputs: step(world, inputs), TOKENS, to_tick=ticks)
                kept.write_bytes(packed(world))
        return restore(kept.read_bytes(), new_city_world)


def live(
    world: World,
    ticks: int,
    more: Callable[[], Sequence[AnyInput]] = lambda: (),
    until: Callable[[], bool] = lambda: False,
) -> None:
    """Villagers come back into the world, for so many ticks or until something is so; others may do
    something in it, too."""

    def tick(inputs: Sequence[AnyInput]) -> None:
        step(world, [*inputs, *more()])

    village.run(world, tick, TOKENS, to_tick=world.tick + ticks, stopped=until)


class Guest:
    """Somebody else's body, and the bot that has it."""

    def __init__(self, world: World, name: str = "Nell") -> None:
        self.world, self.bot = world, Newcomer()
        step(world, [Join(name, "7" * 64)])
        self.body = world.agents[world.scratch.joined[-1]]
        self._session = Session(self.body.number)

    def inputs(self) -> list[AnyInput]:
        compose(self.world, [self._session])
        frame = self._session.take()
        act = None if frame is None else self.bot.act(json.loads(frame))
        return [] if act is None else [self.asks(**act)]

    def asks(self, **act: Any) -> Acted:
        head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "agent_id": self.body.id}
        read = read_act(json.dumps({**head, "tick": self.world.tick, **act}).encode())
        return Acted(self.body.number, read, self._session.seen(self.world.tick))
