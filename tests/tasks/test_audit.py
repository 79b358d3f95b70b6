"""The audit of a finished run: edited results, other rows and unfounded secrets are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.sources import oracles
from thorp.arena.contract import Seat
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.manifest import manifest_bytes
from thorp.store import RealDisk
from thorp.tasks import commit, default_suite, fresh_rows
from thorp.tasks.plan import Revealed, RunPlan, plan_run
from thorp.tasks.runs import load_run, reveal, run_rows
from thorp.workers import InlinePool

DISK = RealDisk()
SECRET = bytes(range(32))
IDLE = Seat("idle", "idle")


def played(plan: RunPlan, path: Path) -> Path:
    """A finished run."""
    run_rows(plan, path, InlinePool(), DISK)
    return path


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A run over both rows of a task."""
    suite = default_suite()
    return played(plan_run(suite, suite.select("live-bench", split="dev"), IDLE), tmp_path / "run")


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A run over fresh rows, revealed and judged."""
    suite = default_suite()
    rows = fresh_rows(suite, SECRET, "live-bench", 2)
    plan = plan_run(suite, rows, IDLE, commitment=commit(SECRET))
    report = run_rows(plan, tmp_path / "fresh", InlinePool(), DISK)
    told = Revealed(secret=SECRET.hex(), failed={}, is_judged=True)
    reveal(DISK, tmp_path / "fresh", report, told)
    return tmp_path / "fresh"


def edit_results(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    file = path / "results.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    edit(lines[0])
    text = "".join(json.dumps(line, separators=(",", ":"), sort_keys=True) + "\n" for line in lines)
    file.write_text(text)


def edit_manifest(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change a manifest, and give it the digest of its new content."""
    content = json.loads((path / "manifest.json").read_text())
    del content["sha256"]
    edit(content)
    (path / "manifest.json").write_bytes(manifest_bytes(content))


def refused(path: Path, **how: Any) -> str:
    with pytest.raises(ThorpError) as refusal:
        load_run(DISK, path, **how)
    assert "\n" not in str(refusal.value)
    return refusal.value.code


def test_a_run_as_it_was_played_passes(finished: Path, fresh: Path) -> None:
    assert load_run(DISK, finished, replay=True).kind == "bot"
    assert load_run(DISK, fresh, replay=True, oracles=oracles()).total.rows == 2


def test_a_score_that_was_edited_is_refused(finished: Path) -> None:
    edit_results(finished, lambda line: line.update(scores=[1]))
    assert refused(finished) == "unproved"


def test_counts_that_were_edited_are_refused(finished: Path) -> None:
    edit_results(finished, lambda line: line.update(invalid=[0], valid=[1]))
    assert refused(finished) == "unproved"


def test_a_log_that_is_missing_or_another_one_is_refused(finished: Path) -> None:
    (log, _) = sorted((finished / "logs").glob("*[0-9].jsonl"))
    data = log.read_bytes()
    log.write_bytes(data.replace(b"wait", b"WAIT"))
    assert refused(finished) == "logs"
    log.unlink()
    assert refused(finished) == "logs"


def test_a_log_that_was_forged_with_its_digest_is_refused_when_replayed(finished: Path) -> None:
    """Results and log agree with each other, and no match could have gone so."""
    log = finished / "logs" / "live-bench-2000.jsonl"
    forged = log.read_bytes().replace(b'"scores":{"idle":0', b'"scores":{"idle":1')
    assert forged != log.read_bytes()
    log.write_bytes(forged)
    edit_results(finished, lambda line: line.update(scores=[1], log=digest(forged)))
    assert load_run(DISK, finished).total.score.value == 0.5
    assert refused(finished, replay=True) == "unproved"


def test_a_log_of_another_match_is_refused(finished: Path) -> None:
    """Even a sound one: that of the other row."""
    logs = finished / "logs"
    for other in logs.glob("live-bench-2001.*"):
        (logs / other.name.replace("2001", "2000")).write_bytes(other.read_bytes())
    last = json.loads((finished / "results.jsonl").read_text().splitlines()[1])
    edit_results(finished, lambda line: line.update(log=last["log"], beside=last["beside"]))
    assert refused(finished, replay=True) == "unproved"


def test_what_is_no_log_is_refused(finished: Path) -> None:
    log = finished / "logs" / "live-bench-2000.jsonl"

    def replace(data: bytes) -> None:
        log.write_bytes(data)
        edit_results(finished, lambda line: line.update(log=digest(data)))

    for data in (b"", b"\n", b"[1]\n", b'{"type":"MatchEnded"}\n', b'{"type":"TurnStarted"}'):
        replace(data)
        assert refused(finished) == "unproved"


def test_rows_of_nobody_are_refused(finished: Path) -> None:
    def easier(content: dict[str, Any]) -> None:
        content["rows"][0]["difficulty"] = 3

    edit_manifest(finished, easier)
    assert refused(finished) == "rows"


def test_fresh_rows_need_the_secret_that_was_committed_to(fresh: Path) -> None:
    kept = json.loads((fresh / "revealed.json").read_text())
    (fresh / "revealed.json").write_text(json.dumps({**kept, "secret": "ab" * 32}))
    with pytest.raises(ConflictError, match="committed to") as refusal:
        load_run(DISK, fresh)
    assert refusal.value.code == "commitment"
    (fresh / "revealed.json").unlink()
    with pytest.raises(InvalidError, match="never revealed"):
        load_run(DISK, fresh)


def test_fresh_rows_follow_from_the_secret(fresh: Path) -> None:
    """Whoever commits to a secret and then plays other rows has chosen them."""
    edit_manifest(fresh, lambda content: content.update(commitment=commit(SECRET[::-1])))
    kept = json.loads((fresh / "revealed.json").read_text())
    (fresh / "revealed.json").write_text(json.dumps({**kept, "secret": SECRET[::-1].hex()}))
    assert refused(fresh) == "rows"


def test_rows_that_went_badly_cannot_be_left_out(fresh: Path) -> None:
    (first, second) = [row.id for row in fresh_rows(default_suite(), SECRET, "live-bench", 2)]
    kept = json.loads((fresh / "revealed.json").read_text())
    (fresh / "revealed.json").write_text(json.dumps({**kept, "failed": {first: "0"}}))
    assert [row.id for row in load_run(DISK, fresh).rows] == [second], "the oracle is elsewhere"
    assert refused(fresh, replay=True, oracles=oracles()) == "oracle"
    (fresh / "revealed.json").write_text(json.dumps({**kept, "failed": {"live-bench-1": "0"}}))
    assert refused(fresh) == "rows"


def test_a_damaged_manifest_is_refused(finished: Path) -> None:
    path = finished / "manifest.json"
    path.write_text(path.read_text().replace("idle", "best", 1))
    with pytest.raises(DamagedError):
        load_run(DISK, finished)
