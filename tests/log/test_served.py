"""A server that publishes its world by itself, and what strangers make of it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.command import thorp
from tests.log.test_commands import ask
from tests.server.serving import Served, with_server
from tests.story.kill_child import envelope
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import DamagedError
from thorp.log import Log, make_leaf
from thorp.log.directory import TileReader, prove
from thorp.log.note import read_note
from thorp.log.signer import find_keys
from thorp.log.tlog import read_checkpoint, write_proof
from thorp.server.published_log import LogPublisher
from thorp.store import RealDisk
from thorp.story import StoryConfig, open_ledger
from thorp.town import EmbeddedTown, build_handoff, propose
from thorp.town.profile import built_in_profile
from thorp.voxel.persistence.directory import Segment
from thorp.voxel.persistence.head import check_published

PATIENCE_SECONDS = 60.0


@contextmanager
def served(data: Path, *options: str, end: signal.Signals = signal.SIGTERM) -> Iterator[str]:
    command = [
        sys.executable,
        "-m",
        "thorp",
        "up",
        "--data",
        str(data),
        "--port",
        "0",
        "--clock",
        "max",
    ]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if "listening on" in line)
            yield re.findall(r"http://\S+", line)[0].rstrip("/")
        finally:
            process.send_signal(end)
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
        for hidden in (
            "key",
            "../key",
            "%2e%2e/key",
            "signed",
            "tile/0/../../log.vkey",
            "pending-0.jsonl",
        ):
            assert ask(f"{url}/log/{hidden}")[0] == 404
        assert b"writes this log" in thorp("log", "checkpoint", "--data", data).stderr
        assert thorp("log", "prove", "--index", "0", "--data", data, "--out", proof).returncode == 0
    leaves = published(data)
    assert {leaf["kind"] for leaf in leaves} == {"world"}
    seals = [leaf["tick"] for leaf in leaves if "segment" not in leaf]
    assert seals == sorted(seals)
    assert (leaves[0]["tick"], leaves[0]["tip"]) == (0, None)  # before the first tick
    assert len({leaf["origin"] for leaf in leaves}) == 1
    assert "seed" not in json.dumps(leaves)
    trusted = ("--key", data / "log/public/log.vkey", "--quiet")
    backup, last = tmp_path / "backup", tmp_path / "last"
    assert thorp("world", "backup", "--into", backup, "--data", data).returncode == 0
    assert (
        thorp(
            "log", "prove", "--index", str(len(leaves) - 1), "--data", data, "--out", last
        ).returncode
        == 0
    )
    for kept in (data, backup):
        for each in (proof, last):
            verified = thorp("world", "verify", "--data", kept, "--proof", each, *trusted)
            assert verified.returncode == 0, verified.stderr.decode()
    assert (
        f"the tip that was noted is that of tick {leaves[-1]['tick']}" in verified.stdout.decode()
    )
    assert leaves[-1]["digest"] in verified.stdout.decode()  # it was left exactly there
    key = (data / "log/key").read_bytes()
    assert not any(key in path.read_bytes() for path in backup.rglob("*") if path.is_file())
    (backup / "world/secret").write_text("00" * 32)
    wrong = thorp("world", "verify", "--data", backup, "--proof", proof, *trusted)
    assert (wrong.returncode, b"another world" in wrong.stderr) == (1, True)
    (backup / "world/secret").unlink()
    assert thorp("world", "verify", "--data", backup, "--proof", proof, *trusted).returncode == 1
    assert thorp("world", "verify", "--data", data, "--proof", proof, "--quiet").returncode == 2


def test_a_server_that_is_killed_goes_on_with_its_log(tmp_path: Path) -> None:
    data, old, public = tmp_path / "data", tmp_path / "old", tmp_path / "data/log/public"
    assert thorp("log", "init", "--data", data, "--origin", "thorp.example/killed").returncode == 0
    old.write_bytes(b"")
    for end in (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM):
        seen, until = old.read_bytes(), time.monotonic() + PATIENCE_SECONDS
        with served(data, "--log", end=end):
            while (
                not (public / "checkpoint").exists() or (public / "checkpoint").read_bytes() == seen
            ):
                assert time.monotonic() < until
                time.sleep(0.1)
            old.write_bytes((public / "checkpoint").read_bytes())
    leaves = published(data)
    assert len({leaf["origin"] for leaf in leaves}) == 1
    assert thorp("log", "audit", public, "--key", public / "log.vkey", "--old", old).returncode == 0
    tip = leaves[-1]["tip"]
    assert thorp("world", "verify", "--data", data, "--tip", tip, "--quiet").returncode == 0


@with_server(snapshot_every_ticks=5)
async def test_days_receipts_and_segments_are_published(served: Served) -> None:
    """What a leaf says of each can be computed by whoever holds the thing itself."""
    data = served.data
    assert thorp("log", "init", "--data", data, "--origin", "thorp.example/towns").returncode == 0
    publisher, live = LogPublisher(data), served.live
    with EmbeddedTown(data) as towns:
        towns.create_town("Hof")
        handoff = build_handoff(propose(towns.snapshot("Hof"), built_in_profile("mayor", "Hof")))
    publisher.open_world(live.service)
    async with publisher.publishing(served.server, live):
        status, result = await served.get("/v1/handoffs", "POST", json=handoff)
        assert status == 200
        with EmbeddedTown(data) as towns:
            towns.advance_day()
            records, tip = towns.tip()
        while not ("segment" in str(published(data)) and tip in str(published(data))):
            await asyncio.sleep(0.1)
    await asyncio.to_thread(publisher.close_world, live.service)
    leaves = published(data)
    days = [leaf for leaf in leaves if leaf["kind"] == "town" and "day" in leaf]
    assert (days[-1]["records"], days[-1]["tip"]) == (records, tip)
    assert days[-1]["day"] == days[0]["day"] + 1
    receipt = next(leaf for leaf in leaves if "handoff" in leaf)
    assert receipt["handoff"] == sha256(canonical_bytes(handoff)).hexdigest()
    assert receipt["result"] == sha256(canonical_bytes(json.loads(result))).hexdigest()
    segment = next(leaf for leaf in leaves if "segment" in leaf)
    found = Segment(RealDisk(), live.service.directory.journals()[segment["first"]])
    with closing(found.open()) as file:
        assert segment["segment"] == sha256(file.read(0, file.size())).hexdigest()
    assert (segment["tick"], segment["tip"]) == found.end()
    assert segment["digest"] == live.service.directory.digest_after(segment["tick"])
    assert {"origin", "epoch", "rules", "catalogs", "annexes"} < segment.keys()
    check = partial(check_published, RealDisk(), data / "world")
    check(segment)
    for name, wrong in (
        ("segment", "0" * 64),
        ("first", 2),
        ("first", []),
        ("origin", "0" * 64),
        ("origin", None),
    ):
        with pytest.raises(DamagedError):
            check({**segment, name: wrong})


def test_towns_and_stories_are_proved_by_their_tips(tmp_path: Path) -> None:
    data, proof, vkey = tmp_path / "data", tmp_path / "proof", tmp_path / "data/log/public/log.vkey"
    assert thorp("log", "init", "--data", data, "--origin", "thorp.example/tips").returncode == 0
    with EmbeddedTown(data) as towns:
        towns.create_town("Hof")
        records, tip = towns.tip()
        towns.advance_day()
    with open_ledger(f"sqlite:///{data}/story.db", StoryConfig()) as ledger:
        assert ledger.respond(envelope("r-1")).status == 200
        beats, link = ledger.tip()
    tips = {"town": {"records": records, "tip": tip}, "story": {"beats": beats, "tip": link}}
    leaves = [make_leaf(kind, members) for kind, members in tips.items()]
    wrong = [make_leaf(kind, {**members, "tip": "0" * 64}) for kind, members in tips.items()]
    with Log(RealDisk(), data / "log") as log:
        log.add([*leaves, *wrong])
        log.checkpoint(find_keys(data / "log/key", None))
    for number, (kind, code) in enumerate([("town", 0), ("story", 0), ("town", 1), ("story", 1)]):
        proof.write_bytes(write_proof(prove(RealDisk(), data / "log/public", number)))
        done = thorp(kind, "verify", "--data", data, "--proof", proof, "--key", vkey)
        assert done.returncode == code, (kind, done)
        other = {"town": "story", "story": "town"}[kind]
        done = thorp(other, "verify", "--data", data, "--proof", proof, "--key", vkey)
        assert (done.returncode, b"something else" in done.stderr) == (1, True)


def test_a_world_without_a_log_cannot_be_published(tmp_path: Path) -> None:
    refused = thorp("up", "--data", tmp_path, "--port", "0", "--log")
    assert refused.returncode == 2
    assert b"thorp log init" in refused.stderr
