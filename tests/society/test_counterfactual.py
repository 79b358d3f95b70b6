"""Pairs of forks: the control is the same fork unchanged, and a run that was cut short goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.arena.tournament.processes import until
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, ThorpError
from thorp.society import (
    Goal,
    PairProgress,
    PassLaw,
    Question,
    Weather,
    read_question,
    run_counterfactual,
    run_pair,
)
from thorp.society.counterfactual import MAX_PAIRS, live_on
from thorp.store import RealDisk, hold
from thorp.voxel import Join, WorldService, replay, verify
from thorp.voxel.persistence.copies import Origin

AT = 17_500
STORM = Question(at_tick=AT, days=1, change=Weather(weather="STORM"))
DISK = RealDisk()


@pytest.fixture(scope="module")
def stormy(kept_village: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    into = tmp_path_factory.mktemp("pair") / "storm"
    seen: list[PairProgress] = []
    return run_pair(kept_village, STORM, into, show=seen.append), into, seen


def test_both_arms_begin_with_the_same_state_but_for_the_change(
    stormy: Any, kept_village: Path
) -> None:
    pair, _, _ = stormy
    first = [
        replay(DISK, arm.data / "world", AT, make_world=new_city_world)
        for arm in (pair.control, pair.changed)
    ]
    assert (
        first[0].digest()
        == replay(DISK, kept_village / "world", AT, make_world=new_city_world).digest()
    )
    assert [world.weather for world in first] == ["CLEAR", "STORM"]
    first[1].weather, first[1].weather_until = first[0].weather, first[0].weather_until
    assert first[0].digest() == first[1].digest()


def test_the_arms_are_sound_worlds_that_say_what_was_changed(stormy: Any) -> None:
    pair, _, _ = stormy
    assert (pair.control.changed, pair.changed.changed) == ("", "a storm for 3,000 ticks")
    reasons = []
    for arm in (pair.control, pair.changed):
        verdict = verify(DISK, arm.data / "world", make_world=new_city_world)
        assert verdict.ok
        assert (verdict.last_good_tick, verdict.digest) == (arm.last_tick, arm.digest)
        reasons.append(verdict.epochs[-1].reason)
    assert reasons == [
        "forked at tick 17500",
        "forked at tick 17500, changed: a storm for 3,000 ticks",
    ]


def test_the_figures_of_the_arms_are_told_by_day_and_compared(stormy: Any) -> None:
    pair, _, _ = stormy
    assert [line["day"] for line in pair.control.lines] == [3]
    assert "STORM" in pair.changed.lines[0]["weather"]
    assert "STORM" not in pair.control.lines[0]["weather"]
    assert pair.control.lines[0]["people"] == 24, "the stranger is away in both"
    keys = ["people", "idle_day", "trades", "aimless"]
    differences = pair.differences(keys)
    assert {each.key for each in differences} <= set(keys) - {"people"}
    assert differences


def test_progress_grows_from_nothing_to_the_whole(stormy: Any) -> None:
    _, _, seen = stormy
    assert (seen[0].done, seen[-1].done) == (0.0, 1.0)
    assert [each.done for each in seen] == sorted(each.done for each in seen)
    assert list(dict.fromkeys(each.arm for each in seen)) == ["control", "changed"]
    assert seen[-1].tick == seen[-1].last_tick == 18_000


def test_asking_again_gives_the_same_answer_without_living_again(
    stormy: Any, kept_village: Path
) -> None:
    pair, into, _ = stormy
    seen: list[PairProgress] = []
    again = run_pair(kept_village, STORM, into, show=seen.append)
    assert again == pair
    assert len(seen) == 1
    with pytest.raises(ConflictError, match="another counterfactual") as refused:
        run_pair(kept_village, Question(at_tick=AT, days=2, change=STORM.change), into)
    assert refused.value.code == "other_counterfactual"


def test_a_fork_in_memory_lives_as_one_on_disk(stormy: Any, kept_village: Path) -> None:
    pair, _, _ = stormy
    origin = Origin.at(DISK, kept_village / "world", AT, make_world=new_city_world)
    world = origin.fork_world()
    lines: list[dict[str, Any]] = []
    assert live_on(world, 1, show=lines.append) == 18_000
    assert world.digest() == pair.control.digest
    assert json.loads(json.dumps(lines)) == pair.control.lines


def test_a_pair_for_each_draw_seed_differs_by_chance_too(
    kept_village: Path, tmp_path: Path
) -> None:
    question = Question(
        at_tick=17_590, days=1, change=PassLaw(law="MARKET_TAX", params={"market_tax": 0.0})
    )
    answer = run_counterfactual(kept_village, question, tmp_path / "noise", draw_seeds=(None, 5))
    own, other = answer.pairs
    assert own.control.digest != other.control.digest
    assert (own.changed.name, other.changed.name) == ("changed", "changed-5")
    assert other.control.draw_seed == 5
    verdict = verify(DISK, other.changed.data / "world", make_world=new_city_world)
    assert verdict.epochs[-1].draw_seed == 5
    assert verdict.epochs[-1].reason.startswith(
        "forked at tick 17590, with another draw seed, changed: the law MARKET_TAX"
    )


RUN = """
import sys
from pathlib import Path
from thorp.society import Question, Weather, run_pair
question = Question(at_tick=17500, days=1, change=Weather(weather="STORM"))
run_pair(Path(sys.argv[1]), question, Path(sys.argv[2]))
"""


def start(source: Path, into: Path, hash_seed: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(source), str(into)],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
    )


def test_a_killed_run_goes_on_and_gives_the_same_bytes_under_another_hash_seed(
    stormy: Any, kept_village: Path, tmp_path: Path
) -> None:
    into = tmp_path / "storm"
    with start(kept_village, into, 1) as process:
        until(lambda: any((into / "changed" / "world").glob("journal-*")))
        process.kill()
    assert not (into / "results.jsonl").exists()
    assert (into / "results.journal").read_bytes().count(b'"arm":"control"') == 1
    with start(kept_village, into, 2) as process:
        assert process.wait(120) == 0
    _, reference, _ = stormy
    for name in ("manifest.json", "results.jsonl"):
        assert (into / name).read_bytes() == (reference / name).read_bytes()
    assert verify(DISK, into / "changed" / "world", make_world=new_city_world).ok


def test_an_unfinished_arm_that_somebody_serves_is_left_alone(
    kept_village: Path, tmp_path: Path
) -> None:
    def stop(progress: PairProgress) -> None:
        if progress.tick > AT + 20:
            raise KeyboardInterrupt

    into = tmp_path / "storm"
    with pytest.raises(KeyboardInterrupt):
        run_pair(kept_village, STORM, into, show=stop)
    kept = sorted(path.name for path in (into / "control" / "world").iterdir())
    lock = hold(DISK, into / "control" / "world" / "lock")
    with pytest.raises(IllegalError) as refused:
        run_pair(kept_village, STORM, into)
    assert refused.value.code == "locked"
    lock.close()
    assert sorted(path.name for path in (into / "control" / "world").iterdir()) == kept


@pytest.mark.parametrize(
    ("question", "code"),
    [
        (Question(at_tick=99_999, change=STORM.change), "range"),
        (Question(at_tick=AT, change=Goal(person="Nobody", goal="office")), "unknown"),
        (Question(at_tick=AT, change=PassLaw(law="TITHE", params={})), "unknown"),
    ],
)
def test_a_question_that_does_not_fit_the_world_writes_nothing(
    kept_village: Path, tmp_path: Path, question: Question, code: str
) -> None:
    with pytest.raises(ThorpError) as refused:
        run_pair(kept_village, question, tmp_path / "into")
    assert refused.value.code == code
    assert not (tmp_path / "into").exists()


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"at_tick": 1},
        {"at_tick": 0, "change": {"change": "weather", "weather": "STORM"}},
        {"at_tick": 1, "days": 101, "change": {"change": "weather", "weather": "STORM"}},
        {"at_tick": 1, "hours": 1, "change": {"change": "weather", "weather": "STORM"}},
    ],
)
def test_a_question_that_cannot_be_read_is_refused(value: object) -> None:
    with pytest.raises(InvalidError) as refused:
        read_question(value)
    assert refused.value.code == "question"


def test_a_question_is_read_from_plain_data_and_checked_when_it_was_made_by_hand(
    kept_village: Path, tmp_path: Path
) -> None:
    storm = {"change": "weather", "weather": "STORM"}
    assert read_question({"at_tick": AT, "days": 1, "change": storm}) == STORM
    with pytest.raises(InvalidError):
        run_pair(kept_village, Question(at_tick=AT, days=0, change=STORM.change), tmp_path / "i")


def test_what_is_no_world_or_has_no_villagers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IllegalError) as refused:
        run_pair(tmp_path / "nothing", STORM, tmp_path / "into")
    assert refused.value.code == "no_world"
    with WorldService.open(DISK, tmp_path / "wild" / "world", make_world=new_city_world) as service:
        service.tick([Join("Ann", "0" * 64)]).result()
        service.tick([]).result()
    question = Question(at_tick=1, change=STORM.change)
    with pytest.raises(IllegalError) as refused:
        run_pair(tmp_path / "wild", question, tmp_path / "into")
    assert refused.value.code == "no_village"
    assert not (tmp_path / "into").exists()


@pytest.mark.parametrize("seeds", [(), (1, 1), tuple(range(MAX_PAIRS + 1))])
def test_draw_seeds_are_some_and_each_is_another(
    kept_village: Path, tmp_path: Path, seeds: tuple[int, ...]
) -> None:
    with pytest.raises(InvalidError) as refused:
        run_counterfactual(kept_village, STORM, tmp_path / "into", draw_seeds=seeds)
    assert refused.value.code == "seed"
    assert not (tmp_path / "into").exists()


def test_a_directory_with_other_things_in_it_stays_as_it_is(
    kept_village: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ConflictError) as refused:
        run_pair(kept_village, STORM, tmp_path)
    assert refused.value.code == "exists"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
