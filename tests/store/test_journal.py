"""What a journal does on any disk that works."""

from __future__ import annotations

import json
import threading
import tracemalloc
from pathlib import Path

import pytest

from thorp.kernel.errors import IllegalError, InvalidError, LimitError
from thorp.store import journal as journal_module
from thorp.store.disk import Disk
from thorp.store.journal import Journal, inspect_journal, read_journal
from thorp.store.real_disk import RealDisk
from thorp.store.record import GENESIS, MAX_HEADER_BYTES, MAX_RECORD_BYTES, encode_batch
from thorp.store.scan import READ_STEP_BYTES
from thorp.store.testing import BreakableDisk

HEADER = {"rules": 3, "seed": 42}


def write_raw(disk: Disk, path: Path, content: bytes) -> None:
    file = disk.open(path, writable=True) if disk.exists(path) else disk.create(path)
    file.truncate(0)
    file.write(0, content)
    file.close()


def read_raw(disk: Disk, path: Path) -> bytes:
    file = disk.open(path)
    content = file.read(0, 1 << 30)
    file.close()
    return content


class JournalContract:
    """Inherit it and give `disk` and `path`, a name in an empty directory."""

    def test_a_new_journal_has_its_header_and_no_records(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            assert journal.recovery.header == HEADER
            assert (journal.records, journal.recovery.records, journal.recovery.torn) == (
                0,
                0,
                None,
            )
            assert list(journal.read()) == []
        assert disk.list(path.parent) == [path.name]

    def test_records_are_numbered_and_come_back_in_order(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            assert journal.append([b"1", b'{"b":[2]}']) == range(1, 3)
            assert journal.append([b'"\xc3\xa9"']) == range(3, 4)
            assert journal.append([]) == range(4, 4)
            assert journal.records == 3
            assert list(journal.read()) == [b"1", b'{"b":[2]}', b'"\xc3\xa9"']
            assert list(journal.read(from_record=3)) == [b'"\xc3\xa9"']
            assert list(journal.read(from_record=4)) == []

    def test_reopening_goes_on_where_it_ended(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            journal.append([b"1", b"2"])
            tip = journal.tip
        with Journal.open(disk, path, header={"other": True}) as journal:
            assert journal.recovery.header == HEADER, "the first header stands"
            assert (journal.records, journal.tip, journal.recovery.torn) == (2, tip, None)
            assert journal.append([b"3"]) == range(3, 4)
            assert journal.tip != tip
        assert list(read_journal(disk, path)) == [b"1", b"2", b"3"]

    def test_every_line_is_json(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            journal.append([b'{"a":1}', b"null"])
            journal.append([b'"x"'])
        lines = [json.loads(line) for line in read_raw(disk, path).splitlines()]
        assert lines[0]["data"] == {"format": "thorp.journal", "version": 2, "header": HEADER}
        assert [line["data"] for line in lines[1:]] == [{"a": 1}, None, "x"]
        assert [line["n"] for line in lines] == [0, 1, 2, 3]
        assert [line["synced"] for line in lines] == [0, 1, 1, 3]
        assert [line["left"] for line in lines] == [0, 1, 0, 0]
        assert [line["prev"] for line in lines[1:]] == [line["hash"] for line in lines[:-1]]

    def test_a_second_holder_is_refused(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            journal.append([b"1"])
            with pytest.raises(IllegalError) as caught:
                Journal.open(disk, path, header=HEADER)
            assert caught.value.code == "locked"
            journal.append([b"2"])
            assert list(read_journal(disk, path)) == [b"1", b"2"], "reading needs no lock"
        Journal.open(disk, path).close()

    def test_without_a_header_the_journal_must_be_there(self, disk: Disk, path: Path) -> None:
        with pytest.raises(IllegalError) as caught:
            Journal.open(disk, path)
        assert caught.value.code == "missing"
        assert disk.list(path.parent) == []

    def test_a_bad_payload_is_refused_and_changes_nothing(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            with pytest.raises(InvalidError) as invalid:
                journal.append([b"1", b"two"])
            assert invalid.value.path == "$[1]"
            with pytest.raises(LimitError):
                journal.append([b"1", b'"' + b"x" * MAX_RECORD_BYTES + b'"'])
            assert journal.append([b"3"]) == range(1, 2)

    def test_a_batch_that_is_too_long_is_refused(
        self, disk: Disk, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(journal_module, "MAX_UNSYNCED_BYTES", 1000)
        with Journal.open(disk, path, header=HEADER) as journal:
            with pytest.raises(LimitError) as caught:
                journal.append([b'"%b"' % (b"x" * 1000)])
            assert caught.value.code == "batch_too_long"
            assert journal.append([b"1"]) == range(1, 2)

    def test_headers_are_checked(self, disk: Disk, path: Path) -> None:
        with pytest.raises(LimitError, match="header"):
            Journal.open(disk, path, header={"long": "x" * MAX_HEADER_BYTES})
        for bad in ({"set": {1}}, {"nan": float("nan")}):
            with pytest.raises(InvalidError, match="header"):
                Journal.open(disk, path, header=bad)
        assert disk.list(path.parent) == []

    def test_an_unknown_policy_is_refused(self, disk: Disk, path: Path) -> None:
        with pytest.raises(InvalidError, match="batch, manual"):
            Journal.open(disk, path, header=HEADER, sync="sometimes")  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        "header",
        [
            b'{"format":"thorp.journal","version":3,"header":{}}',
            b'{"format":"other","version":1,"header":{}}',
            b"[]",
        ],
    )
    def test_other_formats_and_versions_are_named_not_called_damaged(
        self, disk: Disk, path: Path, header: bytes
    ) -> None:
        line, _ = encode_batch([header], first=0, synced=0, prev=GENESIS)
        write_raw(disk, path, line + b"whatever version 3 has here\n")
        with pytest.raises(InvalidError, match=r"expected thorp\.journal 2, found") as caught:
            Journal.open(disk, path)
        assert caught.value.code == "version"

    def test_a_journal_of_version_1_goes_on_with_its_short_links(
        self, disk: Disk, path: Path
    ) -> None:
        header = b'{"format":"thorp.journal","version":1,"header":{"kind":"test"}}'
        line, tip = encode_batch([header], first=0, synced=0, prev=GENESIS[:32])
        record, tip = encode_batch([b'"old"'], first=1, synced=1, prev=tip)
        write_raw(disk, path, line + record)
        with Journal.open(disk, path) as journal:
            assert journal.recovery.tip == tip.decode()
            journal.append([b'"new"'])
            assert len(journal.tip) == 32
        assert list(read_journal(disk, path)) == [b'"old"', b'"new"']

    def test_after_closing_it_refuses(self, disk: Disk, path: Path) -> None:
        journal = Journal.open(disk, path, header=HEADER)
        journal.append([b"1"])
        journal.close()
        journal.close()
        for use in (lambda: journal.append([b"2"]), journal.sync):
            with pytest.raises(IllegalError) as caught:
                use()
            assert caught.value.code == "closed"
        assert list(journal.read()) == [b"1"]

    def test_manual_records_count_when_they_are_synced(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER, sync="manual") as journal:
            journal.append([b"1"])
            journal.append([b"2", b"3"])
            assert (journal.records, list(journal.read())) == (0, [])
            assert journal.sync() == 3
            assert (journal.records, list(journal.read())) == (3, [b"1", b"2", b"3"])
            journal.append([b"4"])
        assert list(read_journal(disk, path)) == [b"1", b"2", b"3", b"4"], "closing syncs"

    def test_manual_syncs_by_itself_before_too_much_is_waiting(
        self, disk: Disk, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(journal_module, "MAX_UNSYNCED_BYTES", 1000)
        payload = b'"%b"' % (b"x" * 300)
        with Journal.open(disk, path, header=HEADER, sync="manual") as journal:
            journal.append([payload])
            journal.append([payload])
            assert journal.records == 0
            journal.append([payload])
            assert journal.records == 2

    def test_inspecting_changes_nothing(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            journal.append([b"1"])
            tip = journal.tip
        before = read_raw(disk, path) + b'{\t"hash":"torn'
        write_raw(disk, path, before)
        found = inspect_journal(disk, path)
        assert (found.header, found.records, found.tip) == (HEADER, 1, tip)
        assert found.torn is not None
        assert list(read_journal(disk, path)) == [b"1"]
        assert read_raw(disk, path) == before
        assert disk.list(path.parent) == [path.name]

    def test_lines_longer_than_a_reading_step(self, disk: Disk, path: Path) -> None:
        payloads = [
            b'"%b"' % (b"x" * size) for size in (READ_STEP_BYTES - 130, READ_STEP_BYTES * 3, 5)
        ]
        with Journal.open(disk, path, header=HEADER) as journal:
            journal.append(payloads)
        assert list(read_journal(disk, path)) == payloads

    def test_appending_from_many_threads(self, disk: Disk, path: Path) -> None:
        with Journal.open(disk, path, header=HEADER) as journal:
            numbers: list[int] = []

            def append(thread: int) -> None:
                for item in range(10):
                    numbers.extend(journal.append([b"[%d,%d]" % (thread, item)]))

            threads = [threading.Thread(target=append, args=[thread]) for thread in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
            found = [tuple(json.loads(payload)) for payload in journal.read()]
        assert sorted(numbers) == list(range(1, 41))
        assert sorted(found) == [(thread, item) for thread in range(4) for item in range(10)]


class TestRealJournal(JournalContract):
    @pytest.fixture
    def disk(self) -> Disk:
        return RealDisk()

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "world.jsonl"

    def test_reading_takes_constant_memory(self, disk: Disk, path: Path) -> None:
        payload = b'"%b"' % (b"x" * 1000)
        with Journal.open(disk, path, header=HEADER) as journal:
            for _ in range(20):
                journal.append([payload] * 1000)
        tracemalloc.start()
        try:
            assert sum(1 for _ in read_journal(disk, path)) == 20_000
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < path.stat().st_size / 4


class TestBreakableJournal(JournalContract):
    @pytest.fixture
    def disk(self) -> Disk:
        return BreakableDisk(seed=5)

    @pytest.fixture
    def path(self, disk: BreakableDisk) -> Path:
        return disk.root / "world.jsonl"
