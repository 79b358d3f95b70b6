"""The manifest beside a log: what the match was made of, and the digests of what it left.

With it a log can be judged again exactly (scenario parameters are nowhere in the log), and a change that no
rule of the game would notice, in the message of an error say, is noticed all the same: the log's lines are
digested in blocks, so the place of such a change can be named. A manifest holds nothing that depends on the
machine or the hour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from typing import Literal

import msgspec

from thorp import __version__
from thorp.arena.contract import MatchResult
from thorp.arena.task import MatchTask
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import digest

FORMAT = 1

BLOCKS_LIMIT = 4096
"""The most blocks a log is divided into. Up to this many lines a block is one line."""


BLOCK_LINES_LIMIT = 1 << 40
"""More lines than any log has."""


class FileDigest(msgspec.Struct, frozen=True):
    sha256: str
    bytes: int


class LogDigest(msgspec.Struct, frozen=True):
    """The digest of a log, and shorter ones of its blocks of `block_lines` lines."""

    sha256: str
    bytes: int
    block_lines: int
    blocks: list[str]


class Manifest(msgspec.Struct, frozen=True):
    contract: Literal["match-contract-v0"]
    format: int
    thorp: str
    task: MatchTask
    log: LogDigest
    observations: FileDigest | None
    replies: FileDigest | None

    def to_bytes(self) -> bytes:
        return canonical_bytes(msgspec.json.decode(msgspec.json.encode(self))) + b"\n"


def file_digest(data: bytes | None) -> FileDigest | None:
    return None if data is None else FileDigest(digest(data), len(data))


def block_digests(lines: Iterable[bytes], block_lines: int) -> Iterator[str]:
    """The digests of a log's blocks, as it is read."""
    remaining = iter(lines)
    while block := b"".join(islice(remaining, block_lines)):
        yield digest(block)[:16]


def _log_digest(log: bytes) -> LogDigest:
    lines = log.split(b"\n")[:-1]
    block_lines = -(-len(lines) // BLOCKS_LIMIT)
    blocks = list(block_digests((line + b"\n" for line in lines), block_lines))
    return LogDigest(digest(log), len(log), block_lines, blocks)


def make_manifest(
    task: MatchTask, result: MatchResult, observations: bytes | None, replies: bytes | None
) -> Manifest:
    """The manifest of a match just played."""
    return Manifest(
        contract="match-contract-v0",
        format=FORMAT,
        thorp=__version__,
        task=task,
        log=_log_digest(result.jsonl),
        observations=file_digest(observations),
        replies=file_digest(replies),
    )


def first_changed_block(manifest: Manifest, lines: Iterable[bytes]) -> int | None:
    """The number, from 1, of the first line of the first block that is not as it was, or None."""
    found = block_digests(lines, manifest.log.block_lines)
    for index, (was, is_now) in enumerate(zip_longest(manifest.log.blocks, found)):
        if was != is_now:
            return index * manifest.log.block_lines + 1
    return None


def read_manifest(data: bytes) -> Manifest:
    """Parse a manifest. Refuses one of another format, saying so."""
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, RecursionError) as problem:
        raise InvalidError(f"the manifest cannot be read: {problem}", code="manifest") from None
    if not 1 <= manifest.log.block_lines <= BLOCK_LINES_LIMIT:
        raise InvalidError("the manifest cannot be read: block_lines is out of range", code="manifest")
    if manifest.format != FORMAT:
        raise InvalidError(
            f"the manifest has format {manifest.format}; this is thorp {__version__}, which reads format "
            f"{FORMAT}; use thorp {manifest.thorp}",
            code="manifest_format",
        )
    return manifest
