"""What clients of the first servers depend on, row by row, as they see it on the wire.

The handshake, resuming and malformed ACTs have files of their own.
"""

from __future__ import annotations

import base64
from typing import Any

from tests.server.serving import RawAgent, Served, with_server

CELLS = 15**3


def cells_of(text: str) -> list[int]:
    """A cube from its runs, as a client reads it: it refuses empty runs and any other total."""
    data, cells, at = base64.b64decode(text, validate=True), [], 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        block, run = varint(), varint()
        assert run > 0
        cells += [block] * run
    assert len(cells) == CELLS
    return cells


class Cube:
    """A client that applies whatever it gets to the cube it has."""

    def __init__(self) -> None:
        self.cells: list[int] = []
        self.encodings: list[str] = []

    def take(self, voxels: dict[str, Any]) -> None:
        assert voxels["radius"] == 7
        self.encodings.append(voxels["encoding"])
        if voxels["encoding"] == "RLE":
            self.cells = cells_of(voxels["data"])
            return
        assert voxels["encoding"] == "DELTA"
        assert 0 < len(voxels["ops"]) < CELLS // 2
        for op in voxels["ops"]:
            dx, dy, dz = op["d"]
            self.cells[((dy + 7) * 15 + dz + 7) * 15 + dx + 7] = op["b"]


def truth(served: Served, centre: list[int]) -> list[int]:
    x, y, z = centre
    block = served.live.service.world.ground.block
    reach = range(-7, 8)
    return [block(x + dx, y + dy, z + dz) for dy in reach for dz in reach for dx in reach]


async def fresh(served: Served, agent: RawAgent) -> list[int]:
    await served.caught_up(agent)
    position: list[int] = agent.last["self"]["pos"]
    return position


def integers_in(obs: dict[str, Any]) -> list[Any]:
    me, world = obs["self"], obs["world"]
    found = [obs["tick"], *me["pos"], me["yaw"], me["hp"], me["hunger"], world["season_day"]]
    found += [stack["count"] for stack in obs["inventory"]]
    found += obs["voxels"]["center"] + [obs["voxels"]["radius"]]
    found += [number for thing in obs["entities"] for number in thing["pos"]]
    found += [task["eta_ticks"] for task in obs["tasks"] if "eta_ticks" in task]
    found += list(obs.get("fun_score", {}).values())
    return found


@with_server()
async def test_numbers_that_strict_clients_read_as_integers_are_integers(served: Served) -> None:
    async with served.agent("mole") as mole, served.agent("owl"):
        x, y, z = await fresh(served, mole)
        await mole.act(tasks=[{"id": "k", "type": "MOVE_TO", "target": [x + 6, y, z]}])
        for _ in range(8):
            obs = await mole.obs()
            assert all(type(number) is int for number in integers_in(obs)), obs
            assert 0 <= obs["self"]["stamina"] <= 1
            assert 0 <= obs["world"]["time_of_day"] < 1
            for name in ("inventory", "entities", "events", "tasks"):
                assert isinstance(obs[name], list)


@with_server()
async def test_obs_has_what_every_client_reads(served: Served) -> None:
    async with served.agent() as mole:
        obs = await mole.obs()
        assert obs["protocol_version"] == "0.9"
        assert {
            "world",
            "self",
            "inventory",
            "equipment",
            "local_rules",
            "voxels",
            "entities",
            "events",
        } <= set(obs)
        assert obs["inventory"] == sorted(obs["inventory"], key=lambda stack: stack["item"])
        assert {"item": "PLANK", "count": 20} in obs["inventory"]
        assert obs["local_rules"]["tax"]["market"] == 0
        assert obs["self"]["status"]
        assert obs["voxels"]["center"] == obs["self"]["pos"]


@with_server(tick_rate_hz=5)
async def test_at_five_ticks_a_second_the_first_obs_comes_soon(served: Served) -> None:
    async with served.agent() as mole:
        welcomed = served.live.service.world.tick
        assert (await mole.obs())["tick"] <= welcomed + 2


@with_server()
async def test_ticks_grow_across_connections(served: Served) -> None:
    ticks, token = [], None
    for _ in range(3):
        async with served.agent(token=token) as mole:
            ticks += [(await mole.obs())["tick"] for _ in range(3)]
            token = mole.token
    assert ticks[0] > 0
    assert ticks == sorted(set(ticks))


@with_server()
async def test_cubes_are_exact_and_deltas_apply_also_while_walking(served: Served) -> None:
    async with served.agent() as mole:
        cube = Cube()
        x, y, z = (await mole.obs())["self"]["pos"]
        cube.take(mole.last["voxels"])
        assert cube.encodings == ["RLE"]
        while mole.last["tick"] < served.live.service.world.tick:
            cube.take((await mole.obs())["voxels"])
        place = {"id": "p", "type": "PLACE", "block_pos": [x + 1, y + 2, z], "item_id": "PLANK"}
        await mole.act(tasks=[place])
        while "DELTA" not in cube.encodings:
            cube.take((await mole.obs())["voxels"])
        assert mole.last["voxels"]["ops"][0]["d"] == [1, 2, 0]
        assert cube.cells == truth(served, mole.last["voxels"]["center"])
        while mole.last["tick"] < served.live.service.world.tick:
            cube.take((await mole.obs())["voxels"])
        await mole.act(tasks=[{"id": "go", "type": "MOVE_TO", "target": [x + 5, y, z]}])
        for _ in range(30):
            cube.take((await mole.obs())["voxels"])
            assert cube.cells == truth(served, mole.last["voxels"]["center"])
        assert mole.last["self"]["pos"] != [x, y, z]


@with_server()
async def test_who_did_not_ask_for_deltas_gets_none(served: Served) -> None:
    async with served.agent(capabilities={"delta_voxels": False}) as mole:
        x, y, z = await fresh(served, mole)
        await mole.act(
            tasks=[{"id": "p", "type": "PLACE", "block_pos": [x + 1, y + 2, z], "item_id": "PLANK"}]
        )
        await mole.result("p")
        for _ in range(3):
            assert (await mole.obs())["voxels"]["encoding"] == "RLE"


@with_server()
async def test_results_carry_what_clients_wait_for(served: Served) -> None:
    async with served.agent() as mole:
        x, y, z = await fresh(served, mole)
        place = {"id": "k1", "type": "PLACE", "block_pos": [x + 1, y + 1, z], "item_id": "PLANK"}
        await mole.act(tasks=[place])
        result = await mole.result("k1")
        assert result["ok"] is True
        assert isinstance(result["task_id"], str)
        done = next(event for event in mole.last["events"] if event["type"] == "TASK_DONE")
        assert done["task_id"] == result["task_id"]  # in the very OBS of the result
        await fresh(served, mole)
        await mole.act(tasks=[{"id": "k2", "type": "CRAFT", "recipe_id": "no_such_recipe"}])
        refused = await mole.result("k2")
        assert refused["ok"] is False
        assert refused["code"] == "E_INVALID_TARGET"
        assert refused["message"]


@with_server()
async def test_memory_comes_with_its_result(served: Served) -> None:
    async with served.agent() as mole:
        await fresh(served, mole)
        assert "memory" not in mole.last
        save = {"id": "s", "type": "SAVE_MEMORY", "key": "goal", "value": "dig", "ttl_ticks": 0}
        await mole.act(instants=[save, {"id": "l", "type": "LOAD_MEMORY", "prefix": "go"}])
        await mole.result("l")
        assert mole.last["memory"] == [{"key": "goal", "value": "dig"}]


@with_server()
async def test_twenty_events_at_most_and_own_results_last(served: Served) -> None:
    async with served.agent("mole") as mole:
        async with served.agent("owl") as owl:
            for n in range(3):
                await fresh(served, owl)
                whispers = [
                    {"id": f"w{n}{k}", "type": "WHISPER", "to": mole.id, "text": f"{n} {k}"}
                    for k in range(4)
                ]
                await owl.act(instants=whispers)
                await owl.result(f"w{n}3")
            await fresh(served, mole)
            searching = [{"id": f"i{n}", "type": "LOAD_MEMORY"} for n in range(16)]
            await mole.act(instants=searching)
            await mole.result("i15")
        events = mole.last["events"]
        assert len(events) <= 20
        assert [event.get("ref") for event in events[-16:]] == [f"i{n}" for n in range(16)]


@with_server()
async def test_an_idle_bot_that_only_says_something_now_and_then_lives(served: Served) -> None:
    async with served.agent("bot", capabilities={"delta_voxels": True, "max_queue": 64}) as bot:
        for n in range(3):
            for _ in range(20):
                await bot.obs()
            await fresh(served, bot)
            await bot.act(instants=[{"id": f"say{n}", "type": "SAY", "text": "hello"}])
            assert (await bot.result(f"say{n}"))["ok"]
