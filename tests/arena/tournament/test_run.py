"""Whole tournaments: the same bytes whoever plays, in whatever order, however often it was
interrupted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.arena.tournament.small import FIELD, small_plan, tree
from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.contract import Seat
from thorp.arena.scenarios import BUILT_IN_SCENARIOS, NumberGuess
from thorp.arena.tournament import (
    InlinePool,
    Interrupted,
    ProcessPool,
    Progress,
    load_tournament,
    make_plan,
    run_tournament,
)
from thorp.arena.tournament.standings import Standing
from thorp.kernel.errors import ThorpError
from thorp.store import RealDisk
from thorp.workers.batches import Batch, BatchResult, run_batch

DISK = RealDisk()


class Shuffled(InlinePool):
    """Takes many batches and gives them back in any order, as a busy cluster would."""

    capacity = 5

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)

    def collect(self) -> BatchResult[Any]:
        return run_batch(self._batches.pop(self._random.randrange(len(self._batches))))


class Interrupting(InlinePool):
    """Is stopped by Ctrl-C after so many batches."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self._left = batches
        self.stopped = False

    def submit(self, batch: Batch[Any, Any]) -> None:
        if self._left == 0:
            raise KeyboardInterrupt
        self._left -= 1
        super().submit(batch)

    def __exit__(self, *_: object) -> None:
        self.stopped = True


@pytest.fixture
def reference(tmp_path: Path) -> dict[str, bytes]:
    run_tournament(small_plan(rounds=6), tmp_path / "reference", InlinePool(), DISK)
    return tree(tmp_path / "reference")


def test_what_is_in_a_finished_directory(reference: dict[str, bytes]) -> None:
    logs = {name for name in reference if name.startswith("logs/")}
    assert reference.keys() - logs == {
        "manifest.json",
        "results.jsonl",
        "standings.json",
        "report.html",
    }
    assert logs == {f"logs/{fixture.key}.jsonl" for fixture in small_plan(rounds=6).schedule()}
    lines = reference["results.jsonl"].splitlines()
    assert len(lines) == 18


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_same_bytes(
    reference: dict[str, bytes], tmp_path: Path, workers: int
) -> None:
    run_tournament(small_plan(rounds=6), tmp_path / "other", ProcessPool(workers), DISK)
    assert tree(tmp_path / "other") == reference


@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_completion_gives_the_same_bytes(
    reference: dict[str, bytes], tmp_path: Path, seed: int
) -> None:
    run_tournament(small_plan(rounds=6), tmp_path / "other", Shuffled(seed), DISK)
    assert tree(tmp_path / "other") == reference


def test_any_number_of_interruptions_gives_the_same_bytes(
    reference: dict[str, bytes], tmp_path: Path
) -> None:
    plan, path = small_plan(rounds=6), tmp_path / "other"
    for interruptions in range(5):
        pool = Interrupting(2)
        with pytest.raises(Interrupted, match="of 18 matches"):
            run_tournament(plan, path, pool, DISK)
        assert pool.stopped, interruptions
        assert not (path / "results.jsonl").exists()
    run_tournament(plan, path, InlinePool(), DISK)
    assert tree(path) == reference


def test_resuming_plays_only_what_is_missing(tmp_path: Path) -> None:
    plan, path = small_plan(rounds=6), tmp_path / "t"
    with pytest.raises(Interrupted) as stopped:
        run_tournament(plan, path, Interrupting(3), DISK)
    seen: list[tuple[int, int]] = []
    run_tournament(
        plan,
        path,
        InlinePool(),
        DISK,
        on_progress=lambda progress: seen.append((progress.resumed, progress.done)),
    )
    assert seen[0] == (stopped.value.done, stopped.value.done)
    assert seen[-1] == (stopped.value.done, 18)


def test_the_same_again_plays_nothing_and_changes_nothing(
    reference: dict[str, bytes], tmp_path: Path
) -> None:
    class Nobody(InlinePool):
        def submit(self, batch: Batch[Any, Any]) -> None:
            raise AssertionError("nothing is left to play")

    run_tournament(small_plan(rounds=6), tmp_path / "reference", Nobody(), DISK)
    assert tree(tmp_path / "reference") == reference


@pytest.mark.parametrize("harm", ["change", "cut", "remove"])
@pytest.mark.parametrize("finished", [True, False])
def test_a_damaged_log_is_noticed_and_its_match_played_again(
    reference: dict[str, bytes], tmp_path: Path, harm: str, finished: bool
) -> None:
    plan, path = small_plan(rounds=6), tmp_path / "other"
    done = 18
    if finished:
        run_tournament(plan, path, InlinePool(), DISK)
    else:
        with pytest.raises(Interrupted) as stopped:
            run_tournament(plan, path, Interrupting(3), DISK)
        done = stopped.value.done
    log = path / "logs" / f"{plan.schedule()[0].key}.jsonl"
    if harm == "remove":
        log.unlink()
    else:
        data = log.read_bytes()
        log.write_bytes(
            data[:99] if harm == "cut" else data.replace(b'"valid":true', b'"valid":tRue')
        )
    resumed: list[int] = []
    run_tournament(
        plan,
        path,
        InlinePool(),
        DISK,
        on_progress=lambda progress: resumed.append(progress.resumed),
    )
    assert set(resumed) == {done - 1}
    assert tree(path) == reference


def test_damaged_results_are_noticed_too(reference: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "reference"
    for name in ("results.jsonl", "standings.json", "report.html"):
        (path / name).write_bytes((path / name).read_bytes()[:-200])
    run_tournament(small_plan(rounds=6), path, InlinePool(), DISK)
    assert tree(path) == reference


def test_without_logs(reference: dict[str, bytes], tmp_path: Path) -> None:
    run_tournament(small_plan(rounds=6, logs=False), tmp_path / "other", InlinePool(), DISK)
    without = tree(tmp_path / "other")
    assert without.keys() == {"manifest.json", "results.jsonl", "standings.json", "report.html"}
    assert without["results.jsonl"] == reference["results.jsonl"]
    assert without["standings.json"] == reference["standings.json"]


def test_progress_counts_up_to_the_total(tmp_path: Path) -> None:
    done: list[int] = []
    tables: list[list[str]] = []

    def watch(progress: Progress) -> None:
        done.append(progress.done)
        tables.append([row.id for row in progress.standings()])

    finished = run_tournament(
        small_plan(rounds=6), tmp_path / "t", InlinePool(), DISK, on_progress=watch
    )
    assert done[0] == 0
    assert done == sorted(done)
    assert done[-1] == 18
    assert tables[-1] == [row.id for row in finished.standings]
    assert all(isinstance(row, Standing) and row.rating is not None for row in finished.standings)


def test_a_finished_tournament_is_loaded_from_its_results(tmp_path: Path) -> None:
    finished = run_tournament(small_plan(), tmp_path / "t", InlinePool(), DISK)
    loaded = load_tournament(DISK, tmp_path / "t")
    assert loaded.standings == finished.standings
    assert loaded.plan == finished.plan
    assert loaded.report() == (tmp_path / "t" / "report.html").read_bytes()


def test_a_table_of_three(tmp_path: Path) -> None:
    plan = small_plan(entrants=(*FIELD, Seat("dave", "baseline")), table=3, rounds=3)
    finished = run_tournament(plan, tmp_path / "t", InlinePool(), DISK)
    assert finished.tally.matches == 12
    assert sum(row.matches for row in finished.standings) == 36
    for row in finished.standings:
        assert isinstance(row, Standing)
        assert row.wins + row.draws + row.losses == 2 * row.matches


def test_a_scenario_that_fails_aborts_the_match_and_the_tournament_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Moody(NumberGuess):
        name = "Moody"

        def score(self, state: object) -> dict[str, float]:
            scores = super().score(state)  # type: ignore[arg-type]
            if "carol" in scores:
                raise LookupError(f"at {id(state):#x}")
            return scores

    monkeypatch.setitem(BUILT_IN_SCENARIOS, "moody", Moody)
    monkeypatch.setitem(BUILT_IN_AGENTS, "moody", BUILT_IN_AGENTS["number-guess"])
    progress: list[Progress] = []
    plan = make_plan("moody", FIELD, max_turns=5)
    finished = run_tournament(plan, tmp_path / "t", InlinePool(), DISK, on_progress=progress.append)
    assert [key[:9] for key in finished.tally.aborted] == [
        "r01-m0002",
        "r01-m0003",
        "r02-m0002",
        "r02-m0003",
    ]
    assert {row.id: (row.matches, row.aborted) for row in finished.standings} == {
        "alice": (2, 2),
        "bob": (2, 2),
        "carol": (0, 4),
    }
    assert len(progress[-1].notes) == 4
    assert "LookupError: at 0x" in progress[-1].notes[0]
    assert b"LookupError" in (tmp_path / "t" / "results.jsonl").read_bytes()
    assert (
        b"at 0x" not in (tmp_path / "t" / "results.jsonl").read_bytes()
    )  # it is other in every run
    assert b'"aborted":["r01-m0002' in (tmp_path / "t" / "report.html").read_bytes()


def test_an_entrant_that_cannot_play_leaves_nothing_behind(tmp_path: Path) -> None:
    plan = small_plan(entrants=(*FIELD, Seat("dave", "genius")))
    with pytest.raises(ThorpError, match="dave: unknown agent 'genius'"):
        run_tournament(plan, tmp_path / "t", InlinePool(), DISK)
    assert list(tmp_path.iterdir()) == []


def test_an_agent_that_vanishes_on_the_way_has_failed_and_the_others_play_on(
    tmp_path: Path,
) -> None:
    bot = tmp_path / "bot.py"
    code = (
        "class Bot:\n    def init(self, config): pass\n    def act(self, seen, ctx): return "
        "{'guess': 1}\n"
    )
    bot.write_text(code)
    plan = small_plan(entrants=(*FIELD[:2], Seat("dave", f"{bot}:Bot")), rounds=1)

    def watch(progress: Progress) -> None:
        if progress.done:
            bot.unlink(missing_ok=True)

    finished = run_tournament(plan, tmp_path / "t", InlinePool(), DISK, on_progress=watch)
    assert finished.tally.matches == 3
    logs = b"".join(path.read_bytes() for path in sorted((tmp_path / "t" / "logs").iterdir()))
    assert b'"agentId":"dave","turn":0,"message":"the agent could not be opened"' in logs
    bot.write_text(code + "# mended\n")
    with pytest.raises(ThorpError, match="the file of agent dave is"):
        run_tournament(plan, tmp_path / "t", InlinePool(), DISK)
