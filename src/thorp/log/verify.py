"""What a stranger checks: that a leaf is in a log, and that a published log is whole.

Nothing here needs a data directory, the network or a signing library.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from thorp.kernel.errors import DamagedError
from thorp.kernel.merkle import is_included, leaf_hash, root_of
from thorp.kernel.note import MAX_NOTE_BYTES, NoteError, Verified, VerifierKey, read_note, verify_note
from thorp.kernel.tlog import MAX_TILE_BYTES, Checkpoint, read_checkpoint, read_proof
from thorp.log.directory import CHECKPOINT, TileReader
from thorp.log.policy import Policy
from thorp.store import Disk, read_whole


class Trust(NamedTuple):
    """Whom a verifier trusts: any of the log keys, all of the witness keys, and a policy if there is one."""

    keys: tuple[VerifierKey, ...] = ()
    witness_keys: tuple[VerifierKey, ...] = ()
    policy: Policy | None = None

    def check(self, checkpoint: bytes) -> tuple[Checkpoint, list[Verified]]:
        """The checkpoint that a signed note states, and who signed it; raises if they are not enough."""
        policy = self.policy
        log_keys = {*self.keys, *(policy.log_keys if policy else ())}
        witness_keys = {*self.witness_keys, *(policy.witness_keys if policy else ())}
        note = read_note(checkpoint)
        verified = verify_note(note, [*log_keys, *witness_keys])
        signed_by = {each.key for each in verified}
        stated = read_checkpoint(note.text)
        if not any(key in signed_by and key.name == stated.origin for key in log_keys):
            raise NoteError("no trusted log has signed this checkpoint of its own")
        for key in self.witness_keys:
            if key not in signed_by:
                raise NoteError(f"the witness {key.name} has not cosigned it")
        if policy is not None and not policy.is_met(verified):
            raise NoteError("fewer witnesses have cosigned it than the policy wants")
        return stated, verified


@dataclass(frozen=True, slots=True)
class Proven:
    """Where a leaf is, and who says so."""

    index: int
    checkpoint: Checkpoint
    verified: list[Verified]


def verify_proof(proof: bytes, leaf: bytes, trust: Trust) -> Proven:
    """Check that a leaf is under a checkpoint that is trusted; raises an InvalidError that says why not."""
    stated = read_proof(proof)
    if stated.extra is not None and stated.extra != leaf:
        raise NoteError("the proof is for something else: its leaf is not the one of this file")
    checkpoint, verified = trust.check(stated.checkpoint)
    if not is_included(leaf_hash(leaf), stated.index, checkpoint.size, stated.hashes, checkpoint.root):
        raise NoteError(f"the hashes do not lead from leaf {stated.index} to the root of the checkpoint")
    return Proven(stated.index, checkpoint, verified)


def audit(disk: Disk, public: Path, trust: Trust, old: bytes | None = None) -> Checkpoint:
    """Derive a whole published log again from its entries: every tile and the root must agree.

    With an old checkpoint, the log must begin with that one's tree.
    """
    checkpoint, _ = trust.check(read_whole(disk, public / CHECKPOINT, most=MAX_NOTE_BYTES))
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
        raise NoteError(f"the old checkpoint is of another log, {old.origin}")
    if old.size > new.size:
        raise NoteError(f"the log was rolled back: it had {old.size} leaves, and has {new.size}")
    if old.size == new.size and old.root != new.root:
        raise NoteError(f"the log was split: two trees of {new.size} leaves were signed")
    if root_of(tiles.node, old.size) != old.root:
        raise NoteError(f"the log was changed: its first {old.size} leaves are not the old ones")
