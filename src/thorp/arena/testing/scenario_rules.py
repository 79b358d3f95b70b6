"""The rules of a scenario. Each is one promise of the contract, checked by playing matches."""

import math
import random
from collections.abc import Callable
from itertools import product
from typing import Any, Final

from thorp.arena.contract import Adjudication, Agent, AgentContext, MatchConfig, Scenario, State
from thorp.arena.sealed import SECRET_BYTES
from thorp.arena.testing.players import (
    RandomPicker,
    before_act,
    call_through,
    failing_tables,
    intercepted,
    sometimes_odd,
    with_choice,
)
from thorp.arena.testing.trial import BrokenRule, ScenarioTrial, require_same_log, seat_ids, short_repr
from thorp.kernel.canonical import Json, canonical_text, is_plain
from thorp.kernel.errors import ThorpError

_MEMBERS: Final = ("init", "observe", "adjudicate", "is_terminal", "score", "summarize")
_FEW: Final = 5
"""Matches for a rule that plays each of them many times over."""


def has_all_members(trial: ScenarioTrial) -> None:
    """It has a name, the six methods, and optional members of the right kind."""
    scenario = trial.make()
    if not isinstance(getattr(scenario, "name", None), str):
        raise BrokenRule("a scenario needs a name, which is a string")
    missing = [member for member in _MEMBERS if not callable(getattr(scenario, member, None))]
    if missing:
        raise BrokenRule(f"a scenario needs the methods {', '.join(missing)}")
    if not callable(getattr(scenario, "end_turn", len)):
        raise BrokenRule("end_turn must be a method, or absent")
    if not callable(getattr(scenario, "is_plain", len)):
        raise BrokenRule("is_plain must be a method, or absent")
    if getattr(scenario, "observation_log", "full") not in ("full", "digest"):
        raise BrokenRule('observation_log must be "full" or "digest", or absent')
    if getattr(scenario, "sealed", False) and not callable(getattr(scenario, "init_sealed", None)):
        raise BrokenRule("a sealed scenario needs the method init_sealed")
    if not _is_seat_range(getattr(scenario, "seats", (1, None))):
        raise BrokenRule("seats must be (fewest, most), most None where there is no bound, or absent")


def plays_without_failing(trial: ScenarioTrial) -> None:
    """No match with well-behaved players ends with reason `error`."""
    for config in trial.configs():
        _require_no_failure(trial, config, trial.players(), "with its players")


def same_seed_same_bytes(trial: ScenarioTrial) -> None:
    """Two matches with the same seed have the same log."""
    for config in trial.configs():
        require_same_log(
            trial.play(config).jsonl, trial.play(config).jsonl, "when the match was played again"
        )


def matches_share_nothing(trial: ScenarioTrial) -> None:
    """One object can play many matches, one inside the other: all state is in the state."""
    for config in trial.configs(_FEW):
        alone = trial.play(config).jsonl
        scenario = trial.make()
        other = MatchConfig(config.seed + 1_000, config.max_turns)
        first, *rest = trial.players()

        def interrupt(ctx: AgentContext, scenario: Scenario = scenario, other: MatchConfig = other) -> None:
            if ctx.turn <= 2:
                trial.play(other, scenario)

        mixed = trial.play(config, scenario, [before_act(first, interrupt), *rest]).jsonl
        require_same_log(alone, mixed, "when the same object played another match in between")
        require_same_log(alone, trial.play(config, scenario).jsonl, "when the same object played it again")


def everything_is_json(trial: ScenarioTrial) -> None:
    """Observations, feedback, summaries and scores are JSON values, every number in them finite; they are
    plain where the scenario promises it."""

    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        result = call_through(scenario, member, arguments)
        value = getattr(result, "feedback", None) if member == "adjudicate" else result
        if member in _WRITTEN:
            try:
                canonical_text(value)
            except ThorpError as refusal:
                raise BrokenRule(f"the {_WRITTEN[member]} is no JSON value: {refusal}") from None
            promises = getattr(scenario, "is_plain", lambda _state: False)
            state = result.state if member == "adjudicate" else arguments[0]
            if member != "score" and promises(state) and not is_plain(value):
                raise BrokenRule(f"the {_WRITTEN[member]} is not plain, which is_plain promised")
        return result

    trial.play_intercepted(intercept)


_WRITTEN: Final = {
    "observe": "observation",
    "adjudicate": "feedback",
    "summarize": "summary",
    "score": "scores object",
}


def any_action_is_judged(trial: ScenarioTrial) -> None:
    """Whatever JSON value an agent sends is judged, at the start of a match and in the middle of it."""
    odd = trial.odd_actions()
    for agent_id in trial.ids():
        for action in odd:
            scenario = trial.make()
            _require_judged(scenario, scenario.init(trial.seed, trial.ids()), agent_id, action)

    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        if member == "adjudicate":
            return _require_judged(scenario, *arguments)
        return call_through(scenario, member, arguments)

    trial.play_intercepted(intercept, lambda: [sometimes_odd(agent, odd) for agent in trial.players()])


def invalid_actions_gain_nothing(trial: ScenarioTrial) -> None:
    """An action judged invalid does not raise its sender's score."""
    odd = trial.odd_actions()

    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        if member != "adjudicate":
            return call_through(scenario, member, arguments)
        state, agent_id, action = arguments
        before = scenario.score(state)[agent_id]
        verdict = call_through(scenario, member, arguments)
        after = scenario.score(verdict.state)[agent_id]
        if not verdict.valid and after > before:
            raise BrokenRule(
                f"the invalid action {short_repr(action)} raised a score from {before} to {after}"
            )
        return verdict

    trial.play_intercepted(intercept, lambda: [sometimes_odd(agent, odd) for agent in trial.players()])


def observing_changes_nothing(trial: ScenarioTrial) -> None:
    """Observing more often, for any seat, leaves the log as it was."""

    def ask(scenario: Scenario, state: State) -> None:
        for agent_id in trial.ids():
            scenario.observe(state, agent_id)

    _require_no_effect(trial, ask, "when observe was called more often")


def asking_changes_nothing(trial: ScenarioTrial) -> None:
    """is_terminal, score and summarize can be called at any time, any number of times."""

    def ask(scenario: Scenario, state: State) -> None:
        scenario.is_terminal(state)
        scenario.score(state)
        scenario.summarize(state)

    _require_no_effect(trial, ask, "when is_terminal, score and summarize were called more often")


def every_seat_has_a_score(trial: ScenarioTrial) -> None:
    """score gives one finite number for every id and for nothing else, in every state."""
    ids = trial.ids()

    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        result = call_through(scenario, member, arguments)
        if member in ("init", "adjudicate", "end_turn"):
            scores = scenario.score(result.state if member == "adjudicate" else result)
            if sorted(scores) != sorted(ids):
                raise BrokenRule(f"scores are for {short_repr(sorted(scores))}, the seats are {sorted(ids)}")
            for agent_id, score in scores.items():
                if type(score) not in (int, float) or not math.isfinite(score):
                    raise BrokenRule(f"the score of {agent_id!r} is {short_repr(score)}, not a finite number")
        return result

    trial.play_intercepted(intercept)


def failing_seats_stop_nothing(trial: ScenarioTrial) -> None:
    """Seats that fail, in init or in act, one or all, leave the scenario sound."""
    for config in trial.configs(_FEW):
        for players, failing in failing_tables(trial.players):
            _require_no_failure(trial, config, players, f"when {failing}")


def terminal_stays_terminal(trial: ScenarioTrial) -> None:
    """is_terminal answers with a bool, and end_turn does not start a finished match again."""

    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        over = member == "end_turn" and scenario.is_terminal(arguments[0])
        result = call_through(scenario, member, arguments)
        if member == "is_terminal" and type(result) is not bool:
            raise BrokenRule(f"is_terminal answered {short_repr(result)}, not True or False")
        if over and not scenario.is_terminal(result):
            raise BrokenRule("end_turn made a finished match go on")
        return result

    trial.play_intercepted(intercept)


def ends_in_time(trial: ScenarioTrial) -> None:
    """With `ends_within=N`, every match is over after N turns, whatever the seats do."""
    if trial.ends_within is None:
        return
    odd = trial.odd_actions()
    for config in trial.configs(_FEW):
        tables: list[tuple[list[Agent], str]] = [
            (trial.players(), "the players play"),
            ([sometimes_odd(agent, odd) for agent in trial.players()], "actions are odd"),
            ([RandomPicker(agent_id, odd) for agent_id in trial.ids()], "all actions are odd"),
            *failing_tables(trial.players),
        ]
        for players, circumstance in tables:
            if trial.play(config, agents=players).reason == "maxTurnsReached":
                raise BrokenRule(f"the match is not over after {trial.ends_within} turns when {circumstance}")


def hidden_choices_stay_hidden(trial: ScenarioTrial) -> None:
    """With `hidden_choices`, nobody's observation tells what another seat has chosen in the same turn."""
    if not trial.hidden_choices:
        return
    choices = [*trial.sample_actions(), *trial.odd_actions()]
    some_choices = choices[:: max(1, len(choices) // _FEW)]
    for config in trial.configs(2):
        played = trial.play(config)
        for turn in range(1, min(played.turns, _FEW) + 1):
            for seat, choice in product(range(len(trial.ids())), some_choices):
                players = trial.players()
                own_id = players[seat].id
                players[seat] = with_choice(players[seat], turn, choice)
                expected = _observations(played.events, turn, own_id)
                seen = _observations(trial.play(config, agents=players).events, turn, own_id)
                if seen != expected:
                    raise BrokenRule(
                        f"in turn {turn} the others see what {own_id!r} chose; when that is "
                        f"{short_repr(choice)}\n  {short_repr(expected)}\nbecomes\n  {short_repr(seen)}"
                    )


def seats_are_counted(trial: ScenarioTrial) -> None:
    """init takes the fewest and the most seats that `seats` allows, and refuses one less and one more."""
    fewest, most = getattr(trial.make(), "seats", (1, None))
    for count in (fewest, fewest + 1 if most is None else most):
        try:
            trial.make().init(trial.seed, seat_ids(count))
        except Exception as failure:
            raise BrokenRule(f"init refused {count} seats, which seats allows: {failure!r}") from failure
    refused = [fewest - 1] if fewest > 1 else []
    refused += [] if most is None else [most + 1]
    for count in refused:
        try:
            trial.make().init(trial.seed, seat_ids(count))
        except Exception:
            continue
        raise BrokenRule(f"init took {count} seats, which seats does not allow")


def leaves_global_random_alone(trial: ScenarioTrial) -> None:
    """Nothing is drawn from Python's own generator, which is shared and seeded by nobody."""

    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        before = random.getstate()
        result = call_through(scenario, member, arguments)
        if random.getstate() != before:
            raise BrokenRule(f"{member} drew from the random module; draw from the seed that init gets")
        return result

    trial.play_intercepted(intercept)


def secrets_decide_what_is_hidden(trial: ScenarioTrial) -> None:
    """A sealed scenario plays the same with the same secret, and deals differently with another one."""
    if not getattr(trial.make(), "sealed", False):
        return
    moved = False
    for config in trial.configs(_FEW):
        one, again, other = (
            trial.play(MatchConfig(config.seed, config.max_turns, secret=bytes([byte]) * SECRET_BYTES))
            for byte in (1, 1, 2)
        )
        require_same_log(one.jsonl, again.jsonl, "when the match was played again with the same secret")
        moved = moved or _dealt(one.events) != _dealt(other.events)
    if not moved:
        raise BrokenRule(
            "another secret changes nothing: draw what is hidden from `draws`, not from the seed"
        )


def _dealt(events: list[dict[str, Json]]) -> list[Json]:
    """The events of a match without those that show its secret."""
    return [event for event in events if event["type"] not in ("MatchSealed", "MatchRevealed")]


SCENARIO_RULES: Final = (
    has_all_members,
    plays_without_failing,
    same_seed_same_bytes,
    matches_share_nothing,
    everything_is_json,
    any_action_is_judged,
    invalid_actions_gain_nothing,
    observing_changes_nothing,
    asking_changes_nothing,
    every_seat_has_a_score,
    failing_seats_stop_nothing,
    terminal_stays_terminal,
    ends_in_time,
    hidden_choices_stay_hidden,
    secrets_decide_what_is_hidden,
    seats_are_counted,
    leaves_global_random_alone,
)
"""All rules of a scenario, the most basic first: a broken one makes failures of later ones hard to read."""


def _is_seat_range(seats: object) -> bool:
    if not isinstance(seats, tuple) or len(seats) != 2:
        return False
    fewest, most = seats
    return type(fewest) is int and fewest >= 0 and (most is None or (type(most) is int and most >= fewest))


def _require_no_failure(
    trial: ScenarioTrial, config: MatchConfig, players: list[Agent], circumstance: str
) -> None:
    result = trial.play(config, agents=players)
    if result.reason == "error":
        raise BrokenRule(f"the scenario failed {circumstance} (seed {config.seed}): {result.error}")


def _require_judged(scenario: Scenario, state: State, agent_id: str, action: Json) -> Adjudication:
    try:
        verdict = scenario.adjudicate(state, agent_id, action)
    except Exception as failure:
        raise BrokenRule(f"adjudicate raised {failure!r} for the action {short_repr(action)}") from failure
    if type(getattr(verdict, "valid", None)) is not bool:
        raise BrokenRule(
            f"adjudicate answered {short_repr(verdict)}, not an Adjudication with valid True or False"
        )
    return verdict


def _require_no_effect(
    trial: ScenarioTrial, ask: Callable[[Scenario, State], None], circumstance: str
) -> None:
    def intercept(scenario: Scenario, member: str, arguments: tuple[Any, ...]) -> Any:
        if member in ("observe", "adjudicate", "end_turn") and not scenario.is_terminal(arguments[0]):
            ask(scenario, arguments[0])
        return call_through(scenario, member, arguments)

    for config in trial.configs():
        curious = trial.play(config, intercepted(trial.make(), intercept)).jsonl
        require_same_log(trial.play(config).jsonl, curious, circumstance)


def _observations(events: list[dict[str, Json]], turn: int, besides: str) -> list[Json]:
    """What every seat but one saw in a turn."""
    return [
        (event["agentId"], event["observation"])
        for event in events
        if event["type"] == "ObservationEmitted" and event["turn"] == turn and event["agentId"] != besides
    ]
