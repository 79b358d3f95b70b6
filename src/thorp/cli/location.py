"""Where towns and stories are: a directory, a database, or a server; and the options that say so.

A command takes one parameter `where`, and `at` gives it the options. A directory that a server holds is the
server's.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from thorp.kernel.errors import InvalidError
from thorp.server.admin_token import read_admin_token
from thorp.server.lockfile import find_server

if TYPE_CHECKING:  # an HTTP client takes a while to import, and most commands need none
    from thorp.client.http import HttpClient

DEFAULT_DATA = "thorp-data"
SERVER_SCHEMES = ("http", "https")

DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The world's directory; else $THORP_DATA, else ./thorp-data."),
]
UrlOption = Annotated[
    str | None,
    typer.Option("--url", metavar="URL", help="A server (http://…) or a database (postgresql://…) instead."),
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="THORP_TOKEN", help="An access token; else the admin token of the data directory."
    ),
]


class Where(NamedTuple):
    """What the options say."""

    data: Path | None = None
    url: str | None = None
    token: str | None = None

    def find(self) -> HttpClient | Path | str:
        """The server that keeps what is asked for; else the directory, or the URL of the database."""
        if self.data is not None and self.url is not None:
            raise InvalidError("give --data or --url, not both", code="usage")
        if self.url is None:
            directory = self.data or Path(os.environ.get("THORP_DATA") or DEFAULT_DATA)
            server = find_server(directory)
            return directory if server is None else self._line(server.url, directory)
        if "://" not in self.url:
            advice = "--url takes a URL, like http://host:8080 or postgresql://user@host/database"
            raise InvalidError(advice, code="bad_url")
        is_server = self.url.partition("://")[0].lower() in SERVER_SCHEMES
        return self._line(self.url, None) if is_server else self.url

    def _line(self, url: str, directory: Path | None) -> HttpClient:
        from thorp.client.http import HttpClient

        return HttpClient(url, find_token(url, self.token, directory), directory)


def find_token(url: str, given: str | None = None, data: Path | None = None) -> str | None:
    """The token to show to the server at a URL (http or ws): the one that was given with --token or
    $THORP_TOKEN, else the admin token of the data directory that this server holds.

    Without `data` that is the usual directory. The token goes to no server but the one that holds it.
    """
    if given:
        return given
    directory = data or Path(os.environ.get("THORP_DATA") or DEFAULT_DATA)
    server = find_server(directory)
    if server is None or _authority(url) != _authority(server.url):
        return None
    try:
        return read_admin_token(directory)
    except PermissionError:
        return None  # another user's server: what needs no token can still be done


def _authority(url: str) -> str:
    return url.rpartition("://")[2].partition("/")[0].lower()


def at(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--data`, `--url` and `--token` instead of its parameter `where`."""

    @wraps(command)
    def run(*, data: Path | None, url: str | None, token: str | None, **others: Any) -> None:
        command(where=Where(data, url, token), **others)

    hints = get_type_hints(command, include_extras=True)
    own = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, parameter in inspect.signature(command).parameters.items()
        if name != "where"
    ]
    parameters = [*own, *_PLACES]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


_PLACES = [
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
    for name, option in (("data", DataOption), ("url", UrlOption), ("token", TokenOption))
]
