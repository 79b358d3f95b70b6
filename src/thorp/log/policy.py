"""Reads the policy file of a verifier: which logs and witnesses it trusts, and how many must agree.

The format is C2SP tlog-policy as of 5ba5ee8:

    log VKEY [URL]
    witness NAME VKEY [URL]
    group NAME all|any|K MEMBER …
    quorum NAME|none

A name is defined before it is used, no key appears twice, and there is exactly one quorum line.
`#` begins a comment.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from thorp.kernel.errors import InvalidError, LimitError
from thorp.log import note as notes

# Room for far more witnesses than exist; a longer file is not a policy.
MAX_POLICY_BYTES: Final = 256 * 1024
MAX_WITNESSES: Final = 64  # All are asked at once, and a note has at most a hundred signatures.
NONE: Final = "none"


class Party(NamedTuple):
    """A log or a witness, and where it answers."""

    key: notes.VerifierKey
    url: str | None


class WitnessGroup(NamedTuple):
    """Witnesses or other groups, at least `least` of which must agree."""

    least: int
    members: tuple[str, ...]


class Policy(NamedTuple):
    """The logs and witnesses that a verifier trusts, and the quorum that it wants."""

    logs: tuple[Party, ...]
    witnesses: dict[str, Party]
    groups: dict[str, WitnessGroup]
    quorum: str

    @property
    def log_keys(self) -> list[notes.VerifierKey]:
        """The keys of the trusted logs."""
        return [party.key for party in self.logs]

    @property
    def witness_keys(self) -> list[notes.VerifierKey]:
        """The keys of the trusted witnesses."""
        return [party.key for party in self.witnesses.values()]

    def is_met(self, verified: Iterable[notes.VerifiedSignature]) -> bool:
        """Whether these cosignatures meet the quorum."""
        keys = {each.key for each in verified}
        agrees = {name: witness.key in keys for name, witness in self.witnesses.items()}
        for name, group in self.groups.items():  # in file order: each after its members
            agrees[name] = sum(agrees[member] for member in group.members) >= group.least
        return self.quorum == NONE or agrees[self.quorum]


def read_policy(data: bytes) -> Policy:
    """Parse a policy file; a mistake is refused with the number of its line."""
    if len(data) > MAX_POLICY_BYTES:
        raise LimitError(f"a policy has at most {MAX_POLICY_BYTES} bytes, this one {len(data)}")
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError:
        raise InvalidError("a policy is UTF-8 text", code="policy") from None
    parser = _PolicyParser()
    for number, line in enumerate(lines, start=1):
        fields = [] if line.lstrip().startswith("#") else line.split()
        try:
            if fields:
                parser.read_line(fields)
        except (InvalidError, LimitError) as problem:
            raise InvalidError(f"line {number} of the policy: {problem}", code="policy") from None
    return parser.policy()


class _PolicyParser:
    """Collects the definitions of a policy, line by line.

    Its errors do not name the line; `read_policy` adds the number.
    """

    def __init__(self) -> None:
        self._logs: list[Party] = []
        self._witnesses: dict[str, Party] = {}
        self._groups: dict[str, WitnessGroup] = {}
        self._quorum: str | None = None
        self._keys: set[bytes] = set()

    def read_line(self, fields: list[str]) -> None:
        """Take in one line, given as its fields."""
        kind, *rest = fields
        if kind == "log":
            self._logs.append(self._party(rest, notes.ED25519, "log VKEY [URL]"))
        elif kind == "witness":
            name = self._new_name(rest, "witness NAME VKEY [URL]")
            if len(self._witnesses) == MAX_WITNESSES:
                raise InvalidError(f"a policy names at most {MAX_WITNESSES} witnesses")
            self._witnesses[name] = self._party(
                rest[1:], notes.COSIGNATURE, "witness NAME VKEY [URL]"
            )
        elif kind == "group":
            self._group(rest)
        elif kind == "quorum":
            if self._quorum is not None or len(rest) != 1:
                raise InvalidError("there is one line 'quorum NAME|none'")
            if rest[0] != NONE:
                self._check_defined(rest[0])
            self._quorum = rest[0]
        else:
            raise InvalidError(f"it begins with log, witness, group or quorum, not {kind[:40]!r}")

    def _group(self, fields: list[str]) -> None:
        name = self._new_name(fields, "group NAME all|any|K MEMBER …")
        if len(fields) < 3:
            raise InvalidError("a group has a name, all, any or a number, and members")
        _, wanted, *members = fields
        for member in members:
            self._check_defined(member)
        if len(set(members)) < len(members):
            raise InvalidError("a group names each member once")
        counts = {"all": len(members), "any": 1}
        least = counts.get(wanted) or (
            int(wanted) if wanted.isascii() and wanted.isdecimal() else 0
        )
        if not 1 <= least <= len(members):
            raise InvalidError(f"{wanted!r} of {len(members)} members cannot agree")
        self._groups[name] = WitnessGroup(least, tuple(members))

    def _party(self, fields: list[str], key_type: int, form: str) -> Party:
        if not 1 <= len(fields) <= 2:
            raise InvalidError(f"expected '{form}'")
        key = notes.read_vkey(fields[0])
        if key.type != key_type:
            raise InvalidError(
                f"the key of {key.name} has type {key.type}, and {key_type} is needed here"
            )
        if key.public_key in self._keys:
            raise InvalidError(f"the key of {key.name} appears twice")
        self._keys.add(key.public_key)
        return Party(key, fields[1] if len(fields) == 2 else None)

    def _new_name(self, fields: list[str], form: str) -> str:
        if (
            not fields
            or fields[0] == NONE
            or fields[0] in self._witnesses
            or fields[0] in self._groups
        ):
            raise InvalidError(f"expected '{form}' with a NAME not used before")
        return fields[0]

    def _check_defined(self, name: str) -> None:
        if name not in self._witnesses and name not in self._groups:
            raise InvalidError(f"{name[:40]!r} is not defined above")

    def policy(self) -> Policy:
        """The policy, after its last line."""
        if self._quorum is None:
            raise InvalidError("a policy says 'quorum NAME' or 'quorum none'", code="policy")
        return Policy(tuple(self._logs), self._witnesses, self._groups, self._quorum)
