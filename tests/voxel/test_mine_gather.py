"""The first servers' newest agent mines the nearest block at its feet's height; it must be able to
here."""

from __future__ import annotations

from typing import Any

import pytest

from thorp.env import World
from thorp.protocol import decode_rle
from thorp.voxel.load import default_catalogs
from thorp.voxel.systems.mining import REACH
from thorp.voxel.terrain.columns import BOULDERS

# It looks for no other blocks, not even if one of them is nearer.
LOOKED_FOR = ("DIRT", "GRASS", "STONE", "SAND", "GRAVEL", "ICE", "LOG")
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
TOLERANCE = 1.2
RADIUS = 7
# It plans anew so often when it is too far from its block or the way is barred, and then gives up.
RETRIES = 4
LONGEST_TICKS = 200


class MineGather:
    """Decides as that client does: the nearest block, the first free cell beside it, there, then
    MINE."""

    def __init__(self) -> None:
        self.palette = [block.id for block in default_catalogs().blocks]
        self.block: tuple[int, int, int] | None = None
        self.walked = self.done = False
        self.before = self.retries = 0
        self.waits_for = ""

    def act(self, obs: dict[str, Any]) -> dict[str, Any] | None:
        if self.waits_for and not self._answered(obs["events"]):
            return None
        carried = sum(stack["count"] for stack in obs["inventory"])
        if self.walked and self.before:
            assert self._cell(obs, self.block) == "AIR"
            assert carried > self.before
            self.done = True
            return None
        if self.block is None:
            self.block, self.beside = self._plan(obs)
        x, y, z = obs["self"]["pos"]
        near = abs(x - self.block[0]) + abs(y - self.block[1]) + abs(z - self.block[2]) <= REACH
        self.waits_for = "ref"
        if self.walked or near:
            self.walked, self.before = True, carried
            return {"tasks": [{"id": "ref", "type": "MINE", "block_pos": self.block}]}
        walk = {"id": "ref", "type": "MOVE_TO", "target": self.beside, "tolerance": TOLERANCE}
        return {"tasks": [walk]}

    def _answered(self, events: list[dict[str, Any]]) -> bool:
        for event in events:
            if event["type"] == "ACTION_RESULT" and event["ref"] == self.waits_for:
                assert event["ok"], event
                self.waits_for = event["task_id"]
        for event in events:
            if event.get("task_id") == self.waits_for and event["type"] == "TASK_FAIL":
                assert event["code"] in ("E_INVALID_TARGET", "E_BLOCKED")
                assert self.retries < RETRIES, event
                self.retries += 1
                self.block, self.walked, self.before, self.waits_for = None, False, 0, ""
                return True
            if event.get("task_id") == self.waits_for and event["type"] == "TASK_DONE":
                self.walked, self.waits_for = True, ""
                return True
        return False

    def _plan(self, obs: dict[str, Any]) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        x, y, z = obs["self"]["pos"]
        reach = range(-RADIUS, RADIUS + 1)
        cells = [(abs(dx) + abs(dz), dz, dx) for dz in reach for dx in reach]
        blocks = [at for at in cells if self._cell(obs, (x + at[2], y, z + at[1])) in LOOKED_FOR]
        _, dz, dx = min(blocks)
        block = (x + dx, y, z + dz)
        sides = [(block[0] + side_x, y, block[2] + side_z) for side_x, side_z in SIDES]
        return block, next((cell for cell in sides if self._cell(obs, cell) == "AIR"), (x, y, z))

    def _cell(self, obs: dict[str, Any], at: tuple[int, int, int] | None) -> str | None:
        assert at is not None
        width = 2 * RADIUS + 1
        dx, dy, dz = (a - b + RADIUS for a, b in zip(at, obs["voxels"]["center"], strict=True))
        if not all(0 <= d < width for d in (dx, dy, dz)):
            return None
        return self.palette[
            decode_rle(obs["voxels"]["data"], radius=RADIUS)[(dy * width + dz) * width + dx]
        ]


@pytest.mark.parametrize("seed", [1, 7, 41, 1337, 2024, 99_991])
def test_in_every_glade_it_mines_what_is_nearest_twice(seed: int) -> None:
    world = World(seed=seed, agents=24)
    seen = world.reset()
    for _ in BOULDERS:
        clients = {agent_id: MineGather() for agent_id in seen}
        for _ in range(LONGEST_TICKS):
            acts = {agent_id: clients[agent_id].act(obs) for agent_id, obs in seen.items()}
            if all(client.done for client in clients.values()):
                break
            seen = world.step({agent_id: act for agent_id, act in acts.items() if act is not None})
        assert all(client.done for client in clients.values())


@pytest.mark.parametrize("seed", [1, 7, 1337])
def test_from_any_side_of_a_block_a_walk_ends_within_reach(seed: int) -> None:
    ways = [(block, side) for block in BOULDERS for side in SIDES]
    world = World(seed=seed, agents=3 * len(ways))
    seen = world.reset()
    acts, blocks = {}, {}
    for number, (agent_id, obs) in enumerate(seen.items()):
        (dx, dz), (side_x, side_z) = ways[number % len(ways)]
        x, y, z = obs["self"]["pos"]
        blocks[agent_id] = (x + dx, y, z + dz)
        beside = (x + dx + side_x, y, z + dz + side_z)
        walk = {"id": "go", "type": "MOVE_TO", "target": beside, "tolerance": TOLERANCE}
        acts[agent_id] = {"tasks": [walk]}
    seen = world.step(acts)
    while any(obs["tasks"] for obs in seen.values()):
        seen = world.step({})
    for agent_id, obs in seen.items():
        assert (
            sum(abs(a - b) for a, b in zip(obs["self"]["pos"], blocks[agent_id], strict=True))
            <= REACH
        )
