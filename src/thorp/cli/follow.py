"""`thorp follow`: copy, execute and show the world of another server."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from thorp.cli.location import find_token
from thorp.cli.options import DataOption, data_directory
from thorp.cli.up import ServerOptions, loopback_role, prepare_process, say
from thorp.kernel.errors import InvalidError

TokenFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Has the leader's admin token; else $THORP_TOKEN is it.")
]
Token = Annotated[str | None, typer.Option(envvar="THORP_TOKEN", hidden=True)]


def follow(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server whose world is followed.")],
    server: ServerOptions,
    data: DataOption = None,
    token_file: TokenFile = None,
    token: Token = None,
) -> None:
    """Copy the world of a running server, execute it, and show it until Ctrl-C. Nobody can play here."""
    from yarl import URL

    from thorp.cli.served import ServedJournal
    from thorp.server.follower import follow
    from thorp.server.host import Settings
    from thorp.server.principals import is_loopback
    from thorp.server.tokens import read_token

    shown = find_token(url, token) if token_file is None else read_token(token_file)
    connect = partial(ServedJournal, url, shown)
    connect().close()  # which refuses what is no address
    if not url.startswith("https://") and not is_loopback(URL(url).host) and URL(url).host != "localhost":
        raise InvalidError(
            f"{url}: a journal holds secrets, so a leader elsewhere is followed over https://",
            code="insecure",
        )
    settings = Settings(
        data=data_directory(data),
        host=server.host,
        port=server.port,
        max_viewers=server.max_viewers,
        loopback=loopback_role(server),
        open_book=bool(server.open_book),
    )
    prepare_process(server)
    if asyncio.run(follow(settings, url, connect, say)) is not None:
        raise typer.Exit(1)
