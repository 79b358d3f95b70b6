"""`thorp token …`: access tokens of a server."""

from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from thorp.cli.commands import Commands, option, print_answer
from thorp.cli.options import AsJson, DataOption, data_directory
from thorp.kernel.text import printable
from thorp.server.access.tokens import ADMIN_TOKEN, Role, Tokens, rotate_admin_token

app = Commands(help="Make, list and revoke the tokens of a server.")


@app.command()
def create(
    role: Annotated[
        Literal["agent", "viewer", "operator", "admin"],
        option("What it allows; each allows what those before it do."),
    ],
    note: Annotated[str, option("A note on whom it is for.")] = "",
    person: Annotated[str, option("Whose view of the story an agent gets.", "ID")] = "",
    data: DataOption = None,
) -> None:
    """Make a token and print it, once. A running server accepts it at once."""
    created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    tokens = Tokens(data_directory(data))
    _, text = tokens.create(Role[role.upper()], created=created, note=note, person=person)
    print(text)


@app.command(name="list")
def list_command(data: DataOption = None, as_json: AsJson = False) -> None:
    """List the tokens. The secrets themselves are not stored."""
    tokens = Tokens(data_directory(data)).all()
    for token in tokens:
        row = {name: getattr(token, name) for name in ("id", "role", "created", "note", "person")}
        eyes = f"  as {printable(token.person)}" if token.person else ""
        line = (
            f"{token.id}  {token.role:<8}  {token.created}  {printable(token.note)}{eyes}".rstrip()
        )
        print_answer(as_json, row, line)


@app.command()
def revoke(token_id: Annotated[str, typer.Argument(metavar="ID")], data: DataOption = None) -> None:
    """Revoke a token. Connections that it opened stay until they end."""
    token = Tokens(data_directory(data)).revoke(token_id)
    print(f"{token.id}: revoked, it had the role {token.role}")


@app.command(name="rotate-admin")
def rotate_admin(data: DataOption = None) -> None:
    """Replace the admin token of a data directory. The old one is void at once."""
    directory = data_directory(data)
    rotate_admin_token(directory)
    print(f"{directory / ADMIN_TOKEN}: a new admin token; the one before is worthless")
