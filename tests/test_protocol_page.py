"""docs/protocol.md: its table of actions is made from the code, and its messages are real ones."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any, get_args

import aiohttp
import jsonschema
import msgspec
import pytest
from scripts import action_table

from tests.cli.serving import served
from thorp.client import connect, place
from thorp.env import World
from thorp.protocol.actions import SoundInstant, SoundTask
from thorp.protocol.observer import AnyObserverMessage, Subscribe
from thorp.protocol.schemas import NAMES, message_schema
from thorp.protocol.session import TASK_TYPES
from thorp.voxel.tuning import read_tuning

PAGE = action_table.PAGE.read_text("utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.S | re.M)]
MESSAGES = {block["type"]: block for block in BLOCKS if "type" in block}
(DELTA,) = (block for block in BLOCKS if "type" not in block)
ROWS = {row[0].strip("`"): row for row in action_table.rows()}
CHEST = read_tuning({"starter_items": {"BERRIES": 10, "CHEST": 1, "PLANK": 20}})


def test_the_table_of_actions_is_the_one_that_the_code_makes() -> None:
    """If not: python scripts/action_table.py"""
    assert action_table.with_table(PAGE) == PAGE


def test_every_action_has_a_row_with_fields_result_costs_and_refusals() -> None:
    assert set(ROWS) == {
        kind.__struct_config__.tag for kind in (*get_args(SoundTask), *get_args(SoundInstant))
    }
    assert ROWS["OFFER_TRADE"][1:4] == (
        "`to`, `offer` [[item, count], …], `request` [[item, count], …]",
        "`trade_id`; `TRADE_OFFER`",
        "nothing until it is accepted; 3 in 50 ticks",
    )
    assert [row[0] for row in ROWS.values() if not row[4]] == ["`STOP`"], (
        "nothing else is never refused"
    )


@pytest.mark.parametrize("kind", sorted(set(ROWS) - {"STOP", "LOAD_MEMORY"}))
def test_the_refusal_that_a_world_gives_is_in_the_row(kind: str) -> None:
    """What an action without fields is answered in a real world, its row tells."""
    world = World(seed=7)
    world.reset()
    part = "tasks" if kind in TASK_TYPES else "instants"
    (event,) = (
        event
        for event in world.step({"A1": {part: [{"type": kind}]}})["A1"]["events"]
        if event["type"] == "ACTION_RESULT"
    )
    known = re.findall(rf"`{event['code']}` ([^`]*)", ROWS[kind][4])
    assert known, (event, ROWS[kind][4])
    said = [re.escape(each.strip("; ")).replace("…", ".*") for each in known[0].split(" · ")]
    assert any(re.fullmatch(each, event["message"]) for each in said), (event["message"], said)


@pytest.mark.parametrize("name", NAMES)
def test_the_messages_shown_are_right(name: str) -> None:
    jsonschema.validate(MESSAGES[name.upper()], message_schema(name))


def shape(value: Any) -> Any:
    """The names and types of everything in a value; of a list, the shapes that its items have."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(shape(each), sort_keys=True) for each in value})
    return "number" if type(value) in (int, float) else type(value).__name__


def test_a_real_server_sends_and_takes_what_the_page_shows(tmp_path: Path) -> None:
    async def talk(url: str) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        async with aiohttp.ClientSession() as http, http.ws_connect(f"{url}/v1/ws") as socket:

            async def receive() -> dict[str, Any]:
                message: dict[str, Any] = await socket.receive_json(timeout=20)
                seen[message.get("name", message["type"])] = message
                return message

            await socket.send_json(MESSAGES["HELLO"])
            while (await receive())["type"] != "OBS":
                pass
            await socket.send_json({**MESSAGES["ACT"], "tick": seen["OBS"]["tick"]})
            obs = await receive()
            place = {"type": "PLACE", "block_pos": [2, 27, 1], "item_id": "PLANK"}
            again = {**MESSAGES["ACT"], "tick": obs["tick"], "instants": [], "cancel": []}
            await socket.send_json({**again, "tasks": [{"type": "STOP"}, place]})
            seen["OBS"], seen["DELTA"] = obs, (await receive())["voxels"]
            await socket.send_json(MESSAGES["RETIRE"])
            end = await socket.receive(timeout=20)
            seen["RETIRE"] = (end.data, end.extra)
        return seen

    with served(tmp_path / "data", tuning=CHEST) as url:
        seen = asyncio.run(talk(url.replace("http", "ws")))
    assert shape(seen["WELCOME"]) == shape(MESSAGES["WELCOME"])
    assert seen["law_templates"] == MESSAGES["CATALOG"]
    assert shape(seen["OBS"]) == shape(MESSAGES["OBS"])
    assert seen["OBS"]["events"] == MESSAGES["OBS"]["events"]
    assert seen["DELTA"] == DELTA
    assert seen["RETIRE"] == (4002, "retired")


OBSERVED = {kind.__struct_config__.tag: kind for kind in (Subscribe, *get_args(AnyObserverMessage))}


@pytest.mark.parametrize("name", OBSERVED)
def test_the_messages_of_spectators_are_shown_with_every_field(name: str) -> None:
    shown = msgspec.convert(MESSAGES[name], OBSERVED[name])
    fields = {field.encode_name for field in msgspec.structs.fields(OBSERVED[name])}
    assert set(MESSAGES[name]) == fields | {"type"}
    assert json.loads(msgspec.json.encode(shown)) == MESSAGES[name]


def test_a_spectator_is_sent_what_the_page_shows(tmp_path: Path) -> None:
    async def watch(url: str) -> dict[str, Any]:
        seen: dict[str, Any] = {}

        async def read(socket: aiohttp.ClientWebSocketResponse) -> None:
            while not {"CHUNK_SURFACE", "CHUNK_VOXELS", "CHUNK_PATCH", "CHUNK_VOXEL_PATCH"} <= set(
                seen
            ):
                message = await socket.receive_json()
                if message["type"] != "TICK" or "audits" in message:
                    seen.setdefault(message["type"], message)
                if {"CHUNK_SURFACE", "CHUNK_VOXELS"} <= set(seen):
                    ready.set()

        ready = asyncio.Event()
        async with (
            connect(url, "mole") as agent,
            aiohttp.ClientSession() as http,
            http.ws_connect(f"{url}/admin/v1/observer/ws") as socket,
        ):
            await socket.send_json(MESSAGES["SUBSCRIBE"])
            reading = asyncio.create_task(read(socket))
            while not ready.is_set():
                await agent.observe()
            x, y, z = agent.position
            await agent.do(place((x + 1, y, z), "PLANK"))
            await asyncio.wait_for(reading, 20)
        return seen

    with served(tmp_path / "data", clock="real") as url:
        seen = asyncio.run(watch(url.replace("http", "ws")))
    for name in ("CHUNK_SURFACE", "CHUNK_VOXELS", "CHUNK_PATCH", "CHUNK_VOXEL_PATCH"):
        assert shape(seen[name]) == shape(MESSAGES[name])
        assert seen[name].get("cells") == MESSAGES[name].get("cells")
        assert seen[name].get("data", "").startswith(MESSAGES[name].get("data", ""))
    tick, shown = shape(seen["TICK"]), shape(MESSAGES["TICK"])
    optional = {"joins", "leaves"}
    assert {name: tick[name] for name in tick if name != "agents"} == {
        name: shown[name] for name in shown if name not in {*optional, "agents"}
    }
    assert set(seen["TICK"]["agents"][0]) <= set(MESSAGES["TICK"]["agents"][0])
