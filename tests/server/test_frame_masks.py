"""Frames of clients: heard in order however their bytes are cut, and refused without a mask."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.serving import Served, masked_frame, open_socket, with_server
from thorp.server.sockets.frames import MaskCheck

CONTINUED, TEXT, BINARY, PING = 0, 1, 2, 9


class Sent(NamedTuple):
    content: bytes
    opcode: int = TEXT
    final: bool = True
    mask: bytes = b"\x01\x80\xff\x00"

    def bytes(self) -> bytes:
        return masked_frame(self.content, self.opcode, final=self.final, mask=self.mask)


SIZES = st.sampled_from([0, 1, 3, 4, 125, 126, 127, 300])
FRAMES = st.builds(
    Sent,
    SIZES.flatmap(lambda size: st.binary(min_size=size, max_size=size)),
    st.sampled_from([TEXT, TEXT, TEXT, BINARY, PING, CONTINUED]),
    st.sampled_from([True, True, True, False]),
    st.binary(min_size=4, max_size=4),
)


def frame(content: bytes, opcode: int = TEXT, *, final: bool = True) -> bytes:
    return Sent(content, opcode, final).bytes()


PLAIN = bytes([0x80 | TEXT, 5]) + b"plain"


@given(st.lists(FRAMES, max_size=12), st.binary(max_size=30), st.data())
def test_a_frame_without_a_mask_is_found_wherever_it_comes_and_no_other(
    frames: list[Sent], behind: bytes, data: st.DataObject
) -> None:
    before = b"".join(frame.bytes() for frame in frames)
    stream = before + PLAIN + behind
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=8)))
    masks = MaskCheck()
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        passes = masks.passes(stream[begin:end])
        assert passes == (end < len(before) + 2)
        if not passes:
            break


@given(st.lists(FRAMES, max_size=12))
def test_a_text_that_comes_whole_is_read_with_its_mask_and_nothing_else_is(
    frames: list[Sent],
) -> None:
    masks, in_parts = MaskCheck(), False
    for sent in frames:
        is_whole = sent.opcode == TEXT and sent.final and not in_parts
        assert masks.whole_text(sent.bytes()) == (sent.content if is_whole else None)
        assert masks.whole_text(sent.bytes() * 2) is None
        assert masks.whole_text(sent.bytes()[:-1] or b"x") is None
        if not is_whole:
            assert masks.passes(sent.bytes())
            in_parts = in_parts if sent.opcode == PING else not sent.final
    if not in_parts:
        assert masks.whole_text(PLAIN) is None
        assert masks.passes(frame(b"cut")[:-1])
        assert masks.whole_text(frame(b"")) is None


PING_FRAME = frame(b"still there?", PING)
WAYS = {
    "one after the other": lambda one, two: [one, two],
    "together and then one by one": lambda one, two: [one, two + PING_FRAME],
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
            return masked_frame(
                json.dumps({"type": "ACT", "protocol_version": "0.9", **parts}).encode()
            )

        for way, cut in WAYS.items():
            answered = ["ACT"]
            while "ACT" in answered:  # too late for its tick, on a busy machine: again
                await mole.obs()
                for piece in cut(act(f"{way} 1"), act(f"{way} 2")):
                    transport.write(piece)
                    await asyncio.sleep(0.01)
                answered = []
                while len(answered) < 2:
                    events = (await mole.obs())["events"]
                    answered += [
                        event["ref"] for event in events if event["type"] == "ACTION_RESULT"
                    ]
            assert answered == [f"{way} 1", f"{way} 2"]


@pytest.mark.parametrize("opcode", [TEXT, BINARY, PING])
@pytest.mark.parametrize("greets", [True, False])
def test_a_frame_without_a_mask_closes_the_connection(
    tmp_path: Path, opcode: int, greets: bool
) -> None:
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
async def test_a_frame_without_a_mask_closes_the_connection_however_it_comes(
    served: Served,
) -> None:
    for how, pieces in HIDDEN_PLAINLY.items():
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(30):
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
        async with asyncio.timeout(30):
            answer = await reader.readuntil(b"400 Bad Request")
        assert b"101 Switching" not in answer, how
        writer.close()


@with_server()
async def test_a_body_that_speaks_of_sockets_is_read_like_any_other(served: Served) -> None:
    body = b'{"name": "Upgrade: websocket\\r\\n"}'.replace(b"\\r\\n", b"\r\n\r\n") + b" " * 100
    head = b"POST /admin/v1/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(
        body
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(head + body)
    await asyncio.sleep(0.02)
    writer.write(OTHER)
    async with asyncio.timeout(30):
        assert b"404" in await reader.readline()
        assert b"200 OK" in await reader.readuntil(b"200 OK")
    writer.close()
