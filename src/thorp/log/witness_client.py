"""Asks the witnesses of a policy to cosign a checkpoint, before it is published."""

import http.client
import urllib.error
import urllib.request
from threading import Thread
from time import monotonic
from typing import Final

from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.kernel.merkle import consistency_proof
from thorp.kernel.note import Note, Signature, read_signature, verify_note, with_signatures
from thorp.kernel.tlog import Submission, read_checkpoint, read_decimal, write_submission
from thorp.log.directory import Cosign, Log
from thorp.log.policy import Party, Policy

# A witness makes one file durable; one that takes longer is counted as absent.
PATIENCE_SECONDS: Final = 10.0
MAX_ANSWER_BYTES: Final = 64 * 1024
CONFLICT: Final = 409


class NoQuorum(IllegalError):
    """Fewer witnesses agreed than the policy wants. Nothing was published."""

    code = "no_quorum"


def cosign_by(policy: Policy) -> Cosign:
    """Ask every witness of a policy that has a URL; refuse if too few agree."""

    def cosign(note: Note, log: Log) -> Note:
        answers = _ask_all(policy, note, log)
        cosigned = with_signatures(note, [each for each in answers.values() if isinstance(each, Signature)])
        verified = verify_note(cosigned, [*log.vkeys, *policy.witness_keys])
        if not policy.is_met(verified):
            troubles = [f"{name}: {each}" for name, each in answers.items() if isinstance(each, str)]
            told = "; ".join(troubles) or "none of them has a URL"
            raise NoQuorum(f"too few witnesses agree, so nothing is published ({told})")
        return cosigned

    return cosign


def _ask_all(policy: Policy, note: Note, log: Log) -> dict[str, Signature | str]:
    """Ask all witnesses at once: the line of each, or why there is none. Nobody can hold up the others."""
    answers: dict[str, Signature | str] = {}

    def ask(name: str, witness: Party) -> None:
        try:
            answers[name] = _ask(witness, note, log)
        except (ThorpError, OSError, ValueError, http.client.HTTPException) as problem:
            answers[name] = str(problem)

    asked = [name for name, witness in policy.witnesses.items() if witness.url is not None]
    threads = [Thread(target=ask, args=(name, policy.witnesses[name]), daemon=True) for name in asked]
    until = monotonic() + PATIENCE_SECONDS
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - monotonic()))
    late = f"it did not answer within {PATIENCE_SECONDS:.0f} seconds"
    return {name: answers.get(name, late) for name in asked}


def _ask(witness: Party, note: Note, log: Log) -> Signature:
    """One witness's line. It says itself which size it knows, if it is not the published one."""
    status, body = _post(witness, note, log, log.published.size)
    if status == CONFLICT:
        known = read_decimal(body.removesuffix("\n"), "the witness's size")
        if known > read_checkpoint(note.text).size:
            raise InvalidError(
                f"it has seen {known} leaves, more than there are: this log was rolled back or split"
            )
        status, body = _post(witness, note, log, known)
    if status != 200:
        raise InvalidError(f"it answers {status}: {body.strip()[:200]!r}")
    for line in body.split("\n"):
        if line:
            signature = read_signature(line)
            if (signature.name, signature.key_id) == (witness.key.name, witness.key.id):
                verify_note(Note(note.text, (signature,)), [witness.key])
                return signature
    raise InvalidError("its answer has no line of its key")


def _post(witness: Party, note: Note, log: Log, old: int) -> tuple[int, str]:
    size = read_checkpoint(note.text).size
    proof = consistency_proof(log.tiles_at(size).node, old, size)
    body = write_submission(Submission(old, tuple(proof), str(note).encode()))
    url = f"{(witness.url or '').rstrip('/')}/add-checkpoint"
    if not url.startswith(("http://", "https://")):
        raise InvalidError(f"a witness answers at http:// or https://, not {url[:60]!r}")
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "text/plain"}, method="POST")
    try:
        with _OPENER.open(request, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, answer.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read(MAX_ANSWER_BYTES).decode("utf-8", "replace")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:  # a witness is where the policy says
        return None


_OPENER: Final = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
