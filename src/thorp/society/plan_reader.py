"""Reads the plan of a comparison from its TOML file, as `docs/society.md` describes it.

All mistakes of a plan are reported, each with its path, before anything is started.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Meta

from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external.spec import BotSpec, LocalSpec, ModelSpec, SocketSpec, parse_spec
from thorp.arena.tournament.run import probe_seats
from thorp.fleet.plan import MAX_DAYS, SeedRange, read_toml
from thorp.kernel.errors import ROOT, ContractError, item, member
from thorp.kernel.numbers import SAFE_INTEGER
from thorp.society import agent_run, village_run
from thorp.society.agent_run import SCENARIO
from thorp.society.figures import BY_KEY, find_figure
from thorp.society.people import LAYOUTS, Layout, People
from thorp.society.plan import (
    USUAL_LAYOUT,
    ComparePlan,
    Condition,
    Perturbation,
    merged,
    short_text,
)
from thorp.society.plan_tables import Table, TableReader
from thorp.society.statistics import LEAST_PAIRS
from thorp.society.village_run import TimedChange
from thorp.village.changes import Change, PassLaw, RepealLaw, Weather, check_change, read_change
from thorp.village.founding import RULES
from thorp.voxel import Tuning, read_tuning
from thorp.voxel.society import laws

MAX_LIVES: Final = 10_000
"""Their figures are held in memory at the end."""
MAX_CONDITIONS: Final = 8
"""A drawing has as many colours."""
MAX_PERTURBATIONS: Final = 16
MAX_CHANGES: Final = 32
MAX_QUESTION: Final = 300
FOR_READERS: Final = ("wording", "format", "persona", "goal")
"""Kinds that only matter to agents that read text."""
_KEYS: Final = (
    "question",
    "seeds",
    "days",
    "figures",
    "tuning",
    "people",
    "condition",
    "perturbation",
)
_CONDITION_KEYS: Final = ("name", "tuning", "people", "change")
_PERTURBATION_KEYS: Final = ("name", "kind", "variant", "words", "layout")
_OWN_KEYS: Final = {"words": "wording", "layout": "format"}
"""Keys of one kind of perturbation alone."""
_SAME_EVERYWHERE: Final = ("day_ticks", "tick_rate_hz")
"""Tuning that the whole plan has alike: what is compared are days."""
_TIMED_KEYS: Final = ("at", "keep")


def read_plan(data: bytes) -> ComparePlan:
    """Read a plan. Raises a ContractError with everything that is wrong with it."""
    return _PlanReader(read_toml(data)).read()


class _PlanReader(TableReader):
    """Reads the tables of one plan."""

    def __init__(self, given: Table) -> None:
        super().__init__(given)
        self._common: dict[str, Any] = {}
        """The tuning of the whole plan."""
        self._people: People | None = None
        self._code: dict[str, str] = {}

    def read(self) -> ComparePlan:
        given = self.given
        self.only(ROOT, given, _KEYS)
        self._common = self._tuning(ROOT, given)
        if "people" in given:
            self._people = self.convert("$.people", given["people"], People)
            self._check_agent("$.people", self._people)
        plan = ComparePlan(
            question=self.text(ROOT, given, "question", MAX_QUESTION, default=""),
            seeds=self._seeds(),
            days=self.whole(ROOT, given, "days", 2, MAX_DAYS),
            figures=self._figures(),
            tuning=self._common,
            conditions=self._conditions(),
            perturbations=self._perturbations(),
            people=self._people,
            code=self._code,
        )
        runs = len(plan.seeds) * len(plan.conditions) * (1 + len(plan.perturbations))
        if runs > MAX_LIVES:
            self.wrong(
                "limit", "$.seeds", f"{runs} runs, where {MAX_LIVES} are the most; divide it"
            )
        if not self.violations:
            self._check_ticks(plan)
            self._check_words(plan)
        if self.violations:
            raise ContractError(self.violations)
        return plan

    def _seeds(self) -> list[int]:
        if "seeds" not in self.given:
            self.wrong("required", "$.seeds", "a plan has seeds, such as {from = 1, to = 30}")
            return []
        seed = Annotated[int, Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]
        read = self.convert("$.seeds", self.given["seeds"], list[seed] | SeedRange)
        if read is None:
            return []
        if isinstance(read, SeedRange):
            if read.last - read.first >= MAX_LIVES:
                advice = f"more than {MAX_LIVES} seeds; divide the plan"
                self.wrong("limit", "$.seeds", advice)
                return []
            read = list(range(read.first, read.last + 1))
        if len(set(read)) < len(read):
            self.wrong("seeds", "$.seeds", "a seed is there twice, and would give the same again")
        elif len(read) < LEAST_PAIRS:
            advice = "fewer than two seeds say nothing about chance; give 10 or more"
            self.wrong("seeds", "$.seeds", advice)
        return list(read)

    def _figures(self) -> list[str]:
        if "figures" not in self.given:
            return list(BY_KEY)
        keys = self.convert(
            "$.figures", self.given["figures"], Annotated[list[str], Meta(min_length=1)]
        )
        for number, key in enumerate(keys or []):
            path = item("$.figures", number)
            self.ask(path, find_figure, key)
            if keys.index(key) < number:
                self.wrong("figures", path, f"{key} is there twice; name it once")
        return keys or []

    def _conditions(self) -> list[Condition]:
        tables = self.tables("condition", MAX_CONDITIONS)
        if len(tables) < 2:
            advice = (
                "a comparison has at least two [[condition]] tables; the first is compared with"
            )
            self.wrong("required", "$.condition", f"{advice} each of the others")
        conditions = [
            Condition(
                self.name(path, table),
                self._tuning(path, table),
                self._changes(path, table),
                self._other_people(path, table),
            )
            for path, table in self.with_keys(tables, _CONDITION_KEYS)
        ]
        self.each_once("condition", [each.name for each in conditions])
        for number, each in enumerate(conditions):
            for name in _SAME_EVERYWHERE:
                if name in each.tuning:
                    path = member(f"{item('$.condition', number)}.tuning", name)
                    advice = "days of another length cannot be compared; give it in [tuning]"
                    self.wrong("tuning", path, advice)
            for other in conditions[:number]:
                if _content(other) == _content(each):
                    advice = f"it is the same as {other.name!r}; give it a change or a tuning"
                    self.wrong("condition", item("$.condition", number), advice)
                    break
        return conditions

    def _changes(self, path: str, table: Mapping[str, Any]) -> list[TimedChange]:
        listed = table.get("change", [])
        if not isinstance(listed, list):
            self.wrong("value", f"{path}.change", "changes are [[condition.change]] tables")
            return []
        if len(listed) > MAX_CHANGES:
            self.wrong("limit", f"{path}.change", f"at most {MAX_CHANGES} changes")
            return []
        made = [
            self._change(item(f"{path}.change", number), value)
            for number, value in enumerate(listed)
        ]
        return sorted((each for each in made if each is not None), key=lambda each: each.at)

    def _change(self, path: str, given: Any) -> TimedChange | None:
        if not isinstance(given, dict):
            self.wrong("value", path, "a change is a table")
            return None
        at = self.whole(path, given, "at", None, MAX_DAYS * 10**9)
        keep = self.flag(path, given, "keep")
        rest = {name: value for name, value in given.items() if name not in _TIMED_KEYS}
        change: Change | None = self.ask(path, read_change, rest)
        if change is None:
            return None
        self.ask(path, check_change, change)
        if "people" in self.given and not isinstance(change, Weather):
            advice = "only the village has a city and scripts for it; change the weather or tuning"
            self.wrong("no_effect", f"{path}.change", advice)
        if keep and not isinstance(change, PassLaw | RepealLaw):
            self.wrong("change", f"{path}.keep", "only laws can be kept; leave keep out")
        if keep and isinstance(change, RepealLaw) and change.law not in laws.TEMPLATES:
            names = ", ".join(laws.TEMPLATES)
            advice = f"a repeal is kept for a template of laws; known are {names}"
            self.wrong("change", f"{path}.law", advice)
        return TimedChange(at, change, keep)

    def _check_ticks(self, plan: ComparePlan) -> None:
        """Refuse changes that would be made after the end."""
        last = plan.days * read_tuning({**self._rules(), **plan.tuning}).day_ticks
        for number, condition in enumerate(plan.conditions):
            for place, each in enumerate(condition.changes):
                if each.at >= last:
                    path = item(f"{item('$.condition', number)}.change", place)
                    advice = f"tick {each.at} is not before the end, tick {last}; give an earlier"
                    self.wrong("range", f"{path}.at", f"{advice} one, or more days")

    def _other_people(self, path: str, table: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of the people that differ under a condition."""
        given = table.get("people", {})
        where = f"{path}.people"
        if not isinstance(given, dict):
            self.wrong("value", where, "people is a table")
            return {}
        if given and "people" not in self.given:
            advice = "villagers are scripted, and read no text about themselves; give [people]"
            self.wrong("no_effect", where, advice)
            return {}
        if not given or self._people is None:
            return {}
        self.only(where, given, People.__struct_fields__)
        people = self.ask(where, merged, self._people, given)
        if people is not None and people.agent != self._people.agent:
            self._check_agent(where, people)
        return dict(given)

    def _check_agent(self, path: str, people: People | None) -> None:
        """Refuse an agent that cannot live in a society; open a program once."""
        if people is None:
            return
        spec = self.ask(f"{path}.agent", parse_spec, people.agent)
        if isinstance(spec, BotSpec | SocketSpec | LocalSpec):
            advice = "give file.py:Class, cmd:COMMAND, http://… or model:NAME"
            self.wrong("agent", f"{path}.agent", f"{people.agent} cannot live here; {advice}")
        elif spec is not None and not isinstance(spec, ModelSpec):
            seats = (Seat(people.agent, people.agent),)
            task = MatchTask(scenario=SCENARIO, seats=seats, seed=0, max_turns=1)
            self._code |= self.ask(f"{path}.agent", probe_seats, seats, task) or {}

    def _rules(self) -> Mapping[str, Any]:
        """The tuning that a plan begins with."""
        return {} if "people" in self.given else RULES

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
                        f"{short_text(old)!r} is in no persona and no goal, so nothing would change"
                    )
                    self.wrong("no_effect", path, advice)

    def _perturbations(self) -> list[Perturbation]:
        tables = self.tables("perturbation", MAX_PERTURBATIONS)
        perturbations = [
            Perturbation(
                name=self.name(path, table),
                kind=self._kind(path, table),
                variant=self.whole(path, table, "variant", 1, SAFE_INTEGER),
                words=self._words(path, table),
                layout=self._layout(path, table),
            )
            for path, table in self.with_keys(tables, _PERTURBATION_KEYS)
        ]
        self.each_once("perturbation", [each.name for each in perturbations])
        for number, each in enumerate(perturbations):
            if any(_way(each) == _way(other) for other in perturbations[:number]):
                advice = f"{each.kind} is perturbed in this way already; give another variant"
                self.wrong("perturbation", item("$.perturbation", number), advice)
        return perturbations

    def _kind(self, path: str, table: Mapping[str, Any]) -> str:
        kind = table.get("kind")
        kinds: tuple[str, ...] = village_run.PERTURBATIONS
        if "people" in self.given:
            kinds = agent_run.PERTURBATIONS
        elif kind in FOR_READERS:
            advice = (
                f"{kind} cannot act here: villagers are scripted and read no text about "
                f"themselves; what can act is {', '.join(kinds)}, or give agents in [people]"
            )
            self.wrong("no_effect", f"{path}.kind", advice)
            return kinds[0]
        if kind not in kinds:
            self.wrong("kind", f"{path}.kind", f"it must be one of {', '.join(kinds)}")
        if kind in _OWN_KEYS.values() and "variant" in table:
            advice = f"{kind} has no variants; give another name, and what is otherwise"
            self.wrong("value", f"{path}.variant", advice)
        for key, owner in _OWN_KEYS.items():
            if (key in table) != (kind == owner):
                advice = f"{owner} needs it" if kind == owner else f"it is for {owner} alone"
                self.wrong("required" if kind == owner else "value", member(path, key), advice)
        return str(kind) if kind in kinds else kinds[0]

    def _words(self, path: str, table: Mapping[str, Any]) -> dict[str, str]:
        words: dict[str, str] | None = self.convert(
            f"{path}.words", table.get("words", {}), dict[str, str]
        )
        return words or {}

    def _layout(self, path: str, table: Mapping[str, Any]) -> Layout:
        layout: Layout = table.get("layout", USUAL_LAYOUT)
        if layout not in LAYOUTS or ("layout" in table and layout == USUAL_LAYOUT):
            advice = f"it must be one of {', '.join(LAYOUTS[1:])}; {USUAL_LAYOUT} are the usual one"
            self.wrong("value", f"{path}.layout", advice)
            return USUAL_LAYOUT
        return layout

    def _tuning(self, path: str, table: Mapping[str, Any]) -> dict[str, Any]:
        given = table.get("tuning", {})
        where = f"{path}.tuning"
        if not isinstance(given, dict):
            self.wrong("value", where, "tuning is a table")
            return {}
        count = len(self.violations)
        self.only(where, given, Tuning.__struct_fields__)
        values = {**self._rules(), **(self._common if path != ROOT else {}), **given}
        if len(self.violations) == count:
            self.ask(where, read_tuning, values)
        return dict(given) if len(self.violations) == count else {}


def _content(condition: Condition) -> tuple[object, ...]:
    """A condition without its name: two of the same content are a mistake."""
    return (condition.tuning, condition.changes, condition.people)


def _way(perturbation: Perturbation) -> tuple[object, ...]:
    """A perturbation without its name: two of the same content are a mistake."""
    return tuple(
        getattr(perturbation, name) for name in Perturbation.__struct_fields__ if name != "name"
    )
