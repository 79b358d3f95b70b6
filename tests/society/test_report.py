"""The report of a society: the figures that a village had while it lived, from its journal alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.command import refused, thorp
from tests.voxel.golden import EARLIER
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import DamagedError, IllegalError, UnknownError
from thorp.society import Question, Weather, run_pair
from thorp.society.counterfactual import DurableRun
from thorp.society.figures import BY_KEY, FIGURES, GROUPS, find_figure, value_of
from thorp.society.report import SocietyReport, report
from thorp.society.report_page import MOST_ROWS, report_page
from thorp.store import RealDisk
from thorp.village import measure
from thorp.village.bounds import figure
from thorp.village.founding import RULES
from thorp.voxel import Join, Tuning, WorldService, read_tuning

DISK = RealDisk()
DAY = 600
SHORT = read_tuning({**RULES, "day_ticks": DAY, "season_length_ticks": 7 * DAY})


def lived(data: Path, days: int, tuning: Tuning = SHORT, **options: Any) -> list[dict[str, Any]]:
    """Let a village live in a kept world; the lines it had meanwhile."""
    lines: list[dict[str, Any]] = []
    with WorldService.open(
        DISK, data / "world", seed=7, tuning=tuning, make_world=new_city_world, **options
    ) as service:
        run = DurableRun(service)
        measure.live(service.world, days, show=lines.append, execute=run.execute)
        run.finish()
    return plain(lines)


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    data = tmp_path_factory.mktemp("two-days")
    return data, lived(data, 2, draw_seed=3)


def measured(data: Path) -> SocietyReport:
    return report(DISK, data / "world", new_city_world)


def test_the_report_has_the_lines_that_the_village_had(two_days: Any) -> None:
    data, lines = two_days
    kept = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    done = measured(data)
    assert plain(done.days) == lines
    assert done.digest == lines[-1]["digest"]
    assert (done.after_tick, done.last_tick, done.omitted) == (0, 2 * DAY, "")
    assert (done.history, done.unfinished) == (["founded"], None)
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == kept


def test_every_figure_is_in_every_line_and_is_defined(two_days: Any) -> None:
    _, lines = two_days
    assert [each.group for each in FIGURES] == sorted(
        (each.group for each in FIGURES), key=GROUPS.index
    )
    assert {each.group for each in FIGURES} == set(GROUPS)
    for each in FIGURES:
        part: Any = lines[0]
        for name in each.key.split("."):
            part = part[name]
        assert figure(lines[0], each.key) is not None
        assert each.text.endswith(".")
    with pytest.raises(UnknownError, match="known are people, downed"):
        find_figure("happiness")


def test_a_figure_of_many_days_is_the_last_the_sum_or_the_mean() -> None:
    lines: list[dict[str, Any]] = [
        {"gini": 0.2, "trades": 3, "starving": ["Ann", "Ben"]},
        {"gini": 0.4, "trades": 4, "starving": []},
    ]
    assert [BY_KEY[key].taken for key in ("gini", "trades", "starving")] == ["last", "sum", "mean"]
    assert [value_of(key, lines) for key in ("gini", "trades", "starving")] == [0.4, 7.0, 1.0]


def test_a_day_that_is_not_over_counts_as_far_as_it_came(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with WorldService.open(
        DISK, data / "world", seed=7, tuning=SHORT, make_world=new_city_world
    ) as service:
        for tick in range(DAY + 100):
            service.tick([Join("Ann", "a" * 64)] if tick == 0 else []).result()
    done = measured(data)
    assert [line["day"] for line in done.days] == [1]
    assert done.unfinished is not None
    assert (done.unfinished["day"], done.unfinished["tick"]) == (2, DAY + 100)
    assert done.unfinished["people"] == 1


def test_the_report_of_a_fork_has_its_own_days_and_says_what_was_changed(
    kept_village: Path, tmp_path: Path
) -> None:
    question = Question(at_tick=17_650, days=1, change=Weather(weather="COLD", ticks=50))
    with pytest.raises(IllegalError):
        run_pair(kept_village, question, tmp_path / "too-late")
    question = Question(at_tick=17_550, days=1, change=Weather(weather="COLD", ticks=50))
    pair = run_pair(kept_village, question, tmp_path / "pair")
    done = measured(pair.changed.data)
    assert done.history == ["forked at tick 17550, changed: a cold spell for 50 ticks"]
    assert (done.after_tick, done.omitted) == (17_550, "ticks before 17551 are not in this journal")
    assert plain(done.days) == pair.changed.lines


def test_another_tuning_goes_on_in_the_same_report(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = lived(data, 1, draw_seed=3)
    other = read_tuning(
        {**RULES, "day_ticks": DAY, "season_length_ticks": 7 * DAY, "place_reach": 4}
    )
    lived(data, 1, other, retune=True)
    done = measured(data)
    assert done.history == ["founded", "another tuning"]
    assert [line["day"] for line in done.days] == [1, 2]
    assert plain(done.days[:1]) == first


def test_ticks_of_another_release_are_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    lived(data, 1, draw_seed=3)
    for module in ("persistence.record", "persistence.recovery"):
        monkeypatch.setattr(f"thorp.voxel.{module}.RULES", 4)
    lived(data, 1)
    done = measured(data)
    assert done.after_tick == DAY
    assert done.omitted.startswith(f"ticks up to {DAY} cannot be executed: it has rules 3")
    assert [line["day"] for line in done.days] == [2]
    monkeypatch.undo()
    with pytest.raises(IllegalError) as refusal:
        measured(data)
    assert refusal.value.code == "rules"


def test_who_was_there_before_the_journal_begins_is_measured(tmp_path: Path) -> None:
    data = tmp_path / "data"
    lived(data, 2, msgspec.structs.replace(SHORT, snapshot_every_ticks=200), draw_seed=3)
    world = data / "world"
    journals = sorted(world.glob("journal-*"))
    for path in (journals[0], *world.glob("snapshot-000000000000*")):
        path.unlink()
    (world / "head").unlink()
    done = measured(data)
    assert done.after_tick > 0
    assert done.omitted.startswith("ticks before")
    assert done.days[-1]["people"] == 24


def test_a_changed_journal_is_refused(two_days: Any, tmp_path: Path) -> None:
    data, _ = two_days
    copy = Path(shutil.copytree(data, tmp_path / "copy"))
    journal = sorted((copy / "world").glob("journal-*.jsonl"))[-1]
    text = journal.read_bytes()
    assert b'"MOVE_TO"' in text
    journal.write_bytes(text.replace(b'"MOVE_TO"', b'"MOVE_TU"', 1))
    with pytest.raises(DamagedError):
        measured(copy)


REPORT = """
import sys
from pathlib import Path
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.canonical import insertion_bytes
from thorp.society.report import report
from thorp.society.report_page import report_page
from thorp.store import RealDisk
import msgspec
done = report(RealDisk(), Path(sys.argv[1]) / "world", new_city_world)
sys.stdout.buffer.write(insertion_bytes(msgspec.to_builtins(done)) + report_page(done))
"""


def test_two_processes_give_the_same_bytes_under_different_hash_seeds(two_days: Any) -> None:
    data, _ = two_days
    outputs = {
        subprocess.run(
            [sys.executable, "-c", REPORT, str(data)],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            check=True,
            capture_output=True,
            timeout=100,
        ).stdout
        for seed in (1, 2)
    }
    (output,) = outputs
    assert len(output) > 10_000


def test_the_command_prints_a_table_json_and_a_page(two_days: Any, tmp_path: Path) -> None:
    data, lines = two_days
    page = tmp_path / "report.html"
    done = thorp("society", "report", data, "--html", page)
    assert done.returncode == 0, done.stderr
    assert b"median" in done.stdout
    assert lines[-1]["digest"].encode() in done.stdout
    as_json = json.loads(thorp("society", "report", data, "--json").stdout)
    assert as_json["days"] == lines
    assert [each["key"] for each in as_json["figures"]] == list(BY_KEY)
    check_page(page.read_text())


def check_page(page: str) -> None:
    """No script, and nothing is fetched from anywhere."""
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=|url\(|@import", page)
    assert page.count("<svg") == len(FIGURES)
    assert page.count("<path") >= 2 * len(FIGURES)
    for each in FIGURES:
        assert f"<b>{each.key}</b>" in page


def test_hostile_text_stays_text(two_days: Any) -> None:
    data, _ = two_days
    done = measured(data)
    hostile = "</style><script>alert(1)</script>\x1b[2J"
    page = report_page(msgspec.structs.replace(done, history=["founded", hostile], omitted=hostile))
    assert b"<script" not in page
    assert b"\x1b" not in page


def test_a_long_life_has_a_table_of_its_last_days(two_days: Any) -> None:
    data, lines = two_days
    days = [{**lines[0], "day": day} for day in range(1, MOST_ROWS + 51)]
    page = report_page(msgspec.structs.replace(measured(data), days=days)).decode()
    assert f"The last {MOST_ROWS} of {MOST_ROWS + 50} days." in page
    assert page.count("<tr>") == MOST_ROWS + 1


@pytest.mark.parametrize("page_is_there", [True, False])
def test_what_is_no_world_is_refused_in_one_line(tmp_path: Path, page_is_there: bool) -> None:
    page = tmp_path / "report.html"
    if page_is_there:
        page.write_text("mine")
    assert "there is no world here" in refused(
        thorp("society", "report", tmp_path / "none", "--html", page)
    )
    assert page.exists() == page_is_there
    assert "cannot be executed" in refused(thorp("society", "report", of_a_release(tmp_path)))
    (tmp_path / "file").write_text("text")
    assert refused(thorp("society", "report", tmp_path / "file"))


def of_a_release(directory: Path) -> Path:
    """A world that an earlier release has made."""
    data = directory / "earlier"
    shutil.copytree(EARLIER[-1], data / "world")
    return data
