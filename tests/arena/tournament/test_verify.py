"""Proof of a tournament: a sound one passes, and every kind of change is found."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from itertools import product
from pathlib import Path

import pytest

from tests.arena.tournament.small import FIELD, small_plan
from thorp.arena.contract import Seat
from thorp.arena.tournament import (
    InlinePool,
    load_tournament,
    run_tournament,
    tournament_tip,
    verify_tournament,
)
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.manifest import manifest_bytes
from thorp.store import RealDisk

DISK = RealDisk()
ERRING = """
class Erring:
    def init(self, config): pass
    def act(self, observation, ctx):
        if ctx.turn % 2: raise ValueError("odd")
        return {"guess": "many"}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    run_tournament(small_plan(parameters={"maximum": 30}), tmp_path / "t", InlinePool(), DISK)
    return tmp_path / "t"


def reseal(path: Path, **changes: object) -> None:
    """Change the manifest as a forger would, its own digest with it."""
    manifest = json.loads((path / "manifest.json").read_bytes())
    del manifest["sha256"]
    (path / "manifest.json").write_bytes(manifest_bytes({**manifest, **changes}))


def differences(path: Path) -> list[str]:
    return verify_tournament(DISK, path).differences


def test_a_sound_tournament_is_proved(path: Path) -> None:
    found = verify_tournament(DISK, path)
    assert (found.matches, found.logs, found.differences) == (6, 6, [])


def test_an_agent_from_outside_is_taken_from_the_log(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(ERRING)
    plan = small_plan(
        entrants=(*FIELD[:1], Seat("dave", f"{tmp_path / 'bot.py'}:Erring")), max_turns=4
    )
    run_tournament(plan, tmp_path / "t", InlinePool(), DISK)
    assert differences(tmp_path / "t") == []


def test_without_logs_the_table_is_proved(tmp_path: Path) -> None:
    run_tournament(small_plan(logs=False), tmp_path / "t", InlinePool(), DISK)
    found = verify_tournament(DISK, tmp_path / "t")
    assert (found.matches, found.logs, found.differences) == (6, 0, [])


def test_a_changed_log_is_found_by_line(path: Path) -> None:
    log = path / "logs" / "r01-m0002-alice-vs-carol.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"feedback":"higher"', b'"feedback":"lower"', 1))
    (found,) = differences(path)
    assert found.startswith("r01-m0002-alice-vs-carol.jsonl:")
    assert "changed" in found


def test_a_missing_log_is_found(path: Path) -> None:
    (path / "logs" / "r01-m0002-alice-vs-carol.jsonl").unlink()
    assert differences(path) == ["r01-m0002-alice-vs-carol.jsonl: missing"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("scores", [100, 100]), ("turns", 99), ("valid", [0, 0]), ("reason", "maxTurnsReached")],
)
def test_a_result_that_its_log_does_not_say_is_found(path: Path, name: str, value: object) -> None:
    results = path / "results.jsonl"
    first, *rest = results.read_bytes().splitlines(keepends=True)
    changed = {**json.loads(first), name: value}
    results.write_bytes(canonical_bytes(changed) + b"\n" + b"".join(rest))
    found = differences(path)
    assert (
        found[0] == "results.jsonl: the result of r01-m0001-bob-vs-alice is not what its log says"
    )


def test_a_log_that_was_swapped_as_a_whole_is_found(path: Path) -> None:
    """Another agent's error text follows from no rule; only the digest tells."""
    results = path / "results.jsonl"
    lines = results.read_bytes().splitlines(keepends=True)
    changed = {**json.loads(lines[0]), "log": digest(b"other")}
    results.write_bytes(canonical_bytes(changed) + b"\n" + b"".join(lines[1:]))
    assert (
        differences(path)[0]
        == "r01-m0001-bob-vs-alice.jsonl: is not the log that the result was made from"
    )


@pytest.mark.parametrize("change", ["drop", "swap", "add"])
def test_results_out_of_place_are_found(path: Path, change: str) -> None:
    results = path / "results.jsonl"
    one, two, *rest = results.read_bytes().splitlines(keepends=True)
    lines = {"drop": [two, *rest], "swap": [two, one, *rest], "add": [one, two, *rest, one]}[change]
    results.write_bytes(b"".join(lines))
    words = "more results than matches" if change == "add" else "is not in its place"
    assert words in differences(path)[0]


@pytest.mark.parametrize("name", ["standings.json", "report.html"])
def test_a_table_that_does_not_follow_is_found(path: Path, name: str) -> None:
    (path / name).write_bytes((path / name).read_bytes().replace(b"carol", b"Carol"))
    assert differences(path) == [f"{name}: does not follow from the results"]
    (path / name).unlink()
    assert differences(path) == [f"{name}: does not follow from the results"]


def test_results_that_cannot_be_read_are_a_difference(path: Path) -> None:
    (path / "results.jsonl").write_bytes(b"{}\n")
    assert "not a match's result" in differences(path)[0]


@pytest.mark.parametrize("name", ["manifest.json", "results.jsonl"])
def test_every_flipped_byte_is_found_and_never_a_traceback(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t"
    run_tournament(small_plan(entrants=FIELD[:2], rounds=1, max_turns=2), path, InlinePool(), DISK)
    sound = (path / name).read_bytes()
    for at, bit in product(range(len(sound)), (0x01, 0x80)):
        flipped = bytearray(sound)
        flipped[at] ^= bit
        (path / name).write_bytes(flipped)
        try:
            found = differences(path)
        except ThorpError as refusal:  # a version that it now claims to be of
            found = [str(refusal)]
        assert found, (name, at, bit)
        with contextlib.suppress(ThorpError):
            load_tournament(DISK, path)


def test_damage_is_named_by_file_and_line(path: Path) -> None:
    lines = (path / "results.jsonl").read_bytes().splitlines(keepends=True)
    lines[2] = b"\xff" + lines[2]
    (path / "results.jsonl").write_bytes(b"".join(lines))
    assert differences(path)[0].startswith(f"{path / 'results.jsonl'}:3: damaged: ")
    lines[2] = lines[2][1:]
    (path / "results.jsonl").write_bytes(b"".join(lines)[:-7])
    assert differences(path) == [f"{path / 'results.jsonl'}:6: damaged: the line breaks off"]
    (path / "results.jsonl").write_bytes(b"".join(lines))
    manifest = (path / "manifest.json").read_bytes()
    (path / "manifest.json").write_bytes(
        manifest.replace(b'"spec":"baseline"', b'"spec":"cmd:true"')
    )
    assert differences(path)[0].startswith(f"{path / 'manifest.json'}:1: damaged: ")


def test_results_with_impossible_numbers_are_damaged(path: Path) -> None:
    for name, value in (("valid", [10**400, 0]), ("scores", [1e300, 0]), ("turns", -1)):
        first, *rest = (path / "results.jsonl").read_bytes().splitlines(keepends=True)
        (path / "results.jsonl").write_bytes(
            json.dumps({**json.loads(first), name: value}).encode() + b"\n" + b"".join(rest)
        )
        assert "results.jsonl:1: damaged" in differences(path)[0]


def test_a_tip_names_manifest_and_results(path: Path) -> None:
    tip = tournament_tip(DISK, path)
    data = (path / "manifest.json").read_bytes() + (path / "results.jsonl").read_bytes()
    assert tip == hashlib.sha256(data).hexdigest() == verify_tournament(DISK, path, tip).tip
    assert verify_tournament(DISK, path, tip).differences == []
    reseal(path, limits={"turn_seconds": 1})
    assert differences(path) == []  # a forger's tournament proves itself; the tip tells
    (found,) = verify_tournament(DISK, path, tip).differences
    assert f"not {tip}" in found


def test_a_directory_without_a_tournament_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ThorpError, match="holds no tournament"):
        verify_tournament(DISK, tmp_path)


GOLDEN = Path(__file__).parents[2] / "golden" / "tournament-standings-1"


def test_a_recorded_tournament_with_openskills_ratings_still_verifies(tmp_path: Path) -> None:
    """Recorded before ratings were a function of the set; its report is not judged any more."""
    path = tmp_path / "t"
    shutil.copytree(GOLDEN, path)
    found = verify_tournament(DISK, path)
    assert (found.matches, found.logs, found.differences) == (6, 6, [])
    assert load_tournament(DISK, path).standings[0].id == "bob"
    standings = (path / "standings.json").read_bytes()
    for wrong in (standings.replace(b'"wins":3', b'"wins":4'), b"{}", b"\xff", b""):
        (path / "standings.json").write_bytes(wrong)
        assert differences(path) == ["standings.json: does not follow from the results"]
    (path / "standings.json").write_bytes(standings)
    log = next((path / "logs").iterdir())
    log.write_bytes(log.read_bytes()[:-9])
    assert differences(path)[0].startswith(log.name)


def test_such_a_tournament_is_not_gone_on_with(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN, tmp_path / "t")
    with pytest.raises(ThorpError, match=r"openskill is .* there and absent here"):
        run_tournament(small_plan(max_turns=6), tmp_path / "t", InlinePool(), DISK)


def test_standings_of_a_later_format_are_refused_in_one_line(path: Path) -> None:
    reseal(path, standings=3)
    with pytest.raises(ThorpError, match=r"standings of format 3, this reads 2 and 1; prove it"):
        verify_tournament(DISK, path)


def test_a_mirrored_tournament_verifies(tmp_path: Path) -> None:
    run_tournament(small_plan(mirrored=True), tmp_path / "t", InlinePool(), DISK)
    found = verify_tournament(DISK, tmp_path / "t")
    assert (found.matches, found.logs, found.differences) == (12, 12, [])


def test_another_version_is_named_and_not_judged(path: Path) -> None:
    reseal(path, thorp="0.0.1")
    with pytest.raises(ThorpError, match=r"was made with thorp 0\.0\.1, this is "):
        verify_tournament(DISK, path)
