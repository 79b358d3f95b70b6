"""JSON Schemas (draft 2020-12) of the messages: for agents in other languages, and for tests.

They describe correct messages, and so are stricter than a server: a server ignores fields that it
does not know, while a schema says which objects have no other fields. They are generated from the
message types; `schemas.json` adds what types cannot express.
"""

from importlib.resources import files
from typing import Any, Final

import msgspec

from thorp.protocol.act import Tick
from thorp.protocol.actions import Name, SoundInstant, SoundTask
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.protocol.handshake import Catalog, Hello, ProtocolMessage, Welcome
from thorp.protocol.obs import Obs

Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class ActMessage(ProtocolMessage, tag="ACT", kw_only=True):
    """An ACT as a careful client writes it."""

    tick: Tick
    agent_id: str
    instants: list[SoundInstant] = msgspec.field(default_factory=list)
    tasks: list[SoundTask] = msgspec.field(default_factory=list)
    cancel: list[Name] = msgspec.field(default_factory=list)
    intent: str = ""


_MESSAGES: Final[dict[str, type[ProtocolMessage]]] = {
    "hello": Hello,
    "welcome": Welcome,
    "catalog": Catalog,
    "obs": Obs,
    "act": ActMessage,
}


class _Beyond(msgspec.Struct):
    """What types cannot express, by the name of the type."""

    closed: list[str]  # Objects that have no fields but those listed. Others may get more.
    bounds: dict[str, dict[str, Schema]]  # Fields whose values are bounded.
    required: dict[str, list[str]]
    """Fields that have a default in Python and are always there on the wire."""
    optional: dict[str, list[str]]  # The other way round.


_BEYOND: Final = msgspec.json.decode(
    (files(__package__) / "schemas.json").read_bytes(), type=_Beyond
)
NAMES: Final = tuple(_MESSAGES)


def message_schema(name: str) -> Schema:
    """The schema of one message, by its name in lower case."""
    message = _MESSAGES[name]
    (_,), definitions = msgspec.json.schema_components((message,), ref_template="#/$defs/{name}")
    for kind, definition in definitions.items():
        _complete(kind, definition)
    root = definitions.pop(message.__name__)
    if message is ActMessage:
        for family in ("instants", "tasks"):
            root["properties"][family]["items"] = _known_or_other(
                root["properties"][family]["items"]
            )
    root["required"] = ["type", "protocol_version", *root["required"][1:]]
    return {
        "$schema": _DIALECT,
        "title": f"{name.upper()} {PROTOCOL_VERSION}",
        "type": "object",
        **{key: root[key] for key in ("properties", "required", "additionalProperties")},
        "$defs": definitions,
    }


def _complete(kind: str, definition: Schema) -> None:
    """Add to the schema of one type what its Python type cannot express."""
    if "description" in definition:  # a docstring, which may be wrapped
        definition["description"] = " ".join(definition["description"].split())
    for name, value in definition["properties"].items():
        value.pop("default", None)
        if len(value.get("enum", ())) == 1:
            value["const"] = value.pop("enum")[0]
        value.update(_BEYOND.bounds.get(kind, {}).get(name, {}))
    required = (*definition["required"], *_BEYOND.required.get(kind, ()))
    definition["required"] = [
        name for name in required if name not in _BEYOND.optional.get(kind, ())
    ]
    if kind in _BEYOND.closed:
        definition["additionalProperties"] = False


def _known_or_other(union: Schema) -> Schema:
    """A schema for actions: one of a listed type must have its fields, and any other type is
    allowed, because other worlds have other actions."""
    return {
        "type": "object",
        "properties": {"type": {"type": "string"}},
        "required": ["type"],
        "allOf": [
            {"if": {"properties": {"type": {"const": tag}}}, "then": {"$ref": form}}
            for tag, form in union["discriminator"]["mapping"].items()
        ],
    }
