"""Tasks about a town: one learner holds all its offices, and has three acts a day.

The town is the embedded one of `thorp.town`: each act becomes a proposal and a handoff, and the
town's own rules judge it. What the town is asked to be is said in predicates; its raw score tells
idling and governing apart too little.
"""

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any, Final, Self

import msgspec
from msgspec import Meta

from thorp.bridges.town_council import DAYS_LIMIT, OFFICES, TownCouncil
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError
from thorp.tasks.goal import Place, share
from thorp.town.embedded.judgement import stored_form
from thorp.town.embedded.new_day import begin_day
from thorp.town.embedded.projection import project_town
from thorp.town.embedded.projects import status_of
from thorp.town.embedded.town import Town, decode
from thorp.town.proposal import ACTIONS

ACTS_A_DAY: Final = 3
END_DAY: Final = "end_day"
WAIT: Final = "wait"
_OFFICE_OF: Final = {action: office for office, action in OFFICES.items()}
SPEAKER: Final = "mayor"


class TownParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a task says about its town."""

    days_before: Annotated[int, Meta(ge=0, le=60)] = 0
    """Days that the town has had nobody to govern it."""


class TownEngine:
    """One run of a task in a town."""

    def __init__(self, params: Mapping[str, Any], seed: int) -> None:
        try:
            settings = msgspec.convert(params, TownParams)
        except msgspec.ValidationError as problem:
            raise InvalidError(str(problem), code="params", path="$.params") from None
        self._council = TownCouncil(DAYS_LIMIT)
        self._state = self._council.init(seed, list(OFFICES))
        self._happened: Counter[str] = Counter()
        for _ in range(settings.days_before):
            self._next_day()
        self._happened.clear()
        self._began = self.town.day
        self._acts_today = 0
        self._ends_day = False
        self._executed: Counter[str] = Counter()
        self._refusals = 0
        self._refusal = ""
        self.anchors: dict[str, Place] = {}
        self.words: dict[str, str] = {}

    @property
    def town(self) -> Town:
        """The town as it is: a copy."""
        return decode(self._state.town.text)

    @property
    def ticks(self) -> int:
        """The days since the task began."""
        return self.town.day - self._began

    # Turns

    def observe(self) -> dict[str, Json]:
        town = self.town
        return {
            "snapshot": project_town(town),
            "stocks": msgspec.to_builtins(town.stocks),
            "acts_left_today": ACTS_A_DAY - self._acts_today,
            "text": self._text(town),
            "possible": self.possible,
        }

    def _text(self, town: Town) -> str:
        meters = ", ".join(
            f"{name} {level}" for name, level in msgspec.to_builtins(town.meters).items()
        )
        stocks = ", ".join(
            f"{name} {level}" for name, level in msgspec.to_builtins(town.stocks).items()
        )
        lines = [
            f"Day {self.ticks + 1}, act {self._acts_today + 1} of {ACTS_A_DAY}.",
            f"Per mille: {meters}. In the stores: {stocks}. {town.population} people.",
        ]
        if self._refusal:
            lines.append(f"Your last action was refused: {self._refusal}")
        if town.mission is not None:
            mission = town.mission
            lines.append(
                f"Mission: {mission.title}, {mission.progress} of 1000, due on day "
                f"{mission.due - self._began + 1}."
            )
        lines += [
            f"Quest {quest.id}: {quest.title} (complexity {quest.complexity}, against "
            f"{quest.need})."
            for quest in town.quests
        ]
        lines += [
            f"Project {project.id}: {project.name}, step {project.step} of {project.steps}, "
            f"{status_of(project, town)}."
            for project in town.projects
        ]
        if town.event is not None:
            lines.append(f"News: {town.event}.")
        lines.append(
            'Actions: {"type": "MAYOR_ACCEPT_MISSION", "args": {"missionId": quest}}, '
            '{"type": "PROJECT_ADVANCE", "args": {"projectId": project}}, {"type": "SALVAGE_PLAN", '
            '"args": {"focus": "scarcity", "dread" or "general"}}, {"type": "TOWNSFOLK_TALK", '
            '"args": {"talkType": "morale-boost" or "casual"}}, {"action": "end_day"}, '
            '{"action": "wait"}.'
        )
        return "\n".join(lines)

    @property
    def possible(self) -> list[Json]:
        town = self.town
        targets = {
            "MAYOR_ACCEPT_MISSION": [quest.id for quest in town.quests if town.mission is None],
            "PROJECT_ADVANCE": [
                project.id
                for project in town.projects
                if status_of(project, town) in ("planning", "active")
            ],
        }
        acts: list[Json] = [{"action": WAIT}, {"action": END_DAY}]
        for name, action in ACTIONS.items():
            for target in targets.get(name, action.targets):
                acts.append({"type": name, "args": {action.argument: target}})
        return acts

    def submit(self, action: Json) -> None:
        if isinstance(action, dict) and "action" in action:
            if action["action"] not in (WAIT, END_DAY):
                raise InvalidError(f"no action is called {action['action']!r:.40}", code="action")
            self._ends_day = action["action"] == END_DAY
            return
        named = action.get("type") if isinstance(action, dict) else None
        office = _OFFICE_OF.get(named, SPEAKER) if isinstance(named, str) else SPEAKER
        answered = self._council.adjudicate(self._state, office, action)
        if not answered.valid:
            self._refusals += 1
            raise InvalidError(_reason(answered.feedback), code="action")
        self._executed[str(named)] += 1

    def advance(self, refusal: str) -> None:
        self._refusal = refusal
        self._acts_today += 1
        if self._ends_day or self._acts_today >= ACTS_A_DAY:
            self._next_day()
            self._acts_today = 0
        self._ends_day = False

    def _next_day(self) -> None:
        town = self.town
        self._happened.update(event.kind for event in begin_day(town, self._state.draws))
        self._state.town = stored_form(town)

    # Goals

    def measure(self, kind: str, argument: Any) -> Fraction:
        match kind, argument:
            case "executed", dict():
                return share(argument, self._executed)
            case "refused", int():
                return Fraction(int(self._refusals >= argument))
            case "happened", dict():
                return share(argument, self._happened)
            case "works", dict():
                return share(argument, self.town.works)
            case "stores", dict():
                return share(argument, msgspec.to_builtins(self.town.stocks))
            case "pressure", dict():
                return self._pressure_share(argument)
            case "lasted", int():
                return Fraction(min(self.ticks, argument), argument)
        raise InvalidError(f"a town cannot measure {kind!r}", code="goal")

    def _pressure_share(self, wanted: dict[str, tuple[int, int]]) -> Fraction:
        """How many of the meters are where they should be."""
        meters = self.town.meters
        right = sum(low <= getattr(meters, name) <= high for name, (low, high) in wanted.items())
        return Fraction(right, len(wanted))

    # Identity

    def digest(self) -> str:
        notes = [
            sorted(self._executed.items()),
            sorted(self._happened.items()),
            [self._acts_today, self._refusals, self._began],
        ]
        return sha256(canonical_bytes([self._state.town.text, notes])).hexdigest()

    def node(self) -> Json:
        town = msgspec.to_builtins(self.town)
        return [town, sorted(self._executed.items())]

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._state = deepcopy(self._state)
        copy._executed = Counter(self._executed)
        copy._happened = Counter(self._happened)
        return copy


def _reason(feedback: Json) -> str:
    """Why the town did not execute an act, in one line."""
    if feedback["status"] == "refused":
        return f"{feedback['detail']}"
    reasons = [feedback["reasonCode"], *feedback["failures"]]
    return "; ".join(str(reason) for reason in reasons if reason)
