"""The manifest beside a log: the match's task, and the digests of the files it left.

`docs/arena.md` says what a manifest and its tip prove. The log's lines are digested in blocks, so
that verification can say where a change is. A manifest does not depend on the machine or the time.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from typing import Literal

import msgspec

from thorp import __version__
from thorp.arena.contract import MatchResult, MatchTask
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import digest
from thorp.kernel.manifest import manifest_bytes, manifest_content

FORMAT = 3
# An older format, still read: its blocks have the first 64 bits of their digests.
FORMAT_OF_SHORT_BLOCKS = 2
SHORT_BLOCK_DIGITS = 16

# The most blocks into which a log is divided. In a log of up to this many lines, each is a block.
BLOCKS_LIMIT = 4096
BLOCK_LINES_LIMIT = 1 << 40  # More lines than any log has; it limits what a manifest may claim.


class FileDigest(msgspec.Struct, frozen=True):
    """The length and SHA-256 of a file beside the log."""

    sha256: str
    bytes: int


class LogDigest(FileDigest, frozen=True):
    """The digests of a log, and of its blocks of `block_lines` lines."""

    block_lines: int
    blocks: list[str]


class Manifest(msgspec.Struct, frozen=True):
    """The task of a match, and the digests of the files that it left."""

    contract: Literal["match-contract-v0"]
    format: int
    thorp: str
    task: MatchTask
    log: LogDigest
    observations: FileDigest | None
    replies: FileDigest | None

    @property
    def block_digits(self) -> int | None:
        """How many hexadecimal digits a block's digest has; None if it is whole."""
        return SHORT_BLOCK_DIGITS if self.format == FORMAT_OF_SHORT_BLOCKS else None

    def to_bytes(self) -> bytes:
        """The manifest's file."""
        return manifest_bytes(msgspec.json.decode(msgspec.json.encode(self)))


def file_digest(data: bytes | None) -> FileDigest | None:
    """The digest of a file's content; None where there is no file."""
    return None if data is None else FileDigest(digest(data), len(data))


def block_digests(
    lines: Iterable[bytes], block_lines: int, digits: int | None = None
) -> Iterator[str]:
    """Yield the digests of a log's blocks while it is read: all of their digits, or the first
    `digits`."""
    remaining = iter(lines)
    while block := b"".join(islice(remaining, block_lines)):
        yield digest(block)[:digits]


def make_manifest(
    task: MatchTask, result: MatchResult, observations: bytes | None, replies: bytes | None
) -> Manifest:
    """Make the manifest of a finished match, with the digest of each block of its log."""
    log = result.jsonl
    lines = result.jsonl.split(b"\n")[:-1]
    block_lines = -(-len(lines) // BLOCKS_LIMIT)
    blocks = list(block_digests((line + b"\n" for line in lines), block_lines))
    return Manifest(
        contract="match-contract-v0",
        format=FORMAT,
        thorp=__version__,
        task=task,
        log=LogDigest(digest(log), len(log), block_lines, blocks),
        observations=file_digest(observations),
        replies=file_digest(replies),
    )


def first_changed_block(manifest: Manifest, lines: Iterable[bytes]) -> int | None:
    """Return the number, from 1, of the first line of the first changed block; None if nothing
    changed."""
    actual = block_digests(lines, manifest.log.block_lines, manifest.block_digits)
    for index, (was, is_now) in enumerate(zip_longest(manifest.log.blocks, actual)):
        if was != is_now:
            return index * manifest.log.block_lines + 1
    return None


def read_manifest(data: bytes, where: object = "the manifest") -> Manifest:
    """Parse a manifest. Refuses a damaged one, and one of another format."""
    content = manifest_content(data, where, ("format", FORMAT), (FORMAT_OF_SHORT_BLOCKS,))
    try:
        manifest = msgspec.convert(content, Manifest)
    except msgspec.ValidationError as problem:
        raise InvalidError(
            f"{where}:1: not a match's manifest: {problem}", code="manifest"
        ) from None
    if not 1 <= manifest.log.block_lines <= BLOCK_LINES_LIMIT:
        raise InvalidError(
            f"{where}:1: not a match's manifest: block_lines is out of range", code="manifest"
        )
    return manifest
