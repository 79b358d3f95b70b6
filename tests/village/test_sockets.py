"""The same villagers in process and behind sockets: in lockstep, every tick has the same digest."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.serving import run
from tests.village.lives import TOKENS, packed
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.cli.village import run_village
from thorp.protocol.session import empty_act
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening, living
from thorp.server.http.server import Server
from thorp.server.residents import issue_villager_tokens
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.village.council import CityCouncil
from thorp.village.headless import Headless
from thorp.village.roster import people
from thorp.voxel import WorldService
from thorp.voxel.inputs import Acted, AnyInput, Attach
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

BORN_TICKS = 40
TICKS = 150

Ticks = list[tuple[list[AnyInput], str]]
"""The inputs of each tick, and the digest after it."""


async def behind_sockets(data: Path, clock: str, said: list[str]) -> tuple[bytes, Ticks]:
    """The village when it is a few seconds old, and the ticks that it then lives over sockets."""
    service = WorldService.open(
        RealDisk(), data / WORLD, seed=7, draw_seed=7, make_world=new_city_world
    )
    village.run(service.world, service.tick, TOKENS, to_tick=BORN_TICKS)
    began, ticks = packed(service.world), list[Any]()
    enough, execute = asyncio.Event(), service.tick

    def tick(inputs: Sequence[AnyInput]) -> Any:
        done = execute(inputs)
        ticks.append((list(inputs), service.world.digest()))
        if len(ticks) >= TICKS:
            enough.set()
        return done

    service.tick = tick  # type: ignore[method-assign]
    server = Server(data, Principals(Tokens(data), loopback=Role.ADMIN))
    async with listening(server, "127.0.0.1", 0) as port, living(server, service, clock) as live:
        tokens = msgspec.json.decode(issue_villager_tokens(live))
        url = f"ws://127.0.0.1:{port}/v1/ws"
        people = asyncio.create_task(run_village(url, tokens, access_token=None, say=said.append))
        await enough.wait()
        people.cancel()
        await asyncio.wait([people])
    return began, ticks[:TICKS]


def in_process(world: World, ticks: Ticks) -> list[str]:
    """The digests if villagers in process come when those behind sockets came, and pass as they
    do."""
    everyone = dict(enumerate(people(msgspec.to_builtins(world.catalogs.lists())), 1))
    there, digests = Headless(world, {}, CityCouncil()), list[str]()
    for inputs, _ in ticks:
        others = [entry for entry in inputs if not isinstance(entry, Acted)]

        def execute(acts: Sequence[AnyInput], others: Sequence[AnyInput] = others) -> None:
            acted = {entry.agent: entry for entry in acts if isinstance(entry, Acted)}
            moves = [
                acted.get(number) or there._acted(number, empty_act(f"A{number}", world.tick))
                for number in sorted(there._villagers)
            ]
            step(world, [*moves, *others])
            digests.append(world.digest())
            for entry in others:
                if isinstance(entry, Attach):
                    there._villagers[entry.agent] = everyone[entry.agent]
                    there._sessions[entry.agent] = Session(
                        entry.agent, cursor=world.agents[entry.agent].seen
                    )

        there.step(execute)
    return digests


def test_in_lockstep_a_village_behind_sockets_lives_as_in_process(tmp_path: Path) -> None:
    said: list[str] = []
    began, ticks = run(behind_sockets(tmp_path, "lockstep", said), patience=240)
    assert said == []
    assert sum(isinstance(entry, Attach) for inputs, _ in ticks for entry in inputs) == len(TOKENS)
    assert in_process(restore(began, new_city_world), ticks) == [digest for _, digest in ticks]


def test_a_world_that_waits_for_nobody_is_lived_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With `--clock max` most answers are late, and some come too late."""
    monkeypatch.setattr("tests.village.test_sockets.TICKS", 400)
    said: list[str] = []
    _, ticks = run(behind_sockets(tmp_path, "max", said), patience=240)
    acted = {entry.agent for inputs, _ in ticks for entry in inputs if isinstance(entry, Acted)}
    assert acted == set(range(1, len(TOKENS) + 1))
    assert said == []
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
