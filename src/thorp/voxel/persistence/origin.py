"""The origin of a world: a name that commits to its seeds before the first tick.

    origin   SHA-256 of the canonical text {"draw_seed":…,"seed":…} and the secret
    secret   32 random bytes in the file `secret`, made when the world is first published

The draw seed foretells where ore lies, so the world's log shows the origin alone. Whoever is given the
directory, or a backup of it, has both seeds and the secret and can hold them against the origin.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Final

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import DamagedError
from thorp.store import Disk, read_whole, write_atomic
from thorp.voxel.persistence.directory import Segment, WorldDirectory

SECRET: Final = "secret"
SECRET_BYTES: Final = 32


def ensure_origin(disk: Disk, path: Path) -> str:
    """The origin of a world directory, whose secret is made if it has none."""
    if not disk.exists(path / SECRET):
        write_atomic(disk, path / SECRET, token_hex(SECRET_BYTES).encode())
    return read_origin(disk, path)


def check_published(disk: Disk, path: Path, leaf: Mapping[str, Json]) -> None:
    """Refuse a world that is not the one a published leaf is of, by its origin and the segment it names."""
    if "origin" in leaf and leaf["origin"] != read_origin(disk, path):
        raise DamagedError("the log has another world, by its seeds and secret")
    if "segment" in leaf:
        first = leaf.get("first")
        kept = WorldDirectory(disk, path).journals()
        if not isinstance(first, int) or first not in kept:
            raise DamagedError(f"the segment from tick {first} on, which the log has, is not here")
        if Segment(disk, kept[first]).sha256() != leaf["segment"]:
            raise DamagedError(f"{kept[first]}: not the bytes that the log has")


def read_origin(disk: Disk, path: Path) -> str:
    if not disk.exists(path / SECRET):
        raise DamagedError(f"{path / SECRET}: without it nobody can tell what this world was announced as")
    terms = WorldDirectory(disk, path).segments()[-1].header.terms
    try:
        secret = bytes.fromhex(read_whole(disk, path / SECRET, most=2 * SECRET_BYTES).decode("ascii"))
    except ValueError:
        raise DamagedError(f"{path / SECRET}: not {SECRET_BYTES} bytes in hexadecimal") from None
    return sha256(canonical_bytes({"draw_seed": terms.draw_seed, "seed": terms.seed}) + secret).hexdigest()
