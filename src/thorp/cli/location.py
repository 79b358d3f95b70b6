"""Finds out where towns and stories are kept (a directory, a database, a server), and opens towns.

While a server holds a directory, everything goes through that server. Whether this process keeps
towns itself or asks a server, the object has the same methods and gives the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias, Union

from thorp.cli.commands import option
from thorp.cli.options import DataOption, data_directory
from thorp.kernel.errors import InvalidError
from thorp.server.access.tokens import read_admin_token
from thorp.server.processes.lockfile import find_server

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.cli.served import ServedTowns
    from thorp.client.http import HttpClient
    from thorp.town.service import EmbeddedTown

OpenTowns: TypeAlias = Union["EmbeddedTown", "ServedTowns"]

UrlOption = Annotated[
    str | None, option("A server (http://…) or database (postgresql://…) instead.", "URL")
]
TokenOption = Annotated[
    str | None,
    option("An access token; else the admin token of the data directory.", envvar="THORP_TOKEN"),
]


class Where(NamedTuple):
    """The options that say where towns or a story are kept."""

    data: DataOption = None
    url: UrlOption = None
    token: TokenOption = None

    def find(self) -> HttpClient | Path | str:
        """A client of the server that keeps them; without one, the directory, or the database's
        URL."""
        if self.data is not None and self.url is not None:
            raise InvalidError("give --data or --url, not both", code="usage")
        if self.url is None:
            directory = data_directory(self.data)
            server = find_server(directory)
            return directory if server is None else self._client(server.url, directory)
        if "://" not in self.url:
            advice = "--url takes a URL, like http://host:8080 or postgresql://user@host/database"
            raise InvalidError(advice, code="bad_url")
        is_server = self.url.partition("://")[0].lower() in ("http", "https")
        return self._client(self.url, None) if is_server else self.url

    def _client(self, url: str, directory: Path | None) -> HttpClient:
        from thorp.client.http import HttpClient

        return HttpClient(url, find_token(url, self.token, directory), directory)


def find_token(url: str, given: str | None = None, data: Path | None = None) -> str | None:
    """The token to show to the server at a URL (http or ws): the one given with --token or
    $THORP_TOKEN, else the admin token of the data directory that this server holds.

    Without `data` that is the default directory. An admin token is shown to no server but the one
    that holds its directory.
    """
    if given:
        return given
    directory = data_directory(data)
    server = find_server(directory)
    if server is None or _authority(url) != _authority(server.url):
        return None
    try:
        return read_admin_token(directory)
    except PermissionError:
        return None  # another user's server: whatever needs no token still works


def _authority(url: str) -> str:
    return url.rpartition("://")[2].partition("/")[0].lower()


@contextmanager
def open_towns(
    where: Where, *, seed: int | None = None, create: bool = False
) -> Iterator[OpenTowns]:
    """Open the world of towns that the options name."""
    kept = where.find()
    if isinstance(kept, (str, Path)):
        from thorp.town.service import EmbeddedTown

        with EmbeddedTown(kept, seed=seed, create=create) as world:
            yield world
    else:
        from thorp.cli.served import ServedTowns

        with kept:
            yield ServedTowns(kept, seed=seed, create=create)
