"""Reads the fields of TOML tables one by one, and notes every mistake with its path, so that all of
them are reported together.

A field with a mistake is read as its default: reading goes on, and what comes of it is thrown away.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from thorp.kernel.errors import ThorpError, Violation, item, member

MAX_NAME: Final = 40
"""Characters of a name: it heads a column."""

Table = dict[str, Any]


class TableReader:
    """Reads one document of tables; `violations` are the mistakes so far."""

    def __init__(self, given: Table) -> None:
        self.given = given
        self.violations: list[Violation] = []

    def wrong(self, code: str, path: str, message: str) -> None:
        """Note a mistake."""
        self.violations.append(Violation(code, path, message))

    def only(self, path: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
        """Note every key of a table that is not among these names."""
        for key in given:
            if key not in names:
                advice = f"there is no such key; known are {', '.join(names)}"
                self.wrong("unknown_key", member(path, key), advice)

    def tables(self, key: str, most: int) -> list[tuple[str, Table]]:
        """The tables of a key, with their paths."""
        listed = self.given.get(key, [])
        if not isinstance(listed, list):
            self.wrong("value", f"$.{key}", f"they are [[{key}]] tables")
            return []
        if len(listed) > most:
            self.wrong("limit", f"$.{key}", f"{len(listed)} tables, where {most} are the most")
            return []
        paths = [(item(f"$.{key}", number), table) for number, table in enumerate(listed)]
        for path, table in paths:
            if not isinstance(table, dict):
                self.wrong("value", path, f"it must be a [[{key}]] table")
        return [(path, table) for path, table in paths if isinstance(table, dict)]

    def with_keys(
        self, tables: Sequence[tuple[str, Table]], names: Sequence[str]
    ) -> Iterator[tuple[str, Table]]:
        """Tables one after the other; before each, its unknown keys are noted."""
        for path, table in tables:
            self.only(path, table, names)
            yield path, table

    def each_once(self, key: str, names: Sequence[str]) -> None:
        """Note every name that several tables of a key have."""
        for number, name in enumerate(names):
            if name and name in names[:number]:
                advice = f"{name!r} is there twice; give each its own name"
                self.wrong(key, f"{item(f'$.{key}', number)}.name", advice)

    def name(self, path: str, table: Mapping[str, Any]) -> str:
        """The name of a table, which heads a column."""
        if "name" not in table:
            self.wrong("required", f"{path}.name", "give it a name")
            return ""
        return self.text(path, table, "name", MAX_NAME, default="")

    def text(
        self, path: str, table: Mapping[str, Any], key: str, most: int, *, default: str
    ) -> str:
        """A field that is one line of text."""
        value = table.get(key, default)
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            advice = f"it must be one line of text with at most {most} characters"
            self.wrong("value", member(path, key), advice)
            return default
        if not value.strip() and key in table:
            self.wrong("value", member(path, key), "it is empty")
        return value

    def whole(
        self, path: str, table: Mapping[str, Any], key: str, default: int | None, most: int
    ) -> int:
        """A field that is a whole number from 1 to `most`; required if there is no default."""
        if key not in table and default is None:
            self.wrong("required", member(path, key), "say after which tick, a whole number")
            return 1
        value = table.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            self.wrong("value", member(path, key), f"it must be a whole number from 1 to {most}")
            return 1
        return value

    def flag(self, path: str, table: Mapping[str, Any], key: str) -> bool:
        """A field that is true or false; false if it is left out."""
        value = table.get(key, False)
        if not isinstance(value, bool):
            self.wrong("value", member(path, key), "it must be true or false")
        return value is True

    def convert(self, path: str, value: Any, kind: Any) -> Any:
        """A value as a type of msgspec; None, and a mistake, if it does not fit."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as problem:
            reason, _, inner = str(problem).replace("`", "").partition(" - at $")
            self.wrong("value", f"{path}{inner}", reason)
            return None

    def ask(self, path: str, call: Any, *given: Any) -> Any:
        """Call a function; note a refusal as a mistake at this path."""
        try:
            return call(*given)
        except ThorpError as refusal:
            self.wrong(refusal.code, path, refusal.message)
            return None
