"""The model writer against a real HTTP server, which answers, stalls, fails and lies."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from typer.testing import CliRunner

from tests.models import misbehaviour
from tests.models.loopback import Handler, serving, unused_address
from tests.story.world import World, bundle, entry, question, voice
from thorp.cli.story import app as story_commands
from thorp.kernel.errors import IllegalError, InvalidError, LimitError
from thorp.models import ChatClient
from thorp.server.http.prometheus import metric
from thorp.server.http.writer_meter import WriterMeter
from thorp.story import Person, StoryConfig, open_ledger, read_projection, rebuild
from thorp.story.config import Context, Writing
from thorp.story.outcomes import BeatReport
from thorp.story.registry import make_writer, writer_names
from thorp.story.time_zones import DAY_SECONDS
from thorp.story.writer.model import ModelWriter, ModelWriterLimits, beat_seconds
from thorp.story.writer.offline import ScriptedWriter

CONFIG = StoryConfig(ids="sequential")
KEY = "sk-very-secret"


class Model:
    """An endpoint that says its lines, and remembers what it was asked."""

    def __init__(self, *lines: Any, tokens_in: int | None = None) -> None:
        self.lines = list(lines)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.tokens_in = tokens_in

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(await request.json())
        self.keys.append(request.headers.get("Authorization"))
        line = self.lines.pop(0) if self.lines else {"no_write": {}}
        if callable(line):
            return await line(request)
        text = line if isinstance(line, str) else json.dumps(line)
        reply: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": text}}]}
        if self.tokens_in is not None:
            reply["usage"] = {"prompt_tokens": self.tokens_in, "completion_tokens": 5}
        return web.json_response(reply)


def writer_at(address: str, config: StoryConfig = CONFIG, **options: Any) -> ModelWriter:
    client = ChatClient(address, KEY, sleep=lambda _seconds: asyncio.sleep(0))
    limited = {
        name: options.pop(name) for name in ModelWriterLimits.__struct_fields__ if name in options
    }
    limits = ModelWriterLimits(**{"seconds": 5.0, **limited})
    return ModelWriter(config, client=client, model="test-model", limits=limits, **options)


def telling(home: Path, address: str, config: StoryConfig = CONFIG, **options: Any) -> World:
    ledger = open_ledger(home, config, writer_at(address, config, **options))
    return World(ledger, ScriptedWriter())


def test_a_model_writes_and_the_story_rebuilds_without_it(tmp_path: Path) -> None:
    model = Model(
        question("hello", name="t1", actor="REBECCA"),
        f"```json\n{json.dumps(bundle(entry('She looks up.')))}\n```",
        "I would rather not answer in JSON.",
        bundle(voice("The clock ticks.")),
    )
    with serving(model) as address, telling(tmp_path / "one", address) as world:
        assert [each["text"] for each in world.stream("Hello.")] == ["Hello.", "She looks up."]
        assert [each["text"] for each in world.stream("And?")] == ["And?", "The clock ticks."]
        tip = world.ledger.tip()
        assert model.keys == [f"Bearer {KEY}"] * 4
    first, second = model.asked[:2]
    assert "It is 2026-01-01T07:31:00+00:00." in first["messages"][1]["content"]
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert '"Hello."' in first["messages"][1]["content"]
    assert '"results"' in second["messages"][1]["content"]
    # No endpoint any more.
    with open_ledger(tmp_path / "one", CONFIG, ScriptedWriter()) as ledger:
        dump = json.dumps(
            ledger.read(lambda connection: connection.execute("SELECT calls FROM story_beat"))
        )
        assert KEY not in dump
        with rebuild(ledger, tmp_path / "again") as again:
            assert again.tip() == tip


def calls(name: str, arguments: object) -> Handler:
    """A reply that is a call of a function, as endpoints with functions give it."""
    text = arguments if isinstance(arguments, (str, dict)) else json.dumps(arguments)
    function = {"name": name, "arguments": text}
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "x", "function": function}],
    }

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.json_response({"choices": [{"message": message}]})

    return answer


def test_tools_as_functions_are_the_same_questions(tmp_path: Path) -> None:
    asked = {"actor": "REBECCA", "query_text": "hello", "limit": 3}
    answers = Model(
        calls("LEDGER_SEARCH", json.dumps(asked)),
        calls("LEDGER_GET", asked),
        calls("CAPSULE_GET", {"actor": "REBECCA", "query_text": "", "person_id": "REBECCA"}),
        bundle(entry("She looks up.")),
    )
    with (
        serving(answers) as address,
        telling(tmp_path / "one", address, native_tools=True) as world,
    ):
        assert [each["text"] for each in world.stream("Hello.")] == ["Hello.", "She looks up."]
        tip = world.ledger.tip()
        verdicts = [verdict for *_, verdict, _ in world.calls()]
    assert verdicts == [*["TOOL SERVED"] * 3, "PROPOSED"]
    offered = [each["function"]["name"] for each in answers.asked[0]["tools"]]
    assert offered == ["LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD"]
    assert '"results"' in answers.asked[1]["messages"][1]["content"]
    with (
        open_ledger(tmp_path / "one", CONFIG, ScriptedWriter()) as ledger,
        rebuild(ledger, tmp_path / "again") as again,
    ):
        assert again.tip() == tip


def test_calls_that_make_no_sense_are_refused_and_nothing_is_offered_to_who_cannot(
    tmp_path: Path,
) -> None:
    nonsense = Model(
        calls("LEDGER_SEARCH", "no JSON"),
        calls("LEDGER_SEARCH", [1]),
        calls("REWRITE_HISTORY", {"actor": "GEORGE", "query_text": 5, "surprise": True}),
        bundle(entry("She looks up.")),
    )
    with (
        serving(nonsense) as address,
        telling(tmp_path / "one", address, native_tools=True) as world,
    ):
        assert [each["text"] for each in world.stream("Hello.")] == ["Hello."]
        assert [each["text"] for each in world.stream("And?")] == ["And?", "She looks up."]
    plain = Model(calls("LEDGER_SEARCH", {"actor": "REBECCA", "query_text": "hello"}))
    with serving(plain) as address, telling(tmp_path / "two", address) as world:
        assert [each["text"] for each in world.stream("Hello.")] == ["Hello."]
    assert all("tools" not in each for each in plain.asked)


FAILURES: dict[str, Handler] = {
    "server error": misbehaviour.server_error,
    "cut off": misbehaviour.cut_off,
    "cut off in chunks": misbehaviour.cut_off_chunked,
    "closed": misbehaviour.close,
    "huge": misbehaviour.huge,
    "redirect": misbehaviour.redirect,
    "not JSON": misbehaviour.not_json,
    "not UTF-8": misbehaviour.not_utf8,
    "compressed": misbehaviour.compressed,
}


@pytest.mark.parametrize("what", FAILURES)
def test_a_failing_model_is_silence_that_the_audit_tells_from_silence(
    tmp_path: Path, what: str
) -> None:
    model = Model(*[FAILURES[what]] * 20)
    with serving(model) as address, telling(tmp_path, address) as world:
        assert [each["text"] for each in world.stream()] == ["Hello."]
        assert world.outcome() == "FAILED"
        model.lines.clear()
        assert [each["text"] for each in world.stream("Again.")] == ["Again."]
        assert world.outcome() == "NO_WRITE"
        assert world.ledger.verify().difference is None
        assert "disk is on fire" not in json.dumps(world.calls())


async def unauthorized(request: web.Request) -> web.StreamResponse:
    return web.Response(status=401, text="this key is not known")


async def too_many(request: web.Request) -> web.StreamResponse:
    return web.Response(status=429, text="later")


UNUSABLE = {
    "code": "unusable",
    "message": "what it said is not one JSON object with one of the three keys",
}


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        (unauthorized, {"code": "status", "message": "HTTP 401"}),
        (too_many, {"code": "status", "message": "HTTP 429"}),
        ("I would rather not answer in JSON.", UNUSABLE),
        ('{"write": {}}', UNUSABLE),
    ],
)
def test_the_answer_says_why_the_model_failed(
    tmp_path: Path, line: Any, trouble: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    with serving(Model(*[line] * 20)) as address, telling(tmp_path / "one", address) as world:
        first = world.respond("Hello.", request_id="r-1")
        body = json.loads(first.body)
        assert (first.status, list(body["debug"]), body["debug"]["wrote"]) == (
            200,
            ["wrote", "bundle_id"],
            True,
        )
        read_projection(body)
        assert first.report == BeatReport("failed", trouble["code"], trouble["message"], 1)
        replayed = world.respond("Hello.", request_id="r-1")
        assert (replayed.body, replayed.report) == (first.body, first.report)
        with rebuild(world.ledger, tmp_path / "again") as again:
            assert again.tip() == world.ledger.tip()
        meter = WriterMeter()
        meter.take(first)
        text = "\n".join(line for row in meter.rows() for line in metric(*row))
        assert 'thorp_story_beats_total{outcome="FAILED"} 1' in text
        assert f'thorp_story_writer_failures_total{{code="{trouble["code"]}"}} 1' in text
        assert trouble["message"] in caplog.text


TALK = json.dumps(bundle(entry("She looks up.")))


@pytest.mark.parametrize(
    "reply",
    [
        f"<think>\nPerhaps {{}}.\n</think>\n{TALK}",
        f"Perhaps nothing?\n</think>\n{TALK}",
        f"Here it is: {TALK}",
        f"Sure!\n```json\n{TALK}\n```\nI hope this helps.",
    ],
)
def test_thoughts_and_talk_around_one_object_are_left_away(tmp_path: Path, reply: str) -> None:
    with serving(Model(reply)) as address, telling(tmp_path / "one", address) as world:
        status, body = world.send("Hello.")
        assert [each["text"] for each in body["stream"]["entries"]] == ["Hello.", "She looks up."]
        assert (status, world.outcome()) == (200, "ACCEPTED")
        with rebuild(world.ledger, tmp_path / "again") as again:
            assert again.tip() == world.ledger.tip()


SILENT = '{"no_write": {}}'


@pytest.mark.parametrize(
    "reply",
    [
        f"{TALK}\n{TALK}",
        f"{SILENT}\n{TALK}",
        f"Either {SILENT} or {TALK}.",
        f"Perhaps {{}}, or rather {TALK}",
        f"[{TALK}]",
        f"Here: [{TALK}]",
        f"[{SILENT}, {TALK}]",
        f"[{TALK}, ",
        f"<think>\nI could say {TALK}",
        f"<think>one</think>\n<think>{TALK}",
        f"Hm. <think> {TALK}",
        f"```json\n{TALK}\n```\n```json\n{TALK}\n```",
        TALK[:-1] + f", {TALK}",
    ],
)
def test_a_reply_that_can_be_read_in_two_ways_is_not_read(tmp_path: Path, reply: str) -> None:
    with serving(Model(reply, reply)) as address, telling(tmp_path / "one", address) as world:
        answer = world.respond("Hello.")
        assert answer.report is not None
        assert (answer.report.outcome, answer.report.code) == ("failed", "unusable")
        assert world.texts() == ["Hello."]
        with rebuild(world.ledger, tmp_path / "again") as again:
            assert again.tip() == world.ledger.tip()


@pytest.mark.parametrize(
    "reply",
    [
        f"(She {{smiles}}.) {TALK}",
        f"See [1]. {TALK}",
        f"<think>{TALK}</think>\n<think>Or not.</think>\n{TALK}",
        f"```\n{TALK}\n```",
    ],
)
def test_brackets_that_are_no_json_make_nothing_ambiguous(tmp_path: Path, reply: str) -> None:
    with serving(Model(reply)) as address, telling(tmp_path, address) as world:
        assert [each["text"] for each in world.stream("Hello.")] == ["Hello.", "She looks up."]


def test_a_call_with_an_object_beside_it_is_ambiguous(tmp_path: Path) -> None:
    arguments = json.dumps({"actor": "REBECCA", "query_text": "hello"})
    function = {"name": "LEDGER_SEARCH", "arguments": arguments}

    def beside(content: str) -> Handler:
        message = {
            "role": "assistant",
            "content": content,
            "tool_calls": [{"id": "x", "function": function}],
        }

        async def answer(request: web.Request) -> web.StreamResponse:
            return web.json_response({"choices": [{"message": message}]})

        return answer

    both = Model(beside(TALK), beside(TALK), beside("Let me see."), bundle(entry("She looks up.")))
    with serving(both) as address, telling(tmp_path, address, native_tools=True) as world:
        assert world.respond("Hello.").outcome == "FAILED"
        assert [each["text"] for each in world.stream("And?")] == ["And?", "She looks up."]


@pytest.mark.parametrize("claimed", [10**12, 2**53 - 1, 1e12])
def test_no_reply_uses_up_a_day_by_what_it_claims(tmp_path: Path, claimed: float) -> None:
    async def boast(request: web.Request) -> web.StreamResponse:
        usage = {"prompt_tokens": claimed, "completion_tokens": claimed}
        message = {"role": "assistant", "content": TALK}
        return web.json_response({"choices": [{"message": message}], "usage": usage})

    with serving(boast) as address:
        for life in range(3):
            with telling(tmp_path, address) as world:
                for number in range(2):
                    answer = world.respond("Go on.", request_id=f"{life}.{number}")
                    assert answer.outcome == "ACCEPTED", "within one life, and after a restart"
        with telling(tmp_path, address) as world:
            [(_, calls_made, tokens)] = world.rows("story_spending")
            assert calls_made == 6
            assert tokens < 6 * 3 * (1000 + 1500), "no more than a token for each byte"


def test_the_time_of_a_beat_is_set_by_the_environment(tmp_path: Path) -> None:
    def seconds(text: str) -> float:
        return beat_seconds({"THORP_STORY_SECONDS": text})

    assert [seconds(text) for text in ("", "1", "0.25", "540")] == [60.0, 1.0, 0.25, 540.0]
    for wrong in ("0", "541", "-1", "1e3", "soon", "nan", "60 s", "\u0661"):
        with pytest.raises(InvalidError, match="THORP_STORY_SECONDS"):
            seconds(wrong)
    model = Model(misbehaviour.stall)
    with serving(model) as address:
        environ = {"THORP_STORY_SECONDS": "0.3"}
        with telling(tmp_path, address, seconds=None, environ=environ) as world:
            status, body = world.send()
            assert (status, body["writer"]["message"]) == (503, "this beat took longer than 0.3 s")


def test_the_command_says_why_the_model_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(unauthorized) as address:
        monkeypatch.setenv("THORP_MODEL_URL", address)
        done = CliRunner().invoke(
            story_commands, ["beat", "Hello.", "--writer", "model", "--data", str(tmp_path)]
        )
    assert done.exit_code == 1
    assert "Hello." in done.stdout
    assert "the beat is kept, but its writer failed: status: HTTP 401" in done.stderr


def test_nobody_listens(tmp_path: Path) -> None:
    with telling(tmp_path, unused_address()) as world:
        assert [each["text"] for each in world.stream()] == ["Hello."]
        assert world.outcome() == "FAILED"
    abort = StoryConfig(ids="sequential", writing=Writing(on_failure="abort"))
    with telling(tmp_path / "strict", unused_address(), abort) as world:
        status, body = world.send()
        trouble = {"code": "connection", "message": "connection failed"}
        assert (status, body) == (503, {"error": "Writer unavailable", "writer": trouble})
        assert not any(world.counts().values())


@pytest.mark.parametrize(
    "how", [misbehaviour.stall, misbehaviour.drip, misbehaviour.stall_in_error]
)
def test_a_beat_that_takes_too_long_is_given_up(tmp_path: Path, how: Handler) -> None:
    model = Model(how, bundle(voice()))
    with serving(model) as address, telling(tmp_path, address, seconds=0.3) as world:
        status, body = world.send(request_id="slow")
        late = {"code": "deadline", "message": "this beat took longer than 0.3 s"}
        assert (status, body) == (503, {"error": "Beat deadline exceeded", "writer": late})
        assert not any(world.counts().values())
        assert [each["text"] for each in world.stream(request_id="slow")] == [
            "Hello.",
            "Rain falls.",
        ]


def test_no_transaction_is_open_while_a_model_thinks(tmp_path: Path) -> None:
    thinking, go_on = threading.Event(), threading.Event()

    async def slowly(request: web.Request) -> web.StreamResponse:
        thinking.set()
        await asyncio.get_running_loop().run_in_executor(None, go_on.wait, 20)
        return web.json_response(
            {"choices": [{"message": {"content": json.dumps(bundle(voice()))}}]}
        )

    with serving(Model(slowly)) as address, telling(tmp_path, address, seconds=30) as world:
        answers: list[int] = []
        teller = threading.Thread(target=lambda: answers.append(world.send()[0]))
        teller.start()
        assert thinking.wait(10)
        written = world.ledger._database.submit(lambda connection: connection.dialect).result(5)
        assert written == "sqlite"
        assert world.ledger.page("GEORGE")["stream"]["entries"] == []
        assert world.refresh()["stream"]["entries"] == [], "looking waits for nobody"
        waiting = threading.Thread(target=lambda: answers.append(world.send("Next.")[0]))
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive(), "one world has one beat at a time"
        go_on.set()
        teller.join(20)
        waiting.join(20)
        assert answers == [200, 200]
        assert world.texts() == ["Hello.", "Rain falls.", "Next."]


def test_a_beat_and_a_day_have_their_budgets(tmp_path: Path) -> None:
    wall = [1_000.0 * DAY_SECONDS]
    model = Model(*[question("x", name=str(n)) for n in range(50)])
    with serving(model) as address:
        world = telling(tmp_path, address, calls=2, day_calls=5, wall=lambda: wall[0])
        with world:
            world.stream()
            assert (len(model.asked), world.outcome()) == (2, "FAILED")
            world.stream()
            world.stream()
            assert len(model.asked) == 5, "the day has five calls"
            world.stream()
            assert len(model.asked) == 5
            wall[0] += DAY_SECONDS
            world.stream()
            assert len(model.asked) == 7, "another day"
            failed = [json.loads(row[5]) for row in world.calls() if row[4] == "FAILED"]
            assert failed
            assert all(each["code"] == "budget" for each in failed)


def test_what_was_spent_today_is_remembered_by_the_next_life(tmp_path: Path) -> None:
    model = Model(*[question("x", name=str(n)) for n in range(50)], tokens_in=10)
    with serving(model) as address:
        for life, calls in enumerate((2, 3, 3)):
            with telling(tmp_path, address, calls=2, day_calls=3) as world:
                world.stream(request_id=f"life {life}")
                assert len(model.asked) == calls
        wall = [10.0**10]
        ledger = open_ledger(tmp_path, CONFIG, writer_at(address, calls=2), wall=lambda: wall[0])
        with World(ledger, ScriptedWriter()) as world:
            world.stream(request_id="on another day")
            assert len(model.asked) == 5


def test_tokens_are_budgeted_too(tmp_path: Path) -> None:
    model = Model()
    with serving(model) as address, telling(tmp_path, address, tokens=100) as world:
        assert [each["text"] for each in world.stream()] == ["Hello."]
        assert (model.asked, world.outcome()) == ([], "FAILED")


def test_the_providers_count_replaces_the_estimate(tmp_path: Path) -> None:
    config = StoryConfig(ids="sequential", context=Context(budget=1000))
    line = "A line of the story. " * 25

    def rebuilt(home: str, tokens_in: int | None) -> list[int]:
        with (
            serving(Model(tokens_in=tokens_in)) as address,
            telling(tmp_path / home, address, config) as world,
        ):
            for _ in range(8):
                world.stream(line)
            return [row[1] for row in world.packs("REHYDRATION")]

    by_estimate = rebuilt("silent", None)
    assert by_estimate == [7], "six lines take more than 800 by our estimate"
    assert rebuilt("fewer", 1) == by_estimate, (
        "who counts too little does not let the window overflow"
    )
    many = rebuilt("more", 90_000)
    assert many[0] == 4, (
        "three lines take 400 by our estimate, and at least twice that by the provider's"
    )
    assert len(many) < 4, (
        "a rebuilt window is not rebuilt with every beat, whatever the provider says"
    )


def test_a_model_that_cannot_hold_its_payloads_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "rebecca"
    folder.mkdir()
    (folder / "manner.md").write_text("She hums. " * 12_000, "utf-8")
    with pytest.raises(LimitError, match="does not fit"):
        writer_at("http://127.0.0.1:9", people=tmp_path, context_tokens=32_000)
    with serving(Model()) as address:
        writer = writer_at(address, people=tmp_path, context_tokens=128_000)
        with World(open_ledger(tmp_path / "story", CONFIG, writer), ScriptedWriter()) as world:
            for _ in range(5):
                assert world.send()[0] == 200
            assert world.packs("REHYDRATION") == []


def test_people_that_come_with_it_are_told_to_the_model(tmp_path: Path) -> None:
    model = Model()
    config = StoryConfig(
        people=(Person("REBECCA", "who keeps the ferry"), Person("ANSEL"), Person("MIRREN"))
    )
    with serving(model) as address, telling(tmp_path, address, config) as world:
        world.stream()
    system = model.asked[0]["messages"][0]["content"]
    assert "REBECCA: who keeps the ferry" in system
    for person in ("REBECCA", "ANSEL", "MIRREN"):
        assert f"Read-only text about {person}" in system


def test_writers_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"model", "offline", "scripted"} <= set(writer_names())
    monkeypatch.delenv("THORP_MODEL_URL", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InvalidError, match="THORP_MODEL_URL"):
        make_writer("model", CONFIG)
    with pytest.raises(InvalidError, match="unknown writer"):
        make_writer("poet", CONFIG)
    monkeypatch.setenv("THORP_MODEL_URL", "http://127.0.0.1:9/v1")
    assert make_writer("model", CONFIG).name.startswith("model gpt")
    package = tmp_path / "poet-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: poet\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        "[thorp.writers]\npoet = thorp_poet:Poet\nbroken = nowhere:X\n"
    )
    (tmp_path / "thorp_poet.py").write_text(
        "from thorp.story.writer.offline import OfflineWriter\n"
        "class Poet(OfflineWriter):\n    name = 'poet'\n    def __init__(self, config): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert "poet" in writer_names()
    with World(open_ledger(tmp_path / "story", CONFIG, "poet"), ScriptedWriter()) as world:
        assert len(world.stream("A line.")) == 2
    with pytest.raises(IllegalError, match="does not load"):
        make_writer("broken", CONFIG)


@pytest.fixture(autouse=True)
def _no_models_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THORP_STORY_MODEL", raising=False)
