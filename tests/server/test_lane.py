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
    lane, usual = Lane(between_frames=True), UsualWay()
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
        waiting += usual.feed(lane.pass_on(stream[begin:end]))
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
    lane = Lane(between_frames=True)
    lane.open(into(taken))
    assert lane.pass_on(frame(b"one") + frame(b"t" * 200, BINARY) + frame(b"")) == b""
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
    lane = Lane(between_frames=True)
    taken: list[bytes] = []
    lane.open(into(taken))
    assert lane.pass_on(frame(b"before") + strange) == strange
    assert lane.pass_on(frame(b"after")) == frame(b"after")
    assert taken == [b"before"]


def test_a_long_frame_that_came_in_parts_does_not_close_the_lane_for_good() -> None:
    lane, taken = Lane(between_frames=True), list[bytes]()
    long = frame(b"x" * 70_000)
    assert lane.pass_on(long[:65_536]) + lane.pass_on(long[65_536:]) == long
    lane.open(into(taken))
    assert lane.pass_on(frame(b"next")) == b""
    assert taken == [b"next"]


def test_who_sends_frames_without_end_is_not_followed() -> None:
    lane = Lane(between_frames=True)
    flood = frame(b"", PING) * 10_000
    assert lane.pass_on(flood) == flood
    lane.open(lambda _: pytest.fail("not to be taken"))
    assert lane.pass_on(frame(b"text")) == frame(b"text")


def test_who_does_not_know_where_a_frame_begins_takes_none() -> None:
    lane = Lane(between_frames=False)
    lane.open(lambda _: pytest.fail("not to be taken"))
    assert lane.pass_on(frame(b"text")) == frame(b"text")


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
