"""Makes documents one HTML file that needs no server and fetches nothing, and takes one apart.

The file holds a script from `web/` that draws it, and the documents to draw, each in an element
that is never run: JSON as it is, other bytes in base64. Foreign text never becomes markup. A policy
in its head lets this one script run, and forbids everything else: no other script, no request, no
form, no frame.

Whoever takes a file apart makes it again from its parts, and refuses it if that gives other bytes.
So a file that was taken apart has nothing in it besides them.
"""

import base64
import binascii
import re
from collections.abc import Mapping
from hashlib import sha256
from html import escape, unescape
from typing import Final

import msgspec

from thorp.kernel.errors import DamagedError
from thorp.pages.scripts import REPLAY, read_script

_PAGE: Final = (
    b'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    b'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    b'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    b"style-src 'unsafe-inline'; script-src 'sha256-%b'; base-uri 'none'; form-action 'none'\">\n"
    b'<title>%b</title>\n</head>\n<body>\n<div id="page"></div>\n'
    b"%b<script>%b</script>\n</body>\n</html>\n"
)
_TEXT: Final = b'<script type="application/json" id="%b">%b</script>\n'
_PACKED: Final = b'<script type="application/gzip" id="%b">%b</script>\n'

_NAME: Final = r"[A-Za-z0-9][A-Za-z0-9/_.-]{0,99}"
_WHOLE: Final = re.compile(
    rb"<title>(?P<title>[^<]{0,999})</title>\n</head>\n<body>\n"
    rb'<div id="page"></div>\n(?P<documents>(?:<script type="[^>]*>[^<]*</script>\n)*)'
    rb"<script>(?P<script>.*)</script>\n</body>\n</html>\n\Z",
    re.DOTALL,
)
_DOCUMENT: Final = re.compile(
    rb'<script type="application/(json|gzip)" id="(%b)">([^<]*)</script>\n' % _NAME.encode()
)


class StandalonePage(msgspec.Struct, frozen=True):
    """The parts of a page."""

    title: str
    script: bytes
    texts: dict[str, bytes]
    """Documents in JSON, by their names. No `<` is in them."""
    packed: dict[str, bytes] = {}
    """Documents of any kind, compressed by gzip."""

    def html(self) -> bytes:
        """The file."""
        documents = [_TEXT % (name.encode(), text) for name, text in self.texts.items()]
        documents += [
            _PACKED % (name.encode(), base64.b64encode(content))
            for name, content in self.packed.items()
        ]
        digest = base64.b64encode(sha256(self.script).digest())
        title = escape(self.title).encode()
        return _PAGE % (digest, title, b"".join(documents), self.script)


def make_page(
    title: str,
    script: str,
    texts: Mapping[str, bytes],
    packed: Mapping[str, bytes] | None = None,
) -> StandalonePage:
    """A page with a script of this release. `texts` are JSON, one value or one a line; `packed`
    are compressed by gzip already."""
    # In JSON this sign occurs only inside strings, where it may be written as an escape.
    safe = {name: text.replace(b"<", b"\\u003c") for name, text in texts.items()}
    return StandalonePage(title, read_script(script), safe, dict(packed or {}))


def single_page(title: str, **documents: bytes) -> bytes:
    """The page of a match's `log`, with the `replies` of its models, or of a tournament's `report`.
    All documents are JSON text."""
    return make_page(title, REPLAY, documents).html()


def take_apart(file: bytes) -> StandalonePage:
    """The parts of a page. Refuses, as damaged, a file that has anything else in it."""
    whole = _WHOLE.search(file)
    if whole is None:
        raise DamagedError("this is no page that Thorp has made, or it was changed")
    texts: dict[str, bytes] = {}
    packed: dict[str, bytes] = {}
    for kind, name, content in _DOCUMENT.findall(whole["documents"]):
        if kind == b"json":
            texts[name.decode()] = content
            continue
        try:
            packed[name.decode()] = base64.b64decode(content, validate=True)
        except binascii.Error:
            raise DamagedError(f"its part {name.decode()} is not base64") from None
    title = unescape(whole["title"].decode("utf-8", "replace"))
    page = StandalonePage(title, whole["script"], texts, packed)
    if page.html() != file:
        raise DamagedError("it has something in it that no page of Thorp has")
    return page
