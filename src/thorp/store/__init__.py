"""The only code that writes: journal files, whole files, and databases with group commit.

`docs/store.md` says what callers may rely on, and how that is tested.
"""

from thorp.store.database import (
    MAX_GROUP_WORKS,
    MAX_QUEUED_WORKS,
    MAX_READERS,
    Database,
    Step,
    migrate,
    statements,
)
from thorp.store.disk import Disk, DiskError, DiskFile
from thorp.store.files import hold, read_whole, write_atomic, write_together
from thorp.store.journal import (
    Journal,
    Recovery,
    SyncPolicy,
    TornTail,
    inspect_journal,
    read_journal,
)
from thorp.store.real_disk import RealDisk
from thorp.store.record import MAX_HEADER_BYTES, MAX_RECORD_BYTES, MAX_UNSYNCED_BYTES
from thorp.store.scan import DamagedRecord
from thorp.store.session import (
    Connection,
    ConnectionLost,
    ConstraintError,
    Row,
    StatementError,
    Value,
)
from thorp.store.staging import staged_directory
from thorp.store.url import open_database, open_database_in

__all__ = [
    "MAX_GROUP_WORKS",
    "MAX_HEADER_BYTES",
    "MAX_QUEUED_WORKS",
    "MAX_READERS",
    "MAX_RECORD_BYTES",
    "MAX_UNSYNCED_BYTES",
    "Connection",
    "ConnectionLost",
    "ConstraintError",
    "DamagedRecord",
    "Database",
    "Disk",
    "DiskError",
    "DiskFile",
    "Journal",
    "RealDisk",
    "Recovery",
    "Row",
    "StatementError",
    "Step",
    "SyncPolicy",
    "TornTail",
    "Value",
    "hold",
    "inspect_journal",
    "migrate",
    "open_database",
    "open_database_in",
    "read_journal",
    "read_whole",
    "staged_directory",
    "statements",
    "testing",
    "write_atomic",
    "write_together",
]
