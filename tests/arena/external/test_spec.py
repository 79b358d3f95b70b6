"""Seats as the command line writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.arena.contract import Seat
from thorp.arena.external import parse_seats
from thorp.arena.external.spec import (
    BotSpec,
    CommandSpec,
    FileSpec,
    ModelSpec,
    RemoteSpec,
    SocketSpec,
    Spec,
    parse_spec,
)
from thorp.kernel.errors import InvalidError


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", BotSpec("random")),
        ("tit-for-tat", BotSpec("tit-for-tat")),
        ("bot.py:Bot", FileSpec("bot.py", "Bot")),
        ("some/dir with space/bot.py:Bot", FileSpec("some/dir with space/bot.py", "Bot")),
        ("C:\\agents\\bot.py:Bot", FileSpec("C:\\agents\\bot.py", "Bot")),
        ("cmd:./agent --depth=3 'two words'", CommandSpec(("./agent", "--depth=3", "two words"))),
        ("ws:node client.mjs {url}", SocketSpec(("node", "client.mjs", "{url}"))),
        ("cmd:python bot.py:x", CommandSpec(("python", "bot.py:x"))),
        ("http://127.0.0.1:8765/", RemoteSpec("http://127.0.0.1:8765/")),
        ("https://[::1]/agent?x=1", RemoteSpec("https://[::1]/agent?x=1")),
        ("model:qwen3:8b", ModelSpec("qwen3:8b")),
        ("model:vendor/name=1", ModelSpec("vendor/name=1")),
    ],
)
def test_specs(text: str, spec: Spec) -> None:
    assert parse_spec(text) == spec


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "two words",
        "-random",
        "foo:bar",
        "cmd:",
        "cmd:  ",
        "cmd:''",
        "cmd:say 'hello",
        "cmd:a\0b",
        "bot.py",
        "bot.py:",
        "bot.py:two words",
        "bot.py:1",
        "bot.pyc:Bot",
        "bot.py\0.py:Bot",
        "http://",
        "http:host",
        "http://host:port/",
        "http://host:99999/",
        "http://host/ space",
        "http://[::1/",
        "https://zoe:word@host/",
        "model:",
        "model: ",
    ],
)
def test_malformed_specs_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(InvalidError) as caught:
        parse_spec(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(InvalidError) as caught:
        parse_spec("http://zoe:word@host/")
    assert "word@" not in str(caught.value)


def test_a_long_spec_is_not_repeated_whole() -> None:
    with pytest.raises(InvalidError) as caught:
        parse_spec("! " * 10_000)
    assert len(str(caught.value)) < 250


def test_seats_without_an_id_are_numbered_by_kind() -> None:
    texts = [
        "random",
        "baseline",
        "random",
        "x/bot.py:Bot",
        "y/bot.py:Bot",
        "cmd:a",
        "http://h",
        "https://h",
        "model:m",
        "model:n",
    ]
    ids = [
        "random-1",
        "baseline-1",
        "random-2",
        "Bot-1",
        "Bot-2",
        "cmd-1",
        "http-1",
        "http-2",
        "model-1",
        "model-2",
    ]
    assert parse_seats(texts) == tuple(Seat(id, text) for id, text in zip(ids, texts, strict=True))


def test_a_named_seat_does_not_count() -> None:
    assert [seat.id for seat in parse_seats(["ann=random", "random", "ben=random", "random"])] == [
        "ann",
        "random-1",
        "ben",
        "random-2",
    ]


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("me=bot.py:Bot", Seat("me", "bot.py:Bot")),
        ("me=cmd:agent --x=1", Seat("me", "cmd:agent --x=1")),
        ("cmd:agent --x=1", Seat("cmd-1", "cmd:agent --x=1")),
        ("http://h/?a=b", Seat("http-1", "http://h/?a=b")),
        ("me=http://h/?a=b", Seat("me", "http://h/?a=b")),
        ("model:a=b", Seat("model-1", "model:a=b")),
        ("dir/a=b.py:Bot", Seat("Bot-1", "dir/a=b.py:Bot")),
        ("Zoë Ünal=random", Seat("Zoë Ünal", "random")),
    ],
)
def test_where_an_id_ends(text: str, seat: Seat) -> None:
    assert parse_seats([text]) == (seat,)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "give --agent"),
        (["=random"], "the agent id '' is empty"),
        ([" =random"], "the agent id ' ' is empty"),
        (["a\nb=random"], "empty or unprintable"),
        (["\udcff=random"], "empty or unprintable"),
        (["a=random", "a=baseline"], "two agents are called 'a'"),
        (["random-1=baseline", "random"], "two agents are called 'random-1'"),
        (["a="], "cannot read agent ''"),
    ],
)
def test_refused(texts: list[str], message: str) -> None:
    with pytest.raises(InvalidError, match=message):
        parse_seats(texts)


@given(st.lists(st.text(max_size=30), max_size=4))
def test_any_texts_are_seats_or_refused(texts: list[str]) -> None:
    try:
        seats = parse_seats(texts)
    except InvalidError:
        return
    assert len({seat.id for seat in seats}) == len(texts)
