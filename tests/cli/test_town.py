"""`thorp town`: decide, hand off, execute, run, verify, through a process of its own."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.accidents import swap_indexes
from tests.cli.command import THORP, refused, run
from tests.models.loopback import serving
from tests.town_engine.worlds import handoff_for
from thorp.kernel.strict_json import DOCUMENT_BYTES_LIMIT
from thorp.store import open_database
from thorp.town import build_handoff, built_in_profile, inspect_decision, propose, validate_result
from thorp.town.profile import ROLES
from thorp.town.service import EmbeddedTown


def start(*arguments: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [str(THORP), "town", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A buffer would keep what `communicate` looks for behind the first line.
        bufsize=0,
        **options,
    )


def thorp(
    *arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return run("thorp", "town", *arguments, stdin=stdin, environment=env)


def answers(*arguments: str | Path, lines: list[Any]) -> list[Any]:
    stdin = b"".join(
        (each if isinstance(each, bytes) else json.dumps(each).encode()) + b"\n" for each in lines
    )
    done = thorp(*arguments, "--batch", stdin=stdin)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    home = tmp_path / "data"
    with EmbeddedTown(home, seed=5) as world:
        world.create_town('Old "Mill" 🏰')
    return home


@pytest.fixture
def seen(data: Path) -> dict[str, Any]:
    with EmbeddedTown(data, create=False) as world:
        return world.snapshot('Old "Mill" 🏰')


def test_from_snapshot_to_result_in_four_commands(
    data: Path, seen: dict[str, Any], tmp_path: Path
) -> None:
    files = {name: tmp_path / f"{name}.json" for name in ("snapshot", "proposal", "handoff")}
    files["snapshot"].write_text(json.dumps(seen))
    done = thorp("propose", "--snapshot", files["snapshot"], "--profile", "captain")
    assert json.loads(done.stdout) == propose(seen, built_in_profile("captain", seen["townId"]))
    files["proposal"].write_bytes(done.stdout)
    done = thorp("handoff", files["proposal"])
    assert json.loads(done.stdout) == build_handoff(json.loads(files["proposal"].read_bytes()))
    files["handoff"].write_bytes(done.stdout)
    results = [
        json.loads(thorp("execute", files["handoff"], "--data", data).stdout) for _ in range(2)
    ]
    assert [result["status"] for result in results] == ["executed", "duplicate"]
    for result in results:
        validate_result(result)


def test_inspect_and_its_options(seen: dict[str, Any], tmp_path: Path) -> None:
    profile = built_in_profile("mayor", seen["townId"])
    memory = {"lastType": "MAYOR_ACCEPT_MISSION", "repeatCount": 2}
    for name, value in {"profile": profile, "memory": memory}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    done = thorp(
        "inspect", "--snapshot", "-", "--profile", tmp_path / "profile.json",
        "--memory", tmp_path / "memory.json", "--policy", "simple", stdin=json.dumps(seen).encode(),
    )  # fmt: skip
    assert json.loads(done.stdout) == inspect_decision(seen, profile, memory, policy="simple")


BAD_LINES: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"{nonsense", "not_json"),
    "a list": (b"[]", "type"),
    "one key twice": (b'{"a":1,"a":1}', "duplicate_key"),
    "too deep": (b"[" * 65 + b"]" * 65, "depth"),
    "too long": (b'"' + b"x" * DOCUMENT_BYTES_LIMIT + b'"', "too_long"),
    "not UTF-8": (b'"\xff"', "not_json"),
}


def test_batches_of_decisions(seen: dict[str, Any]) -> None:
    profile = built_in_profile("warden", seen["townId"])
    good: dict[str, Any] = {"snapshot": seen, "profile": profile}
    lines: list[Any] = [
        good,
        *(line for line, _ in BAD_LINES.values()),
        b"",
        {**good, "policy": "simple", "memory": {"lastType": "SALVAGE_PLAN"}},
        {**good, "policy": "nobody"},
        {**good, "policy": 5},
        {**good, "further": 1},
        {"snapshot": seen},
        {"snapshot": {**seen, "day": -1}, "profile": {**profile, "role": "king"}},
        good,
    ]
    for command, function in (("propose", propose), ("inspect", inspect_decision)):
        told = answers(command, lines=lines)
        assert told[0] == told[-1] == function(seen, profile)
        codes = [each["error"]["code"] for each in told[1 : 1 + len(BAD_LINES)]]
        assert codes == [code for _, code in BAD_LINES.values()]
        rest = told[1 + len(BAD_LINES) : -1]
        assert rest[0] == function(seen, profile, {"lastType": "SALVAGE_PLAN"}, policy="simple")
        assert [each["error"]["code"] for each in rest[1:5]] == [
            "unknown_policy",
            "type",
            "unknown_key",
            "missing",
        ]
        paths = [each["path"] for each in rest[5]["error"]["violations"]]
        assert paths == ["$.snapshot.day", "$.profile.role"]


def test_batches_of_proposals_and_handoffs(data: Path, seen: dict[str, Any]) -> None:
    proposals = [propose(seen, built_in_profile(role, seen["townId"])) for role in ROLES]
    handoffs = answers("handoff", lines=[*proposals, b"nonsense", {**proposals[0], "priority": 2}])
    assert handoffs[:3] == [build_handoff(proposal) for proposal in proposals]
    assert [each["error"]["code"] for each in handoffs[3:]] == ["not_json", "range"]
    results = answers(
        "execute", "--data", data, lines=[*handoffs[:3], handoffs[0], b"{}", b"nonsense"]
    )
    assert [each.get("status") or each["error"]["code"] for each in results] == [
        "executed", "stale", "stale", "duplicate", "missing", "not_json",
    ]  # fmt: skip
    assert results[4]["error"]["violations"]


def test_a_batch_answers_before_the_next_line_comes(data: Path) -> None:
    """One who waits for each answer is not left waiting for a full batch."""
    process = start("execute", "--batch", "--data", data)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for number in range(3):
            with EmbeddedTown(data, create=False) as world:
                handoff = handoff_for(world.snapshot('Old "Mill" 🏰'), actor=f"a-{number}")
            process.stdin.write(json.dumps(handoff).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["status"] == "executed"
    finally:
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")


def test_a_killed_batch_has_done_what_it_answered(data: Path) -> None:
    names = [f"t-{number}" for number in range(40)]
    with EmbeddedTown(data, create=False) as world:
        for name in names:
            world.create_town(name)
        handoffs = [handoff_for(world.snapshot(name)) for name in names]
    process = start("execute", "--batch", "--data", data)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join(json.dumps(handoff).encode() + b"\n" for handoff in handoffs))
    process.stdin.flush()
    first = process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    rest, _ = process.communicate(timeout=60)
    told = [json.loads(line) for line in (first + rest).split(b"\n")[:-1]]
    with EmbeddedTown(data, create=False) as world:
        assert world.verify().difference is None
        for result in told:
            assert world.receipt(result["idempotencyKey"]) == result
        again = [world.execute(handoff) for handoff in handoffs]
    assert {result["status"] for result in again} <= {"executed", "duplicate"}
    assert [result["status"] for result in again[: len(told)]] == ["duplicate"] * len(told)


RUN_30_DAYS = "1732111968a638037186e41fd499c54601d9cc88d4b3d97269e97d7e9142b100"


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    outputs = []
    for number, hash_seed in enumerate(("0", "1")):
        done = thorp(
            "run", "--days", "30", "--seed", "7", "--town", "a", "--town", 'Old "Mill" '
                                                                           '🏰', "--json",
            "--data", tmp_path / str(number),
            env={"PYTHONHASHSEED": hash_seed, "LC_ALL": "C", "TZ": "Asia/Tokyo"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outputs.append((done.stdout, done.stderr))
    assert outputs[0] == outputs[1]
    assert outputs[0][0].count(b"\n") == 60
    assert b"records in the journal; tip " in outputs[0][1]
    assert hashlib.sha256(outputs[0][0]).hexdigest() == RUN_30_DAYS


def test_run_in_words_and_going_on(tmp_path: Path) -> None:
    done = thorp("run", "--days", "2", "--data", tmp_path)
    assert done.stdout.startswith(b"day    1  town-1  threat 0.")
    again = thorp("run", "--days", "1", "--data", tmp_path, "--policy", "simple")
    assert again.stdout.startswith(b"day    3  town-1")
    verified = thorp("verify", "--data", tmp_path)
    assert b"1 towns, day 3: all follows from the journal; tip " in verified.stdout
    assert json.loads(thorp("verify", "--data", tmp_path, "--json").stdout)["difference"] is None


def test_a_tip_that_was_noted_must_lie_on_the_chain(tmp_path: Path) -> None:
    thorp("run", "--days", "2", "--data", tmp_path)
    noted = json.loads(thorp("verify", "--data", tmp_path, "--json").stdout)["tip"]
    thorp("run", "--days", "1", "--data", tmp_path)
    assert thorp("verify", "--data", tmp_path, "--tip", noted).returncode == 0
    wrong = thorp("verify", "--data", tmp_path, "--tip", "ab" * 32)
    assert (wrong.returncode, wrong.stdout.count(b"\n")) == (1, 1)
    assert b"damaged: the chain does not have abababababababab" in wrong.stdout
    assert thorp("verify", "--data", tmp_path, "--tip", "tip").returncode == 2


def test_the_database_checks_itself(tmp_path: Path) -> None:
    thorp("run", "--days", "2", "--data", tmp_path)
    found = json.loads(thorp("verify", "--data", tmp_path, "--json").stdout)
    assert found["self_check"] == "integrity_check"
    swap_indexes(tmp_path / "town.db", "town_receipt", "town_state")
    wrong = thorp("verify", "--data", tmp_path)
    assert (wrong.returncode, wrong.stdout[:9]) == (1, b"damaged: ")


def test_days_in_two_goes_are_the_days_in_one(tmp_path: Path) -> None:
    at_once = thorp("run", "--days", "12", "--json", "--data", tmp_path / "a")
    parts = [
        thorp("run", "--days", days, "--json", "--data", tmp_path / "b") for days in ("5", "7")
    ]
    assert b"".join(part.stdout for part in parts) == at_once.stdout
    assert parts[1].stderr == at_once.stderr


def test_a_live_table_on_a_terminal(tmp_path: Path) -> None:
    """Names are shown as they are: not as markup of the table."""
    terminal, far_end = os.openpty()
    process = subprocess.Popen(
        [
            str(THORP),
            "town",
            "run",
            "--days",
            "3",
            "--town",
            "[b]Mill[/b]",
            "--data",
            str(tmp_path),
        ],
        stdin=subprocess.DEVNULL,
        stdout=far_end,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "160"},
    )
    os.close(far_end)
    shown = b""
    while piece := _read(terminal):
        shown += piece
    _, errors = process.communicate(timeout=60)
    os.close(terminal)
    assert process.returncode == 0, errors
    assert b"[b]Mill[/b]" in shown
    assert b"day 3" in shown


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the far end was closed
        return b""


def test_verify_exits_with_1_when_something_differs(data: Path) -> None:
    with open_database(f"sqlite:///{data}/town.db") as database:
        database.submit(lambda each: each.execute("UPDATE town_world SET day = 7")).result()
    done = thorp("verify", "--data", data)
    assert (done.returncode, done.stdout[:9]) == (1, b"damaged: ")


def answering(*numbers: int | None) -> Any:
    """An endpoint that chooses these in turn."""
    left = list(numbers)

    async def handler(request: web.Request) -> web.StreamResponse:
        left.append(left.pop(0))
        text = json.dumps({"choice": left[-1]})
        return web.json_response({"choices": [{"message": {"content": text}}]})

    return handler


def test_a_model_decides_and_its_recording_again(seen: dict[str, Any], tmp_path: Path) -> None:
    profile = built_in_profile("mayor", seen["townId"])
    (tmp_path / "seen.json").write_text(json.dumps(seen))
    record = tmp_path / "record.jsonl"
    asked = (
        "inspect",
        "--snapshot",
        tmp_path / "seen.json",
        "--policy",
        "model",
        "--model",
        "small",
    )
    with serving(answering(2)) as url:
        live = thorp(*asked, "--record", record, env={"THORP_MODEL_URL": url})
    assert live.returncode == 0, live.stderr
    assert live.stderr == b"model small: chosen 1\n"
    inspection = json.loads(live.stdout)
    assert inspection["explanation"]["choice"]["outcome"] == "chosen"
    assert inspection["candidates"][1]["selected"]
    assert inspection["selectedProposal"] != propose(seen, profile)
    assert thorp(*asked, "--replies", record).stdout == live.stdout
    over = thorp(*asked, "--model-calls", "0", env={"THORP_MODEL_URL": "http://127.0.0.1:9"})
    assert json.loads(over.stdout)["selectedProposal"] == propose(seen, profile)
    assert over.stderr == b"model small: budget 1\n"
    lines = b"".join(
        json.dumps({"snapshot": seen, "profile": profile, "policy": policy}).encode() + b"\n"
        for policy in ("ranked", "model", "simple")
    )
    batch = thorp(
        "propose", "--batch", "--replies", record, env={"THORP_MODEL": "small"}, stdin=lines
    )
    told = [json.loads(line) for line in batch.stdout.splitlines()]
    assert told[0] == propose(seen, profile)
    assert told[1] == inspection["selectedProposal"]
    assert told[2] == propose(seen, profile, policy="simple")


def test_a_town_that_a_model_governs_and_again_from_the_recording(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    run = ("run", "--days", "3", "--seed", "7", "--policy", "model", "--model", "small", "--json")
    with serving(answering(2, None, 1, 99)) as url:
        live = thorp(
            *run, "--data", tmp_path / "live", "--record", record, env={"THORP_MODEL_URL": url}
        )
    assert live.returncode == 0, live.stderr
    assert b"model small: chosen " in live.stderr
    again = thorp(*run, "--data", tmp_path / "again", "--replies", record)
    assert (again.returncode, again.stdout, again.stderr) == (0, live.stdout, live.stderr)
    other = thorp("run", "--days", "3", "--seed", "7", "--json", "--data", tmp_path / "ranked")
    assert other.stdout != live.stdout
    strange = thorp(
        *run, "--town", "elsewhere", "--data", tmp_path / "strange", "--replies", record
    )
    assert strange.returncode == 2
    assert b"no reply is recorded for request req_" in strange.stderr


def test_a_recording_is_written_however_the_command_ends(data: Path, tmp_path: Path) -> None:
    """The endpoint stalls at its second question, and the governor loses patience."""
    record = tmp_path / "record.jsonl"
    asked = threading.Event()

    async def stalling(request: web.Request) -> web.StreamResponse:
        if json.loads((await request.json())["messages"][1]["content"])["town"]["day"] == 1:
            asked.set()
            await asyncio.sleep(60)
        return web.json_response({"choices": [{"message": {"content": '{"choice": 1}'}}]})

    with serving(stalling) as url:
        process = start(
            "run", "--policy", "model", "--model", "small", "--model-seconds", "60", "--data", data,
            "--record", record, env={**os.environ, "THORP_MODEL_URL": url},
        )  # fmt: skip
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert record.read_bytes().count(b'"reply"') >= 1


MODEL = ("propose", "--snapshot", "-", "--policy", "model", "--model", "small")
REFUSALS: dict[str, tuple[str, ...]] = {
    "no model": ("run", "--policy", "model"),
    "no endpoint": MODEL,
    "replies that are not there": (*MODEL, "--replies", "nowhere.jsonl"),
    "replies that are a folder": (*MODEL, "--replies", "."),
    "a record that is there": (*MODEL, "--record", "."),
    "a record nowhere": (*MODEL, "--record", "nowhere/record.jsonl"),
    "replies and a record": (*MODEL, "--replies", "a", "--record", "b"),
    "no snapshot": ("propose",),
    "a snapshot that is not there": ("propose", "--snapshot", "nowhere.json"),
    "a profile that is not there": ("propose", "--snapshot", "-", "--profile", "king"),
    "an unknown policy": ("propose", "--snapshot", "-", "--policy", "nobody"),
    "a proposal that is none": ("handoff", "-"),
    "no world to execute in": ("execute", "--data", "nowhere"),
    "no world to verify": ("verify", "--data", "nowhere"),
    "a town twice": ("run", "--town", "a", "--town", "a"),
    "no days": ("run", "--days", "0"),
    "a URL that is none": ("run", "--url", "nonsense"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("THORP_DATA", str(tmp_path / "none"))
    for name in ("THORP_MODEL", "THORP_MODEL_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    refused(thorp(*REFUSALS[case], stdin=b"{}"))
    assert list(tmp_path.iterdir()) == []


def test_help() -> None:
    assert b"propose" in thorp("--help").stdout
