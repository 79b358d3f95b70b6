"""One POST, bounded in every direction.

The deadline covers everything from the look-up of the name to the last byte, so a server that drips a
byte a second gains nothing. The reply's size is checked while it is read. Redirects, cookies, proxies from
the environment and compressed replies are not taken: who was asked is who answers. Every request has a
connection of its own, because whether an idle one still lives is a matter of luck, and luck would show
in a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from thorp.kernel.errors import ThorpError

BODY_BYTES_LIMIT = 1 << 20
"""The largest reply read: a move or a page of text, not a data set."""

DETAIL_BYTES_LIMIT = 2048
"""How much of a reply other than 200 is kept, for a person to read."""

OK = 200


class PostError(ThorpError):
    """No whole reply came. `code` is connection, cut_off, size or not_http; running out of time is a
    plain TimeoutError, for only the caller knows which limit it was."""

    code = "connection"


class Answer(msgspec.Struct, frozen=True):
    """What a server said. For a status other than 200 the body is only its beginning."""

    status: int
    body: bytes
    retry_after: str | None


def post(url: str, body: bytes, *, seconds: float, headers: Mapping[str, str] | None = None) -> Answer:
    """Send JSON, return the answer. Raises PostError, or TimeoutError when `seconds` have passed.

    Must not be called from a thread in which an event loop is running.
    """
    return load_session()(url, body, headers or {}, seconds)


def load_session() -> Callable[[str, bytes, Mapping[str, str], float], Answer]:
    """What does the work. It takes a quarter of a second to import, which only those who call should pay."""
    from thorp.models.session import run_post

    return run_post
