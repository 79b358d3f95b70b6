"""One run of a task: its turns, its end, its score and its identity."""

from __future__ import annotations

import pytest

from tests.tasks.sources import first_rows, proofs, suite, task_of
from thorp.kernel.errors import ConflictError, IllegalError
from thorp.tasks import Episode, Starts, start_of
from thorp.tasks.policies import WAIT, act_at_random, idle

ROW = "live-bench-3000"


def solved(row: str) -> Episode:
    episode = suite().open(row)
    for action in proofs()[row].solution.acts:
        episode.act(action)
    return episode


def test_the_score_rises_to_one_and_the_run_is_over() -> None:
    episode = suite().open(ROW)
    assert (episode.score, episode.is_over) == (0, False)
    for action in proofs()[ROW].solution.acts:
        assert not episode.is_over
        episode.act(action)
    assert (episode.score, episode.is_over) == (1, True)


def test_acts_after_the_end_are_refused_and_change_nothing() -> None:
    episode = solved(ROW)
    digest = episode.digest()
    with pytest.raises(IllegalError) as refused:
        episode.act(WAIT)
    assert refused.value.code == "ended"
    assert episode.digest() == digest
    idler = suite().open(ROW)
    idle(idler)
    assert idler.turn == idler.task.max_turns
    for action in proofs()[ROW].solution.acts:
        with pytest.raises(IllegalError):
            idler.act(action)
    assert idler.score == 0, "too late is not done"


def test_a_turn_has_one_action() -> None:
    episode = suite().open(ROW)
    episode.submit(WAIT)
    with pytest.raises(IllegalError) as refused:
        episode.submit(WAIT)
    assert refused.value.code == "turn"
    episode.end_turn()
    assert episode.turn == 1


@pytest.mark.parametrize(
    "action",
    [{"action": "win"}, {"action": "mine_nearest"}, "score: 1.0", 10_000, ["wait"], {"score": 1}],
)
def test_a_refused_action_costs_its_turn_and_says_why(action: object) -> None:
    episode = suite().open(ROW)
    verdict = episode.act(action)
    assert not verdict.valid
    assert "\n" not in verdict.problem
    assert (episode.turn, episode.score) == (1, 0)
    assert "refused" in episode.observe()["text"]


def test_a_copy_goes_on_exactly_as_the_original() -> None:
    acts = proofs()[ROW].solution.acts
    episode = suite().open(ROW)
    episode.act(acts[0])
    copy = episode.clone()
    assert (copy.digest(), copy.observe()) == (episode.digest(), episode.observe())
    idle(copy)
    assert (episode.turn, episode.score) == (1, 0), "the original is not touched"
    for action in acts[1:]:
        episode.act(action)
    assert episode.digest() == proofs()[ROW].solution.digest


def test_looking_changes_nothing() -> None:
    looked = suite().open(ROW)
    blind = suite().open(ROW)
    for action in proofs()[ROW].solution.acts:
        assert looked.observe() == looked.observe()
        looked.act(action)
        blind.act(action)
    assert looked.digest() == blind.digest()


def test_a_refused_act_is_another_state_but_the_same_node() -> None:
    refused = suite().open(ROW)
    refused.act({"action": "win"})
    waited = suite().open(ROW)
    waited.act({"action": "offer_trade", "to": "A9"})
    assert refused.node() == waited.node()


def test_whoever_did_what_never_must_be_has_nothing() -> None:
    """The cold kills whoever sleeps far from a torch."""
    episode = suite().open("live-winter-3000")
    while not episode.is_over:
        episode.act({**WAIT, "ticks": 600})
    assert (episode.is_lost, episode.score) == (True, 0)
    assert episode.engine.ticks < episode.task.max_ticks


@pytest.mark.parametrize("row", first_rows())
def test_a_proven_solution_leads_to_its_digest_in_this_process(row: str) -> None:
    episode = solved(row)
    assert episode.score == 1
    assert start_of(episode) == proofs()[row].solution


@pytest.mark.parametrize("row", first_rows())
def test_a_row_is_what_its_task_makes_of_its_seed(row: str) -> None:
    frozen = suite().rows[row]
    assert suite().open(row).row(frozen.split) == frozen


def test_a_start_of_other_acts_is_refused() -> None:
    solution = proofs()[ROW].solution
    other = proofs()["live-bench-3001"].solution
    with pytest.raises(ConflictError) as refused:
        Starts(suite()).open(type(solution)(solution.task, solution.acts[:1], other.digest))
    assert refused.value.code == "digest"


def test_chance_is_decided_by_the_seed() -> None:
    digests = set()
    for _ in range(2):
        episode = Episode(task_of(ROW), 3000)
        act_at_random(episode)
        digests.add(episode.digest())
    assert len(digests) == 1
