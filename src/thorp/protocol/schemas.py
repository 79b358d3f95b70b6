"""JSON Schemas (draft 2020-12) of the messages: for agents in other languages, and for tests.

They say what a right message looks like, which is stricter than what a server accepts: a server ignores
fields that it does not know, a schema says where there are none. They are made from the message types;
what types cannot say stands in the tables here.
"""

from typing import Any, Final

import msgspec

from thorp.protocol.act import MAX_ACTIONS, Tick
from thorp.protocol.actions import Name, SoundInstant, SoundTask
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.protocol.handshake import Catalog, Hello, Message, Welcome
from thorp.protocol.obs import Obs

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class ActMessage(Message, tag="ACT", kw_only=True):
    """An ACT as a careful client writes it."""

    tick: Tick
    agent_id: str
    instants: list[SoundInstant] = msgspec.field(default_factory=list)
    tasks: list[SoundTask] = msgspec.field(default_factory=list)
    cancel: list[Name] = msgspec.field(default_factory=list)
    intent: str = ""


_MESSAGES: Final[dict[str, type[Message]]] = {
    "hello": Hello,
    "welcome": Welcome,
    "catalog": Catalog,
    "obs": Obs,
    "act": ActMessage,
}

# Objects that hold nothing but what is listed. The others may grow.
_CLOSED: Final = (
    *("Hello", "Capabilities", "Auth"),
    *("Welcome", "WorldParams", "CatalogDigests", "PaletteDigest", "Catalog"),
    *("Obs", "Stack", "FunScore"),
    "ActMessage",
)

# By type: fields whose values are bounded.
_BOUNDS: Final[dict[str, dict[str, Schema]]] = {
    "Hello": {"agent_name": {"minLength": 1}},
    "Capabilities": {"max_queue": {"minimum": 1, "maximum": 64}},
    "WorldParams": {
        "tick_rate_hz": {"minimum": 1},
        "height": {"minimum": 1},
        "obs_radius": {"minimum": 1},
        "day_ticks": {"minimum": 1},
        "chunk_size": {"prefixItems": [{"type": "integer", "minimum": 1}] * 3},
    },
    "PaletteDigest": {"count": {"minimum": 1}},
    "Catalog": {"digest": {"minLength": 1}, "part": {"minimum": 1}, "total_parts": {"minimum": 1}},
    "Obs": {"tick": {"minimum": 0}},
    "Surroundings": {"time_of_day": {"minimum": 0, "maximum": 1}, "season_day": {"minimum": 1}},
    "Body": {
        "hp": {"minimum": 0},
        "hunger": {"minimum": 0},
        "stamina": {"minimum": 0, "maximum": 1},
        "status": {"minItems": 1},
    },
    "Voxels": {"radius": {"minimum": 1}},
    "RunningTask": {"progress": {"minimum": 0, "maximum": 1}},
    "ActMessage": {
        "instants": {"maxItems": MAX_ACTIONS},
        "tasks": {"maxItems": MAX_ACTIONS},
        "cancel": {"maxItems": MAX_ACTIONS},
    },
}

# Fields that have a default in Python and are always there on the wire, and the other way round.
_REQUIRED: Final[dict[str, tuple[str, ...]]] = {"Catalog": ("part", "total_parts")}
_OPTIONAL: Final[dict[str, tuple[str, ...]]] = {
    "Auth": ("token",),
    "Body": ("reputation",),
    "LocalRules": ("role", "tax"),
}

NAMES: Final = tuple(_MESSAGES)


def message_schema(name: str) -> Schema:
    """The schema of one message, by its name in small letters."""
    message = _MESSAGES[name]
    (_,), definitions = msgspec.json.schema_components((message,), ref_template="#/$defs/{name}")
    for kind, definition in definitions.items():
        _complete(kind, definition)
    root = definitions.pop(message.__name__)
    if message is ActMessage:
        for family in ("instants", "tasks"):
            root["properties"][family]["items"] = _known_or_other(root["properties"][family]["items"])
    root["required"] = ["type", "protocol_version", *root["required"][1:]]
    return {
        "$schema": _DIALECT,
        "title": f"{name.upper()} {PROTOCOL_VERSION}",
        "type": "object",
        **{key: root[key] for key in ("properties", "required", "additionalProperties")},
        "$defs": definitions,
    }


def _complete(kind: str, definition: Schema) -> None:
    """Say of one type what its Python form cannot say."""
    for name, value in definition["properties"].items():
        value.pop("default", None)
        if len(value.get("enum", ())) == 1:
            value["const"] = value.pop("enum")[0]
        value.update(_BOUNDS.get(kind, {}).get(name, {}))
    required = (*definition["required"], *_REQUIRED.get(kind, ()))
    definition["required"] = [name for name in required if name not in _OPTIONAL.get(kind, ())]
    if kind in _CLOSED:
        definition["additionalProperties"] = False


def _known_or_other(union: Schema) -> Schema:
    """An action of a type that stands here has its form. Other worlds have other types."""
    return {
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "allOf": [
            {"if": {"properties": {"type": {"const": tag}}}, "then": {"$ref": form}}
            for tag, form in union["discriminator"]["mapping"].items()
        ],
    }
