"""A hash chain over records: each link covers its record and, through the link before, all earlier
ones.

A reader who trusts one link can check everything up to it: no record can be changed, dropped, added
or moved without changing every later link.
"""

import re
from hashlib import sha256

from thorp.kernel.errors import InvalidError

GENESIS = bytes(32)  # The link before the first record.

_TIP = re.compile(r"[0-9a-f]{64}\Z")


def link(previous: bytes, record: bytes) -> bytes:
    """The link of `record` after `previous`. Links have a fixed length, so no two pairs collide."""
    return sha256(previous + record).digest()


def read_tip(text: str | None) -> str | None:
    """Check a tip that somebody noted earlier, and return it in lower case; None stays None."""
    if text is not None and not _TIP.match(text.lower()):
        raise InvalidError("a tip is 64 hexadecimal digits, as `verify` prints it", code="tip")
    return None if text is None else text.lower()


def not_on_chain(noted: str) -> str:
    """The message for a tip that was noted earlier and is not on the chain."""
    return (
        f"the chain does not have {noted[:16]}…, the tip you noted: it was cut or rewritten, "
        "or is another"
    )
