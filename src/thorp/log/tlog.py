"""Reads and writes the formats of a transparency log: checkpoints, inclusion proofs, tiles, and
requests to a witness.

checkpoint      a signed note of three lines: origin, size, root (C2SP tlog-checkpoint 1.0)
tlog-proof      index, sibling hashes and a checkpoint in one file (C2SP tlog-proof as of 5ba5ee8)
add-checkpoint  the size a witness knows, a consistency proof, a checkpoint (C2SP tlog-witness 1.0)

Tiles (C2SP tlog-tiles) are the tree and its entries as files that never change:

    tile/L/N           256 hashes of level 8*L: the leaf hashes for L = 0, else the roots of whole
                       tiles below
    tile/L/N.p/W       the first W of them, while the tile is not whole yet
    tile/entries/N     256 entries, each after its length in two bytes; partial ones as above

N is written in groups of three digits, all but the last with an `x`: 1234067 is `x001/x234/067`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from thorp.kernel.errors import DamagedError, LimitError
from thorp.log.merkle import HASH_BYTES, node_hash
from thorp.log.note import MAX_NOTE_BYTES, NoteError, decode_base64, encode_base64

PROOF_HEAD: Final = "c2sp.org/tlog-proof@v1"
MAX_PROOF_HASHES: Final = 63  # The longest path in a tree of 2**63 leaves.
MAX_SIZE: Final = 2**63 - 1
MAX_PROOF_FILE_BYTES: Final = MAX_NOTE_BYTES

_DECIMAL: Final = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z")

TILE_HEIGHT: Final = 8
TILE_WIDTH: Final = 1 << TILE_HEIGHT
MAX_ENTRY_BYTES: Final = 65_535  # A length has two bytes.
ENTRIES: Final = "entries"
MAX_TILE_BYTES: Final = TILE_WIDTH * HASH_BYTES
MAX_BUNDLE_BYTES: Final = TILE_WIDTH * (2 + MAX_ENTRY_BYTES)


class Checkpoint(NamedTuple):
    """The size and root of a log's tree at one time. As a string, the text of its note."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [self.origin, str(self.size), encode_base64(self.root), *self.extensions]
        return "".join(f"{line}\n" for line in lines)


@dataclass(frozen=True, slots=True)
class Proof:
    """Shows that a leaf is in a log. `checkpoint` is the signed note, verbatim; `extra` is not
    covered by it."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: bytes
    extra: bytes | None = None


class Submission(NamedTuple):
    """A request to a witness: the size of the tree that it should know, the proof from there, and a
    signed checkpoint."""

    old: int
    hashes: tuple[bytes, ...]
    checkpoint: bytes


def read_decimal(text: str, subject: str) -> int:
    """Read a number without sign or leading zeros. `subject` begins the sentence of a refusal."""
    if not _DECIMAL.match(text) or int(text) > MAX_SIZE:
        raise NoteError(f"{subject} is a decimal number without leading zeros: {text[:40]!r}")
    return int(text)


def read_checkpoint(text: str) -> Checkpoint:
    """Read the text of a checkpoint's note. Unknown extension lines are kept."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() or not all(lines):
        raise NoteError(
            "a checkpoint has an origin, a size and a root, each on a line, and no empty lines"
        )
    origin, size, root, *extensions = lines
    return Checkpoint(origin, read_decimal(size, "a tree size"), read_hash(root), tuple(extensions))


def read_hash(text: str) -> bytes:
    """Parse a hash in base64."""
    data = decode_base64(text)
    if len(data) != HASH_BYTES:
        raise NoteError(f"a hash has {HASH_BYTES} bytes, this one {len(data)}")
    return data


def write_proof(proof: Proof) -> bytes:
    """Write a proof as a tlog-proof file."""
    extra = [] if proof.extra is None else [f"extra {encode_base64(proof.extra)}"]
    lines = [PROOF_HEAD, *extra, f"index {proof.index}", *map(encode_base64, proof.hashes), "", ""]
    return "\n".join(lines).encode() + proof.checkpoint


def read_proof(data: bytes) -> Proof:
    """Take a proof file apart; nothing is verified yet."""
    if len(data) > MAX_PROOF_FILE_BYTES:
        raise LimitError(
            f"a proof file has at most {MAX_PROOF_FILE_BYTES} bytes, this one {len(data)}"
        )
    lines, checkpoint = _split(data, "a proof file")
    if lines.pop(0) != PROOF_HEAD:
        raise NoteError(f"a proof file begins with {PROOF_HEAD}")
    extra = None
    if lines and lines[0].startswith("extra "):
        extra = decode_base64(lines.pop(0).removeprefix("extra "))
    if not lines or not lines[0].startswith("index "):
        raise NoteError("a proof file names the leaf's index")
    index = read_decimal(lines.pop(0).removeprefix("index "), "an index")
    return Proof(index, _read_hashes(lines), checkpoint, extra)


def write_submission(submission: Submission) -> bytes:
    """Write the body of an add-checkpoint request."""
    lines = [f"old {submission.old}", *map(encode_base64, submission.hashes), "", ""]
    return "\n".join(lines).encode() + submission.checkpoint


def read_submission(data: bytes) -> Submission:
    """Parse the body of an add-checkpoint request; nothing is verified yet."""
    lines, checkpoint = _split(data, "a request")
    first = lines.pop(0)
    if not first.startswith("old "):
        raise NoteError("a request begins with 'old SIZE'")
    old = read_decimal(first.removeprefix("old "), "the old size")
    return Submission(old, _read_hashes(lines), checkpoint)


def _split(data: bytes, subject: str) -> tuple[list[str], bytes]:
    """The lines before the first empty one, and the bytes after it."""
    head, gap, checkpoint = data.partition(b"\n\n")
    if not gap:
        raise NoteError(f"{subject} has lines, an empty line and a checkpoint")
    try:
        return head.decode("ascii").split("\n"), checkpoint
    except UnicodeDecodeError:
        raise NoteError(f"{subject} has ASCII lines before its checkpoint") from None


def _read_hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    if len(lines) > MAX_PROOF_HASHES:
        raise NoteError(f"a proof has at most {MAX_PROOF_HASHES} hashes, this one {len(lines)}")
    return tuple(map(read_hash, lines))


def tile_path(level: int | str, index: int, width: int = TILE_WIDTH) -> str:
    """The path of a tile below the log's prefix; `level` may be `entries`."""
    groups = [f"{index % 1000:03}"]
    while index := index // 1000:
        groups.insert(0, f"x{index % 1000:03}")
    partial = "" if width == TILE_WIDTH else f".p/{width}"
    return f"tile/{level}/{'/'.join(groups)}{partial}"


def tile_root(hashes: Sequence[bytes]) -> bytes:
    """The root of a whole tile, or of hashes whose number is any other power of two."""
    row = list(hashes)
    while len(row) > 1:
        row = [node_hash(row[at], row[at + 1]) for at in range(0, len(row), 2)]
    return row[0]


def split_hashes(data: bytes) -> list[bytes]:
    """Cut a tile into its hashes."""
    return [data[at : at + HASH_BYTES] for at in range(0, len(data), HASH_BYTES)]


def pack_entries(entries: Sequence[bytes]) -> bytes:
    """Write entries as the content of an entry bundle, each after its length."""
    for entry in entries:
        if len(entry) > MAX_ENTRY_BYTES:
            raise LimitError(f"an entry has at most {MAX_ENTRY_BYTES} bytes, this one {len(entry)}")
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def unpack_entries(data: bytes) -> list[bytes]:
    """Read the entries of an entry bundle."""
    entries = []
    at = 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        if end > len(data) or at + 2 > len(data):
            raise DamagedError("an entry bundle is cut short")
        entries.append(data[at + 2 : end])
        at = end
    return entries
