"""The runner's life cycle and promises, beyond what the golden logs show."""

from __future__ import annotations

import hashlib
import json
import math
from asyncio import CancelledError
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arena.golden_agents import Script
from tests.arena.stubs import Answering, Echo, Failing, always
from thorp.arena import (
    Adjudication,
    Agent,
    AgentConfig,
    AgentContext,
    MatchConfig,
    MatchResult,
    run_match,
)
from thorp.arena.agents import BaselineAgent, RandomAgent
from thorp.arena.runner import MESSAGE_LIMIT, Match, MatchInterrupted, MatchStopped
from thorp.arena.scenarios import NumberGuess
from thorp.kernel.errors import InvalidError

HEADER = ["seq", "matchId"]
KEYS = {
    "MatchStarted": ["type", "seed", "agentIds", "scenarioName", "maxTurns", *HEADER],
    "TurnStarted": ["type", "turn", *HEADER],
    "ObservationEmitted": ["type", "agentId", "turn", "observation", *HEADER],
    "ActionSubmitted": ["type", "agentId", "turn", "action", *HEADER],
    "ActionAdjudicated": ["type", "agentId", "turn", "valid", "feedback", *HEADER],
    "AgentError": ["type", "agentId", "turn", "message", *HEADER],
    "StateUpdated": ["type", "turn", "summary", *HEADER],
    "MatchEnded": ["type", "reason", "scores", "turns", *HEADER],
}


def types(result: MatchResult) -> list[str]:
    return [event["type"] for event in result.events]


def of_type(result: MatchResult, kind: str) -> list[dict[str, Any]]:
    return [event for event in result.events if event["type"] == kind]


def test_the_documented_example() -> None:
    seats: list[Agent] = [RandomAgent("random-1"), BaselineAgent("baseline-1")]
    result = run_match(
        NumberGuess(minimum=1, maximum=100), seats, MatchConfig(seed=42, max_turns=20)
    )
    assert hashlib.sha256(result.jsonl).hexdigest() == (
        "f4c3804ca6faed1807359ab6151de9c38c8ef515fa8452487eed99c4ea57cfe8"
    )
    assert (result.match_id, result.seed, result.turns) == ("m_vq4ygsjw5ri5", 42, 5)
    assert result.scores == {"random-1": 0, "baseline-1": 100}


@pytest.mark.parametrize(
    ("seed", "match_id"),
    [(42, "m_vq4ygsjw5ri5"), (1, "m_was98kwzp9qr"), (0, "m_jaifqtwxquid"), (123, "m_2grin4572ow9")],
)
def test_drawn_match_ids(seed: int, match_id: str) -> None:
    assert run_match(NumberGuess(), [], MatchConfig(seed=seed, max_turns=0)).match_id == match_id


def test_every_event_has_its_keys_in_order() -> None:
    seats: list[Agent] = [RandomAgent("r"), Answering("bad", lambda *_: 1 / 0)]
    result = run_match(NumberGuess(), seats, MatchConfig(seed=3, max_turns=3))
    assert set(types(result)) == set(KEYS)
    for number, event in enumerate(result.events):
        assert list(event) == KEYS[event["type"]]
        assert (event["seq"], event["matchId"]) == (number, result.match_id)
    assert result.jsonl.endswith(b"\n")


def test_a_given_id_changes_every_later_draw() -> None:
    drawn = run_match(NumberGuess(), [RandomAgent("a")], MatchConfig(seed=8, max_turns=2))
    given_id = run_match(
        NumberGuess(), [RandomAgent("a")], MatchConfig(seed=8, max_turns=2, match_id="")
    )
    assert given_id.match_id == ""
    assert (
        of_type(drawn, "ActionSubmitted")[0]["action"]
        != of_type(given_id, "ActionSubmitted")[0]["action"]
    )


def test_the_terminal_test_comes_before_every_agent() -> None:
    winner = Answering("w", lambda *_: {"guess": 1})
    late = Answering("late", lambda *_: {"guess": 1})
    result = run_match(NumberGuess(1, 1), [winner, late], MatchConfig(seed=1, max_turns=5))
    assert [event["agentId"] for event in of_type(result, "ObservationEmitted")] == ["w"]
    assert types(result)[-2:] == ["StateUpdated", "MatchEnded"]
    assert result.reason == "completed"


def test_winning_on_the_last_allowed_turn_is_completed() -> None:
    result = run_match(
        NumberGuess(1, 1), [always("a", {"guess": 1})], MatchConfig(seed=1, max_turns=1)
    )
    assert (result.reason, result.turns) == ("completed", 1)


class Relay:
    """The named seats move, one list a turn; whoever moves is struck from its turn's list."""

    name = "relay"

    def __init__(self, *movers: list[str]) -> None:
        self.movers = movers

    def init(self, seed: int, agent_ids: Any) -> Any:
        self.ids = agent_ids
        return {"turn": 0, "asked": [], "moved": []}

    def to_act(self, state: Any) -> Any:
        return [id for id in self.movers[state["turn"]] if id not in state["moved"]]

    def observe(self, state: Any, agent_id: str) -> Any:
        return len(state["asked"])

    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        moved = [*state["moved"], agent_id]
        return Adjudication(
            True, None, {**state, "moved": moved, "asked": [*state["asked"], agent_id]}
        )

    def end_turn(self, state: Any) -> Any:
        return {**state, "turn": state["turn"] + 1, "moved": []}

    def is_terminal(self, state: Any) -> bool:
        return bool(state["turn"] == len(self.movers))

    def score(self, state: Any) -> Any:
        return dict.fromkeys(self.ids, 0)

    def summarize(self, state: Any) -> Any:
        return state["asked"]


def seats_by_turn(result: MatchResult, kind: str) -> list[tuple[int, str]]:
    return [(event["turn"], event["agentId"]) for event in of_type(result, kind)]


def test_seats_that_are_not_to_act_are_not_asked_and_leave_no_event() -> None:
    asked: list[tuple[str, int]] = []

    def answer(name: str) -> Agent:
        return Answering(name, lambda _observation, ctx: asked.append((name, ctx.turn)))

    scenario = Relay(["a"], ["b", "a"], [], ["c"], ["a", "b", "c"])
    result = run_match(scenario, [answer("a"), answer("b"), answer("c")], MatchConfig(seed=1))
    expected = [(1, "a"), (2, "a"), (2, "b"), (4, "c"), (5, "a"), (5, "b"), (5, "c")]
    assert [(turn, name) for name, turn in asked] == expected
    for kind in ("ObservationEmitted", "ActionSubmitted", "ActionAdjudicated"):
        assert seats_by_turn(result, kind) == expected
    assert (result.reason, result.turns) == ("completed", 5)
    assert len(of_type(result, "StateUpdated")) == 5


def test_who_is_to_act_is_asked_of_the_state_that_the_seat_before_left() -> None:
    class Ping(Relay):
        def to_act(self, state: Any) -> Any:
            return self.ids[len(state["asked"]) % 2 :][:1]

    seats = [always("a", 1), always("b", 2)]
    result = run_match(Ping([], [], []), seats, MatchConfig(seed=1))
    assert seats_by_turn(result, "ActionSubmitted") == [(t, id) for t in (1, 2, 3) for id in "ab"]


def test_a_seat_that_failed_in_init_is_not_asked_though_it_is_to_act() -> None:
    broken = always("a", 1)
    broken.init = lambda _config: 1 / 0  # type: ignore[method-assign,assignment]
    result = run_match(Relay(["a"], ["a", "b"]), [broken, always("b", 1)], MatchConfig(seed=1))
    assert [(event["turn"], event["agentId"]) for event in of_type(result, "AgentError")] == [
        (0, "a")
    ]
    assert seats_by_turn(result, "ActionSubmitted") == [(2, "b")]


@pytest.mark.parametrize("answer", [None, 5])
def test_an_answer_that_is_no_list_of_seats_is_the_scenarios_failure(answer: Any) -> None:
    class Broken(Relay):
        def to_act(self, state: Any) -> Any:
            return answer

    result = run_match(Broken(["a"]), [always("a", 1)], MatchConfig(seed=1))
    assert result.reason == "error"
    assert result.error is not None
    assert result.error.startswith("TypeError")
    assert types(result) == ["MatchStarted", "TurnStarted", "MatchEnded"]


def test_naming_everybody_gives_the_log_of_a_scenario_without_the_member() -> None:
    class Everybody(NumberGuess):
        def to_act(self, state: Any) -> Any:
            return ("r", "b")

    for seed in range(20):
        seats: list[list[Agent]] = [[RandomAgent("r"), BaselineAgent("b")] for _ in range(2)]
        config = MatchConfig(seed=seed, max_turns=20)
        alike = run_match(NumberGuess(), seats[0], config), run_match(Everybody(), seats[1], config)
        assert alike[0].jsonl == alike[1].jsonl


@pytest.mark.parametrize(
    ("limit", "turns", "written"),
    [
        (0, 0, "0"),
        (-3, 0, "-3"),
        (2.5, 3, "2.5"),
        (math.nan, 0, "null"),
        (1e21, None, "1e+21"),
        (2.0, 2, "2"),
    ],
)
def test_odd_turn_limits(limit: float, turns: int | None, written: str) -> None:
    guess = {"guess": 0} if turns is not None else {"guess": 1}
    result = run_match(
        NumberGuess(1, 1), [always("a", guess)], MatchConfig(seed=5, max_turns=limit)
    )
    assert f'"maxTurns":{written},'.encode() in result.jsonl
    assert turns is None or (result.turns, result.reason) == (turns, "maxTurnsReached")


def test_an_infinite_limit_runs_until_the_end_and_logs_null() -> None:
    result = run_match(NumberGuess(), [BaselineAgent("b")], MatchConfig(seed=5, max_turns=math.inf))
    assert result.reason == "completed"
    assert b'"maxTurns":null,' in result.jsonl


@pytest.mark.parametrize(
    ("seed", "same_stream_as", "written"),
    [
        (1.5, 1, "1.5"),
        (-1.5, -1, "-1.5"),
        (2**32, 0, "4294967296"),
        (2**32 + 7, 7, "4294967303"),
        (1e21, 1e21 % 2**32, "1e+21"),
        (2**53 + 1, 0, "9007199254740992"),
        (math.nan, 0, "null"),
    ],
)
def test_odd_seeds(seed: float, same_stream_as: float, written: str) -> None:
    odd = run_match(NumberGuess(), [RandomAgent("a")], MatchConfig(seed=seed, max_turns=3))
    plain = run_match(
        NumberGuess(), [RandomAgent("a")], MatchConfig(seed=same_stream_as, max_turns=3)
    )
    assert odd.match_id == plain.match_id
    assert f'"seed":{written},'.encode() in odd.jsonl
    assert odd.jsonl.split(b"\n")[1:] == plain.jsonl.split(b"\n")[1:]


def test_no_agents_at_all() -> None:
    result = run_match(NumberGuess(), [], MatchConfig(seed=1, max_turns=2))
    assert types(result) == ["MatchStarted", *["TurnStarted", "StateUpdated"] * 2, "MatchEnded"]
    assert result.scores == {}


def test_a_minimum_above_the_maximum() -> None:
    result = run_match(
        NumberGuess(10, 5), [RandomAgent("r"), BaselineAgent("b")], MatchConfig(7, 4)
    )
    assert all(not event["valid"] for event in of_type(result, "ActionAdjudicated"))
    assert result.reason == "maxTurnsReached"


def test_bounds_beyond_exact_integers_are_doubles() -> None:
    """1152921504606847000 is how JavaScript writes 2^60, and what reads it holds 2^60."""
    bound = 1152921504606847000
    result = run_match(NumberGuess(bound, bound), [BaselineAgent("b")], MatchConfig(70, 3))
    assert of_type(result, "ActionAdjudicated")[0]["feedback"] == {"feedback": "correct"}


def test_seats_with_one_id_share_the_last_stream_and_one_score() -> None:
    draws: list[float] = []
    seeds: list[int] = []

    class Twin:
        id = "twin"

        def init(self, config: AgentConfig) -> None:
            seeds.append(config.seed)

        def act(self, observation: Any, ctx: AgentContext) -> Any:
            draws.append(ctx.rng())
            return None

    twin = Twin()
    result = run_match(Echo(), [twin, twin], MatchConfig(seed=16, max_turns=1))
    assert len(set(seeds)) == 2
    from thorp.kernel.rng import Mulberry32

    last = Mulberry32(seeds[1])
    assert draws == [last.random(), last.random()]
    assert list(result.scores) == ["twin"]


def test_an_agent_needs_no_base_class_but_an_id() -> None:
    with pytest.raises(InvalidError):
        run_match(Echo(), [always(7, 1)], MatchConfig(seed=1, max_turns=1))  # type: ignore[arg-type]


def test_an_id_that_raises_is_refused_by_name_before_anybody_is_initialised() -> None:
    class Shy:
        @property
        def id(self) -> str:
            raise RuntimeError("not today")

        def init(self, config: AgentConfig) -> None: ...

        def act(self, observation: Any, ctx: AgentContext) -> Any: ...

    first = always("a", 1)
    with pytest.raises(
        InvalidError, match="Shy cannot be read: RuntimeError: not today"
    ) as refused:
        run_match(Echo(), [first, Shy()], MatchConfig(seed=1, max_turns=1))
    assert (refused.value.code, refused.value.path) == ("agent_id", "$.agents[1].id")
    assert not hasattr(first, "config")


def test_an_id_is_read_once() -> None:
    class Moody(Answering):
        reads = 0

        @property  # type: ignore[override]
        def id(self) -> str:
            self.reads += 1
            return f"a{self.reads}"

        @id.setter
        def id(self, _value: str) -> None: ...

    result = run_match(Echo(), [Moody("", lambda *_: 1)], MatchConfig(1, 2))
    assert result.events[0]["agentIds"] == ["a1"]
    assert {event["agentId"] for event in of_type(result, "ActionSubmitted")} == {"a1"}


@pytest.mark.parametrize("name", ["seed", "max_turns"])
@pytest.mark.parametrize("value", ["20", None, True, [3], b"3", {}], ids=repr)
def test_a_limit_or_seed_that_is_no_number_is_refused(name: str, value: Any) -> None:
    first = always("a", 1)
    config = MatchConfig(**{"seed": 1, "max_turns": 2, name: value})
    with pytest.raises(InvalidError, match="must be a number") as refused:
        run_match(Echo(), [first], config)
    assert (refused.value.code, refused.value.path) == (name, f"$.{name}")
    assert not hasattr(first, "config")


class TestFeedback:
    """An agent is handed the verdict on its last action, and the log does not show that it was."""

    def test_the_verdict_on_the_last_action_comes_with_the_next_turn(self) -> None:
        seen: list[Any] = []

        def guess(_observation: Any, ctx: AgentContext) -> Any:
            seen.append(ctx.feedback)
            if ctx.turn == 3:
                raise RuntimeError("lost the thread")
            return {"guess": [500, 1][ctx.turn - 1]} if ctx.turn < 3 else {"guess": 1}

        run_match(NumberGuess(2, 9), [Answering("a", guess)], MatchConfig(seed=1, max_turns=4))
        refused = {"error": "Invalid guess: out of range or non-integer", "guess": 500}
        assert seen == [
            None,
            {"turn": 1, "valid": False, "feedback": refused},
            {"turn": 2, "valid": False, "feedback": {**refused, "guess": 1}},
            {"turn": 3, "valid": False, "feedback": {"error": "lost the thread"}},
        ]

    def test_each_seat_gets_its_own_even_where_two_share_an_id(self) -> None:
        seen: list[Any] = []

        def answer(word: str) -> Answering:
            def act(_observation: Any, ctx: AgentContext) -> Any:
                seen.append((word, ctx.feedback and ctx.feedback["feedback"]))
                return word

            return Answering("twin", act)

        run_match(Echo(), [answer("x"), answer("y")], MatchConfig(seed=1, max_turns=2))
        assert seen[2:] == [("x", {"got": "x"}), ("y", {"got": "y"})]

    def test_an_agent_that_changes_it_changes_nothing_else(self) -> None:
        def spoil(_observation: Any, ctx: AgentContext) -> Any:
            if ctx.feedback is not None:
                ctx.feedback["feedback"]["got"].append("spoilt")
                ctx.feedback.clear()
            return [ctx.turn]

        quiet = run_match(Echo(), [Answering("a", lambda _o, ctx: [ctx.turn])], MatchConfig(1, 4))
        assert run_match(Echo(), [Answering("a", spoil)], MatchConfig(1, 4)).jsonl == quiet.jsonl


def test_the_agent_list_is_taken_once() -> None:
    seats: list[Any] = []

    def recruit(_observation: Any, _ctx: AgentContext) -> Any:
        seats.append(always("late", 1))

    seats.append(Answering("a", recruit))
    result = run_match(Echo(), seats, MatchConfig(seed=1, max_turns=2))
    assert {event["agentId"] for event in of_type(result, "ObservationEmitted")} == {"a"}


def test_an_id_that_javascript_stumbles_over_is_an_id() -> None:
    result = run_match(NumberGuess(1, 1), [always("__proto__", {"guess": 1})], MatchConfig(1, 1))
    assert result.scores == {"__proto__": 100}


class TestFailures:
    def test_act_that_raises_is_an_error_event_and_the_turn_is_over(self) -> None:
        def fail(_observation: Any, _ctx: AgentContext) -> Any:
            raise RuntimeError("no idea")

        result = run_match(
            Echo(), [Answering("a", fail), always("b", 1)], MatchConfig(seed=1, max_turns=1)
        )
        (error,) = of_type(result, "AgentError")
        assert (error["agentId"], error["turn"], error["message"]) == ("a", 1, "no idea")
        assert result.scores == {"a": 1, "b": 1}

    @pytest.mark.parametrize(
        ("failure", "message"),
        [
            (ValueError(), ""),
            (SystemExit("bye"), "bye"),
            (RecursionError("deep"), "deep"),
            (KeyError("k"), "'k'"),
            (GeneratorExit("gone"), "gone"),
            (CancelledError("late"), "late"),
        ],
    )
    def test_anything_an_agent_raises_is_its_own_error(
        self, failure: BaseException, message: str
    ) -> None:
        def fail(_observation: Any, _ctx: AgentContext) -> Any:
            raise failure

        result = run_match(Echo(), [Answering("a", fail)], MatchConfig(seed=1, max_turns=1))
        assert of_type(result, "AgentError")[0]["message"] == message

    def test_an_error_whose_text_cannot_be_made(self) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                raise SystemExit

        def fail(_observation: Any, _ctx: AgentContext) -> Any:
            raise Mute

        result = run_match(Echo(), [Answering("a", fail)], MatchConfig(seed=1, max_turns=1))
        assert of_type(result, "AgentError")[0]["message"] == "Mute"

    def test_a_long_message_is_cut(self) -> None:
        def fail(_observation: Any, _ctx: AgentContext) -> Any:
            raise RuntimeError("x" * (MESSAGE_LIMIT + 1))

        result = run_match(Echo(), [Answering("a", fail)], MatchConfig(seed=1, max_turns=1))
        assert len(of_type(result, "AgentError")[0]["message"]) == MESSAGE_LIMIT

    def test_ctrl_c_ends_the_match_with_a_closed_log_that_says_so(self) -> None:
        def interrupt(_observation: Any, ctx: AgentContext) -> Any:
            if ctx.turn == 2:
                raise KeyboardInterrupt
            return 1

        lines: list[bytes] = []
        for watch in (None, lines.append):
            seats: list[Agent] = [always("a", 1), Answering("b", interrupt)]
            with pytest.raises(MatchInterrupted, match="interrupted in turn 2") as stopped:
                run_match(Echo(), seats, MatchConfig(seed=1, max_turns=9), watch)
            result = stopped.value.result
            assert (result.reason, result.turns, result.scores) == ("interrupted", 2, {})
            assert types(result)[-2:] == ["ObservationEmitted", "MatchEnded"]
            assert result.events[-1] == {
                "type": "MatchEnded", "reason": "interrupted", "scores": {}, "turns": 2,
                "seq": len(result.events) - 1, "matchId": result.match_id,
            }  # fmt: skip
        assert b"".join(lines) == result.jsonl

    def test_an_interrupt_of_another_kind_passes_as_it_is_behind_a_closed_log(self) -> None:
        class Stop(KeyboardInterrupt): ...

        def interrupt(_observation: Any, _ctx: AgentContext) -> Any:
            raise Stop

        lines: list[bytes] = []
        with pytest.raises(Stop):
            run_match(Echo(), [Answering("a", interrupt)], MatchConfig(1, 1), lines.append)
        assert b'"reason":"interrupted"' in lines[-1]

    @pytest.mark.parametrize("count", range(1, 8))
    def test_whoever_watches_may_interrupt_and_the_log_is_closed_once(self, count: int) -> None:
        seen: list[bytes] = []

        def watch(line: bytes) -> None:
            seen.append(line)
            if len(seen) == count:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run_match(Echo(), [always("a", 1)], MatchConfig(1, 1), watch)
        kinds = [json.loads(line)["type"] for line in seen]
        assert kinds.count("MatchEnded") == 1
        assert kinds[-1] == "MatchEnded"
        assert len(seen) == min(count + 1, 7)

    def test_a_seat_whose_init_failed_is_left_out(self) -> None:
        class Broken(Answering):
            def init(self, config: AgentConfig) -> None:
                raise OSError("no engine")

        seats: list[Agent] = [Broken("a", lambda *_: 1), always("b", 2)]
        result = run_match(Echo(), seats, MatchConfig(seed=1, max_turns=2))
        assert types(result)[:3] == ["MatchStarted", "AgentError", "TurnStarted"]
        error = result.events[1]
        assert (error["agentId"], error["turn"], error["message"]) == ("a", 0, "no engine")
        assert {event["agentId"] for event in of_type(result, "ObservationEmitted")} == {"b"}
        assert result.events[0]["agentIds"] == ["a", "b"]

    @pytest.mark.parametrize(
        "method", ["init", "observe", "adjudicate", "is_terminal", "score", "summarize"]
    )
    @pytest.mark.parametrize("call", [1, 2, 3])
    def test_a_scenario_that_raises_ends_the_match_with_reason_error(
        self, method: str, call: int
    ) -> None:
        if (method, call) in {("init", 2), ("init", 3), ("score", 2), ("score", 3)}:
            return  # called once only
        seats: list[Agent] = [always("a", 1), always("b", 2)]
        result = run_match(Failing(method, call), seats, MatchConfig(seed=1, max_turns=3))
        assert types(result)[0] == "MatchStarted"
        assert types(result)[-1] == "MatchEnded"
        assert types(result).count("MatchEnded") == 1
        assert [event["seq"] for event in result.events] == list(range(len(result.events)))
        assert result.reason == result.events[-1]["reason"] == "error"
        assert result.error == f"ValueError: {method} broke"
        expected_scores = {} if method in ("init", "score") else {"a", "b"}
        assert set(result.scores) == set(expected_scores)

    def test_a_scenario_whose_values_are_no_json(self) -> None:
        class Odd(Echo):
            def summarize(self, state: Any) -> Any:
                return {1, 2}

        result = run_match(Odd(), [always("a", 1)], MatchConfig(seed=1, max_turns=2))
        assert (result.reason, result.scores) == ("error", {"a": 1})

    def test_the_writer_may_stop_a_match(self) -> None:
        class Enough(MatchStopped): ...

        lines: list[bytes] = []

        def write(line: bytes) -> None:
            if len(lines) == 3:
                raise Enough
            lines.append(line)

        with pytest.raises(Enough):
            Match(Echo(), [always("a", 1)], MatchConfig(seed=1, max_turns=2), write).play()
        assert len(lines) == 3

    def test_a_long_log_is_the_same_kept_and_watched(self) -> None:
        lines: list[bytes] = []
        config = MatchConfig(seed=1, max_turns=400)
        run_match(NumberGuess(), [always("a", 1), always("b" * 200, None)], config, lines.append)
        kept = run_match(NumberGuess(), [always("a", 1), always("b" * 200, None)], config)
        assert kept.jsonl == b"".join(lines)
        assert [event["seq"] for event in kept.events] == list(range(len(lines)))
        assert len(lines) > 1024


class TestNothingLoggedChanges:
    def test_an_agent_cannot_change_what_it_saw_or_the_state(self) -> None:
        def vandal(observation: Any, _ctx: AgentContext) -> Any:
            observation["seen"].append("graffiti")
            observation.clear()
            return {"n": 1}

        result = run_match(Echo(), [Answering("a", vandal)], MatchConfig(seed=1, max_turns=2))
        assert [event["observation"] for event in of_type(result, "ObservationEmitted")] == [
            {"seen": []},
            {"seen": [{"n": 1}]},
        ]

    def test_an_agent_that_reuses_one_action_object(self) -> None:
        shared: dict[str, Any] = {"n": 0}

        def reuse(_observation: Any, _ctx: AgentContext) -> Any:
            shared["n"] += 1
            return shared

        result = run_match(Echo(), [Answering("a", reuse)], MatchConfig(seed=1, max_turns=3))
        assert [event["action"]["n"] for event in of_type(result, "ActionSubmitted")] == [1, 2, 3]
        assert of_type(result, "StateUpdated")[-1]["summary"] == {
            "seen": [{"n": 1}, {"n": 2}, {"n": 3}]
        }

    def test_events_are_what_the_log_says(self) -> None:
        result = run_match(NumberGuess(), [RandomAgent("\u2028")], MatchConfig(seed=1, max_turns=3))
        lines = result.jsonl.decode("utf-8").split("\n")[:-1]
        assert result.events == [json.loads(line) for line in lines]


class TestOptionalMembers:
    def test_end_turn_runs_before_the_summary_even_when_a_seat_failed(self) -> None:
        class Simultaneous(Echo):
            def end_turn(self, state: Any) -> Any:
                return {"ids": state["ids"], "seen": [*state["seen"], "resolved"]}

        seats: list[Agent] = [Answering("a", lambda *_: 1 / 0), always("b", 5)]
        result = run_match(Simultaneous(), seats, MatchConfig(seed=1, max_turns=1))
        assert of_type(result, "StateUpdated")[0]["summary"] == {"seen": [5, "resolved"]}

    def test_end_turn_that_raises_is_the_scenarios_failure(self) -> None:
        class Broken(Echo):
            def end_turn(self, state: Any) -> Any:
                raise ValueError("no")

        result = run_match(Broken(), [always("a", 1)], MatchConfig(seed=1, max_turns=2))
        assert (result.reason, result.turns) == ("error", 1)

    def test_observations_as_digests(self) -> None:
        class Large(Echo):
            observation_log = "digest"

        seen: list[Any] = []

        def look(observation: Any, _ctx: AgentContext) -> Any:
            seen.append(observation)
            return "x"

        result = run_match(Large(), [Answering("a", look)], MatchConfig(seed=1, max_turns=2))
        logged = [event["observation"] for event in of_type(result, "ObservationEmitted")]
        assert seen == [{"seen": []}, {"seen": ["x"]}]
        for entry, value in zip(logged, seen, strict=True):
            text = result.contents[entry["sha256"]]
            assert json.loads(text) == value
            assert hashlib.sha256(text).hexdigest() == entry["sha256"]
            assert entry["bytes"] == len(text)


@given(st.integers(), st.integers(1, 30), st.integers(-1000, 1000), st.integers(0, 1000))
@settings(max_examples=60)
def test_the_same_match_twice_is_the_same_bytes(seed: int, turns: int, low: int, span: int) -> None:
    def play() -> bytes:
        seats: list[Agent] = [RandomAgent("a"), BaselineAgent("b"), RandomAgent("3")]
        return run_match(
            NumberGuess(low, low + span), seats, MatchConfig(seed=seed, max_turns=turns)
        ).jsonl

    assert play() == play()


class CheckedNumberGuess(NumberGuess):
    """Promises nothing, so that the runner checks every value."""

    def is_plain(self, state: Any) -> bool:
        return False


BOUNDS = st.integers(-5, 120) | st.sampled_from([0.5, -0.0, 1e16, 2**53, 1e300])
GUESSES = st.integers(-2, 120) | st.sampled_from(
    [
        None,
        True,
        50.0,
        7.5,
        1e300,
        math.nan,
        "50",
        "é\ud800",
        [1, {"2": 0, "1": 0}],
        {"b": 1, "0": 2},
    ]
)
NAMES = st.sampled_from(["ada", "10", "2nd", "é\u2028", 'a"b', "\ud800"])


@given(
    st.tuples(BOUNDS, BOUNDS),
    st.lists(NAMES, min_size=1, max_size=3),
    st.lists(
        GUESSES | st.integers(1, 100).map(lambda guess: {"guess": guess}), min_size=1, max_size=6
    ),
    st.integers(0, 2**32),
)
@settings(max_examples=200)
def test_values_promised_to_be_plain_are_logged_as_checked_ones_are(
    bounds: tuple[float, float], ids: list[str], guesses: list[Any], seed: int
) -> None:
    def play(scenario: NumberGuess) -> MatchResult:
        actions = [guess if isinstance(guess, dict) else {"guess": guess} for guess in guesses]
        seats: list[Agent] = [Script(id, [{"return": action} for action in actions]) for id in ids]
        return run_match(scenario, [*seats, RandomAgent("r")], MatchConfig(seed=seed, max_turns=8))

    checked, promised = play(CheckedNumberGuess(*bounds)), play(NumberGuess(*bounds))
    assert promised.jsonl == checked.jsonl
    assert (promised.scores, promised.error) == (checked.scores, checked.error)


def test_an_agent_that_changes_a_plain_observation_changes_nothing_else() -> None:
    class Vandal(RandomAgent):
        def act(self, observation: Any, ctx: AgentContext) -> Any:
            action = super().act(observation, ctx)
            observation.clear()
            return action

    def play(agent: Agent) -> bytes:
        return run_match(NumberGuess(), [agent, BaselineAgent("b")], MatchConfig(seed=4)).jsonl

    assert play(Vandal("r")) == play(RandomAgent("r"))
