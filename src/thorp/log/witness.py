"""A witness (C2SP tlog-witness 1.0): it cosigns checkpoints of the logs that it knows, as long as
each log only grows.

The last checkpoint of each log is durable before its cosignature is sent, and comparing and storing
is one step, so two requests at once cannot make a witness accept an older tree. `cosign_by` asks
the witnesses of a policy to cosign a checkpoint before it is published.
"""

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Final, NamedTuple

from thorp.kernel.errors import IllegalError, InvalidError, LimitError, ThorpError
from thorp.log import note as notes
from thorp.log import tlog
from thorp.log.directory import Cosign, Log
from thorp.log.merkle import EMPTY_ROOT, consistency_proof, is_consistent
from thorp.log.policy import Party, Policy
from thorp.log.signer import Signer
from thorp.store import Disk, hold, read_whole, write_atomic

SIZE_TYPE: Final = "text/x.tlog.size"
TEXT_TYPE: Final = "text/plain; charset=utf-8"
MAX_REQUEST_BYTES: Final = 64 * 1024  # A checkpoint, 63 hashes and a hundred signatures.

# A witness only has to make one file durable; one that takes longer counts as absent.
PATIENCE_SECONDS: Final = 10.0
MAX_ANSWER_BYTES: Final = 64 * 1024
CONFLICT: Final = 409


class WitnessAnswer(NamedTuple):
    """The HTTP answer of a witness."""

    status: int
    body: str = ""
    content_type: str = TEXT_TYPE


class Witness:
    """The logs that a witness knows, and the last checkpoint of each. Only one call of `add` may
    run at a time."""

    def __init__(
        self,
        disk: Disk,
        directory: Path,
        signer: Signer,
        logs: Sequence[notes.VerifierKey],
        clock: Callable[[], float],
    ) -> None:
        self._disk = disk
        self._directory = directory
        self._signer = signer
        self._keys: dict[str, list[notes.VerifierKey]] = {}
        for key in logs:
            self._keys.setdefault(key.name, []).append(key)
        self._clock = clock
        disk.make_directories(directory)
        # Two processes with one directory could each accept a tree that the other has outgrown.
        self._lock = hold(disk, directory / "lock")

    def close(self) -> None:
        """Let go of the directory."""
        self._lock.close()

    def add(self, body: bytes) -> WitnessAnswer:
        """Answer one add-checkpoint request."""
        try:
            request = tlog.read_submission(body)
            note = notes.read_note(request.checkpoint)
            new = tlog.read_checkpoint(note.text)
        except (InvalidError, LimitError) as problem:
            return WitnessAnswer(400, f"{problem}\n")
        keys = self._keys.get(new.origin)
        if keys is None:
            return WitnessAnswer(404, "this log is not known here\n")
        try:
            notes.verify_note(note, keys)
        except InvalidError as problem:
            return WitnessAnswer(403, f"{problem}\n")
        return self._judge(request, note, new)

    def _judge(
        self, request: tlog.Submission, note: notes.Note, new: tlog.Checkpoint
    ) -> WitnessAnswer:
        """Cosign a checkpoint that a known log has signed, if its tree begins with the last one."""
        if request.old > new.size:
            return WitnessAnswer(
                400, f"the old size {request.old} is above the checkpoint's {new.size}\n"
            )
        path = self._path(new.origin)
        old = tlog.Checkpoint(new.origin, 0, EMPTY_ROOT)
        if self._disk.exists(path):
            old = tlog.read_checkpoint(notes.read_note(read_whole(self._disk, path)).text)
        if request.old != old.size:
            return WitnessAnswer(409, f"{old.size}\n", SIZE_TYPE)
        if not is_consistent(old.size, old.root, new.size, new.root, request.hashes):
            return WitnessAnswer(422, "the new tree is not shown to begin with the old one\n")
        cosignature = self._signer.cosign(note.text, int(self._clock()))
        # Only lines of known logs are kept: it is not for us to pass on signatures of strangers.
        log_keys = {(key.name, key.id) for keys in self._keys.values() for key in keys}
        own = tuple(line for line in note.signatures if (line.name, line.key_id) in log_keys)
        kept = notes.Note(note.text, (*own, cosignature))
        write_atomic(self._disk, path, str(kept).encode(), replace=True)
        return WitnessAnswer(200, str(cosignature))

    def last(self, origin_digest: str) -> bytes | None:
        """The last cosigned checkpoint of the log whose origin has this SHA-256, in hex."""
        for origin in self._keys:
            if sha256(origin.encode()).hexdigest() == origin_digest and self._disk.exists(
                self._path(origin)
            ):
                return read_whole(self._disk, self._path(origin))
        return None

    def _path(self, origin: str) -> Path:
        return self._directory / f"{sha256(origin.encode()).hexdigest()}.checkpoint"


class NoQuorum(IllegalError):
    """Fewer witnesses agreed than the policy requires. Nothing was published."""

    code = "no_quorum"


def cosign_by(policy: Policy) -> Cosign:
    """Ask every witness of a policy that has a URL; refuse if too few agree."""

    def cosign(note: notes.Note, log: Log) -> notes.Note:
        answers = _ask_all(policy, note, log)
        signed = (each for each in answers.values() if isinstance(each, notes.Signature))
        cosigned = notes.Note(note.text, (*note.signatures, *signed))
        verified = notes.verify_note(cosigned, [*log.vkeys, *policy.witness_keys])
        if not policy.is_met(verified):
            troubles = [
                f"{name}: {each}" for name, each in answers.items() if isinstance(each, str)
            ]
            reasons = "; ".join(troubles) or "none of them has a URL"
            raise NoQuorum(f"too few witnesses agree, so nothing is published ({reasons})")
        return cosigned

    return cosign


def _ask_all(policy: Policy, note: notes.Note, log: Log) -> dict[str, notes.Signature | str]:
    """Ask all witnesses at once, so that a slow one does not delay the others.

    Returns the signature of each, or the reason why it gave none.
    """
    answers: dict[str, notes.Signature | str] = {}

    def ask(name: str, witness: Party) -> None:
        try:
            answers[name] = _ask(witness, note, log)
        except (ThorpError, OSError, ValueError, http.client.HTTPException) as problem:
            answers[name] = str(problem)

    asked = [name for name, witness in policy.witnesses.items() if witness.url is not None]
    threads = [
        Thread(target=ask, args=(name, policy.witnesses[name]), daemon=True) for name in asked
    ]
    until = monotonic() + PATIENCE_SECONDS
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - monotonic()))
    late = f"it did not answer within {PATIENCE_SECONDS:.0f} seconds"
    return {name: answers.get(name, late) for name in asked}


def _ask(witness: Party, note: notes.Note, log: Log) -> notes.Signature:
    """The signature line of one witness. If the tree that it knows is not the published one, it
    answers with its size, and is asked again with a proof from there."""
    status, body = _post(witness, note, log, log.published.size)
    if status == CONFLICT:
        size = tlog.read_decimal(body.removesuffix("\n"), "the witness's size")
        if size > tlog.read_checkpoint(note.text).size:
            raise InvalidError(
                f"it has seen {size} leaves, more than there are: this log was rolled back or split"
            )
        status, body = _post(witness, note, log, size)
    if status != 200:
        raise InvalidError(f"it answers {status}: {body.strip()[:200]!r}")
    for line in body.split("\n"):
        if line:
            signature = notes.read_signature(line)
            if (signature.name, signature.key_id) == (witness.key.name, witness.key.id):
                notes.verify_note(notes.Note(note.text, (signature,)), [witness.key])
                return signature
    raise InvalidError("its answer has no line of its key")


def _post(witness: Party, note: notes.Note, log: Log, old: int) -> tuple[int, str]:
    size = tlog.read_checkpoint(note.text).size
    proof = consistency_proof(log.tiles_at(size).node, old, size)
    body = tlog.write_submission(tlog.Submission(old, tuple(proof), str(note).encode()))
    url = f"{(witness.url or '').rstrip('/')}/add-checkpoint"
    if not url.startswith(("http://", "https://")):
        raise InvalidError(f"a witness answers at http:// or https://, not {url[:60]!r}")
    request = urllib.request.Request(
        url, data=body, headers={"Content-Type": "text/plain"}, method="POST"
    )
    try:
        with _OPENER.open(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, answer.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: a witness answers at the address in the policy, and nowhere else."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
