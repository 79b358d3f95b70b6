"""Permissions, the roles that bundle them, and the tokens that give a role. See `docs/server.md`.

A token has 32 random bytes, so only its SHA-256 is kept, and no salt is needed. The files are read
again when they change: a token that is made, revoked or rotated counts from the next request on.
A process that changes `tokens.json` holds the lock of the directory while it reads, changes and
replaces the file, so that no change is lost; a server only reads it. The file `admin-token` is
never followed as a link, and is ignored when others may read or write it.
"""

import logging
import os
import re
import secrets
import stat
from contextlib import suppress
from enum import Enum, Flag, auto
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, LimitError
from thorp.store import RealDisk, write_atomic
from thorp.store.real_disk import PrivateDisk
from thorp.store.turn import alone_in

TOKENS_FILE: Final = "tokens.json"
# The file is read whole on a change; this is far more tokens than people hand out.
MAX_TOKENS: Final = 1_000
MAX_NOTE_BYTES: Final = 200
# As long as an identity of the story may be, in characters of any language.
MAX_PERSON_BYTES: Final = 256

_log = logging.getLogger("thorp.server.tokens")

ADMIN_TOKEN: Final = "admin-token"
TOKEN_PREFIX: Final = "thorp_"
# Longer than any token; longer text is not hashed.
MAX_TOKEN_BYTES: Final = 256
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_TOKEN: Final = re.compile(rf"{TOKEN_PREFIX}[A-Za-z0-9_-]{{40,}}\n?", re.ASCII)
_ADVICE: Final = "`thorp token rotate-admin` makes a new one"


class Permission(Flag):
    """What a request may do. A route needs one of these, or NONE."""

    NONE = 0
    READ = auto()
    """Read the story as oneself."""
    JOIN = auto()
    """Play, as an agent of the world."""
    WATCH = auto()
    """See the whole world and its towns from above, and its metrics."""
    GOVERN = auto()
    """Send handoffs, beats and orders; see and change the bodies of others."""
    ADMINISTER = auto()
    """Keep the data: write snapshots, read the story as anybody."""


class Role(Enum):
    """A named set of permissions. A viewer may not play, and an agent may not watch."""

    ANYONE = Permission.NONE
    AGENT = Permission.READ | Permission.JOIN
    VIEWER = Permission.READ | Permission.WATCH
    NEIGHBOUR = Permission.READ | Permission.JOIN | Permission.WATCH
    """A process of this machine that shows no token. No token gives this role."""
    OPERATOR = Permission.READ | Permission.JOIN | Permission.WATCH | Permission.GOVERN
    ADMIN = (
        Permission.READ
        | Permission.JOIN
        | Permission.WATCH
        | Permission.GOVERN
        | Permission.ADMINISTER
    )

    def may(self, needed: Permission) -> bool:
        """Whether the role has a permission."""
        return needed in self.value


GIVEN_ROLES: Final = (Role.AGENT, Role.VIEWER, Role.OPERATOR, Role.ADMIN)
"""The roles that a token can give, from few permissions to all."""


def least_role(needed: Permission) -> Role:
    """The role with the fewest permissions that a token can give and that has this one."""
    return next(role for role in GIVEN_ROLES if role.may(needed))


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is stored of a token: everything but its text."""

    id: str
    role: str
    sha256: str
    created: str
    note: str = ""
    person: str = ""
    """The person of the story as whom an agent reads."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `tokens.json`."""

    format: int
    tokens: list[Token]


class Tokens:
    """The tokens of one data directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / TOKENS_FILE
        self._stamp: _Stamp = None
        self._tokens: list[Token] = []
        self._by_hash: dict[str, Token] = {}
        self._admin_stamp: _Stamp = None
        self._admin: Token | None = None
        self._lent: dict[str, Token] = {}
        """By hash: tokens of processes that this one starts. They are not stored, and a rotation
        does not touch them."""

    def all(self) -> list[Token]:
        """The tokens of the file, as it is now."""
        self._refresh()
        return list(self._tokens)

    def create(
        self, role: Role, *, created: str, note: str = "", person: str = ""
    ) -> tuple[Token, str]:
        """A new token: what is stored of it, and its text, which is shown only once."""
        if len(note.encode()) > MAX_NOTE_BYTES:
            raise LimitError(f"a note has at most {MAX_NOTE_BYTES} bytes")
        if person and role is not Role.AGENT:
            raise InvalidError(
                "only an agent's token can name a person; leave the person out", code="person"
            )
        if len(person.encode()) > MAX_PERSON_BYTES:
            raise LimitError(f"a person's id has at most {MAX_PERSON_BYTES} bytes")
        text = new_token()
        make_data_directory(self._directory)
        with alone_in(self._directory):
            tokens = self._stored()
            if len(tokens) >= MAX_TOKENS:
                raise LimitError(
                    f"there are {MAX_TOKENS} tokens; revoke some with `thorp token revoke`"
                )
            token = Token(
                id=_unused_id(tokens),
                role=role.name.lower(),
                sha256=_hashed(text),
                created=created,
                note=note,
                person=person,
            )
            self._write([*tokens, token])
        return token, text

    def issue_unsaved(self, role: Role) -> str:
        """A token that only this process knows, for a process that it starts."""
        text = new_token()
        self._lent[_hashed(text)] = Token(
            id="lent", role=role.name.lower(), sha256=_hashed(text), created=""
        )
        return text

    def revoke(self, token_id: str) -> Token:
        """Remove a token, and return it. From the next request on it is worthless."""
        if self._directory.is_dir():
            with alone_in(self._directory):
                tokens = self._stored()
                for token in tokens:
                    if token.id == token_id:
                        self._write([other for other in tokens if other is not token])
                        return token
        raise InvalidError(
            f"no token has the id {token_id!r}; `thorp token list` shows them", code="unknown"
        )

    def find(self, text: str) -> Token | None:
        """What is stored of a token; None if it is unknown."""
        if len(text) > MAX_TOKEN_BYTES:
            return None
        hashed = _hashed(text)
        if hashed in self._lent:
            return self._lent[hashed]
        self._refresh_admin()
        if self._admin is not None and hashed == self._admin.sha256:
            return self._admin
        self._refresh()
        return self._by_hash.get(hashed)

    def _stored(self) -> list[Token]:
        """The tokens that are in the file now, whatever was read before."""
        return [] if _stamp_of(self._path) is None else _read(self._path)

    def _refresh(self) -> None:
        """Read the tokens if their file changed."""
        stamp = _stamp_of(self._path)
        if stamp is None:
            self._tokens = []
            self._by_hash = {}
        elif stamp != self._stamp:
            self._tokens = _read(self._path)
            self._by_hash = {token.sha256: token for token in self._tokens}
        self._stamp = stamp

    def _refresh_admin(self) -> None:
        """Read the admin token if it changed. If its file cannot be trusted, nobody is admin."""
        stamp = _stamp_of(self._directory / ADMIN_TOKEN)
        if stamp == self._admin_stamp:
            return
        self._admin = None
        self._admin_stamp = stamp
        try:
            text = read_admin_token(self._directory)
        except (DamagedError, OSError) as problem:
            _log.warning("the admin token is ignored: %s", problem)
        else:
            self._admin = (
                None
                if text is None
                else Token(id="admin", role="admin", sha256=_hashed(text), created="")
            )

    def _write(self, tokens: list[Token]) -> None:
        text = msgspec.json.format(msgspec.json.encode(_File(1, tokens)), indent=2) + b"\n"
        write_atomic(RealDisk(), self._path, text, replace=True)
        self._stamp = None


_Stamp = tuple[int, int, int, int] | None


def _stamp_of(path: Path) -> _Stamp:
    """Changes whenever the file or its permissions do; None if there is no file."""
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _read(path: Path) -> list[Token]:
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
        if file.format != 1:
            raise ValueError(f"format {file.format}")
        for token in file.tokens:
            if Role[token.role.upper()] not in GIVEN_ROLES:
                raise ValueError(f"role {token.role}")
    except (msgspec.DecodeError, ValueError, KeyError) as error:
        raise DamagedError(
            f"{path}: cannot be read as tokens ({error}); restore or remove it"
        ) from None
    return file.tokens


def _unused_id(tokens: list[Token]) -> str:
    """An unused id, short enough for people to type."""
    used = {token.id for token in tokens}
    while (token_id := secrets.token_hex(4)) in used:
        pass
    return token_id


def _hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


# The admin token.


def new_token() -> str:
    """The text of a token that nobody can guess."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def make_data_directory(data: Path) -> None:
    """Make a data directory that only its owner may enter. An existing one keeps its
    permissions."""
    if not data.is_dir():
        RealDisk().make_directories(data.parent)
        with suppress(FileExistsError):
            data.mkdir(mode=0o700)
        RealDisk().make_directories(data)  # which refuses if a file has its name


def ensure_admin_token(data: Path) -> str:
    """The admin token; made if there is none. If several servers start at once, one makes it."""
    make_data_directory(data)
    token = read_admin_token(data)
    if token is None:
        with suppress(ConflictError):
            write_atomic(PrivateDisk(), data / ADMIN_TOKEN, f"{new_token()}\n".encode())
        token = read_admin_token(data)
    assert token is not None
    return token


def rotate_admin_token(data: Path) -> None:
    """Replace the admin token; the one before is worthless from the next request on."""
    make_data_directory(data)
    write_atomic(PrivateDisk(), data / ADMIN_TOKEN, f"{new_token()}\n".encode(), replace=True)


def read_admin_token(data: Path) -> str | None:
    """The admin token; None if there is none. Raises DamagedError if others may read the file, or
    it does not hold a token."""
    return read_token(data / ADMIN_TOKEN)


def read_token(path: Path) -> str | None:
    """The token in a file, under the same conditions as `read_admin_token`."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise
    except OSError:
        raise DamagedError(f"{path}: this is a link, not a file; {_ADVICE}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise DamagedError(f"{path}: this is not a file; move it away")
        if status.st_mode & _OTHERS:
            raise DamagedError(f"{path}: others may read it or write to it; {_ADVICE}")
        text = os.read(descriptor, MAX_TOKEN_BYTES).decode("ascii", "replace")
    finally:
        os.close(descriptor)
    if _TOKEN.fullmatch(text) is None:
        raise DamagedError(f"{path}: this is not a token; {_ADVICE}")
    return text.rstrip("\n")
