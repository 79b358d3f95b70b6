"""Manifests: files of canonical JSON that record the inputs of a run, each with its own digest.

`sha256` is the digest of the canonical text of the rest, so any changed byte is noticed as damage.
"""

from collections.abc import Container, Mapping

import msgspec

from thorp import __version__
from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.kernel.errors import DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest


def manifest_bytes(content: Mapping[str, Json]) -> bytes:
    """Return the manifest file: canonical text, with the digest of the rest under `sha256`."""
    own = digest(canonical_bytes(dict(content)))
    return canonical_bytes({**content, "sha256": own}) + b"\n"


def manifest_content(
    data: bytes, where: object, version: tuple[str, int], older: Container[int] = ()
) -> dict[str, Json]:
    """Read a manifest without its digest. Refuses damage, and all versions but `version` and
    `older`."""
    name, number = version
    try:
        content = read_text(data)
    except (ValueError, RecursionError, msgspec.DecodeError):
        content = None
    actual = content.get(name) if isinstance(content, dict) else None
    if type(actual) is int and actual != number and actual not in older:
        raise InvalidError(
            f"{where}: a manifest of {name} {actual}; this is thorp {__version__}, which reads "
            f"{name} {number}; use thorp {content.get('thorp')}, or make it again",
            code="manifest_format",
        )
    if not isinstance(content, dict) or not _is_intact(content, data):
        raise DamagedError(
            f"{where}:1: damaged: the manifest is not as it was written, by its own digest",
            code="manifest",
        )
    del content["sha256"]
    return content


def _is_intact(content: dict[str, Json], data: bytes) -> bool:
    try:
        return data == manifest_bytes(
            {key: value for key, value in content.items() if key != "sha256"}
        )
    except ThorpError:  # a value that no manifest can hold
        return False
