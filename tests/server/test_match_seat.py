"""Agents of `/v1/ws` in voxel matches: real programs, which connect as to any served world."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.arena.external.matches import PATIENT, is_gone, outcomes
from tests.bridges.test_voxel_match import is_true
from thorp.arena import MatchResult
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.service import play
from thorp.bridges.voxel_match import VoxelSurvival
from thorp.kernel.errors import InvalidError

CLIENT = Path(__file__).parents[2] / "examples" / "client.mjs"

FELLER = """
import asyncio, os, signal, sys
from thorp.client import connect, mine, say

signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "w").write(str(os.getpid()))

async def main():
    assert os.environ["THORP_STATE"] == "", "no match leaves a token behind"
    async with connect(os.environ["THORP_URL"], "Ada") as agent:
        assert await agent.do(say("Hello."))
        assert await agent.do(mine(agent.find("LOG")))
        while True:
            await agent.observe()

asyncio.run(main())
"""

UNRULY = """
import asyncio, sys
import aiohttp

HEAD = {"protocol_version": "0.9"}
HOSTILE = '{"type": "ACT", "protocol_version": "0.9", "tick": 0, "x": %s}'
HELLO = {**HEAD, "type": "HELLO", "agent_name": "Imp", "capabilities": {}}

async def main(url):
    async with aiohttp.ClientSession() as http:
        first = await http.ws_connect(url)
        await first.send_json(HELLO)
        seen = await obs(first)
        for frame in ("{", "[]", '{"type": "ACT", "protocol_version": "0.9", "tick": 1, "tasks": 7}',
                      HOSTILE % ("[" * 9_000), HOSTILE % '"\\\\ud800"', HOSTILE % "1e999", HOSTILE % 10**400):
            await first.send_str(frame)
        await first.send_bytes(b"\\xff\\xfe")
        await act(first, 99_999)
        await act(first, seen["tick"], "one")
        told = [event.get("code") for event in (await obs(first))["events"]]
        assert {"E_BAD_REQUEST", "E_STALE"} <= set(told), told
        seen = await obs(first)  # it let a turn pass, and is shown the next one
        second = await http.ws_connect(url)
        await second.send_json(HELLO)
        assert (await obs(second))["tick"] == seen["tick"]
        assert (await first.receive()).data == 4001
        await act(second, seen["tick"], "three")
        await act(second, seen["tick"], "too late, and still in time")
        await act(second, (await obs(second))["tick"], "four")
        await obs(second)
        sys.exit(3)

async def obs(socket):
    while (message := await socket.receive_json())["type"] != "OBS":
        assert message["type"] in ("WELCOME", "CATALOG")
    return message

async def act(socket, tick, *texts):
    said = [{"type": "SAY", "text": text} for text in texts]
    await socket.send_json({**HEAD, "type": "ACT", "agent_id": "A1", "tick": tick, "instants": said})

asyncio.run(main(sys.argv[1]))
"""


def play_alone(
    spec: str, ticks: int, limits: Limits = PATIENT, scenario: str = "voxel-survival"
) -> MatchResult:
    task = MatchTask(scenario, (Seat("seat-1", spec),), 3, 100, {"ticks": ticks}, limits=limits)
    return play(task, None)


def python(path: Path, text: str, *arguments: str) -> str:
    path.write_text(text)
    return f"ws:{shlex.join([sys.executable, str(path), *arguments])}"


def said(action: Any) -> list[str]:
    return [instant["text"] for instant in action["instants"]]


def test_an_agent_of_the_kit_plays_and_the_log_is_verified(tmp_path: Path) -> None:
    result = play_alone(python(tmp_path / "feller.py", FELLER, str(tmp_path / "pid")), ticks=40)
    assert result.scores == {"seat-1": 1}
    assert [event["type"] for event in result.events if event["type"] == "AgentError"] == []
    assert is_true(result.jsonl, VoxelSurvival(ticks=40))
    assert is_gone(int((tmp_path / "pid").read_text())), "though it will not be told to end"


@pytest.mark.real("node")
def test_the_client_in_javascript_plays_and_its_end_is_told() -> None:
    told = outcomes(play_alone(f"ws:node {shlex.quote(str(CLIENT))} {{url}}", ticks=40))
    assert said(told[0]) == ["Bonjour."]
    assert told[1]["tasks"][0]["type"] == "MOVE_TO"
    assert told[-1] == "agent process ended (exit code 0)"


def test_one_that_is_unruly_passes_or_is_told(tmp_path: Path) -> None:
    limits = Limits(turn_seconds=2, match_seconds=60)
    told = outcomes(play_alone(python(tmp_path / "unruly.py", UNRULY, "{url}"), 35, limits))
    assert said(told[0]) == ["one"]
    assert told[1] == "no action within 2 s"
    assert said(told[2]) == ["three"]
    assert said(told[3]) == ["too late, and still in time", "four"]
    assert told[4:] == ["agent process ended (exit code 3)"] * 3


def test_it_plays_nothing_else() -> None:
    with pytest.raises(
        InvalidError, match="agents of /v1/ws play voxel-survival and voxel-village, not num"
    ):
        play(MatchTask("number-guess", (Seat("a", "ws:true"), Seat("b", "random")), 3, 9), None)
