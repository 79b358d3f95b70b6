"""The rules of an agent. Each is checked by letting the agent play its scenario, in a changing seat."""

import random
from inspect import iscoroutine
from typing import Any, Final

from thorp.arena.contract import Agent, AgentContext, MatchConfig, MatchResult
from thorp.arena.testing.players import (
    ODD_VALUES,
    before_act,
    call_through,
    fail_sometimes,
    sometimes_odd,
)
from thorp.arena.testing.trial import AgentTrial, BrokenRule, require_same_log, short_repr
from thorp.kernel.canonical import canonical_text
from thorp.kernel.errors import ThorpError


def has_all_members(trial: AgentTrial) -> None:
    """It has the id it was built with, and can be initialised and asked to act."""
    agent = trial.make("ann")
    if getattr(agent, "id", None) != "ann":
        raise BrokenRule(f"built with the id 'ann' it has the id {short_repr(getattr(agent, 'id', None))}")
    missing = [member for member in ("init", "act") if not callable(getattr(agent, member, None))]
    if missing:
        raise BrokenRule(f"an agent needs the methods {', '.join(missing)}")


def acts_without_failing(trial: AgentTrial) -> None:
    """It raises nothing, from the first turn of a match to the last."""
    for config in trial.configs():
        _require_no_failure(trial, config, trial.play(config), "in an ordinary match")


def actions_are_json(trial: AgentTrial) -> None:
    """Its actions are JSON values, every number in them finite, and no coroutines."""

    def intercept(agent: Agent, member: str, arguments: tuple[Any, ...]) -> Any:
        result = call_through(agent, member, arguments)
        if member == "act":
            try:
                canonical_text(result)
            except ThorpError as refusal:
                if iscoroutine(result):
                    result.close()
                raise BrokenRule(f"the action {short_repr(result)} is no JSON value: {refusal}") from None
        return result

    trial.play_intercepted(intercept)


def actions_are_valid(trial: AgentTrial) -> None:
    """Its scenario judges all its actions valid. Turned off by `always_valid=False`."""
    if not trial.always_valid:
        return
    for config in trial.configs():
        own_id, action = trial.own_id(config), None
        for event in trial.play(config).events:
            if event.get("agentId") == own_id and event["type"] == "ActionSubmitted":
                action = event["action"]
            if event.get("agentId") == own_id and event.get("valid") is False:
                raise BrokenRule(
                    f"in turn {event['turn']} {short_repr(action)} was refused: {event['feedback']}"
                )


def same_seed_same_actions(trial: AgentTrial) -> None:
    """Two instances given the same seed play the same match."""
    for config in trial.configs():
        require_same_log(
            trial.play(config).jsonl, trial.play(config).jsonl, "when the match was played again"
        )


def init_starts_afresh(trial: AgentTrial) -> None:
    """One instance plays its second match as if it were the first."""
    for config in trial.configs():
        agent = trial.make(trial.own_id(config))
        trial.play(trial.other(config), agent)
        again = trial.play(config, agent).jsonl
        require_same_log(trial.play(config).jsonl, again, "when the agent had played another match before")


def instances_share_nothing(trial: AgentTrial) -> None:
    """What one instance does has no effect on another."""
    for config in trial.configs():
        other = trial.other(config)

        def interrupt(ctx: AgentContext, other: MatchConfig = other) -> None:
            if ctx.turn <= 2:
                trial.play(other)

        agent = before_act(trial.make(trial.own_id(config)), interrupt)
        mixed = trial.play(config, agent).jsonl
        require_same_log(trial.play(config).jsonl, mixed, "when another instance played in between")


def survives_setbacks(trial: AgentTrial) -> None:
    """It goes on after a turn in which its action was replaced by nonsense, and when the others fail."""
    for config in trial.configs():
        agent = sometimes_odd(trial.make(trial.own_id(config)), ODD_VALUES)
        _require_no_failure(trial, config, trial.play(config, agent), "after an odd action of its own")
        failing = trial.play(config, others=lambda other: before_act(other, fail_sometimes))
        _require_no_failure(trial, config, failing, "when others failed")


def leaves_global_random_alone(trial: AgentTrial) -> None:
    """It draws from its own stream, ctx.rng(), and not from Python's shared generator."""

    def intercept(agent: Agent, member: str, arguments: tuple[Any, ...]) -> Any:
        before = random.getstate()
        try:
            return call_through(agent, member, arguments)
        finally:
            if random.getstate() != before:
                raise BrokenRule(f"{member} drew from the random module; draw from ctx.rng()")

    trial.play_intercepted(intercept)


AGENT_RULES: Final = (
    has_all_members,
    acts_without_failing,
    actions_are_json,
    actions_are_valid,
    same_seed_same_actions,
    init_starts_afresh,
    instances_share_nothing,
    survives_setbacks,
    leaves_global_random_alone,
)
"""All rules of an agent, the most basic first."""


def _require_no_failure(
    trial: AgentTrial, config: MatchConfig, result: MatchResult, circumstance: str
) -> None:
    own_id = trial.own_id(config)
    for event in result.events:
        if event["type"] == "AgentError" and event["agentId"] == own_id:
            raise BrokenRule(
                f"it failed in turn {event['turn']} {circumstance}: {short_repr(event['message'])}"
            )
