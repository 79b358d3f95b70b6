"""Ed25519 signing keys of logs and witnesses. Signing needs the `cryptography` package (the extra
`thorp[log]`)."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from secrets import token_bytes
from typing import Final

from thorp.kernel.errors import DamagedError, IllegalError, UnavailableError, UnknownError
from thorp.log import note as notes
from thorp.store import write_atomic
from thorp.store.real_disk import PrivateDisk

SEED_BYTES: Final = 32
# A private key is one line; a file that is longer is something else.
MAX_KEY_FILE_BYTES: Final = 4_096
ENVIRONMENT: Final = "THORP_LOG_KEY"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class Signer:
    """A private key with its name. It never shows its seed."""

    def __init__(self, name: str, seed: bytes, *, key_type: int = notes.ED25519) -> None:
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        except ImportError:
            advice = "signing needs the package cryptography: pip install 'thorp[log]'"
            raise UnavailableError(advice) from None
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public_key = self._key.public_key().public_bytes_raw()
        self.vkey = notes.VerifierKey(notes.check_name(name), key_type, public_key)

    def __repr__(self) -> str:
        return f"Signer({self.vkey})"

    def sign(self, text: str) -> notes.Signature:
        """The signature line of a log below a note's text."""
        return notes.Signature(self.vkey.name, self.vkey.id, self._key.sign(text.encode()))

    def cosign(self, text: str, time: int) -> notes.Signature:
        """The signature line of a witness that saw a checkpoint at a time."""
        if not 0 <= time <= notes.MAX_TIME:
            raise IllegalError(f"a cosignature cannot state the time {time}")
        return notes.cosignature(
            self.vkey, time, self._key.sign(notes.cosigned_message(text, time))
        )


def create_key(path: Path, name: str, *, key_type: int = notes.ED25519, keep: str = "") -> Signer:
    """Make a key and write it to a file that only its owner may read. The lines in `keep`, of older
    keys, come before it; without them an existing file is refused.
    """
    seed = token_bytes(SEED_BYTES)
    signer = Signer(name, seed, key_type=key_type)
    line = notes.write_private_key(signer.vkey._replace(type=notes.ED25519), seed)
    write_atomic(PrivateDisk(), path, f"{keep}{line}\n".encode(), replace=bool(keep))
    return signer


def read_keys(path: Path, *, key_type: int = notes.ED25519) -> list[Signer]:
    """Read a key file, one key a line. A link is refused, and so is a file that others may read or
    write."""
    return signers_from_text(read_key_text(path), key_type=key_type)


def read_key_text(path: Path) -> str:
    """Read a private key file, and refuse one that is a link or that others may read or write."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        raise UnknownError(
            f"{path}: there is no key; give --key-file or ${ENVIRONMENT}", code="no_key"
        ) from None
    except OSError as problem:
        raise DamagedError(f"{path}: {problem.strerror}; a key is a file, not a link") from None
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_mode & _OTHERS:
            raise DamagedError(
                f"{path}: others may read or write this key; chmod 600 it, or take a new one"
            )
        return file.read(MAX_KEY_FILE_BYTES).decode("utf-8", "replace")


def signers_from_text(text: str, *, key_type: int = notes.ED25519) -> list[Signer]:
    """The signers of private keys as Go's note package writes them. Errors never quote the text."""
    signers = []
    for name, key_id, seed in (notes.read_private_key(line) for line in text.split("\n") if line):
        signers.append(Signer(name, seed, key_type=key_type))
        if signers[-1].vkey._replace(type=notes.ED25519).id.hex() != key_id:
            raise DamagedError(f"the private key of {name} does not have the id it states")
    if not signers:
        raise DamagedError("a key file has at least one private key")
    return signers


def find_keys(path: Path, key_file: Path | None) -> list[Signer]:
    """A log's keys: from a file that was given, from the environment, or from the path where `init`
    has put them."""
    if key_file is not None:
        return read_keys(key_file)
    text = os.environ.get(ENVIRONMENT)
    return read_keys(path) if text is None else signers_from_text(text)
