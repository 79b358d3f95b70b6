"""Speaking: who hears it, how often, and what is cut."""

from __future__ import annotations

import pytest

from tests.voxel.flat import events, put_agent
from thorp.protocol.actions import Say, Whisper
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.world import World
from thorp.voxel.systems import chat
from thorp.voxel.systems.chat import LOCAL_REACH, MAX_TEXT_BYTES


def test_local_speech_reaches_those_within_reach_and_the_speaker(world: World) -> None:
    speaker = put_agent(world)
    near = put_agent(world, LOCAL_REACH - 10, 10)
    far = put_agent(world, LOCAL_REACH - 10, 11)
    assert chat.say(world, speaker, Say(text="good morning")) == {}
    heard = {"t": 0, "type": "CHAT", "from": "A1", "channel": "LOCAL", "text": "good morning"}
    assert events(speaker) == [heard]
    assert events(near) == [heard]
    assert events(far) == []


def test_height_counts_as_distance(world: World) -> None:
    speaker = put_agent(world)
    above = put_agent(world, 0, 0, y=speaker.y + LOCAL_REACH)
    higher = put_agent(world, 0, 0, y=speaker.y + LOCAL_REACH + 1)
    chat.say(world, speaker, Say(text="hey", channel="LOCAL"))
    assert [len(events(above)), len(events(higher))] == [1, 0]


def test_the_market_hears_all_and_has_a_limit_of_its_own(world: World) -> None:
    speaker, far = put_agent(world), put_agent(world, 900, 900)
    for _ in range(2):
        chat.say(world, speaker, Say(text="planks!", channel="MARKET"))
    with pytest.raises(Refusal) as refused:
        chat.say(world, speaker, Say(text="planks!", channel="MARKET"))
    assert refused.value.code == "E_RATE_LIMIT"
    chat.say(world, speaker, Say(text="still here"))
    assert [event["text"] for event in events(far)] == ["planks!", "planks!"]


@pytest.mark.parametrize(
    ("wish", "code", "message"),
    [
        (Say(), "E_BAD_REQUEST", "missing text"),
        (Say(text=""), "E_BAD_REQUEST", "missing text"),
        (
            Say(text="x", channel="NEWS"),
            "E_BAD_REQUEST",
            "unknown channel; one of LOCAL, CITY, MARKET",
        ),
        (Say(text="x", channel="CITY"), "E_NO_PERMISSION", "not in an organisation"),
    ],
)
def test_what_cannot_be_said(world: World, wish: Say, code: str, message: str) -> None:
    speaker = put_agent(world)
    with pytest.raises(Refusal) as refused:
        chat.say(world, speaker, wish)
    assert (refused.value.code, refused.value.message) == (code, message)
    assert events(speaker) == []


def test_the_sixth_use_of_a_window_is_refused_and_told_when_to_come_back(world: World) -> None:
    speaker = put_agent(world)
    world.tick = 269
    chat.say(world, speaker, Say(text="one"))
    with pytest.raises(Refusal):
        chat.say(world, speaker, Say())  # costs nothing
    world.tick = 270
    for text in ("two", "three", "four", "five"):
        chat.say(world, speaker, Say(text=text))
    world.tick = 271
    with pytest.raises(Refusal) as refused:
        chat.say(world, speaker, Say(text="six"))
    assert refused.value.code == "E_RATE_LIMIT"
    assert refused.value.extra == {"cooldown_ticks": 48, "cooldown_until_tick": 319}
    world.tick = 318
    with pytest.raises(Refusal):
        chat.say(world, speaker, Say(text="too early"))
    world.tick = 319
    chat.say(world, speaker, Say(text="a new window"))


def test_who_is_refused_again_and_again_waits_for_a_moment(world: World) -> None:
    speaker = put_agent(world)
    world.tick = 100
    for _ in range(5):
        with pytest.raises(Refusal) as refused:
            chat.say(world, speaker, Say())
        assert refused.value.code == "E_BAD_REQUEST"
    with pytest.raises(
        Refusal, match="at most 5 refusals in 50 ticks; wait until tick 150"
    ) as refused:
        chat.say(world, speaker, Say(text="now"))
    assert (refused.value.code, refused.value.extra["cooldown_until_tick"]) == ("E_RATE_LIMIT", 150)
    world.tick = 150
    chat.say(world, speaker, Say(text="now"))


def test_a_whisper_reaches_one_at_any_distance(world: World) -> None:
    speaker, hearer, other = put_agent(world), put_agent(world, 3000, 3000), put_agent(world, 1, 0)
    chat.whisper(world, speaker, Whisper(to="A2", text="psst"))
    assert events(hearer) == [
        {"t": 0, "type": "CHAT", "from": "A1", "channel": "WHISPER", "text": "psst"}
    ]
    assert events(other) == events(speaker) == []
    assert world.scratch.public_events == [], "nobody else may know"


@pytest.mark.parametrize(
    ("to", "text", "code", "message"),
    [
        (None, "x", "E_BAD_REQUEST", "missing to/text"),
        ("A2", None, "E_BAD_REQUEST", "missing to/text"),
        ("A9", "x", "E_INVALID_TARGET", "target not found"),
        ("A01", "x", "E_INVALID_TARGET", "target not found"),
        ("A" + "9" * 5000, "x", "E_INVALID_TARGET", "target not found"),
        ("A²", "x", "E_INVALID_TARGET", "target not found"),
    ],
)
def test_whispers_that_reach_nobody(
    world: World, to: str | None, text: str | None, code: str, message: str
) -> None:
    speaker = put_agent(world)
    with pytest.raises(Refusal) as refused:
        chat.whisper(world, speaker, Whisper(to=to, text=text))
    assert (refused.value.code, refused.value.message) == (code, message)


def test_a_long_text_is_cut_between_characters(world: World) -> None:
    speaker = put_agent(world)
    chat.say(world, speaker, Say(text="x" + "語" * MAX_TEXT_BYTES))
    said = str(events(speaker)[0]["text"])
    assert len(said.encode()) == MAX_TEXT_BYTES - 1
    assert said == "x" + "語" * ((MAX_TEXT_BYTES - 1) // 3)


def test_data_goes_with_the_words_to_all_who_hear_them(world: World) -> None:
    speaker = put_agent(world)
    near = put_agent(world, 1, 1)
    data = {"job": {"contract": "C000007", "give": [["STONE", 4]]}}
    chat.say(world, speaker, Say(text="work!", data=data))
    chat.whisper(world, speaker, Whisper(to=near.id, text="psst", data=data))
    assert [event["data"] for event in events(near)] == [data, data]
    # Spectators hear what is said aloud, with its data, and no whisper.
    assert [event["data"] for event in world.scratch.public_events] == [data]


def test_without_data_no_byte_of_an_event_changes(world: World) -> None:
    speaker = put_agent(world)
    chat.say(world, speaker, Say(text="hi"))
    assert set(events(speaker)[0]) == {"t", "type", "from", "channel", "text"}
    assert set(world.scratch.public_events[0]) == {"kind", "from", "channel", "text"}
