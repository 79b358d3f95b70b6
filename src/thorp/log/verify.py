"""Checks inclusion proofs, as a stranger would: a leaf is under a checkpoint that is trusted.

Nothing here needs a data directory, the network or a signing library.
"""

from dataclasses import dataclass

from thorp.log import note as notes
from thorp.log.merkle import is_included, leaf_hash
from thorp.log.tlog import Checkpoint, read_proof
from thorp.log.trust import Trust


@dataclass(frozen=True, slots=True)
class ProvenLeaf:
    """A leaf's place in a log, and who signed the checkpoint above it."""

    index: int
    checkpoint: Checkpoint
    verified: list[notes.VerifiedSignature]


def verify_proof(proof: bytes, leaf: bytes, trust: Trust) -> ProvenLeaf:
    """Check that a leaf is under a trusted checkpoint; raises an InvalidError with the reason if it
    is not."""
    claim = read_proof(proof)
    if claim.extra is not None and claim.extra != leaf:
        raise notes.NoteError(
            "the proof is for something else: its leaf is not the one of this file"
        )
    checkpoint, verified = trust.check(claim.checkpoint)
    if not is_included(
        leaf_hash(leaf), claim.index, checkpoint.size, claim.hashes, checkpoint.root
    ):
        raise notes.NoteError(
            f"the hashes do not lead from leaf {claim.index} to the root of the checkpoint"
        )
    return ProvenLeaf(claim.index, checkpoint, verified)
