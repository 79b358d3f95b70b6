"""A sound scenario and a sound agent, and for every rule somebody who breaks it."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

from thorp.arena import Adjudication, AgentConfig, AgentContext
from thorp.kernel.rng import Mulberry32

COUNTER = itertools.count()
NAMES = ("spade", "bucket", "rake", "hoe", "trowel", "barrow")


class RaceState:
    def __init__(self, ids: list[str], bonus: int) -> None:
        self.steps = dict.fromkeys(ids, 0)
        self.chosen: dict[str, int] = {}
        self.bonus = bonus
        self.turn = 0
        self.over = False


class Race:
    """Sound: six turns, in each of which all seats choose one to three steps at the same time."""

    name = "race"
    seats: Any = (2, 3)

    def init(self, seed: int, agent_ids: Any) -> Any:
        if not 2 <= len(agent_ids) <= 3:
            raise ValueError("a race is for two or three")
        return RaceState(list(agent_ids), int(Mulberry32(seed).integer(1, 3)))

    def observe(self, state: Any, agent_id: str) -> Any:
        return {
            "you": agent_id,
            "turn": state.turn,
            "steps": dict(state.steps),
            "bonus": state.bonus,
        }

    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        steps = action.get("steps") if isinstance(action, dict) else None
        if type(steps) is not int or not 1 <= steps <= 3:
            return Adjudication(False, {"error": "one to three steps"}, state)
        state.chosen[agent_id] = steps
        return Adjudication(True, {"steps": steps}, state)

    def end_turn(self, state: Any) -> Any:
        for agent_id in state.steps:
            state.steps[agent_id] += state.chosen.get(agent_id, 0)
        state.chosen = {}
        state.turn += 1
        return state

    def is_terminal(self, state: Any) -> Any:
        return state.turn >= 6

    def score(self, state: Any) -> Any:
        return {agent_id: steps * state.bonus for agent_id, steps in state.steps.items()}

    def summarize(self, state: Any) -> Any:
        return {"turn": state.turn, "steps": dict(state.steps)}


class Walker:
    """Sound: draws its steps."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.turns = 0

    def init(self, config: AgentConfig) -> None:
        self.turns = 0

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        self.turns += 1
        return {"steps": 1 + int(ctx.rng() * 3)}


class Nameless(Race):
    name = None  # type: ignore[assignment]


class Scoreless(Race):
    score = None  # type: ignore[assignment]


class EndTurnNumber(Race):
    end_turn = 5  # type: ignore[assignment]


class SeatsList(Race):
    seats = [2, 3]  # noqa: RUF012


class SeatsReversed(Race):
    seats = (3, 2)


class OddLog(Race):
    observation_log = "none"


class PlainFlag(Race):
    is_plain = True


class FractionsAsPlain(Race):
    def is_plain(self, state: Any) -> bool:
        return True

    def summarize(self, state: Any) -> Any:
        return {"turn": state.turn, "done": state.turn / 6}


class NumbersAsKeys(FractionsAsPlain):
    def summarize(self, state: Any) -> Any:
        return {"turn": state.turn, "2": 0, "1": 0}


class SealedWithoutInit(Race):
    sealed = True


class DealsFromTheSeed(Race):
    sealed = True

    def init_sealed(self, seed: int, agent_ids: Any, draws: Any) -> Any:
        return self.init(seed, agent_ids)


class ForgetsTheSecret(DealsFromTheSeed):
    def init_sealed(self, seed: int, agent_ids: Any, draws: Any) -> Any:
        return self.init(next(COUNTER), agent_ids)


class FailingSummary(Race):
    def summarize(self, state: Any) -> Any:
        return 1 // (3 - state.turn)


class Moody(Race):
    def init(self, seed: int, agent_ids: Any) -> Any:
        return super().init(seed + next(COUNTER), agent_ids)


class KeepsStateOnItself(Race):
    def init(self, seed: int, agent_ids: Any) -> Any:
        self.bonus = int(Mulberry32(seed).integer(1, 1000))
        return super().init(seed, agent_ids)

    def summarize(self, state: Any) -> Any:
        return {"bonus": self.bonus}


class CountsItsMatches(Race):
    matches = 0

    def init(self, seed: int, agent_ids: Any) -> Any:
        self.matches += 1
        return super().init(seed, agent_ids)

    def summarize(self, state: Any) -> Any:
        return {"matches": self.matches}


class ObservesSet(Race):
    def observe(self, state: Any, agent_id: str) -> Any:
        return {"seats": set(state.steps)}


class ObservesInfinity(Race):
    def observe(self, state: Any, agent_id: str) -> Any:
        return {"left": math.inf}


class FeedbackBytes(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        return Adjudication(False, b"no", state)


class SummaryNumberKeys(Race):
    def summarize(self, state: Any) -> Any:
        return {state.turn: 1}


class ScoreNan(Race):
    def score(self, state: Any) -> Any:
        return dict.fromkeys(state.steps, math.nan)


class TrustsActions(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        return super().adjudicate(state, agent_id, {"steps": action["steps"]})


class TrustsActionsLater(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        if state.turn > 1 and action["steps"] == 0:
            raise ValueError
        return super().adjudicate(state, agent_id, action)


class NoVerdict(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        return None


class NumberVerdict(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        return Adjudication(1, None, state)  # type: ignore[arg-type]


class PaysForNonsense(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        verdict = super().adjudicate(state, agent_id, action)
        if not verdict.valid:
            state.steps[agent_id] += 1
        return verdict


class CountsLooks(Race):
    def observe(self, state: Any, agent_id: str) -> Any:
        state.bonus += 1
        return super().observe(state, agent_id)


class CountsSummaries(Race):
    def summarize(self, state: Any) -> Any:
        state.bonus += 1
        return super().summarize(state)


class CountsScores(Race):
    def score(self, state: Any) -> Any:
        state.bonus += 1
        return super().score(state)


class CountsTerminals(Race):
    def is_terminal(self, state: Any) -> Any:
        state.bonus += 1
        return super().is_terminal(state)


class Relay(Race):
    """Sound: only one seat runs in each turn, the first in the first turn, the second in the second."""

    def to_act(self, state: Any) -> Any:
        ids = list(state.steps)
        return (ids[state.turn % len(ids)],)


class ToActTuple(Race):
    to_act = ("ann",)


class CountsToAct(Relay):
    def to_act(self, state: Any) -> Any:
        state.bonus += 1
        return super().to_act(state)


class AsksAText(Relay):
    def to_act(self, state: Any) -> Any:
        return " ".join(state.steps)


class AsksAStranger(Relay):
    def to_act(self, state: Any) -> Any:
        return (*super().to_act(state), "nobody")


class AsksNobody(Relay):
    def to_act(self, state: Any) -> Any:
        return () if state.turn == 3 else super().to_act(state)


class ForgetsASeat(Race):
    def score(self, state: Any) -> Any:
        return dict(list(super().score(state).items())[1:])


class ScoresAStranger(Race):
    def score(self, state: Any) -> Any:
        return {**super().score(state), "nobody": 0}


class ScoresTruth(Race):
    def score(self, state: Any) -> Any:
        return dict.fromkeys(state.steps, True)


class ScoresNothingMidway(Race):
    def score(self, state: Any) -> Any:
        return super().score(state) if state.turn != 3 else dict.fromkeys(state.steps)


class NeedsEverybody(Race):
    def end_turn(self, state: Any) -> Any:
        for agent_id in state.steps:
            state.steps[agent_id] += state.chosen[agent_id]
        return super().end_turn(state)


class StartsAgain(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        verdict = super().adjudicate(state, agent_id, action)
        state.over = state.turn == 3
        return verdict

    def end_turn(self, state: Any) -> Any:
        state.over = False
        return super().end_turn(state)

    def is_terminal(self, state: Any) -> Any:
        return state.over or super().is_terminal(state)


class TerminalNumber(Race):
    def is_terminal(self, state: Any) -> Any:
        return 1 if state.turn >= 6 else 0


class WaitsForAll(Race):
    def end_turn(self, state: Any) -> Any:
        return super().end_turn(state) if len(state.chosen) == len(state.steps) else state


class ShowsChoices(Race):
    def observe(self, state: Any, agent_id: str) -> Any:
        return {**super().observe(state, agent_id), "chosen": list(state.chosen.values())}


class EndsOnAChoice(Race):
    def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
        verdict = super().adjudicate(state, agent_id, action)
        state.over = not verdict.valid
        return verdict

    def is_terminal(self, state: Any) -> Any:
        return state.over or super().is_terminal(state)


class TakesAnyNumber(Race):
    def init(self, seed: int, agent_ids: Any) -> Any:
        return RaceState(list(agent_ids), 1)


class RefusesThree(Race):
    def init(self, seed: int, agent_ids: Any) -> Any:
        if len(agent_ids) == 3:
            raise ValueError("no")
        return super().init(seed, agent_ids)


class DrawsGlobally(Race):
    def init(self, seed: int, agent_ids: Any) -> Any:
        random.random()
        return super().init(seed, agent_ids)


class SetOrder(Race):
    def summarize(self, state: Any) -> Any:
        return {"things": list(set(NAMES))}


class OtherId(Walker):
    def __init__(self, id: str) -> None:
        super().__init__(id.upper())


class Actless(Walker):
    act = None  # type: ignore[assignment]


class Stumbles(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        if ctx.turn == 3:
            raise RuntimeError("stumbled")
        return super().act(observation, ctx)


class ActsSet(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {1, 2}


class ActsNan(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {"steps": math.nan}


class ActsLater(Walker):
    async def act(self, observation: Any, ctx: AgentContext) -> Any:  # type: ignore[override]
        return {"steps": 1}


class Strides(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {"steps": 4 if ctx.turn == 5 else 1}


class MoodyWalker(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {"steps": 1 + next(COUNTER) % 5 % 3}


class NeverForgets(Walker):
    def init(self, config: AgentConfig) -> None:
        """Keeps its turns."""

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        self.turns += 1
        return {"steps": 3 if self.turns > 6 else 1}


class OneMind(Walker):
    thoughts = 0

    def init(self, config: AgentConfig) -> None:
        OneMind.thoughts = 0

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        OneMind.thoughts += 1
        return {"steps": 1 + OneMind.thoughts % 3}


class TrustsItself(Walker):
    def init(self, config: AgentConfig) -> None:
        self.walked = 0

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        if observation["steps"][self.id] != self.walked:
            raise RuntimeError("that is not where I stood")
        self.walked += 2
        return {"steps": 2}


class TrustsOthers(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        if min(observation["steps"].values()) < observation["turn"]:
            raise RuntimeError("somebody is asleep")
        return {"steps": 2}


class DrawsGloballyToo(Walker):
    def act(self, observation: Any, ctx: AgentContext) -> Any:
        random.random()
        return {"steps": 1}
