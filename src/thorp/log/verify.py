"""What a stranger checks: that a leaf is in a log, and that a published log is whole; and whom it
trusts.

Nothing here needs a data directory, the network or a signing library.

Policy files (C2SP tlog-policy as of 5ba5ee8): which logs, which witnesses, how many must agree.

    log VKEY [URL]
    witness NAME VKEY [URL]
    group NAME all|any|K MEMBER …
    quorum NAME|none

Names are defined before they are used, no key stands twice, there is one quorum; `#` begins a
comment.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from thorp.kernel.errors import DamagedError, InvalidError, LimitError
from thorp.log import note as notes
from thorp.log.directory import CHECKPOINT, TileReader
from thorp.log.merkle import is_included, leaf_hash, root_of
from thorp.log.tlog import MAX_TILE_BYTES, Checkpoint, read_checkpoint, read_proof
from thorp.store import Disk, read_whole

MAX_POLICY_BYTES: Final = (
    256 * 1024
)  # Far more witnesses than there are; a file that is longer is no policy.
MAX_WITNESSES: Final = 64  # All are asked at once, and a note has at most a hundred signatures.
NONE: Final = "none"


class Party(NamedTuple):
    """A log or a witness, and where it answers."""

    key: notes.VerifierKey
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
    def log_keys(self) -> list[notes.VerifierKey]:
        return [party.key for party in self.logs]

    @property
    def witness_keys(self) -> list[notes.VerifierKey]:
        return [party.key for party in self.witnesses.values()]

    def is_met(self, verified: Iterable[notes.Verified]) -> bool:
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
            self._logs.append(self._party(rest, notes.ED25519, "log VKEY [URL]"))
        elif kind == "witness":
            name = self._new_name(rest, "witness NAME VKEY [URL]")
            if len(self._witnesses) == MAX_WITNESSES:
                raise notes.NoteError(f"a policy names at most {MAX_WITNESSES} witnesses")
            self._witnesses[name] = self._party(
                rest[1:], notes.COSIGNATURE, "witness NAME VKEY [URL]"
            )
        elif kind == "group":
            self._group(rest)
        elif kind == "quorum":
            if self._quorum is not None or len(rest) != 1:
                raise notes.NoteError("there is one line 'quorum NAME|none'")
            if rest[0] != NONE:
                self._known(rest[0])
            self._quorum = rest[0]
        else:
            raise notes.NoteError(
                f"it begins with log, witness, group or quorum, not {kind[:40]!r}"
            )

    def _group(self, fields: list[str]) -> None:
        name = self._new_name(fields, "group NAME all|any|K MEMBER …")
        if len(fields) < 3:
            raise notes.NoteError("a group has a name, all, any or a number, and members")
        _, wanted, *members = fields
        for member in members:
            self._known(member)
        if len(set(members)) < len(members):
            raise notes.NoteError("a group names each member once")
        counts = {"all": len(members), "any": 1}
        least = counts.get(wanted) or (
            int(wanted) if wanted.isascii() and wanted.isdecimal() else 0
        )
        if not 1 <= least <= len(members):
            raise notes.NoteError(f"{wanted!r} of {len(members)} members cannot agree")
        self._groups[name] = Group(least, tuple(members))

    def _party(self, fields: list[str], key_type: int, form: str) -> Party:
        if not 1 <= len(fields) <= 2:
            raise notes.NoteError(f"it is written '{form}'")
        key = notes.read_vkey(fields[0])
        if key.type != key_type:
            raise notes.NoteError(
                f"the key of {key.name} has type {key.type}, and {key_type} is needed here"
            )
        if key.public_key in self._keys:
            raise notes.NoteError(f"the key of {key.name} stands here twice")
        self._keys.add(key.public_key)
        return Party(key, fields[1] if len(fields) == 2 else None)

    def _new_name(self, fields: list[str], form: str) -> str:
        if (
            not fields
            or fields[0] == NONE
            or fields[0] in self._witnesses
            or fields[0] in self._groups
        ):
            raise notes.NoteError(f"it is written '{form}' with a name of its own")
        return fields[0]

    def _known(self, name: str) -> None:
        if name not in self._witnesses and name not in self._groups:
            raise notes.NoteError(f"{name[:40]!r} is not defined above")

    def policy(self) -> Policy:
        if self._quorum is None:
            raise InvalidError("a policy says 'quorum NAME' or 'quorum none'", code="policy")
        return Policy(tuple(self._logs), self._witnesses, self._groups, self._quorum)


class Trust(NamedTuple):
    """Whom a verifier trusts: any of the log keys, all of the witness keys, and a policy if there
    is one."""

    keys: tuple[notes.VerifierKey, ...] = ()
    witness_keys: tuple[notes.VerifierKey, ...] = ()
    policy: Policy | None = None

    def check(self, checkpoint: bytes) -> tuple[Checkpoint, list[notes.Verified]]:
        """The checkpoint that a signed note states, and who signed it; raises if they are not
        enough."""
        policy = self.policy
        log_keys = {*self.keys, *(policy.log_keys if policy else ())}
        witness_keys = {*self.witness_keys, *(policy.witness_keys if policy else ())}
        note = notes.read_note(checkpoint)
        verified = notes.verify_note(note, [*log_keys, *witness_keys])
        signed_by = {each.key for each in verified}
        stated = read_checkpoint(note.text)
        if not any(key in signed_by and key.name == stated.origin for key in log_keys):
            raise notes.NoteError("no trusted log has signed this checkpoint of its own")
        for key in self.witness_keys:
            if key not in signed_by:
                raise notes.NoteError(f"the witness {key.name} has not cosigned it")
        if policy is not None and not policy.is_met(verified):
            raise notes.NoteError("fewer witnesses have cosigned it than the policy wants")
        return stated, verified


@dataclass(frozen=True, slots=True)
class Proven:
    """Where a leaf is, and who says so."""

    index: int
    checkpoint: Checkpoint
    verified: list[notes.Verified]


def verify_proof(proof: bytes, leaf: bytes, trust: Trust) -> Proven:
    """Check that a leaf is under a checkpoint that is trusted; raises an InvalidError that says why
    not."""
    told = read_proof(proof)
    if told.extra is not None and told.extra != leaf:
        raise notes.NoteError(
            "the proof is for something else: its leaf is not the one of this file"
        )
    checkpoint, verified = trust.check(told.checkpoint)
    if not is_included(leaf_hash(leaf), told.index, checkpoint.size, told.hashes, checkpoint.root):
        raise notes.NoteError(
            f"the hashes do not lead from leaf {told.index} to the root of the checkpoint"
        )
    return Proven(told.index, checkpoint, verified)


def audit(disk: Disk, public: Path, trust: Trust, old: bytes | None = None) -> Checkpoint:
    """Derive a whole published log again from its entries: every tile and the root must agree.

    With an old checkpoint, the log must begin with that one's tree.
    """
    checkpoint, _ = trust.check(read_whole(disk, public / CHECKPOINT, most=notes.MAX_NOTE_BYTES))
    tiles = TileReader(disk, public, checkpoint.size)
    for path, derived in TileReader(disk, public, 0).grown(tiles.all_entries()):
        if read_whole(disk, public / path, most=max(MAX_TILE_BYTES, len(derived))) != derived:
            raise DamagedError(f"{public / path}: these are not the hashes of the entries")
    if root_of(tiles.node, checkpoint.size) != checkpoint.root:
        raise DamagedError(f"{public / CHECKPOINT}: its root is not that of the entries")
    if old is not None:
        _check_prefix(tiles, checkpoint, trust.check(old)[0])
    return checkpoint


def _check_prefix(tiles: TileReader, new: Checkpoint, old: Checkpoint) -> None:
    if old.origin != new.origin:
        raise notes.NoteError(f"the old checkpoint is of another log, {old.origin}")
    if old.size > new.size:
        raise notes.NoteError(
            f"the log was rolled back: it had {old.size} leaves, and has {new.size}"
        )
    if old.size == new.size and old.root != new.root:
        raise notes.NoteError(f"the log was split: two trees of {new.size} leaves were signed")
    if root_of(tiles.node, old.size) != old.root:
        raise notes.NoteError(
            f"the log was changed: its first {old.size} leaves are not the old ones"
        )
