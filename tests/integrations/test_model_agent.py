"""Language models that live in a real world, behind a real endpoint: good ones, bad ones, and a
hundred."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.cli.serving import served
from tests.integrations.endpoint import Body, Endpoint, Script, answering, call, calling, saying
from tests.models.loopback import unused_address
from thorp.client.crew import run_agents
from thorp.integrations import model_agent
from thorp.integrations.model_agent import HISTORY_TOKENS, MAX_CALLS_A_TURN, ModelAgent
from thorp.integrations.model_run import ModelRun
from thorp.integrations.spending import Account, Allowance, TokenPrice
from thorp.integrations.transcript import Tape
from thorp.kernel.errors import InvalidError
from thorp.language.tools import SIMPLE, TOOLS, WAIT
from thorp.models.chat import estimate_tokens
from thorp.models.tool_chat import ToolClient
from thorp.server.access.tokens import read_admin_token

PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A world in lockstep: it is as fast as the models."""
    with served(tmp_path_factory.mktemp("lockstep") / "data") as url:
        yield url


@pytest.fixture(scope="module")
def live_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str | None]]:
    """A world that does not wait, and the token of its admin."""
    data = tmp_path_factory.mktemp("real") / "data"
    with served(data, clock="real") as url:
        yield url, read_admin_token(data)


def make(url: str, calls: int, name: str = "model-1", **options: Any) -> ModelAgent:
    settings: dict[str, Any] = {"tools": (*TOOLS, WAIT), **options}
    account = settings.pop("account", None) or Account(Allowance(calls=calls))
    say = settings.pop("say", lambda text: None)
    reply_seconds = settings.pop("reply_seconds", 60.0)
    run = ModelRun(
        name=name,
        model="small",
        account=account,
        tape=Tape(),
        reply_seconds=reply_seconds,
        say=say,
    )
    return ModelAgent(run, ToolClient(url), **settings)


def live(
    world: str, script: Script, calls: int, usage: Any = "counted", **options: Any
) -> tuple[ModelAgent, Endpoint]:
    """One agent that lives for some calls of a model."""
    with answering(script, usage=usage) as (endpoint, url):
        agent = make(url, calls, **options)
        asyncio.run(asyncio.wait_for(run_agents(world, [agent]), PATIENCE_SECONDS))
    return agent, endpoint


def told(endpoint: Endpoint, role: str) -> list[str]:
    """What the model was told last in this role, before each of its replies."""
    lasts = [
        [each["content"] for each in body["messages"] if each["role"] == role]
        for body in endpoint.asked
    ]
    return [contents[-1] for contents in lasts if contents]


def tick_of(text: str) -> int:
    (tick,) = re.findall(r"^world: tick (\d+)", text, re.M)
    return int(tick)


def test_it_sees_acts_and_is_told_what_came_of_it(world: str) -> None:
    replies = [
        calling(call("say", {"text": "Good morning."})),
        calling(call("mine", {"x": 900, "y": 20, "z": 0})),
        calling(call("mine", {"x": "near", "y": 20, "z": 0})),
        calling(call("save_memory", {"key": "home", "value": "by the river"})),
        calling(call("load_memory")),
    ]
    agent, endpoint = live(
        world,
        lambda number, body: (
            replies[number - 1] if number <= len(replies) else calling(call("wait"))
        ),
        calls=6,
        persona="You are Ida, a mason.",
        goal="Build a hut.",
    )
    assert endpoint.refused == []
    first = endpoint.asked[0]["messages"]
    assert first[0]["content"].endswith("\n\nYou are Ida, a mason.\n\nYour goal: Build a hut.")
    assert "NEWS" in first[1]["content"]
    said, mined, wrong, _, loaded = told(endpoint, "tool")
    assert said.startswith("done")
    assert mined.startswith("refused, E_INVALID_TARGET: too far. Hint: 900 20 0 is ")
    assert mined.endswith(" cells away, reach 2.")
    assert wrong.startswith("not done: mine")
    assert "x" in wrong
    assert loaded == "done\n- home: by the river"
    assert (agent.deeds.done, agent.deeds.refused, agent.deeds.idled) == (4, 2, 0)
    assert agent.ended == "the run's budget of 6 model calls is used up"


def test_a_long_task_is_waited_for_and_not_polled(world: str) -> None:
    def script(number: int, body: Body) -> Body:
        return (
            calling(call("mine_nearest", {"block": "GRASS"}))
            if number < 3
            else calling(call("wait", {"ticks": 3}))
        )

    _, endpoint = live(world, script, calls=3, tools=SIMPLE)
    assert all(result.startswith("done") for result in told(endpoint, "tool"))
    ticks = [tick_of(text) for text in told(endpoint, "user")]
    assert ticks[2] - ticks[0] > len(ticks), "one request for each task, however long it took"
    assert {each["function"]["name"] for each in endpoint.asked[0]["tools"]} == {
        tool.name for tool in SIMPLE
    }


FAILING = call("mine", {"x": 900, "y": 20, "z": 0})
BAD_MODELS = {
    "prose": (saying("I think I shall go for a walk."), "user", "called no tool", True),
    "nothing": (saying(None), "user", "called no tool", True),
    "thoughts": (saying("<think>and so on"), "user", "called no tool", True),
    "wrong tool": (
        calling(call("fly", {"to": "the moon"})),
        "tool",
        "there is no tool 'fly'; the tools are",
        True,
    ),
    "odd name": (calling(call("go to!\ud800", {})), "tool", "there is no tool 'go_to__'", True),
    "cut arguments": (calling(call("mine", '{"x": 1, "y":')), "tool", "no whole JSON", True),
    "huge arguments": (
        calling(call("say", json.dumps({"text": "x" * 70_000}))),
        "tool",
        "arguments are longer",
        True,
    ),
    "unknown field": (
        calling(call("mine", {"x": 1, "y": 2, "z": 3, "w": 4})),
        "tool",
        "no field",
        True,
    ),
    "cut off": (calling(call("leave_org", ""), finish_reason="length"), "tool", "cut off", True),
    "same failure": (calling(FAILING), "tool", "This same call has failed", True),
    "many calls": (
        calling(*[call("wait", id=str(n)) for n in range(30)]),
        "tool",
        "not executed",
        False,
    ),
    "same ids": (
        calling(call("wait"), call("wait"), call("wait")),
        "tool",
        "ticks have passed",
        False,
    ),
    "no ids": (
        calling(call("wait", id=None), call("wait", id=None)),
        "tool",
        "ticks have passed",
        False,
    ),
    "an object": (
        calling({"function": {"name": "wait", "arguments": {"ticks": 1}}}),
        "tool",
        "passed",
        False,
    ),
}


@pytest.mark.parametrize("kind", BAD_MODELS)
def test_a_bad_model_is_told_so_and_idles(world: str, kind: str) -> None:
    reply, role, sentence, idles = BAD_MODELS[kind]
    agent, endpoint = live(world, lambda number, body: json.loads(json.dumps(reply)), calls=7)
    assert endpoint.refused == [], "what goes back is valid, whatever came"
    assert len(endpoint.asked) == 7
    assert sentence in told(endpoint, role)[-1] or any(
        sentence in each for each in told(endpoint, role)
    )
    assert (agent.deeds.idled > 0) is idles
    assert (agent.deeds.done > 0) is not idles


def test_it_idles_longer_each_time_and_begins_anew_after_a_success(world: str) -> None:
    def script(number: int, body: Body) -> Body:
        return calling(call("wait")) if number == 7 else saying("Hm.")

    _, endpoint = live(world, script, calls=14)
    ticks = [tick_of(text) for text in told(endpoint, "user")]
    first, second, third = (ticks[n] - ticks[n - 1] for n in (3, 6, 10))
    assert second >= 2 * first - 2
    assert third < second


def test_no_more_than_some_calls_of_a_reply_are_carried_out(world: str) -> None:
    many = [call("say", {"text": f"{n}"}, id=f"c{n}") for n in range(MAX_CALLS_A_TURN + 2)]
    _, endpoint = live(world, lambda number, body: calling(*many), calls=2)
    results = [each["content"] for each in endpoint.asked[1]["messages"] if each["role"] == "tool"]
    assert ["not executed" in result for result in results] == [False] * MAX_CALLS_A_TURN + [
        True
    ] * 2


def test_old_turns_are_forgotten_whole_and_the_notes_are_shown_again(world: str) -> None:
    def script(number: int, body: Body) -> Body:
        if number == 1:
            return calling(call("save_memory", {"key": "home", "value": "by the river"}))
        return calling(call("wait"), content="A long sentence about nothing at all. " * 40)

    _, endpoint = live(world, script, calls=30)
    assert endpoint.refused == [], "no call without its answer, no answer without its call"
    heads = {json.dumps([body["messages"][0], body["tools"]]) for body in endpoint.asked}
    assert len(heads) == 1, "system prompt and tools stay byte for byte"
    rest = [body["messages"][1:] for body in endpoint.asked]
    assert all(messages[0]["role"] == "user" for messages in rest)
    assert (
        max(estimate_tokens(json.dumps(messages)) for messages in rest)
        < 1.5 * HISTORY_TOKENS["full"]
    )
    assert any(len(later) < len(earlier) for earlier, later in pairwise(rest))
    forgot = next(number for number in range(1, 30) if len(rest[number]) < len(rest[number - 1]))
    assert rest[forgot][-1]["content"].startswith("Your notes:\n- home: by the river\n")
    kept = sum(earlier == later[: len(earlier)] for earlier, later in pairwise(rest))
    assert kept > 20, "for an endpoint's cache the beginning mostly stays"


def test_notes_are_shown_in_short(world: str) -> None:
    def script(number: int, body: Body) -> Body:
        if number <= 5:
            many = [("k" * 300 if n else "long", "v" * 300) for n in range(4)]
            notes = [call("save_memory", {"key": f"{number}-{n}-{key}", "value": value}, id=f"c{n}")
                     for n, (key, value) in enumerate(many)]  # fmt: skip
            return calling(*notes)
        return calling(call("load_memory"))

    _, endpoint = live(world, script, calls=7)
    lines = told(endpoint, "tool")[-1].split("\n")
    assert (lines[0], lines[-1], len(lines)) == ("done", "and 4 more", model_agent.NOTES_SHOWN + 2)
    assert max(map(len, lines)) == model_agent.NOTE_CHARACTERS


def test_an_answer_that_comes_too_late_is_not_carried_out(
    live_world: tuple[str, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_agent, "MAX_AGE_TICKS", 1)

    async def slow(number: int) -> Body:
        await asyncio.sleep(1.0 if number == 1 else 0.0)
        return calling(call("say", {"text": "hello"}))

    agent, endpoint = live(live_world[0], lambda number, body: slow(number), calls=2)
    late, _ = [*told(endpoint, "tool"), "none"][:2]
    assert late.startswith("not done: you answered ")
    assert (agent.deeds.late, agent.deeds.done) == (1, 1)


def test_an_endpoint_in_trouble_is_left_alone_for_some_ticks(world: str) -> None:
    def script(number: int, body: Body) -> Any:
        return calling(call("wait")) if number % 2 else (400, "the context is too long", {})

    agent, endpoint = live(world, script, calls=6)
    assert (agent.deeds.failures, agent.deeds.idled, agent.deeds.done) == (3, 3, 3)
    assert len(endpoint.asked[2]["messages"]) == 2, "a request that was too long is made shorter"


def test_what_is_spent_is_what_the_endpoint_counted(world: str) -> None:
    usage = {"prompt_tokens": 5000, "completion_tokens": 100}
    account = Account(Allowance(money=0.05), TokenPrice(1.0, 10.0))
    agent, endpoint = live(
        world, lambda n, body: calling(call("wait")), 0, usage, account=account, tools=SIMPLE
    )
    assert 1 <= len(endpoint.asked) <= 6, "the next might have cost more than is left"
    assert agent.account.spent.calls == len(endpoint.asked)
    assert agent.account.spent.money == pytest.approx(0.006 * len(endpoint.asked))
    assert agent.account.spent.estimated == 0
    assert agent.ended.endswith("budget of 0.05 in money does not cover another call")


def test_what_the_endpoint_does_not_count_is_estimated_and_marked(world: str) -> None:
    agent, _ = live(world, lambda number, body: calling(call("wait")), 3, None)
    assert agent.account.spent.estimated == 3
    assert agent.account.spent.tokens_in > 3000


def test_budgets_of_an_agent_and_of_the_run(world: str) -> None:
    """One agent has spent its own budget, and idles; the others go on until the run's is spent."""
    whole = Account(Allowance(calls=9))
    accounts = [
        Account(Allowance(calls=2), None, whole),
        Account(Allowance(), None, whole),
        Account(Allowance(), None, whole),
    ]
    with answering(lambda number, body: calling(call("wait"))) as (endpoint, url):
        agents = [
            make(url, 0, f"model-{n}", account=each) for n, each in enumerate(accounts, start=1)
        ]
        asyncio.run(asyncio.wait_for(run_agents(world, agents), PATIENCE_SECONDS))
    assert len(endpoint.asked) == whole.spent.calls == 9
    assert accounts[0].spent.calls == 2
    assert agents[0].ended.startswith("the agent's budget of 2 model calls")
    assert agents[1].ended.startswith("the run's budget of 9 model calls")


def test_the_longest_reply_of_the_environment_counts_in_the_books(
    world: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A budget that has room for usual replies has none for ones of fifty thousand tokens."""
    for limit, calls in (("2048", 1), ("50000", 0)):
        account = Account(Allowance(calls=1, tokens=30_000))
        with answering(lambda number, body: calling(call("wait"))) as (endpoint, url):
            environment = {"THORP_MODEL_URL": url, "THORP_MODEL_MAX_TOKENS": limit}
            client = ToolClient.from_environment(environment)
            run = ModelRun(name="model-1", model="small", account=account, tape=Tape())
            agent = ModelAgent(run, client, tools=(*TOOLS, WAIT))
            asyncio.run(asyncio.wait_for(run_agents(world, [agent]), PATIENCE_SECONDS))
        assert len(endpoint.asked) == calls
    assert agent.ended == "the run's budget of 30000 tokens does not cover another call"


def test_a_dead_endpoint_is_named_with_its_address(world: str) -> None:
    said: list[str] = []
    url = unused_address()

    async def live_until_it_is_said() -> None:
        agent = make(url, calls=9, say=said.append)
        living = asyncio.ensure_future(run_agents(world, [agent]))
        while not said:
            await asyncio.sleep(0.05)
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)

    asyncio.run(asyncio.wait_for(live_until_it_is_said(), PATIENCE_SECONDS))
    assert (
        said[0] == f"model-1: the model gave no reply: connection failed (connection failed: {url})"
    )


def test_a_limit_of_money_needs_prices() -> None:
    with pytest.raises(InvalidError, match="--prices"):
        Account(Allowance(money=1.0))


def test_a_hundred_at_a_time_of_whom_some_stall(live_world: tuple[str, str | None]) -> None:
    """Those with an odd number never get a reply: the others do not notice, and the run ends when
    told."""

    async def script(body: Body) -> Body:
        who = int(body["messages"][0]["content"].rpartition(" ")[2])
        if who % 2:
            await asyncio.sleep(PATIENCE_SECONDS)
        return calling(call("wait"))

    async def run(url: str) -> list[ModelAgent]:
        agents = [
            make(url, 3, f"model-{number}", goal=f"Be number {number}") for number in range(100)
        ]
        crew = asyncio.create_task(run_agents(live_world[0], agents, access_token=live_world[1]))
        while not all(agent.ended for agent in agents[::2]):
            await asyncio.sleep(0.1)
            assert not crew.done()
        crew.cancel()
        await asyncio.gather(crew, return_exceptions=True)
        return agents

    with answering(lambda number, body: script(body)) as (_, url):
        agents = asyncio.run(asyncio.wait_for(run(url), PATIENCE_SECONDS))
    assert {(agent.deeds.done, agent.account.spent.calls) for agent in agents[::2]} == {(3, 3)}
    assert {(agent.deeds.done, agent.account.spent.calls) for agent in agents[1::2]} == {(0, 1)}
    assert all(agent.account.spent.estimated == 1 for agent in agents[1::2]), "what was lost counts"


def test_a_world_that_is_not_there_is_one_reason(tmp_path: Path) -> None:
    with (
        answering(lambda number, body: saying("")) as (_, url),
        pytest.raises(Exception, match="no server there"),
    ):
        asyncio.run(run_agents("ws://127.0.0.1:9/v1/ws", [make(url, 1), make(url, 1, "model-2")]))
