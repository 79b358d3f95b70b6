"""Towns over HTTP: snapshots, handoffs, and who may."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Served, run, serving, with_server
from thorp.client.http import HttpClient
from thorp.kernel.errors import UnavailableError
from thorp.server.access.tokens import Role, Tokens
from thorp.store import database
from thorp.story import StoryConfig
from thorp.town import EmbeddedTown, build_handoff, propose
from thorp.town.profile import built_in_profile


async def post(served: Served, body: bytes | dict[str, Any], **headers: str) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with served.http.post(
        served.url("/v1/handoffs"), data=io.BytesIO(data), headers=headers
    ) as answer:
        return answer.status, await answer.json()


@with_server()
async def test_a_snapshot_a_handoff_and_its_result_over_http(served: Served) -> None:
    with EmbeddedTown(served.data) as world:
        world.create_town("Löwen Hof/2")
    path = "/v1/towns/L%C3%B6wen%20Hof%2F2/snapshot"
    status, text = await served.get(path)
    assert status == 200
    snapshot = json.loads(text)
    assert (snapshot["schemaVersion"], snapshot["townId"]) == ("snapshot.v1", "Löwen Hof/2")
    handoff = build_handoff(propose(snapshot, built_in_profile("mayor", snapshot["townId"])))
    status, result = await post(served, handoff)
    assert (status, result["status"], result["reasonCode"]) == (200, "executed", "EXECUTED")
    status, again = await post(served, handoff)
    assert (status, again["status"], again["reasonCode"]) == (200, "duplicate", "DUPLICATE_HANDOFF")
    assert json.loads((await served.get(path))[1]) != snapshot


@with_server()
async def test_what_is_refused(served: Served) -> None:
    status, text = await served.get("/v1/towns/Nowhere/snapshot")
    assert (status, json.loads(text)["error"]) == (404, "unknown_town")
    for body, error in (
        (b"", "not_json"),
        (b"{", "not_json"),
        (b'{"a":1,"a":2}', "duplicate_key"),
        (b"[" * 65 + b"]" * 65, "depth"),
        (b"\xff", "not_json"),
    ):
        status, answer = await post(served, body)
        assert (status, answer["error"]) == (400, error)
    status, answer = await post(served, {"schemaVersion": "execution-handoff.v1"})
    assert status == 400
    assert len(answer["details"]["violations"]) > 1
    status, _ = await post(served, b" " * (2**20 + 1))
    assert status == 413


@with_server()
async def test_a_full_queue_is_unavailable_at_every_door(served: Served) -> None:
    with EmbeddedTown(served.data) as world:
        world.create_town("Thornwick")
        snapshot = world.snapshot("Thornwick")
    handoff = build_handoff(propose(snapshot, built_in_profile("mayor", "Thornwick")))
    order = {"order": "draw_event", "town_id": "Thornwick"}
    identity = StoryConfig().identity
    envelope = {
        "request_id": "r-1",
        "invoker": {"invoker_id": identity.system_actor, "invoker_role": identity.invoker_role},
        "operator": {"operator_id": identity.operator_id, "input_text": ""},
        "mode": {"kind": "BEAT"},
    }
    assert (await served.get("/invocations", "POST", json=envelope))[0] == 200
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(database, "MAX_QUEUED_WORKS", 0)
        status, answer = await post(served, handoff)
        assert (status, answer["error"], answer["kind"]) == (503, "queue_full", "unavailable")
        status, text = await served.get("/admin/v1/towns/orders", "POST", json=order)
        assert (status, json.loads(text)["error"]) == (503, "queue_full")
        status, text = await served.get(
            "/invocations", "POST", json={**envelope, "request_id": "r-2"}
        )
        assert (status, text) == (503, '{"error":"World busy"}')
        with pytest.raises(UnavailableError) as refused:
            await asyncio.to_thread(asked_by_a_client, served, handoff)
        assert refused.value.code == "queue_full"
    assert (await post(served, handoff))[1]["status"] == "executed"


def asked_by_a_client(served: Served, handoff: dict[str, Any]) -> None:
    with HttpClient(served.url("")) as client:
        client.post("/v1/handoffs", json.dumps(handoff).encode())


def test_strangers_need_a_token_and_viewers_may_not_govern(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path, loopback=Role.ANYONE) as served:
            assert (await served.get("/v1/towns/x/snapshot"))[0] == 401
            _, viewer = Tokens(tmp_path).create(Role.VIEWER, created="today")
            assert (await post(served, {}, Authorization=f"Bearer {viewer}"))[0] == 403

    run(play())
