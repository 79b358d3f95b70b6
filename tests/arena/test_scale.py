"""The absolute scale: equilibria and their bounds, what decisions lose, and the references."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.arena.stubs import always
from thorp.arena import MatchConfig, run_match
from thorp.arena.equilibrium import (
    EQUILIBRIA,
    REACHED,
    UNIT,
    VALUES,
    exploitability,
    normalised,
    spot_of,
    spots,
    tree,
    uniform,
    value,
)
from thorp.arena.registry import agent_kinds, make_agent, make_scenario
from thorp.arena.scale import EXACT, REFERENCES, decisions, scale, value_lost
from thorp.arena.suite import LEAGUE_1
from thorp.kernel.errors import InvalidError

POKERS = ("kuhn-poker", "leduc-poker")
BOUND = 0.0001  # Chips a deal, as docs/scenarios.md says.


def plays(game: str, kind: str, other: str, matches: int) -> list[tuple[bytes, str]]:
    """Logs of a bot against another, in both seats by turns."""
    found = []
    for seed in range(matches):
        seats = [make_agent(game, kind, "own"), make_agent(game, other, "other")]
        if seed % 2:
            seats.reverse()
        match = run_match(make_scenario(game, {}), seats, MatchConfig(7919 * seed + 5, 1000))
        found.append((match.jsonl, "own"))
    return found


# The equilibria


@pytest.mark.parametrize("game", POKERS)
def test_the_shipped_strategies_are_equilibria(game: str) -> None:
    strategy = normalised(EQUILIBRIA[game])
    assert set(strategy) == set(tree(game).moves)
    assert all(sum(weights) == UNIT for weights in EQUILIBRIA[game].values())
    assert 0 <= exploitability(game, strategy) < BOUND
    assert value(game, strategy, strategy) == pytest.approx(VALUES[game], abs=BOUND)


def test_the_trees_have_the_known_sizes() -> None:
    """Kuhn: 12 information sets, 30 ends, 24 decisions. Leduc without suits: 288 sets."""
    assert [len(tree(game).moves) for game in POKERS] == [12, 288]
    places = [node.place for node in tree("kuhn-poker").nodes]
    assert (places.count(None), len(places)) == (30, 54)


def test_other_strategies_are_worse() -> None:
    """Uniform play in Kuhn poker is exploited by 11/24 of a chip: 1/2 in place 0, 5/12 in place 1."""
    assert exploitability("kuhn-poker", uniform("kuhn-poker")) == pytest.approx(11 / 24)
    assert exploitability("leduc-poker", uniform("leduc-poker")) > 2
    spoilt = normalised(EQUILIBRIA["kuhn-poker"]) | {"K b": [1.0, 0.0]}
    assert exploitability("kuhn-poker", spoilt) > 0.05


@pytest.mark.parametrize("game", POKERS)
def test_what_a_spot_says_adds_up(game: str) -> None:
    strategy = normalised(EQUILIBRIA[game])
    reached = {spot: each for spot, each in spots(game).items() if each.reached}
    assert len(reached) > 0.8 * len(strategy)
    for spot, each in spots(game).items():
        assert set(each.values) == set(tree(game).moves[spot])
        assert min(each.lost(move) for move in each.values) == 0
        assert each.reached or set(each.values.values()) == {0.0}
    assert spots("kuhn-poker")["K b"].lost("pass") == pytest.approx(3)
    assert spots("kuhn-poker")["J b"].lost("bet") == pytest.approx(1)
    assert 0 < REACHED < 0.001


@pytest.mark.parametrize("game", POKERS)
def test_every_spot_of_a_match_is_one_of_the_tree(game: str) -> None:
    for log, _ in plays(game, "random", "random", 3):
        for line in log.splitlines():
            event = json.loads(line)
            if event["type"] == "ObservationEmitted":
                spot = spot_of(event["observation"])
                assert list(tree(game).moves[spot]) == event["observation"]["legal"]


# The scale


@pytest.mark.parametrize("game", EXACT)
def test_random_play_is_0_and_the_best_is_1(game: str) -> None:
    best = {"nim": "perfect"}.get(game, "equilibrium")
    for other in ("random", best):
        blind = scale(game, plays(game, "random", other, 60))
        perfect = scale(game, plays(game, best, other, 10))
        assert blind == pytest.approx(0, abs=0.15)
        assert perfect == pytest.approx(1, abs=0.001)
        assert value_lost(game, plays(game, best, other, 10)) == pytest.approx(0, abs=0.001)


def test_play_between_is_between() -> None:
    assert 0.05 < (scale("nim", plays("nim", "endgame", "perfect", 30)) or 0) < 0.5
    assert 0.9 < (scale("leduc-poker", plays("leduc-poker", "honest", "random", 10)) or 0) < 0.99


def test_what_a_known_mistake_costs() -> None:
    """Whoever never bets in Kuhn poker folds the king to a bet, which costs 3 chips."""
    seats = [always("own", {"move": "pass"}), always("other", {"move": "bet"})]
    log = run_match(make_scenario("kuhn-poker", {"deals": 40}), seats, MatchConfig(3, 200)).jsonl
    lost = [round(each.lost, 3) for each in decisions("kuhn-poker", log, "own")]
    assert 3.0 in lost
    assert {each for each in lost if each > 0.01} <= {3.0, 0.316}
    assert value_lost("kuhn-poker", [(log, "own")]) == pytest.approx(sum(lost) / 40, abs=0.001)


def test_a_missed_move_counts_as_the_one_that_was_made_for_it() -> None:
    passing = [always("own", {"move": "pass"}), make_agent("kuhn-poker", "random", "other")]
    silent = [always("own", None), make_agent("kuhn-poker", "random", "other")]
    config = MatchConfig(3, 200)
    scenario = make_scenario("kuhn-poker", {})
    logs = [run_match(scenario, seats, config).jsonl for seats in (passing, silent)]
    first, second = ([d.lost for d in decisions("kuhn-poker", log, "own")] for log in logs)
    assert first == second


def test_without_decisions_there_is_no_scale() -> None:
    assert scale("nim", []) is None
    assert scale("connect-four", []) is None
    assert value_lost("kuhn-poker", []) is None
    lost = run_match(
        make_scenario("nim", {"heaps": [2, 2], "deals": 1}),
        [make_agent("nim", "random", "own"), make_agent("nim", "perfect", "other")],
        MatchConfig(1),
    )
    assert scale("nim", [(lost.jsonl, "own")]) is None, "a lost position has nothing to lose"


def test_what_is_refused() -> None:
    ((log, _),) = plays("nim", "random", "random", 1)
    refusals: list[tuple[Any, ...]] = [
        (scale, "dilemma", []),
        (value_lost, "liars-dice", []),
        (scale, "kuhn-poker", [(log, "own")]),
        (scale, "negotiation", [(log, "own")]),
        (scale, "nim", [(b"", "own")]),
        (scale, "nim", [(log + b"{}\n", "own")]),
    ]
    for function, *arguments in refusals:
        with pytest.raises(InvalidError):
            function(*arguments)
    ((whole, _),) = plays("liars-dice", "random", "random", 1)
    for cut, agent_id in (
        (whole, "nobody"),
        (b"".join(whole.splitlines(keepends=True)[:-1]), "own"),
    ):
        with pytest.raises(InvalidError, match="no score"):
            scale("liars-dice", [(cut, agent_id)])


def test_the_references_are_bots_of_the_suites_games() -> None:
    games = {game["scenario"] for game in LEAGUE_1["games"]}
    assert {*EXACT, *REFERENCES} == games
    for name, reference in REFERENCES.items():
        assert {reference.blind, reference.best} <= set(agent_kinds(name))
        assert reference.best_score > reference.blind_score


@pytest.mark.parametrize("game", ["liars-dice", "negotiation"])
def test_the_references_are_0_and_1(game: str) -> None:
    """Within what so few matches can show."""
    reference = REFERENCES[game]
    assert scale(game, plays(game, reference.blind, reference.best, 16)) == pytest.approx(
        0, abs=0.3
    )
    assert scale(game, plays(game, reference.best, reference.best, 16)) == pytest.approx(1, abs=0.3)
