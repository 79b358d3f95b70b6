"""The figures of a village, each against a world in which it is known, and the bounds they are held
to."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import thorp
from thorp import village
from thorp.bridges.chronicle.sentences import forms, formula
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import InvalidError
from thorp.protocol.act import read_act
from thorp.store import RealDisk
from thorp.village.bounds import broken, figure, read_bounds
from thorp.village.measure import Meter, live
from thorp.voxel import WorldService
from thorp.voxel.inputs import Acted, Join
from thorp.voxel.load import default_catalogs
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

GATE = Path(__file__).parent / "gate.json"
DAY = 240
SHORT = Tuning(day_ticks=DAY, season_length_ticks=DAY * 100, world_events=False)
KEYS = (
    "v seed day tick weather event people idle_day idle_night idle_worst aimless doing "
    "quiet_minutes worth_pointing_at longest_lull distinct_thoughts same_thought "
    "buildings trades partners contracts orders downed upkeep laws votes tax stock wealth gini "
    "starving formula told digest"
)
ITEMS = default_catalogs().items


class Measured:
    """Two bodies in a short day, of which only the first does anything."""

    def __init__(self) -> None:
        self.world = new_city_world(7, tuning=SHORT)
        self.meter = Meter(self.world)
        self.tick(Join("Ann", "a" * 64), Join("Ben", "b" * 64))

    def tick(self, *inputs: Any) -> Any:
        step(self.world, inputs)
        return self.meter.look(inputs)

    def act(self, number: int, **asked: Any) -> Any:
        head = {
            "type": "ACT",
            "protocol_version": "0.9",
            "tick": self.world.tick,
            "agent_id": f"A{number}",
        }
        return self.tick(Acted(number, read_act(json.dumps({**head, **asked}).encode())))

    def day(self, **asked: Any) -> Any:
        """Let the first one ask for something again and again until the day is over."""
        while True:
            line = self.act(1, **asked) if self.world.tick % 5 == 0 else self.tick()
            if line is not None:
                return line


def said(text: str) -> dict[str, Any]:
    return {"instants": [{"id": "I", "type": "SAY", "text": text}], "tasks": []}


def test_a_line_has_every_key_of_the_measure() -> None:
    line = Measured().day(**said("hello"))
    assert list(line) == KEYS.split()
    assert (line["v"], line["seed"], line["day"], line["tick"], line["people"]) == (1, 7, 1, DAY, 2)


def test_who_does_nothing_that_can_be_seen_is_idle() -> None:
    measured = Measured()
    line = measured.day(**said("hello"))
    assert (line["idle_day"], line["idle_worst"]) == (0.5, ["Ben", 1.0])
    assert line["doing"] == {"SAY": 0.5}
    whispered = {
        "instants": [{"id": "I", "type": "WHISPER", "to": "A2", "text": "psst"}],
        "tasks": [],
    }
    assert measured.day(**whispered)["idle_day"] == 1.0, "what no spectator sees is nothing to see"


def test_walks_that_lead_to_nothing_are_aimless() -> None:
    measured = Measured()
    x, y, z = measured.world.agents[1].position
    back, there = (
        [{"id": "T", "type": "MOVE_TO", "target": [x + dx, y, z], "tolerance": 1}] for dx in (-5, 5)
    )
    measured.act(1, instants=[], tasks=there)
    for _ in range(100):
        measured.tick()
    measured.act(1, instants=[], tasks=back)
    for _ in range(30):
        measured.tick()
    line = measured.day(**said("here I am"))
    assert line["aimless"] == 0.5
    assert line["doing"]["MOVE_TO"] > 0


def test_a_fall_is_told_by_what_caused_it() -> None:
    measured = Measured()
    agent = measured.world.agents[2]
    agent.hunger, agent.hp = 0, 1
    line = measured.day(**said("hello"))
    assert line["downed"] == {"BANDIT": 0, "COLD": 0, "DROWNING": 0, "FALL": 0, "STARVATION": 1}
    assert line["starving"] == ["Ben"]


def test_a_minute_is_quiet_unless_something_happens_in_it() -> None:
    measured = Measured()
    assert measured.day(**said("talk is nothing"))["quiet_minutes"] == 10
    for _ in range(DAY // 2):
        measured.tick()
    measured.tick(Join("Cob", "c" * 64))
    assert measured.day(**said("hello"))["quiet_minutes"] == 9


def test_measuring_changes_nothing() -> None:
    tuning = Tuning(day_ticks=600, season_length_ticks=42_000)
    lines: list[dict[str, Any]] = []
    costs = live(new_city_world(1337, tuning=tuning), 1, show=lines.append)
    world = new_city_world(1337, tuning=tuning)
    tokens = {name: f"the token of {name}" for name in village.ROSTER}
    village.run(world, lambda inputs: step(world, inputs), tokens, to_tick=600)
    assert [line["digest"] for line in lines] == [world.digest()]
    assert lines[0]["buildings"]["today"] == len(world.structures) >= 1
    assert costs.ticks == 600
    assert 0 < costs.villager_ms < costs.tick_ms


def test_bounds_name_figures_with_dots_and_nothing_else() -> None:
    bounds = read_bounds(GATE.read_bytes(), ITEMS)
    assert bounds["upkeep.stage"][0].max == 1
    assert read_bounds(b'{"stock.PLANK.0": {"min": 5}, "laws.ACTIVE": {"min": 1}}', ITEMS)
    for text, named in (
        (b'{"idle_dya": {"max": 1}}', "'idle_dya'"),
        (b'{"stock.PLONK.0": {"min": 5}}', "'stock.PLONK.0'"),
        (b'{"trades": {"least": 5}}', "least"),
        (b'{"trades": {"min": 5, "of": "median"}}', "median"),
        (b"[]", "object"),
    ):
        with pytest.raises(InvalidError, match=named):
            read_bounds(text, ITEMS)


def test_what_is_broken_is_named_with_its_day() -> None:
    lines = [
        {"day": day, "trades": trades, "downed": {"COLD": 1}, "orders": {"wait_median": None}}
        for day, trades in enumerate((0, 12, 8), 1)
    ]
    assert figure(lines[0], "downed") == 1
    text = b"""{"trades": [{"min": 10, "days": [2, 9]}, {"min": 5, "of": "mean"}, {"max": 19, "of": "sum"}],
               "downed": {"max": 2, "of": "sum"}, "orders.wait_median": {"max": 5}, "gini": {"max": 1}}"""
    bounds = read_bounds(text, ITEMS)
    for line in lines:
        line["gini"] = 0.5
    assert broken(bounds, lines) == [
        "trades on day 3 is 8, below 10",
        "the sum of trades on days 1 to 3 is 20, above 19",
        "the sum of downed on days 1 to 3 is 3, above 2",
    ]


def test_sentences_of_one_form_differ_in_names_numbers_and_hours() -> None:
    text = (
        "On the third day, before noon, Ann gave Ben Oakley two planks. Ben Oakley gave Ann "
        "twenty-one planks. The law “A tenth. For all” was laid before Thorp."
    )
    told = forms(text, ["Ann", "Ben Oakley", "Thorp"])
    assert told[0] == told[1] == "n gave n # planks."
    assert len(told) == 3
    assert formula(Counter(told)) == 1.0
    assert formula(Counter([*"abcdefghij" * 2, *"klmnopqrst"])) == pytest.approx(2 / 3)


def test_the_command_names_what_is_broken(tmp_path: Path) -> None:
    bounds = tmp_path / "bounds.json"
    bounds.write_text('{"trades": {"min": 500}}', "utf-8")
    data = tmp_path / "data"
    with WorldService.open(
        RealDisk(), data / "world", seed=5, tuning=SHORT, make_world=new_city_world
    ) as service:
        for _ in range(100):
            service.tick([]).result()
        kept = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
        done = thorp(
            "village", "live", "--from", data, "--days", "1", "--json", "--require", bounds
        )
        assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == kept
    assert done.returncode == 1
    assert b'"tick":240' in done.stdout
    assert b"broken: trades on day 1 is" in done.stderr
    assert b"ms of CPU a tick" in done.stderr
    other = thorp("village", "live", "--from", data, "--seed", "6")
    assert (other.returncode, b"has the seed 5" in other.stderr) == (2, True)
    bounds.write_text('{"traids": {}}', "utf-8")
    assert b"'traids'" in thorp("village", "live", "--require", bounds).stderr
