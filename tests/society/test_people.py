"""Societies of agents: programs and models are told who they are, and how they are told can be
perturbed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import refused, thorp
from tests.integrations.endpoint import Body, answering, saying
from thorp.kernel.errors import ContractError, InvalidError
from thorp.society.comparison import Comparison, run_comparison
from thorp.society.people import LAYOUTS, People, told
from thorp.society.plan_reader import read_plan
from thorp.store import RealDisk
from thorp.workers import InlinePool

DISK = RealDisk()
PROGRAM = """
class Woodcutter:
    def init(self, config):
        pass
    def act(self, observation, ctx):
        if "likes wood" in observation["persona"]:
            return {"action": "mine_nearest", "block": "LOG"}
        return {"action": "say", "text": observation["persona"].split()[1] + observation["goal"]}
"""
PLAN = """
seeds = [1, 2]
days = 1
figures = ["people", "idle_day"]
tuning = {day_ticks = 200, season_length_ticks = 1400}

[people]
agent = "AGENT"
count = 2
persona = {trade = "farmer"}

[[condition]]
name = "any"

[[condition]]
name = "keen"
people = {persona = {trade = "farmer", manner = "likes wood"}}
"""
WORDS = """
[[perturbation]]
name = "other words"
kind = "wording"
words = {"likes wood" = "is fond of wood"}

[[perturbation]]
name = "in prose"
kind = "format"
layout = "prose"
"""


@pytest.fixture
def agent(tmp_path: Path) -> str:
    (tmp_path / "mind.py").write_text(PROGRAM)
    return f"{tmp_path / 'mind.py'}:Woodcutter"


def plan_of(agent: str, more: str = "") -> Any:
    return read_plan((PLAN.replace("AGENT", agent) + more).encode())


def rows(out: Path) -> dict[tuple[int, str, str], dict[str, Any]]:
    found = [json.loads(line) for line in (out / "results.jsonl").read_bytes().splitlines()]
    return {(row["seed"], row["condition"], row["perturbation"]): row for row in found}


def test_who_people_are_is_told_in_each_layout() -> None:
    persona = {"trade": "farmer", "manner": "You are slow."}
    texts = {layout: told("Ada", persona, layout) for layout in LAYOUTS}
    assert texts["lines"] == "name: Ada\ntrade: farmer\nmanner: You are slow."
    assert texts["prose"] == "Your name is Ada. Your trade is farmer. Your manner is You are slow."
    assert json.loads(texts["json"]) == {"name": "Ada", **persona}


def test_other_words_are_put_into_persona_and_goal() -> None:
    people = People(agent="a.py:A", persona={"manner": "kind, kind"}, goal="Be kind.")
    other = people.reworded({"kind": "gentle"})
    assert (other.persona, other.goal) == ({"manner": "gentle, gentle"}, "Be gentle.")
    assert other.agent == people.agent


def test_a_program_acts_on_what_it_is_told_and_another_wording_shows(
    agent: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run_comparison(plan_of(agent, WORDS), out, InlinePool(), DISK)
    found = rows(out)
    digest = {cell[1:]: row["digest"] for cell, row in found.items() if cell[0] == 1}
    assert digest["keen", ""] != digest["any", ""]
    assert digest["keen", "other words"] != digest["keen", ""]
    assert digest["any", "other words"] == digest["any", ""], "its words are in the other only"
    assert digest["any", "in prose"] != digest["any", ""], "it says the second word of its persona"
    assert digest["keen", "in prose"] == digest["keen", ""]


def test_names_order_and_draws_act_on_agents_too(agent: str, tmp_path: Path) -> None:
    kinds = "".join(
        f'[[perturbation]]\nname = "{kind}"\nkind = "{kind}"\n'
        for kind in ("names", "order", "draw")
    )
    out = tmp_path / "out"
    run_comparison(plan_of(agent, kinds), out, InlinePool(), DISK)
    digests = {row["digest"] for cell, row in rows(out).items() if cell[:2] == (1, "any")}
    assert len(digests) >= 3, "two people have two orders, of which one is the usual"


def wood_or_words(_number: int, body: Body) -> Body:
    """A model that does what its persona says."""
    about = body["messages"][0]["content"]
    if "likes wood" in about:
        return saying('Well: {"action": "mine_nearest", "block": "LOG"}')
    return saying('{"action": "say", "text": "Good day."}')


def lived(plan: Any, out: Path, **options: Any) -> Comparison:
    return run_comparison(plan, out, InlinePool(), DISK, **options)


def test_what_a_model_replied_is_kept_and_replayed_to_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of("model:tiny", WORDS)
    with answering(wood_or_words) as (endpoint, url):
        monkeypatch.setenv("THORP_MODEL_URL", url)
        found = lived(plan, tmp_path / "first")
    assert found.failed == []
    assert len(endpoint.asked) >= 4
    abouts = {body["messages"][0]["content"].partition("\n\n")[2] for body in endpoint.asked}
    assert "name: Ada\ntrade: farmer\nmanner: likes wood" in abouts
    assert "Your name is Basil. Your trade is farmer." in abouts
    assert "name: Ada\ntrade: farmer\nmanner: is fond of wood" in abouts
    monkeypatch.delenv("THORP_MODEL_URL")
    again = lived(plan, tmp_path / "again", replay=tmp_path / "first")
    assert again == found
    first, second = (tmp_path / name / "results.jsonl" for name in ("first", "again"))
    assert first.read_bytes() == second.read_bytes()
    more = PLAN.replace("[1, 2]", "[1, 2, 3]").replace("AGENT", "model:tiny") + WORDS
    other = read_plan(more.encode())
    with pytest.raises(InvalidError, match="no replies for seed 3") as refusal:
        lived(other, tmp_path / "other", replay=tmp_path / "first")
    assert refusal.value.code == "replay"
    assert not (tmp_path / "other").exists()


def test_a_model_that_never_answers_fails_its_lives_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with answering(lambda _number, _body: (404, "no such model", {})) as (_, url):
        monkeypatch.setenv("THORP_MODEL_URL", url)
        found = lived(plan_of("model:gone"), tmp_path / "out")
    assert len(found.failed) == 4
    assert "Ada never answered" in found.failed[0]
    assert url not in json.dumps(found.failed)


@pytest.mark.parametrize(
    ("old", "new", "code", "path"),
    [
        ("AGENT", "random", "agent", "$.people.agent"),
        ("AGENT", "local", "agent", "$.people.agent"),
        ("AGENT", "missing.py:Class", "agent_file", "$.people.agent"),
        ("count = 2", "count = 1", "value", "$.people.count"),
        ("count = 2", "number = 2", "value", "$.people"),
        ("{persona = {trade", "{persona = {trade = 3, t", "people", "$.condition[1].people"),
        ("people = {persona", "people = {mood", "unknown_key", "$.condition[1].people.mood"),
        ('likes wood" = ', 'hates wood" = ', "no_effect", "$.perturbation[0].words"),
        ("words = {", "# ", "required", "$.perturbation[0].words"),
        ('layout = "prose"', 'layout = "lines"', "value", "$.perturbation[1].layout"),
        ('layout = "prose"', "variant = 1", "required", "$.perturbation[1].layout"),
        ('layout = "prose"', 'layout = "json"\nvariant = 2', "value", "$.perturbation[1].variant"),
        ('kind = "format"', 'kind = "names"', "value", "$.perturbation[1].layout"),
        ('kind = "format"', 'kind = "mood"', "kind", "$.perturbation[1].kind"),
    ],
)
def test_bad_people_are_refused_by_path(
    agent: str, old: str, new: str, code: str, path: str
) -> None:
    text = PLAN + WORDS
    assert old in text
    with pytest.raises(ContractError) as refusal:
        read_plan(text.replace(old, new).replace("AGENT", agent).encode())
    assert (code, path) in [(each.code, each.path) for each in refusal.value.violations]


def test_laws_and_goals_need_the_village(agent: str) -> None:
    change = '[[condition.change]]\nat = 5\nchange = "goal"\nperson = "Bram"\ngoal = "office"\n'
    with pytest.raises(ContractError) as refusal:
        plan_of(agent, change)
    (violation,) = refusal.value.violations
    assert (violation.code, violation.path) == ("no_effect", "$.condition[1].change[0].change")


def test_what_was_scripted_cannot_be_replayed(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(
        "seeds = [1, 2]\ndays = 1\ntuning = {day_ticks = 24, season_length_ticks = 24}\n"
        '[[condition]]\nname = "a"\n[[condition]]\nname = "b"\ntuning = {seasons = true}\n'
    )
    thorp("society", "compare", plan, "--quiet")
    out = tmp_path / "plan.compared"
    said = refused(thorp("society", "compare", plan, "--replay", out, "--out", tmp_path / "new"))
    assert "leave --replay out" in said
    assert not (tmp_path / "new").exists()
