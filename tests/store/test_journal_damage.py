"""Damage is told from a torn tail, and named; a torn tail is set aside, never deleted."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest

from tests.store.test_journal import HEADER, read_raw, write_raw
from thorp.simulator.journal_lives import flip_one_byte
from thorp.store.disk import DiskError
from thorp.store.journal import Journal, inspect_journal, read_journal
from thorp.store.record import GENESIS, encode_batch
from thorp.store.scan import DamagedRecord
from thorp.store.testing import BreakableDisk, PowerLost

BATCHES = [[b'{"a":1}', b"2"], [b'"three"'], [b"4", b'[{"hash":"5"}]', b"6"], [b'"last"']]
RECORDS = list(itertools.chain(*BATCHES))


@pytest.fixture
def disk() -> BreakableDisk:
    return BreakableDisk(seed=11)


@pytest.fixture
def path(disk: BreakableDisk) -> Path:
    """A journal of four batches, with seven records."""
    path = disk.root / "world.jsonl"
    with Journal.open(disk, path, header=HEADER) as journal:
        for batch in BATCHES:
            journal.append(batch)
    return path


def lines_of(disk: BreakableDisk, path: Path) -> list[bytes]:
    return read_raw(disk, path).splitlines(keepends=True)


def damage(disk: BreakableDisk, path: Path) -> tuple[int, int]:
    """Open what must be damaged; return the record and the byte that are named."""
    before, names = read_raw(disk, path), disk.list(disk.root)
    for attempt in (Journal.open, inspect_journal, lambda *where: list(read_journal(*where))):
        with pytest.raises(DamagedRecord) as caught:
            attempt(disk, path)
        assert caught.value.code == "damaged"
        assert caught.value.file == path
    assert (read_raw(disk, path), disk.list(disk.root)) == (before, names), "nothing was changed"
    return caught.value.record, caught.value.byte


def test_any_byte_of_an_earlier_record_is_named(disk: BreakableDisk, path: Path) -> None:
    """Every byte before the last batch, in several ways: header, frames, payloads, line breaks."""
    content = read_raw(disk, path)
    random = Random(12)
    for offset in range(len(content) - len(lines_of(disk, path)[-1])):
        flip_one_byte(disk, path, offset, random)
        for byte in b'\n\t"{}0':
            if content[offset] != byte:
                disk.corrupt(path, offset, byte)
                record = content.count(b"\n", 0, offset)
                assert damage_named_quickly(disk, path) == (
                    record,
                    content.rfind(b"\n", 0, offset) + 1,
                )
                disk.corrupt(path, offset, content[offset])


def damage_named_quickly(disk: BreakableDisk, path: Path) -> tuple[int, int]:
    with pytest.raises(DamagedRecord) as caught:
        Journal.open(disk, path)
    return caught.value.record, caught.value.byte


def test_a_missing_record_is_named(disk: BreakableDisk, path: Path) -> None:
    lines = lines_of(disk, path)
    for gone in range(len(lines) - 1):
        write_raw(disk, path, b"".join(lines[:gone] + lines[gone + 1 :]))
        assert damage(disk, path) == (gone, sum(map(len, lines[:gone])))


def test_a_repeated_or_exchanged_record_is_named(disk: BreakableDisk, path: Path) -> None:
    lines = lines_of(disk, path)
    write_raw(disk, path, b"".join([*lines[:3], lines[2], *lines[3:]]))
    assert damage(disk, path) == (3, sum(map(len, lines[:3])))
    write_raw(disk, path, b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]))
    assert damage(disk, path) == (3, sum(map(len, lines[:3])))


def test_a_hole_of_zeros_is_named(disk: BreakableDisk, path: Path) -> None:
    lines = lines_of(disk, path)
    start = sum(map(len, lines[:2]))
    hole = bytes(len(lines[2]) + len(lines[3]))
    write_raw(disk, path, b"".join([*lines[:2], hole, *lines[4:]]))
    assert damage(disk, path) == (2, start)


def test_a_bad_header_is_always_damage(disk: BreakableDisk, path: Path) -> None:
    header = lines_of(disk, path)[0]
    for content in (b"", b"not a journal\n", bytes(100), header[:-1], header[:50]):
        write_raw(disk, path, content)
        assert damage(disk, path) == (0, 0)


def test_more_than_a_batch_of_rubbish_is_damage(
    disk: BreakableDisk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = read_raw(disk, path)
    monkeypatch.setattr("thorp.store.record.MAX_UNSYNCED_BYTES", 1000)
    write_raw(disk, path, content + bytes(1001))
    assert damage(disk, path) == (8, len(content))
    write_raw(disk, path, content + bytes(1000))
    assert inspect_journal(disk, path).torn is not None


def test_a_record_that_goes_bad_while_the_journal_is_open_is_named(
    disk: BreakableDisk, path: Path
) -> None:
    start = len(lines_of(disk, path)[0])
    with Journal.open(disk, path) as journal:
        disk.corrupt(path, start + 60, 0x7F)
        with pytest.raises(DamagedRecord) as caught:
            list(journal.read())
    assert (caught.value.record, caught.value.byte) == (1, start)


def test_the_last_batch_cannot_be_told_from_a_torn_one(disk: BreakableDisk, path: Path) -> None:
    """The one kind of damage that passes for a crash: it is set aside, reported, and named all the
    same."""
    content = read_raw(disk, path)
    start = len(content) - len(lines_of(disk, path)[-1])
    for offset in range(start, len(content)):
        write_raw(disk, path, content)
        disk.crash()
        write_raw(
            disk, path, content[:offset] + bytes([content[offset] ^ 0x5A]) + content[offset + 1 :]
        )
        with Journal.open(disk, path) as journal:
            torn = journal.recovery.torn
            assert torn is not None
            assert (torn.record, torn.byte, torn.from_record, torn.from_byte) == (
                7,
                start,
                7,
                start,
            )
            assert journal.records == 6


def tear(disk: BreakableDisk, path: Path) -> bytes:
    """Append a batch of three that lost its middle; return those bytes."""
    [*_, last] = lines_of(disk, path)
    batch, _ = encode_batch([b'"one"', b'"two"', b'"three"'], first=8, synced=8, prev=last[10:74])
    first, second, third = batch.splitlines(keepends=True)
    tail = first + bytes(len(second)) + third
    file = disk.open(path, writable=True)
    file.write(file.size(), tail)
    file.sync()
    return tail


def test_a_batch_is_all_or_nothing(disk: BreakableDisk, path: Path) -> None:
    whole = read_raw(disk, path)
    tail = tear(disk, path)
    with Journal.open(disk, path) as journal:
        torn = journal.recovery.torn
        assert torn is not None
        assert (torn.file, torn.record, torn.from_record, torn.from_byte) == (
            path,
            9,
            8,
            len(whole),
        )
        assert torn.byte == len(whole) + tail.index(b"\n") + 1
        assert torn.size_bytes == len(tail)
        assert read_raw(disk, torn.kept_in) == tail
        assert "record 9" in str(torn)
        assert torn.kept_in.name in str(torn)
        assert read_raw(disk, path) == whole
        assert journal.append([b'"new"']) == range(8, 9)
    assert list(read_journal(disk, path)) == [*RECORDS, b'"new"']
    assert inspect_journal(disk, path).torn is None


def test_every_torn_tail_is_kept_under_its_own_name(disk: BreakableDisk, path: Path) -> None:
    whole = read_raw(disk, path)
    kept = set()
    for tail in (b"{\t", b"\0\0\0", b"{\t", b"rubbish\n"):
        write_raw(disk, path, whole + tail)
        with Journal.open(disk, path) as journal:
            assert journal.recovery.torn is not None
            kept.add(journal.recovery.torn.kept_in)
    assert {read_raw(disk, file) for file in kept} == {b"{\t", b"\0\0\0", b"rubbish\n"}


@pytest.mark.parametrize("change", range(1, 14))
def test_recovery_cut_off_anywhere_loses_no_torn_byte(change: int) -> None:
    """The tail is in the journal or in its own file at every moment, and a second recovery
    finishes."""
    finished = 0
    for seed in range(60):
        disk = BreakableDisk(seed, piece_bytes=64)
        path = disk.root / "world.jsonl"
        with Journal.open(disk, path, header=HEADER) as journal:
            for batch in BATCHES:
                journal.append(batch)
        tail = tear(disk, path)
        disk.cut_power_in(change)
        try:
            Journal.open(disk, path).close()
            finished += 1
            disk.crash()
        except PowerLost:
            disk.restart()
        still_there = read_raw(disk, path).endswith(tail)
        kept = [
            name for name in disk.list(disk.root) if ".torn-" in name and not name.endswith(".tmp")
        ]
        assert still_there or [read_raw(disk, disk.root / name) for name in kept] == [tail]
        with Journal.open(disk, path) as journal:
            assert list(journal.read()) == RECORDS
        assert [
            read_raw(disk, disk.root / name) for name in disk.list(disk.root) if ".torn-" in name
        ][-1:]
    assert finished == (60 if change > 9 else 0)


def test_a_full_disk_stops_recovery_and_changes_nothing(disk: BreakableDisk, path: Path) -> None:
    tail = tear(disk, path)
    torn = read_raw(disk, path)
    disk.space_bytes = len(torn) + len(tail) - 1
    with pytest.raises(DiskError) as caught:
        Journal.open(disk, path)
    assert caught.value.code == "disk_full"
    assert (read_raw(disk, path), disk.list(disk.root)) == (torn, [path.name])
    disk.space_bytes = None
    Journal.open(disk, path).close()


def test_records_of_an_own_making_inside_a_payload_prove_nothing(
    disk: BreakableDisk, path: Path
) -> None:
    """An agent writes a later record into its payload, and power is lost in that batch: still a
    torn tail."""
    forged, _ = encode_batch([b"1"], first=90, synced=90, prev=GENESIS)
    payload = b"[%b]" % forged[:-1].replace(b"\t", b"")
    with Journal.open(disk, path) as journal:
        journal.append([payload, b'"and the rest of the batch"'])
    content = read_raw(disk, path)
    write_raw(disk, path, content[:-20])
    assert inspect_journal(disk, path).torn is not None
