"""Comparisons of societies: real lives, short days, any number of processes, the same bytes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.arena.tournament.processes import until
from tests.cli.command import THORP, refused, thorp
from tests.server.test_page import chromium
from tests.society.test_what_if import LIMIT_SECONDS, opens_alone
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import ConflictError, ContractError, IllegalError
from thorp.society.comparison import Comparison, compare, run_comparison
from thorp.society.comparison_page import comparison_page
from thorp.society.contrasts import NO_DIFFERENCE
from thorp.society.plan_reader import MAX_LIVES, read_plan
from thorp.society.village_run import (
    Perturbed,
    TimedChange,
    VillageLife,
    _Life,
    figures_of,
    shuffled,
    with_other_names,
)
from thorp.store import RealDisk
from thorp.village import measure
from thorp.village.changes import PassLaw, RepealLaw
from thorp.village.founding import RULES
from thorp.village.headless import EVERYBODY
from thorp.voxel import World, read_tuning
from thorp.workers import InlinePool, ProcessPool

DISK = RealDisk()
TUNING = {"day_ticks": 120, "season_length_ticks": 840}
PLAN = """
question = "Does it matter what people bring along?"
seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9]
days = 1
figures = ["people", "wealth.mean", "wealth.median", "trades"]
tuning = {day_ticks = 60, season_length_ticks = 420}

[[condition]]
name = "as usual"

[[condition]]
name = "rich"
tuning = {starter_items = {PLANK = 40, COAL = 10, STONE = 20, BERRIES = 10}}

[[condition]]
name = "other snapshots"
tuning = {snapshot_every_ticks = 50}

[[perturbation]]
name = "other names"
kind = "names"
"""
FIGURES = ["people", "wealth.mean", "wealth.median", "trades"]
LIVES = 9 * 3 * 2


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Comparison]:
    out = tmp_path_factory.mktemp("compared") / "out"
    return out, run_comparison(read_plan(PLAN.encode()), out, ProcessPool(2), DISK)


def files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def verdicts(found: Comparison, name: str) -> dict[str, str]:
    (contrast,) = [each for each in found.contrasts if each.name == name]
    return {each.key: each.verdict for each in contrast.figures}


def test_a_life_has_the_figures_of_village_live() -> None:
    lines: list[dict[str, Any]] = []
    measure.live(new_city_world(5, tuning=read_tuning({**RULES, **TUNING})), 2, show=lines.append)
    row = VillageLife(seed=5, days=2, tuning=TUNING).live()
    assert row["days"] == [figures_of(line) for line in lines]
    assert row["digest"] == lines[-1]["digest"]


def test_a_planted_difference_is_found_and_one_that_cannot_matter_is_not(lived: Any) -> None:
    _, found = lived
    rich = verdicts(found, "rich")
    assert rich["wealth.median"] == rich["wealth.mean"] == "higher"
    assert rich["trades"] == NO_DIFFERENCE
    (same,) = [each for each in found.contrasts if each.name == "other snapshots"]
    assert {each.text for each in same.figures} == {
        f"{NO_DIFFERENCE}: it is the same in every pair"
    }


def test_every_seed_lives_under_every_condition_and_perturbation(lived: Any) -> None:
    out, found = lived
    rows = [json.loads(line) for line in (out / "results.jsonl").read_bytes().splitlines()]
    cells = [(row["seed"], row["condition"], row["perturbation"]) for row in rows]
    assert len(set(cells)) == len(cells) == found.lives == LIVES
    assert [row["run"] for row in rows] == list(range(1, LIVES + 1))
    assert [each.lives for each in found.conditions] == [18, 18, 18]
    assert [each.figures[0].difference.pairs for each in found.contrasts] == [9, 9]
    assert [each.name for each in found.perturbations] == ["other names"]
    plain = {row["digest"] for row in rows if row["condition"] == "as usual"}
    assert len(plain) == 18, "other names are another life"


RUN = """
import sys
from pathlib import Path
from thorp.society.comparison import run_comparison
from thorp.society.comparison_page import comparison_page
from thorp.society.plan_reader import read_plan
from thorp.store import RealDisk
from thorp.workers import InlinePool
plan = read_plan(Path(sys.argv[1]).read_bytes())
def show(progress):
    print(progress.done, flush=True)
found = run_comparison(plan, Path(sys.argv[2]), InlinePool(), RealDisk(), on_progress=show)
Path(sys.argv[2], "page").write_bytes(comparison_page(found))
"""


def test_a_run_that_was_killed_goes_on_to_the_same_bytes_under_another_hash_seed(
    lived: Any, tmp_path: Path
) -> None:
    out, found = lived
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    again = tmp_path / "again"
    command = [sys.executable, "-c", RUN, str(plan), str(again)]
    environment = {**os.environ, "PYTHONHASHSEED": "9"}
    first = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert first.stdout is not None
    with first.stdout as said:
        until(lambda: said.readline().strip() == b"5", LIMIT_SECONDS)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    assert not (again / "results.jsonl").exists()
    done = subprocess.run(
        command, env=environment, check=True, capture_output=True, timeout=LIMIT_SECONDS
    )
    assert int(done.stdout.split()[0]) >= 5, "what was finished does not live again"
    page = (again / "page").read_bytes()
    (again / "page").unlink()
    assert files(again) == files(out)
    assert page == comparison_page(found)


def test_a_finished_comparison_is_told_again_and_another_plan_is_refused(lived: Any) -> None:
    out, found = lived
    kept = files(out)
    seen: list[int] = []
    plan = read_plan(PLAN.encode())
    again = run_comparison(
        plan, out, InlinePool(), DISK, on_progress=lambda progress: seen.append(progress.resumed)
    )
    assert (again, seen) == (found, [LIVES])
    other = read_plan(PLAN.replace("[1, 2, 3, ", "[1, 2, ").encode())
    with pytest.raises(ConflictError, match="seeds is") as conflict:
        run_comparison(other, out, InlinePool(), DISK)
    assert conflict.value.code == "other_comparison"
    assert files(out) == kept


def test_a_life_that_failed_takes_its_pair_with_it_and_is_named(lived: Any) -> None:
    out, found = lived
    plan = read_plan(PLAN.encode())
    lines = dict(enumerate((out / "results.jsonl").read_bytes().splitlines(), start=1))
    row = json.loads(lines[2])
    assert (row["seed"], row["condition"], row["perturbation"]) == (1, "rich", "")
    error = {"code": "worker", "message": "it\x1b[2J died"}
    del row["days"], row["digest"]
    lines[2] = json.dumps({**row, "error": error}).encode()
    less = compare(plan, lines)
    assert less.failed == ["seed 1, rich: it\x1b[2J died"]
    assert b"\x1b" not in comparison_page(less)
    assert [each.lives for each in less.conditions] == [18, 17, 18]
    rich = less.contrasts[0].figures[0].difference
    assert rich.pairs == 9, "the perturbed life of that seed still has its pair"
    assert less.perturbations[0].figures[0].difference.pairs == 9
    assert less.contrasts[1] != found.contrasts[0]


def test_a_law_that_never_finds_land_is_a_life_that_failed(tmp_path: Path) -> None:
    plan = read_plan(
        b"""
seeds = [1, 2]
days = 1
tuning = {day_ticks = 24, season_length_ticks = 24}
[[condition]]
name = "free"
[[condition]]
name = "taxed"
[[condition.change]]
at = 1
keep = true
change = "pass_law"
law = "MARKET_TAX"
params = {market_tax = 0.1}
"""
    )
    found = run_comparison(plan, tmp_path / "out", InlinePool(), DISK)
    assert len(found.failed) == 2
    assert all("the city had no land until the end" in each for each in found.failed)
    assert found.contrasts[0].figures == []
    assert comparison_page(found)


def test_a_change_that_does_not_fit_the_first_seed_leaves_nothing(tmp_path: Path) -> None:
    plan = read_plan(
        PLAN.replace("[[perturbation]]", CHANGE + "[[perturbation]]", 1)
        .replace("TICK", "20")
        .encode()
    )
    with pytest.raises(IllegalError) as refusal:
        run_comparison(plan, tmp_path / "out", InlinePool(), DISK)
    assert refusal.value.code == "no_land"
    assert refusal.value.message.startswith("$.condition[2].change: with seed 1 after tick 20 ")
    assert not (tmp_path / "out").exists()


CHANGE = """
[[condition.change]]
at = TICK
change = "pass_law"
law = "MARKET_TAX"
params = {market_tax = 0.1}
"""


def market_tax(world: World) -> int:
    (city,) = [org.id for org in world.orgs if org.kind == "CITY"]
    (tax,) = [claim.market_tax for claim in world.claims if claim.owner == city]
    return int(tax)


@pytest.mark.parametrize(
    ("kept", "tax"),
    [
        (PassLaw(law="MARKET_TAX", params={"market_tax": 0.2}), 200_000),
        (RepealLaw(law="MARKET_TAX"), 0),
    ],
)
def test_a_kept_law_holds_whatever_is_decided(village_state: World, kept: Any, tax: int) -> None:
    world = village_state
    now = world.tick
    other = PassLaw(law="MARKET_TAX", params={"market_tax": 0.05})
    life = _Life(world, [TimedChange(now + 5, kept, keep=True), TimedChange(now + 10, other)])
    life.run(now + 9, EVERYBODY, [])
    assert market_tax(world) == tax
    life.run(now + 15, EVERYBODY, [])
    assert market_tax(world) == tax
    laws = [law for law in world.laws if law.template_id == "MARKET_TAX"]
    assert {law.params["market_tax"] for law in laws} >= {50_000}


def test_a_goal_is_wanted_by_a_villager_who_goes_on_living() -> None:
    tuning = {"day_ticks": 600, "season_length_ticks": 4200}
    world = new_city_world(3, tuning=read_tuning({**RULES, **tuning}))
    change = {"change": "goal", "person": "Bram", "goal": "office"}
    from thorp.village.changes import read_change

    life = _Life(world, [TimedChange(300, read_change(change))])
    life.run(310, EVERYBODY, [])
    assert life._village is not None
    (bram,) = [each for each in life._village.villagers if each.name == "Bram"]
    assert bram.knowledge.wish is not None
    assert (bram.knowledge.wish.kind, bram.knowledge.wish.since) == ("office", 300)


def test_what_is_perturbed_is_everybody_in_another_order_or_with_another_name() -> None:
    order = shuffled(EVERYBODY, 5)
    assert sorted(order) == sorted(EVERYBODY)
    assert order != list(EVERYBODY)
    names = with_other_names(5)
    assert sorted(names) == sorted(EVERYBODY)
    assert [village.ROSTER[name] for name in names] == list(village.ROSTER.values())
    assert names != list(EVERYBODY)
    assert with_other_names(6) != names


def test_each_perturbation_is_another_life_and_the_same_one_again() -> None:
    ways: list[tuple[Perturbed | None, int]] = [
        (None, 1),
        ("draw", 1),
        ("order", 1),
        ("order", 2),
        ("names", 1),
    ]
    lives = [
        VillageLife(seed=1, days=1, tuning=TUNING, perturbed=perturbed, variant=variant)
        for perturbed, variant in ways
    ]
    digests = [life.live()["digest"] for life in lives]
    assert len(set(digests)) == len(digests)
    assert lives[2].live()["digest"] == digests[2]


TWO = """
seeds = [1, 2]
[[condition]]
name = "a"
[[condition]]
name = "b"
tuning = {seasons = true}
"""
STORM = '[[condition.change]]\nat = 5\nchange = "weather"\nweather = "STORM"\n'


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("", "required", "$.seeds"),
        ("", "required", "$.condition"),
        ("= 1", "toml", "$"),
        (TWO.replace("[1, 2]", "[]"), "seeds", "$.seeds"),
        (TWO.replace("[1, 2]", "[1]"), "seeds", "$.seeds"),
        (TWO.replace("[1, 2]", "[1, 1]"), "seeds", "$.seeds"),
        (TWO.replace("[1, 2]", "{from = 2, to = 1}"), "seeds", "$.seeds"),
        (TWO.replace("[1, 2]", "{from = 1, to = 9000000000}"), "limit", "$.seeds"),
        (TWO.replace("[1, 2]", f"{{from = 1, to = {MAX_LIVES // 2 + 1}}}"), "limit", "$.seeds"),
        (TWO.replace("[1, 2]", '["one"]'), "value", "$.seeds[0]"),
        ("sed = 1\n" + TWO, "unknown_key", "$.sed"),
        ("days = 0\n" + TWO, "value", "$.days"),
        ("days = true\n" + TWO, "value", "$.days"),
        ('figures = ["joy"]\n' + TWO, "unknown", "$.figures[0]"),
        ('figures = ["gini", "gini"]\n' + TWO, "figures", "$.figures[1]"),
        ("figures = []\n" + TWO, "value", "$.figures"),
        ("tuning = {day_tick = 3}\n" + TWO, "unknown_key", "$.tuning.day_tick"),
        ("tuning = {day_ticks = 1}\n" + TWO, "tuning", "$.tuning"),
        (TWO.split('[[condition]]\nname = "b"')[0], "required", "$.condition"),
        (TWO.replace('"b"', '"a"'), "condition", "$.condition[1].name"),
        (TWO.replace("tuning = {seasons = true}", ""), "condition", "$.condition[1]"),
        (TWO.replace('name = "b"', ""), "required", "$.condition[1].name"),
        (TWO.replace('"b"', '"\\u001b[2J"'), "value", "$.condition[1].name"),
        (
            TWO.replace("seasons = true", "day_ticks = 60"),
            "tuning",
            "$.condition[1].tuning.day_ticks",
        ),
        (TWO + "colour = 1", "unknown_key", "$.condition[1].colour"),
        (TWO + STORM.replace("at = 5\n", ""), "required", "$.condition[1].change[0].at"),
        (TWO + STORM.replace("5", "99999"), "range", "$.condition[1].change[0].at"),
        (TWO + STORM.replace("STORM", "HAIL"), "change", "$.condition[1].change[0]"),
        (TWO + STORM + "keep = true", "change", "$.condition[1].change[0].keep"),
        (
            TWO + '[[condition.change]]\nat = 5\nchange = "goal"\nperson = "Zed"\ngoal = "office"',
            "unknown",
            "$.condition[1].change[0]",
        ),
        (
            TWO + '[[condition.change]]\nat = 5\nkeep = true\nchange = "repeal_law"\nlaw = "L1"',
            "change",
            "$.condition[1].change[0].law",
        ),
        (
            TWO + CHANGE.replace("TICK", "5").replace("0.1", "0.9"),
            "law",
            "$.condition[1].change[0]",
        ),
        (TWO + '[[perturbation]]\nname = "w"\nkind = "luck"', "kind", "$.perturbation[0].kind"),
        (TWO + '[[perturbation]]\nkind = "draw"', "required", "$.perturbation[0].name"),
        (
            TWO + '[[perturbation]]\nname = "w"\nkind = "draw"\n' * 2,
            "perturbation",
            "$.perturbation[1]",
        ),
        (TWO + "perturbation = 3", "value", "$.condition[1]"),
    ],
)
def test_a_bad_plan_is_refused_by_path(text: str, code: str, path: str) -> None:
    if text.endswith("perturbation = 3"):
        text = "perturbation = 3\n" + TWO
        path = "$.perturbation"
    with pytest.raises(ContractError) as refusal:
        read_plan(text.encode())
    found = [(each.code, each.path) for each in refusal.value.violations]
    assert (code, path) in found
    assert all("\n" not in each.message for each in refusal.value.violations)


@pytest.mark.parametrize("kind", ["wording", "persona", "format", "goal"])
def test_a_perturbation_that_cannot_act_is_refused_with_advice(kind: str) -> None:
    with pytest.raises(ContractError) as refusal:
        read_plan(f'{TWO}[[perturbation]]\nname = "p"\nkind = "{kind}"'.encode())
    (violation,) = refusal.value.violations
    assert (violation.code, violation.path) == ("no_effect", "$.perturbation[0].kind")
    assert "villagers are scripted" in violation.message
    assert "draw, order, names" in violation.message


def test_the_plans_of_the_studies_can_be_read() -> None:
    plans = Path(__file__).parents[2] / "examples" / "studies"
    sizes = {path.stem: len(read_plan(path.read_bytes()).lives()) for path in plans.glob("*.toml")}
    assert sizes == {"tithe": 60, "chance": 80}


def test_the_plans_on_the_page_of_the_manual_can_be_read() -> None:
    text = (Path(__file__).parents[2] / "docs" / "society.md").read_text()
    village_plan, agents_plan = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert len(read_plan(village_plan.encode()).lives()) == 40
    agents = read_plan(f"seeds = [1, 2]\n{agents_plan}".encode())
    assert [each.kind for each in agents.perturbations] == ["wording", "format"]
    assert len(agents.lives()) == 12


def test_the_command_prints_a_table_json_and_a_page(tmp_path: Path) -> None:
    plan = tmp_path / "bread.toml"
    plan.write_text(PLAN.replace("1, 2, 3, 4, 5, 6, 7, 8, 9", "1, 2"))
    done = thorp("society", "compare", plan, "--html", tmp_path / "page.html", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert b"rich, compared with as usual" in done.stdout
    assert b"the same in every pair: people" in done.stdout
    assert b"12 of 12 lives" in done.stderr
    as_json = json.loads(thorp("society", "compare", plan, "--json", "--quiet").stdout)
    kept = json.loads((tmp_path / "bread.compared" / "comparison.json").read_bytes())
    tip = as_json.pop("tip")
    assert as_json == kept
    assert tip.encode() in done.stdout
    assert [each["key"] for each in as_json["figures"]] == FIGURES
    page = (tmp_path / "page.html").read_text()
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert page.count("<figure><svg") == len(FIGURES)


@pytest.mark.parametrize("text", ["", "seeds = [1, 2]\n", "not toml"])
def test_a_plan_that_names_nothing_is_refused_in_lines_and_makes_nothing(
    tmp_path: Path, text: str
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(text)
    done = thorp("society", "compare", plan, "--html", tmp_path / "page.html")
    assert (done.returncode, done.stdout) == (2, b"")
    for line in done.stderr.decode().splitlines():
        assert line.startswith(f"thorp: {plan}: $")
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]


def test_a_plan_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert "no such file" in refused(thorp("society", "compare", tmp_path / "none.toml"))


def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.replace("day_ticks = 60", "day_ticks = 420"))
    command = [str(THORP), "society", "compare", str(plan), "--workers", "1"]
    run = subprocess.Popen(command, stderr=subprocess.PIPE)
    journal = tmp_path / "plan.compared" / "results.journal"
    until(lambda: journal.exists() and journal.stat().st_size > 2_000, LIMIT_SECONDS)
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=LIMIT_SECONDS)
    assert run.returncode == 130
    assert b"they are kept: run the same command again to go on" in said
    assert b"Traceback" not in said


@chromium
def test_the_page_opens_without_a_network_and_asks_for_nothing(lived: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(comparison_page(lived[1]))
    opens_alone(page, tmp_path, "Does it matter what people bring along?", len(FIGURES))


def test_a_comparison_is_plain_data(lived: Any) -> None:
    out, found = lived
    assert msgspec.json.decode((out / "comparison.json").read_bytes(), type=Comparison) == found
