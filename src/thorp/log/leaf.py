"""Leaves: small JSON documents that name what is published by whole SHA-256 digests, never by its text."""

from hashlib import file_digest
from pathlib import Path
from typing import Final

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import UnknownError

FORMAT: Final = "thorp.leaf"
VERSION: Final = 1
MATCH_SUFFIX: Final = ".jsonl"
MANIFEST_SUFFIX: Final = ".manifest.json"
# What may lie beside a match, and what its leaf calls it.
SIDECARS: Final = {
    "manifest": MANIFEST_SUFFIX,
    "observations": ".observations.txt",
    "replies": ".replies.jsonl",
}


def make_leaf(kind: str, members: dict[str, Json]) -> bytes:
    """A leaf of a kind, as the log holds it."""
    return canonical_bytes({"format": FORMAT, "kind": kind, "version": VERSION, **members})


def file_leaf(path: Path) -> bytes:
    """The leaf of a file: of kind `match` if its manifest lies beside it, else of kind `file`."""
    members = _digest(path)
    stem = path.name.removesuffix(MATCH_SUFFIX)
    if not path.name.endswith(MATCH_SUFFIX) or not path.with_name(stem + MANIFEST_SUFFIX).exists():
        return make_leaf("file", members)
    for name, suffix in SIDECARS.items():
        sidecar = path.with_name(stem + suffix)
        if sidecar.exists():
            members[name] = _digest(sidecar)
    return make_leaf("match", members)


def _digest(path: Path) -> dict[str, Json]:
    if not path.is_file():
        raise UnknownError(f"{path}: no such file; check the path", code="no_file")
    with path.open("rb") as file:
        return {"sha256": file_digest(file, "sha256").hexdigest(), "bytes": file.tell()}
