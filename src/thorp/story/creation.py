"""Opens the ledger of a database: finds or creates its world, checks its configuration, and builds
the context of a beat."""

import json
import secrets
from pathlib import Path
from typing import Final

from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.store import Connection, Database, StatementError, open_database_in
from thorp.store.session import Dialect
from thorp.story import schema
from thorp.story.beat import BeatContext
from thorp.story.capsules import Capsules
from thorp.story.clock import first_clock
from thorp.story.config import StoryConfig, config_text, read_config
from thorp.story.contracts.invocation_envelope import Zones
from thorp.story.ids import IdGenerator
from thorp.story.ledger import RealityLedger
from thorp.story.projection import Projector
from thorp.story.retrieval import Retrieval
from thorp.story.schema import WorldRow
from thorp.story.tables import Tables
from thorp.story.upgrade import upgrade

DATABASE_FILE: Final = "story.db"
SECRET_BITS: Final = 128  # The size of the secret seed from which ids are derived.


def open_world(
    database: Database, config: StoryConfig | None, secret: int | None, *, create: bool
) -> tuple[WorldRow, Dialect]:
    """The world of this database, created if it has none yet, and brought into the layout of this
    release if it has another."""

    def look(connection: Connection) -> tuple[WorldRow, Dialect]:
        return schema.find_world(connection), connection.dialect

    try:
        world, dialect = database.read(look)
    except StatementError:
        if not create:  # no such table: no story was created here
            raise IllegalError("there is no story in this database yet", code="no_story") from None
    else:
        if database.read(schema.layout_of) != schema.LAYOUT:
            database.submit(_bring_up_to_date).result()
        return world, dialect
    new_config = config or StoryConfig()
    seed = secrets.randbits(SECRET_BITS) if secret is None else secret
    text = config_text(new_config)
    clock = first_clock(new_config)
    database.submit(lambda connection: schema.create_world(connection, seed, text, clock)).result()
    return database.read(look)


def recorded_config(where: str | Path) -> StoryConfig | None:
    """The configuration of the story in a directory or at a URL, without opening more of it; None
    if there is no story yet."""
    try:
        with open_database_in(
            where, DATABASE_FILE, create=False, absent="there is no story here", code="no_story"
        ) as database:
            world = database.read(schema.find_world)
    except StatementError:
        return None  # no such table
    except IllegalError as problem:
        if problem.code != "no_story":
            raise
        return None
    return read_config(json.loads(world.config))


def _bring_up_to_date(connection: Connection) -> None:
    """Change the layout of a ledger, unless another process was first."""
    if schema.layout_of(connection) != schema.LAYOUT:
        recorded = schema.find_world(connection).config
        upgrade(connection, read_config(json.loads(recorded)))


def checked_config(world: WorldRow, wanted: StoryConfig | None, zones: Zones) -> StoryConfig:
    """The configuration that a ledger was created with. Refuses if another one is wanted."""
    recorded = read_config(json.loads(world.config))
    if wanted is not None and wanted != recorded:
        ours = json.loads(config_text(recorded))
        theirs = json.loads(config_text(wanted))
        different = [name for name in ours if ours[name] != theirs[name]]
        raise ConflictError(
            f"this ledger was founded with another configuration: {', '.join(different)} differ; "
            "leave it out, or start another ledger",
            code="config",
        )
    check_zone(recorded, zones)
    return recorded


def check_zone(config: StoryConfig, zones: Zones) -> None:
    """Refuse a default zone that this machine does not know."""
    if not zones.is_known(config.time.default_timezone):
        raise InvalidError(
            f"this machine knows no time zone {config.time.default_timezone!r}; install its zone "
            "data (package tzdata), or name another zone",
            code="timezone",
        )


def build_context(
    connection: Connection, config: StoryConfig, ids: IdGenerator, zones: Zones
) -> BeatContext:
    """The context of a beat, over the state that a connection sees."""
    store = Tables(connection, config)
    ledger = RealityLedger(store, config, ids)
    retrieval = Retrieval(store, config)
    projector = Projector(ledger, config, zones)
    return BeatContext(
        config=config,
        ids=ids,
        zones=zones,
        ledger=ledger,
        projector=projector,
        retrieval=retrieval,
        capsules=Capsules(retrieval, config),
    )
