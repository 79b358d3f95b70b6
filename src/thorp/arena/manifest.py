"""The manifest beside a log: what the match was made of, and the digests of what it left.

With it a log can be judged again exactly (scenario parameters are nowhere in the log), and a change that no
rule of the game would notice, in the message of an error say, is noticed all the same: the log's lines are
digested in blocks, so the place of such a change can be named. A manifest holds nothing that depends on the
machine or the hour.

A manifest covers itself: under `sha256` it carries the digest of the rest of its canonical text, so a change
to any byte of it is damage. Whoever writes a whole new manifest can digest it too; against that there is the
*tip*, the SHA-256 of the manifest's file, which names the match and everything that the manifest digests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, zip_longest
from typing import Literal

import msgspec

from thorp import __version__
from thorp.arena.contract import MatchResult
from thorp.arena.task import MatchTask
from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.kernel.errors import DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest

FORMAT = 2

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
        return manifest_bytes(msgspec.json.decode(msgspec.json.encode(self)))


def manifest_bytes(content: Mapping[str, Json]) -> bytes:
    """The file of a manifest: its canonical text, with the digest of the rest under `sha256`."""
    own = digest(canonical_bytes(dict(content)))
    return canonical_bytes({**content, "sha256": own}) + b"\n"


def manifest_content(data: bytes, where: object, version: tuple[str, int]) -> dict[str, Json]:
    """What a manifest's file says, less its digest. Refuses damage, and another `version` (name, number)."""
    name, number = version
    try:
        content = read_text(data)
    except (ValueError, RecursionError, msgspec.DecodeError):
        content = None
    found = content.get(name) if isinstance(content, dict) else None
    if type(found) is int and found != number:
        raise InvalidError(
            f"{where}: a manifest of {name} {found}; this is thorp {__version__}, which reads {name} "
            f"{number}; use thorp {content.get('thorp')}, or make it again",
            code="manifest_format",
        )
    if not isinstance(content, dict) or not _covers_itself(content, data):
        raise DamagedError(
            f"{where}:1: damaged: the manifest is not as it was written, by its own digest", code="manifest"
        )
    del content["sha256"]
    return content


def _covers_itself(content: dict[str, Json], data: bytes) -> bool:
    try:
        return "sha256" in content and data == manifest_bytes(
            {name: value for name, value in content.items() if name != "sha256"}
        )
    except ThorpError:  # it holds what no manifest can
        return False


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


def read_manifest(data: bytes, where: object = "the manifest") -> Manifest:
    """Parse a manifest. Refuses a damaged one, and one of another format, saying so."""
    content = manifest_content(data, where, ("format", FORMAT))
    try:
        manifest = msgspec.convert(content, Manifest)
    except msgspec.ValidationError as problem:
        raise InvalidError(f"{where}:1: not a match's manifest: {problem}", code="manifest") from None
    if not 1 <= manifest.log.block_lines <= BLOCK_LINES_LIMIT:
        raise InvalidError(f"{where}:1: not a match's manifest: block_lines is out of range", code="manifest")
    return manifest
