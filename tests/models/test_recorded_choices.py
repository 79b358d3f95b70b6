"""Many games in one small file answer in place of a model, and notice when they are asked something
else."""

from __future__ import annotations

import gzip
import json
from typing import Any, NoReturn

import pytest

from thorp.kernel.errors import InvalidError, LimitError, UnknownError
from thorp.models import ChatMessage, ChatRequest, Recording, Reply
from thorp.models import recorded_choices as module
from thorp.models.recorded_choices import (
    RecordedChoices,
    RecordedGame,
    RecordedGames,
    header_of,
    prompt_digits,
)

RULES = "Answer with a letter."
PARAMETERS: dict[str, Any] = {"ticks": 600, "busy_ticks": 50}


def never() -> NoReturn:
    raise AssertionError("a recording that answers must not call")


def request_of(prompt: str, rules: str = RULES) -> ChatRequest:
    messages = (ChatMessage("system", rules), ChatMessage("user", prompt))
    return ChatRequest(model="local", messages=messages, max_tokens=1)


def game_of(*asked: str, letters: str, **more: Any) -> RecordedGame:
    prompts = "".join(map(prompt_digits, asked))
    return RecordedGame(seed=7, letters=letters, prompts=prompts, **more)


def file_of(*games: RecordedGame) -> RecordedGames:
    header = header_of("voxel-survival", PARAMETERS, RULES, "Two games.")
    return RecordedGames(header, {game.seed: game for game in games})


def replies_of(*asked: str, letters: str) -> RecordedChoices:
    games = file_of(game_of(*asked, letters=letters))
    return games.game("voxel-survival", PARAMETERS, 7)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_is_read_as_it_was_written_packed_or_plain(pack: Any) -> None:
    games = file_of(game_of("a", "b", letters="xY"), game_of(letters="", turns=9))
    text = games.to_jsonl()
    data = pack(text)
    assert RecordedGames.is_in(data)
    again = RecordedGames.from_bytes(data)
    assert again.to_jsonl() == text
    assert (again.scenario, again.parameters, again.about) == (
        "voxel-survival",
        PARAMETERS,
        "Two games.",
    )


def test_other_recordings_are_not_taken_for_one() -> None:
    recording = Recording()
    recording.ask("a", "req_1", lambda: Reply("hi", 1, 2))
    assert not RecordedGames.is_in(recording.to_jsonl())


def test_it_answers_in_order_and_keeps_a_recording_that_answers_the_same() -> None:
    replies = replies_of("first", "second", letters="xY")
    said = [replies.answer("me", request_of(each), never).text for each in ("first", "second")]
    assert said == ["x", "Y"]
    assert replies.replaying
    assert replies.spent.calls == 2
    kept = Recording.from_jsonl(replies.to_jsonl())
    assert [kept.answer("me", request_of(each), never).text for each in ("first", "second")] == said


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (request_of("other"), "question 2 is not the one that was recorded"),
        (request_of("second", "Other rules."), "the rules that begin each prompt are not those"),
    ],
)
def test_another_question_is_refused_by_its_number_and_so_are_all_after_it(
    asked: ChatRequest, why: str
) -> None:
    replies = replies_of("first", "second", letters="xY")
    replies.answer("me", request_of("first"), never)
    for request in (asked, request_of("second")):
        with pytest.raises(InvalidError, match=why):
            replies.answer("me", request, never)


def test_a_question_after_the_last_answer_is_refused() -> None:
    replies = replies_of("first", letters="x")
    replies.answer("me", request_of("first"), never)
    with pytest.raises(InvalidError, match="has 1 answers, and this is one question more"):
        replies.answer("me", request_of("second"), never)


def test_a_second_seat_and_a_seat_that_answers_in_json_are_refused() -> None:
    replies = replies_of("first", "second", letters="xY")
    replies.answer("me", request_of("first"), never)
    with pytest.raises(InvalidError, match="of one seat, and me has it"):
        replies.answer("you", request_of("second"), never)
    with pytest.raises(InvalidError, match="leave --level out"):
        replies.ask("me", "req_1", never)


def test_a_match_that_is_not_in_the_file_is_refused() -> None:
    games = file_of(game_of("first", letters="x"))
    with pytest.raises(InvalidError, match="of voxel-survival, not of voxel-village"):
        games.game("voxel-village", PARAMETERS, 7)
    with pytest.raises(InvalidError, match="have ticks=600"):
        games.game("voxel-survival", {**PARAMETERS, "ticks": 60}, 7)
    with pytest.raises(UnknownError, match="no game of seed 8 is recorded; there are 7 to 7"):
        games.game("voxel-survival", PARAMETERS, 8)


GAME = {"seed": 7, "turns": 9, "letters": "x", "prompts": "01234567"}
BROKEN_GAMES: dict[str, dict[str, Any]] = {
    "too few digits": {"prompts": "0123456"},
    "a digit that is none": {"prompts": "0123456X"},
    "a letter that is none": {"letters": "!"},
    "no turn": {"turns": 0},
    "a field too many": {"more": 1},
}


@pytest.mark.parametrize("change", BROKEN_GAMES.values(), ids=BROKEN_GAMES)
def test_a_damaged_line_is_refused_by_its_number(change: dict[str, Any]) -> None:
    first = file_of().to_jsonl()
    whole = first + json.dumps(GAME).encode() + b"\n"
    assert list(RecordedGames.from_bytes(whole).games) == [7]
    damaged = first + json.dumps({**GAME, **change}).encode() + b"\n"
    with pytest.raises(InvalidError, match="recorded choices, line 2"):
        RecordedGames.from_bytes(damaged)


def test_a_foreign_or_torn_or_swollen_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(file_of(game_of("a", letters="x")).to_jsonl())
    with pytest.raises(InvalidError, match="line 1"):
        RecordedGames.from_bytes(b'{"format":"thorp.choices","version":2}\n')
    with pytest.raises(InvalidError, match="torn, its end is missing"):
        RecordedGames.from_bytes(packed[:-9])
    with pytest.raises(InvalidError, match="gzip cannot unpack it"):
        RecordedGames.from_bytes(packed[:10] + b"\xff" * 40)
    monkeypatch.setattr(module, "BYTES_LIMIT", 100)
    with pytest.raises(LimitError, match="larger than 100 bytes"):
        RecordedGames.from_bytes(packed)
