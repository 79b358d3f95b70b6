"""`thorp agent …`: what an agent saw, did and was told; and a token for who lost its own."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from tests.cli.command import refused, thorp
from tests.cli.serving import served
from thorp.bridges.voxel_town import new_city_world
from thorp.cli import agent, fork, tick_progress
from thorp.protocol.act import Act, read_act
from thorp.protocol.actions import Mine, Say
from thorp.simulator.inline import Inline
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.inputs import Acted, AnyInput, Detach, Join, Malformed

TOO_FAR = Mine(id="dig", block_pos=(3000, 20, 3000))
FLY = read_act(
    b'{"type":"ACT","protocol_version":"0.9","tick":1,"instants":[{"id":"q","type":"FLY"}]}'
)
LIFE: list[list[AnyInput]] = [
    [Join("mole", "00"), Join("vole", "00")],
    [
        Acted(
            1,
            Act(
                tick=1,
                instants=[Say(id="hi", text="good\nday"), *FLY.instants],
                tasks=[TOO_FAR],
                cancel=["T9"],
            ),
        )
    ],
    [Malformed(1, "tick: expected an integer")],
    [],
    [Detach(1)],
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("trace") / "data"
    with WorldService.open(
        RealDisk(), data / "world", seed=4, draw_seed=5, threads=Inline, make_world=new_city_world
    ) as service:
        for inputs in LIFE:
            service.tick(inputs).result()
    return data


def test_trace_shows_what_an_agent_did_and_was_told(data: Path) -> None:
    shown = thorp("agent", "trace", "A1", "--data", data).stdout.decode().splitlines()
    heads = [line.split(" at ")[0] for line in shown if line.startswith("tick")]
    assert heads == ["tick 1", "tick 2", "tick 3", "tick 5"]
    rest = [line.strip() for line in shown if not line.startswith("tick")]
    assert rest[0] == "joined"
    assert "sent MINE (dig) block_pos=(3000, 20, 3000)" in rest
    assert 'T9: refused, E_INVALID_TARGET: task not found (No task "T9"; running: none)' in rest
    (failure,) = [line for line in rest if line.startswith("MINE: refused")]
    assert failure.startswith(
        "MINE: refused, E_INVALID_TARGET: too far kind=MINE task_id=T000001 (3000 20 3000 is "
    )
    assert failure.endswith(" cells away, reach 2)")
    # What could not be read is shown as it was sent.
    assert 'sent {"id":"q","type":"FLY"} (q), unknown instant type' in rest
    assert (
        'q: refused, E_BAD_REQUEST: unknown instant type (No action "FLY". '
        "docs/protocol.md lists all)" in rest
    )
    assert "sent what could not be read: tick: expected an integer" in rest
    assert rest[-1] == "detached"


def test_trace_and_fork_show_progress_where_their_output_is_piped(
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(tick_progress, "LINE_SECONDS", 0)
    ticks = agent.TickOptions()
    reasons = agent.ReasonOptions()
    output = agent.OutputOptions()
    agent.trace("vole", data=data, ticks=ticks, reasons=reasons, output=output)
    printed = capsys.readouterr()
    assert printed.out.startswith("tick 1 at ")
    executed = re.findall(r"^executing: tick (\d) of 5(?:, .* s left)?$", printed.err, re.M)
    assert executed == [*"12345", *"12345"], "the name is looked for in all of them first"
    fork.fork_command(3, tmp_path / "copy", fork.StoryOptions(), data=data)
    printed = capsys.readouterr()
    assert "a world that goes on from tick 3" in printed.out
    assert re.findall(r"^executing: tick (\d) of 3", printed.err, re.M) == [*"123"]
    output = agent.OutputOptions(quiet=True)
    agent.trace("A1", data=data, ticks=ticks, reasons=reasons, output=output)
    assert capsys.readouterr().err == ""


def test_every_tick_is_a_line_of_json(data: Path) -> None:
    lines = [
        json.loads(line)
        for line in thorp("agent", "trace", "A1", "--data", data, "--jsonl").stdout.splitlines()
    ]
    assert [line["tick"] for line in lines] == [1, 2, 3, 4, 5]
    assert lines[1]["acts"][0]["tasks"] == [
        {"id": "dig", "type": "MINE", "block_pos": [3000, 20, 3000]}
    ]
    assert [event["type"] for event in lines[1]["events"]][-1] == "TASK_FAIL"
    assert lines[3]["observation"]["self"]["hp"] == 20


def test_trace_shows_a_range_of_ticks(data: Path) -> None:
    shown = thorp(
        "agent", "trace", "A2", "--data", data, "--since", "2", "--until", "3", "--all"
    ).stdout
    assert [line.split(b" at ")[0] for line in shown.splitlines() if line.startswith(b"tick")] == [
        b"tick 2",
        b"tick 3",
    ]


def test_nobody_of_that_name(data: Path) -> None:
    assert "no agent A7" in refused(thorp("agent", "trace", "A7", "--data", data))
    assert "no agent Odile" in refused(thorp("agent", "trace", "Odile", "--data", data))


def test_an_agent_is_found_by_its_name_unless_others_share_it(data: Path, tmp_path: Path) -> None:
    by_id, by_name = (
        thorp("agent", "trace", each, "--data", data, "--all") for each in ("A2", "vole")
    )
    assert by_id.stdout == by_name.stdout != b""
    with WorldService.open(
        RealDisk(), tmp_path / "world", threads=Inline, make_world=new_city_world
    ) as service:
        service.tick([Join("mole", "00")]).result()
        service.tick([Join("mole", "00")]).result()
    told = refused(thorp("agent", "trace", "mole", "--data", tmp_path))
    assert "2 agents are called mole: A1, A2; give an id" in told
    assert thorp("agent", "trace", "mole", "--data", tmp_path, "--until", "1").returncode == 0


def test_no_world_there(tmp_path: Path) -> None:
    refused(thorp("agent", "trace", "A1", "--data", tmp_path))


def token_hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def test_a_rescue_of_a_closed_world_is_in_its_journal_and_tokens_are_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with WorldService.open(
        RealDisk(), data / "world", seed=4, threads=Inline, make_world=new_city_world
    ) as service:
        service.tick([Join("mole", "00"), Join("twin", "00"), Join("twin", "00")]).result()
    assert "2 bodies are called 'twin': give an id (A2, A3)" in refused(
        thorp("agent", "rescue", "twin", "--data", data)
    )
    assert "nobody is called 'A9'" in refused(thorp("agent", "rescue", "A9", "--data", data))
    token = thorp("agent", "rescue", "mole", "--data", data).stdout.decode().strip()
    told = json.loads(thorp("agent", "rescue", "A3", "--data", data, "--json").stdout)
    assert (told["id"], told["name"]) == ("A3", "twin")
    assert thorp("world", "verify", "--data", data, "--quiet").returncode == 0
    kept = b"".join(file.read_bytes() for file in (data / "world").iterdir() if file.is_file())
    assert token.encode() not in kept
    with WorldService.open(
        RealDisk(), data / "world", threads=Inline, make_world=new_city_world
    ) as service:
        hashes = [agent.token for agent in service.world.agents]
    assert (hashes[0], hashes[2]) == (token_hash(token), token_hash(told["token"]))


def test_a_rescue_goes_through_the_server_that_holds_the_directory(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with served(data, inputs=[Join("mole", "00")]):
        token = thorp("agent", "rescue", "mole", "--data", data).stdout.decode().strip()
        refused(thorp("agent", "rescue", "vole", "--data", data))
    with WorldService.open(
        RealDisk(), data / "world", threads=Inline, make_world=new_city_world
    ) as service:
        assert service.world.agents[1].token == token_hash(token)


def test_a_world_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert "there is no world here" in refused(
        thorp("agent", "rescue", "A1", "--data", tmp_path / "none")
    )
    assert not (tmp_path / "none" / "world").exists()
