"""From a match as data to a played match: opens the agents, plays, closes them whatever happens."""

from __future__ import annotations

from contextlib import ExitStack

from thorp.arena.contract import MatchConfig, MatchResult
from thorp.arena.outside import Replies, open_agent
from thorp.arena.registry import make_scenario
from thorp.arena.runner import run_match
from thorp.arena.task import MatchTask


def play(task: MatchTask, replies: Replies | None = None) -> MatchResult:
    """Play the match a task describes. With `replies`, model seats read what they answered before."""
    scenario = make_scenario(task.scenario, task.parameters)
    with ExitStack() as stack:
        agents = [stack.enter_context(open_agent(seat, task, replies)) for seat in task.seats]
        return run_match(scenario, agents, MatchConfig(task.seed, task.max_turns, task.match_id))
