"""What a form may offer of the changes of one thing: the kinds, their fields, and what each takes.

    Offer       a kind of change, as `thorp.village.changes` reads it
    Field       one thing to choose in it
    OFFERS      all of them: the one table that the route and its page share

The table is made of the types that read a change, the catalogs of laws and items, and the roster,
so that nothing is offered which would not be read, and nothing is read which is not offered. What
stands in a world, such as a law in force, the page fills in from the moment that it shows.
"""

from collections.abc import Iterable
from typing import Any, Final, Literal, get_args

import msgspec

from thorp.village.changes import (
    IRON_TOOLS,
    MAX_WEATHER_TICKS,
    GoalKind,
    WeatherKind,
)
from thorp.village.roster import ROSTER
from thorp.voxel import default_catalogs
from thorp.voxel.society import laws

Among = Literal["", "people", "laws", "lands"]
"""What of a world is chosen among: those who are there, the laws in force, the claimed lands."""

HALF_A_DAY: Final = 3_000
_WEATHERS: Final[dict[WeatherKind, str]] = {
    "STORM": "a storm",
    "COLD": "a cold spell",
    "CLEAR": "clear weather",
}
_GOALS: Final[dict[GoalKind, str]] = {
    "house": "a house",
    "bigger house": "a bigger house",
    "tool": "a tool",
    "friend": "a friend",
    "office": "an office",
}
_PARAMS: Final = {
    "ticket_item": "paid in",
    "ticket_cost": "how many of it a ticket costs",
    "start_time": "from this hour, as a share of the day",
    "end_time": "to this hour, as a share of the day",
    "fine_item": "paid in",
    "fine_per_block": "how many of it a block costs",
    "market_tax": "the share of what is traded",
}
assert set(_WEATHERS) == set(get_args(WeatherKind))
assert set(_GOALS) == set(get_args(GoalKind))


class Option(msgspec.Struct, frozen=True):
    """One thing that can be chosen."""

    value: str
    text: str


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to choose in a change."""

    name: str
    """The member of the change that it is; `params.NAME` is one of its parameters."""
    text: str
    kind: Literal["choice", "number", "text"]
    options: list[Option] = []
    """What can be chosen; with `among`, those of them that are in the world, or without any option
    whatever is."""
    among: Among = ""
    optional: bool = False
    min: float = 0
    max: float = 0
    whole: bool = False
    """Whether a number is a whole one."""
    default: str = ""
    of: str = ""
    """The field on which it depends; empty if it is always there."""
    values: list[str] = []
    """The values of that field with which it is there."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of change."""

    change: str
    text: str
    fields: list[Field]


def _choice(name: str, text: str, options: Iterable[tuple[str, str]] = (), **other: Any) -> Field:
    listed = [Option(*option) for option in options]
    return Field(name=name, text=text, kind="choice", options=listed, **other)


def _law_fields() -> list[Field]:
    """The law that is passed, and the parameters of each kind of law."""
    catalogs = default_catalogs()
    templates = [catalogs.law_templates[name] for name in laws.TEMPLATES]
    fields = [_choice("law", "namely", [(each.id, each.title) for each in templates])]
    for template in templates:
        for name, bounds in template.params.items():
            if bounds["type"] == "item":
                items = [(item, item.lower().replace("_", " ")) for item in catalogs.items]
                asked = _choice(
                    f"params.{name}", _PARAMS[name], items, of="law", values=[template.id]
                )
                fields.append(asked)
                continue
            field = Field(
                name=f"params.{name}",
                text=_PARAMS[name],
                kind="number",
                min=bounds["min"],
                max=bounds["max"],
                whole=bounds["type"] == "integer",
                default=str(bounds["min"]),
                of="law",
                values=[template.id],
            )
            fields.append(field)
    fields.append(_choice("land", "on", among="lands", optional=True))
    fields.append(
        Field(name="title", text="called", kind="text", max=laws.MAX_TITLE_BYTES, optional=True)
    )
    return fields


def _goal_fields() -> list[Field]:
    people = [(name, name) for name in ROSTER]
    tools = [(tool, f"an {tool.lower().replace('_', ' ')}") for tool in IRON_TOOLS]
    return [
        _choice("person", "namely", people, among="people"),
        _choice("goal", "now wants", _GOALS.items()),
        _choice("thing", "namely", tools, of="goal", values=["tool"]),
        _choice("thing", "namely", people, among="people", of="goal", values=["friend"]),
    ]


OFFERS: Final = (
    Offer(
        change="weather",
        text="the weather changes",
        fields=[
            _choice("weather", "to", _WEATHERS.items()),
            Field(
                name="ticks",
                text="for so many ticks",
                kind="number",
                min=1,
                max=MAX_WEATHER_TICKS,
                whole=True,
                default=str(HALF_A_DAY),
            ),
        ],
    ),
    Offer(
        change="repeal_law",
        text="a law is repealed",
        fields=[_choice("law", "namely", among="laws")],
    ),
    Offer(change="pass_law", text="a law is passed", fields=_law_fields()),
    Offer(change="goal", text="somebody wants something else", fields=_goal_fields()),
)
