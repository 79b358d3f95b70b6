"""The iterated prisoner's dilemma: scores of deterministic pairs, silence, sealed moves,
parameters."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from thorp.arena import AgentConfig, AgentContext, MatchConfig, run_match
from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.scenarios import Dilemma
from thorp.kernel.errors import InvalidError

BOTS = BUILT_IN_AGENTS["dilemma"]
ROUNDS = 200


def play(first: str, second: str, *, seed: int = 1, **parameters: int) -> tuple[float, float]:
    result = run_match(
        Dilemma(**parameters), [BOTS[first]("a"), BOTS[second]("b")], MatchConfig(seed, 1000)
    )
    assert result.reason == "completed"
    return result.scores["a"], result.scores["b"]


class Fixed:
    """Plays what it is given; an exception is raised."""

    def __init__(self, id: str, *steps: Any) -> None:
        self.id = id
        self.steps = steps

    def init(self, config: AgentConfig) -> None: ...

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        step = self.steps[(ctx.turn - 1) % len(self.steps)]
        if isinstance(step, Exception):
            raise step
        return step


# An independent reference: each strategy from its definition in words, on lists of True
# (cooperate).
Rule = Callable[[list[bool], list[bool]], bool]
REFERENCE: dict[str, Rule] = {
    "cooperator": lambda me, you: True,
    "defector": lambda me, you: False,
    "alternator": lambda me, you: not me[-1] if me else True,
    "tit-for-tat": lambda me, you: you[-1] if you else True,
    "suspicious-tit-for-tat": lambda me, you: you[-1] if you else False,
    "tit-for-two-tats": lambda me, you: any(you[-2:]) or len(you) < 2,
    "grudger": lambda me, you: all(you),
    "pavlov": lambda me, you: (me[-1] if you[-1] else not me[-1]) if me else True,
}
POINTS = {(True, True): 3, (True, False): 0, (False, True): 5, (False, False): 1}


def reference(first: str, second: str) -> tuple[int, int]:
    one: list[bool] = []
    two: list[bool] = []
    for _ in range(ROUNDS):
        mine, yours = REFERENCE[first](one, two), REFERENCE[second](two, one)
        one.append(mine)
        two.append(yours)
    outcomes = list(zip(one, two, strict=True))
    return sum(POINTS[a, b] for a, b in outcomes), sum(POINTS[b, a] for a, b in outcomes)


@pytest.mark.parametrize(("first", "second"), list(product(REFERENCE, REFERENCE)))
def test_deterministic_pairs_score_as_the_strategies_are_defined(first: str, second: str) -> None:
    assert play(first, second) == reference(first, second)


# Worked out by hand, round by round, for 200 rounds at 5, 3, 1, 0.
WELL_KNOWN = {
    ("cooperator", "cooperator"): (600, 600),
    ("cooperator", "defector"): (0, 1000),
    ("defector", "defector"): (200, 200),
    ("tit-for-tat", "tit-for-tat"): (600, 600),
    ("tit-for-tat", "defector"): (199, 204),
    ("tit-for-tat", "suspicious-tit-for-tat"): (500, 500),
    ("tit-for-tat", "alternator"): (498, 503),
    ("suspicious-tit-for-tat", "suspicious-tit-for-tat"): (200, 200),
    ("tit-for-two-tats", "defector"): (198, 208),
    ("tit-for-two-tats", "alternator"): (300, 800),
    ("grudger", "defector"): (199, 204),
    ("grudger", "alternator"): (597, 107),
    ("grudger", "suspicious-tit-for-tat"): (203, 203),
    ("alternator", "alternator"): (400, 400),
    ("pavlov", "pavlov"): (600, 600),
    ("pavlov", "tit-for-tat"): (600, 600),
    ("pavlov", "defector"): (100, 600),
    ("pavlov", "alternator"): (450, 450),
    ("pavlov", "suspicious-tit-for-tat"): (401, 401),
}


@pytest.mark.parametrize(("pair", "scores"), WELL_KNOWN.items())
def test_well_known_scores(pair: tuple[str, str], scores: tuple[int, int]) -> None:
    assert play(*pair) == scores
    assert play(*reversed(pair)) == tuple(reversed(scores))


@pytest.mark.parametrize("opponent", BOTS)
def test_tit_for_tat_never_outscores_its_opponent(opponent: str) -> None:
    ours, theirs = play("tit-for-tat", opponent)
    assert theirs - 5 <= ours <= theirs


@pytest.mark.parametrize(
    ("bot", "opponent", "low", "high"),
    # Cooperations in 1000 rounds: half; one defection in three forgiven; nine in ten.
    [
        ("random", "cooperator", 450, 550),
        ("generous-tit-for-tat", "defector", 283, 383),
        ("joss", "cooperator", 870, 930),
    ],
)
def test_drawing_strategies_cooperate_as_often_as_they_should(
    bot: str, opponent: str, low: int, high: int
) -> None:
    result = run_match(
        Dilemma(rounds=1000), [BOTS[bot]("a"), BOTS[opponent]("b")], MatchConfig(5, 1000)
    )
    events = [e for e in result.events if e["type"] == "ActionSubmitted" and e["agentId"] == "a"]
    assert low <= sum(event["action"]["move"] == "cooperate" for event in events) <= high


def test_joss_and_generous_keep_to_tit_for_tat_where_they_do_not_draw() -> None:
    assert play("joss", "defector")[0] < 200
    assert play("generous-tit-for-tat", "cooperator") == (600, 600)


def test_payoffs_are_parameters() -> None:
    payoffs = {"temptation": 10, "reward": 7, "punishment": 2, "sucker": -1}
    assert play("tit-for-tat", "defector", rounds=3, **payoffs) == (-1 + 2 + 2, 10 + 2 + 2)
    assert play("cooperator", "cooperator", rounds=3, **payoffs) == (21, 21)


@pytest.mark.parametrize(
    "silence", [RuntimeError("down"), None, {"move": "surrender"}, {"move": 1}, "defect"]
)
def test_a_seat_without_a_move_cooperates_and_the_round_goes_on(silence: Any) -> None:
    agents = [Fixed("a", silence), Fixed("b", {"move": "defect"})]
    result = run_match(Dilemma(rounds=4), agents, MatchConfig(1, 100))
    assert (result.reason, result.turns) == ("completed", 4)
    assert result.scores == {"a": 0, "b": 20}
    summaries = [event["summary"] for event in result.events if event["type"] == "StateUpdated"]
    assert summaries[-1] == {
        "round": 4,
        "moves": {"a": "cooperate", "b": "defect"},
        "silent": ["a"],
        "scores": {"a": 0, "b": 20},
    }


def test_two_silent_seats_cooperate_with_each_other() -> None:
    agents = [Fixed("a", RuntimeError()), Fixed("b", RuntimeError())]
    result = run_match(Dilemma(rounds=2), agents, MatchConfig(1, 100))
    assert result.scores == {"a": 6, "b": 6}


def test_what_a_seat_sees() -> None:
    scenario = Dilemma(rounds=5)
    state = scenario.init(1, ["a", "b"])
    for mine, yours in (("defect", "cooperate"), ("cooperate", "cooperate")):
        state = scenario.adjudicate(state, "a", {"move": mine}).state
        state = scenario.adjudicate(state, "b", {"move": yours}).state
        state = scenario.end_turn(state)
    assert scenario.observe(state, "b") == {
        "round": 3,
        "rounds": 5,
        "you": {"last": "cooperate", "defections": 0, "moves": "CC", "score": 3},
        "opponent": {"last": "cooperate", "defections": 1, "moves": "DC", "score": 8},
        "payoffs": {"temptation": 5, "reward": 3, "punishment": 1, "sucker": 0},
    }


def test_a_sealed_move_is_seen_by_nobody_and_stands() -> None:
    scenario = Dilemma()
    state = scenario.init(1, ["a", "b"])
    sealed = scenario.adjudicate(state, "a", {"move": "defect"}).state
    assert scenario.observe(sealed, "b") == scenario.observe(state, "b")
    assert scenario.summarize(sealed) == scenario.summarize(state)
    again = scenario.adjudicate(sealed, "a", {"move": "cooperate"})
    assert not again.valid
    assert scenario.score(scenario.end_turn(again.state)) == {"a": 5, "b": 0}


def test_nothing_moves_after_the_last_round() -> None:
    scenario = Dilemma(rounds=1)
    state = scenario.end_turn(scenario.init(1, ["a", "b"]))
    assert scenario.is_terminal(state)
    assert scenario.end_turn(state) == state
    assert not scenario.adjudicate(state, "a", {"move": "defect"}).valid


@pytest.mark.parametrize(
    "parameters",
    [
        {"rounds": 0},
        {"rounds": 1001},
        {"rounds": 2.5},
        {"rounds": True},
        {"rounds": "9"},
        {"reward": 6},
        {"punishment": 3},
        {"sucker": 1},
        {"temptation": 6},
        {"temptation": 10**9},
        {"sucker": float("nan")},
    ],
    ids=str,
)
def test_parameters_that_make_no_dilemma_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as refusal:
        Dilemma(**parameters)
    assert refusal.value.code == "parameter"
    assert "\n" not in refusal.value.message


@pytest.mark.parametrize("ids", [[], ["a"], ["a", "b", "c"], ["a", "a"]], ids=str)
def test_it_is_for_two(ids: list[str]) -> None:
    with pytest.raises(InvalidError) as refusal:
        Dilemma().init(1, ids)
    assert refusal.value.code == "seats"
    result = run_match(Dilemma(), [BOTS["defector"](id) for id in ids], MatchConfig(1, 10))
    assert result.reason == "error"
    assert "dilemma" in str(result.error)


def test_deterministic_strategies_draw_nothing() -> None:
    def no_draw() -> float:
        raise AssertionError("drew")

    for name in REFERENCE:
        for mine, yours in (("", ""), ("C", "C"), ("C", "D"), ("D", "C"), ("D", "D"), ("CD", "DD")):
            view = {"you": {"moves": mine}, "opponent": {"moves": yours}}
            BOTS[name]("a").act(view, AgentContext(no_draw, 1, "a"))
