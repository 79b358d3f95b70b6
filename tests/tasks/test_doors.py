"""What harnesses of others are given: tools that play a turn, rows, and an environment for TRL."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from tests.tasks.table import table
from thorp.integrations.trl_tasks import environment, rows
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, UnknownError
from thorp.tasks import default_suite
from thorp.tasks.export import exported
from thorp.tasks.tool_play import ToolPlay
from thorp.tasks.tools import as_action, tools_of


def test_a_call_is_a_turn_and_a_refused_one_costs_it_too() -> None:
    play = ToolPlay(table().open("try-patience-1"))
    assert [tool.name for tool in play.tools] == ["mine_nearest", "go_to", "wait"]
    assert play.message.startswith("Wait for ten ticks.\n")
    assert "Turns left: 6.\nNEWS" in play.message
    with pytest.raises(InvalidError, match=r'there is no tool "fly".*Turns left: 5\.$'):
        play.call("fly", {})
    with pytest.raises(InvalidError, match=r'wait has no field "action_".*The task is over'):
        play.call("wait", {"action_": 1})
    assert play.is_over  # two refused calls let ten ticks pass, as everything does
    assert play.score == 1
    with pytest.raises(IllegalError, match="the task is over: stop calling tools"):
        play.call("wait", {})


def test_the_end_is_told_with_the_score() -> None:
    play = ToolPlay(table().open("try-patience-2"))
    assert play.call("wait", {"ticks": None}).startswith("Turns left: 5.\n")
    assert play.call("wait", {"ticks": 600}).startswith("The task is over, with a score of 1.000")


def test_exported_rows_hold_what_is_needed_and_no_goal() -> None:
    suite = table()
    lines = [exported(suite, row, index) for index, row in enumerate(suite.select("try-logs"))]
    assert [line["id"] for line in lines][:2] == ["try-logs-1", "try-logs-2"]
    for line in lines:
        assert "goal" not in line
        assert [each["function"]["name"] for each in line["tools"]] == list(
            suite.tasks["try-logs"].tools
        )
        assert suite.open(line["start"]["task"]).prompt == line["prompt"]
        assert json.loads(json.dumps(line)) == line


def made() -> Any:
    return environment("try-logs", table())()


def test_an_environment_of_trl_has_one_method_a_tool_with_types_and_words() -> None:
    public = {
        name
        for name, _ in inspect.getmembers(made(), inspect.ismethod)
        if not name.startswith("_") and name not in ("reset", "get_reward")
    }
    assert public == {"mine_nearest", "go_to", "wait"}
    signature = inspect.signature(made().go_to)
    assert [
        (name, each.annotation, each.default) for name, each in signature.parameters.items()
    ] == [(axis, int, inspect.Parameter.empty) for axis in "xyz"]
    assert inspect.signature(made().wait).parameters["ticks"].default is None
    assert "Args:\n    block: " in made().mine_nearest.__doc__


def test_members_of_a_group_begin_in_one_state_and_a_pool_is_used_again() -> None:
    row = rows("try-logs", suite=table())[0]
    assert row["prompt"][0]["role"] == "system"
    first, second = made(), made()
    messages = [each.reset(**row) for each in (first, second, first)]
    assert messages[0] == messages[1] == messages[2]
    assert messages[0].startswith("\nYou stand at ")
    assert first.get_reward() == 0.0
    first.wait(ticks=5)
    with pytest.raises(InvalidError, match="call go_to first"):
        second.mine_nearest(block="DIAMOND_ORE")
    episode = first._play.episode
    middle = {**row, "acts": json.dumps(episode.acts), "digest": episode.digest()}
    assert [each.reset(**middle) for each in (first, second)] == [None, None]
    assert first._play.episode.digest() == second._play.episode.digest() == episode.digest()
    with pytest.raises(ConflictError, match="these acts lead to"):
        first.reset(**{**middle, "digest": "0" * 64})
    with pytest.raises(InvalidError, match="acts: "):
        first.reset(**{**middle, "acts": "{}"})


def test_what_trl_cannot_play_is_refused() -> None:
    with pytest.raises(UnknownError, match="has no task 'try-nothing'"):
        environment("try-nothing", table())
    with pytest.raises(InvalidError, match="no task has begun; reset first"):
        made().wait()
    assert made().get_reward() == 0.0


def test_a_flat_proposal_to_a_town_is_nested_and_all_else_stays() -> None:
    call = {"action": "propose", "type": "SALVAGE_PLAN", "target": "scarcity"}
    assert as_action(call) == {"type": "SALVAGE_PLAN", "args": {"focus": "scarcity"}}
    assert as_action({"action": "propose", "type": ["x"]}) == {"type": ["x"], "args": {}}
    for other in (None, 7, "wait", {"action": "wait"}, {"type": "SALVAGE_PLAN"}):
        assert as_action(other) == other


def test_every_tool_that_a_task_of_the_suite_names_can_be_offered() -> None:
    for task in default_suite().tasks.values():
        assert [tool.name for tool in tools_of(task)] == list(task.tools)
        assert environment(task.id)
