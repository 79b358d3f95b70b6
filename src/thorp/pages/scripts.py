"""The scripts that standalone pages run: those of this release, and the digests of earlier ones.

A page that carries another script may show anything, whatever its documents say. So whoever checks
a page asks here whether its script is known.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from thorp import __version__

REPLAY: Final = "replay.js"
"""Draws matches and tournaments."""
FILM: Final = "film.js"
"""Plays a stretch of a world."""

# By the digest of a script, as it stands in a page: the release that it was of. When a release is
# made, its scripts are added here, so that later ones know its pages.
RELEASED: Final[dict[str, str]] = {}


@cache
def read_script(name: str) -> bytes:
    """A script of this release, as it may stand inside a `<script>` element."""
    script = (files("thorp") / "server" / "static" / "assets" / name).read_bytes()
    return script.replace(b"</script", b"<\\/script").replace(b"<!--", b"<\\!--")


def release_of(script: bytes) -> str | None:
    """The release that a page's script is of; None if it is of none that is known here."""
    digest = sha256(script).hexdigest()
    if digest in RELEASED:
        return RELEASED[digest]
    own = (read_script(name) for name in (REPLAY, FILM))
    return __version__ if script in own else None
