"""Whom a verifier trusts, and whether that is enough to believe a signed checkpoint."""

from typing import NamedTuple

from thorp.log import note as notes
from thorp.log.policy import Policy
from thorp.log.tlog import Checkpoint, read_checkpoint


class Trust(NamedTuple):
    """The keys and the policy that a checkpoint must satisfy.

    One of the log keys must have signed it, every one of `witness_keys` must have cosigned it, and
    the policy's quorum must be met, if there is a policy.
    """

    keys: tuple[notes.VerifierKey, ...] = ()
    witness_keys: tuple[notes.VerifierKey, ...] = ()
    policy: Policy | None = None

    def check(self, checkpoint: bytes) -> tuple[Checkpoint, list[notes.VerifiedSignature]]:
        """Return the checkpoint that a signed note states, and who signed it.

        Raises NoteError if a required signature is missing.
        """
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
