"""Who may do what: the role of a request, from the token it shows or from where it comes.

A peer on this machine that asks for this machine needs no token. What comes through a proxy, or from a web
page of somebody else (its `Origin`, or a name that is not ours in `Host`), only looks like such a peer.
Everyone else shows a token, in `Authorization: Bearer …` or as `?token=…`; it never travels in HELLO.
"""

from __future__ import annotations

import contextlib
import ipaddress
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from aiohttp import web

from thorp.server.tokens import Role, Token, Tokens

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")


class Principal(NamedTuple):
    """Who sent a request."""

    role: Role
    person: str | None = None
    """Whose eyes an agent has in the story, if anybody's."""


class Principals:
    """Says who sent a request."""

    def __init__(self, tokens: Tokens, *, open_loopback: bool = True) -> None:
        self._tokens = tokens
        self._open_loopback = open_loopback

    def role_of(self, request: web.Request) -> Role:
        """The role of whoever sent this; ANYONE without a token or with one that is not ours."""
        return self.principal_of(request).role

    def principal_of(self, request: web.Request) -> Principal:
        text = presented_token(request)
        if text is not None:
            token = self._tokens.find(text)
            return Principal(Role.ANYONE) if token is None else _holder(token)
        if self._open_loopback and _is_local(request):
            return Principal(Role.ADMIN)
        return Principal(Role.ANYONE)


def _holder(token: Token) -> Principal:
    role = Role[token.role.upper()]
    return Principal(role, token.person or None) if role is Role.AGENT else Principal(role)


def presented_token(request: web.Request) -> str | None:
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and text.strip():
        return text.strip()
    return request.query.get("token") or None


def _is_local(request: web.Request) -> bool:
    """Whether a process of this machine asks for this machine, and on nobody else's behalf."""
    if not is_loopback(request.remote) or any(name in request.headers for name in _FORWARDED):
        return False
    if not _names_loopback("//" + request.headers.get("Host", "localhost")):
        return False
    origin = request.headers.get("Origin")
    return origin is None or _names_loopback(origin)


def is_loopback(address: str | None) -> bool:
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_loopback


def _names_loopback(url: str) -> bool:
    with contextlib.suppress(ValueError):
        name = urlsplit(url).hostname or ""
        return name == "localhost" or name.endswith(".localhost") or is_loopback(name)
    return False
