"""What the real disk does when the system is difficult."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from thorp.kernel.errors import DamagedError, ThorpError
from thorp.store.disk import DiskError
from thorp.store.real_disk import RealDisk

DISK = RealDisk()


def failing(number: int):
    def call(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return call


def test_what_is_no_file_is_not_read_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    for name in ("pipe", "directory"):
        with pytest.raises(DamagedError, match="not a file"):
            DISK.open(tmp_path / name)


def test_short_writes_and_reads_are_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pwrite, pread = os.pwrite, os.pread
    monkeypatch.setattr(os, "pwrite", lambda fd, data, offset: pwrite(fd, data[:3], offset))
    monkeypatch.setattr(os, "pread", lambda fd, count, offset: pread(fd, min(count, 2), offset))
    file = DISK.create(tmp_path / "a")
    file.write(0, b"0123456789")
    assert file.read(1, 8) == b"12345678"
    file.close()


def test_a_write_that_never_advances_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = DISK.create(tmp_path / "a")
    monkeypatch.setattr(os, "pwrite", lambda *_: 0)
    with pytest.raises(DiskError, match="wrote nothing"):
        file.write(0, b"x")
    file.close()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk_full"), (errno.EDQUOT, "disk_full"), (errno.EIO, "disk_error")],
)
def test_errors_have_a_code_the_file_and_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    file = DISK.create(tmp_path / "ledger")
    monkeypatch.setattr(os, "pwrite", failing(number))
    with pytest.raises(DiskError) as caught:
        file.write(0, b"x")
    file.close()
    assert (caught.value.code, caught.value.file) == (code, tmp_path / "ledger")
    assert "ledger" in str(caught.value)
    assert any(remedy in str(caught.value) for remedy in ("free space", "check the disk"))


def test_a_failing_sync_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = DISK.create(tmp_path / "a")
    monkeypatch.setattr(os, "fdatasync", failing(errno.EIO))
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    with pytest.raises(DiskError, match="could not sync"):
        file.sync()
    with pytest.raises(DiskError, match="could not sync the directory"):
        DISK.sync_directory(tmp_path)
    file.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_that_is_really_full() -> None:
    file = DISK.open(Path("/dev/full"), writable=True)
    with pytest.raises(DiskError) as caught:
        file.write(0, b"x")
    file.close()
    assert caught.value.code == "disk_full"


def test_a_file_system_without_hard_links_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    DISK.create(tmp_path / "a").close()
    monkeypatch.setattr(os, "link", failing(errno.EPERM))
    with pytest.raises(DiskError, match="cannot make hard links"):
        DISK.link(tmp_path / "a", tmp_path / "b")


def test_other_failures_of_links_keep_their_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", failing(errno.ENOSPC))
    with pytest.raises(ThorpError) as caught:
        DISK.link(tmp_path / "a", tmp_path / "b")
    assert caught.value.code == "disk_full"


def test_descriptors_are_not_inherited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    real_open = os.open

    def watched(path: str, flags: int, mode: int = 0o777) -> int:
        opened.append(real_open(path, flags, mode))
        return opened[-1]

    monkeypatch.setattr(os, "open", watched)
    files = [DISK.create(tmp_path / "a"), DISK.open(tmp_path / "a")]
    assert [os.get_inheritable(descriptor) for descriptor in opened] == [False, False]
    for file in files:
        file.close()
