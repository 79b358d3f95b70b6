"""Audits a whole published log: every tile and the root are computed again from its entries.

Nothing here needs a data directory, the network or a signing library.
"""

from pathlib import Path

from thorp.kernel.errors import DamagedError
from thorp.log import note as notes
from thorp.log.directory import CHECKPOINT, TileReader
from thorp.log.merkle import root_of
from thorp.log.tlog import MAX_TILE_BYTES, Checkpoint
from thorp.log.trust import Trust
from thorp.store import Disk, read_whole


def audit(disk: Disk, public: Path, trust: Trust, old: bytes | None = None) -> Checkpoint:
    """Check a published log against its own entries, and return its checkpoint.

    With an `old` checkpoint, the log must begin with that checkpoint's tree.
    """
    checkpoint, _ = trust.check(read_whole(disk, public / CHECKPOINT, most=notes.MAX_NOTE_BYTES))
    tiles = TileReader(disk, public, checkpoint.size)
    for path, derived in TileReader(disk, public, 0).grown(tiles.all_entries()):
        if read_whole(disk, public / path, most=max(MAX_TILE_BYTES, len(derived))) != derived:
            raise DamagedError(f"{public / path}: these are not the hashes of the entries")
    if root_of(tiles.node, checkpoint.size) != checkpoint.root:
        raise DamagedError(f"{public / CHECKPOINT}: its root is not that of the entries")
    if old is not None:
        _check_prefix(tiles, checkpoint, trust.check(old)[0])
    return checkpoint


def _check_prefix(tiles: TileReader, new: Checkpoint, old: Checkpoint) -> None:
    """Refuse a log that does not begin with the tree of an older checkpoint."""
    if old.origin != new.origin:
        raise notes.NoteError(f"the old checkpoint is of another log, {old.origin}")
    if old.size > new.size:
        raise notes.NoteError(
            f"the log was rolled back: it had {old.size} leaves, and has {new.size}"
        )
    if old.size == new.size and old.root != new.root:
        raise notes.NoteError(f"the log was split: two trees of {new.size} leaves were signed")
    if root_of(tiles.node, old.size) != old.root:
        raise notes.NoteError(
            f"the log was changed: its first {old.size} leaves are not the old ones"
        )
