"""Packed files: the same content, read through the same port."""

from __future__ import annotations

import contextlib
import tracemalloc
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from thorp.kernel.errors import DamagedError
from thorp.store import DiskError, Journal, RealDisk
from thorp.store.packed import (
    MAX_WINDOW_BYTES,
    STEP_BYTES,
    open_plain_or_packed,
    pack_file,
    packed_name,
)
from thorp.store.scan import read_payloads, scan_journal
from thorp.store.testing import BreakableDisk, PowerLost

DISK = RealDisk()


def packed(tmp_path: Path, data: bytes) -> Path:
    plain = tmp_path / "plain"
    plain.write_bytes(data)
    return pack_file(DISK, plain)


@pytest.mark.parametrize("size", [0, 1, STEP_BYTES, 3 * STEP_BYTES + 7])
def test_content_and_length_are_the_same(tmp_path: Path, size: int) -> None:
    data = bytes(range(256)) * (size // 256) + bytes(size % 256)
    path = packed(tmp_path, data)
    assert path.name == "plain.zst"
    file = open_plain_or_packed(DISK, path)
    assert file.size() == size
    assert file.read(0, size + 100) == data
    assert file.read(size, 1) == b""
    file.close()


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000)), max_size=8))
def test_any_part_can_be_read_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[int, int]]
) -> None:
    data = bytes(number * 7 % 251 for number in range(2500))
    file = open_plain_or_packed(DISK, packed(tmp_path_factory.mktemp("packed"), data))
    for offset, count in parts:
        assert file.read(offset, count) == data[offset : offset + count]
    file.close()


def test_a_frame_that_wants_more_memory_than_ours_is_damaged(tmp_path: Path) -> None:
    """A frame may say how much of what it unpacked must be kept for later references to it."""
    wide = zstandard.ZstdCompressionParameters(window_log=27)
    data = bytes(2 * MAX_WINDOW_BYTES)
    path = tmp_path / "wide.zst"
    stream = zstandard.ZstdCompressor(compression_params=wide).compressobj(size=-1)
    head = stream.compress(data) + stream.flush()
    path.write_bytes(head)
    with pytest.raises(DamagedError, match="does not say how long"):
        open_plain_or_packed(DISK, path)
    sized = zstandard.ZstdCompressor(compression_params=wide).compressobj(size=len(data))
    path.write_bytes(sized.compress(data) + sized.flush())
    file = open_plain_or_packed(DISK, path)
    with pytest.raises(DamagedError, match="cannot be unpacked"):
        file.read(0, 100)
    file.close()


def test_a_file_that_unpacks_to_a_thousand_times_its_size_is_read_in_pieces(tmp_path: Path) -> None:
    size = 200 * 2**20
    stream = zstandard.ZstdCompressor().compressobj(size=size)
    pieces = [stream.compress(bytes(2**20)) for _ in range(size // 2**20)]
    path = tmp_path / "bomb.zst"
    path.write_bytes(b"".join([*pieces, stream.flush()]))
    assert path.stat().st_size < size // 1000
    file = open_plain_or_packed(DISK, path)
    tracemalloc.start()
    try:
        assert file.read(size - 10, 100) == bytes(10)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * STEP_BYTES
    file.close()


def test_a_plain_file_is_opened_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"abc")
    file = open_plain_or_packed(DISK, tmp_path / "plain")
    assert file.read(1, 5) == b"bc"
    file.close()


def test_a_packed_journal_is_scanned_and_read_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal.open(DISK, path, header={"a": 1}) as journal:
        for number in range(50):
            journal.append([b'{"n":%d}' % number])
        tip = journal.tip
    target = pack_file(DISK, path)
    file = open_plain_or_packed(DISK, target)
    scan = scan_journal(file, target)
    assert (scan.records, scan.tip.decode(), scan.tail) == (50, tip, b"")
    assert list(read_payloads(file, target, first=50, end=scan.end)) == [b'{"n":49}']
    file.close()


def test_it_can_only_be_read(tmp_path: Path) -> None:
    file = open_plain_or_packed(DISK, packed(tmp_path, b"abc"))
    for change in (lambda: file.write(0, b"x"), lambda: file.truncate(0), file.sync):
        with pytest.raises(DiskError):
            change()
    file.close()


@pytest.mark.parametrize(
    "content", [b"", b"not a frame at all, but long enough to be one", b"\x28\xb5\x2f\xfd"]
)
def test_what_is_no_packed_file_is_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.zst"
    path.write_bytes(content)
    with pytest.raises(DamagedError, match="restore it from a backup"):
        open_plain_or_packed(DISK, path)


def test_any_damage_inside_is_found_or_harmless(tmp_path: Path) -> None:
    """What is read of a damaged journal is refused, or is what was written."""
    path = tmp_path / "j.jsonl"
    with Journal.open(DISK, path, header={}) as journal:
        journal.append([b'{"n":%d}' % (number * number) for number in range(300)])
        tip = journal.tip.encode()
    target = pack_file(DISK, path)
    content = target.read_bytes()
    found = 0
    for at in range(0, len(content), 37):
        target.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        try:
            with contextlib.closing(open_plain_or_packed(DISK, target)) as file:
                assert scan_journal(file, target).tip == tip
        except DamagedError:
            found += 1
    assert found > len(content) // 37 * 0.9


def test_a_crash_leaves_the_packed_file_whole_or_not_there() -> None:
    for cut in range(1, 12):
        disk = BreakableDisk(cut)
        path = disk.root / "j.jsonl"
        with Journal.open(disk, path, header={}) as journal:
            journal.append([b"1", b"2", b"3"])
        disk.cut_power_in(cut)
        try:
            pack_file(disk, path)
        except PowerLost:
            disk.restart()
        else:
            disk.crash()
        if disk.exists(packed_name(path)):
            file = open_plain_or_packed(disk, packed_name(path))
            assert scan_journal(file, path).records == 3
        assert disk.exists(path)
