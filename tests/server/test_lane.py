"""Frames that are taken the moment they are read: the same ones in the same order, however they come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.serving import Served, masked_frame, open_socket, with_server
from thorp.server.frame_fast_path import Lane

CONTINUED, TEXT, BINARY, PING, RESERVED = 0, 1, 2, 9, 0x40


class Sent(NamedTuple):
    content: bytes
    opcode: int = TEXT
    final: bool = True
    mask: bytes = b"\x01\x80\xff\x00"

    def bytes(self) -> bytes:
        return masked_frame(self.content, self.opcode, final=self.final, mask=self.mask)

    def is_whole_message(self) -> bool:
        return self.final and self.opcode in (TEXT, BINARY)


class UsualWay:
    """Reads frames as they come, one byte after the other if need be."""

    def __init__(self) -> None:
        self._data = b""

    def feed(self, data: bytes) -> list[bytes]:
        """What is in the frames that are complete now."""
        self._data += data
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        return frames

    def _next(self) -> bytes | None:
        data = self._data
        if len(data) < 2:
            return None
        extra = {0xFE: 2, 0xFF: 8}.get(data[1], 0)
        size = int.from_bytes(data[2 : 2 + extra], "big") if extra else data[1] & 0x7F
        begin = 6 + extra
        if len(data) < begin + size or len(data) < begin:
            return None
        mask, content = data[begin - 4 : begin], data[begin : begin + size]
        self._data = data[begin + size :]
        return bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))


def pass_on(lane: Lane, data: bytes) -> bytes:
    rest = lane.take(data)
    lane.follow(rest)
    return rest


SIZES = st.sampled_from([0, 1, 3, 4, 125, 126, 127, 300])
FRAMES = st.builds(
    Sent,
    SIZES.flatmap(lambda size: st.binary(min_size=size, max_size=size)),
    st.sampled_from([TEXT, TEXT, TEXT, BINARY, PING, CONTINUED]),
    st.sampled_from([True, True, True, False]),
    st.binary(min_size=4, max_size=4),
)


@given(st.lists(FRAMES, max_size=12), st.data())
def test_no_frame_is_lost_changed_or_overtaken(frames: list[Sent], data: st.DataObject) -> None:
    stream = b"".join(frame.bytes() for frame in frames)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=8)))
    lane, usual = Lane(), UsualWay()
    waiting: list[bytes] = []
    heard: list[bytes] = []

    def take(content: bytes) -> bool:
        takes = data.draw(st.booleans(), label="takes")
        if takes:
            assert not waiting, "what came before it was not heard yet"
            assert frames[len(heard)].is_whole_message()
            heard.append(content)
        return takes

    lane.open(take)
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        waiting += usual.feed(pass_on(lane, stream[begin:end]))
        hears = data.draw(st.booleans(), label="listens") if waiting else False
        if hears:
            heard += waiting
            waiting.clear()
            lane.open(take)
    assert heard + waiting == [frame.content for frame in frames]


def into(taken: list[bytes]) -> Callable[[bytes], bool]:
    def take(content: bytes) -> bool:
        taken.append(content)
        return True

    return take


def frame(content: bytes, opcode: int = TEXT, *, final: bool = True) -> bytes:
    return Sent(content, opcode, final).bytes()


def test_whole_messages_are_taken_several_in_a_read_too() -> None:
    taken: list[bytes] = []
    lane = Lane()
    lane.open(into(taken))
    assert pass_on(lane, frame(b"one") + frame(b"t" * 200, BINARY) + frame(b"")) == b""
    assert taken == [b"one", b"t" * 200, b""]


@pytest.mark.parametrize(
    "strange",
    [
        frame(b"hello", PING),
        frame(b"hello")[:-1],
        frame(b"hello")[:3],
        frame(b"hello")[:1],
        frame(b"x" * 300)[:3],
        frame(b"hello", final=False),
        frame(b"hello", CONTINUED),
        frame(b"hello", TEXT | RESERVED),
        bytes([0x80 | TEXT, 5]) + b"plain",
        frame(b"x" * 70_000)[:-1],
    ],
)
def test_what_is_no_whole_message_goes_the_usual_way_and_all_that_follows_with_it(strange: bytes) -> None:
    lane = Lane()
    taken: list[bytes] = []
    lane.open(into(taken))
    assert pass_on(lane, frame(b"before") + strange) == strange
    assert pass_on(lane, frame(b"after")) == frame(b"after")
    assert taken == [b"before"]


def test_a_long_frame_that_came_in_parts_does_not_close_the_lane_for_good() -> None:
    lane, taken = Lane(), list[bytes]()
    long = frame(b"x" * 70_000)
    assert pass_on(lane, long[:65_536]) + pass_on(lane, long[65_536:]) == long
    lane.open(into(taken))
    assert pass_on(lane, frame(b"next")) == b""
    assert taken == [b"next"]


def test_a_message_in_several_frames_closes_the_lane_for_good() -> None:
    lane = Lane()
    pass_on(lane, frame(b"one", final=False) + frame(b"two", CONTINUED))
    lane.open(lambda _: pytest.fail("not to be taken"))
    assert pass_on(lane, frame(b"text")) == frame(b"text")


PLAIN = bytes([0x80 | TEXT, 5]) + b"plain"


@given(st.lists(FRAMES, max_size=12), st.binary(max_size=30), st.data())
def test_a_frame_without_a_mask_is_found_wherever_it_comes_and_no_other(
    frames: list[Sent], behind: bytes, data: st.DataObject
) -> None:
    before = b"".join(frame.bytes() for frame in frames)
    stream = before + PLAIN + behind
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=8)))
    lane = Lane()
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        pass_on(lane, stream[begin:end])
        assert lane.unmasked == (end >= len(before) + 2)
        if lane.unmasked:
            break


PING_FRAME = frame(b"still there?", PING)
WAYS = {
    "together": lambda one, two: [one + two],
    "the first in parts": lambda one, two: [one[:40], one[40:] + two],
    "the second in parts": lambda one, two: [one + two[:7], two[7:]],
    "a head in parts": lambda one, two: [one[:1], one[1:], two],
    "with a ping between them": lambda one, two: [one + PING_FRAME + two],
    "with a ping before": lambda one, two: [PING_FRAME, one, two],
}


@with_server(tick_rate_hz=20)
async def test_acts_are_heard_in_order_however_their_bytes_are_cut(served: Served) -> None:
    async with served.agent("mole") as mole:
        transport = mole.socket._writer.transport  # type: ignore[union-attr]

        def act(ref: str) -> bytes:
            parts = {"tick": mole.last["tick"], "cancel": [ref]}
            return masked_frame(json.dumps({"type": "ACT", "protocol_version": "0.9", **parts}).encode())

        for way, cut in WAYS.items():
            await mole.obs()
            for piece in cut(act(f"{way} 1"), act(f"{way} 2")):
                transport.write(piece)
                await asyncio.sleep(0.01)
            answered: list[str] = []
            while len(answered) < 2:
                events = (await mole.obs())["events"]
                answered += [event["ref"] for event in events if event["type"] == "ACTION_RESULT"]
            assert answered == [f"{way} 1", f"{way} 2"]


@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING])
@pytest.mark.parametrize("greets", [True, False])
def test_a_frame_without_a_mask_closes_the_connection(tmp_path: Path, opcode: int, greets: bool) -> None:
    @with_server()
    async def play(served: Served) -> None:
        async with served.socket("/v1/ws") as peer:
            if greets:
                await peer.hello()
                await peer.greeted()
            peer.socket._writer.transport.write(  # type: ignore[union-attr]
                bytes([0x80 | opcode, 5]) + b"plain"
            )
            assert (await peer.closed()).code == 1002

    play(tmp_path)


def saying(text: str, tick: int) -> bytes:
    instants = [{"id": "say", "type": "SAY", "channel": "MARKET", "text": text}]
    act = {"type": "ACT", "protocol_version": "0.9", "tick": tick, "instants": instants}
    return masked_frame(json.dumps(act).encode())


def a_frame_in_a_frame(tick: int) -> tuple[bytes, bytes]:
    """One that holds another, cut where it looks like the end of a request."""
    inside = saying("inside", tick)
    whole = masked_frame(b"x\r\n\r\n" + inside + b"x" * 200)
    cut = whole.index(b"\r\n\r\n") + 4
    return whole[:cut], whole[cut:]


@with_server(tick_rate_hz=5)
async def test_who_does_not_wait_for_the_switch_is_heard_too(served: Served) -> None:
    async with served.agent("near by") as near_by:
        tick = (await near_by.obs())["tick"]
        with open_socket(served.port, b"") as hurried:
            hurried.sendall(saying("in a hurry", tick))
            assert (await near_by.event("CHAT"))["text"] == "in a hurry"


@with_server(tick_rate_hz=5)
async def test_what_came_with_the_request_is_no_beginning_of_frames(served: Served) -> None:
    async with served.agent("near by") as near_by:
        tick = (await near_by.obs())["tick"]
        first, rest = a_frame_in_a_frame(tick)
        with open_socket(served.port, first) as sly:
            await near_by.obs()
            sly.sendall(rest + saying("after it", near_by.last["tick"]))
            assert (await near_by.event("CHAT"))["text"] == "after it"


HEAD = (
    b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
OTHER = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
PROTOCOL_ERROR = b"\x88\x02\x03\xea"
HIDDEN_PLAINLY: dict[str, list[bytes]] = {
    "with the request": [HEAD + PLAIN],
    "with a request in parts": [HEAD[:70], HEAD[70:-2], HEAD[-2:] + PLAIN],
    "with part of the request": [HEAD[:-1], HEAD[-1:] + PLAIN],
    "behind a frame that came with the request": [HEAD + PING_FRAME + PLAIN],
    "cut, with the request": [HEAD + PLAIN[:1], PLAIN[1:]],
    "behind more frames than one counts": [HEAD, PING_FRAME * 500 + PLAIN],
    "behind a head that is cut": [HEAD, PING_FRAME[:1], PING_FRAME[1:] + PLAIN],
    "behind a part of a message": [HEAD, frame(b"part", final=False) + PLAIN],
    "after another request": [OTHER, HEAD + PLAIN],
    "behind an end that is none": [HEAD, frame(b"websocket\r\n\r\n") + PLAIN],
}


@with_server()
async def test_a_frame_without_a_mask_closes_the_connection_however_it_comes(served: Served) -> None:
    for how, pieces in HIDDEN_PLAINLY.items():
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(5):
            answer = await reader.read()
        assert b"101 Switching Protocols" in answer, how
        assert answer.endswith(PROTOCOL_ERROR), how
        writer.close()


SMUGGLED: dict[str, list[bytes]] = {
    "in one read": [OTHER + HEAD + PLAIN],
    "in two": [OTHER + HEAD[:30], HEAD[30:] + PLAIN],
    "with a later end": [OTHER + HEAD + PLAIN + b"websocket\r\n\r\n"],
    "with a body": [HEAD.replace(b"Host:", b"Content-Length: 7\r\nHost:") + PLAIN],
    "with other line ends": [HEAD.replace(b"\r\n", b"\n") + PLAIN + b"websocket\r\n\r\n"],
}


@with_server()
async def test_who_asks_for_a_socket_before_the_last_answer_gets_none(served: Served) -> None:
    for how, pieces in SMUGGLED.items():
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        for piece in pieces:
            writer.write(piece)
        async with asyncio.timeout(5):
            answer = await reader.readuntil(b"400 Bad Request")
        assert b"101 Switching" not in answer, how
        writer.close()


@with_server()
async def test_a_body_that_speaks_of_sockets_is_read_like_any_other(served: Served) -> None:
    body = b'{"name": "Upgrade: websocket\\r\\n"}'.replace(b"\\r\\n", b"\r\n\r\n") + b" " * 100
    head = b"POST /admin/v1/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(head + body)
    await asyncio.sleep(0.02)
    writer.write(OTHER)
    async with asyncio.timeout(5):
        assert b"404" in await reader.readline()
        assert b"200 OK" in await reader.readuntil(b"200 OK")
    writer.close()
