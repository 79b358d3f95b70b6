"""`/openapi.json` is true: every route is in it, and a fuzzer that goes by it is never answered
otherwise."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import schemathesis
from schemathesis.engine import events, from_schema

from tests.server.serving import Served, serving, table_of_routes, with_server
from thorp.server.access.tokens import Permission, Role, ensure_admin_token
from thorp.town import EmbeddedTown

# A name that the fuzzer tries, too, so that some of its requests find a town.
TOWN = "0"
# What has no end, and the document itself.
NOT_FUZZED = ("/v1/story/events", "/openapi.json")


@with_server()
async def test_every_route_is_in_the_document(served: Served) -> None:
    status, text = await served.get("/openapi.json")
    document = json.loads(text)
    assert (status, document["openapi"]) == (200, "3.1.0")
    told = {
        (method.upper(), path): operation
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    }
    assert set(told) == {(route.method, route.path) for route in table_of_routes()}
    for route in table_of_routes():
        operation = told[route.method, route.path]
        assert operation["summary"], route.path
        assert bool(operation["security"]) == bool(route.needed), route.path
        if route.needed:
            assert Permission[operation["x-permission"].upper()] is route.needed
    operation_ids = [operation["operationId"] for operation in told.values()]
    assert len(set(operation_ids)) == len(operation_ids)


@with_server()
async def test_every_reference_of_the_documents_leads_somewhere(served: Served) -> None:
    def references(value: Any) -> Iterator[str]:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if key == "$ref":
                yield inner
            elif isinstance(inner, dict | list):
                yield from references(inner)

    for path in ("/openapi.json", "/asyncapi.json"):
        document = json.loads((await served.get(path))[1])
        found = set(references(document))
        assert found
        for reference in found:
            target = document
            for part in reference.removeprefix("#/").split("/"):
                target = target[part]


@with_server()
async def test_the_messages_of_the_agents_socket_are_told(served: Served) -> None:
    document = json.loads((await served.get("/asyncapi.json"))[1])
    messages = document["channels"]["agents"]["messages"]
    assert set(messages) == {"HELLO", "WELCOME", "CATALOG", "OBS", "ACT", "RETIRE"}
    async with served.agent() as mole:
        for message in (mole.welcome, *mole.catalogs.values(), await mole.obs()):
            schema = {**messages[message["type"]]["payload"], "components": document["components"]}
            jsonschema.validate(message, schema)
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({**message, "protocol_version": 9}, schema)


@contextmanager
def served_in_a_thread(data: Path) -> Iterator[int]:
    """The port of a server that trusts nobody without a token."""
    loop, end = asyncio.new_event_loop(), asyncio.Event()
    ports: list[int] = []
    started = threading.Event()

    async def serve() -> None:
        async with serving(data, loopback=Role.ANYONE, tape=True, tick_rate_hz=20) as served:
            ports.append(served.port)
            started.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    try:
        assert started.wait(20)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()
        loop.close()


def _fuzzing(token: str) -> schemathesis.Config:
    """The same requests each time. Whatever types cannot say, a valid body may still be refused
    for."""
    return schemathesis.Config.from_dict(
        {
            "seed": 1,
            "headers": {"Authorization": f"Bearer {token}"},
            "request-timeout": 30,
            "continue-on-failure": True,
            "generation": {"max-examples": 4, "deterministic": True},
            "checks": {"positive_data_acceptance": {"enabled": False}},
            "phases": {"stateful": {"enabled": False}},
            "operations": [
                {"include-path": NOT_FUZZED[0], "enabled": False},
                {  # each starts a process
                    "include-path-regex": "/verify$",
                    "generation": {"max-examples": 3},
                    "phases": {"coverage": {"enabled": False}},
                },
            ],
        }
    )


def test_a_fuzzer_finds_no_5xx_and_no_undocumented_answer(tmp_path: Path) -> None:
    with EmbeddedTown(tmp_path) as towns:
        towns.create_town(TOWN)
    failures, statuses, asked = [], Counter[int](), Counter[str]()
    with served_in_a_thread(tmp_path) as port:
        url = f"http://127.0.0.1:{port}/openapi.json"
        schema = schemathesis.openapi.from_url(url, config=_fuzzing(ensure_admin_token(tmp_path)))
        for event in from_schema(schema).execute():
            assert not isinstance(event, events.FatalError | events.NonFatalError), event
            if isinstance(event, events.ScenarioFinished):
                answered = [each.response for each in event.recorder.interactions.values()]
                statuses.update(
                    response.status_code for response in answered if response is not None
                )
                asked[str(event.label)] += len(answered)
                failures += [
                    f"{check.name}: {check.failure_info.failure}\n{check.failure_info.code_sample}"
                    for checks in event.recorder.checks.values()
                    for check in checks
                    if check.failure_info is not None
                ]
    assert not failures, "\n\n".join(failures[:10])
    fuzzed = {
        f"{route.method} {route.path}"
        for route in table_of_routes()
        if route.path not in NOT_FUZZED
    }
    assert {label for label, count in asked.items() if count} == fuzzed
    assert {200, 400, 401, 404, 405, 409} <= set(statuses), statuses
