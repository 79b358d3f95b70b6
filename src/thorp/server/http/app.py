"""Builds the application: the table of routes, with one guard in front of it.

The server answers from its first moment on; until the world is open, every request that needs it is
refused with 503.
"""

from typing import Final

from aiohttp import web

from thorp.server.access.principals import PRINCIPALS
from thorp.server.access.requests import MAX_BODY_BYTES
from thorp.server.http.guard import Guard
from thorp.server.http.routes import routes
from thorp.server.http.server import Server
from thorp.server.http.verification import VERIFIER

# The id of a town may have braces, which aiohttp's default pattern for a part of a path excludes.
_ANY_TOWN: Final = "{town:[^/]+}"
_ANY_PATH: Final = "{path:.+}"

GUARD: Final = web.AppKey("guard", Guard)


def build_app(server: Server) -> web.Application:
    """The application that answers every request to a server."""
    table = routes(server)
    guard = Guard(table, server.stage, server.principals, server.data)
    app = web.Application(middlewares=[guard.check], client_max_size=MAX_BODY_BYTES)
    app[GUARD] = guard
    app[PRINCIPALS] = server.principals
    app[VERIFIER] = server.verifier
    for route in table:
        add = app.router.add_get if route.method == "GET" else app.router.add_post
        add(route.path.replace("{town}", _ANY_TOWN).replace("{path}", _ANY_PATH), route.handler)

    async def disconnect(_: web.Application) -> None:
        await server.disconnect()

    app.on_shutdown.append(disconnect)
    return app
