"""Lines out of bytes, whatever the bytes and however they are cut."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.arena.external import AgentFailure
from thorp.arena.external.agent_process import LINE_BYTES_LIMIT, LineBuffer
from thorp.arena.external.protocol import check_ready, is_late, read_message, take_action
from thorp.kernel.errors import LimitError


def taken(lines: LineBuffer) -> list[bytes]:
    return list(iter(lines.take, None))


@given(st.lists(st.binary(max_size=20)))
def test_lines_do_not_depend_on_how_the_stream_is_cut(chunks: list[bytes]) -> None:
    whole, cut = LineBuffer(), LineBuffer()
    whole.feed(b"".join(chunks))
    expected = [line for line in b"".join(chunks).split(b"\n")[:-1] if line.strip()]
    got = []
    for chunk in chunks:
        cut.feed(chunk)
        got += taken(cut)
    assert got == taken(whole) == expected


def test_the_longest_line() -> None:
    lines = LineBuffer()
    lines.feed(b"x" * LINE_BYTES_LIMIT)
    assert lines.take() is None
    lines.feed(b"\nnext\n")
    assert taken(lines) == [b"x" * LINE_BYTES_LIMIT, b"next"]


@pytest.mark.parametrize("cuts", [1, 2, 40])
def test_a_line_too_long_is_refused_once_and_then_skipped(cuts: int) -> None:
    lines, refusals, got = LineBuffer(), 0, []
    data = b"x" * (3 * LINE_BYTES_LIMIT) + b"\nnext\n"
    size = -(-len(data) // cuts)
    for start in range(0, len(data), size):
        lines.feed(data[start : start + size])
        try:
            got += taken(lines)
        except LimitError:
            refusals += 1
            got += taken(lines)
    assert (refusals, got) == (1, [b"next"])


def test_an_endless_line_takes_no_memory() -> None:
    lines = LineBuffer()
    for _ in range(200):
        lines.feed(b"x" * 65536)
        with contextlib.suppress(LimitError):
            assert lines.take() is None
        assert len(lines._buffer) <= LINE_BYTES_LIMIT + 65536


MESSAGES: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from(["type", "turn", "action", "message", "protocol"]),
    st.sampled_from(["action", "error", "ready", 0, 1, 2, True, None, 1.0, [], {}]),
)


@given(st.binary(max_size=100))
def test_any_bytes_are_a_message_or_a_failure(data: bytes) -> None:
    with contextlib.suppress(AgentFailure):
        assert isinstance(read_message(data), dict)


@given(MESSAGES, st.integers(1, 3))
def test_any_message_is_an_action_or_a_failure(message: dict[str, object], turn: int) -> None:
    is_late(message, turn)
    with contextlib.suppress(AgentFailure):
        check_ready(message)
    with contextlib.suppress(AgentFailure):
        action = take_action(message, turn)
        assert (message["type"], message["turn"], message["action"]) == ("action", turn, action)
        assert type(message["turn"]) is int
