"""A newcomer earns something with four verbs, if somebody tells it of a job that fits its
pocket."""

from __future__ import annotations

from typing import Any

from tests.village.newcomer import Newcomer
from thorp import env

KIT = {"BERRIES": 10, "STONE_AXE": 1, "CONTRACT_TERMINAL": 1}


def test_a_newcomer_that_is_told_of_a_job_earns_its_reward() -> None:
    world = env.World(7, agents=2, tuning={"starter_items": KIT, "world_events": False})
    seen = world.reset()
    x, y, z = seen["A1"]["self"]["pos"]
    terminal = f"CONTRACT_TERMINAL@{x + 1},{y},{z}"
    put_up = {
        "id": "P",
        "type": "PLACE",
        "block_pos": [x + 1, y, z],
        "item_id": "CONTRACT_TERMINAL",
    }
    world.step({"A1": {"tasks": [put_up]}})
    goods: dict[str, Any] = {
        "requirements": [{"item": "BERRIES", "count": 6}],
        "reward": [{"item": "STONE_AXE", "count": 1}],
    }
    post = {
        "id": "C",
        "type": "POST_CONTRACT",
        "terminal_id": terminal,
        "contract_kind": "GATHER",
        **goods,
    }
    seen = world.step({"A1": {"instants": [post]}})
    (result,) = [event for event in seen["A1"]["events"] if event.get("ref") == "C"]
    text = "Welcome! Bring six berries to the terminal."
    job = {"contract": result["contract_id"], "terminal": terminal, "give": [["BERRIES", 6]]}
    whisper = {"id": "W", "type": "WHISPER", "to": "A2", "text": text, "data": {"job": job}}
    seen = world.step({"A1": {"instants": [whisper]}})
    newcomer = Newcomer()
    for _ in range(300):
        act = newcomer.act(seen["A2"])
        if newcomer.earned:
            break
        seen = world.step({} if act is None else {"A2": act})
    assert newcomer.heard == [text]
    assert newcomer.earned
    carried = {stack["item"]: stack["count"] for stack in seen["A2"]["inventory"]}
    assert carried == {"BERRIES": 4, "CONTRACT_TERMINAL": 1, "STONE_AXE": 2}
