"""A witness (C2SP tlog-witness 1.0): cosigns checkpoints of logs it knows, as long as each only grows.

The last checkpoint of each log is durable before its cosignature leaves, and comparing and storing is one
step, so no two requests can lead a witness back.

    404  origin unknown                    403  not signed by the log's key
    400  malformed, or sizes in the wrong order
    409  `old` is not the size cosigned last; the answer is that size
    422  the proof does not hold, or the same size has another root
    200  the cosignature line
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.merkle import EMPTY_ROOT, is_consistent
from thorp.kernel.note import Note, VerifierKey, read_note, verify_note, with_signatures
from thorp.kernel.tlog import Checkpoint, Submission, read_checkpoint, read_submission
from thorp.log.signer import Signer
from thorp.store import Disk, hold, read_whole, write_atomic

SIZE_TYPE: Final = "text/x.tlog.size"
TEXT_TYPE: Final = "text/plain; charset=utf-8"
# A checkpoint, 63 hashes and a hundred signatures.
MAX_REQUEST_BYTES: Final = 64 * 1024


class Answer(NamedTuple):
    status: int
    body: str = ""
    content_type: str = TEXT_TYPE


class Witness:
    """The logs that a witness knows and the last checkpoint of each. Serialise calls to `add`."""

    def __init__(
        self,
        disk: Disk,
        directory: Path,
        signer: Signer,
        logs: Sequence[VerifierKey],
        clock: Callable[[], float],
    ) -> None:
        self._disk = disk
        self._directory = directory
        self._signer = signer
        self._keys: dict[str, list[VerifierKey]] = {}
        for key in logs:
            self._keys.setdefault(key.name, []).append(key)
        self._clock = clock
        disk.make_directories(directory)
        self._lock = hold(disk, directory / "lock")  # two processes could lead each other back

    def close(self) -> None:
        self._lock.close()

    def add(self, body: bytes) -> Answer:
        """Answer one add-checkpoint request."""
        try:
            request = read_submission(body)
            note = read_note(request.checkpoint)
            new = read_checkpoint(note.text)
        except (InvalidError, LimitError) as problem:
            return Answer(400, f"{problem}\n")
        keys = self._keys.get(new.origin)
        if keys is None:
            return Answer(404, "this log is not known here\n")
        try:
            verify_note(note, keys)
        except InvalidError as problem:
            return Answer(403, f"{problem}\n")
        return self._judge(request, note, new)

    def _judge(self, request: Submission, note: Note, new: Checkpoint) -> Answer:
        if request.old > new.size:
            return Answer(400, f"the old size {request.old} is above the checkpoint's {new.size}\n")
        path, old = self._path(new.origin), Checkpoint(new.origin, 0, EMPTY_ROOT)
        if self._disk.exists(path):
            old = read_checkpoint(read_note(read_whole(self._disk, path)).text)
        if request.old != old.size:
            return Answer(409, f"{old.size}\n", SIZE_TYPE)
        if not is_consistent(old.size, old.root, new.size, new.root, request.hashes):
            return Answer(422, "the new tree is not shown to begin with the old one\n")
        cosignature = self._signer.cosign(note.text, int(self._clock()))
        # The note is kept with its log's own lines only: those of strangers are not ours to hand on.
        known = {(key.name, key.id) for keys in self._keys.values() for key in keys}
        own = tuple(line for line in note.signatures if (line.name, line.key_id) in known)
        kept = with_signatures(Note(note.text, own), [cosignature])
        write_atomic(self._disk, path, str(kept).encode(), replace=True)
        return Answer(200, str(cosignature))

    def last(self, origin_digest: str) -> bytes | None:
        """The last cosigned checkpoint of the log whose origin has this SHA-256, in hex."""
        for origin in self._keys:
            if sha256(origin.encode()).hexdigest() == origin_digest and self._disk.exists(self._path(origin)):
                return read_whole(self._disk, self._path(origin))
        return None

    def _path(self, origin: str) -> Path:
        return self._directory / f"{sha256(origin.encode()).hexdigest()}.checkpoint"
