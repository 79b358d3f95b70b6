"""The resume token of an agent, kept between the runs of its program.

A program that connects as `Sawyer` to a server gets the body back that it had there the last time.
Its token lies in a file of its own, by server and name, in the user's state directory:

    $THORP_STATE/tokens, else $XDG_STATE_HOME/thorp/tokens, else ~/.local/state/thorp/tokens

The directory belongs to its user alone (0700), and so does each file (0600). Where THORP_STATE is
set and empty nothing is kept. Of many agents those whose programs ran last are kept.

Whoever lives as that agent holds a lock for as long, which ends with the process however that
ends. A second program of the same name finds it held: it gets a new body, takes nothing over, and
keeps nothing. The token is replaced with each WELCOME, before anything is sent to the world, and
the world takes the token before it until then: a program that is killed in between comes back with
the old one.

What cannot be read is not there: a damaged file or a symbolic link counts as no token, and is
replaced. A directory that cannot be written costs one line of warning, and the next run a new body.
"""

import errno
import fcntl
import logging
import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec
from yarl import URL

STATE_VARIABLE: Final = "THORP_STATE"
MAX_FILE_BYTES: Final = 4_096
"""A token has some fifty characters, an address and a name a few hundred at most."""
MAX_FILES: Final = 500
"""Agents whose tokens are kept. A program that makes up names, or meets a server on another port
each time, must not fill the directory."""
DIRECTORY_MODE: Final = 0o700
FILE_MODE: Final = 0o600
# No descriptor follows a link that somebody else may have put there.
_SAFE: Final = os.O_NOFOLLOW | os.O_CLOEXEC
_SECURE_SCHEMES: Final = ("wss", "https")

_log = logging.getLogger(__name__)


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """What a file holds. Server and name are those of the file's name, for people who look."""

    server: str
    name: str
    token: str


_decode: Final = msgspec.json.Decoder(_Kept).decode


def state_directory() -> Path | None:
    """Where a user's programs keep what outlives them; None if they are to keep nothing."""
    own = os.environ.get(STATE_VARIABLE)
    if own is not None:
        return Path(own) if own else None
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "thorp"


def server_of(url: URL) -> str:
    """The server behind an address, however that was written."""
    scheme = "wss" if url.scheme in _SECURE_SCHEMES else "ws"
    return f"{scheme}://{url.host}:{url.port}{url.path}"


class TokenFile:
    """The kept token of one agent at one server, held until `close`.

    Nothing here raises: an agent lives without its file, too.
    """

    def __init__(self, url: URL, name: str) -> None:
        self._server = server_of(url)
        self._name = name
        digest = sha256(f"{self._server}\n{name}".encode("utf-8", "surrogatepass")).hexdigest()
        self._file_name = f"{digest[:32]}.json"
        self._directory = Path()
        self._lock: int | None = None
        self._has_warned = False

    @property
    def _path(self) -> Path:
        return self._directory / self._file_name

    def hold(self, *, quietly: bool = False) -> str | None:
        """Lock the file, and return the token that the last run has kept.

        None if there is no token, or if another program lives as this agent now; it is said which,
        unless the caller has a token of its own and holds the file `quietly`.
        """
        try:
            state = state_directory()
            if state is None:
                return None
            self._directory = state / "tokens"
            _make_private(self._directory)
            self._lock = _locked(self._path.with_suffix(".lock"))
        except (OSError, RuntimeError) as problem:  # RuntimeError: this user has no home
            self._warn_unkept(problem)
            return None
        if self._lock is not None:
            with suppress(OSError):  # another program tidies up, too
                _prune(self._directory)
            return self._read()
        if not quietly:
            _log.warning(
                "another program lives as %s at %s: this one gets a new body",
                self._name,
                self._server,
            )
        return None

    def keep(self, token: str) -> None:
        """Replace the token, if this program holds the file."""
        if self._lock is None or not token:
            return
        kept = _Kept(server=self._server, name=self._name, token=token)
        try:
            _replace(self._path, msgspec.json.encode(kept))
        except OSError as problem:
            # The lock is held on: what lies in the file still opens this body to whoever reads it.
            self._warn_unkept(problem)

    def forget(self) -> None:
        """The body is gone: nobody comes back to it."""
        if self._lock is not None:
            with suppress(OSError):
                self._path.unlink()

    def close(self) -> None:
        """Let another program live as this agent."""
        if self._lock is not None:
            _unlock(self._lock)
            self._lock = None

    def _read(self) -> str | None:
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | _SAFE)
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            return None
        try:
            kept = _decode(content)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
        is_ours = (kept.server, kept.name) == (self._server, self._name)
        return kept.token if is_ours and kept.token else None

    def _warn_unkept(self, problem: Exception) -> None:
        if self._has_warned:
            return
        self._has_warned = True
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        _log.warning(
            "%s: the resume token of %s cannot be kept (%s): the next run gets a new body; %s"
            " names another directory",
            self._directory,
            self._name,
            reason,
            STATE_VARIABLE,
        )


def _make_private(directory: Path) -> None:
    """Make a directory that belongs to this user alone; refuse somebody else's."""
    directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    status = directory.lstat()
    if stat.S_ISLNK(status.st_mode) or status.st_uid != os.geteuid():
        raise OSError(errno.EPERM, "it belongs to somebody else", str(directory))
    if stat.S_IMODE(status.st_mode) & ~DIRECTORY_MODE:
        directory.chmod(DIRECTORY_MODE)


def _locked(path: Path) -> int | None:
    """The descriptor of a lock file that this process holds now; None if another one does."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _SAFE, FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            os.close(descriptor)
            raise
        with suppress(FileNotFoundError):
            if os.fstat(descriptor).st_ino == path.lstat().st_ino:
                os.utime(descriptor)  # used last, so pruned last
                return descriptor
        os.close(descriptor)  # it was pruned between the two calls; the next one is the name's own


def _unlock(descriptor: int) -> None:
    """Give a lock back, also where a child process has the descriptor, too."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole, or leave it as it was. The lock is held, so the name is ours alone."""
    temporary = path.with_suffix(".tmp")
    with suppress(FileNotFoundError):
        temporary.unlink()  # of a process that was killed while it wrote
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE, FILE_MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    temporary.replace(path)


def _prune(directory: Path) -> None:
    """Forget the agents whose programs ran longest ago, but for those that run still."""
    locks = sorted(directory.glob("*.lock"), key=lambda path: path.lstat().st_mtime_ns)
    for lock in locks[:-MAX_FILES]:
        descriptor = _locked(lock)
        if descriptor is not None:
            lock.with_suffix(".json").unlink(missing_ok=True)
            lock.unlink(missing_ok=True)
            _unlock(descriptor)
