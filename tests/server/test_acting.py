"""What arrives after the handshake: good ACTs, bad ones, and far too many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Flooder, Served, masked_frame, with_server
from thorp.server.sockets import agents
from thorp.server.sockets.frames import (
    BURST_BYTES,
    BYTES_PER_SECOND,
    IGNORED_COST_BYTES,
    TokenBucket,
)
from thorp.server.sockets.tick_inbox import ACTS_PER_TICK


@with_server()
async def test_a_result_comes_with_the_next_obs_exactly_once(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        await mole.act(instants=[{"id": "i1", "type": "SAY", "text": "hello"}])
        results = [await mole.result("i1")]
        for _ in range(10):
            results += [
                event for event in (await mole.obs())["events"] if event["type"] == "ACTION_RESULT"
            ]
        assert [(result["ref"], result["ok"]) for result in results] == [("i1", True)]


@with_server()
async def test_the_padding_of_a_client_that_serialises_everything_is_not_looked_at(
    served: Served,
) -> None:
    async with served.agent() as mole:
        x, y, z = (await mole.obs())["self"]["pos"]
        padding = {"block_pos": [0, 0, 0], "anchor": [0, 0, 0], "rotation": 0}
        task = {"id": "k", "type": "MOVE_TO", "target": [x + 2, y, z], "tolerance": 1, **padding}
        instant = {"id": "i", "type": "SAY", "text": "hi", "anchor": [0, 0, 0]}
        await mole.act(tasks=[task], instants=[instant])
        assert (await mole.result("i"))["ok"]
        assert next(e for e in mole.last["events"] if e.get("ref") == "k")["task_id"]


@with_server()
async def test_the_agent_id_of_an_act_is_not_believed(served: Served) -> None:
    async with served.agent("one") as one, served.agent("two") as two:
        await served.caught_up(one, two)
        stop = {
            "type": "ACT",
            "protocol_version": "0.9",
            "tick": one.last["tick"],
            "agent_id": two.id,
        }
        await one.send({**stop, "tasks": [{"id": "mine", "type": "STOP"}]})
        assert (await one.result("mine"))["ok"]
        for _ in range(5):
            assert not (await two.obs())["events"]


MALFORMED = {
    "not JSON": ("nonsense", "frame"),
    "truncated": ('{"type":"ACT","protocol_version":"0.9","tick":', "frame"),
    "deeply nested": ("[" * 200_000, "frame"),
    "nested inside": ('{"type":"ACT","tasks":' + "[" * 5000 + "]" * 5000 + "}", ""),
    "a tick that is no integer": ('{"type":"ACT","protocol_version":"0.9","tick":1.5}', "tick"),
    "a tick below zero": ('{"type":"ACT","protocol_version":"0.9","tick":-1}', "tick"),
    "a tick beyond every range": (
        '{"type":"ACT","protocol_version":"0.9","tick":' + "9" * 400 + "}",
        "tick",
    ),
    "another version": ('{"type":"ACT","protocol_version":"2","tick":1}', "protocol_version"),
    "tasks that are no list": (
        '{"type":"ACT","protocol_version":"0.9","tick":1,"tasks":{}}',
        "tasks",
    ),
}


@with_server()
async def test_a_malformed_act_gets_a_result_that_names_the_field_and_changes_nothing(
    served: Served,
) -> None:
    async with served.agent() as mole:
        before = await mole.obs()
        for name, (frame, field) in MALFORMED.items():
            await mole.send(frame)
            result = await mole.result("ACT")
            assert (result["ok"], result["code"]) == (False, "E_BAD_REQUEST"), name
            assert field in result["message"], name
            assert len(result["message"]) <= agents.MAX_PROBLEM_BYTES
        assert mole.last["self"] == before["self"]
        assert mole.last["inventory"] == before["inventory"]


@with_server(tick_rate_hz=20)
async def test_where_the_first_servers_were_lenient_this_one_is_too(served: Served) -> None:
    async with served.agent() as mole:
        await served.caught_up(mole)
        await mole.send(
            {"type": "ACT", "protocol_version": "0.9", "tasks": [{"id": "k", "type": "STOP"}]}
        )
        assert (await mole.result("ACT"))["code"] == "E_STALE"
        await served.caught_up(mole)
        ref = "r" * 1000
        asked = [
            {"id": ref, "type": "SAY", "channel": " market ", "text": "hello"},
            {
                "id": "v",
                "type": "SAVE_MEMORY",
                "key": "k",
                "value": "x" * 100_000,
                "ttl_ticks": 2**40,
            },
            {"id": "w", "type": "SAVE_MEMORY", "key": "k", "value": "x", "ttl_ticks": 2**40},
        ]
        await mole.act(
            instants=asked, tasks=[{"id": "c", "type": "CRAFT", "recipe_id": "torch", "count": 0}]
        )
        assert (await mole.result("c"))["code"] == "E_BAD_REQUEST"
        told = {
            event["ref"]: event for event in mole.last["events"] if event["type"] == "ACTION_RESULT"
        }
        assert told[ref]["ok"]
        assert told["v"]["code"] == "E_NO_RESOURCE"
        assert told["w"]["ok"]


@with_server(tick_rate_hz=20)
async def test_of_too_many_actions_the_first_are_done_and_the_others_answered(
    served: Served,
) -> None:
    async with served.agent() as mole:
        await served.caught_up(mole)
        await mole.act(instants=[{"id": f"i{n}", "type": "LOAD_MEMORY"} for n in range(90)])
        results: list[dict[str, Any]] = []
        while len(results) < 81:
            events = (await mole.obs())["events"]
            assert len(events) <= 20
            results += [event for event in events if event["type"] == "ACTION_RESULT"]
            if len(results) == len(events):
                assert [event["ref"] for event in events[-16:]] == [f"i{n}" for n in range(16)]
        answers = {event["ref"]: event.get("code") for event in results}
        assert [answers[f"i{n}"] for n in range(16)] == [None] * 16
        assert [answers[f"i{n}"] for n in range(16, 80)] == ["E_RATE_LIMIT"] * 64
        assert answers["ACT"] == "E_RATE_LIMIT"
        assert len(results) == 81


@with_server()
async def test_bytes_that_are_no_utf8_are_answered_in_text_and_in_binary_frames(
    served: Served,
) -> None:
    async with served.agent() as mole:
        await mole.obs()
        frame = b'{"type":"ACT","protocol_version":"0.9","tick":1,"cancel":["\xff\xfe"]}'
        await mole.socket.send_bytes(frame)
        assert (await mole.result("ACT"))["code"] == "E_BAD_REQUEST"
        await mole.socket.send_frame(frame, 1)  # type: ignore[arg-type]
        assert (await mole.result("ACT"))["code"] == "E_BAD_REQUEST"


@with_server()
async def test_a_binary_frame_is_read_as_if_it_were_text(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        act = {"type": "ACT", "protocol_version": "0.9", "tick": mole.last["tick"]}
        await mole.socket.send_bytes(
            json.dumps({**act, "tasks": [{"id": "k", "type": "STOP"}]}).encode()
        )
        assert (await mole.result("k"))["ok"]


@with_server()
async def test_one_bad_action_does_not_spoil_the_others(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        bad = [
            {"id": "far", "type": "MINE", "block_pos": [2**40, 0, 0]},
            {"id": "what", "type": "DANCE"},
        ]
        await mole.act(tasks=[*bad, {"id": "good", "type": "STOP"}])
        assert (await mole.result("good"))["ok"]
        refused = {event["ref"]: event["code"] for event in mole.last["events"] if not event["ok"]}
        assert refused == {"far": "E_BAD_REQUEST", "what": "E_BAD_REQUEST"}


@with_server()
async def test_messages_of_other_kinds_are_ignored(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        for kind in ("HELLO", "EVENT_BATCH_REQ", "PING"):
            await mole.send({"type": kind, "protocol_version": "0.9"})
        await mole.act(tasks=[{"id": "k", "type": "STOP"}])
        assert (await mole.result("k"))["ok"]
        assert [event["type"] for event in mole.last["events"]] == ["ACTION_RESULT"]


@with_server()
async def test_a_stale_act_is_told_so(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        for tick in (0, mole.last["tick"] + 50):
            await mole.act(tick, tasks=[{"id": "k", "type": "STOP"}])
            assert (await mole.result("ACT"))["code"] == "E_STALE"


@with_server()
async def test_a_frame_of_a_mebibyte_is_read_and_a_longer_one_closes_the_socket(
    served: Served,
) -> None:
    async with served.agent() as mole:
        await mole.obs()
        act = {"type": "ACT", "protocol_version": "0.9", "tick": mole.last["tick"], "pad": ""}
        act["tasks"] = [{"id": "k", "type": "STOP"}]  # type: ignore[assignment]
        act["pad"] = "x" * (2**20 - len(json.dumps(act)))
        assert len(json.dumps(act)) == 2**20
        await mole.send(act)
        result = await mole.event("ACTION_RESULT")
        assert result["ref"] == "k" or result["code"] == "E_STALE"
        act["pad"] += "x"
        await mole.send(act)
        assert (await mole.closed()).code == 1009
    async with served.agent("other") as other:
        await other.obs()


@with_server()
async def test_fragments_that_grow_beyond_a_mebibyte_close_the_socket(served: Served) -> None:
    async with served.agent() as mole:
        transport = mole.socket._writer.transport  # type: ignore[union-attr]
        transport.write(masked_frame(bytes(60_000), final=False))
        for _ in range(20):
            transport.write(masked_frame(bytes(60_000), opcode=0, final=False))
        assert (await mole.closed()).code == 1009


FLOODS = {
    "acts": masked_frame(
        json.dumps({"type": "ACT", "protocol_version": "0.9", "tick": 1}).encode()
    ),
    "malformed": masked_frame(b"{"),
    "another type": masked_frame(b'{"type":"NOISE"}'),
    "empty": masked_frame(b""),
    "long": masked_frame(b"x" * 500_000),
    "pings": masked_frame(b"x" * 100, opcode=9),
    "pongs": masked_frame(b"", opcode=10),
    "fragments": masked_frame(b"", final=False) + masked_frame(b"", opcode=0),
}


BEGUN = masked_frame(b"", final=False)
MORE = masked_frame(b"", opcode=0, final=False)


@with_server(tick_rate_hz=20)
async def test_a_message_of_empty_pieces_without_end_is_held_back(served: Served) -> None:
    async with served.agent("quiet") as quiet:
        await quiet.obs()
        flooder = Flooder(served.port, MORE, seconds=1.0, first=BEGUN)
        flooder.start()
        ticks = [quiet.last["tick"]]
        while flooder.is_alive():
            ticks.append((await quiet.obs())["tick"])
        assert len(ticks) >= 10
        assert ticks == list(range(ticks[0], ticks[0] + len(ticks)))
        assert flooder.sent_bytes < 8 * 2**20


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_from_one_client_does_not_delay_another(kind: str, tmp_path: Path) -> None:
    @with_server(tick_rate_hz=20)
    async def play(served: Served) -> None:
        async with served.agent("quiet") as quiet:
            await quiet.obs()
            flooder = Flooder(served.port, FLOODS[kind], seconds=0.8)
            flooder.start()
            ticks, busiest = [quiet.last["tick"]], 0
            while flooder.is_alive():
                ticks.append((await quiet.obs())["tick"])
                busiest = max(busiest, served.live.agents.queue_depths["inbox"])
            assert busiest <= ACTS_PER_TICK
            assert len(ticks) >= 5
            assert ticks == list(range(ticks[0], ticks[0] + len(ticks)))
            assert flooder.sent_bytes < 16 * 2**20  # the rest was held back

    play(tmp_path)


@with_server(tick_rate_hz=5)
async def test_what_does_not_fit_into_a_tick_waits_for_the_next_and_is_answered(
    served: Served,
) -> None:
    async with served.agent() as mole:
        await mole.obs()
        for n in range(40):
            await mole.act(instants=[{"id": f"i{n}", "type": "LOAD_MEMORY"}])
        answers: list[Any] = []
        while len(answers) < 40:
            obs = await mole.obs()
            results = [event for event in obs["events"] if event["type"] == "ACTION_RESULT"]
            assert len(results) <= ACTS_PER_TICK
            answers += results
        assert [answer["ref"] for answer in answers[:4]] == ["i0", "i1", "i2", "i3"]
        assert {answer.get("code") for answer in answers} <= {None, "E_STALE"}


def test_a_token_bucket_empties_and_refills_with_time() -> None:
    allowance = TokenBucket(100.0)
    assert allowance.spend(100.0, BURST_BYTES) == 0.0
    assert allowance.spend(100.0, BYTES_PER_SECOND) == 1.0
    assert allowance.spend(101.0, 0) == 0.0
    assert allowance.spend(10_000.0, BURST_BYTES) == 0.0
    assert allowance.spend(10_000.0, 1) > 0.0


def test_frames_without_effect_are_limited_to_a_hundred_a_second() -> None:
    allowance = TokenBucket(0.0)
    now, taken = 0.0, 0
    while now < 10.0:
        now += allowance.spend(now, IGNORED_COST_BYTES)
        taken += 1
    assert taken <= 100 * 11 + 2
