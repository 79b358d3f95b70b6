"""The root collation of Unicode CLDR 48 (Unicode 17, as in ICU 78), as two packed data files of this package.

Derived from data of the Unicode Consortium, used under `LICENSE-UNICODE.txt`. Weights are dense ranks on
each level; `weights.py` says what they mean. The oracle is ICU itself: a test compares every assigned
character, and random text of many scripts, with what Node answers.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final
from zlib import decompress

UNASSIGNED: Final = 138430


def unpacked(name: str) -> bytes:
    """The bytes of one of the two files: `plain` or `spelled`."""
    return decompress((files(__package__) / f"root-{name}.zlib").read_bytes())
