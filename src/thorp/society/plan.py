"""Reads the plan of a comparison: a TOML file with seeds, conditions and perturbations, as
`docs/society.md` describes it.

Every seed lives under every condition, as it is and once with each perturbation. All mistakes of a
plan are reported, each with its path, before anything is started.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp import __version__
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external.spec import BotSpec, LocalSpec, ModelSpec, SocketSpec, parse_spec
from thorp.arena.tournament.run import probe_seats
from thorp.fleet.plan import MAX_DAYS, SeedRange, read_toml
from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import (
    ROOT,
    ContractError,
    InvalidError,
    ThorpError,
    Violation,
    item,
    member,
)
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.society import agent_run, village_run
from thorp.society.agent_run import SCENARIO, AgentLife
from thorp.society.figures import BY_KEY, find_figure
from thorp.society.people import LAYOUTS, Layout, People
from thorp.society.statistics import LEAST_PAIRS
from thorp.society.village_run import TimedChange, VillageLife
from thorp.village.changes import Change, PassLaw, RepealLaw, Weather, check_change, read_change
from thorp.village.founding import RULES
from thorp.voxel import Tuning, read_tuning
from thorp.voxel.society import laws

VERSION: Final = 1
MAX_LIVES: Final = 10_000
"""Their figures are held in memory at the end."""
MAX_CONDITIONS: Final = 8
"""A drawing has as many colours."""
MAX_PERTURBATIONS: Final = 16
MAX_CHANGES: Final = 32
MAX_NAME: Final = 40
"""Characters of a name: it heads a column."""
MAX_QUESTION: Final = 300
MAX_SHOWN: Final = 120
"""Characters of a setting that are shown."""
AS_IT_IS: Final = ""
"""The name of a life that nothing perturbs."""
FOR_READERS: Final = ("wording", "format", "persona", "goal")
"""What could matter only to somebody who reads it."""
USUAL_LAYOUT: Final = LAYOUTS[0]

_KEYS: Final = (
    "question", "seeds", "days", "figures", "tuning", "people", "condition", "perturbation",
)  # fmt: skip
_CONDITION_KEYS: Final = ("name", "tuning", "people", "change")
_PERTURBATION_KEYS: Final = ("name", "kind", "variant", "words", "layout")
_OWN_KEYS: Final = {"words": "wording", "layout": "format"}
"""Keys of one kind of perturbation alone."""
_SAME_EVERYWHERE: Final = ("day_ticks", "tick_rate_hz")
"""Tuning that the whole plan has alike: what is compared are days."""
_TIMED_KEYS: Final = ("at", "keep")


Cell = tuple[int, str, str]
"""A life's seed, condition and perturbation."""


class Condition(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way in which societies live."""

    name: str
    tuning: dict[str, Any]
    changes: list[TimedChange]
    people: dict[str, Any] = {}
    """What its people have otherwise."""

    @property
    def texts(self) -> list[str]:
        """What is otherwise in it, in words."""
        tuning = [f"{name} = {_short(value)}" for name, value in self.tuning.items()]
        people = [f"people's {name} = {_short(value)}" for name, value in self.people.items()]
        return [*tuning, *people, *(each.text for each in self.changes)]


class Perturbation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that is otherwise and ought not to matter."""

    name: str
    kind: str
    variant: int
    words: dict[str, str] = {}
    """What takes the place of what, if the wording is otherwise."""
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
    """The people of a condition: those of the plan, with what it has otherwise. Refuses what is no
    member of them."""
    given = {**msgspec.to_builtins(people), **otherwise}
    try:
        return msgspec.convert(given, People)
    except msgspec.ValidationError as problem:
        raise InvalidError(f"people: {str(problem).replace('`', '')}", code="people") from None


def read_plan(data: bytes) -> ComparePlan:
    """Read a plan. Raises a ContractError with everything that is wrong with it."""
    return _Reader(read_toml(data)).read()


class _Reader:
    """Reads the tables of one plan, and notes every mistake."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._violations: list[Violation] = []
        self._common: dict[str, Any] = {}
        """The tuning of the whole plan."""
        self._people: People | None = None
        self._code: dict[str, str] = {}

    def read(self) -> ComparePlan:
        given = self._given
        self._only(ROOT, given, _KEYS)
        self._common = self._tuning(ROOT, given)
        if "people" in given:
            self._people = self._convert("$.people", given["people"], People)
            self._check_agent("$.people", self._people)
        plan = ComparePlan(
            question=self._text(ROOT, given, "question", MAX_QUESTION, default=""),
            seeds=self._seeds(),
            days=self._whole(ROOT, given, "days", 2, MAX_DAYS),
            figures=self._figures(),
            tuning=self._common,
            conditions=self._conditions(),
            perturbations=self._perturbations(),
            people=self._people,
            code=self._code,
        )
        runs = len(plan.seeds) * len(plan.conditions) * (1 + len(plan.perturbations))
        if runs > MAX_LIVES:
            self._wrong(
                "limit", "$.seeds", f"{runs} runs, where {MAX_LIVES} are the most; divide it"
            )
        if not self._violations:
            self._check_ticks(plan)
            self._check_words(plan)
        if self._violations:
            raise ContractError(self._violations)
        return plan

    def _wrong(self, code: str, path: str, message: str) -> None:
        self._violations.append(Violation(code, path, message))

    def _only(self, path: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
        for key in given:
            if key not in names:
                advice = f"there is no such key; known are {', '.join(names)}"
                self._wrong("unknown_key", member(path, key), advice)

    def _seeds(self) -> list[int]:
        if "seeds" not in self._given:
            self._wrong("required", "$.seeds", "a plan has seeds, such as {from = 1, to = 30}")
            return []
        seed = Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]
        read = self._convert("$.seeds", self._given["seeds"], list[seed] | SeedRange)
        if read is None:
            return []
        if isinstance(read, SeedRange):
            if read.last - read.first >= MAX_LIVES:
                advice = f"more than {MAX_LIVES} seeds; divide the plan"
                self._wrong("limit", "$.seeds", advice)
                return []
            read = list(range(read.first, read.last + 1))
        if len(set(read)) < len(read):
            self._wrong("seeds", "$.seeds", "a seed is there twice, and would give the same again")
        elif len(read) < LEAST_PAIRS:
            advice = "fewer than two seeds say nothing about chance; give 10 or more"
            self._wrong("seeds", "$.seeds", advice)
        return list(read)

    def _figures(self) -> list[str]:
        if "figures" not in self._given:
            return list(BY_KEY)
        keys = self._convert(
            "$.figures", self._given["figures"], Annotated[list[str], Meta(min_length=1)]
        )
        for number, key in enumerate(keys or []):
            path = item("$.figures", number)
            self._ask(path, find_figure, key)
            if keys.index(key) < number:
                self._wrong("figures", path, f"{key} is there twice; name it once")
        return keys or []

    def _conditions(self) -> list[Condition]:
        tables = self._tables("condition", MAX_CONDITIONS)
        if len(tables) < 2:
            advice = (
                "a comparison has at least two [[condition]] tables; the first is compared with"
            )
            self._wrong("required", "$.condition", f"{advice} each of the others")
        conditions = [
            Condition(
                self._name(path, table),
                self._tuning(path, table),
                self._changes(path, table),
                self._other_people(path, table),
            )
            for path, table in tables
            if self._known(path, table, _CONDITION_KEYS)
        ]
        self._each_once("condition", [each.name for each in conditions])
        for number, each in enumerate(conditions):
            for name in _SAME_EVERYWHERE:
                if name in each.tuning:
                    path = member(f"{item('$.condition', number)}.tuning", name)
                    advice = "days of another length cannot be compared; give it in [tuning]"
                    self._wrong("tuning", path, advice)
            for other in conditions[:number]:
                if _content(other) == _content(each):
                    advice = f"it is the same as {other.name!r}; give it a change or a tuning"
                    self._wrong("condition", item("$.condition", number), advice)
                    break
        return conditions

    def _changes(self, path: str, table: Mapping[str, Any]) -> list[TimedChange]:
        listed = table.get("change", [])
        if not isinstance(listed, list):
            self._wrong("value", f"{path}.change", "changes are [[condition.change]] tables")
            return []
        if len(listed) > MAX_CHANGES:
            self._wrong("limit", f"{path}.change", f"at most {MAX_CHANGES} changes")
            return []
        made = [
            self._change(item(f"{path}.change", number), value)
            for number, value in enumerate(listed)
        ]
        return sorted((each for each in made if each is not None), key=lambda each: each.at)

    def _change(self, path: str, given: Any) -> TimedChange | None:
        if not isinstance(given, dict):
            self._wrong("value", path, "a change is a table")
            return None
        at = self._whole(path, given, "at", None, MAX_DAYS * 10**9)
        keep = self._flag(path, given, "keep")
        rest = {name: value for name, value in given.items() if name not in _TIMED_KEYS}
        change: Change | None = self._ask(path, read_change, rest)
        if change is None:
            return None
        self._ask(path, check_change, change)
        if "people" in self._given and not isinstance(change, Weather):
            advice = "only the village has a city and scripts for it; change the weather or tuning"
            self._wrong("no_effect", f"{path}.change", advice)
        if keep and not isinstance(change, PassLaw | RepealLaw):
            self._wrong("change", f"{path}.keep", "only laws can be kept; leave keep out")
        if keep and isinstance(change, RepealLaw) and change.law not in laws.TEMPLATES:
            names = ", ".join(laws.TEMPLATES)
            advice = f"a repeal is kept for a template of laws; known are {names}"
            self._wrong("change", f"{path}.law", advice)
        return TimedChange(at, change, keep)

    def _check_ticks(self, plan: ComparePlan) -> None:
        """Refuse changes that would be made after the end."""
        last = plan.days * read_tuning({**self._rules(), **plan.tuning}).day_ticks
        for number, condition in enumerate(plan.conditions):
            for place, each in enumerate(condition.changes):
                if each.at >= last:
                    path = item(f"{item('$.condition', number)}.change", place)
                    advice = f"tick {each.at} is not before the end, tick {last}; give an earlier"
                    self._wrong("range", f"{path}.at", f"{advice} one, or more days")

    def _other_people(self, path: str, table: Mapping[str, Any]) -> dict[str, Any]:
        """What the people of a condition have otherwise."""
        given = table.get("people", {})
        where = f"{path}.people"
        if not isinstance(given, dict):
            self._wrong("value", where, "people is a table")
            return {}
        if given and "people" not in self._given:
            advice = "villagers are scripted, and read no text about themselves; give [people]"
            self._wrong("no_effect", where, advice)
            return {}
        if not given or self._people is None:
            return {}
        self._only(where, given, People.__struct_fields__)
        people = self._ask(where, merged, self._people, given)
        if people is not None and people.agent != self._people.agent:
            self._check_agent(where, people)
        return dict(given)

    def _check_agent(self, path: str, people: People | None) -> None:
        """Refuse an agent that cannot live in a society; open a program once."""
        if people is None:
            return
        spec = self._ask(f"{path}.agent", parse_spec, people.agent)
        if isinstance(spec, BotSpec | SocketSpec | LocalSpec):
            advice = "give file.py:Class, cmd:COMMAND, http://… or model:NAME"
            self._wrong("agent", f"{path}.agent", f"{people.agent} cannot live here; {advice}")
        elif spec is not None and not isinstance(spec, ModelSpec):
            seats = (Seat(people.agent, people.agent),)
            task = MatchTask(scenario=SCENARIO, seats=seats, seed=0, max_turns=1)
            self._code |= self._ask(f"{path}.agent", probe_seats, seats, task) or {}

    def _rules(self) -> Mapping[str, Any]:
        """The tuning that a plan begins with."""
        return {} if "people" in self._given else RULES

    def _check_words(self, plan: ComparePlan) -> None:
        """Refuse another wording that nobody would read."""
        if plan.people is None:
            return
        texts = [
            text for each in plan.conditions for text in merged(plan.people, each.people).texts()
        ]
        for number, each in enumerate(plan.perturbations):
            for old in each.words:
                if not any(old and old in text for text in texts):
                    path = f"{item('$.perturbation', number)}.words"
                    advice = (
                        f"{_short(old)!r} is in no persona and no goal, so nothing would change"
                    )
                    self._wrong("no_effect", path, advice)

    def _perturbations(self) -> list[Perturbation]:
        perturbations = [
            Perturbation(
                name=self._name(path, table),
                kind=self._kind(path, table),
                variant=self._whole(path, table, "variant", 1, SAFE_INTEGER),
                words=self._words(path, table),
                layout=self._layout(path, table),
            )
            for path, table in self._tables("perturbation", MAX_PERTURBATIONS)
            if self._known(path, table, _PERTURBATION_KEYS)
        ]
        self._each_once("perturbation", [each.name for each in perturbations])
        for number, each in enumerate(perturbations):
            if any(_way(each) == _way(other) for other in perturbations[:number]):
                advice = f"{each.kind} is perturbed in this way already; give another variant"
                self._wrong("perturbation", item("$.perturbation", number), advice)
        return perturbations

    def _kind(self, path: str, table: Mapping[str, Any]) -> str:
        kind = table.get("kind")
        kinds: tuple[str, ...] = village_run.PERTURBATIONS
        if "people" in self._given:
            kinds = agent_run.PERTURBATIONS
        elif kind in FOR_READERS:
            advice = (
                f"{kind} cannot act here: villagers are scripted and read no text about "
                f"themselves; what can act is {', '.join(kinds)}, or give agents in [people]"
            )
            self._wrong("no_effect", f"{path}.kind", advice)
            return kinds[0]
        if kind not in kinds:
            self._wrong("kind", f"{path}.kind", f"it must be one of {', '.join(kinds)}")
        if kind in _OWN_KEYS.values() and "variant" in table:
            advice = f"{kind} has no variants; give another name, and what is otherwise"
            self._wrong("value", f"{path}.variant", advice)
        for key, owner in _OWN_KEYS.items():
            if (key in table) != (kind == owner):
                advice = f"{owner} needs it" if kind == owner else f"it is for {owner} alone"
                self._wrong("required" if kind == owner else "value", member(path, key), advice)
        return str(kind) if kind in kinds else kinds[0]

    def _words(self, path: str, table: Mapping[str, Any]) -> dict[str, str]:
        words: dict[str, str] | None = self._convert(
            f"{path}.words", table.get("words", {}), dict[str, str]
        )
        return words or {}

    def _layout(self, path: str, table: Mapping[str, Any]) -> Layout:
        layout: Layout = table.get("layout", USUAL_LAYOUT)
        if layout not in LAYOUTS or ("layout" in table and layout == USUAL_LAYOUT):
            advice = f"it must be one of {', '.join(LAYOUTS[1:])}; {USUAL_LAYOUT} are the usual one"
            self._wrong("value", f"{path}.layout", advice)
            return USUAL_LAYOUT
        return layout

    def _tables(self, key: str, most: int) -> list[tuple[str, dict[str, Any]]]:
        """The tables of a key, with their paths."""
        listed = self._given.get(key, [])
        if not isinstance(listed, list):
            self._wrong("value", f"$.{key}", f"they are [[{key}]] tables")
            return []
        if len(listed) > most:
            self._wrong("limit", f"$.{key}", f"{len(listed)} tables, where {most} are the most")
            return []
        paths = [(item(f"$.{key}", number), table) for number, table in enumerate(listed)]
        for path, table in paths:
            if not isinstance(table, dict):
                self._wrong("value", path, f"it must be a [[{key}]] table")
        return [(path, table) for path, table in paths if isinstance(table, dict)]

    def _known(self, path: str, table: Mapping[str, Any], names: Sequence[str]) -> bool:
        self._only(path, table, names)
        return True

    def _each_once(self, key: str, names: Sequence[str]) -> None:
        for number, name in enumerate(names):
            if name and name in names[:number]:
                advice = f"{name!r} is there twice; give each its own name"
                self._wrong(key, f"{item(f'$.{key}', number)}.name", advice)

    def _name(self, path: str, table: Mapping[str, Any]) -> str:
        if "name" not in table:
            self._wrong("required", f"{path}.name", "give it a name")
            return ""
        return self._text(path, table, "name", MAX_NAME, default="")

    def _text(
        self, path: str, table: Mapping[str, Any], key: str, most: int, *, default: str
    ) -> str:
        value = table.get(key, default)
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            advice = f"it must be one line of text with at most {most} characters"
            self._wrong("value", member(path, key), advice)
            return default
        if not value.strip() and key in table:
            self._wrong("value", member(path, key), "it is empty")
        return value

    def _whole(
        self, path: str, table: Mapping[str, Any], key: str, default: int | None, most: int
    ) -> int:
        if key not in table and default is None:
            self._wrong("required", member(path, key), "say after which tick, a whole number")
            return 1
        value = table.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            self._wrong("value", member(path, key), f"it must be a whole number from 1 to {most}")
            return 1
        return value

    def _flag(self, path: str, table: Mapping[str, Any], key: str) -> bool:
        value = table.get(key, False)
        if not isinstance(value, bool):
            self._wrong("value", member(path, key), "it must be true or false")
        return value is True

    def _tuning(self, path: str, table: Mapping[str, Any]) -> dict[str, Any]:
        given = table.get("tuning", {})
        where = f"{path}.tuning"
        if not isinstance(given, dict):
            self._wrong("value", where, "tuning is a table")
            return {}
        count = len(self._violations)
        self._only(where, given, Tuning.__struct_fields__)
        values = {**self._rules(), **(self._common if path != ROOT else {}), **given}
        if len(self._violations) == count:
            self._ask(where, read_tuning, values)
        return dict(given) if len(self._violations) == count else {}

    def _convert(self, path: str, value: Any, kind: Any) -> Any:
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as problem:
            reason, _, inner = str(problem).replace("`", "").partition(" - at $")
            self._wrong("value", f"{path}{inner}", reason)
            return None

    def _ask(self, path: str, call: Any, *given: Any) -> Any:
        """Call a function; note a refusal as a mistake at this path."""
        try:
            return call(*given)
        except ThorpError as refusal:
            self._wrong(refusal.code, path, refusal.message)
            return None


def _short(value: Json) -> str:
    """A setting, as JSON, so far as there is room."""
    text = value if isinstance(value, str) else canonical_text(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"


def _content(condition: Condition) -> tuple[object, ...]:
    """What a condition is, but for its name."""
    return (condition.tuning, condition.changes, condition.people)


def _way(perturbation: Perturbation) -> tuple[object, ...]:
    """What a perturbation is, but for its name."""
    return tuple(
        getattr(perturbation, name) for name in Perturbation.__struct_fields__ if name != "name"
    )
