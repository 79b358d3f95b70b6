"""Content ids: the name of a thing follows from its content.

An id is the SHA-256 of a value's canonical text in lower-case hex, after a prefix that says what
kind of thing it names. Anyone who has the content can compute its id; nobody can forge one.
"""

from hashlib import sha256

from thorp.kernel.canonical import canonical_bytes


def digest(data: bytes) -> str:
    """The SHA-256 of bytes, in lower-case hex."""
    return sha256(data).hexdigest()


def content_id(prefix: str, value: object) -> str:
    """The id of a JSON value: `prefix` and the digest of its canonical text."""
    return prefix + digest(canonical_bytes(value))


def seed_from(*parts: str | int) -> int:
    """A 32-bit seed that follows from a list of names and numbers, by SHA-256 of its canonical
    text."""
    return int.from_bytes(sha256(canonical_bytes(list(parts))).digest()[:4], "big")
