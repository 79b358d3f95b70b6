"""The files of the pages, few, and read once: those at `/`, which `make web` builds from `web/`, and those at
`/story`, which are written by hand."""

from __future__ import annotations

from importlib.resources import files
from typing import Final, NamedTuple

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
# The page loads nothing from elsewhere and talks to nobody else.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class PageFile(NamedTuple):
    content: bytes
    headers: dict[str, str]


def _read() -> dict[str, PageFile]:
    package = files("thorp.server")
    built = package / "static"
    found = {}
    for file in (
        built / "index.html",
        *(built / "assets").iterdir(),
        *(package / "story_page").iterdir(),
    ):
        kind = _TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None:
            found[file.name] = PageFile(file.read_bytes(), _headers(kind))
    return found


def _headers(kind: str) -> dict[str, str]:
    return {
        "Content-Type": kind,
        "Content-Security-Policy": _POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
    }


PAGE_FILES: Final = _read()
