"""Makes the documents of our own interface: `/openapi.json` for HTTP, `/asyncapi.json` for the
agents' WebSocket.

Both are made from what the server itself uses: the table of routes, the structs and contracts that
it reads bodies with, the kernel's table of error kinds, the messages of the agent protocol. What a
handler takes and gives beyond that stands in its `Operation` in the table. The last paragraph here
is the summary of `/openapi.json`.

HEAD is answered wherever GET is. Before a request is read, a connection may be refused with 429 or
503, and malformed HTTP with 400.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final, Literal, NamedTuple

import msgspec
from aiohttp import web

from thorp import __version__
from thorp.kernel.errors import KINDS
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.protocol.handshake import Retire
from thorp.protocol.schemas import NAMES, message_schema
from thorp.server.access.tokens import Permission, least_role
from thorp.story import SCHEMAS as STORY_CONTRACTS
from thorp.town import SCHEMAS as TOWN_CONTRACTS

Schema = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_COMPONENT: Final = "#/components/schemas/"
_JSON: Final = "application/json"
_ENGINE_STATUSES: Final = frozenset(kind.http_status for kind in KINDS)


class Contract(NamedTuple):
    """A body or an answer that one of the contracts describes."""

    name: str


class Media(NamedTuple):
    """An answer that is not JSON."""

    types: tuple[str, ...]


class Violation(msgspec.Struct):
    """One thing that is wrong with a document."""

    code: str
    path: str
    message: str


class Details(msgspec.Struct):
    """Everything that is wrong with a document, and where it begins."""

    path: str
    violations: list[Violation]


class Refusal(msgspec.Struct):
    """Any answer with a status from 400 on. The story's own errors have other details."""

    error: str
    details: Details | Any = None
    kind: Literal[tuple(kind.name for kind in KINDS)] | None = None  # type: ignore[valid-type]


class Parameter(NamedTuple):
    """A parameter of the query."""

    name: str
    type: Any
    about: str


class Operation(NamedTuple):
    """What a route takes and gives. A shape is a type that msgspec knows, a `Contract` or a
    `Media`."""

    answer: Any = dict[str, Any]
    body: Any = None
    query: tuple[Parameter, ...] = ()
    engine: bool = False
    """Whether an engine may refuse it, with any status of the kernel's table."""
    more: tuple[int, ...] = ()
    """Statuses beyond those that follow from its other fields."""
    success: int = 200
    refusal: Any = Refusal
    """The shape of its answers from 400 on."""


class Route(NamedTuple):
    """A row of the table of routes."""

    method: str
    path: str
    needed: Permission
    handler: Handler
    operation: Operation


def openapi(routes: Sequence[Route]) -> dict[str, Any]:
    """The OpenAPI document of a table of routes."""
    operations = [route.operation for route in routes]
    shapes = _Shapes(
        [
            Refusal,
            *(shape for each in operations for shape in (each.answer, each.body, each.refusal)),
        ]
    )
    summary = " ".join((__doc__ or "").split("\n\n")[-1].split())
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, shapes)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Thorp", "version": __version__, "summary": summary},
        "paths": paths,
        "components": {
            "schemas": shapes.components,
            "responses": {
                str(status): {
                    "description": HTTPStatus(status).phrase,
                    "content": shapes.content(Refusal),
                }
                for status in sorted(set().union(*map(statuses, routes)))
                if status >= 400
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "query": {"type": "apiKey", "in": "query", "name": "token"},
            },
        },
    }


class _Shapes:
    """The schemas of all shapes, and the components that they refer to."""

    def __init__(self, shapes: Iterable[Any]) -> None:
        self._schemas: dict[Any, Schema] = {}
        self.components: dict[str, Schema] = {}
        types = []
        for shape in dict.fromkeys(shapes):
            if isinstance(shape, Contract):
                contract = {**TOWN_CONTRACTS, **STORY_CONTRACTS}[shape.name]
                self._schemas[shape] = _add_component(self.components, shape.name, contract())
            elif shape is not None and not isinstance(shape, Media):
                types.append(shape)
        schemas, components = msgspec.json.schema_components(
            types, ref_template=_COMPONENT + "{name}"
        )
        self._schemas.update(zip(types, schemas, strict=True))
        self.components.update(components)

    def content(self, shape: Any) -> dict[str, Any]:
        """The `content` of a body or an answer with this shape."""
        if isinstance(shape, Media):
            return {media: {} for media in shape.types}
        return {_JSON: {"schema": self._schemas[shape]}}


def _add_component(components: dict[str, Schema], name: str, schema: Schema) -> Schema:
    """Add a schema and its definitions to the components; return a reference to it. Definitions get
    the name of the schema in front, since two schemas may have one of the same name."""
    for inner, definition in schema.pop("$defs", {}).items():
        components[f"{name}.{inner}"] = _relocated(definition, name)
    components[name] = _relocated(schema, name)
    return {"$ref": _COMPONENT + name}


def _relocated(value: Any, name: str) -> Any:
    """A schema whose references lead to the components."""
    if isinstance(value, dict):
        return {key: _relocated(inner, name) for key, inner in value.items() if key != "$schema"}
    if isinstance(value, list):
        return [_relocated(inner, name) for inner in value]
    return value.replace("#/$defs/", f"{_COMPONENT}{name}.") if isinstance(value, str) else value


def _operation(route: Route, shapes: _Shapes) -> dict[str, Any]:
    operation = route.operation
    about = " ".join((route.handler.__doc__ or "").split())
    document: dict[str, Any] = {
        "operationId": "_".join([route.method.lower(), *re.findall(r"\w+", route.path)]),
        "summary": about.partition(". ")[0].rstrip("."),
        "description": about,
        "parameters": [
            *map(_in_path, re.findall(r"{(\w+)}", route.path)),
            *map(_in_query, operation.query),
        ],
        "responses": {
            str(each): _response(each, operation, shapes) for each in sorted(statuses(route))
        },
        "security": [],
    }
    if route.needed:
        document["security"] = [{"bearer": []}, {"query": []}]
        document["x-permission"] = str(route.needed.name).lower()
        document["x-least-role"] = least_role(route.needed).name.lower()
    if operation.body is not None:
        document["requestBody"] = {"content": shapes.content(operation.body), "required": True}
    return document


def statuses(route: Route) -> set[int]:
    """Every status with which a route may answer."""
    operation = route.operation
    answered = {operation.success, *operation.more}
    answered |= {401, 403} if route.needed else set()
    answered |= {400} if operation.query else set()
    answered |= {400, 408, 413} if operation.body is not None else set()
    return answered | (_ENGINE_STATUSES if operation.engine else frozenset())


def _response(status: int, operation: Operation, shapes: _Shapes) -> dict[str, Any]:
    if status == 400 and operation.success == 101:
        # `refuse_plain_http` answers with text; all other refusals are JSON.
        content = shapes.content(Media(("text/plain",))) | shapes.content(Refusal)
        return {"description": "Not a request for a WebSocket", "content": content}
    if status >= 400 and operation.refusal is not Refusal:
        return {
            "description": HTTPStatus(status).phrase,
            "content": shapes.content(operation.refusal),
        }
    if status >= 400:
        return {"$ref": f"#/components/responses/{status}"}
    content = {"content": shapes.content(operation.answer)} if status == 200 else {}
    return {"description": HTTPStatus(status).phrase, **content}


def _in_path(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "schema": {"type": "string", "minLength": 1},
    }


def _in_query(parameter: Parameter) -> dict[str, Any]:
    schema = msgspec.json.schema(parameter.type)
    return {"name": parameter.name, "in": "query", "description": parameter.about, "schema": schema}


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI document of `/v1/ws`, from the server's side: it receives HELLO, ACT and
    RETIRE."""
    components: dict[str, Schema] = {}
    payloads = {
        name.upper(): _add_component(components, name, message_schema(name)) for name in NAMES
    }
    payloads["RETIRE"] = _add_component(components, "retire", msgspec.json.schema(Retire))
    messages = {
        name: {"contentType": _JSON, "payload": payload} for name, payload in payloads.items()
    }
    channel = "#/channels/agents"

    def operation(action: str, *names: str) -> dict[str, Any]:
        refs = [{"$ref": f"{channel}/messages/{name}"} for name in names]
        return {"action": action, "channel": {"$ref": channel}, "messages": refs}

    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Thorp, the agent protocol", "version": PROTOCOL_VERSION},
        "channels": {"agents": {"address": "/v1/ws", "messages": messages}},
        "operations": {
            "receive": operation("receive", "HELLO", "ACT", "RETIRE"),
            "send": operation("send", "WELCOME", "CATALOG", "OBS"),
        },
        "components": {"schemas": components},
    }
