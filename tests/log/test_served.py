"""A server that publishes its world by itself, and what strangers make of it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import thorp
from tests.log.test_commands import ask
from thorp.kernel.note import read_note
from thorp.kernel.tlog import read_checkpoint, write_proof
from thorp.log.directory import Log, TileReader
from thorp.store import RealDisk

PATIENCE_SECONDS = 60.0


@contextmanager
def served(data: Path, *options: str) -> Iterator[str]:
    command = [sys.executable, "-m", "thorp", "up", "--data", str(data), "--port", "0", "--clock", "max"]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if "listening on" in line)
            yield re.findall(r"http://\S+", line)[0].rstrip("/")
        finally:
            process.send_signal(signal.SIGTERM)
            process.stdout.read()


def published(data: Path) -> list[dict]:
    public = data / "log/public"
    size = read_checkpoint(read_note((public / "checkpoint").read_bytes()).text).size
    return [json.loads(entry) for entry in TileReader(RealDisk(), public, size).all_entries()]


def test_a_served_world_is_published_and_its_history_proved(tmp_path: Path) -> None:
    data, proof = tmp_path / "data", tmp_path / "proof"
    assert thorp("log", "init", "--data", data, "--origin", "thorp.example/world").returncode == 0
    with served(data, "--log", "--bots", "2") as url:
        until = time.monotonic() + PATIENCE_SECONDS
        while not (data / "log/public/checkpoint").exists() or len(published(data)) < 2:
            assert time.monotonic() < until
            time.sleep(0.2)
        assert ask(f"{url}/log/log.vkey") == (200, (data / "log/public/log.vkey").read_bytes())
        assert read_note(ask(f"{url}/log/checkpoint")[1])
        for hidden in ("key", "../key", "%2e%2e/key", "signed", "tile/0/../../log.vkey", "pending-0.jsonl"):
            assert ask(f"{url}/log/{hidden}")[0] == 404
        assert b"writes this log" in thorp("log", "checkpoint", "--data", data).stderr
    leaves = published(data)
    assert {leaf["kind"] for leaf in leaves} == {"world"}
    assert [leaf["tick"] for leaf in leaves] == sorted(leaf["tick"] for leaf in leaves)
    assert "seed" not in json.dumps(leaves)
    with Log(RealDisk(), data / "log") as log:
        entry = next(TileReader(RealDisk(), data / "log/public", 2).all_entries())
        proof.write_bytes(write_proof(log.prove(entry)))
    vkey = data / "log/public/log.vkey"
    verified = thorp("world", "verify", "--data", data, "--proof", proof, "--key", vkey, "--quiet")
    assert verified.returncode == 0, verified.stderr.decode()
    assert thorp("world", "backup", "--into", tmp_path / "backup", "--data", data).returncode == 0
    secret = (data / "log/key").read_bytes()
    kept = [path.read_bytes() for path in (tmp_path / "backup").rglob("*") if path.is_file()]
    assert kept
    assert not any(secret in content for content in kept)
    other = tmp_path / "other"
    with served(other):
        time.sleep(1)
    wrong = thorp("world", "verify", "--data", other, "--proof", proof, "--key", vkey, "--quiet")
    assert wrong.returncode == 1
    unknown = thorp("world", "verify", "--data", data, "--proof", proof, "--quiet")
    assert unknown.returncode == 2


def test_a_world_without_a_log_cannot_be_published(tmp_path: Path) -> None:
    refused = thorp("up", "--data", tmp_path, "--port", "0", "--log")
    assert refused.returncode == 2
    assert b"thorp log init" in refused.stderr
