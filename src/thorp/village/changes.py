"""Changes of one thing, made between two ticks of a fork, to see what follows from it.

    PassLaw     a law is in force from now on
    RepealLaw   a law is in force no longer
    Weather     another weather, for some time
    Goal        somebody wants something else

A change is a value. `apply_change` makes it in a world, and says in words what it was; one that
does not fit the world is refused before anything has happened. No rule makes such changes, and no
journal holds one: a fork begins with them, and the record of its epoch names them.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta

from thorp.kernel.errors import IllegalError, InvalidError, UnknownError
from thorp.kernel.text import make_label
from thorp.village import knowledge
from thorp.village.headless import bodies
from thorp.village.knowledge import Wish
from thorp.village.roster import ROSTER
from thorp.village.villager import MEMORY
from thorp.village.wishes import in_words
from thorp.voxel import Agent, World, default_catalogs
from thorp.voxel.catalog import Catalogs
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import laws
from thorp.voxel.state.records import Claim, Law

MAX_WEATHER_TICKS: Final = 60_000
"""Ten days of the usual length. Weather that the world draws lasts a day at most."""
MAX_NAME: Final = 200
"""Characters of a name or an id in a change."""
MAX_TEXT: Final = 2_000
"""Characters of a change in words."""
LISTED: Final = 12
"""Names that a refusal lists."""

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
NameOrNone: TypeAlias = Annotated[str, Meta(max_length=MAX_NAME)]
WeatherKind = Literal["CLEAR", "STORM", "COLD"]
GoalKind = Literal["house", "bigger house", "tool", "friend", "office"]
_LAW_FIELDS: Final = ("change", "law", "land", "title")
MAYOR: Final = "mayor"
IRON_TOOLS: Final = ("IRON_AXE", "IRON_PICKAXE", "IRON_SHOVEL")

T = TypeVar("T")


class PassLaw(
    msgspec.Struct,
    frozen=True,
    tag_field="change",
    tag="pass_law",
    kw_only=True,
    forbid_unknown_fields=True,
):
    """A law is in force on a land from now on, without a vote."""

    law: Name
    """A template of laws, such as `MARKET_TAX`."""
    params: dict[str, int | float | str]
    land: NameOrNone = ""
    """The id of a land; the city's own if it is empty."""
    title: Annotated[str, Meta(max_length=laws.MAX_TITLE_BYTES)] = ""


class RepealLaw(
    msgspec.Struct,
    frozen=True,
    tag_field="change",
    tag="repeal_law",
    kw_only=True,
    forbid_unknown_fields=True,
):
    """A law is in force no longer."""

    law: Name
    """The id of a law, or a template: that law of the city's land."""


class Weather(
    msgspec.Struct,
    frozen=True,
    tag_field="change",
    tag="weather",
    kw_only=True,
    forbid_unknown_fields=True,
):
    """The weather changes, and stays so for some ticks."""

    weather: WeatherKind
    ticks: Annotated[int, Meta(ge=1, le=MAX_WEATHER_TICKS)] = 3_000


class Goal(
    msgspec.Struct,
    frozen=True,
    tag_field="change",
    tag="goal",
    kw_only=True,
    forbid_unknown_fields=True,
):
    """A villager wants something else from now on."""

    person: Name
    """Its name or id."""
    goal: GoalKind
    thing: NameOrNone = ""
    """The item if the goal is a tool, the name if it is a friend."""


Change: TypeAlias = PassLaw | RepealLaw | Weather | Goal


def read_change(value: object, *, strict: bool = True) -> Change:
    """The change that plain data describe: `{"change": "weather", "weather": "STORM"}`. Without
    `strict` numbers may be texts."""
    try:
        change: Change = msgspec.convert(value, Change, strict=strict)
        return change
    except msgspec.ValidationError as problem:
        raise InvalidError(f"change: {str(problem).replace('`', '')}", code="change") from None


def read_change_text(text: str) -> Change:
    """The change that words describe, as a command line has them: `weather weather=STORM`,
    `pass_law law=MARKET_TAX market_tax=0.2`, `goal person=Bram goal=office`. What else a law is
    given are its parameters."""
    if len(text) > MAX_TEXT:
        raise InvalidError(f"change: it has more than {MAX_TEXT} characters", code="change")
    try:
        kind, *words = shlex.split(text)
    except ValueError:
        why = "change: give its kind, then NAME=VALUE, such as weather weather=STORM"
        raise InvalidError(why, code="change") from None
    given: dict[str, Any] = {"change": kind}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals or name in given:
            why = f"change: each word after {kind!r} is NAME=VALUE, once, not {word!r}"
            raise InvalidError(why, code="change")
        given[name] = value
    if kind == "pass_law":
        own = {name: value for name, value in given.items() if name in _LAW_FIELDS}
        given = {**own, "params": {name: _number(given[name]) for name in given if name not in own}}
    return read_change(given, strict=False)


def _number(text: str) -> int | float | str:
    """A parameter: a number if it reads like one."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text


def apply_change(world: World, change: Change) -> str:
    """Make a change between two ticks. Returns it in words: `a storm for 3,000 ticks`."""
    return str(_APPLY[type(change)](world, change))


def change_text(change: Change) -> str:
    """A change in words that need no world: `the law MARKET_TAX (market_tax 0.1) is passed`."""
    match change:
        case PassLaw():
            params = ", ".join(f"{name} {value}" for name, value in sorted(change.params.items()))
            text = f"the law {change.law} ({params}) is passed"
        case RepealLaw():
            text = f"the law {change.law} is repealed"
        case Weather():
            words = {"CLEAR": "clear weather", "STORM": "a storm", "COLD": "a cold spell"}
            text = f"{words[change.weather]} for {change.ticks:,} ticks"
        case Goal():
            text = f"{change.person} wants {in_words(Wish(change.goal, change.thing, 0))}"
    return make_label(text, MAX_NAME)


def check_change(change: Change) -> None:
    """Refuse what would fit no world of the village: an unknown law, person or thing. What depends
    on a world is seen when the change is made in it."""
    match change:
        case PassLaw():
            _check_law(default_catalogs(), change)
        case Goal() if change.person not in ROSTER:
            raise _unknown("villager", change.person, ROSTER)
        case Goal(goal="tool") if change.thing not in IRON_TOOLS:
            raise _unknown("tool", change.thing, IRON_TOOLS)
        case Goal(goal="friend"):
            _check_friend(change, [name for name in ROSTER if name != change.person])
        case Goal(goal="house" | "bigger house" | "office"):
            _check_no_thing(change)


def law_in_force(world: World, template_id: str, land_id: str = "") -> str:
    """The id of the law of a template that holds on a land; empty if there is none."""
    law = _in_force(world, _land(world, land_id).id, template_id)
    return "" if law is None else law.id


def _check_law(catalogs: Catalogs, change: PassLaw) -> None:
    template = catalogs.law_templates.get(change.law)
    if template is None or change.law not in laws.TEMPLATES:
        raise _unknown("law", change.law, laws.TEMPLATES)
    _check_params(change, template.params)


def _pass_law(world: World, change: PassLaw) -> str:
    _check_law(world.catalogs, change)
    claim = _land(world, change.land)
    try:
        law = laws.decree(world, claim, change.law, change.params, change.title)
    except Refusal as refusal:
        raise InvalidError(f"{change.law}: {refusal.message}", code="law") from None
    return f"{change_text(change)} as {law.id} on {claim.id}"


def _check_params(change: PassLaw, known: Mapping[str, Any]) -> None:
    """Refuse parameters that the rules would cut to their bounds, and those that they would not
    read."""
    if sorted(change.params) != sorted(known):
        given = ", ".join(sorted(change.params)) or "none"
        raise InvalidError(
            f"{change.law} has the parameters {', '.join(sorted(known))}, not {given}", code="law"
        )
    for name, value in change.params.items():
        bounds = known[name]
        if "min" not in bounds:
            continue
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not bounds["min"] <= value <= bounds["max"]:
            raise InvalidError(
                f"{change.law}: {name} is a number from {bounds['min']} to {bounds['max']}",
                code="law",
            )


def _land(world: World, land_id: str) -> Claim:
    """The land with an id, or that of the city."""
    if land_id:
        claim = world.claims.get(land_id)
        if claim is None:
            raise _unknown("land", land_id, (each.id for each in world.claims))
        return claim
    cities = [org.id for org in world.orgs if org.kind == "CITY"]
    owned = sorted(each.id for each in world.claims if each.owner in cities)
    if not owned:
        raise IllegalError("no city has land yet; choose a later tick", code="no_land")
    return world.claims[owned[0]]


def _repeal_law(world: World, change: RepealLaw) -> str:
    law = world.laws.get(change.law)
    if law is None and change.law in laws.TEMPLATES:
        land_id = _land(world, "").id
        law = _in_force(world, land_id, change.law)
    if law is None:
        active = (each.id for each in world.laws if each.status == "ACTIVE")
        raise _unknown("law in force", change.law, active)
    newest = _in_force(world, law.land_id, law.template_id)
    if law is not newest:
        why = "is not in force" if newest is None else f"was replaced by {newest.id}"
        raise IllegalError(f"{law.id} {why}", code="law")
    laws.repeal(world, law)
    return f"the law {law.id} ({law.template_id}) is repealed on {law.land_id}"


def _in_force(world: World, land_id: str, template_id: str) -> Law | None:
    """The law of a template that holds on a land: the one that was decided last."""
    active = [
        law
        for law in world.laws
        if (law.land_id, law.template_id, law.status) == (land_id, template_id, "ACTIVE")
    ]
    return max(active, key=lambda law: (law.vote_ends_tick, law.id), default=None)


def _set_weather(world: World, change: Weather) -> str:
    world.weather = change.weather
    world.weather_until = 0 if change.weather == "CLEAR" else world.tick + change.ticks
    return change_text(change)


def _set_goal(world: World, change: Goal) -> str:
    agent = _villager(world, change.person)
    try:
        known = knowledge.read(agent.memory[MEMORY].value)
    except msgspec.DecodeError:
        raise IllegalError(
            f"{agent.name} remembers nothing that can be read", code="goal"
        ) from None
    wish = Wish(change.goal, _thing(world, change, agent, known), world.tick)
    known.wish = wish
    agent.memory[MEMORY] = msgspec.structs.replace(
        agent.memory[MEMORY], value=knowledge.write(known)
    )
    agent.changed()
    return make_label(f"{agent.name} wants {in_words(wish)}", MAX_NAME)


def _villager(world: World, person: str) -> Agent:
    named = {name: world.agents[number] for name, number in bodies(world).items()}
    found = named.get(person) or next((each for each in named.values() if each.id == person), None)
    if found is None:
        raise _unknown("villager", person, named)
    return found


def _thing(world: World, change: Goal, agent: Agent, known: knowledge.Knowledge) -> str:
    """What exactly is wished for, as the villager's own wishes have it."""
    if change.goal == "tool":
        if change.thing not in IRON_TOOLS:
            raise _unknown("tool", change.thing, IRON_TOOLS)
        return change.thing
    if change.goal == "friend":
        _check_friend(change, [name for name in bodies(world) if name != agent.name])
        return change.thing
    _check_no_thing(change)
    if change.goal == "office":
        return MAYOR
    if known.home is not None and change.goal == "house":
        why = f"{agent.name} has a house already; the goal may be a bigger house"
        raise IllegalError(why, code="goal")
    return "" if known.home is None else ",".join(map(str, known.home))


def _check_friend(change: Goal, others: Sequence[str]) -> None:
    if change.thing not in others:
        raise _unknown("other villager", change.thing, others)


def _check_no_thing(change: Goal) -> None:
    if change.thing:
        raise InvalidError(f"the goal {change.goal} takes no thing", code="goal")


def _unknown(noun: str, name: str, names: Iterable[str]) -> UnknownError:
    listed = list(names)
    known = ", ".join(listed[:LISTED]) + (", …" if len(listed) > LISTED else "")
    label = make_label(name, MAX_NAME)
    return UnknownError(f"there is no {noun} {label!r}; known are {known or 'none'}")


_APPLY: Final[dict[type, Callable[[World, Any], str]]] = {
    PassLaw: _pass_law,
    RepealLaw: _repeal_law,
    Weather: _set_weather,
    Goal: _set_goal,
}
assert set(_APPLY) == set(get_args(Change))
