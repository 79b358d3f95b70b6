"""`thorp config …`: show the settings in force and where they come from; copy a directory's towns
and story into PostgreSQL. Secrets are named, never shown."""

import os
import platform
import re
from importlib import metadata
from pathlib import Path
from typing import Annotated, Final

import msgspec

from thorp import __version__
from thorp.cli.commands import Commands, option, print_json
from thorp.cli.options import AsJson, DataOption, data_directory
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, ThorpError
from thorp.kernel.text import one_line
from thorp.server.processes.lockfile import find_server
from thorp.store import RealDisk, open_database
from thorp.store.sqlite import open_sqlite
from thorp.store.url import MARK, copy_tables

app = Commands(help="Show the settings in force.")

VARIABLES: Final = {
    "THORP_DATA": "The data directory of commands without --data.",
    "THORP_DATABASE": "The PostgreSQL database of towns and story, for `thorp up` and its "
    "chronicle.",
    "THORP_STATE": "Where agents of the kit keep their resume tokens; if empty, nowhere.",
    "THORP_TOKEN": "The access token of commands without --token.",
    "THORP_MODEL": "The model of `--policy model`.",
    "THORP_VILLAGE_MODEL": "The model that answers what villagers do not understand by rule.",
    "THORP_STORY_MODEL": "The model that writes a story.",
    "THORP_STORY_TOOLS": "`native` offers that model its tools as functions.",
    "THORP_STORY_SECONDS": "What a beat of that model may take; 60 by default, 540 at most.",
    "THORP_MODEL_URL": "The models' OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1.",
    "THORP_MODEL_KEY": "Its key; if empty, none is sent.",
    "THORP_MODELS": "Where fetched models are kept, instead of ~/.cache/thorp/models.",
    "THORP_MODEL_MAX_TOKENS": "The longest reply to ask for; `none` leaves that to the endpoint.",
    "THORP_MODEL_TEMPERATURE": "The temperature to ask for; `none` leaves that to the endpoint.",
    "THORP_LOG_KEY": "The private key of the log, instead of DIR/log/key.",
    "OPENAI_BASE_URL": "As THORP_MODEL_URL, if that is not set.",
    "OPENAI_API_KEY": "As THORP_MODEL_KEY, if that is not set.",
}
SECRETS: Final = ("THORP_TOKEN", "THORP_MODEL_KEY", "THORP_LOG_KEY", "OPENAI_API_KEY")
_PASSWORD: Final = re.compile(r"//[^/?#]*@")
PACKAGES: Final = ("aiohttp", "msgspec", "numpy", "psycopg", "ray", "rich", "typer", "zstandard")


@app.command()
def show(data: DataOption = None, as_json: AsJson = False) -> None:
    """Show the data directory and what is in it, the tuning of its world, the environment, the
    versions.

    Example: thorp config show --data thorp-data
    """
    settings = settings_in_force(data)
    if as_json:
        print_json(settings)
        return
    for title, members in settings.items():
        print(title)
        for name, value in members.items():
            print(f"  {name:<20} {one_line(_value_text(value))}")


@app.command()
def tuning() -> None:
    """Print a tuning file with every value and a comment on each, for `thorp up --tuning FILE`.

    Example: thorp config tuning > my.yaml
    """
    from thorp.voxel import example_tuning

    print(example_tuning(), end="")


@app.command()
def copy_database(
    data: DataOption = None,
    database: Annotated[
        str | None, option("A PostgreSQL database.", "URL", envvar="THORP_DATABASE")
    ] = None,
) -> None:
    """Copy the towns and the story of a directory into a PostgreSQL database, for `thorp up
    --database`.

    Both copies are verified, and must have the same tips; then the files are renamed to
    NAME.copied.

    Example: thorp config copy-database --data thorp-data --database postgresql://thorp@db/thorp
    """
    from thorp.story import Ledger, schema
    from thorp.story import creation as story
    from thorp.town import EmbeddedTown, tables
    from thorp.town import service as town

    directory = data_directory(data)
    if not database:
        raise InvalidError("name the database, with --database or $THORP_DATABASE", code="usage")
    if server := find_server(directory):
        raise IllegalError(
            f"{directory} is served at {server.url}; stop that server first", code="served"
        )
    components = (
        ("town", town.DATABASE_FILE, tables.create_tables, EmbeddedTown),
        ("story", story.DATABASE_FILE, schema.create_tables, Ledger),
    )
    for name, file_name, create_tables, open_kept in components:
        path = directory / file_name
        if not path.exists():
            continue
        with open_kept(directory, create=False) as kept:
            original = kept.verify()
        with open_sqlite(path) as source, open_database(database) as target:
            rows = copy_tables(source, target, create_tables, name)
        with open_kept(database, create=False) as kept:
            copy = kept.verify()
        if (copy.tip, copy.difference) != (original.tip, None) or original.difference is not None:
            reason = original.difference or copy.difference or "it keeps another one already"
            raise ConflictError(
                f"{path} is as it was; its {name} is not in that database: {reason}"
            )
        path.rename(path.with_name(f"{file_name}.copied"))
        print(f"{name}: copied {rows} rows, tip {copy.tip}; {path} is now {file_name}.copied")


def settings_in_force(data: Path | None) -> dict[str, dict[str, Json]]:
    """The settings that a command would use here, by where they come from."""
    directory = data_directory(data)
    versions = {name: installed_version(name) for name in PACKAGES}
    return {
        "data": _data(directory, data),
        "tuning": _tuning(directory),
        "environment": {name: _variable_text(name) for name in VARIABLES if name in os.environ},
        "versions": {"thorp": __version__, "python": platform.python_version(), **versions},
    }


def _data(directory: Path, given: Path | None) -> dict[str, Json]:
    otherwise = "$THORP_DATA" if os.environ.get("THORP_DATA") else "the default"
    server = find_server(directory)
    return {
        "directory": str(directory.absolute()),
        "chosen_by": otherwise if given is None else "--data",
        "world": (directory / "world").is_dir(),
        "towns": (directory / "town.db").is_file(),
        "story": (directory / "story.db").is_file(),
        "in_postgresql": (directory / MARK).is_file(),
        "server": None if server is None else server.url,
    }


def _tuning(directory: Path) -> dict[str, Json]:
    """How the tuning of the kept world, which its journal holds, differs from the default."""
    from thorp.voxel import Tuning
    from thorp.voxel.persistence.directory import Segment, WorldDirectory

    path = directory / "world"
    try:
        journals = WorldDirectory(RealDisk(), path).journals() if path.is_dir() else {}
        if not journals:
            return {"of": "the next world: the usual, or --tuning FILE"}
        epoch = Segment(RealDisk(), journals[max(journals)]).header.epoch
    except ThorpError as problem:
        return {"of": f"cannot be read: {problem}"}
    ours = msgspec.to_builtins(epoch.tuning)
    usual = msgspec.to_builtins(Tuning())
    other = {name: value for name, value in ours.items() if value != usual[name]}
    return {"of": f"the world, in epoch {epoch.number}", **(other or {"values": "the usual"})}


def _variable_text(name: str) -> str:
    """An environment variable for people, without its secret or the password of its URL."""
    if name in SECRETS:
        return "(set; not shown)"
    return _PASSWORD.sub("//(not shown)@", os.environ[name])


def installed_version(name: str) -> str | None:
    """The version of a package; None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _value_text(value: Json) -> str:
    words = {None: "-", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
