"""A log loses no acknowledged leaf and never shows two views, whatever happens to its disk."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.log.golden import GOLDEN, KEYS, LEAVES, load, log_signer, next_signer, node
from thorp.kernel.errors import (
    ConflictError,
    DamagedError,
    IllegalError,
    LimitError,
    ThorpError,
    UnknownError,
)
from thorp.log.audit import audit
from thorp.log.directory import CHECKPOINT, MAX_ADDED, MAX_KEPT, PUBLIC, SIGNED, Log, create, prove
from thorp.log.merkle import root_of
from thorp.log.note import read_note, read_vkey
from thorp.log.signer import ENVIRONMENT, create_key, find_keys, read_keys
from thorp.log.tlog import MAX_ENTRY_BYTES, Checkpoint, read_checkpoint, write_proof
from thorp.log.trust import Trust
from thorp.log.verify import verify_proof
from thorp.simulator.log_lives import LogAccident, LogLives
from thorp.store import RealDisk
from thorp.store.testing import BreakableDisk

SIGNER = log_signer()
TRUST = Trust((SIGNER.vkey,))
DISK = RealDisk()


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    create(DISK, tmp_path / "log", [SIGNER.vkey])
    return tmp_path / "log"


def publish(directory: Path, leaves: list[bytes], *, kept: int = MAX_KEPT) -> Checkpoint:
    with Log(DISK, directory, kept=kept) as log:
        log.add(leaves)
        return read_checkpoint(read_note(log.checkpoint([SIGNER])).text)


def test_checkpoints_and_tiles_are_those_of_others(directory: Path) -> None:
    checkpoints = {row["size"]: row["checkpoint"] for row in load("checkpoints")}
    tiles = {row["size"]: row["files"] for row in load("tiles")}
    for size in sorted({*checkpoints, *tiles}):
        with Log(DISK, directory) as log:
            assert log.add(LEAVES[:size]) == list(range(size))
            note = log.checkpoint([SIGNER]).decode()
        assert note == checkpoints.get(size, note)
        for name, file in tiles.get(size, {}).items():
            data = (directory / PUBLIC / name).read_bytes()
            assert (len(data), sha256(data).hexdigest()) == (file["bytes"], file["sha256"]), name
        assert audit(DISK, directory / PUBLIC, TRUST).size == size


def test_the_same_leaf_keeps_its_number(directory: Path) -> None:
    with Log(DISK, directory) as log:
        assert log.add([LEAVES[0], LEAVES[1], LEAVES[0]]) == [0, 1, 0]
        assert log.add([LEAVES[1], LEAVES[2]]) == [1, 2]
    publish(directory, [])
    with Log(DISK, directory) as log:
        assert log.add([LEAVES[2], LEAVES[3]]) == [2, 3]
        assert log.size == 4


def test_adding_is_all_or_nothing(directory: Path) -> None:
    with Log(DISK, directory) as log:
        with pytest.raises(LimitError):
            log.add([LEAVES[0], b"x" * (MAX_ENTRY_BYTES + 1)])
        with pytest.raises(LimitError):
            log.add([b"1"] * (MAX_ADDED + 1))
        with pytest.raises(ThorpError):
            log.add([LEAVES[0], b"not one\nline of JSON"])
        assert log.size == 0
        assert log.add([LEAVES[1]]) == [0]


def test_a_proof_is_for_what_is_published(directory: Path) -> None:
    public = directory / PUBLIC
    with Log(DISK, directory) as log:  # which may stay open: a proof needs no lock
        log.add(LEAVES[:5])
        with pytest.raises(UnknownError, match="nothing is published"):
            prove(DISK, public, LEAVES[0])
        log.checkpoint([SIGNER])
        log.add(LEAVES[5:6])
        for wanted in (LEAVES[5], 5, -1):
            with pytest.raises(UnknownError, match="checkpoint"):
                prove(DISK, public, wanted)
        for number, leaf in enumerate(LEAVES[:5]):
            proof = prove(DISK, public, leaf)
            assert proof == prove(DISK, public, number)
            verify_proof(write_proof(proof), leaf, TRUST)
    tile = public / "tile/0/000.p/5"
    tile.write_bytes(tile.read_bytes()[:-1] + b"x")
    with pytest.raises(DamagedError, match="tiles"):
        prove(DISK, public, 0)


def test_one_process_writes(directory: Path) -> None:
    with Log(DISK, directory), pytest.raises(IllegalError, match="another process"):
        Log(DISK, directory)
    with pytest.raises(ConflictError):
        create(DISK, directory, [SIGNER.vkey])


def test_only_its_own_key_signs(directory: Path) -> None:
    with Log(DISK, directory) as log, pytest.raises(IllegalError, match="not one of the log"):
        log.checkpoint([next_signer()])
    assert not (directory / PUBLIC / CHECKPOINT).exists()


def test_a_restored_older_copy_is_refused(directory: Path) -> None:
    publish(directory, LEAVES[:3])
    kept = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    publish(directory, LEAVES[3:6])
    signed = (directory / SIGNED).read_bytes()
    for path in sorted(directory.glob("pending-*")):
        path.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    (directory / SIGNED).write_bytes(signed)
    with pytest.raises(DamagedError, match="older copy"):
        Log(DISK, directory)


def test_a_lost_checkpoint_is_refused(directory: Path) -> None:
    """Unless the journal still has every leaf: then the same tree is published again."""
    seen = publish(directory, LEAVES[:3])
    (directory / PUBLIC / CHECKPOINT).unlink()
    assert publish(directory, []) == seen
    publish(directory, LEAVES[3:4], kept=4)
    (directory / PUBLIC / CHECKPOINT).unlink()
    with pytest.raises(DamagedError, match="restore the newest"):
        Log(DISK, directory)


def test_a_changed_tile_is_refused_and_found_by_an_audit(directory: Path) -> None:
    publish(directory, LEAVES[:3])
    tile = directory / PUBLIC / "tile/0/000.p/3"
    tile.write_bytes(tile.read_bytes()[:-1] + b"x")
    with pytest.raises(DamagedError, match="tiles"):
        Log(DISK, directory)
    with pytest.raises(DamagedError, match="not the hashes"):
        audit(DISK, directory / PUBLIC, TRUST)


@pytest.mark.parametrize("size", [3, 255, 257, 300])
def test_entries_that_were_changed_are_not_passed_on(directory: Path, size: int) -> None:
    publish(directory, LEAVES[:size])
    bundle, width = divmod(size, 256)
    entries = directory / PUBLIC / f"tile/entries/{bundle:03}.p/{width}"
    sound = entries.read_bytes()
    for position in (2, len(sound) // 2, len(sound) - 1):
        flipped = bytearray(sound)
        flipped[position] ^= 1
        entries.write_bytes(flipped)
        with pytest.raises(DamagedError, match=f"p/{width}: .*restore"):
            Log(DISK, directory)
    entries.write_bytes(sound)
    assert publish(directory, [*LEAVES[:size], b'{"one":"more"}']).size == size + 1


@pytest.mark.parametrize("name", ["tile/entries/000.p/3", "tile/0/000.p/3"])
def test_a_log_that_is_open_checks_what_it_extends_each_time(directory: Path, name: str) -> None:
    with Log(DISK, directory) as log:
        log.add(LEAVES[:3])
        log.checkpoint([SIGNER])
        file = directory / PUBLIC / name
        sound = file.read_bytes()
        file.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
        log.add([b'{"one":"more"}'])
        before = (directory / PUBLIC / CHECKPOINT).read_bytes()
        with pytest.raises(DamagedError, match="restore"):
            log.checkpoint([SIGNER])
        assert (directory / PUBLIC / CHECKPOINT).read_bytes() == before
        file.write_bytes(sound)
    assert publish(directory, []).size == 4


@pytest.mark.parametrize(
    "name", ["tile/0/000", "tile/1/000.p/1", "tile/entries/000", "tile/entries/001.p/4"]
)
def test_an_audit_finds_every_change(directory: Path, name: str) -> None:
    publish(directory, LEAVES[:260])
    file = directory / PUBLIC / name
    original = file.read_bytes()
    for changed in (original[:-1], original[:-1] + bytes([original[-1] ^ 1]), original + b"x", b""):
        file.write_bytes(changed)
        with pytest.raises(ThorpError):
            audit(DISK, directory / PUBLIC, TRUST)
    file.unlink()
    with pytest.raises(ThorpError):
        audit(DISK, directory / PUBLIC, TRUST)
    file.write_bytes(original)
    assert audit(DISK, directory / PUBLIC, TRUST).size == 260


def test_an_audit_knows_an_old_checkpoint(directory: Path) -> None:
    publish(directory, LEAVES[:3])
    old = (directory / PUBLIC / CHECKPOINT).read_bytes()
    publish(directory, LEAVES[3:300])
    public = directory / PUBLIC
    audit(DISK, public, TRUST, old)
    other = Checkpoint(SIGNER.vkey.name, 3, root_of(node, 2))
    split = f"{other}\n{SIGNER.sign(str(other))}".encode()
    with pytest.raises(ThorpError, match="changed"):
        audit(DISK, public, TRUST, split)
    larger = Checkpoint(SIGNER.vkey.name, 301, root_of(node, 2))
    with pytest.raises(ThorpError, match="rolled back"):
        audit(DISK, public, TRUST, f"{larger}\n{SIGNER.sign(str(larger))}".encode())


def test_two_keys_sign_while_one_follows_the_other(tmp_path: Path) -> None:
    old, new = SIGNER, next_signer()
    create(DISK, tmp_path, [old.vkey, new.vkey])
    with Log(DISK, tmp_path) as log:
        log.add(LEAVES[:2])
        note = log.checkpoint([old, new])
    for key in (old.vkey, new.vkey):
        Trust((key,)).check(note)


def test_a_key_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "key"
    made = create_key(path, "thorp.example/k")
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_keys(path)[0].vkey == made.vkey
    with pytest.raises(ConflictError):
        create_key(path, "thorp.example/k")
    os.chmod(path, 0o640)
    with pytest.raises(DamagedError, match="others may read"):
        read_keys(path)
    link = tmp_path / "link"
    link.symlink_to(path)
    with pytest.raises(DamagedError):
        read_keys(link)
    with pytest.raises(UnknownError):
        find_keys(tmp_path / "none", None)
    monkeypatch.setenv(ENVIRONMENT, KEYS["log"]["Skey"])
    assert find_keys(tmp_path / "none", None)[0].vkey == read_vkey(KEYS["log"]["Vkey"])
    seed = KEYS["log"]["Skey"].split("+")[-1]
    for wrong in (
        KEYS["log"]["Skey"][:-2],
        KEYS["log"]["Skey"].replace("049068c6", "049068c7"),
        seed,
    ):
        monkeypatch.setenv(ENVIRONMENT, wrong)
        with pytest.raises(ThorpError) as refused:
            find_keys(tmp_path / "none", None)
        assert seed[4:20] not in str(refused.value)
    assert seed not in repr(SIGNER)


# What survives a crash


ACCIDENTS = st.builds(LogAccident, st.integers(1, 60), st.booleans(), st.booleans())


@settings(max_examples=150)
@given(
    st.integers(0, 2**32),
    st.lists(ACCIDENTS, min_size=1, max_size=4),
    st.lists(st.integers(1, 40), min_size=1, max_size=6),
    st.sampled_from([1, 30, MAX_KEPT]),
)
def test_crashes_lose_nothing_and_never_show_two_views(
    seed: int, accidents: list[LogAccident], counts: list[int], kept: int
) -> None:
    LogLives(seed, accidents=accidents, counts=counts, kept=kept).run()


def test_a_full_disk_publishes_nothing() -> None:
    disk = BreakableDisk(1, space_bytes=20_000)
    directory = Path("/breakable/log")
    create(disk, directory, [SIGNER.vkey])
    sizes = []
    with Log(disk, directory) as log, suppress(ThorpError):
        for at in range(0, 300, 10):
            log.add(LEAVES[at : at + 10])
            sizes.append(read_checkpoint(read_note(log.checkpoint([SIGNER])).text).size)
    assert 0 < len(sizes) < 30
    assert audit(disk, directory / PUBLIC, TRUST).size == sizes[-1]


CHILD = """
import sys
from pathlib import Path
from tests.log.golden import LEAVES, log_signer
from thorp.log import Log
from thorp.store import RealDisk

with Log(RealDisk(), Path(sys.argv[1])) as log:
    for leaf in LEAVES[log.size :]:
        log.add([leaf])
        print(log.size, flush=True)
        log.checkpoint([log_signer()])
"""


@pytest.mark.parametrize("delay_seconds", [0.0, 0.02, 0.05, 0.11])
def test_a_kill_loses_nothing_that_was_acknowledged(directory: Path, delay_seconds: float) -> None:
    command = [sys.executable, "-c", CHILD, str(directory)]
    acknowledged = 0
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            said = [process.stdout.readline()]
            time.sleep(delay_seconds)
            process.kill()
            said += process.stdout.readlines()
        acknowledged = max([acknowledged, *(int(line) for line in said if line.endswith("\n"))])
        with Log(DISK, directory) as log:
            assert log.size >= acknowledged
            assert log.add(LEAVES[: log.size]) == list(range(log.size))
            log.checkpoint([SIGNER])
        audit(DISK, directory / PUBLIC, TRUST)


def test_verifying_needs_no_signing_library() -> None:
    check = (
        "import sys; sys.modules['cryptography'] = None\n"
        "from thorp.cli.main import main\n"
        f"sys.argv = ['thorp', 'log', 'verify', {str(GOLDEN / 'proofs/file-003-of-007.txt.tlog-proof')!r}, "
        f"{str(GOLDEN / 'proofs/file-003-of-007.txt')!r}, '--key', {KEYS['log']['Vkey']!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    assert b"leaf 3 of 7" in done.stdout
