"""Finds out who sent a request: its role, from the token it shows or from where it comes.

A process on this machine may play, watch and read without a token, and no more, because it may be a
proxy that does not say whom it speaks for. A request that names a proxy, or comes from somebody
else's web page (by its `Origin`, or a foreign name in `Host`), has no role.

Everyone else shows a token, in `Authorization: Bearer …` or as `?token=…`. It is never part of a
HELLO.
"""

import ipaddress
import re
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final, NamedTuple

from aiohttp import web
from aiohttp.typedefs import Middleware

from thorp.server.access.networks import is_loopback
from thorp.server.access.requests import Refused
from thorp.server.access.tokens import Role, Tokens

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

# Headers that proxies add, besides x-forwarded-…: the peer speaks for somebody else.
_FORWARDED: Final = (
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
)

# A name or an address, and a port, and nothing else that a URL may hold.
_AUTHORITY: Final = r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:(?P<port>[0-9]{1,5}))?"
_HOST: Final = re.compile(_AUTHORITY, re.ASCII | re.IGNORECASE)
_ORIGIN: Final = re.compile(f"https?://{_AUTHORITY}", re.ASCII | re.IGNORECASE)


class Principal(NamedTuple):
    """Who sent a request."""

    role: Role
    person: str | None = None
    """The person of the story as whom an agent reads, if any."""


class Principals:
    """Knows the tokens of a server, and so who sent a request."""

    def __init__(self, tokens: Tokens, *, loopback: Role = Role.NEIGHBOUR) -> None:
        """`loopback` is the role of this machine's own processes when they show no token."""
        self.tokens = tokens
        self._loopback = loopback

    def role_of(self, request: web.Request) -> Role:
        """The sender's role; ANYONE without a token or with an unknown one."""
        return self.principal_of(request).role

    def principal_of(self, request: web.Request) -> Principal:
        """Who sent a request: by its token if it shows one, even a worthless one, else by where it
        comes from."""
        text = presented_token(request)
        if text is not None:
            token = self.tokens.find(text)
            if token is None:
                return Principal(Role.ANYONE)
            role = Role[token.role.upper()]
            return Principal(role, token.person or None) if role is Role.AGENT else Principal(role)
        return Principal(_local_role(request, self._loopback))


PRINCIPALS: Final = web.AppKey("principals", Principals)


def presented_token(request: web.Request) -> str | None:
    """The token that a request shows, in its header or in its query; None without one."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and text.strip():
        return text.strip()
    return request.query.get("token") or None


def _local_role(request: web.Request, own: Role) -> Role:
    """`own` for a process of this machine that asks on nobody else's behalf."""
    if (
        own is Role.ANYONE
        or not is_loopback(request.remote)
        or any(map(_is_of_a_proxy, request.headers))
    ):
        return Role.ANYONE
    host = _place(_HOST, request.headers.getall("Host", ["localhost"]))
    if host is None:
        return Role.ANYONE
    origins = request.headers.getall("Origin", [])
    if not origins:
        # A link or an image on somebody else's page: it may be followed, but may change nothing.
        return Role.VIEWER if request.headers.get("Sec-Fetch-Site") == "cross-site" else own
    origin = _place(_ORIGIN, origins)
    if origin is None:
        return Role.ANYONE
    return own if origin == host else Role.NEIGHBOUR


def _is_of_a_proxy(header: str) -> bool:
    name = header.lower()
    return name in _FORWARDED or name.startswith("x-forwarded-")


def check_names(request: web.Request) -> None:
    """Refuse requests that somebody else's web page makes, also under a name of its own that it
    lets point to this machine (DNS rebinding)."""
    check_origin(request)
    if presented_token(request) is None and not is_own_host(request):
        raise Refused(421, "foreign_host", "ask for this machine by its address, or show a token")


def check_origin(request: web.Request) -> None:
    """Refuse requests that somebody else's web page makes."""
    if is_foreign_origin(request):
        raise Refused(403, "foreign_origin", "a page of another site may not speak to this server")


def guard_names(names: Collection[str]) -> Middleware:
    """Check the names of every request to a server that has no tokens. It may be addressed as
    `localhost`, by an address, or by one of these host names."""
    own_names = frozenset(name.lower() for name in names)

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            check_origin(request)
            if not is_own_host(request, own_names):
                advice = (
                    "ask for this machine by its address, or start it with --allow-host and "
                    "this name"
                )
                raise Refused(421, "foreign_host", advice)
        except Refused as refused:
            return refused.response
        return await handler(request)

    return guard


def is_own_host(request: web.Request, names: Collection[str] = ()) -> bool:
    """Whether a request addresses this machine by a name that no stranger can point at it:
    `localhost`, an address, or one of the names that its operator has given."""
    hosts = request.headers.getall("Host", [])
    match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if match is None:
        return False
    if match["name"].lower() in names:
        return True
    with suppress(ValueError):
        return bool(ipaddress.ip_address(match["name"].strip("[]")))
    return _place(_HOST, hosts) is not None


def is_foreign_origin(request: web.Request) -> bool:
    """Whether a request comes from a web page that belongs neither to this machine nor to the host
    that it addresses."""
    origins = request.headers.getall("Origin", [])
    same = [f"{scheme}://{request.headers.get('Host')}" for scheme in ("http", "https")]
    return (
        bool(origins)
        and _place(_ORIGIN, origins) is None
        and (len(origins) > 1 or origins[0] not in same)
    )


def is_confidential(request: web.Request) -> bool:
    """Whether nobody can listen in: the request came over TLS, here or to a proxy on this machine
    that says so, or from this machine itself."""
    if request.secure or not is_loopback(request.remote):
        return request.secure
    schemes = request.headers.getall("X-Forwarded-Proto", [])
    return schemes == ["https"] if schemes else not any(map(_is_of_a_proxy, request.headers))


def _place(form: re.Pattern[str], values: list[str]) -> tuple[str, int] | None:
    """The name and port in the only value of a header, if that names this machine; else None."""
    match = form.fullmatch(values[0]) if len(values) == 1 else None
    if match is None:
        return None
    name = match["name"].lower()
    if (
        name != "localhost"
        and not name.endswith(".localhost")
        and not is_loopback(name.strip("[]"))
    ):
        return None
    default = 443 if values[0].lower().startswith("https:") else 80
    return name, int(match["port"] or default)
