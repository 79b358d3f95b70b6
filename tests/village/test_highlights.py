"""What a stranger would point at is counted by kinds, and lulls by ticks of daylight."""

from typing import Any

import pytest

from thorp.village.highlights import ANSWER_TICKS, APART_TICKS, Highlights
from thorp.village.thought_log import ThoughtLog

PEOPLE = {"Nan": "A20", "Bram": "A2"}


def chat(speaker: str, text: str, **data: Any) -> dict[str, Any]:
    return {"kind": "CHAT", "from": speaker, "text": text, **({"data": data} if data else {})}


def count_of(*events: tuple[int, dict[str, Any]]) -> int:
    highlights = Highlights()
    for tick, event in events:
        highlights.take(event, tick, PEOPLE)
    return highlights.count


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "BUILT"},
        {"kind": "CONTRACT", "state": "COMPLETED", "acceptor": "A2"},
        {"kind": "CONTRACT", "state": "FAILED", "acceptor": "A2"},
        {"kind": "VOTE"},
        {"kind": "JOIN"},
        {"kind": "JOIN_ORG"},
        {"kind": "DOWNED"},
        {"kind": "REACHED_GOAL", "goal": "OPEN_RUINS"},
        chat("A2", "Nan, you took my contract.", quarrel={"step": "complaint"}),
        chat("A2", "I have voted.", vote={"office": "mayor"}),
        chat("A2", "We elect a mayor.", election={"state": "called"}),
        chat("A2", "Feast! Come to the plaza.", feast={}),
        chat("A2", "The dam stands.", event={"id": "FLOOD_WARNING"}),
    ],
)
def test_a_stranger_would_point_at_it(event: dict[str, Any]) -> None:
    assert count_of((5, event)) == 1


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "TRADE"},
        {"kind": "REACHED_GOAL", "goal": "TRADE"},
        {"kind": "REACHED_GOAL", "goal": "MINE_CRYSTAL"},
        {"kind": "CONTRACT", "state": "OPEN", "acceptor": ""},
        {"kind": "CONTRACT", "state": "FAILED", "acceptor": ""},
        {"kind": "CONTRACT", "state": "FAILED", "acceptor": "A2", "blameless": True},
        chat("A2", "Good morning."),
        chat("A25", "I quarrel with everybody.", quarrel={"step": "complaint"}),
    ],
)
def test_routine_and_what_strangers_claim_do_not_count(event: dict[str, Any]) -> None:
    assert count_of((5, event)) == 0


def test_a_kind_counts_once_in_three_minutes_and_another_kind_beside_it() -> None:
    built = {"kind": "BUILT"}
    assert count_of((5, built), (4 + APART_TICKS, built)) == 1
    assert count_of((5, built), (5 + APART_TICKS, built)) == 2
    assert count_of((5, built), (6, {"kind": "VOTE"})) == 2


def test_a_question_counts_when_the_one_who_was_asked_answers_in_time() -> None:
    question = (5, chat("A25", "Nan, where is the well?"))
    answer = chat("A20", "It is 8 steps to the east.")
    assert count_of(question) == 0
    assert count_of(question, (9, answer)) == 1
    assert count_of(question, (9, chat("A2", "I do not know."))) == 0, "that was Bram"
    assert count_of(question, (5 + ANSWER_TICKS, answer)) == 0
    assert count_of((9, answer)) == 0


def test_a_lull_is_measured_in_daylight_and_goes_on_over_night() -> None:
    highlights = Highlights()
    for _ in range(100):
        highlights.end_tick(is_day=True)
    for _ in range(50):
        highlights.end_tick(is_day=False)
    assert highlights.longest_lull == 100
    highlights.begin_day()
    highlights.end_tick(is_day=True)
    assert highlights.longest_lull == 101
    highlights.take({"kind": "BUILT"}, 200, PEOPLE)
    highlights.begin_day()
    assert (highlights.count, highlights.longest_lull) == (0, 0)


def test_sleepers_may_share_a_sentence_and_those_awake_are_counted() -> None:
    log = ThoughtLog()
    for number in (1, 2, 3):
        log.take(number, "Asleep at home.")
    log.take(4, "Taking 12 stone to the store.")
    log.sample((1, 2, 3, 4))
    assert (log.distinct, log.most_alike) == (2, 1)
    for number in (1, 2):
        log.take(number, "Taking 12 stone to the store.")
    log.sample((1, 2, 3, 4))
    assert (log.distinct, log.most_alike) == (2, 3)
    log.sample((1, 3))
    log.begin_day()
    log.sample(())
    assert (log.distinct, log.most_alike) == (0, 0)
