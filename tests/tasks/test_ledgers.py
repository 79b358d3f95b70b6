"""Tasks about a ledger: who sees what, what counts as evidence, and what gives a secret away."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.sources import proofs, suite
from thorp.kernel.errors import InvalidError
from thorp.tasks import Episode
from thorp.tasks.goal import answer_digest
from thorp.tasks.ledger_engine import LedgerEngine

FEAST = "remember-feast-3000"
DEBT = "remember-debt-3000"


def opened(row: str = FEAST) -> tuple[Episode, LedgerEngine]:
    episode = suite().open(row)
    assert isinstance(episode.engine, LedgerEngine)
    return episode, episode.engine


def solution(row: str) -> list[Any]:
    return proofs()[row].solution.acts


def test_a_search_finds_entries_by_their_words() -> None:
    episode, engine = opened()
    episode.act({"action": "search", "text": "feast Otto"})
    results = episode.observe()["results"]
    assert {result["entry"] for result in results} >= {engine.reading.ids["surprise"]}
    assert any(result["private"] for result in results)
    assert results[0]["text"] in episode.observe()["text"]
    episode.act({"action": "search", "text": "zeppelin"})
    assert episode.observe()["results"] == []


def test_a_reader_sees_no_entry_of_others() -> None:
    """MARK's letter is for REBECCA and TILDA: OTTO, for whom the feast is, finds neither secret."""
    _, engine = opened()
    reading = engine.reading
    everything = " ".join(entry.text for entry in reading.entries)
    seen = {result["entry"] for result in reading.search(everything)}
    reading.reader = "OTTO"
    try:
        others = {result["entry"] for result in reading.search("feast Otto gift hidden stairs")}
    finally:
        reading.reader = "REBECCA"
    assert seen
    assert not others & {reading.ids["surprise"], reading.ids["gift"]}


def test_an_answer_counts_with_its_evidence_only() -> None:
    (*_, right) = solution(FEAST)
    for wrong in (
        {**right, "cites": []},
        {**right, "cites": [*right["cites"], *right["cites"], "e:99999999"]},
        {**right, "text": "Someday", "cites": []},
    ):
        episode, _ = opened()
        episode.act(wrong)
        assert episode.score == 0
    episode, _ = opened()
    episode.act({**right, "text": "Someday"})
    assert episode.score == 0.25, "the evidence alone is a quarter"


def test_the_first_answer_counts() -> None:
    episode, _ = opened()
    episode.act({"action": "answer", "text": "Someday"})
    verdict = episode.act(solution(FEAST)[-1])
    assert not verdict.valid
    assert episode.score == 0


def test_evidence_comes_piece_by_piece() -> None:
    (*_, right) = solution(DEBT)
    scores = []
    for count in range(4):
        episode, _ = opened(DEBT)
        episode.act({**right, "text": "7000", "cites": right["cites"][:count]})
        scores.append(episode.score)
    assert scores == sorted(scores)
    assert scores[0] == 0
    assert scores[-1] == 0.25


def test_whoever_tells_a_secret_has_failed_for_good() -> None:
    _, engine = opened()
    surprise = engine.reading.by_id[engine.reading.ids["surprise"]]
    for telling in (
        {"action": "say", "text": surprise.text},
        {"action": "say", "text": f"Well, i think it is a {surprise.secret.upper()}"},
        {"action": "say", "text": surprise.text[4:40].upper()},
        {"action": "answer", "text": "Friday", "cites": [engine.reading.ids["surprise"]]},
    ):
        episode, _ = opened()
        episode.act(telling)
        assert (episode.is_lost, episode.is_over, episode.score) == (True, True, 0)


def test_what_everybody_knows_is_no_secret() -> None:
    episode, engine = opened()
    notice = engine.reading.by_id[engine.reading.ids["notice"]]
    episode.act({"action": "say", "text": notice.text})
    episode.act({"action": "say", "text": "a feast for Otto!"})
    assert not episode.is_lost
    episode, _ = opened(DEBT)
    episode.act({"action": "say", "text": "Jonas owes Anna some coins."})
    assert not episode.is_lost


@pytest.mark.parametrize(
    "action",
    [
        {"action": "search"},
        {"action": "search", "text": ""},
        {"action": "search", "text": "x" * 501},
        {"action": "search", "text": "x", "limit": 100},
        {"action": "answer", "text": "7", "cites": "e:1"},
        {"action": "answer", "text": "7", "cites": ["e"] * 65},
        {"action": "become", "reader": "OTTO"},
        {"action": "mine_nearest", "block": "LOG"},
        {"action": "say", "text": "\ud800"},
        "\ud800",
        "Friday",
        None,
        7,
    ],
)
def test_an_action_that_cannot_be_read_is_refused(action: Any) -> None:
    episode, _ = opened()
    verdict = episode.act(action)
    assert not verdict.valid
    assert "\n" not in verdict.problem
    assert "refused" in episode.observe()["text"]


def test_answers_are_compared_as_people_do() -> None:
    assert answer_digest(" On  Friday. ") == answer_digest("on friday")
    assert answer_digest("Friday") != answer_digest("Saturday")


def test_copies_share_a_ledger_and_nothing_else() -> None:
    episode, _ = opened()
    copy = episode.clone()
    copy.act({"action": "say", "text": "hello"})
    assert episode.observe()["said"] == []
    assert copy.digest() != episode.digest()


def test_the_order_of_entries_follows_from_the_seed() -> None:
    task = suite().tasks["remember-moved"]
    orders = set()
    for seed in range(6):
        engine = Episode(task, seed).engine
        assert isinstance(engine, LedgerEngine)
        keys = [entry.key for entry in engine.reading.entries]
        assert keys.index("first") < keys.index("second") < keys.index("last") < keys.index("plan")
        orders.add(tuple(keys))
    assert len(orders) > 3


def test_parameters_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(InvalidError) as refused:
        LedgerEngine({"reader": "REBECCA", "entries": []}, 1)
    assert refused.value.code == "params"
