"""`EmbeddedTown`: a world of towns in a database. Ties the rules of embedded towns to the store.

Every task reads what it needs inside its transaction, and nothing is cached between tasks. So a
commit that was rolled back, or one that another process made, cannot leave wrong state in memory.
"""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Final, cast

import msgspec

from thorp.kernel.canonical import Json, read_text
from thorp.kernel.chain import read_tip
from thorp.kernel.closing import Closing, closed_on_error
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.kernel.rng import KeyedDraws
from thorp.kernel.text import check_text
from thorp.store import Database, StatementError, open_database_in
from thorp.town import tables
from thorp.town.audit import Epoch, Verified, verify_world
from thorp.town.embedded.projection import project_town, summary
from thorp.town.embedded.town import Town, decode
from thorp.town.handoff import storable_handoff
from thorp.town.orders import AdvanceDay, Answer, CreateTown, KeeperOrder, Order, check_order
from thorp.town.tables import Entry, WorldRow

__all__ = ["EmbeddedTown", "Entry", "Epoch", "Verified", "WorldRow"]

DATABASE_FILE: Final = "town.db"
DEFAULT_SEED: Final = 42
CHRONICLE_LIMIT: Final = 10_000  # Most entries of the chronicle in one answer.


class EmbeddedTown(Closing):
    """A world of towns, and what their keeper may do. All methods may be called from any thread."""

    def __init__(
        self, where: str | Path | Database, *, seed: int | None = None, create: bool = True
    ) -> None:
        """Open the world in a directory, at a `sqlite:///…` or `postgresql://…` URL, or in an open
        database, which is closed with it.

        A new world takes `seed`, or 42. An existing one keeps its own, and another is refused.
        Without `create` a missing world is refused and nothing is made. A world of older rules goes
        on under ours, in an epoch that its first change begins; one of newer rules is refused.
        """
        absent = "there is no town world here; `god town create NAME` starts one"
        database = open_database_in(
            where, DATABASE_FILE, create=create, absent=absent, code="no_world"
        )
        with closed_on_error(database):
            world = _find_world(database)
            if world is None:
                if not create:
                    raise IllegalError(
                        "there is no town world in this database yet", code="no_world"
                    )
                new_seed = DEFAULT_SEED if seed is None else seed
                world = database.submit(
                    lambda connection: tables.create_world(connection, new_seed)
                ).result()
            if seed is not None and seed != world.seed:
                raise ConflictError(
                    f"this world has seed {world.seed}, not {seed}; leave it out, or start "
                    "another world",
                    code="seed",
                )
        self._database = database
        self.seed = world.seed
        self._draws = KeyedDraws(world.seed)

    def close(self) -> None:
        """Finish what is under way, and close the database. Closing twice is allowed."""
        self._database.close()

    # What governors use.

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The town as `snapshot.v1`. Reads only."""
        return project_town(self.town(town_id))

    def execute(self, handoff: object) -> dict[str, Json]:
        """Judge a handoff; its result is durable before it is returned. See
        `thorp.town.embedded.judgement`."""
        return self.submit(handoff).result()

    def submit(self, handoff: object) -> Future[dict[str, Json]]:
        """Queue a handoff; the future is done when its answer is durable. Refuses an invalid one at
        once.

        Handoffs that are under way together share one sync. They are judged in the order they came.
        """
        text, own = storable_handoff(handoff)
        return self._database.submit(lambda connection: tables.execute(connection, own, text))

    # What a keeper sees.

    def world(self) -> WorldRow:
        """Seed, day, how long receipts are kept, and the rules of its epoch."""
        return self._database.read(tables.world_row)

    def towns(self) -> list[Town]:
        """Every town, by id in code-point order."""
        rows = self._database.read(lambda each: each.execute("SELECT town, state FROM town_state"))
        return [decode(state) for _, state in sorted(rows)]

    def summaries(self) -> list[dict[str, Json]]:
        """One line for each town, for a list of towns."""
        return [summary(town) for town in self.towns()]

    def town(self, town_id: str) -> Town:
        """A copy of the whole state of a town. Refuses an unknown one."""
        check_text(town_id, "the id of a town")
        return decode(
            self._database.read(lambda connection: tables.known_town(connection, town_id)).text
        )

    def chronicle(
        self, town_id: str | None = None, *, limit: int = 50, kind: str | None = None
    ) -> list[Entry]:
        """The latest entries, oldest first, of one town or of all, and of one kind or of all."""
        if not 1 <= limit <= CHRONICLE_LIMIT:
            raise InvalidError(f"the limit must be in 1..{CHRONICLE_LIMIT}", code="range")
        if town_id is not None:
            self.town(town_id)
        return self._database.read(
            lambda connection: tables.chronicle(connection, town_id, limit, kind)
        )

    def proposals(self, town_id: str, *, limit: int = 20) -> list[dict[str, Json]]:
        """The latest proposals for a town that were accepted, oldest first: at most `limit`, and
        only as far back as its last few hundred records."""
        check_text(town_id, "the id of a town")
        rows = self._database.read(lambda connection: connection.execute(tables.RECENT, [town_id]))
        documents = (read_text(record.encode()) for (record,) in rows)
        proposals = [each["handoff"]["proposal"] for each in documents if each["kind"] == "handoff"]
        return proposals[:limit][::-1]

    def receipt(self, key: str) -> dict[str, Json] | None:
        """The result of the accepted handoff that used a key, while its receipt is kept."""
        check_text(key, "a key")
        select = "SELECT result FROM town_receipt WHERE key = ?"
        rows = self._database.read(lambda connection: connection.execute(select, [key]))
        result: dict[str, Json] | None = read_text(rows[0][0].encode()) if rows else None
        return result

    # What a keeper orders. Each order is one record of the journal.

    def execute_order(self, order: Order[Answer]) -> Answer:
        """Carry out an order of the keeper; its answer is durable before it is returned."""
        check_order(order)
        keeper_order = cast(KeeperOrder, order)
        answer = self._database.submit(
            lambda connection: tables.execute_order(connection, keeper_order, self._draws)
        )
        return cast(Answer, answer.result())

    def create_town(self, town_id: str) -> Town:
        """Create a town with this id, which is also its name."""
        return self.execute_order(CreateTown(town_id))

    def advance_day(self) -> int:
        """Let the next day begin in every town; return it."""
        return self.execute_order(AdvanceDay())

    def tip(self) -> tuple[int, str]:
        """The number of records in the journal, and the last link of its chain, which stands for
        all of them."""
        [(n, last)] = self._database.read(lambda connection: connection.execute(tables.LAST_RECORD))
        return n + 1, bytes(last).hex()

    def verify(self, tip: str | None = None) -> Verified:
        """Replay the journal, and compare everything that the database holds with it. In epochs of
        older rules only the chain and the receipts are checked; see `thorp.town.audit`.

        Before that the database checks itself. A `tip` that was noted earlier must lie on the
        chain.
        """
        noted = read_tip(tip)
        check = self._database.check()
        if check.problem is not None:
            return Verified(records=0, tip="", towns=0, day=0, difference=check.problem, epochs=())
        verdict = self._database.read(lambda connection: verify_world(connection, noted))
        return msgspec.structs.replace(verdict, self_check=check.name)


def _find_world(database: Database) -> WorldRow | None:
    """The world of this database; None if it has none. Refuses a world of a newer version."""
    try:
        return database.read(tables.world_row)
    except StatementError:
        return None  # no such table: no world was created here
