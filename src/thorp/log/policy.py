"""Policy files (C2SP tlog-policy as of 5ba5ee8): which logs, which witnesses, how many must agree.

    log VKEY [URL]
    witness NAME VKEY [URL]
    group NAME all|any|K MEMBER …
    quorum NAME|none

Names are defined before they are used, no key stands twice, there is one quorum; `#` begins a comment.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.note import COSIGNATURE, ED25519, NoteError, Verified, VerifierKey, read_vkey

# Far more witnesses than there are; a file that is longer is no policy.
MAX_POLICY_BYTES: Final = 256 * 1024
# All are asked at once, and a note has at most a hundred signatures.
MAX_WITNESSES: Final = 64
NONE: Final = "none"


class Party(NamedTuple):
    """A log or a witness, and where it answers."""

    key: VerifierKey
    url: str | None


class Group(NamedTuple):
    least: int
    members: tuple[str, ...]


class Policy(NamedTuple):
    logs: tuple[Party, ...]
    witnesses: dict[str, Party]
    groups: dict[str, Group]
    quorum: str

    @property
    def log_keys(self) -> list[VerifierKey]:
        return [party.key for party in self.logs]

    @property
    def witness_keys(self) -> list[VerifierKey]:
        return [party.key for party in self.witnesses.values()]

    def is_met(self, verified: Iterable[Verified]) -> bool:
        """Whether those who cosigned are enough."""
        keys = {each.key for each in verified}
        agrees = {name: witness.key in keys for name, witness in self.witnesses.items()}
        for name, group in self.groups.items():  # each after its members
            agrees[name] = sum(agrees[member] for member in group.members) >= group.least
        return self.quorum == NONE or agrees[self.quorum]


def read_policy(data: bytes) -> Policy:
    if len(data) > MAX_POLICY_BYTES:
        raise LimitError(f"a policy has at most {MAX_POLICY_BYTES} bytes, this one {len(data)}")
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        raise InvalidError("a policy is UTF-8 text", code="policy") from None
    reader = _Reader()
    for number, line in enumerate(lines, start=1):
        fields = [] if line.lstrip().startswith("#") else line.split()
        try:
            if fields:
                reader.take(fields)
        except (InvalidError, LimitError) as problem:
            raise InvalidError(f"line {number} of the policy: {problem}", code="policy") from None
    return reader.policy()


class _Reader:
    def __init__(self) -> None:
        self._logs: list[Party] = []
        self._witnesses: dict[str, Party] = {}
        self._groups: dict[str, Group] = {}
        self._quorum: str | None = None
        self._keys: set[bytes] = set()

    def take(self, fields: list[str]) -> None:
        kind, *rest = fields
        if kind == "log":
            self._logs.append(self._party(rest, ED25519, "log VKEY [URL]"))
        elif kind == "witness":
            name = self._new_name(rest, "witness NAME VKEY [URL]")
            if len(self._witnesses) == MAX_WITNESSES:
                raise NoteError(f"a policy names at most {MAX_WITNESSES} witnesses")
            self._witnesses[name] = self._party(rest[1:], COSIGNATURE, "witness NAME VKEY [URL]")
        elif kind == "group":
            self._group(rest)
        elif kind == "quorum":
            if self._quorum is not None or len(rest) != 1:
                raise NoteError("there is one line 'quorum NAME|none'")
            if rest[0] != NONE:
                self._known(rest[0])
            self._quorum = rest[0]
        else:
            raise NoteError(f"it begins with log, witness, group or quorum, not {kind[:40]!r}")

    def _group(self, fields: list[str]) -> None:
        name = self._new_name(fields, "group NAME all|any|K MEMBER …")
        if len(fields) < 3:
            raise NoteError("a group has a name, all, any or a number, and members")
        members = tuple(fields[2:])
        for member in members:
            self._known(member)
        if len(set(members)) < len(members):
            raise NoteError("a group names each member once")
        counts = {"all": len(members), "any": 1}
        least = counts.get(fields[1]) or (
            int(fields[1]) if fields[1].isascii() and fields[1].isdecimal() else 0
        )
        if not 1 <= least <= len(members):
            raise NoteError(f"{fields[1]!r} of {len(members)} members cannot agree")
        self._groups[name] = Group(least, members)

    def _party(self, fields: list[str], key_type: int, form: str) -> Party:
        if not 1 <= len(fields) <= 2:
            raise NoteError(f"it is written '{form}'")
        key = read_vkey(fields[0])
        if key.type != key_type:
            raise NoteError(f"the key of {key.name} has type {key.type}, and {key_type} is needed here")
        if key.public_key in self._keys:
            raise NoteError(f"the key of {key.name} stands here twice")
        self._keys.add(key.public_key)
        return Party(key, fields[1] if len(fields) == 2 else None)

    def _new_name(self, fields: list[str], form: str) -> str:
        if not fields or fields[0] == NONE or fields[0] in self._witnesses or fields[0] in self._groups:
            raise NoteError(f"it is written '{form}' with a name of its own")
        return fields[0]

    def _known(self, name: str) -> None:
        if name not in self._witnesses and name not in self._groups:
            raise NoteError(f"{name[:40]!r} is not defined above")

    def policy(self) -> Policy:
        if self._quorum is None:
            raise InvalidError("a policy says 'quorum NAME' or 'quorum none'", code="policy")
        return Policy(tuple(self._logs), self._witnesses, self._groups, self._quorum)
