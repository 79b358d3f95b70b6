"""The rules of scenarios and of agents. Each is one promise of the contract, checked by playing
matches. The most basic come first, since a broken one makes failures of later ones hard to read."""

import math
import random
from collections.abc import Callable
from functools import partial, wraps
from inspect import iscoroutine
from itertools import product
from typing import Any, Final

from thorp.arena.contract import Adjudication, Agent, MatchConfig, MatchResult, Scenario, State
from thorp.arena.sealed import SECRET_BYTES
from thorp.arena.testing import trial as trials
from thorp.arena.testing.trial import AgentTrial, BrokenRule, Call, ScenarioTrial, short_repr
from thorp.kernel.canonical import Json, canonical_text, is_plain
from thorp.kernel.errors import ThorpError

_FEW: Final = 5  # Matches for a rule that plays each of them many times over.
_SEATS: Final = "(fewest, most), most None where there is no bound, or absent"
_WRITTEN: Final = {
    "observe": "observation",
    "adjudicate": "feedback",
    "summarize": "summary",
    "score": "scores object",
}


def _around_calls(check: Callable[[Any, Call], Any], *, odd: bool = False) -> Callable[[Any], None]:
    """Makes a rule of a function that is put around every call of the subject, and raises
    BrokenRule if it sees one broken. With `odd`, players send odd actions too."""

    @wraps(check)
    def rule(trial: Any) -> None:
        players = (partial(_odd_players, trial, trial.odd_actions()),) if odd else ()
        trial.play_intercepted(partial(check, trial), *players)

    return rule


def _odd_players(trial: ScenarioTrial, odd: list[Json]) -> list[Agent]:
    return [trials.sometimes_odd(agent, odd) for agent in trial.players()]


# Rules for both


@_around_calls
def leaves_global_random_alone(trial: Any, call: Call) -> Any:
    """Nothing is drawn from Python's own generator, which is shared and seeded by nobody."""
    before = random.getstate()
    try:
        return call()
    finally:
        if random.getstate() != before:
            raise BrokenRule(
                f"{call.member} drew from the random module; draw from {trial.draw_from}"
            )


def _plays_again_alike(trial: Any) -> None:
    for config in trial.configs():
        trials.require_same_log(
            trial.play(config), trial.play(config), "when the match was played again"
        )


def _missing(subject: object, members: tuple[str, ...]) -> str:
    return ", ".join(member for member in members if not callable(getattr(subject, member, None)))


# Scenarios


def has_all_members(trial: ScenarioTrial) -> None:
    """It has a name, the six methods, and optional members of the right kind."""
    scenario = trial.make()
    get = partial(getattr, scenario)
    missing = _missing(
        scenario, ("init", "observe", "adjudicate", "is_terminal", "score", "summarize")
    )
    unsealed = get("sealed", False) and not callable(get("init_sealed", None))
    odd_log = get("observation_log", "full") not in ("full", "digest")
    complaints = {
        "a scenario needs a name, which is a string": not isinstance(get("name", None), str),
        f"a scenario needs the methods {missing}": missing,
        "end_turn must be a method, or absent": not callable(get("end_turn", len)),
        "to_act must be a method, or absent": not callable(get("to_act", len)),
        "is_plain must be a method, or absent": not callable(get("is_plain", len)),
        "parameters_from must be a method, or absent": not callable(get("parameters_from", len)),
        'observation_log must be "full" or "digest", or absent': odd_log,
        "a sealed scenario needs the method init_sealed": unsealed,
        f"seats must be {_SEATS}": not _is_seat_range(get("seats", (1, None))),
    }
    for complaint, is_justified in complaints.items():
        if is_justified:
            raise BrokenRule(complaint)


def _is_seat_range(seats: object) -> bool:
    if not isinstance(seats, tuple) or len(seats) != 2:
        return False
    fewest, most = seats
    return (
        type(fewest) is int
        and fewest >= 0
        and (most is None or (type(most) is int and most >= fewest))
    )


def plays_without_failing(trial: ScenarioTrial) -> None:
    """No match with well-behaved players ends with reason `error`."""
    for config in trial.configs():
        _require_no_failure(trial, config, trial.players(), "with its players")


def same_seed_same_bytes(trial: ScenarioTrial) -> None:
    """Two matches with the same seed have the same log."""
    _plays_again_alike(trial)


def matches_share_nothing(trial: ScenarioTrial) -> None:
    """One object can play many matches, one inside the other: all state is in the state."""
    for config in trial.configs(_FEW):
        alone = trial.play(config)
        scenario = trial.make()
        first, *rest = trial.players()
        other = MatchConfig(seed=config.seed + 1_000, max_turns=config.max_turns)
        interrupted = _interrupted(first, partial(trial.play, other, scenario))
        mixed = trial.play(config, scenario, [interrupted, *rest])
        trials.require_same_log(
            alone, mixed, "when the same object played another match in between"
        )
        trials.require_same_log(
            alone, trial.play(config, scenario), "when the same object played it again"
        )


def _interrupted(agent: Agent, play: Callable[[], object]) -> Agent:
    """The agent, with another match played before its first two moves."""
    return trials.before_act(agent, lambda ctx: play() if ctx.turn <= 2 else None)


@_around_calls
def everything_is_json(_trial: ScenarioTrial, call: Call) -> Any:
    """Observations, feedback, summaries and scores are JSON values, every number in them finite;
    they are plain where the scenario promises it."""
    result = call()
    member = call.member
    if member in _WRITTEN:
        value = getattr(result, "feedback", None) if member == "adjudicate" else result
        try:
            canonical_text(value)
        except ThorpError as refusal:
            raise BrokenRule(f"the {_WRITTEN[member]} is not a JSON value: {refusal}") from None
        promises = getattr(call.subject, "is_plain", lambda _state: False)
        state = result.state if member == "adjudicate" else call.arguments[0]
        if member != "score" and promises(state) and not is_plain(value):
            raise BrokenRule(f"the {_WRITTEN[member]} is not plain, which is_plain promised")
    return result


def any_action_is_judged(trial: ScenarioTrial) -> None:
    """Whatever JSON value an agent sends is judged, at the start of a match and in the middle of
    it."""
    for agent_id, action in product(trial.ids(), trial.odd_actions()):
        scenario = trial.make()
        _require_judged(scenario, scenario.init(trial.seed, trial.ids()), agent_id, action)
    _judges_later(trial)


@partial(_around_calls, odd=True)
def _judges_later(_trial: ScenarioTrial, call: Call) -> Any:
    return _require_judged(call.subject, *call.arguments) if call.member == "adjudicate" else call()


def _require_judged(scenario: Scenario, state: State, agent_id: str, action: Json) -> Adjudication:
    try:
        verdict = scenario.adjudicate(state, agent_id, action)
    except Exception as failure:
        raise BrokenRule(
            f"adjudicate raised {failure!r} for the action {short_repr(action)}"
        ) from failure
    if type(getattr(verdict, "valid", None)) is not bool:
        wanted = "an Adjudication with valid True or False"
        raise BrokenRule(f"adjudicate answered {short_repr(verdict)}, not {wanted}")
    return verdict


@partial(_around_calls, odd=True)
def invalid_actions_gain_nothing(_trial: ScenarioTrial, call: Call) -> Any:
    """An action judged invalid does not raise its sender's score."""
    if call.member != "adjudicate":
        return call()
    state, agent_id, action = call.arguments
    before = call.subject.score(state)[agent_id]
    verdict = call()
    after = call.subject.score(verdict.state)[agent_id]
    if not verdict.valid and after > before:
        raise BrokenRule(
            f"the invalid action {short_repr(action)} raised a score from {before} to {after}"
        )
    return verdict


def observing_changes_nothing(trial: ScenarioTrial) -> None:
    """Observing more often, for any seat, leaves the log as it was."""
    _require_no_effect(trial, [("observe", agent_id) for agent_id in trial.ids()])


def asking_changes_nothing(trial: ScenarioTrial) -> None:
    """is_terminal, score, summarize and to_act can be called at any time, any number of times."""
    questions: list[tuple[str, ...]] = [("is_terminal",), ("score",), ("summarize",)]
    if hasattr(trial.make(), "to_act"):
        questions.append(("to_act",))
    _require_no_effect(trial, questions)


def _require_no_effect(trial: ScenarioTrial, questions: list[tuple[str, ...]]) -> None:
    def intercept(call: Call) -> Any:
        state = call.arguments[0]
        asks = call.member in ("observe", "adjudicate", "end_turn")
        if asks and not call.subject.is_terminal(state):
            for question, *about in questions:
                getattr(call.subject, question)(state, *about)
        return call()

    asked = ", ".join(dict.fromkeys(question[0] for question in questions))
    for config in trial.configs():
        curious = trial.play(config, trials.intercepted(trial.make(), intercept))
        trials.require_same_log(
            trial.play(config), curious, f"when there were more calls of {asked}"
        )


@_around_calls
def every_seat_has_a_score(trial: ScenarioTrial, call: Call) -> Any:
    """score gives one finite number for every id and for nothing else, in every state."""
    result = call()
    if call.member in ("init", "adjudicate", "end_turn"):
        ids = trial.ids()
        state = result.state if call.member == "adjudicate" else result
        scores = call.subject.score(state)
        if sorted(scores) != sorted(ids):
            raise BrokenRule(
                f"scores are for {short_repr(sorted(scores))}, the seats are {sorted(ids)}"
            )
        for agent_id, score in scores.items():
            if type(score) not in (int, float) or not math.isfinite(score):
                raise BrokenRule(
                    f"the score of {agent_id!r} is {short_repr(score)}, not a finite number"
                )
    return result


@partial(_around_calls, odd=True)
def somebody_is_to_act(trial: ScenarioTrial, call: Call) -> Any:
    """to_act, where there is one, lists ids of seats, and at least one of them at the beginning of
    a turn: a turn in which nobody is asked cannot bring the match forward."""
    result = call()
    if not hasattr(call.subject, "to_act") or call.member not in ("init", "end_turn", "to_act"):
        return result
    state = call.arguments[0] if call.member == "to_act" else result
    named = result if call.member == "to_act" else call.subject.to_act(state)
    if not isinstance(named, (tuple, list, set, frozenset)):
        raise BrokenRule(f"to_act answered {short_repr(named)}, not a tuple of ids")
    if strangers := [each for each in named if each not in trial.ids()]:
        raise BrokenRule(f"to_act named {short_repr(strangers)}, the seats are {trial.ids()}")
    if call.member != "to_act" and not named and not call.subject.is_terminal(state):
        raise BrokenRule("to_act named nobody at the beginning of a turn, and the match goes on")
    return result


def failing_seats_stop_nothing(trial: ScenarioTrial) -> None:
    """Seats that fail, in init or in act, one or all, leave the scenario sound."""
    for config in trial.configs(_FEW):
        for seated, failing in trials.failing_tables(trial.players):
            _require_no_failure(trial, config, seated, f"when {failing}")


def _require_no_failure(
    trial: ScenarioTrial, config: MatchConfig, seated: list[Agent], when: str
) -> None:
    result = trial.play(config, agents=seated)
    if result.reason == "error":
        raise BrokenRule(f"the scenario failed {when} (seed {config.seed}): {result.error}")


@_around_calls
def terminal_stays_terminal(_trial: ScenarioTrial, call: Call) -> Any:
    """is_terminal answers with a bool, and end_turn does not start a finished match again."""
    over = call.member == "end_turn" and call.subject.is_terminal(call.arguments[0])
    result = call()
    if call.member == "is_terminal" and type(result) is not bool:
        raise BrokenRule(f"is_terminal answered {short_repr(result)}, not True or False")
    if over and not call.subject.is_terminal(result):
        raise BrokenRule("end_turn made a finished match go on")
    return result


def ends_in_time(trial: ScenarioTrial) -> None:
    """With `ends_within=N`, every match is over after N turns, whatever the seats do."""
    if trial.ends_within is None:
        return
    odd = trial.odd_actions()
    for config in trial.configs(_FEW):
        tables: list[tuple[list[Agent], str]] = [
            (trial.players(), "the players play"),
            (_odd_players(trial, odd), "actions are odd"),
            (
                [trials.RandomPicker(agent_id, odd) for agent_id in trial.ids()],
                "all actions are odd",
            ),
            *trials.failing_tables(trial.players),
        ]
        for seated, circumstance in tables:
            if trial.play(config, agents=seated).reason == "maxTurnsReached":
                raise BrokenRule(
                    f"the match is not over after {trial.ends_within} turns when {circumstance}"
                )


def hidden_choices_stay_hidden(trial: ScenarioTrial) -> None:
    """With `hidden_choices`, nobody's observation shows what another seat has chosen in the same
    turn."""
    if not trial.hidden_choices:
        return
    choices = [*trial.sample_actions(), *trial.odd_actions()]
    some_choices = choices[:: max(1, len(choices) // _FEW)]
    for config in trial.configs(2):
        played = trial.play(config)
        turns = range(1, min(played.turns, _FEW) + 1)
        for turn, seat, choice in product(turns, range(len(trial.ids())), some_choices):
            seated = trial.players()
            own_id = seated[seat].id
            seated[seat] = trials.with_choice(seated[seat], turn, choice)
            expected = _observations(played, turn, own_id)
            seen = _observations(trial.play(config, agents=seated), turn, own_id)
            if seen != expected:
                raise BrokenRule(
                    f"in turn {turn} the others see what {own_id!r} chose; when that is "
                    f"{short_repr(choice)}\n  {short_repr(expected)}\nbecomes\n  {short_repr(seen)}"
                )


def _observations(match: MatchResult, turn: int, besides: str) -> list[Json]:
    """What every seat but one saw in a turn."""
    return [
        (event["agentId"], event["observation"])
        for event in match.events
        if event["type"] == "ObservationEmitted"
        and event["turn"] == turn
        and event["agentId"] != besides
    ]


def secrets_decide_what_is_hidden(trial: ScenarioTrial) -> None:
    """A sealed scenario plays the same with the same secret, and deals differently with another
    one."""
    if not getattr(trial.make(), "sealed", False):
        return
    moved = False
    for config in trial.configs(_FEW):
        first, again, other = (
            trial.play(
                MatchConfig(
                    seed=config.seed,
                    max_turns=config.max_turns,
                    secret=bytes([byte]) * SECRET_BYTES,
                )
            )
            for byte in (1, 1, 2)
        )
        trials.require_same_log(
            first, again, "when the match was played again with the same secret"
        )
        moved = moved or _dealt(first) != _dealt(other)
    if not moved:
        advice = "draw what is hidden from `draws`, not from the seed"
        raise BrokenRule(f"another secret changes nothing: {advice}")


def _dealt(match: MatchResult) -> list[Json]:
    """The events of a match without those that show its secret."""
    return [
        event for event in match.events if event["type"] not in ("MatchSealed", "MatchRevealed")
    ]


def seats_are_counted(trial: ScenarioTrial) -> None:
    """init takes the fewest and the most seats that `seats` allows, and refuses one less and one
    more."""
    fewest, most = getattr(trial.make(), "seats", (1, None))
    allowed = {fewest: True, fewest + 1 if most is None else most: True}
    refused = {fewest - 1: False} if fewest > 1 else {}
    refused |= {} if most is None else {most + 1: False}
    for count, is_allowed in (allowed | refused).items():
        try:
            trial.make().init(trial.seed, trials.seat_ids(count))
        except Exception as failure:
            if is_allowed:
                raise BrokenRule(
                    f"init refused {count} seats, which seats allows: {failure!r}"
                ) from failure
        else:
            if not is_allowed:
                raise BrokenRule(f"init took {count} seats, which seats does not allow")


SCENARIO_RULES: Final[tuple[Callable[[ScenarioTrial], None], ...]] = (
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
    somebody_is_to_act,
    failing_seats_stop_nothing,
    terminal_stays_terminal,
    ends_in_time,
    hidden_choices_stay_hidden,
    secrets_decide_what_is_hidden,
    seats_are_counted,
    leaves_global_random_alone,
)
"""All rules of a scenario, in the order in which they are checked."""


# Agents


def _has_all_members(trial: AgentTrial) -> None:
    """It has the id it was built with, and can be initialised and asked to act."""
    agent = trial.make("ann")
    if getattr(agent, "id", None) != "ann":
        raise BrokenRule(
            f"built with the id 'ann' it has the id {short_repr(getattr(agent, 'id', None))}"
        )
    if missing := _missing(agent, ("init", "act")):
        raise BrokenRule(f"an agent needs the methods {missing}")


_has_all_members.__name__ = has_all_members.__name__  # reports call both rules the same


def acts_without_failing(trial: AgentTrial) -> None:
    """It raises nothing, from the first turn of a match to the last."""
    for config in trial.configs():
        _require_acting(trial, config, trial.play(config), "in an ordinary match")


def _require_acting(trial: AgentTrial, config: MatchConfig, match: MatchResult, when: str) -> None:
    for event in match.events:
        if event["type"] == "AgentError" and event["agentId"] == trial.own_id(config):
            raise BrokenRule(
                f"it failed in turn {event['turn']} {when}: {short_repr(event['message'])}"
            )


@_around_calls
def actions_are_json(_trial: AgentTrial, call: Call) -> Any:
    """Its actions are JSON values, every number in them finite, and no coroutines."""
    result = call()
    if call.member == "act":
        try:
            canonical_text(result)
        except ThorpError as refusal:
            if iscoroutine(result):
                result.close()
            raise BrokenRule(
                f"the action {short_repr(result)} is not a JSON value: {refusal}"
            ) from None
    return result


def actions_are_valid(trial: AgentTrial) -> None:
    """Its scenario judges all its actions valid. Turned off by `always_valid=False`."""
    for config in trial.configs() if trial.always_valid else ():
        own_id = trial.own_id(config)
        action = None
        for event in trial.play(config).events:
            if event.get("agentId") == own_id and event["type"] == "ActionSubmitted":
                action = event["action"]
            if event.get("agentId") == own_id and event.get("valid") is False:
                refused = f"in turn {event['turn']} {short_repr(action)} was refused"
                raise BrokenRule(f"{refused}: {event['feedback']}")


def same_seed_same_actions(trial: AgentTrial) -> None:
    """Two instances given the same seed play the same match."""
    _plays_again_alike(trial)


def init_starts_afresh(trial: AgentTrial) -> None:
    """One instance plays its second match as if it were the first."""
    for config in trial.configs():
        agent = trial.own(config)
        trial.play(trial.other(config), agent)
        again = trial.play(config, agent)
        trials.require_same_log(
            trial.play(config), again, "when the agent had played another match before"
        )


def instances_share_nothing(trial: AgentTrial) -> None:
    """What one instance does has no effect on another."""
    for config in trial.configs():
        agent = _interrupted(trial.own(config), partial(trial.play, trial.other(config)))
        mixed = trial.play(config, agent)
        trials.require_same_log(
            trial.play(config), mixed, "when another instance played in between"
        )


def survives_setbacks(trial: AgentTrial) -> None:
    """It goes on after a turn in which its action was replaced by an odd one, and when the others
    fail."""
    for config in trial.configs():
        odd = trial.play(config, trials.sometimes_odd(trial.own(config), trials.ODD_VALUES))
        _require_acting(trial, config, odd, "after an odd action of its own")
        failing = trial.play(
            config, others=lambda other: trials.before_act(other, trials.fail_sometimes)
        )
        _require_acting(trial, config, failing, "when others failed")


AGENT_RULES: Final[tuple[Callable[[AgentTrial], None], ...]] = (
    _has_all_members,
    acts_without_failing,
    actions_are_json,
    actions_are_valid,
    same_seed_same_actions,
    init_starts_afresh,
    instances_share_nothing,
    survives_setbacks,
    leaves_global_random_alone,
)
"""All rules of an agent, in the order in which they are checked."""
