"""What an agent can do at this moment, as values for the fields of its tools.

A small model that may write anything asks for logs where none are in sight, and for goods that it
does not have. So its endpoint is given a JSON schema whose enums hold what there is *now*: blocks
in sight, goods in its pocket, recipes that it has everything for, people near, open trades. A
refusal names them, too. All of it follows from the observation and the catalogs that came over the
wire; the world still decides, and what is listed may be refused for a reason that nobody sees.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from thorp.kernel.canonical import Json
from thorp.language.tools import MINE_REACH, Schema, Tool, can_reach
from thorp.protocol.block_view import BlockView
from thorp.protocol.frame import clip
from thorp.protocol.obs import Event, Obs, Position

MAX_VALUES: Final = 32
"""Values of one enum: as many as a person carries kinds of goods, or sees kinds of blocks."""
MAX_WORDS_BYTES: Final = 480  # Of the sentence that a refusal gets: as long as a line of news.
MAX_TEXT: Final = 320
"""Characters of a text, about a paragraph: a reply that is cut off at its longest is lost."""
STATION_REACH: Final = 2  # How far a bench or furnace may be, in cells along each axis.
# How far from the agent a place may be that a tool names, along each axis.
_REACHES: Final = {"mine": MINE_REACH, "place": 6, "build_blueprint": 32}
_WALK_REACH: Final = 128
"""For all other tools: several times as far as anyone sees."""
_LARGEST: Final = 2**31 - 1  # The largest whole number of the protocol.
# Blocks that nobody can mine; the palette does not say it.
_UNMINEABLE: Final = frozenset({"AIR", "BEDROCK", "WATER"})
_AXES: Final = "xyz"
_HAND: Final = "HAND"
_FURNACE: Final = "FURNACE"
_AGENT: Final = "AGENT"
_ITEM: Final = "ITEM"


class Recipe(NamedTuple):
    """What is made, where, and what of."""

    id: str
    station: str
    inputs: Mapping[str, int]


class Possibilities(NamedTuple):
    """What there is now, each list with the nearest or first one first."""

    position: Position = (0, 0, 0)
    blocks: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    smeltable: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    trades: tuple[str, ...] = ()


# The fields of tools that name one of these.
_FIELDS: Final[dict[tuple[str, str], str]] = {
    ("mine_nearest", "block"): "blocks",
    ("place", "item_id"): "carried",
    ("eat", "item_id"): "carried",
    ("org_deposit", "item_id"): "carried",
    ("offer_trade", "offer_item"): "carried",
    ("offer_trade", "to"): "people",
    ("craft", "recipe_id"): "recipes",
    ("smelt", "item_id"): "smeltable",
    ("gather", "target_id"): "items",
    ("accept_trade", "trade_id"): "trades",
    ("decline_trade", "trade_id"): "trades",
}


def read_recipes(catalog: object) -> list[Recipe]:
    """The recipes of a world's catalog; what is no recipe is left out."""
    recipes = []
    for row in catalog if isinstance(catalog, list) else ():
        try:
            inputs = {str(stack["item"]): int(stack["count"]) for stack in row["inputs"]}
            recipes.append(Recipe(str(row["recipe_id"]), str(row["station"]), inputs))
        except (KeyError, TypeError, ValueError):
            continue
    return recipes


def find_possibilities(
    obs: Obs, sight: BlockView, offers: Mapping[str, Event], recipes: Iterable[Recipe]
) -> Possibilities:
    """What there is for an agent that sees this."""
    carried = {stack.item: stack.count for stack in obs.inventory if stack.count > 0}
    made = [
        recipe
        for recipe in recipes
        if all(carried.get(item, 0) >= count for item, count in recipe.inputs.items())
        and _is_near(recipe.station, obs.body.pos, sight)
    ]
    by_distance = sorted(obs.entities, key=lambda each: _distance(each.pos, obs.body.pos))
    return Possibilities(
        position=obs.body.pos,
        blocks=_bounded(_mineable(obs.body.pos, sight)),
        carried=_bounded(carried),
        recipes=_bounded(recipe.id for recipe in made if recipe.station != _FURNACE),
        smeltable=_bounded(
            item for recipe in made if recipe.station == _FURNACE for item in recipe.inputs
        ),
        people=_bounded(
            each.id for each in by_distance if each.type == _AGENT and each.id != obs.agent_id
        ),
        items=_bounded(each.id for each in by_distance if each.type == _ITEM),
        trades=_bounded(
            id for id, offer in offers.items() if offer.get("expires_tick", obs.tick) >= obs.tick
        ),
    )


def _mineable(position: Position, sight: BlockView) -> Iterator[str]:
    for name in sight.nearest() if sight.palette else ():
        if name in _UNMINEABLE:
            continue
        if any(can_reach(place, position) for place in sight.find_all(name)):
            yield name


def _is_near(station: str, position: Position, sight: BlockView) -> bool:
    if station == _HAND:
        return True
    return any(
        all(abs(there - here) <= STATION_REACH for there, here in zip(place, position, strict=True))
        for place in sight.find_all(station)
    )


def _distance(there: Position, here: Position) -> int:
    return sum(abs(a - b) for a, b in zip(there, here, strict=True))


def _bounded(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:MAX_VALUES]


class Moment:
    """The tools of an agent with what can be said in their fields now."""

    def __init__(self, tools: Sequence[Tool], now: Possibilities) -> None:
        self._tools = {tool.name: _narrowed(tool, now) for tool in tools}

    def call_schema(self) -> dict[str, Json]:
        """The schema of a call that is written as text: `{"name": …, "arguments": {…}}`."""
        return _any_of(
            _closed({"name": {"const": name}, "arguments": parameters})
            for name, parameters in self._possible()
        )

    def action_schema(self) -> dict[str, Json]:
        """The schema of an action with its fields beside its name: `{"action": …, …}`."""
        return _any_of(
            _closed(
                {"action": {"const": name}, **parameters["properties"]},
                ["action", *parameters["required"]],
            )
            for name, parameters in self._possible()
        )

    def instead_of(self, name: str, arguments: object) -> str:
        """What could have been said instead of a call that was refused; empty if it is one that is
        possible as far as anyone can see, and so was refused for another reason."""
        parameters = self._tools.get(name)
        if parameters is not None:
            given = arguments if isinstance(arguments, Mapping) else {}
            wrong = [
                f"{field} {', '.join(values)}"
                for field, values in _enums(name, parameters).items()
                if values and given.get(field) not in values
            ]
            if wrong:
                return clip(f"Possible now: {name} with {'; '.join(wrong)}.", MAX_WORDS_BYTES)
            if _is_possible(name, parameters):
                return ""
        words = (_in_words(name, parameters) for name, parameters in self._possible())
        return clip(f"Possible now: {'; '.join(words)}.", MAX_WORDS_BYTES)

    def _possible(self) -> Iterator[tuple[str, Schema]]:
        return ((name, each) for name, each in self._tools.items() if _is_possible(name, each))


def _narrowed(tool: Tool, now: Possibilities) -> Schema:
    """The schema of a tool's arguments, without words, and with the values of this moment."""
    properties = {
        field: {
            **{key: value for key, value in schema.items() if key != "description"},
            **_values(tool.name, field, schema["type"], now),
        }
        for field, schema in tool.parameters["properties"].items()
        if schema["type"] != "object"  # for programs; a small model would not find its end
    }
    return _closed(properties, list(tool.parameters["required"]))


def _values(name: str, field: str, kind: str, now: Possibilities) -> Schema:
    """What a schema says of the values of a field: those of this moment, or the bounds of a
    number or text. Without bounds a model that is made to write one may not find its end."""
    source = _FIELDS.get((name, field))
    if source is not None:
        return {"enum": list(getattr(now, source))}
    if kind == "string":
        return {"maxLength": MAX_TEXT}
    if kind != "integer":
        return {}
    if field not in _AXES:
        return {"minimum": 0, "maximum": _LARGEST}
    center = now.position[_AXES.index(field)]
    reach = _REACHES.get(name, _WALK_REACH)
    return {"minimum": center - reach, "maximum": center + reach}


def _enums(name: str, parameters: Schema) -> dict[str, list[str]]:
    """The values of those fields that depend on the moment."""
    return {
        field: schema["enum"]
        for field, schema in parameters["properties"].items()
        if (name, field) in _FIELDS
    }


def _is_possible(name: str, parameters: Schema) -> bool:
    """Whether there is something to say in each field that needs it."""
    return all(_enums(name, parameters).values())


def _in_words(name: str, parameters: Schema) -> str:
    values = [", ".join(each) for each in _enums(name, parameters).values()]
    return f"{name} ({' for '.join(values)})" if values else name


def _closed(properties: dict[str, Any], required: list[str] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def _any_of(schemas: Iterable[Schema]) -> dict[str, Json]:
    return {"anyOf": list(schemas)}
