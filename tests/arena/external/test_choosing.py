"""Models that choose among options in matches: recorded and played again, on bad days, and with the
real runtime."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from tests.cli.command import refused, thorp
from tests.models.loopback import Handler, serving
from thorp.arena import MatchResult
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.external import Replies
from thorp.arena.external.choosing import MAX_FAILURES
from thorp.arena.external.model_agents import LOCAL_REPLY_TOKENS
from thorp.arena.external.spec import LocalSpec, parse_seats, parse_spec
from thorp.arena.service import REPLIES, play, save_match, sidecar_path, verify_file
from thorp.bridges.voxel_match import VoxelSurvival
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.mind import RULES
from thorp.models.embedded.cache import CACHE_VARIABLE
from thorp.store import RealDisk

TURNS = 6


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THORP_MODEL_URL", "THORP_MODEL_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def task_of(spec: str, turns: int = TURNS, seconds: float = 30, **more: Any) -> MatchTask:
    limits = Limits(turn_seconds=seconds, match_seconds=60)
    return MatchTask(
        scenario="voxel-survival",
        seats=(Seat("me", spec),),
        seed=5,
        max_turns=turns,
        parameters={"ticks": 600},
        limits=limits,
        **more,
    )


def choosing(pick: Callable[[str], str], asked: list[dict[str, Any]] | None = None) -> Handler:
    """An endpoint that obeys grammars: it picks one of their letters."""

    async def handler(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if asked is not None:
            asked.append(body)
        letters = body["grammar"].partition("[")[2].rstrip("]")
        return web.json_response({"choices": [{"message": {"content": pick(letters)}}]})

    return handler


def live(monkeypatch: pytest.MonkeyPatch, handler: Handler, task: MatchTask) -> tuple[Any, bytes]:
    """The result of a match with an endpoint, and its recorded replies, after seeing that they give
    the same log without it."""
    replies = Replies()
    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        result = play(task, replies)
    monkeypatch.delenv("THORP_MODEL_URL")
    recorded = replies.to_jsonl()
    assert play(task, Replies.from_jsonl(recorded)).jsonl == result.jsonl
    return result, recorded


def test_a_model_chooses_and_the_match_is_played_again_without_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[dict[str, Any]] = []
    task = task_of("model:small", level="choices")
    result, recorded = live(monkeypatch, choosing(lambda letters: letters[-1], asked), task)
    assert all(body["messages"][0] == {"role": "system", "content": RULES} for body in asked)
    assert 0 < len(asked) <= TURNS
    kinds = [event["type"] for event in result.events]
    assert kinds.count("ActionSubmitted") == TURNS
    assert "AgentError" not in kinds
    calls = [json.loads(line) for line in recorded.splitlines()[1:]]
    assert all(len(each["reply"]["text"]) == 1 for each in calls)
    log = tmp_path / "match.jsonl"
    save_match(RealDisk(), log, task, result, recorded, replace=False)
    verdict = verify_file(log)
    assert verdict.difference is None
    assert verdict.replayed_bots == ("me",)


def test_the_level_is_in_the_manifest_only_if_it_was_said() -> None:
    plain = msgspec.json.encode(task_of("model:small"))
    assert b"level" not in plain
    assert b'"level":"choices"' in msgspec.json.encode(task_of("model:small", level="choices"))
    assert msgspec.json.decode(plain, type=MatchTask) == task_of("model:small")


def test_choices_are_refused_where_a_scenario_offers_none() -> None:
    task = MatchTask("number-guess", (Seat("me", "model:small"),), 1, 3, level="choices")
    with pytest.raises(InvalidError, match="number-guess offers no choices; leave --level out"):
        play(task)


def test_specs_of_the_embedded_model() -> None:
    assert parse_spec("local") == LocalSpec("local", "")
    assert parse_spec("local:a b.gguf") == LocalSpec("local", "a b.gguf")
    assert [seat.id for seat in parse_seats(["local", "x=local:m.gguf"])] == ["local-1", "x"]
    with pytest.raises(InvalidError, match=r"local:PATH\.gguf"):
        parse_spec("local:")


def test_without_the_model_the_match_is_refused_with_the_command_that_fetches_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    with pytest.raises(UnknownError, match="thorp model get smollm2"):
        play(task_of("local"))


# Bad days


def test_a_model_that_always_names_another_letter_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, Any]] = []
    task = task_of("model:small", turns=MAX_FAILURES + 3, level="choices")
    result, _ = live(monkeypatch, choosing(lambda letters: "!", asked), task)
    assert result.turns == MAX_FAILURES + 3
    assert len(asked) == MAX_FAILURES
    said = [event["message"] for event in result.events if event["type"] == "AgentError"]
    assert said[:MAX_FAILURES] == ["the reply names none of the options"] * MAX_FAILURES
    assert set(said[MAX_FAILURES:]) == {
        f"the model made no choice {MAX_FAILURES} times in a row, and is not asked any more"
    }


def test_a_model_that_never_answers_costs_few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(60)
        return web.Response()

    task = task_of("model:small", turns=40, seconds=0.2, level="choices")
    began = time.monotonic()
    result, _ = live(monkeypatch, silent, task)
    assert time.monotonic() - began < 30
    assert result.turns == 40
    messages = {event["message"] for event in result.events if event["type"] == "AgentError"}
    assert "no reply within 0.2 s" in messages
    assert len(messages) == 2


def test_a_slow_answer_and_a_lost_one_do_not_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    async def handler(request: web.Request) -> web.StreamResponse:
        nonlocal count
        count += 1
        if count == 2:
            await asyncio.sleep(5)
        if count == 3:
            return web.Response(body=b"{]")
        return await choosing(lambda letters: letters[0])(request)

    task = task_of("model:small", seconds=2, level="choices")
    result, _ = live(monkeypatch, handler, task)
    said = [event["message"] for event in result.events if event["type"] == "AgentError"]
    assert said == ["no reply within 2 s", "the reply is not JSON"]
    assert result.turns == TURNS


def test_a_recording_with_a_letter_that_is_not_offered_is_no_action() -> None:
    """A recording that somebody has changed."""
    replies = Replies()
    task = task_of("model:small", level="choices")
    with serving(choosing(lambda letters: letters[0])) as url:
        os.environ["THORP_MODEL_URL"] = url
        try:
            play(task, replies)
        finally:
            del os.environ["THORP_MODEL_URL"]
    changed = replies.to_jsonl().replace(b'"text":"', b'"text":"!')
    result = play(task, Replies.from_jsonl(changed))
    said = [event["message"] for event in result.events if event["type"] == "AgentError"]
    assert said[0] == "the recorded reply names none of the options"


@pytest.mark.parametrize("pick", [0, -1])
def test_a_model_that_says_the_same_for_ever_plays_to_the_end(
    pick: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a match, by its turns or its ticks: nothing is refused, and nothing waits."""
    task = task_of("model:small", turns=40, level="choices")
    result, _ = live(monkeypatch, choosing(lambda letters: letters[pick]), task)
    assert result.reason in ("completed", "maxTurnsReached")
    assert errors_of(result) == []
    verdicts = [event for event in result.events if event["type"] == "ActionAdjudicated"]
    assert len(verdicts) == result.turns
    assert all(verdict["valid"] for verdict in verdicts)


# The real runtime


def children() -> list[int]:
    from tests.server.test_child import children_of

    found = children_of(os.getpid()).items()
    return [pid for pid, command in found if "embedded.llama" in command]


def errors_of(result: MatchResult) -> list[Any]:
    return [event["message"] for event in result.events if event["type"] == "AgentError"]


@pytest.mark.real("mind")
def test_a_model_of_this_machine_plays_and_is_gone_afterwards(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    replies = Replies()
    # The limits of endpoints that cost money are not for it.
    task = msgspec.structs.replace(
        task_of(f"local:{tiny}", turns=4),
        limits=Limits(turn_seconds=60, match_seconds=0.01, model_calls=1, model_tokens=1),
    )
    result = play(task, replies)
    assert children() == []
    assert errors_of(result) == []
    recorded = replies.to_jsonl()
    assert str(tiny).encode() not in recorded
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))  # an empty cache, and no runtime
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    again = msgspec.structs.replace(task, seats=(Seat("me", "local"),))
    assert play(again, Replies.from_jsonl(recorded)).jsonl == result.jsonl


@pytest.mark.real("mind")
def test_a_child_that_is_killed_ends_no_match(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[int] = []

    def watch(line: bytes) -> None:
        if b"ActionAdjudicated" in line and not ends:
            ends.extend(children())
            os.kill(ends[0], signal.SIGKILL)
            time.sleep(0.2)

    result = play(task_of(f"local:{tiny}", turns=MAX_FAILURES + 4), watch=watch)
    assert len(ends) == 1
    assert children() == []
    assert result.turns == MAX_FAILURES + 4
    assert "the model is gone" in errors_of(result)
    assert result.diagnostics["me"] == (
        f"the model {tiny.stem} is gone: its process was ended by SIGKILL"
    )


@pytest.mark.real("mind")
def test_without_a_chooser_it_answers_in_json(tiny: Path) -> None:
    """A random model says nothing that can be used; the match goes on to its end."""
    task = MatchTask(
        "number-guess",
        (Seat("me", f"local:{tiny}"), Seat("bot", "baseline")),
        seed=5,
        max_turns=2,
        limits=Limits(turn_seconds=20),
    )
    replies = Replies()
    loaded: list[str] = []

    @contextmanager
    def loading(name: str) -> Iterator[Callable[[float], None]]:
        assert children() == []
        yield lambda seconds: None
        loaded.append(name)
        assert len(children()) == 1

    result = play(task, replies, loading=loading)
    assert result.reason in ("completed", "maxTurnsReached")
    assert children() == []
    assert loaded == [str(tiny)]
    calls = [json.loads(line) for line in replies.to_jsonl().splitlines()[1:]]
    said = [each["reply"] for each in calls if "reply" in each]
    assert said, "every answer came too late"
    # A grammar holds it to an object, which is short enough for a turn.
    assert all(each["text"].lstrip().startswith("{") for each in said)
    assert all(each["tokensOut"] <= LOCAL_REPLY_TOKENS for each in said)


@pytest.mark.real("mind")
def test_a_scenario_without_choices_says_so_in_one_line(tiny: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    seats = ("--agent", f"me=local:{tiny}", "--agent", "baseline")
    limits = ("--max-turns", "1", "--turn-seconds", "20")
    done = thorp("match", "run", "number-guess", *seats, *limits, "--out", log)
    assert done.returncode == 0
    first, *_ = done.stderr.decode().splitlines()
    assert first == (
        "thorp: number-guess offers no choices, so me answered in JSON, without the adapter, which "
        "seldom goes well"
    )
    recorded = sidecar_path(log, REPLIES)
    again = thorp("match", "run", "number-guess", *seats, *limits, "--replies", recorded)
    assert again.stdout == log.read_bytes()
    assert b"offers no choices" not in again.stderr
    missing = thorp("match", "run", "number-guess", "--agent", "local:nothing.gguf")
    assert refused(missing) == "thorp: nothing.gguf: no such file\n"


def test_the_scenarios_of_the_voxel_world_have_a_chooser() -> None:
    scenario = VoxelSurvival(ticks=600)
    state = scenario.init(3, ["me"])
    chooser = scenario.chooser()
    for _ in range(4):
        chooser.take(scenario.observe(state, "me"))
        action = chooser.choose(chooser.letters[0])
        assert scenario.adjudicate(state, "me", action).valid
        scenario.end_turn(state)
