"""Four roles in order, and the tokens that give them.

Tokens are drawn with 32 random bytes, so their SHA-256 is kept and no salt is needed. The file is read
again when it changed: a token made or revoked counts from the next request on.
"""

from __future__ import annotations

import secrets
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import DamagedError, InvalidError, LimitError
from thorp.store import RealDisk, write_atomic

TOKENS_FILE: Final = "tokens.json"
# Tokens are read whole on a change; this is far more than people hand out.
MAX_TOKENS: Final = 1_000
MAX_NOTE_BYTES: Final = 200
# As long as an identity of the story may be, in characters of any language.
MAX_PERSON_BYTES: Final = 256
TOKEN_PREFIX: Final = "thorp_"
# Longer than any token; what is longer need not be hashed.
MAX_TOKEN_BYTES: Final = 256


class Role(IntEnum):
    """Operators may do what agents and viewers may, admins everything. An agent may not watch from above,
    and a viewer may not play."""

    ANYONE = 0
    READER = 1
    """Whoever has a role at all: agents and viewers alike. No token gives this."""
    AGENT = 2
    VIEWER = 3
    NEIGHBOUR = 4
    """A page of another server on this machine: it may play and watch. No token gives this."""
    OPERATOR = 5
    ADMIN = 6

    def may(self, needed: Role) -> bool:
        return self >= needed and not (self is Role.VIEWER and needed is Role.AGENT)


GIVEN_ROLES: Final = (Role.AGENT, Role.VIEWER, Role.OPERATOR, Role.ADMIN)


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept of a token: everything but the token."""

    id: str
    role: str
    sha256: str
    created: str
    note: str = ""
    person: str = ""
    """Whose eyes an agent has in the story."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    tokens: list[Token]


class Tokens:
    """The tokens of one data directory."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / TOKENS_FILE
        self._stamp: tuple[int, int, int] | None = None
        self._tokens: list[Token] = []
        self._by_hash: dict[str, Token] = {}

    def all(self) -> list[Token]:
        self._refresh()
        return list(self._tokens)

    def create(self, role: Role, *, created: str, note: str = "", person: str = "") -> tuple[Token, str]:
        """A new token: what is kept of it, and the text, which is shown this once."""
        self._refresh()
        if len(self._tokens) >= MAX_TOKENS:
            raise LimitError(f"there are {MAX_TOKENS} tokens; revoke some with `thorp token revoke`")
        if len(note.encode()) > MAX_NOTE_BYTES:
            raise LimitError(f"a note has at most {MAX_NOTE_BYTES} bytes")
        if person and role is not Role.AGENT:
            raise InvalidError("only an agent has the eyes of a person; leave the person out", code="person")
        if len(person.encode()) > MAX_PERSON_BYTES:
            raise LimitError(f"a person's id has at most {MAX_PERSON_BYTES} bytes")
        text = TOKEN_PREFIX + secrets.token_urlsafe(32)
        token = Token(secrets.token_hex(4), role.name.lower(), _hashed(text), created, note, person)
        self._write([*self._tokens, token])
        return token, text

    def revoke(self, token_id: str) -> Token:
        self._refresh()
        for token in self._tokens:
            if token.id == token_id:
                self._write([other for other in self._tokens if other is not token])
                return token
        raise InvalidError(f"no token has the id {token_id!r}; `thorp token list` shows them", code="unknown")

    def role_of(self, text: str) -> Role | None:
        """The role a token gives, or None if it is none of ours."""
        token = self.find(text)
        return None if token is None else Role[token.role.upper()]

    def find(self, text: str) -> Token | None:
        """What is kept of a token, or None if it is none of ours."""
        if len(text) > MAX_TOKEN_BYTES:
            return None
        self._refresh()
        return self._by_hash.get(_hashed(text))

    def _refresh(self) -> None:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            self._stamp, self._tokens, self._by_hash = None, [], {}
            return
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp != self._stamp:
            self._tokens = _read(self._path)
            self._by_hash = {token.sha256: token for token in self._tokens}
            self._stamp = stamp

    def _write(self, tokens: list[Token]) -> None:
        text = msgspec.json.format(msgspec.json.encode(_File(1, tokens)), indent=2) + b"\n"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(RealDisk(), self._path, text, replace=True)
        self._stamp = None


def _read(path: Path) -> list[Token]:
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
        if file.format != 1:
            raise ValueError(f"format {file.format}")
        for token in file.tokens:
            if Role[token.role.upper()] not in GIVEN_ROLES:
                raise ValueError(f"role {token.role}")
    except (msgspec.DecodeError, ValueError, KeyError) as error:
        raise DamagedError(f"{path}: cannot be read as tokens ({error}); restore or remove it") from None
    return file.tokens


def _hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
