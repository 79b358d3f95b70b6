"""The league: what is proved goes in, all or none; everything else is refused in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from thorp.arena import service
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.league import (
    League,
    add_to_league,
    default_suite,
    make_identity,
    make_table,
    merge_leagues,
    read_suite,
)
from thorp.arena.league.accounts import SeatAccount, _gate
from thorp.arena.league.directory import CHAIN, Endorsement, endorse
from thorp.arena.registry import scenario_parameters
from thorp.arena.tournament import InlinePool, make_plan, run_tournament, verify_tournament
from thorp.kernel.errors import ThorpError, UnknownError
from thorp.kernel.manifest import manifest_bytes
from thorp.store import RealDisk

DISK = RealDisk()
ROOT = Path(__file__).parents[3]
SUITE_TEXT: dict[str, Any] = {
    "format": "thorp.suite",
    "name": "Small",
    "version": 1,
    "games": [
        {
            "name": "guess",
            "version": 1,
            "kind": "duels",
            "scenario": "number-guess",
            "parameters": {"maximum": 100, "minimum": 1},
            "max_turns": 8,
        },
        {
            "name": "council",
            "version": 1,
            "kind": "scores",
            "scenario": "town-council",
            "parameters": {"days": 2},
            "max_turns": 8,
            "seed": 42,
            "deals": 3,
            "worst": -5,
        },
    ],
}
SUITE = read_suite(json.dumps(SUITE_TEXT).encode())
STILL = """
class Still:
    def init(self, config): pass
    def act(self, observation, ctx): return {"guess": 50}
"""


def play(path: Path, *agents: str, seed: int = 1, rounds: int = 2, **changes: Any) -> Path:
    seats = [Seat(name, spec) for name, spec in (agent.split("=") for agent in agents)]
    plan = make_plan(
        changes.pop("scenario", "number-guess"),
        seats,
        **{"seed": seed, "rounds": rounds, "max_turns": 8, **changes},
    )
    run_tournament(plan, path, InlinePool(), DISK)
    return path


def council(path: Path, *agents: str, **changes: Any) -> Path:
    settings = {"scenario": "town-council", "parameters": {"days": 2}, "seed": 42, **changes}
    return play(path, *agents, **settings)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tournaments and a match, to be added in any order."""
    path = tmp_path_factory.mktemp("made")
    play(path / "one", "ann=random", "bo=baseline", mirrored=True)
    play(path / "two", "cy=random", "dee=baseline", seed=2)
    council(path / "three", "ann=idle", "bo=simple")
    task = MatchTask(
        scenario="number-guess",
        seats=(Seat("x", "random"), Seat("y", "baseline")),
        seed=5,
        max_turns=8,
        parameters=scenario_parameters("number-guess", {}),
    )
    service.save_match(DISK, path / "m.jsonl", task, service.play(task), None, replace=False)
    return path


def add(path: Path, *sources: Path, **changes: Any) -> int:
    return len(add_to_league(DISK, path, sources, SUITE, **changes))


def table(path: Path, game: str | None = None) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(make_table(DISK, League(DISK, path), game).to_bytes())
    return document


def test_the_table_does_not_depend_on_the_order(made: Path, tmp_path: Path) -> None:
    sources = [made / "one", made / "two", made / "three", made / "m.jsonl"]
    assert add(tmp_path / "a", *sources) == 4
    for source in reversed(sources):
        assert add(tmp_path / "b", source) == 1
    one = make_table(DISK, League(DISK, tmp_path / "a")).to_bytes()
    assert one == make_table(DISK, League(DISK, tmp_path / "b")).to_bytes()
    found = table(tmp_path / "a")
    assert {"id", "rating", "low", "high", "games"} <= found["agents"][0].keys()
    ratings = [row["rating"] for row in found["agents"]]
    assert ratings == sorted(ratings, reverse=True)
    assert found["results"] == 4 + 2 + 4 + 1
    assert found["suite"] == SUITE.document()


def test_identical_digests_are_one_entrant_whatever_their_names(made: Path, tmp_path: Path) -> None:
    add(tmp_path / "l", made / "one", made / "two")
    rows = {row["id"]: row for row in table(tmp_path / "l")["agents"]}
    assert rows.keys() == {"random", "baseline"}
    assert rows["random"]["names"] == ["ann", "cy"]
    assert rows["random"]["games"] == 6
    assert rows["random"]["status"] == "reproduced"
    assert rows["random"]["track"] == "open"


def test_what_is_there_already_is_left_alone(made: Path, tmp_path: Path) -> None:
    league = tmp_path / "l"
    assert add(league, made / "one", made / "one") == 1
    before = (league / CHAIN).read_bytes()
    assert add(league, made / "one") == 0
    assert (league / CHAIN).read_bytes() == before


def test_a_kept_batch_proves_itself_again(made: Path, tmp_path: Path) -> None:
    add(tmp_path / "l", made / "one")
    league = League(DISK, tmp_path / "l")
    assert verify_tournament(DISK, league.folder(league.batches[0])).differences == []


def test_two_leagues_merge_to_the_same_table(made: Path, tmp_path: Path) -> None:
    add(tmp_path / "a", made / "one", made / "m.jsonl")
    add(tmp_path / "b", made / "three", made / "one")
    for target, other in (("a", "b"), ("b", "a")):
        merge_leagues(DISK, tmp_path / target, [tmp_path / other], SUITE)
    merged = [merge_leagues(DISK, tmp_path / "c", [tmp_path / "a", tmp_path / "b"], SUITE)]
    assert len(merged[0]) == 3
    tables = {make_table(DISK, League(DISK, tmp_path / name)).to_bytes() for name in "abc"}
    assert len(tables) == 1


def test_another_run_of_the_same_plan_is_a_contradiction(tmp_path: Path) -> None:
    """One could run an agent until it wins, and bring that run."""
    bot = tmp_path / "bot.py"
    for name, guess in (("one", "clock % 7"), ("two", "3 + clock % 5")):
        bot.write_text(
            "import pathlib\n"
            + STILL.replace("50", f"int(pathlib.Path({str(tmp_path)!r}, 'guess').read_text())")
        )
        (tmp_path / "guess").write_text(str(len(guess)))
        play(tmp_path / name, f"me={bot}:Still", "bo=baseline")
    add(tmp_path / "l", tmp_path / "one")
    with pytest.raises(ThorpError, match="contradicts batch") as refused:
        add(tmp_path / "l", tmp_path / "two")
    assert refused.value.code == "contradiction"
    add(tmp_path / "other", tmp_path / "two")
    with pytest.raises(ThorpError, match="contradicts batch"):
        merge_leagues(DISK, tmp_path / "l", [tmp_path / "other"], SUITE)
    assert len(League(DISK, tmp_path / "l").batches) == 1


def broken_log(source: Path) -> None:
    log = next((source / "logs").iterdir())
    log.write_bytes(log.read_bytes().replace(b'"valid":true', b'"valid":false', 1))


def reseal(source: Path, **changes: object) -> None:
    manifest = json.loads((source / "manifest.json").read_bytes())
    del manifest["sha256"]
    (source / "manifest.json").write_bytes(manifest_bytes({**manifest, **changes}))


@pytest.mark.parametrize(
    ("spoil", "code", "words"),
    [
        (broken_log, "unproved", "does not verify: r01-"),
        (lambda source: (source / "results.jsonl").unlink(), "not_finished", "not finished"),
        (lambda source: reseal(source, thorp="0.0.1"), "version", "made with thorp 0.0.1"),
        (lambda source: reseal(source, scenario="dilemma"), "other_suite", "no game of Small"),
        (lambda source: reseal(source, max_turns=9), "other_suite", "max_turns 8, not 9"),
        (lambda source: (source / "manifest.json").write_bytes(b"{}"), "manifest", "damaged"),
        (shutil.rmtree, "no_results", "no such file or directory"),
        (lambda source: (source / "manifest.json").unlink(), "no_results", "holds no tournament"),
    ],
)
def test_what_does_not_count_is_refused_and_nothing_is_half_done(
    made: Path, tmp_path: Path, spoil: Callable[[Path], object], code: str, words: str
) -> None:
    shutil.copytree(made / "one", tmp_path / "bad")
    spoil(tmp_path / "bad")
    with pytest.raises(ThorpError) as refused:
        add(tmp_path / "l", made / "two", tmp_path / "bad")
    assert refused.value.code == code
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "l").exists()


def test_a_match_needs_its_manifest_and_its_end(made: Path, tmp_path: Path) -> None:
    shutil.copy(made / "m.jsonl", tmp_path)
    with pytest.raises(ThorpError, match="without which nobody knows who played"):
        add(tmp_path / "l", tmp_path / "m.jsonl")
    shutil.copy(made / "m.manifest.json", tmp_path)
    (tmp_path / "m.jsonl").write_bytes((made / "m.jsonl").read_bytes()[:-40])
    with pytest.raises(ThorpError, match="does not verify: line"):
        add(tmp_path / "l", tmp_path / "m.jsonl")
    with pytest.raises(UnknownError, match="no such file"):
        add(tmp_path / "l", tmp_path / "gone.jsonl")


def test_a_plan_that_names_nothing(tmp_path: Path, made: Path) -> None:
    with pytest.raises(ThorpError, match="nothing to add"):
        add(tmp_path / "l")
    with pytest.raises(ThorpError, match="holds no league; `thorp league add` begins one"):
        League(DISK, tmp_path / "l")
    with pytest.raises(ThorpError, match="holds no league; give another --league"):
        add(made, made / "one")
    add(tmp_path / "l", made / "one")
    with pytest.raises(ThorpError, match="Small has no game 'chess'; it has: guess, council"):
        table(tmp_path / "l", "chess")


def test_deals_of_games_by_score_are_the_suites(tmp_path: Path) -> None:
    free = council(tmp_path / "free", "ann=idle", "bo=simple", seed=7)
    with pytest.raises(
        ThorpError, match=r"play a tournament with --seed 42 and at most --rounds 3"
    ):
        add(tmp_path / "l", free)
    long = council(tmp_path / "long", "ann=idle", "bo=simple", rounds=4)
    with pytest.raises(ThorpError, match="has 3 deals of council"):
        add(tmp_path / "l", long)


def test_missing_deals_count_as_the_worst(made: Path, tmp_path: Path) -> None:
    """Ann stopped after two rounds while she was ahead."""
    third = council(tmp_path / "third", "bo=simple", rounds=3)
    add(tmp_path / "l", made / "three", third)
    rows = {row["id"]: row for row in table(tmp_path / "l", "council")["agents"]}
    assert (rows["idle"]["missing"], rows["simple"]["missing"]) == (1, 0)
    assert rows["idle"]["mean"]["deals"] == 2
    assert rows["idle"]["mean"]["value"] < rows["simple"]["mean"]["value"]
    assert rows["idle"]["rank"] == 2


def test_a_league_cut_short_is_told(made: Path, tmp_path: Path) -> None:
    league = tmp_path / "l"
    add(league, made / "one")
    early = League(DISK, league).tip
    add(league, made / "two")
    late = League(DISK, league).tip
    whole = (league / CHAIN).read_bytes()
    League(DISK, league).check_tip(early)
    (league / CHAIN).write_bytes(whole[:-30])
    with pytest.raises(ThorpError, match="is cut off in record 2") as refused:
        League(DISK, league)
    assert refused.value.code == "cut"
    assert add(league, made / "two") == 1
    assert League(DISK, league).tip == late
    (league / CHAIN).write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    League(DISK, league).check_tip(early)
    with pytest.raises(ThorpError, match="the tip you noted: it was cut or rewritten"):
        League(DISK, league).check_tip(late)
    (league / CHAIN).write_bytes(whole.replace(b'"game":"guess"', b'"game":"chess"', 1))
    with pytest.raises(ThorpError):
        League(DISK, league)


def test_files_that_were_changed_in_the_league_are_told(made: Path, tmp_path: Path) -> None:
    add(tmp_path / "l", made / "one")
    league = League(DISK, tmp_path / "l")
    results = league.folder(league.batches[0]) / "results.jsonl"
    results.write_bytes(results.read_bytes().replace(b'"scores":[0', b'"scores":[9', 1))
    with pytest.raises(ThorpError, match="its files are not those that were added"):
        table(tmp_path / "l")


def test_a_league_of_another_suite_does_not_merge(made: Path, tmp_path: Path) -> None:
    add(tmp_path / "l", made / "one")
    other = read_suite(json.dumps({**SUITE_TEXT, "version": 2}).encode())
    add_to_league(DISK, tmp_path / "o", [made / "two"], other)
    with pytest.raises(ThorpError, match=r"is a league of Small 2 .*, not of Small 1"):
        merge_leagues(DISK, tmp_path / "l", [tmp_path / "o"], SUITE)
    assert len(League(DISK, tmp_path / "l").batches) == 1


def test_agents_that_run_again_here_are_reproduced(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STILL)
    source = play(tmp_path / "t", f"me={bot}:Still", "bo=baseline")
    add(tmp_path / "a", source)
    add(tmp_path / "b", source, reproduce=True)
    status = [
        {row["id"]: row["status"] for row in table(tmp_path / name)["agents"]}["me"]
        for name in ("a", "b")
    ]
    assert status == ["self-reported", "reproduced"]
    bot.write_text(STILL.replace("50", "51"))
    add(tmp_path / "c", source, reproduce=True)  # other code than ran then: nothing is shown
    assert table(tmp_path / "c")["agents"][0]["status"] in ("self-reported", "reproduced")
    assert {row["id"]: row["status"] for row in table(tmp_path / "c")["agents"]}["me"] == (
        "self-reported"
    )


def test_an_agent_that_does_something_else_is_not_reproduced(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    guess = tmp_path / "guess"
    guess.write_text("10")
    bot.write_text(STILL.replace("50", f"int(open({str(guess)!r}).read())"))
    source = play(tmp_path / "t", f"me={bot}:Still", "bo=baseline")
    guess.write_text("20")
    with pytest.raises(ThorpError, match=r"is not reproduced: run again here, r01-"):
        add(tmp_path / "l", source, reproduce=True)


def test_without_logs_everything_is_self_reported(tmp_path: Path) -> None:
    source = play(tmp_path / "t", "ann=random", "bo=baseline", logs=False)
    add(tmp_path / "l", source, reproduce=True)
    assert {row["status"] for row in table(tmp_path / "l")["agents"]} == {"self-reported"}


def test_the_signed_word_of_another_raises_the_status(made: Path, tmp_path: Path) -> None:
    add(tmp_path / "l", made / "one")
    (batch,) = League(DISK, tmp_path / "l").batches
    word = Endorsement(tip=batch.tip, by="other.example/lab", note="signed")
    assert endorse(DISK, tmp_path / "l", [word, word]) == 1
    assert endorse(DISK, tmp_path / "l", [word]) == 0
    assert {row["status"] for row in table(tmp_path / "l")["agents"]} == {"re-run by another"}
    with pytest.raises(ThorpError, match="has no batch"):
        endorse(DISK, tmp_path / "l", [Endorsement(tip="0" * 64, by="x", note="")])


def test_an_agent_whose_harness_fails_does_not_count(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STILL.replace('return {"guess": 50}', "return None"))
    source = play(tmp_path / "t", f"me={bot}:Still", "bo=baseline", "ann=random")
    add(tmp_path / "l", source)
    made = make_table(DISK, League(DISK, tmp_path / "l"))
    assert {row.id for row in made.agents} == {"baseline", "random"}
    assert [(row["agent"], row["reason"]) for row in made.uncounted] == [
        ("me", "fallback in 100% of turns, more than 20%")
    ]
    (batch,) = League(DISK, tmp_path / "l").batches
    gates = {seat.seat: seat.gate for seat in batch.seats}
    assert gates["ann"] is None
    assert gates["me"] == "fallback in 100% of turns, more than 20%"


def account(**changes: Any) -> SeatAccount:
    values: dict[str, Any] = {
        "seat": "me",
        "identity": make_identity("model:some", None, Limits()),
        "status": "recorded",
        "valid": 90,
        "invalid": 5,
        "errors": 5,
        "calls": 100,
        "failed_calls": 5,
        "tokens_in": 0,
        "tokens_out": 0,
        "gate": None,
    }
    return SeatAccount(**{**values, **changes})


def test_the_gates_have_their_bounds() -> None:
    assert _gate(account()) is None
    assert _gate(account(failed_calls=10, errors=10)) is None
    assert "provider errors 11% of calls" in str(_gate(account(failed_calls=11, errors=11)))
    assert _gate(account(valid=80, invalid=20, errors=0, failed_calls=0)) is None
    assert "fallback in 21%" in str(_gate(account(valid=79, invalid=21, errors=0, failed_calls=0)))
    assert "79% of replies" in str(_gate(account(valid=79, errors=21, invalid=0, failed_calls=0)))
    bot = make_identity("random", None, Limits())
    assert _gate(account(identity=bot, valid=0, invalid=100)) is None


def test_an_identity_is_what_ran() -> None:
    model = make_identity("model:some", None, Limits())
    assert (model.name, model.track, model.code_known) == ("some", "minimal", True)
    assert make_identity("model:some", None, Limits(model_calls=7)).digest != model.digest
    code = make_identity("a/bot.py:Bot", "f" * 64, Limits())
    assert make_identity("b/other.py:Bot", "f" * 64, Limits(model_calls=7)).digest == code.digest
    assert make_identity("a/bot.py:Bot", "e" * 64, Limits()).digest != code.digest
    assert (code.name, code.track) == (None, "open")
    assert not make_identity("cmd:thing", None, Limits()).code_known


def test_local_models_are_entrants_of_their_own() -> None:
    """With other weights, without the adapter, or asked otherwise it is another agent."""
    shipped = make_identity("local", None, Limits())
    assert (shipped.name, shipped.track, shipped.code_known) == ("local", "minimal", True)
    base = make_identity("local:smollm2", None, Limits())
    other = make_identity("local:mine.gguf", None, Limits())
    in_json = make_identity("local", None, Limits(), "json")
    assert (base.name, base.code_known) == ("local:smollm2", True)
    assert (other.name, other.code_known) == ("local:mine.gguf", False)
    served = make_identity("model:local", None, Limits())
    assert len({each.digest for each in (shipped, base, other, in_json, served)}) == 5


def test_two_entrants_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for number, guess in enumerate(("50", "60")):
        bot = tmp_path / f"bot{number}.py"
        bot.write_text(STILL.replace("50", guess))
        play(tmp_path / f"t{number}", f"me={bot}:Still", "bo=baseline")
    add(tmp_path / "l", tmp_path / "t0", tmp_path / "t1")
    ids = {row["id"] for row in table(tmp_path / "l")["agents"]}
    assert len(ids) == 3
    assert sum(id.startswith("me@") for id in ids) == 2


def test_the_suite_that_comes_with_thorp_is_frozen() -> None:
    """Its parameters are complete, and its digest is the one that tables were published under."""
    suite = default_suite()
    for game in suite.games:
        assert dict(scenario_parameters(game.scenario, game.parameters)) == game.parameters
    assert read_suite(msgspec.json.encode(suite)).digest == suite.digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": []}, "1 to 1000 games"),
        ({"games": [SUITE_TEXT["games"][0]] * 2}, "two of its games are the same"),
        ({"games": [{**SUITE_TEXT["games"][1], "deals": 0}]}, "1 to 10000 deals"),
        ({"games": [{**SUITE_TEXT["games"][0], "deals": 3}]}, "others none"),
        ({"format": "thorp.other"}, "not a suite"),
        ({"more": 1}, "not a suite"),
    ],
)
def test_a_broken_suite_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ThorpError, match=words):
        read_suite(json.dumps({**SUITE_TEXT, **change}).encode())


def test_the_commands_and_every_seed_of_hashes(made: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.json"
    suite.write_text(json.dumps(SUITE_TEXT))

    def run(*arguments: str, seed: str = "1") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "thorp", "league", *arguments, "--league", str(tmp_path / "l")],
            env={**os.environ, "PYTHONHASHSEED": seed, "COLUMNS": "120"},
            capture_output=True,
            text=True,
            check=False,
        )

    done = run("add", str(made / "one"), str(made / "three"), "--suite", str(suite))
    assert done.returncode == 0, done.stderr
    assert "guess: 4 matches, batch " in done.stdout
    here = make_table(DISK, League(DISK, tmp_path / "l")).to_bytes().decode()
    assert run("table", "--json", seed="2").stdout == here
    assert json.loads(here)["agents"][0]["rank"] == 1
    assert "Small 1: 4 agents, 8 results" in run("table").stdout
    refused = run("show", "nobody")
    assert refused.returncode == 2
    assert refused.stderr.startswith("thorp: no agent here called 'nobody'")
    assert refused.stderr.count("\n") == 1


def test_somebody_else_signs_that_they_ran_it_again(made: Path, tmp_path: Path) -> None:
    """Also: a note of a key that is not trusted, and one that says something else."""
    from typer.testing import CliRunner

    from thorp.cli.league import app
    from thorp.log.signer import create_key

    suite = tmp_path / "suite.json"
    suite.write_text(json.dumps(SUITE_TEXT))
    theirs = create_key(tmp_path / "key", "other.example/lab")
    stranger = create_key(tmp_path / "strange", "stranger.example/lab")
    add(tmp_path / "l", made / "one")
    run = CliRunner().invoke
    signed = run(
        app,
        ["sign", str(made / "one"), "--key-file", str(tmp_path / "key"), "--suite", str(suite)],
    )
    assert signed.exit_code == 0, signed.output
    note = tmp_path / "note"
    note.write_text(signed.stdout)
    command = ["endorse", str(note), "--league", str(tmp_path / "l"), "--key"]
    refused = run(app, [*command, str(stranger.vkey)])
    assert "no signature of a trusted key" in str(refused.exception)
    note.write_text(signed.stdout.replace("rerun", "RERUN"))
    assert "does not verify" in str(run(app, [*command, str(theirs.vkey)]).exception)
    note.write_text(signed.stdout)
    assert run(app, [*command, str(theirs.vkey)]).stdout == "1 new of 1\n"
    assert run(app, [*command, str(theirs.vkey)]).stdout == "0 new of 1\n"
    assert {row["status"] for row in table(tmp_path / "l")["agents"]} == {"re-run by another"}


def test_the_table_keeps_its_published_schema(made: Path, tmp_path: Path) -> None:
    schema = json.loads((ROOT / "schemas" / "leaderboard.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    add(tmp_path / "l", made / "one", made / "three")
    for game in (None, "guess", "council"):
        validator.validate(table(tmp_path / "l", game))
    assert not validator.is_valid({**table(tmp_path / "l"), "agents": [{"id": "x"}]})
