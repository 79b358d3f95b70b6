"""Recorded replies answer in place of the model, and a file that is not one is refused by line."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.errors import InvalidError
from thorp.models import BudgetError, ModelError, Recording, Reply

HEADER = b'{"format":"thorp.replies","version":3}\n'
OLD_HEADERS = [b'{"format":"thorp.replies","version":%d}\n' % version for version in (1, 2)]
LINE = b'{"caller":"a","reply":{"text":"hi","tokensIn":1,"tokensOut":2},"request":"req_1"}\n'


def never() -> NoReturn:
    raise AssertionError("a recording that answers must not call")


def fail(error: Exception) -> NoReturn:
    raise error


def test_a_new_recording_lets_calls_through_and_notes_them() -> None:
    recording = Recording()
    assert not recording.replaying
    assert recording.ask("a", "req_1", lambda: Reply("hi", 1, 2)) == Reply("hi", 1, 2)
    assert recording.to_jsonl() == HEADER + LINE


@pytest.mark.parametrize(("version", "header"), list(enumerate(OLD_HEADERS, start=1)))
def test_a_recording_of_an_old_version_still_answers_and_stays_what_it_was(
    version: int, header: bytes
) -> None:
    old = Recording.from_jsonl(header + LINE)
    assert (old.version, Recording().version) == (version, 3)
    assert old.ask("a", "req_1", never) == Reply("hi", 1, 2)
    assert old.to_jsonl() == header + LINE


def test_replay_answers_by_caller_and_in_order() -> None:
    live = Recording()
    for caller, text in [("a", "1"), ("b", "2"), ("a", "3")]:
        live.ask(caller, "req_same", partial(Reply, text, 0, 0))
    again = Recording.from_jsonl(live.to_jsonl())
    assert again.replaying
    assert [again.ask("a", "req_same", never).text for _ in range(2)] == ["1", "3"]
    assert again.ask("b", "req_same", never).text == "2"
    assert again.to_jsonl() == live.to_jsonl()


@pytest.mark.parametrize("error", [ModelError("HTTP 500", code="status"), BudgetError("spent")])
def test_errors_are_outcomes(error: Exception) -> None:
    live = Recording()
    with pytest.raises(type(error)):
        live.ask("a", "req_1", lambda: fail(error))
    with pytest.raises(ModelError) as caught:
        Recording.from_jsonl(live.to_jsonl()).ask("a", "req_1", never)
    assert str(caught.value) == str(error)


def test_a_bug_is_not_an_outcome() -> None:
    live = Recording()
    with pytest.raises(ZeroDivisionError):
        live.ask("a", "req_1", lambda: fail(ZeroDivisionError()))
    assert live.to_jsonl() == b""


def test_a_request_without_a_reply_is_refused_by_name() -> None:
    recording = Recording.from_jsonl(HEADER + LINE)
    for caller, request in [("a", "req_2"), ("b", "req_1")]:
        with pytest.raises(InvalidError, match=f"no reply is recorded for request {request}"):
            recording.ask(caller, request, never)
    assert recording.ask("a", "req_1", never).text == "hi"
    with pytest.raises(InvalidError, match="no reply is recorded"):
        recording.ask("a", "req_1", never)


def test_nothing_recorded_is_nothing_written() -> None:
    assert Recording().to_jsonl() == b""
    assert Recording.from_jsonl(b"").replaying


@given(st.text(), st.text())
def test_any_text_survives(caller: str, text: str) -> None:
    live = Recording()
    live.ask(caller, "req_1", lambda: Reply(text, 3, 4))
    assert Recording.from_jsonl(live.to_jsonl()).ask(caller, "req_1", never) == Reply(text, 3, 4)


def test_lone_surrogates_survive() -> None:
    live = Recording()
    live.ask("a", "req_1", lambda: Reply("\ud800", 3, 4))
    assert Recording.from_jsonl(live.to_jsonl()).ask("a", "req_1", never).text == "\ud800"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (HEADER + LINE[:-1], 2),
        (HEADER[:-1], 1),
        (LINE, 1),
        (HEADER.replace(b"3", b"4"), 1),
        (b"\n" + HEADER, 1),
        (HEADER + LINE + b"\n", 3),
        (HEADER + LINE + b"{}\n", 3),
        (HEADER + LINE + b"[]\n", 3),
        (HEADER + LINE + b"\xff\n", 3),
        (HEADER + b'{"caller":"a","request":"req_1"}\n', 2),
        (HEADER + LINE.replace(b'"reply"', b'"error":{"code":"x","message":"y"},"reply"'), 2),
        (HEADER + LINE.replace(b'"hi"', b"5"), 2),
        (HEADER + LINE.replace(b'"caller"', b'"more":1,"caller"'), 2),
        (HEADER + b"[" * 100_000 + b"\n", 2),
    ],
)
def test_other_files_are_refused_by_line(data: bytes, line: int) -> None:
    with pytest.raises(InvalidError, match=f"line {line}: "):
        Recording.from_jsonl(data)


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for candidate in (data, HEADER + data, HEADER + LINE + data):
        with contextlib.suppress(InvalidError):
            Recording.from_jsonl(candidate)
