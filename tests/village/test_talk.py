"""A language model answers what villagers do not understand, and may only speak."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from aiohttp import web

from tests.models.loopback import serving
from tests.village.lives import Founded
from tests.village.test_conversation import Talk
from thorp.kernel.errors import InvalidError
from thorp.village.conversation import TEXT_LIMIT
from thorp.village.talk import Talker, spoken_line, talker_from_environment

PUZZLE = "Is the moon made of cheese?"


class Endpoint:
    """A chat endpoint on the loopback interface that always says the same."""

    def __init__(self, text: str, status: int = 200) -> None:
        self.asked: list[dict[str, Any]] = []
        self._text = text
        self._status = status

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(await request.json())
        message = {"role": "assistant", "content": self._text}
        return web.json_response({"choices": [{"message": message}]}, status=self._status)


def ask_jory(talk: Talk, endpoint: Endpoint, text: str = PUZZLE) -> list[str]:
    """Whisper to Jory with a model behind him, and return what he said."""
    jory = talk.villager("Jory")
    with serving(endpoint.answer) as address:
        environ = {"THORP_VILLAGE_MODEL": "tiny", "THORP_MODEL_URL": address}
        talker = talker_from_environment(environ)
        assert talker is not None
        talker.listen_to(jory)
        before = talk.whisper("Jory", text)
        asyncio.run(_answer_all(talker))
        after = talk.whisper("Jory", "la la la")
    return [event["text"] for event in (*before, *after)]


async def _answer_all(talker: Talker) -> None:
    task = asyncio.create_task(talker.run())
    await asyncio.sleep(0)
    while talker.is_asked:
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])


@pytest.fixture
def talk(founded: Founded) -> Talk:
    return Talk(founded(1337))


def test_a_model_answers_in_the_villagers_name(talk: Talk) -> None:
    endpoint = Endpoint("No,\nfriend. \x07It is made of stone.")
    assert ask_jory(talk, endpoint) == ["No, friend. It is made of stone."]
    ((system, user),) = [request["messages"] for request in endpoint.asked]
    assert "You are Jory, the storekeeper" in system["content"]
    assert user["content"] == PUZZLE


def test_what_a_rule_understands_never_reaches_the_model(talk: Talk) -> None:
    endpoint = Endpoint("I am somebody else.")
    (text,) = ask_jory(talk, endpoint, "Who are you?")
    assert text.startswith("I am Jory")
    assert endpoint.asked == []


@pytest.mark.parametrize("endpoint", [Endpoint("broken", status=400), Endpoint("  \n ")])
def test_a_model_that_fails_leaves_the_villager_its_own_words(
    endpoint: Endpoint, talk: Talk
) -> None:
    (text,) = ask_jory(talk, endpoint)
    assert "do not understand" in text


def test_without_a_name_there_is_no_model() -> None:
    assert talker_from_environment({"THORP_MODEL_URL": "http://127.0.0.1:9"}) is None


def test_a_model_without_an_endpoint_is_refused() -> None:
    with pytest.raises(InvalidError, match="no model endpoint"):
        talker_from_environment({"THORP_VILLAGE_MODEL": "tiny"})


def test_what_is_said_is_one_bounded_line() -> None:
    assert len(spoken_line("word " * 1_000)) <= TEXT_LIMIT
    assert json.dumps(spoken_line("a\x00b\u202ec\nd")) == '"a b c d"'
