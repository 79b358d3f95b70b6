"""Numbered steps from an empty database to the schema the code wants.

Each component (a ledger, a town) has its own steps and its own number, so that several can live in one
database. A step is one or more statements. Steps that a release has shipped never change; the next
release adds to the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from thorp.kernel.errors import StaleError
from thorp.store.session import Connection

Step = Sequence[str]

_TABLE = "CREATE TABLE IF NOT EXISTS schema_version (component TEXT PRIMARY KEY, version BIGINT NOT NULL)"
_SET = (
    "INSERT INTO schema_version (component, version) VALUES (?, ?) "
    "ON CONFLICT (component) DO UPDATE SET version = excluded.version"
)


def migrate(connection: Connection, component: str, steps: Sequence[Step]) -> int:
    """Apply the steps that this database lacks; return how many it had.

    Use it as a work of its own, so that all steps are one transaction:
    `database.submit(lambda connection: migrate(connection, "ledger", STEPS)).result()`. A database
    with more steps than the code knows is refused as `newer`.
    """
    connection.execute(_TABLE)
    rows = connection.execute("SELECT version FROM schema_version WHERE component = ?", [component])
    version: int = rows[0][0] if rows else 0
    if version > len(steps):
        raise StaleError(
            f"this database has version {version} of {component}, and this release knows {len(steps)}; "
            "use a newer release",
            code="newer",
        )
    for step in steps[version:]:
        for statement in step:
            connection.execute(statement)
    if version < len(steps):
        connection.execute(_SET, [component, len(steps)])
    return version
