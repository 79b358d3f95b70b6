"""Tools to test what is built on `thorp.store`: a disk that breaks as disks do.

`thorp.store.testing.sqlite` puts the same disk under SQLite; it needs apsw and is imported by its own
name.
"""

from thorp.store.testing.disk import BreakableDisk, BreakableFile, PowerLost

__all__ = ["BreakableDisk", "BreakableFile", "PowerLost"]
