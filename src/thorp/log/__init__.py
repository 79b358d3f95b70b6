"""A transparency log: results are published, signed and witnessed, so that strangers need not trust
us.

The formats are those of C2SP (signed notes, checkpoints, tiles, cosignatures); see `docs/proof.md`.
"""

from thorp.log.announcement import file_leaf, make_leaf
from thorp.log.audit import audit
from thorp.log.directory import Log
from thorp.log.policy import Policy, read_policy
from thorp.log.signer import Signer
from thorp.log.verify import verify_proof
from thorp.log.witness import Witness

__all__ = [
    "Log",
    "Policy",
    "Signer",
    "Witness",
    "audit",
    "file_leaf",
    "make_leaf",
    "read_policy",
    "verify_proof",
]
