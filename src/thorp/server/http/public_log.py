"""Serves the files that the transparency log of a data directory publishes."""

import asyncio
import re
from pathlib import Path
from typing import Final

from aiohttp import web

from thorp.log.directory import PUBLIC
from thorp.server.access.requests import refusal

LOG: Final = "log"
_TILE: Final = r"tile/(?:[0-9]{1,2}|entries)/(?:x[0-9]{3}/)*[0-9]{3}(?:\.p/[0-9]{1,3})?"
_PUBLIC: Final = re.compile(rf"(?:checkpoint|log\.vkey|{_TILE})\Z")


async def public_file(request: web.Request, data: Path) -> web.Response:
    """A file that the log publishes: tiles never change, the checkpoint does."""
    name = request.match_info["path"]
    path = data / LOG / PUBLIC / name
    if _PUBLIC.match(name) is None or not path.is_file():
        return refusal(404, "not_found", "the log publishes no such file")
    is_tile = name.startswith("tile/")
    kind = "application/octet-stream" if is_tile else "text/plain; charset=utf-8"
    kept = "public, max-age=31536000, immutable" if is_tile else "no-cache"
    headers = {"Content-Type": kind, "Cache-Control": kept, "X-Content-Type-Options": "nosniff"}
    return web.Response(body=await asyncio.to_thread(path.read_bytes), headers=headers)
