"""Sealed matches: what is hidden follows from a secret, committed before play and revealed after
it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.arena.stubs import Answering
from thorp.arena import AgentConfig, MatchConfig, run_match
from thorp.arena.agents import PacingBidder, RandomBidder
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external.protocol import RunnerMessages
from thorp.arena.scenarios import Auction, NumberGuess
from thorp.arena.sealed import SealedDraws, match_secret
from thorp.arena.service import play, save_match, sidecar_path, verify_file
from thorp.arena.tournament import InlinePool, make_plan, run_tournament, verify_tournament
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk

SECRET = bytes(range(32))
OTHER = bytes(range(1, 33))
SEATS = (Seat("ann", "pacing"), Seat("bo", "random"))
TASK = MatchTask(
    "auction", SEATS, seed=7, max_turns=20, parameters={"lots": 3}, secret=SECRET.hex()
)
CONFIG = MatchConfig(seed=7, max_turns=20, secret=SECRET, parameters={"lots": 3})


def auction(config: MatchConfig = CONFIG, **seats: Any) -> list[dict[str, Any]]:
    agents = [seats.get("ann", PacingBidder("ann")), RandomBidder("bo")]
    return run_match(Auction(lots=3), agents, config).events


def values(events: list[dict[str, Any]]) -> list[Any]:
    return [event["summary"]["values"] for event in events if event["type"] == "StateUpdated"]


def test_the_secret_is_committed_before_play_and_revealed_at_its_end() -> None:
    events = auction()
    start, sealed, *_, revealed, end = events
    assert [start["type"], end["type"]] == ["MatchStarted", "MatchEnded"]
    task = {
        "agentIds": ["ann", "bo"],
        "matchId": start["matchId"],
        "maxTurns": 20,
        "parameters": {"lots": 3},
        "scenario": "auction",
        "seed": 7,
    }
    committed = hashlib.blake2b(
        SECRET + canonical_bytes(task), digest_size=32, person=b"thorp.commit.1"
    ).hexdigest()
    assert list(sealed.items()) == [
        ("type", "MatchSealed"), ("commitment", committed), ("seq", 1), ("matchId", start["matchId"]),
    ]  # fmt: skip
    assert list(revealed) == ["type", "secret", "seq", "matchId"]
    assert (revealed["type"], revealed["secret"]) == ("MatchRevealed", SECRET.hex())


def test_every_seat_holds_the_commitment_before_play() -> None:
    told: list[AgentConfig] = []

    class Listening(Answering):
        def init(self, config: AgentConfig) -> None:
            told.append(config)
            raise OSError("and no more")

    events = auction(ann=Listening("ann", lambda *_: None))
    assert [event["type"] for event in events[:3]] == ["MatchStarted", "MatchSealed", "AgentError"]
    assert told[0].commitment == events[1]["commitment"]
    message = json.loads(RunnerMessages(TASK).init(told[0]))
    assert message["commitment"] == told[0].commitment
    assert "commitment" not in json.loads(RunnerMessages(TASK).init(AgentConfig("ann", 1)))


def test_hidden_values_follow_from_the_secret_and_not_from_the_seed() -> None:
    same = MatchConfig(seed=7, max_turns=20, match_id="m", secret=SECRET)
    other_secret = MatchConfig(seed=7, max_turns=20, match_id="m", secret=OTHER)
    other_seed = MatchConfig(seed=8, max_turns=20, match_id="m", secret=SECRET)
    assert values(auction(same)) == values(auction(other_seed)) != values(auction(other_secret))


def test_draws_are_keyed_by_match_purpose_and_index() -> None:
    draws = SealedDraws(SECRET, "m_1")
    message = canonical_bytes(["m_1", "value", 4])
    whole = hashlib.blake2b(message, key=SECRET, person=b"thorp.sealed.1").digest()
    assert draws.below(100, "value", 4) == int.from_bytes(whole, "big") % 100
    assert {draws.below(6, "die", index) for index in range(100)} == set(range(6))
    with pytest.raises(InvalidError):
        draws.below(0, "die", 0)


def test_without_a_secret_nothing_changes() -> None:
    events = auction(MatchConfig(seed=7, max_turns=20))
    assert not {"MatchSealed", "MatchRevealed"} & {event["type"] for event in events}


@pytest.mark.parametrize(("scenario", "secret"), [(NumberGuess(), SECRET), (Auction(), b"short")])
def test_a_secret_that_cannot_be_used_is_refused(scenario: Any, secret: bytes) -> None:
    with pytest.raises(InvalidError, match="secret"):
        run_match(
            scenario, [RandomBidder("a"), RandomBidder("b")], MatchConfig(seed=1, secret=secret)
        )


def test_the_secret_is_revealed_when_the_scenario_fails() -> None:
    class Failing(Auction):
        def end_turn(self, state: Any) -> Any:
            raise LookupError("lost")

    events = run_match(Failing(), [RandomBidder("a"), RandomBidder("b")], CONFIG).events
    assert [event["type"] for event in events[-2:]] == ["MatchRevealed", "MatchEnded"]
    assert events[-1]["reason"] == "error"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    save_match(RealDisk(), tmp_path / "a.jsonl", TASK, play(TASK), None, replace=False)
    return tmp_path / "a.jsonl"


def test_a_sealed_match_is_proved_by_its_manifest(log: Path) -> None:
    assert verify_file(log).difference is None
    assert (
        json.loads(sidecar_path(log, "manifest.json").read_bytes())["task"]["secret"]
        == SECRET.hex()
    )


def without_manifest(path: Path, jsonl: bytes) -> Path:
    path.write_bytes(jsonl)
    sidecar_path(path, "manifest.json").unlink(missing_ok=True)
    return path


def test_a_bare_log_is_proved_from_its_revealed_secret(log: Path) -> None:
    """Of an auction with default parameters, for a bare log does not tell others."""
    default = MatchTask("auction", SEATS, seed=7, max_turns=20, secret=SECRET.hex())
    jsonl = play(default).jsonl
    assert verify_file(without_manifest(log, jsonl)).difference is None
    lines = jsonl.splitlines(keepends=True)
    for number, was, forged in (
        (2, b'"commitment":"', b'"commitment":"0'),
        (1, b'"seed":7', b'"seed":8'),
    ):
        changed = [
            line.replace(was, forged) if at == number else line for at, line in enumerate(lines, 1)
        ]
        difference = verify_file(without_manifest(log, b"".join(changed))).difference
        assert difference is not None
        assert (difference.code, difference.line) == ("sealed", 2)
    forged = jsonl.replace(SECRET.hex().encode(), OTHER.hex().encode())
    difference = verify_file(without_manifest(log, forged)).difference
    assert difference is not None
    assert (difference.code, difference.line) == ("sealed", 2)


def test_a_log_that_is_not_revealed_is_refused(log: Path) -> None:
    lines = [
        line for line in play(TASK).jsonl.splitlines(keepends=True) if b"MatchRevealed" not in line
    ]
    with pytest.raises(InvalidError, match="not revealed"):
        verify_file(without_manifest(log, b"".join(lines)))


def test_a_tournament_has_one_secret_and_every_match_its_own(tmp_path: Path) -> None:
    path = tmp_path / "t"
    finished = run_tournament(
        make_plan("auction", SEATS, parameters={"lots": 2}), path, InlinePool(), RealDisk()
    )
    manifest = json.loads((path / "manifest.json").read_bytes())
    secret = bytes.fromhex(manifest["secret"])
    revealed = []
    for outcome in finished.outcomes:
        lines = (path / "logs" / f"{outcome.key}.jsonl").read_bytes().splitlines()
        revealed.append(json.loads(lines[-2])["secret"])
        expected = hashlib.blake2b(outcome.key.encode(), key=secret, digest_size=32).digest()
        assert revealed[-1] == expected.hex() == match_secret(secret, outcome.key).hex()
    assert len(set(revealed)) == len(revealed) > 1
    assert verify_tournament(RealDisk(), path).differences == []
    # The same plan goes on with the secret that is there, and gives the same bytes in another
    # directory.
    (path / "results.jsonl").unlink()
    again = run_tournament(
        make_plan("auction", SEATS, parameters={"lots": 2}), path, InlinePool(), RealDisk()
    )
    assert again.outcomes == finished.outcomes
    given = make_plan("auction", SEATS, parameters={"lots": 2}, secret=manifest["secret"])
    assert (
        run_tournament(given, tmp_path / "u", InlinePool(), RealDisk()).outcomes
        == finished.outcomes
    )


def test_a_tournament_of_an_open_scenario_has_no_secret(tmp_path: Path) -> None:
    entrants = (Seat("a", "random"), Seat("b", "baseline"))
    assert "secret" not in make_plan("number-guess", entrants).manifest({})
    assert "secret" not in make_plan("auction", SEATS, secret="none").manifest({})
    with pytest.raises(InvalidError, match="secret"):
        make_plan("number-guess", entrants, secret=SECRET.hex())
    with pytest.raises(InvalidError, match="64 hexadecimal digits"):
        make_plan("auction", SEATS, secret="zz")
