"""The plan of a comparison: seeds, conditions and perturbations, and the lives that follow from it.

Every seed lives under every condition, as it is and once with each perturbation. `plan_reader`
reads a plan from its file.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from thorp import __version__
from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import InvalidError
from thorp.society.agent_run import AgentLife
from thorp.society.people import LAYOUTS, Layout, People
from thorp.society.village_run import TimedChange, VillageLife

VERSION: Final = 1
MAX_SHOWN: Final = 120
"""Characters of a setting that are shown."""
AS_IT_IS: Final = ""
"""The name of a life that nothing perturbs."""
USUAL_LAYOUT: Final = LAYOUTS[0]

Cell = tuple[int, str, str]
"""A life's seed, condition and perturbation."""


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way in which societies live."""

    name: str
    tuning: dict[str, Any]
    changes: list[TimedChange]
    people: dict[str, Any] = {}
    """Fields of the people that differ under it."""

    @property
    def texts(self) -> list[str]:
        """Its differences from the rest of the plan, in words."""
        tuning = [f"{name} = {short_text(value)}" for name, value in self.tuning.items()]
        people = [f"people's {name} = {short_text(value)}" for name, value in self.people.items()]
        return [*tuning, *people, *(each.text for each in self.changes)]


class Perturbation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A difference that ought not to matter."""

    name: str
    kind: str
    variant: int
    words: dict[str, str] = {}
    """Replacements, from old words to new ones, for another wording."""
    layout: Layout = USUAL_LAYOUT


class Life(msgspec.Struct, frozen=True):
    """One job of a plan, numbered from 1 in the order of the plan."""

    number: int
    condition: str
    perturbation: str
    society: VillageLife | AgentLife

    @property
    def head(self) -> dict[str, Json]:
        """The members with which its row begins."""
        return {
            "run": self.number,
            "seed": self.society.seed,
            "condition": self.condition,
            "perturbation": self.perturbation,
        }


class ComparePlan(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that was read."""

    question: str
    seeds: list[int]
    days: int
    figures: list[str]
    tuning: dict[str, Any]
    conditions: list[Condition]
    perturbations: list[Perturbation]
    people: People | None = None
    """Agents who live there, if it is not the village."""
    code: dict[str, str] = {}
    """The SHA-256 of agents' files, by their specs."""

    def lives(self, replies: Mapping[Cell, str] = {}) -> list[Life]:
        """All lives, seed by seed, so that a run that is stopped has whole pairs. `replies` are
        those of models in an earlier run."""
        perturbations: list[Perturbation | None] = [None, *self.perturbations]
        cells = [
            (seed, condition, perturbation)
            for seed in self.seeds
            for perturbation in perturbations
            for condition in self.conditions
        ]
        return [
            Life(
                number,
                condition.name,
                AS_IT_IS if perturbation is None else perturbation.name,
                self._society(seed, condition, perturbation, replies),
            )
            for number, (seed, condition, perturbation) in enumerate(cells, start=1)
        ]

    def _society(
        self,
        seed: int,
        condition: Condition,
        perturbation: Perturbation | None,
        replies: Mapping[Cell, str],
    ) -> VillageLife | AgentLife:
        shared: dict[str, Any] = {
            "seed": seed,
            "days": self.days,
            "tuning": {**self.tuning, **condition.tuning},
            "changes": condition.changes,
        }
        if perturbation is not None:
            shared |= {"perturbed": perturbation.kind, "variant": perturbation.variant}
        if self.people is None:
            return VillageLife(**shared)
        if perturbation is not None:
            shared |= {"words": perturbation.words, "layout": perturbation.layout}
        name = AS_IT_IS if perturbation is None else perturbation.name
        people = merged(self.people, condition.people)
        return AgentLife(people=people, replies=replies.get((seed, condition.name, name)), **shared)

    def manifest(self) -> dict[str, Json]:
        """Everything on which the results depend."""
        given = {
            f"plan.{name}": value
            for name, value in msgspec.to_builtins(self).items()
            if name not in ("people", "code") or value
        }
        own = {"format": "thorp.comparison", "comparison_version": VERSION, "thorp": __version__}
        return {**own, "given": given}


def merged(people: People, otherwise: Mapping[str, Any]) -> People:
    """The people of a condition: those of the plan, with what it has otherwise. Refuses fields that
    people do not have."""
    given = {**msgspec.to_builtins(people), **otherwise}
    try:
        return msgspec.convert(given, People)
    except msgspec.ValidationError as problem:
        raise InvalidError(f"people: {str(problem).replace('`', '')}", code="people") from None


def short_text(value: Json) -> str:
    """A setting as JSON, cut to `MAX_SHOWN` characters."""
    text = value if isinstance(value, str) else canonical_text(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
