"""A storage fault at a chosen row: the database itself refuses it, as it would a row it cannot store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thorp.store import Connection
from thorp.story.testing.world import World

_BREAK = {
    "sqlite": "CREATE TRIGGER story_fault BEFORE INSERT ON {table} WHEN {when} "
    "BEGIN SELECT RAISE(ABORT, 'an injected fault'); END",
    "postgresql": "CREATE TRIGGER story_fault BEFORE INSERT ON {table} FOR EACH ROW WHEN ({when}) "
    "EXECUTE FUNCTION story_refuse()",
}
_MEND = {"sqlite": "DROP TRIGGER story_fault", "postgresql": "DROP TRIGGER story_fault ON {table}"}


@contextmanager
def fault(world: World, table: str, when: str = "1 = 1") -> Iterator[None]:
    """Until the end, this table takes no new row for which a condition holds."""
    change(world, {dialect: sql.format(table=table, when=when) for dialect, sql in _BREAK.items()})
    try:
        yield
    finally:
        change(world, {dialect: sql.format(table=table) for dialect, sql in _MEND.items()})


def change(world: World, statements: dict[str, str]) -> None:
    """Execute a statement behind the ledger's back, as somebody with the database's password could."""

    def work(connection: Connection) -> None:
        connection.execute(statements[connection.dialect])

    world.ledger._database.submit(work).result()


def tamper(world: World, statement: str, table: str) -> None:
    """Change rows of an append-only table, its guards taken away first."""
    for name in ("update", "delete", "replace"):
        change(
            world,
            {
                "sqlite": f"DROP TRIGGER IF EXISTS {table}_{name}",
                "postgresql": f"DROP TRIGGER IF EXISTS {table}_change ON {table}",
            },
        )
    change(world, {"sqlite": statement, "postgresql": statement})
