"""Signed notes (C2SP signed-note 1.0): a text and the signatures below it, and the keys that verify
them.

    text, ending in a line feed
    (empty line)
    — NAME BASE64(key id || signature)        one line or more

A key id is the first four bytes of SHA-256(name || LF || type || public key). It is a label, and
gives no security. A line with the name and id of a trusted key must verify, or the whole note is
refused; lines of unknown keys are ignored. Base64 is read strictly: spare bits must be zero, so
that a note has only one spelling.
"""

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, NamedTuple

from thorp.kernel.errors import InvalidError, LimitError
from thorp.log import ed25519

ED25519: Final = 0x01
COSIGNATURE: Final = 0x04
# A checkpoint has three lines. Go's note package has the same limit on signatures.
MAX_NOTE_BYTES: Final = 1_000_000
MAX_SIGNATURES: Final = 100
MAX_TIME: Final = 2**63 - 1

_DASH: Final = "— "
_TIME_BYTES: Final = 8
_ID_BYTES: Final = 4
_HEX_ID: Final = re.compile(r"[0-9a-f]{8}\Z")
_PRIVATE: Final = "PRIVATE+KEY+"


class NoteError(InvalidError):
    """A note, key or proof that is malformed, or that does not verify."""

    code = "note"


def decode_base64(text: str) -> bytes:
    """Read standard base64 with padding; refuse any but the one right spelling."""
    try:
        data = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise NoteError(f"not base64: {text[:60]!r}") from None
    if b64encode(data).decode() != text:
        raise NoteError(f"base64 whose spare bits are not zero: {text[:60]!r}")
    return data


def encode_base64(data: bytes) -> str:
    """Write standard base64 with padding."""
    return b64encode(data).decode()


def check_name(name: str) -> str:
    """A key name, which is also an origin: not empty, without spaces, control characters or `+`."""
    if not name or "+" in name or any(each.isspace() or ord(each) < 0x20 for each in name):
        raise NoteError(f"a key name is not empty and has neither spaces nor '+': {name[:60]!r}")
    return name


class VerifierKey(NamedTuple):
    """A public key with its name, as written in a vkey: NAME+ID+BASE64(type || public key)."""

    name: str
    type: int
    public_key: bytes

    @property
    def id(self) -> bytes:
        """The key id by which signature lines name this key."""
        head = self.name.encode() + b"\n" + bytes([self.type])
        return sha256(head + self.public_key).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{encode_base64(bytes([self.type]) + self.public_key)}"


def read_vkey(text: str) -> VerifierKey:
    """Read a vkey. Its base64 may contain a `+`, its name may not."""
    name, key_id, coded = _key_fields(text.strip(), "a verifier key is NAME+ID+BASE64")
    if len(coded) != 1 + ed25519.PUBLIC_KEY_BYTES or coded[0] not in (ED25519, COSIGNATURE):
        raise NoteError(
            f"key of {name}: only Ed25519 keys (type 1) and cosignature keys (type 4) are known"
        )
    key = VerifierKey(name, coded[0], coded[1:])
    if key.id.hex() != key_id:
        raise NoteError(f"key of {name}: its id is {key.id.hex()}, not {key_id}")
    return key


def read_private_key(text: str) -> tuple[str, str, bytes]:
    """Read PRIVATE+KEY+NAME+ID+BASE64(1 || seed); return name, id and seed. Errors never quote the
    text."""
    if not text.startswith(_PRIVATE):
        raise NoteError("not a private key: it begins with PRIVATE+KEY+")
    try:
        name, key_id, coded = _key_fields(text.removeprefix(_PRIVATE).strip(), "")
    except NoteError:
        raise NoteError("a private key that cannot be read") from None
    if len(coded) != 33 or coded[0] != ED25519:
        raise NoteError(f"private key of {name}: not an Ed25519 key")
    return name, key_id, coded[1:]


def write_private_key(key: VerifierKey, seed: bytes) -> str:
    """The private key as Go's note package writes it; `key` is its public half."""
    return f"{_PRIVATE}{key.name}+{key.id.hex()}+{encode_base64(bytes([ED25519]) + seed)}"


def _key_fields(text: str, advice: str) -> tuple[str, str, bytes]:
    name, _, rest = text.partition("+")
    key_id, _, coded = rest.partition("+")
    if not _HEX_ID.match(key_id):
        raise NoteError(f"{advice}: {text[:60]!r}")
    return check_name(name), key_id, decode_base64(coded)


class Signature(NamedTuple):
    """One line below a note."""

    name: str
    key_id: bytes
    data: bytes

    def __str__(self) -> str:
        return f"{_DASH}{self.name} {encode_base64(self.key_id + self.data)}\n"


class Note(NamedTuple):
    """A text and the signature lines below it, verified or not."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n{''.join(map(str, self.signatures))}"


class VerifiedSignature(NamedTuple):
    """A trusted key that signed a note; `time` is the second that a cosigner states."""

    key: VerifierKey
    time: int | None = None


def read_note(data: bytes) -> Note:
    """Take a note apart; nothing is verified yet."""
    if len(data) > MAX_NOTE_BYTES:
        raise LimitError(f"a note has at most {MAX_NOTE_BYTES} bytes, this one {len(data)}")
    try:
        whole = data.decode()
    except UnicodeDecodeError:
        raise NoteError("a note is UTF-8 text") from None
    if any(each < " " and each != "\n" for each in whole):
        raise NoteError("a note has no control characters but line feeds")
    text, gap, lines = whole.rpartition("\n\n")
    if not gap or not lines.endswith("\n"):
        raise NoteError(
            "a note is a text, an empty line, and signature lines that each end in a line feed"
        )
    rows = lines[:-1].split("\n")
    if len(rows) > MAX_SIGNATURES:
        raise LimitError(f"a note has at most {MAX_SIGNATURES} signatures, this one {len(rows)}")
    return Note(text + "\n", tuple(map(read_signature, rows)))


def read_signature(line: str) -> Signature:
    """Parse one signature line."""
    name, _, coded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH) or not coded:
        raise NoteError(f"a signature line is '{_DASH}NAME BASE64': {line[:60]!r}")
    data = decode_base64(coded)
    if len(data) <= _ID_BYTES:
        raise NoteError(f"the signature of {name[:60]!r} is too short")
    return Signature(check_name(name), data[:_ID_BYTES], data[_ID_BYTES:])


def verify_note(note: Note, keys: Iterable[VerifierKey]) -> list[VerifiedSignature]:
    """The trusted keys that signed, in the order of their lines. Without any, the note is
    refused."""
    trusted = {(key.name, key.id): key for key in keys}
    verified: list[VerifiedSignature] = []
    for line in note.signatures:
        key = trusted.get((line.name, line.key_id))
        if key is None:
            continue
        stated = _verify(key, line.data, note.text)
        if stated is None:
            raise NoteError(f"the signature of {line.name} does not verify")
        if all(each.key != key for each in verified):
            verified.append(stated)
    if not verified:
        raise NoteError("no signature of a trusted key")
    return verified


def _verify(key: VerifierKey, data: bytes, text: str) -> VerifiedSignature | None:
    """Check one signature line of a log or a witness; None if it does not verify."""
    if key.type == ED25519:
        return (
            VerifiedSignature(key) if ed25519.verify(key.public_key, data, text.encode()) else None
        )
    time = int.from_bytes(data[:_TIME_BYTES], "big")
    if len(data) != _TIME_BYTES + ed25519.SIGNATURE_BYTES or time > MAX_TIME:
        return None
    message = cosigned_message(text, time)
    return (
        VerifiedSignature(key, time)
        if ed25519.verify(key.public_key, data[_TIME_BYTES:], message)
        else None
    )


def cosigned_message(text: str, time: int) -> bytes:
    """The message that a witness signs: it has seen a checkpoint at a time (cosignature/v1)."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def cosignature(key: VerifierKey, time: int, signature: bytes) -> Signature:
    """A witness's signature line, with the time at which it signed."""
    return Signature(key.name, key.id, time.to_bytes(_TIME_BYTES, "big") + signature)
