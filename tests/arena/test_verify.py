"""Verification: every byte is reproduced, and every kind of damage is named with its line."""

from __future__ import annotations

import io
import json
import resource
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.arena.stubs import Answering, always
from tests.arena.test_golden import MATCHES
from thorp.arena import Agent, AgentConfig, MatchConfig, run_match
from thorp.arena.agents import BaselineAgent, RandomAgent
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.events import LINE_BYTES_LIMIT, LogReader
from thorp.arena.manifest import read_manifest
from thorp.arena.recap import recap
from thorp.arena.scenarios import NumberGuess
from thorp.arena.service import (
    Verification,
    _changed_sidecar,
    play,
    save_match,
    sidecar_path,
    verify_file,
)
from thorp.arena.verify import config_from_log, find_difference
from thorp.kernel.errors import DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.manifest import manifest_bytes
from thorp.store import RealDisk
from thorp.store.testing import BreakableDisk

TASK = MatchTask(
    "number-guess", (Seat("ada", "random"), Seat("bo", "baseline")), seed=42, max_turns=20
)
LOG = play(TASK).jsonl
LINES = LOG.splitlines(keepends=True)


def verify_bytes(log: bytes, folder: Path, manifest: bytes | None = None) -> Verification:
    path = folder / "log.jsonl"
    path.write_bytes(log)
    if manifest is not None:
        sidecar_path(path, "manifest.json").write_bytes(manifest)
    return verify_file(path)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("match") / "a.jsonl"
    save_match(RealDisk(), path, TASK, play(TASK), None, replace=False)
    return sidecar_path(path, "manifest.json").read_bytes()


@pytest.mark.parametrize("record", MATCHES, ids=lambda record: record["id"])
def test_every_golden_log_verifies_bare(record: dict[str, Any]) -> None:
    config = record["config"]
    bounds = config.get("range", {"min": 1, "max": 100})
    reader = LogReader(io.BytesIO(record["jsonl"].encode("utf-8")))
    from thorp.arena.events import parse_start

    start = parse_start(reader.peek())
    scenario = NumberGuess(bounds["min"], bounds["max"])
    assert (
        find_difference(reader, scenario, start["agentIds"], config_from_log(start, reader.peek(1)))
        is None
    )


def test_with_a_manifest_the_bots_are_really_played(tmp_path: Path, manifest: bytes) -> None:
    found = verify_bytes(LOG, tmp_path, manifest)
    assert found == Verification(
        None, "manifest", "number-guess", len(LINES), ("ada", "bo"), digest(manifest), 256
    )


def test_a_bare_log_is_judged_with_defaults_and_labelled_so(tmp_path: Path) -> None:
    found = verify_bytes(LOG, tmp_path)
    assert found == Verification(None, "defaults", "number-guess", len(LINES), ())


DAMAGE = {
    "changed": (
        b"".join([*LINES[:8], LINES[8].replace(b'"winner":null', b'"winner":nulL'), *LINES[9:]]),
        9,
    ),
    "dropped": (b"".join(LINES[:5] + LINES[6:]), 6),
    "reordered": (b"".join([*LINES[:5], LINES[6], LINES[5], *LINES[7:]]), 6),
    "repeated": (b"".join([*LINES[:5], LINES[4], *LINES[5:]]), 6),
    "truncated": (b"".join(LINES[:-1]), len(LINES)),
    "trailing": (LOG + b"{}\n", len(LINES) + 1),
}


@pytest.mark.parametrize("code", DAMAGE)
@pytest.mark.parametrize("bare", [True, False], ids=["bare", "manifest"])
def test_each_kind_of_damage_is_named_with_its_line(
    code: str, bare: bool, tmp_path: Path, manifest: bytes
) -> None:
    log, line = DAMAGE[code]
    difference = verify_bytes(log, tmp_path, None if bare else manifest).difference
    assert difference is not None
    assert (difference.code, difference.line) == (code, line)
    assert difference.message


def test_a_log_cut_in_the_middle_of_a_line(tmp_path: Path) -> None:
    difference = verify_bytes(b"".join(LINES[:4])[:-20], tmp_path).difference
    assert difference is not None
    assert (difference.code, difference.line) == ("truncated", 4)


@given(st.integers(0, len(LOG) - 2), st.integers(1, 255))
@settings(max_examples=300)
def test_no_changed_byte_goes_unnoticed_beside_a_manifest(
    tmp_path_factory: pytest.TempPathFactory, at: int, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("flip")
    path = folder / "a.jsonl"
    save_match(RealDisk(), path, TASK, play(TASK), None, replace=False)
    changed = bytearray(LOG)
    changed[at] ^= flip
    path.write_bytes(changed)
    difference = verify_file(path).difference
    assert difference is not None
    line = LOG.count(b"\n", 0, at) + 1
    # A byte that became a line feed splits its line, one that was a line feed joins two.
    assert difference.line in ((line, line + 1) if 10 in (LOG[at], changed[at]) else (line,))


def test_a_change_that_no_rule_notices_is_found_by_the_manifest(tmp_path: Path) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("no idea")

    result = run_match(NumberGuess(), [Answering("x", fail)], MatchConfig(seed=1, max_turns=2))
    task = MatchTask("number-guess", (Seat("x", "cmd:x"),), seed=1, max_turns=2)
    path = tmp_path / "a.jsonl"
    save_match(RealDisk(), path, task, result, None, replace=False)
    assert verify_file(path).difference is None
    path.write_bytes(result.jsonl.replace(b"no idea", b"no ideA", 1))
    difference = verify_file(path).difference
    assert difference is not None
    assert (difference.code, difference.line) == ("changed", 4)


def test_another_seed_is_another_match(tmp_path: Path) -> None:
    assert verify_bytes(LOG.replace(b'"seed":42', b'"seed":43'), tmp_path).difference is not None


def test_a_move_that_the_bot_would_not_have_made(tmp_path: Path) -> None:
    """A log that is consistent in itself, but whose bot's actions were chosen by someone else."""
    forged = run_match(
        NumberGuess(), [always("ada", {"guess": 5}), BaselineAgent("bo")], MatchConfig(42, 20)
    )
    path = tmp_path / "a.jsonl"
    save_match(RealDisk(), path, TASK, forged, None, replace=False)
    assert verify_bytes(forged.jsonl, tmp_path).difference is None
    difference = verify_file(path).difference
    assert difference is not None
    assert difference.line == 4


def test_failed_inits_verify(tmp_path: Path) -> None:
    class Broken(Answering):
        def init(self, config: AgentConfig) -> None:
            raise OSError("no engine")

    seats: list[Agent] = [Broken("a", lambda *_: 1), RandomAgent("b"), Broken("a", lambda *_: 1)]
    result = run_match(NumberGuess(), seats, MatchConfig(seed=1, max_turns=3))
    assert verify_bytes(result.jsonl, tmp_path).difference is None


@pytest.mark.parametrize("limit", [float("inf"), float("nan"), 0, -1, 2.5])
@pytest.mark.parametrize("seed", [1.5, float("nan"), 1e21])
def test_odd_numbers_verify(limit: float, seed: float, tmp_path: Path) -> None:
    result = run_match(NumberGuess(), [BaselineAgent("a")], MatchConfig(seed=seed, max_turns=limit))
    assert verify_bytes(result.jsonl, tmp_path).difference is None


def test_observations_kept_as_digests_are_checked(tmp_path: Path) -> None:
    class Large(NumberGuess):
        observation_log = "digest"

    result = run_match(Large(), [RandomAgent("ada"), BaselineAgent("bo")], MatchConfig(42, 20))
    path = tmp_path / "a.jsonl"
    save_match(RealDisk(), path, TASK, result, None, replace=False)
    contents = sidecar_path(path, "observations.txt")
    assert contents.read_bytes().count(b"\n") == len(result.contents) > 1
    contents.write_bytes(contents.read_bytes().replace(b'"rangeMin":1,', b'"rangeMin":2,', 1))
    difference = _changed_sidecar(
        path, read_manifest(sidecar_path(path, "manifest.json").read_bytes())
    )
    assert difference is not None
    assert (difference.code, difference.line) == ("changed", 1)
    contents.unlink()
    difference = _changed_sidecar(
        path, read_manifest(sidecar_path(path, "manifest.json").read_bytes())
    )
    assert difference is not None
    assert difference.code == "missing"


def test_replies_that_were_changed_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    save_match(RealDisk(), path, TASK, play(TASK), b"replies\n", replace=False)
    assert verify_file(path).difference is None
    sidecar_path(path, "replies.jsonl").write_bytes(b"other\n")
    difference = verify_file(path).difference
    assert difference is not None
    assert "replies.jsonl" in difference.message


def test_a_manifest_whose_own_digest_is_wrong(tmp_path: Path, manifest: bytes) -> None:
    content = json.loads(manifest)
    del content["sha256"]
    content["log"]["sha256"] = "zz" + content["log"]["sha256"][2:]
    difference = verify_bytes(LOG, tmp_path, manifest_bytes(content)).difference
    assert difference is not None
    assert difference.code == "digest"


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (LINES[0].replace(b'"seed"', b'"sead"'), "changed"),
        (LINES[0].replace(b'"seed":42', b'"seed":"42"'), "changed"),
        (b"\x00" + LINES[0][1:], "changed"),
    ],
)
def test_a_broken_first_line_of_a_bare_log(first: bytes, code: str, tmp_path: Path) -> None:
    difference = verify_bytes(b"".join([first, *LINES[1:]]), tmp_path).difference
    assert difference is not None
    assert (difference.code, difference.line) == (code, 1)


def test_a_first_line_that_breaks_off(tmp_path: Path) -> None:
    difference = verify_bytes(LINES[0][:50], tmp_path).difference
    assert difference is not None
    assert (difference.code, difference.line) == ("truncated", 1)


def test_a_full_disk_while_replacing_leaves_the_old_match(tmp_path: Path) -> None:
    """Whatever write fails for want of space, the old match is still there and whole."""
    other = MatchTask("number-guess", TASK.seats, seed=7, max_turns=20)
    for change in range(1, 9):
        disk = BreakableDisk(1)
        path = disk.root / "a.jsonl"
        save_match(disk, path, TASK, play(TASK), None, replace=False)
        disk.fail_in(change, "disk_full")
        with suppress(ThorpError):
            save_match(disk, path, other, play(other), None, replace=True)
        with (
            closing(disk.open(path)) as log,
            closing(disk.open(sidecar_path(path, "manifest.json"))) as kept,
        ):
            data, listed = log.read(0, log.size()), read_manifest(kept.read(0, kept.size()))
        renaming = change > 6  # a rename that fails midway can leave one of each
        assert renaming or digest(data) == listed.log.sha256, change


NOT_LOGS = {
    "empty": b"",
    "binary": bytes(range(256)) * 50,
    "other json": b'{"type":"TurnStarted"}\n',
    "unknown scenario": LINES[0].replace(b"NumberGuess", b"Nothing"),
    "deep": b"[" * 100_000,
    "huge line": b"x" * (LINE_BYTES_LIMIT + 1),
}


@pytest.mark.parametrize("name", NOT_LOGS)
def test_what_is_no_log_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ThorpError):
        verify_bytes(NOT_LOGS[name], tmp_path)


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe", b'{"contract":"other"}', b"[" * 10_000])
def test_a_manifest_that_is_none_is_damaged(data: bytes, tmp_path: Path) -> None:
    difference = verify_bytes(LOG, tmp_path, data).difference
    assert difference is not None
    assert (difference.code, difference.line) == ("damaged", 1)
    with pytest.raises(DamagedError, match=r"^a\.manifest\.json:1: damaged: "):
        read_manifest(data, "a.manifest.json")


@pytest.mark.parametrize(
    ("was", "forged"),
    [
        (b'"spec":"random"', b'"spec":"cmd:bot"'),
        (b'"memory_mib":1024', b'"memory_mib":1025'),
        (b'"thorp":"', b'"thorp":"1'),
        (b'"match_id":null', b'"match_id":null '),
    ],
)
def test_a_manifest_covers_itself(
    was: bytes, forged: bytes, tmp_path: Path, manifest: bytes
) -> None:
    assert was in manifest
    difference = verify_bytes(LOG, tmp_path, manifest.replace(was, forged, 1)).difference
    assert difference is not None
    assert (difference.code, difference.message) == (
        "damaged",
        "log.manifest.json is not as it was written, by its own digest",
    )


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)])
def test_a_flipped_byte_is_found_and_never_a_traceback(
    step: int, tmp_path: Path, manifest: bytes
) -> None:
    for at, bit in list(product(range(len(manifest)), (0x01, 0x20, 0x80)))[::step]:
        flipped = bytearray(manifest)
        flipped[at] ^= bit
        with suppress(InvalidError):  # of a version that it now claims to be of
            assert verify_bytes(LOG, tmp_path, bytes(flipped)).difference is not None, at
    sidecar_path(tmp_path / "log.jsonl", "manifest.json").unlink()
    for at in range(0, len(LOG), step):
        flipped = bytearray(LOG)
        flipped[at] ^= 0x80
        with suppress(ThorpError):
            assert verify_bytes(bytes(flipped), tmp_path).difference is not None, at
        with suppress(ThorpError):
            list(recap(LogReader(io.BytesIO(flipped))))


def test_a_tip_tells_a_manifest_written_anew(tmp_path: Path, manifest: bytes) -> None:
    tip = digest(manifest)
    path = tmp_path / "log.jsonl"
    verify_bytes(LOG, tmp_path, manifest)
    assert verify_file(path, tip).difference is None
    content = json.loads(manifest)
    del content["sha256"]
    content["task"]["limits"]["memory_mib"] = 1
    assert verify_bytes(LOG, tmp_path, manifest_bytes(content)).difference is None
    difference = verify_file(path, tip).difference
    assert difference is not None
    assert difference.code == "tip"
    sidecar_path(path, "manifest.json").unlink()
    with pytest.raises(InvalidError, match="only with its manifest"):
        verify_file(path, tip)


def test_a_manifest_of_another_format_names_the_version_that_reads_it(
    tmp_path: Path, manifest: bytes
) -> None:
    newer = manifest.replace(b'"format":3', b'"format":9').replace(b'"thorp":"', b'"thorp":"9.')
    with pytest.raises(InvalidError, match=r"use thorp 9\."):
        verify_bytes(LOG, tmp_path, newer)


def test_a_manifest_with_short_block_digests_is_read_and_called_so(
    tmp_path: Path, manifest: bytes
) -> None:
    content = {name: value for name, value in json.loads(manifest).items() if name != "sha256"}
    whole = content["log"]["blocks"]
    assert {len(block) for block in whole} == {64}
    content["format"], content["log"]["blocks"] = 2, [block[:16] for block in whole]
    older = manifest_bytes(content)
    found = verify_bytes(LOG, tmp_path, older)
    assert (found.difference, found.block_bits) == (None, 64)
    changed = verify_bytes(LOG.replace(b'"matchId":"m_', b'"matchId":"n_', 1), tmp_path, older)
    assert changed.difference is not None
    content["format"] = 3  # short digests are no whole ones
    assert verify_bytes(LOG, tmp_path, manifest_bytes(content)).difference is not None


def test_memory_does_not_grow_with_the_log(tmp_path: Path) -> None:
    result = run_match(
        NumberGuess(), [always("a", {"guess": 0})], MatchConfig(seed=1, max_turns=20_000)
    )
    path = tmp_path / "long.jsonl"
    path.write_bytes(result.jsonl)
    size = len(result.jsonl)
    assert size > 10 << 20
    del result
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert verify_file(path).difference is None
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < size / 4


def interrupted_log(task: MatchTask, lines: int) -> bytes:
    """The log of a match that is interrupted as soon as it has so many lines."""
    seen: list[bytes] = []

    def watch(line: bytes) -> None:
        seen.append(line)
        if len(seen) == lines:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        play(task, watch=watch)
    return b"".join(seen)


@pytest.mark.parametrize("lines", range(1, 12))
def test_the_log_of_an_interrupted_match_verifies_and_is_called_so(
    lines: int, tmp_path: Path
) -> None:
    log = interrupted_log(TASK, lines)
    assert log.count(b"\n") == lines + 1
    judged = verify_bytes(log, tmp_path)
    assert (judged.difference, judged.lines, judged.interrupted) == (None, lines + 1, True)
    assert not verify_bytes(LOG, tmp_path).interrupted


def test_a_sealed_match_that_was_interrupted_reveals_its_secret_and_verifies(
    tmp_path: Path,
) -> None:
    seats = (Seat("ada", "random"), Seat("bo", "random"))
    log = interrupted_log(MatchTask("auction", seats, seed=3, max_turns=9, secret="0f" * 32), 9)
    assert b'"type":"MatchRevealed"' in log.splitlines()[-2]
    judged = verify_bytes(log, tmp_path)
    assert (judged.difference, judged.interrupted) == (None, True)


def test_scores_of_an_interrupted_match_are_made_up(tmp_path: Path) -> None:
    log = interrupted_log(TASK, 6).replace(b'"scores":{}', b'"scores":{"ada":100}')
    judged = verify_bytes(log, tmp_path)
    assert judged.difference is not None
    assert (judged.difference.code, judged.difference.line) == ("changed", 7)


def test_interrupting_a_verification_is_no_difference() -> None:
    class Impatient(NumberGuess):
        def adjudicate(self, state: Any, agent_id: str, action: Any) -> Any:
            raise KeyboardInterrupt

    for config in (MatchConfig(42, 20), MatchConfig(42, 20, "m")):
        log = run_match(NumberGuess(), [RandomAgent("ada"), BaselineAgent("bo")], config).jsonl
        with pytest.raises(KeyboardInterrupt):
            find_difference(LogReader(io.BytesIO(log)), Impatient(), ["ada", "bo"], config)


SHOWN = [
    ("number-guess", {"minimum": -5, "maximum": 7}),
    ("number-guess", {"minimum": 0.5, "maximum": 1e300}),
    ("number-guess", {"minimum": 10, "maximum": 5}),
    ("number-guess", {"maximum": 2**60}),
    ("auction", {"lots": 3, "budget": 50, "highest_value": 9, "pricing": "first"}),
    ("dilemma", {"rounds": 5, "temptation": 9, "reward": 7, "punishment": 2, "sucker": 1}),
    ("connect-four", {"max_misses": 1}),
    ("town-council", {"days": 3}),
]


@pytest.mark.parametrize(
    ("scenario", "parameters", "sealed"),
    [*((*shown, False) for shown in SHOWN), ("auction", {"lots": 3, "budget": 50}, True)],
    ids=repr,
)
def test_a_bare_log_is_judged_with_the_parameters_that_it_shows(
    scenario: str, parameters: dict[str, Any], sealed: bool, tmp_path: Path
) -> None:
    seats = (Seat("ada", "random"), Seat("bo", "random"))
    task = MatchTask(scenario, seats, seed=7, max_turns=12, parameters=parameters)
    if sealed:
        task = msgspec.structs.replace(task, secret="0e" * 32)
    log = play(task).jsonl
    judged = verify_bytes(log, tmp_path)
    assert (judged.difference, judged.basis) == (None, "observations")
    forged = log.replace(b'"turn":1,"valid":', b'"turn":1,"valid":"', 1)
    damage = verify_bytes(forged, tmp_path).difference
    assert damage is not None
    assert damage.code == "changed"


@given(
    seed=st.integers(0, 2**32),
    minimum=st.one_of(
        st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False)
    ),
    span=st.integers(0, 10**6),
)
@settings(max_examples=60, deadline=None)
def test_no_sound_log_is_called_changed_whatever_its_range(
    seed: int, minimum: float, span: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    seats: list[Agent] = [RandomAgent("ada"), BaselineAgent("bo")]
    log = run_match(NumberGuess(minimum, minimum + span), seats, MatchConfig(seed, 6)).jsonl
    assert verify_bytes(log, tmp_path_factory.mktemp("range")).difference is None


@pytest.mark.parametrize("bounds", [(5, float("inf")), (float("nan"), 9)], ids=repr)
def test_a_range_that_the_log_does_not_show_cannot_be_told(
    bounds: tuple[float, float], tmp_path: Path
) -> None:
    log = run_match(NumberGuess(*bounds), [RandomAgent("ada")], MatchConfig(3, 4)).jsonl
    with pytest.raises(InvalidError, match="cannot tell: not in this log: m") as refused:
        verify_bytes(log, tmp_path)
    assert refused.value.code == "parameters"


def test_a_log_without_observations_shows_no_range(tmp_path: Path) -> None:
    nobody = run_match(NumberGuess(5, 6), [], MatchConfig(3, 4)).jsonl
    with pytest.raises(InvalidError, match="cannot tell: not in this log: minimum, maximum"):
        verify_bytes(nobody, tmp_path)
    # With no turn at all nothing depends on the range, so it is sound whatever the range was.
    assert (
        verify_bytes(run_match(NumberGuess(5, 6), [], MatchConfig(3, 0)).jsonl, tmp_path).difference
        is None
    )


@pytest.mark.parametrize(
    "observation",
    [
        b"null",
        b"[]",
        b'{"rangeMin":"x","rangeMax":{}}',
        b'{"rangeMin":true,"rangeMax":1}',
        b'"text"',
    ],
)
def test_any_first_observation_is_judged_or_refused(observation: bytes, tmp_path: Path) -> None:
    view = LINES[2][LINES[2].index(b'"observation":') + 14 : LINES[2].index(b',"seq"')]
    lines = [LINES[0], LINES[1], LINES[2].replace(view, observation), *LINES[3:]]
    with pytest.raises(InvalidError, match="cannot tell"):
        verify_bytes(b"".join(lines), tmp_path)


def test_a_bare_voxel_log_with_other_ticks_is_never_called_changed(tmp_path: Path) -> None:
    task = MatchTask("voxel-survival", (Seat("a", "idle"),), 3, 4, {"ticks": 10})
    with pytest.raises(InvalidError, match="cannot tell: not in this log: ticks, busy_ticks"):
        verify_bytes(play(task).jsonl, tmp_path)
