"""The games of League 1 against OpenSpiel, and that a seat sees what it may know and nothing else."""

from __future__ import annotations

import random
from itertools import permutations, product
from typing import Any

import msgspec
import pytest

from tests.arena.scenarios.oracle import Partition, check, recorded
from tests.arena.stubs import Answering
from thorp.arena import Agent, MatchConfig, run_match
from thorp.arena.registry import make_agent, make_scenario
from thorp.arena.scenarios import (
    Fireworks,
    Impostor,
    KuhnPoker,
    LeducPoker,
    LiarsDice,
    Negotiation,
    Nim,
)
from thorp.arena.scenarios.fireworks import COLOURS
from thorp.arena.scenarios.impostor import Deal
from thorp.arena.scenarios.kuhn_poker import KuhnPosition
from thorp.arena.scenarios.leduc_poker import LeducPosition
from thorp.arena.scenarios.liars_dice import LiarsDicePosition, chance_of_at_least
from thorp.arena.scenarios.negotiation import NegotiationPosition, instances, worth
from thorp.arena.scenarios.nim import NimPosition, is_won
from thorp.arena.scenarios.topics import TOPICS
from thorp.arena.sealed import open_draws, shuffled
from thorp.kernel.errors import InvalidError

IDS = ("s0", "s1")


# OpenSpiel's playouts, recorded


def test_legal_moves_returns_and_knowledge_are_openspiels() -> None:
    counts = check(recorded())
    assert {game: count["playouts"] for game, count in counts.items()} == {
        "kuhn-poker": 40,
        "leduc-poker": 40,
        "liars-dice": 120,
        "negotiation": 40,
        "nim": 80,
        "fireworks": 20,
    }
    assert sum(count["known"] for count in counts.values()) > 4_000


def test_the_comparison_finds_what_differs() -> None:
    trace = next(each for each in recorded() if each["returns"] == [2, -2])
    assert trace["game"] == "kuhn-poker"
    for change in (
        {"returns": [5, -5]},
        {"setup": {"cards": trace["setup"]["cards"][::-1]}},
        {"steps": trace["steps"][:-1]},
        {"steps": [{**trace["steps"][0], "legal": [{"move": "pass"}]}]},
    ):
        with pytest.raises(AssertionError):
            check([{**trace, **change}])
    partition = Partition()
    partition.add("a", "x")
    with pytest.raises(AssertionError, match="we show less"):
        partition.add("a", "y")
    with pytest.raises(AssertionError, match="we show more"):
        partition.add("b", "x")


# What a seat may know: two deals that differ only in what is hidden from a seat look alike to it


def playout(scenario: Any, deals: list[Any], seat: int, actions: list[Any], seed: int) -> int:
    """Play the same random moves in several deals, as long as all that is public stays the same,
    and compare what the seat sees. Returns how many times it was compared."""
    chance = random.Random(seed)
    states = [scenario.begin(("s0", "s1", "s2")[: 2 + (scenario.seats[0] > 2)], d) for d in deals]
    compared = 0
    while not any(scenario.is_terminal(state) for state in states):
        views = [scenario.observe(state, f"s{seat}") for state in states]
        # What is laid open by the rules ends the comparison: a finished deal, or a card played.
        if any(view.get("last") != views[0].get("last") for view in views):
            break
        if any(view.get("history") != views[0].get("history") for view in views):
            break
        assert all(view == views[0] for view in views), views
        compared += 1
        movers = {scenario.to_act(state) for state in states}
        assert len(movers) == 1, "who is to move tells what is hidden"
        for mover in movers.pop():
            chance.shuffle(actions)
            for action in actions:
                verdicts = [scenario.adjudicate(state, mover, action) for state in states]
                if all(verdict.valid for verdict in verdicts):
                    break
            else:
                return compared
            states = [verdict.state for verdict in verdicts]
            if mover == f"s{seat}" and scenario.name != "fireworks":
                # The verdict on an own move shows no more than the view does; a card that is laid
                # down is seen by its holder, too.
                feedbacks = [verdict.feedback for verdict in verdicts]
                assert any(scenario.is_terminal(state) for state in states) or all(
                    feedback == feedbacks[0] or "gain" in feedback for feedback in feedbacks
                )
        following = scenario.to_act(states[0])
        if following and following[0] <= mover:  # else it is asked in the same turn
            states = [scenario.end_turn(state) for state in states]
    return compared


def test_kuhn_poker_hides_the_other_card() -> None:
    moves = [{"move": "pass"}, {"move": "bet"}]
    for own, seat, seed in product(range(3), (0, 1), range(20)):
        hands = [cards for cards in permutations(range(3), 2) if cards[seat] == own]
        deals = [(KuhnPosition((a, b)),) for a, b in hands]
        assert playout(KuhnPoker(deals=1), deals, seat, moves, seed) >= 1


def test_leduc_poker_hides_the_other_card_and_the_board_of_the_first_round() -> None:
    moves = [{"move": move} for move in ("fold", "call", "call", "raise")]
    for own, seat, seed in product(range(3), (0, 1), range(30)):
        deals = [
            (LeducPosition((own, other) if seat == 0 else (other, own), board),)
            for other, board in product(range(3), repeat=2)
            if (own, other, board).count(own) < 3
        ]
        board = deals[0][0].board
        assert playout(
            LeducPoker(deals=1), [d for d in deals if d[0].board == board], seat, moves, seed
        )
        first_round = [m for m in moves if m["move"] != "call"]
        assert playout(LeducPoker(deals=1), deals, seat, first_round, seed)


def test_liars_dice_hides_the_other_dice() -> None:
    moves: list[Any] = [{"bid": [n, face]} for n in range(1, 5) for face in range(1, 7)]
    rolls = [tuple(sorted(roll)) for roll in product(range(1, 7), repeat=2)]
    for own, seat, seed in product(rolls[::7], (0, 1), range(5)):
        deals: Any = [
            (LiarsDicePosition((own, other) if seat == 0 else (other, own)),) for other in rolls
        ]
        actions = [*moves, {"call": True}]
        assert playout(LiarsDice(deals=1, dice=2), deals, seat, actions, seed) >= 1


def test_a_negotiation_hides_the_other_values() -> None:
    every = instances()
    for start, seat in product(range(0, len(every), 500), (0, 1)):
        own = every[start]
        deals = [
            (NegotiationPosition(each),)
            for each in every
            if each.pool == own.pool and each.values[seat] == own.values[seat]
        ]
        shares = product(*(range(count + 1) for count in own.pool))
        actions: list[Any] = [{"keep": list(share), "say": "mine"} for share in shares]
        actions += [{"accept": True}] * 3
        assert playout(Negotiation(deals=1), deals, seat, actions, start) >= 1


def test_fireworks_hides_the_own_hand_and_the_deck() -> None:
    scenario = Fireworks()
    for seed, seat in product(range(20), (0, 1)):
        chance = random.Random(seed)
        deck = scenario.pack()
        chance.shuffle(deck)
        hand = slice(5 * seat, 5 * seat + 5)
        others = deck[5:10] if seat == 0 else deck[:5]
        hidden = [*deck[hand], *deck[10:]]
        chance.shuffle(hidden)
        other_deck = [*hidden[:5], *others] if seat == 0 else [*others, *hidden[:5]]
        # Hints only: with a discard the other seat draws a card that this one sees.
        actions: list[Any] = [
            {"move": "hint", "seat": other, "colour": colour}
            for other, colour in product((0, 1), COLOURS)
        ]
        assert playout(scenario, [deck, [*other_deck, *hidden[5:]]], seat, actions, seed) >= 1


def test_an_impostor_does_not_see_the_word_nor_the_honest_who_it_is() -> None:
    scenario = Impostor(games=1)
    clues: list[Any] = [{"clue": f"{a}z{b}"} for a, b in product("bcdfg", "hjklm")]
    votes: list[Any] = [{"vote": seat} for seat in range(3)]
    for seed in range(10):
        topic = seed % len(TOPICS)
        words = [(Deal(topic, word, 1),) for word in range(10)]
        assert playout(scenario, words, 1, [*clues, *votes], seed) >= 3
        roles = [(Deal(topic, 3, 1),), (Deal(topic, 3, 2),)]
        assert playout(scenario, roles, 0, clues, seed) >= 2


@pytest.mark.parametrize(
    "game", ["kuhn-poker", "leduc-poker", "liars-dice", "fireworks", "impostor"]
)
def test_no_seat_learns_from_an_id_whom_it_plays(game: str) -> None:
    scenario = make_scenario(game, {})
    ids = [f"model-{n}-by-nobody" for n in range(3 if game in ("fireworks", "impostor") else 2)]
    kinds = {"impostor": "careful", "fireworks": "signalling"}.get(game, "random")
    agents = [make_agent(game, kinds, id) for id in ids]
    for event in run_match(scenario, agents, MatchConfig(seed=4)).events:
        assert "by-nobody" not in str(event.get("observation")) + str(event.get("feedback"))


def test_what_is_hidden_is_sealed_and_depends_on_the_secret() -> None:
    for game in ("kuhn-poker", "leduc-poker", "liars-dice", "negotiation", "impostor", "fireworks"):
        assert make_scenario(game, {}).sealed, game  # type: ignore[attr-defined]
    scenario = KuhnPoker(deals=40)
    first = scenario.init(5, IDS)
    assert first == scenario.init(5, IDS) != scenario.init(6, IDS)
    cards = [position.cards for position in scenario.init(5, IDS).deals]
    assert set(cards) == set(permutations(range(3), 2))


def test_shuffles_are_even() -> None:
    counts = dict.fromkeys(permutations("abc"), 0)
    for n in range(6_000):
        counts[tuple(shuffled("abc", open_draws(n), "card"))] += 1
    assert all(880 < count < 1120 for count in counts.values())


# Turns


class Mute(Answering):
    """Never moves, and counts how often it was asked."""

    def __init__(self, id: str) -> None:
        super().__init__(id, lambda _observation, _ctx: self.asked_again())
        self.asked = 0

    def asked_again(self) -> Any:
        self.asked += 1
        return None


@pytest.mark.parametrize("silent", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("nim", {"deals": 2}),
        ("kuhn-poker", {"deals": 4}),
        ("leduc-poker", {"deals": 4}),
        ("liars-dice", {"deals": 2}),
        ("negotiation", {"deals": 2}),
        ("fireworks", {}),
    ],
)
def test_a_silent_seat_gets_a_default_move_once_for_each_time_it_was_asked(
    game: str, parameters: dict[str, Any], silent: tuple[int, ...]
) -> None:
    agents: list[Agent] = [
        Mute(IDS[seat]) if seat in silent else make_agent(game, "random", IDS[seat])
        for seat in (0, 1)
    ]
    match = run_match(make_scenario(game, parameters), agents, MatchConfig(3, 1000))
    assert match.reason == "completed"
    missed = [event for event in match.events if event["type"] == "StateUpdated"][-1]["summary"][
        "missed"
    ]
    assert missed == [getattr(agent, "asked", 0) for agent in agents]
    assert sum(missed) > 0


def test_each_seat_leads_every_other_deal() -> None:
    agents = [make_agent("kuhn-poker", "honest", id) for id in IDS]
    match = run_match(KuhnPoker(deals=6), agents, MatchConfig(1))
    leaders = {}
    for event in match.events:
        if event["type"] == "ObservationEmitted" and not event["observation"]["moves"]:
            leaders[event["observation"]["deal"]] = event["agentId"]
    assert leaders == {deal: IDS[(deal - 1) % 2] for deal in range(1, 7)}
    assert sum(match.scores.values()) == 0


# Rules that OpenSpiel does not have


def solved(heaps: tuple[int, ...], misere: bool, seen: dict[Any, bool]) -> bool:
    """Whether who is to move wins, by trying everything."""
    if heaps not in seen:
        position = NimPosition(heaps, misere)
        moves = position.moves()
        seen[heaps] = (
            any(
                not solved(tuple(sorted(position.after(*move).heaps)), misere, seen)
                for move in moves
            )
            if moves
            else misere
        )
    return seen[heaps]


@pytest.mark.parametrize("misere", [False, True])
def test_boutons_rule_is_right(misere: bool) -> None:
    seen: dict[Any, bool] = {}
    for heaps in product(range(5), repeat=3):
        assert is_won(heaps, misere) == solved(tuple(sorted(heaps)), misere, seen), heaps


@pytest.mark.parametrize("misere", [False, True])
def test_perfect_nim_never_loses_a_won_game(misere: bool) -> None:
    for seed in range(40):
        agents = [make_agent("nim", kind, kind) for kind in ("perfect", "random")]
        match = run_match(Nim(misere=misere), agents, MatchConfig(seed))
        first = next(e for e in match.events if e["type"] == "ObservationEmitted")["observation"]
        won = is_won(first["heaps"], misere)
        assert match.scores["perfect"] >= 0, "it leads one of two deals from the same heaps"
        assert won or match.scores["perfect"] >= 0


def test_the_pools_of_a_negotiation_are_worth_quarrelling_about() -> None:
    every = instances()
    assert len(every) == len(set(map(msgspec.json.encode, every))) == 5_793
    for instance in every:
        assert worth(instance.pool, instance.values[0]) == 10
        assert worth(instance.pool, instance.values[1]) == 10
        assert 5 <= sum(instance.pool) <= 7


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"keep": [9, 9, 9]}, "the pool is"),
        ({"keep": [0, 0]}, "the pool is"),
        ({"keep": [True, 0, 0]}, "the pool is"),
        ({"accept": True}, "no offer yet"),
        ({"accept": True, "keep": [0, 0, 0]}, "the pool is"),
        ({"keep": [0, 0, 0], "say": "x" * 201}, "say must be"),
        ({"keep": [0, 0, 0], "say": "\ud800"}, "say must be"),
        ({"keep": [0, 0, 0], "say": 5}, "say must be"),
        (None, "answer"),
    ],
)
def test_offers_that_are_refused(action: Any, reason: str) -> None:
    scenario = Negotiation(deals=1)
    verdict = scenario.adjudicate(scenario.init(1, IDS), "s0", action)
    assert not verdict.valid
    assert reason in verdict.feedback["error"]


def test_the_odds_of_dice() -> None:
    assert chance_of_at_least(1, 1, 3) == pytest.approx(1 / 3)
    assert chance_of_at_least(1, 1, 6) == pytest.approx(1 / 6)
    assert chance_of_at_least(0, 0, 3) == 1
    assert chance_of_at_least(2, 1, 3) == 0


def played(impostor: int, clues: list[str], votes: list[int], guess: str = "") -> dict[str, float]:
    """The scores of one game of impostor; its word is `lion`."""
    scenario = Impostor(games=1, rounds=1)
    state = scenario.begin(("a", "b", "c"), (Deal(0, 0, impostor),))
    for choices in ([{"clue": clue} for clue in clues], [{"vote": vote} for vote in votes]):
        for id, choice in zip("abc", choices, strict=True):
            state = scenario.adjudicate(state, id, choice).state
        state = scenario.end_turn(state)
    if not scenario.is_terminal(state):
        assert scenario.to_act(state) == ("abc"[impostor],)
        state = scenario.adjudicate(state, "abc"[impostor], {"guess": guess}).state
        state = scenario.end_turn(state)
    assert scenario.is_terminal(state)
    return dict(scenario.score(state))


def test_who_scores_what_as_impostor() -> None:
    clues = ["mane", "roar", "fast"]
    assert played(2, clues, [2, 2, 0], "horse") == {"a": 1, "b": 1, "c": 0}
    assert played(2, clues, [2, 2, 0], "lion") == {"a": 1, "b": 1, "c": 1}
    assert played(2, clues, [1, 2, 0]) == {"a": 0, "b": 0, "c": 2}, "a tie catches nobody"
    assert played(2, clues, [1, 0, 0]) == {"a": 0, "b": 0, "c": 2}


@pytest.mark.parametrize("clue", ["lion", "lions", "ion", "two words", "x", "", "ein-", "ж" * 5, 5])
def test_clues_that_are_refused(clue: Any) -> None:
    scenario = Impostor()
    state = scenario.begin(("a", "b", "c"), (Deal(0, 0, 1),))
    assert not scenario.adjudicate(state, "a", {"clue": clue}).valid
    assert scenario.adjudicate(state, "a", {"clue": "Mane"}).valid


def test_the_clues_that_bots_know_may_be_given() -> None:
    for topic in TOPICS:
        assert len(set(topic.words)) == 10
        for clue, fitting in topic.clues.items():
            assert set(fitting) <= set(topic.words)
            assert not any(word in clue or clue in word for word in topic.words), clue
        assert min(map(len, topic.clues_of.values())) >= 3


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("nim", {"heaps": [0]}),
        ("nim", {"heaps": [1] * 11}),
        ("nim", {"misere": 1}),
        ("kuhn-poker", {"deals": 0}),
        ("liars-dice", {"dice": 11}),
        ("impostor", {"rounds": 6}),
        ("fireworks", {"colours": 6}),
    ],
)
def test_parameters_that_are_refused(game: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as caught:
        make_scenario(game, parameters)
    assert caught.value.code == "parameter"


def test_too_small_a_pack_is_refused() -> None:
    with pytest.raises(InvalidError, match="too few for 5 seats"):
        Fireworks(colours=2, ranks=3).init(1, list("abcde"))
