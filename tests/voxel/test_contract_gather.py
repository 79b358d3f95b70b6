"""Two newcomers who come together meet at a contract terminal, as the first servers' newest agents
do.

Each of them names every target at its own feet's height, as those agents do: one has just woken,
and knows no other height.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from thorp.env import World
from thorp.voxel.terrain.columns import SCATTER, SPACING
from thorp.voxel.tuning import Tuning

TUNING = Tuning(
    starter_items={"CONTRACT_TERMINAL": 1, "COAL": 10, "PLANK": 20, "BERRIES": 10},
    world_events=False,
)
# Sites of neighbouring squares are at most this far apart along an axis.
BESIDE = SPACING + 2 * SCATTER
LONGEST_TICKS = 300
ASKED = [{"item": "COAL", "count": 2}]
PAID = [{"item": "PLANK", "count": 5}]


class Duo:
    """A poster and an acceptor, who agree on everything outside the world."""

    def __init__(self, poster: str, acceptor: str) -> None:
        self.poster = poster
        self.acceptor = acceptor
        self.script = self._play()
        self.acts: dict[str, Any] = next(self.script)
        self.done = False

    def take(self, seen: dict[str, Any]) -> None:
        try:
            self.acts = self.script.send(seen)
        except StopIteration:
            self.acts = {}
            self.done = True

    def _play(self) -> Any:
        seen = yield {}
        x, y, z = seen[self.poster]["self"]["pos"]
        terminal = f"CONTRACT_TERMINAL@{x + 1},{y},{z}"
        place = {"type": "PLACE", "item_id": "CONTRACT_TERMINAL", "block_pos": [x + 1, y, z]}
        yield from self._task(self.poster, place)
        post = {"type": "POST_CONTRACT", "terminal_id": terminal, "contract_kind": "GATHER"}
        told = yield from self._instant(
            self.poster, {**post, "requirements": ASKED, "reward": PAID, "duration_ticks": 3000}
        )
        own_y = (yield {})[self.acceptor]["self"]["pos"][1]
        walk = {"type": "MOVE_TO", "target": [x + 2, own_y, z], "tolerance": 1.2}
        yield from self._task(self.acceptor, walk)
        accept = {
            "type": "ACCEPT_CONTRACT",
            "terminal_id": terminal,
            "contract_id": told["contract_id"],
        }
        yield from self._instant(self.acceptor, accept)
        bring = {"type": "TRANSFER", "src_container": "SELF", "dst_container": terminal}
        yield from self._task(self.acceptor, {**bring, "item_id": "COAL", "count": 2})
        own = (yield {})[self.acceptor]["inventory"]
        assert {"item": "PLANK", "count": 25} in own, "the terminal pays at once"

    def _instant(self, who: str, wish: dict[str, Any]) -> Any:
        seen = yield {who: {"instants": [{"id": "ref", **wish}]}}
        while True:
            for event in seen[who]["events"]:
                if event["type"] == "ACTION_RESULT" and event["ref"] == "ref":
                    assert event["ok"], event
                    return event
            seen = yield {}

    def _task(self, who: str, wish: dict[str, Any]) -> Any:
        seen = yield {who: {"tasks": [{"id": "ref", **wish}]}}
        task_id = None
        while True:
            for event in seen[who]["events"]:
                if event["type"] == "ACTION_RESULT" and event["ref"] == "ref":
                    assert event["ok"], event
                    task_id = event["task_id"]
                if event["type"] in ("TASK_DONE", "TASK_FAIL") and event["task_id"] == task_id:
                    assert event["type"] == "TASK_DONE", (wish, event)
                    return
            seen = yield {}


@pytest.mark.parametrize("seed", [1, 7, 41, 1337, 2024, 99_991])
def test_newcomers_meet_at_a_terminal(seed: int) -> None:
    world = World(seed=seed, agents=48, tuning=TUNING)
    seen = world.reset()
    ids = list(seen)
    for one, other in pairwise(ids):
        a, b = seen[one]["self"]["pos"], seen[other]["self"]["pos"]
        assert max(abs(a[0] - b[0]), abs(a[2] - b[2])) <= BESIDE, (one, other)
    duos = [Duo(one, other) for one, other in zip(ids[::2], ids[1::2], strict=True)]
    for _ in range(LONGEST_TICKS):
        for duo in duos:
            duo.take(seen)
        if all(duo.done for duo in duos):
            break
        seen = world.step({who: act for duo in duos for who, act in duo.acts.items()})
    assert [duo.acceptor for duo in duos if not duo.done] == []
