"""Static files of the page, which `make web` builds from `web/`.

They are read and compressed once. Their names do not change with their content, so a browser asks
each time whether its copy is still valid; the answer to that is short (304).
"""

import gzip
import re
from hashlib import sha256
from importlib.resources import files
from typing import Final, NamedTuple

from aiohttp import web

from thorp.server.access.requests import refusal

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
MEDIA_TYPES: Final = tuple(media.partition(";")[0] for media in _TYPES.values())
# The page loads nothing from elsewhere and talks to nobody else.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_COMMON: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
}
# Takes 30 ms for all files together.
_GZIP_LEVEL: Final = 6


class Variant(NamedTuple):
    """One form of a file: plain or compressed."""

    tag: str
    content: bytes
    headers: dict[str, str]


class PageFile(NamedTuple):
    """A file of the page, as it is and as gzip."""

    plain: Variant
    packed: Variant


async def page(request: web.Request) -> web.Response:
    """The page, which shows the world, its society, its story and matches."""
    return _respond(request, _PAGES[request.path.count("/") - 1])


async def asset(request: web.Request) -> web.Response:
    """A file that the page needs."""
    file = PAGE_FILES.get(request.match_info["name"])
    return (
        refusal(404, "not_found", "there is no such file")
        if file is None
        else _respond(request, file)
    )


def _respond(request: web.Request, file: PageFile) -> web.Response:
    """A file, compressed if the client accepts that; 304 if it has it already."""
    variant = (
        file.packed if accepts_gzip(request.headers.get("Accept-Encoding", "")) else file.plain
    )
    tags = [tag.value for tag in request.if_none_match or ()]
    if variant.tag in tags or "*" in tags:
        return web.Response(status=304, headers=variant.headers)
    return web.Response(body=variant.content, headers=variant.headers)


def accepts_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` allows gzip. What it says about gzip outweighs `*`."""
    weights = {}
    for choice in accepted.lower().split(","):
        name, _, weight = choice.partition(";")
        weights[name.strip()] = weight.replace(" ", "").removeprefix("q=")
    weight = weights.get("gzip", weights.get("*", "0"))
    return not weight or weight.strip("0.") != ""


def _read() -> dict[str, PageFile]:
    """The files that were built, by name."""
    built = files("thorp.server") / "static"
    page_files = {}
    for file in (built / "index.html", *(built / "assets").iterdir()):
        kind = _TYPES.get("." + file.name.rpartition(".")[2])
        if kind is not None:
            page_files[file.name] = _pack(file.read_bytes(), kind)
    return page_files


def _pack(content: bytes, kind: str) -> PageFile:
    tag = sha256(content).hexdigest()[:32]
    plain = {"Content-Type": kind, "ETag": f'"{tag}"', **_COMMON}
    packed = {**plain, "ETag": f'"{tag}-gzip"', "Content-Encoding": "gzip"}
    return PageFile(
        Variant(tag, content, plain),
        Variant(f"{tag}-gzip", gzip.compress(content, _GZIP_LEVEL, mtime=0), packed),
    )


PAGE_FILES: Final = _read()
# The page refers to its files by relative paths, so that it works below any path of a proxy. It is
# served at addresses of one to three parts, each of which needs another number of `../`.
_PAGE: Final = PAGE_FILES["index.html"].plain.content
_PAGES: Final = [
    _pack(re.sub(rb'"(?:\./)?assets/', b'"%bassets/' % up, _PAGE), _TYPES[".html"])
    for up in (b"", b"../", b"../../")
]
