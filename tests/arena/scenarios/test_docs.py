"""The scenario documents: their code runs, and what they claim is so."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.scenarios import BUILT_IN_SCENARIOS
from thorp.arena.testing import AGENT_RULES, SCENARIO_RULES
from thorp.arena.testing.trial import rule_name

DOCS = Path(__file__).parents[3] / "docs"
SCENARIOS = (DOCS / "scenarios.md").read_text("utf-8")
WRITING = (DOCS / "writing-scenarios.md").read_text("utf-8")


def run_blocks(text: str) -> dict[str, Any]:
    """Run the Python blocks of a document one after the other, in one namespace."""
    namespace: dict[str, Any] = {"__name__": "document"}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        exec(compile(block, "document", "exec", dont_inherit=True), namespace)
    return namespace


def section(scenario: str) -> str:
    return SCENARIOS.split(f"\n## {scenario}\n")[1].split("\n## ")[0]


def test_scenarios_run_and_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    run_blocks(SCENARIOS)
    (claimed,) = re.findall(r"^print\(.*\)  # (\d+)$", SCENARIOS, re.MULTILINE)
    assert capsys.readouterr().out == f"{claimed}\n"


def test_the_example_of_writing_scenarios_plays(capsys: pytest.CaptureFixture[str]) -> None:
    run_blocks(WRITING)
    assert capsys.readouterr().out.startswith("completed 10 {'ann': ")


@pytest.mark.parametrize("name", ["TestDilemma", "TestTitForTat"])
def test_the_suites_of_writing_scenarios_pass(name: str) -> None:
    suite = run_blocks(WRITING)[name]
    tests = [getattr(suite(), test) for test in dir(suite) if test.startswith("test_")]
    assert len([test() for test in tests if test is not None]) >= 9


@pytest.mark.parametrize("scenario", BUILT_IN_SCENARIOS)
def test_every_scenario_is_documented_with_its_parameters_and_bots(scenario: str) -> None:
    text = section(scenario)
    for name, parameter in inspect.signature(BUILT_IN_SCENARIOS[scenario]).parameters.items():
        # A page shows switches as JSON and the command line write them.
        default = parameter.default
        if isinstance(default, bool):
            default = f"`{json.dumps(default)}`"
        row = rf"^\| [^|]*`{name}`[^|]*\| [^|]*{default}"
        assert re.search(row, text, re.MULTILINE), name
    for kind in BUILT_IN_AGENTS[scenario]:
        assert re.search(rf"^\| `{kind}`", text, re.MULTILINE), kind
    for heading in ("**Action**", "**Observation**", "**Score**"):
        assert heading in text


def table_rows(text: str) -> dict[str, list[str]]:
    """Rows of Markdown tables by the bot in their first cell; the last one of a bot stands."""
    rows = {}
    for line in text.splitlines():
        if bot := re.match(r"\| `([a-z-]+)`", line):
            rows[bot[1]] = [cell.strip() for cell in line.strip("|").split("|")[1:]]
    return rows


def test_the_auction_table_is_right() -> None:
    wins = run_blocks(SCENARIOS)["wins"]
    rows = table_rows(section("auction"))
    columns = ["random", "truthful", "shading", "pacing"]
    for bot in columns[1:]:
        for opponent, cell in zip(columns, rows[bot], strict=True):
            if opponent != bot:
                won = [
                    wins("auction", bot, opponent, pricing=pricing)
                    for pricing in ("second", "first")
                ]
                assert cell == f"{won[0]} / {won[1]}", (bot, opponent)


def test_the_number_guess_and_greedy_figures_are_right() -> None:
    wins = run_blocks(SCENARIOS)["wins"]
    assert f"wins {wins('number-guess', 'baseline', 'random')} of 200" in section("number-guess")
    greedy = wins("connect-four", "greedy", "random")
    assert table_rows(section("connect-four"))["greedy"][0] == str(greedy)


@pytest.mark.long
def test_the_minimax_figures_are_right() -> None:
    wins = run_blocks(SCENARIOS)["wins"]
    figures = [str(wins("connect-four", "minimax", opponent)) for opponent in ("random", "greedy")]
    assert table_rows(section("connect-four"))["minimax"] == figures


def test_every_rule_is_listed() -> None:
    for name in (*map(rule_name, SCENARIO_RULES), *map(rule_name, AGENT_RULES)):
        assert f"`{name}`" in WRITING
