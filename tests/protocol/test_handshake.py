"""HELLO and SUBSCRIBE: what is accepted, what closes the connection, and with which words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocol.samples import frame, hello
from tests.protocol.test_act import JSON
from thorp.protocol import HelloError, SubscribeError, read_hello, read_subscribe
from thorp.protocol.handshake import MAX_NAME_BYTES, MAX_REASON_BYTES, Auth, Capabilities, Hello
from thorp.protocol.observer import Subscribe


def closed(data: bytes) -> str:
    with pytest.raises(HelloError) as caught:
        read_hello(data)
    assert caught.value.close_code == 1008
    return caught.value.reason


def test_a_full_hello() -> None:
    got = read_hello(frame(hello(auth={"token": " resume_7 "})))
    assert got == Hello(
        agent_name="mole",
        capabilities=Capabilities(delta_voxels=True, max_queue=16),
        auth=Auth(token="resume_7"),
    )
    assert got.token == "resume_7"


@pytest.mark.parametrize(
    "message",
    [
        {"type": "HELLO", "protocol_version": "0.9"},
        {
            "type": "HELLO",
            "protocol_version": "0.9",
            "agent_name": "",
            "capabilities": None,
            "auth": None,
        },
        {
            "type": "HELLO",
            "protocol_version": "0.9",
            "auth": {"token": None},
            "supported_versions": 7,
        },
    ],
)
def test_what_is_missing_has_a_default(message: dict[str, Any]) -> None:
    got = read_hello(frame(message))
    assert (got.agent_name, got.capabilities, got.token) == ("agent", Capabilities(), "")


@pytest.mark.parametrize(
    ("wanted", "given_queue"),
    [(0, 8), (-5, 8), (1, 1), (64, 64), (65, 64), (10**30, 64), (None, 8)],
)
def test_the_queue_has_its_range(wanted: int | None, given_queue: int) -> None:
    got = read_hello(frame(hello(capabilities={"max_queue": wanted})))
    assert got.capabilities.max_queue == given_queue


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "expected HELLO"),
        (b"hello", "expected HELLO"),
        (b"[]", "expected HELLO"),
        (b"\xff", "expected HELLO"),
        (b'{"a":' + b"[" * 100_000, "expected HELLO"),
        (frame(hello()) + b"x", "expected HELLO"),
        (frame(hello(type="ACT")), "expected HELLO"),
        (frame(hello(type=1)), "expected HELLO"),
        (frame(hello(protocol_version=0.9)), "expected HELLO"),
        (frame(hello(protocol_version="1.1")), "bad protocol_version"),
        (frame({"type": "HELLO"}), "bad protocol_version"),
        (frame(hello(agent_name=5)), "agent_name: expected a string, got 5"),
        (frame(hello(agent_name="\0")), "agent_name: expected text without U+0000"),
        (frame(hello(agent_name="\ud83d")), "agent_name: expected text without U+0000"),
        (frame(hello(capabilities=[])), "capabilities: expected an object, got []"),
        (
            frame(hello(capabilities={"max_queue": 8.0})),
            "capabilities.max_queue: expected an integer, got 8.0",
        ),
        (
            frame(hello(capabilities={"delta_voxels": 1})),
            "capabilities.delta_voxels: expected true or false, got 1",
        ),
        (frame(hello(auth={"token": 1})), "auth.token: expected a string, got 1"),
    ],
    ids=range(18),
)
def test_what_closes_the_connection(data: bytes, reason: str) -> None:
    assert closed(data).startswith(reason)


def test_a_reason_fits_into_a_close_frame() -> None:
    reason = closed(frame(hello(capabilities={"max_queue": "€" * 100})))
    assert len(reason.encode()) <= MAX_REASON_BYTES


def test_a_long_name_is_cut_between_characters() -> None:
    got = read_hello(json.dumps(hello(agent_name="a" + "é" * 100), ensure_ascii=False).encode())
    assert got.agent_name == "a" + "é" * 31
    assert len(got.agent_name.encode()) == MAX_NAME_BYTES - 1


def subscribe(**fields: Any) -> bytes:
    return frame({"type": "SUBSCRIBE", "protocol_version": "0.1", **fields})


def test_a_subscription() -> None:
    assert read_subscribe(subscribe()) == Subscribe()
    got = read_subscribe(
        subscribe(
            chunk_radius=99, max_chunks=-1, focus_agent_id="A3", voxel_radius=9, voxel_max_chunks=7
        )
    )
    assert got == Subscribe(
        chunk_radius=32, max_chunks=1024, focus_agent_id="A3", voxel_radius=8, voxel_max_chunks=7
    )
    assert read_subscribe(subscribe(focus_pos=[3, 27, -40])).focus_pos == (3, 27, -40)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x", "bad subscribe"),
        (subscribe(type=1), "bad subscribe"),
        (subscribe(type="HELLO"), "expected SUBSCRIBE"),
        (subscribe(protocol_version="0.9"), "expected SUBSCRIBE"),
        (subscribe(chunk_radius="6"), 'chunk_radius: expected an integer, got "6"'),
        (subscribe(focus_pos=[1, 2]), "focus_pos: expected an array of 3 integers, got [1, 2]"),
        (
            subscribe(focus_pos=[1, 2, 0.5]),
            "focus_pos: expected an array of 3 integers, got [1, 2, 0.5]",
        ),
    ],
)
def test_a_wrong_subscription(data: bytes, reason: str) -> None:
    with pytest.raises(SubscribeError) as caught:
        read_subscribe(data)
    assert caught.value.reason == reason


FIELDS = (
    "type",
    "protocol_version",
    "agent_name",
    "capabilities",
    "auth",
    "chunk_radius",
    "focus_agent_id",
    "focus_pos",
)


@given(
    JSON
    | st.dictionaries(
        st.sampled_from(FIELDS), JSON | st.sampled_from(("HELLO", "0.9", "0.1", "SUBSCRIBE"))
    )
)
def test_whatever_comes_nothing_else_goes_wrong(message: Any) -> None:
    data = json.dumps(message).encode("utf-8", "surrogatepass")
    for read, error in ((read_hello, HelloError), (read_subscribe, SubscribeError)):
        try:
            read(data)
        except error as problem:
            if not 0 < len(problem.reason.encode()) <= MAX_REASON_BYTES:
                raise AssertionError("no close frame holds that reason") from problem
