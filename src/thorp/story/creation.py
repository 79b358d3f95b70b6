"""Finds or creates the ledger of a database, checks its configuration, and builds what a
beat works with."""

import json
import secrets
from typing import Final

from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.store import Connection, Database, StatementError
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

DATABASE_FILE: Final = "story.db"
SECRET_BITS: Final = 128


def open_world(
    database: Database, config: StoryConfig | None, secret: int | None, *, create: bool
) -> tuple[WorldRow, Dialect]:
    """The world of this database, created if it has none yet."""

    def look(connection: Connection) -> tuple[WorldRow, Dialect]:
        return schema.find_world(connection), connection.dialect

    try:
        return database.read(look)
    except StatementError:
        if not create:  # no such table: nothing was founded here
            raise IllegalError("there is no story in this database yet", code="no_story") from None
    founding = config or StoryConfig()
    seed = secrets.randbits(SECRET_BITS) if secret is None else secret
    text = config_text(founding)
    clock = first_clock(founding)
    database.submit(lambda connection: schema.create_world(connection, seed, text, clock)).result()
    return database.read(look)


def checked_config(world: WorldRow, wanted: StoryConfig | None, zones: Zones) -> StoryConfig:
    """The configuration that a ledger was founded with. Refuses if another one is wanted."""
    recorded = read_config(json.loads(world.config))
    if wanted is not None and wanted != recorded:
        ours, theirs = (json.loads(config_text(each)) for each in (recorded, wanted))
        other = [name for name in ours if ours[name] != theirs[name]]
        raise ConflictError(
            f"this ledger was founded with another configuration: {', '.join(other)} differ; "
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
    """What a beat works with, on the state that a connection sees."""
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
