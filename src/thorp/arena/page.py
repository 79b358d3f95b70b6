"""Makes a match or a tournament one HTML file that needs no server and fetches nothing.

The file holds the script from `web/` that draws it, and the documents to draw as text that the
script reads: foreign text never becomes markup. A policy in its head lets this one script run, and
forbids everything else.
"""

import base64
from hashlib import sha256
from importlib.resources import files

_PAGE = (
    b'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    b'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    b'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    b"style-src 'unsafe-inline'; script-src 'sha256-%b'\">\n"
    b'<title>%b</title>\n</head>\n<body>\n<div id="page"></div>\n'
    b"%b<script>%b</script>\n</body>\n</html>\n"
)


def single_page(title: str, **documents: bytes) -> bytes:
    """The page of a `log`, with the `replies` of its models, or of a tournament's `report`. All
    documents are JSON text."""
    script = (files("thorp") / "server" / "static" / "assets" / "replay.js").read_bytes()
    script = script.replace(b"</script", b"<\\/script").replace(b"<!--", b"<\\!--")
    scripts = b""
    for name, text in documents.items():
        # In JSON this sign occurs only inside strings, where it may be written as an escape.
        safe = text.replace(b"<", b"\\u003c")
        scripts += b'<script type="application/json" id="%b">%b</script>\n' % (name.encode(), safe)
    return _PAGE % (base64.b64encode(sha256(script).digest()), title.encode(), scripts, script)
