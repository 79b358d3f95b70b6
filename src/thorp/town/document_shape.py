"""Rules from which a contract is made: a table of them validates documents and gives their schema.

A rule can *check* a value, adding everything that is wrong to the findings, and *describe* itself
as JSON Schema. Both come from one table, so the validator refuses whatever the schema refuses.
Checks that a schema cannot express are in the module of their contract. The codes of `Findings` are
stable; `docs/town.md` lists them.
"""

import json
import math
import re
from collections.abc import Mapping
from enum import Enum
from typing import Protocol

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, Violation, item, member
from thorp.kernel.numbers import SAFE_INTEGER, as_double, number_text, whole

Schema = dict[str, Json]
SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"

NESTING_LIMIT = 64  # Deepest nesting inside an unknown member that is kept, as in a request body.
CONTENT_LIMIT = 600_000
"""Most values inside such a member: more than fit in a request body of 1 MiB. It also ends the walk
through a structure that contains itself."""
FINDINGS_LIMIT = 100
"""Most violations in one report: a hostile document cannot cause a report larger than itself."""
_QUOTED_CHARACTERS = 40  # The most of a text that a message quotes.

TINY = 1e-4  # A number below this may be written with an exponent.


class Findings(list[Violation]):
    """Violations found so far, in the order of the contract."""

    def is_full(self) -> bool:
        """Whether further violations would be dropped."""
        return len(self) >= FINDINGS_LIMIT

    def add(self, code: str, path: str, message: str) -> None:
        """Add a violation, unless there are too many already."""
        if not self.is_full():
            self.append(Violation(code, path, message))

    def refuse(self) -> None:
        """Raise an error with all violations, if there are any."""
        if self:
            raise ContractError(self)


def quote(value: object) -> str:
    """A value in a sentence: short, and safe whatever the value is."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        start = json.dumps(value[:_QUOTED_CHARACTERS])
        return start if len(value) <= _QUOTED_CHARACTERS else f"{start}… ({len(value)} characters)"
    if isinstance(value, (int, float)):
        double = as_double(value)
        return number_text(double) if math.isfinite(double) else "a number that no double holds"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"a {type(value).__name__}"


def check_json(value: object, path: str, findings: Findings) -> None:
    """Add a violation for everything inside a value that JSON cannot carry (other types and keys,
    NaN, infinities), and for a value that is too deep or too large."""
    waiting = [(value, path, 0)]
    for _ in range(CONTENT_LIMIT):
        if not waiting or findings.is_full():
            return
        content, where, depth = waiting.pop()
        if content is None or isinstance(content, (str, bool)):
            continue
        if isinstance(content, (int, float)):
            if not math.isfinite(as_double(content)):
                findings.add("non_finite", where, f"expected a finite number, got {quote(content)}")
        elif not isinstance(content, (Mapping, list, tuple)):
            findings.add("not_json", where, f"{quote(content)} is not a JSON value")
        elif depth == NESTING_LIMIT:
            findings.add("depth", where, f"nested deeper than {NESTING_LIMIT} levels")
        else:
            inside = [
                (inner, place, depth + 1) for inner, place in _inside(content, where, findings)
            ]
            waiting += reversed(inside)
    findings.add("limit", path, f"expected at most {CONTENT_LIMIT} values inside")


def _inside(
    content: Mapping[object, object] | list[object] | tuple[object, ...],
    where: str,
    findings: Findings,
) -> list[tuple[object, str]]:
    """The values directly inside a list or object, each with its path."""
    if not isinstance(content, Mapping):
        return [(inner, item(where, index)) for index, inner in enumerate(content)]
    inside = []
    names: set[str] = set()
    for key, inner in content.items():
        if not isinstance(key, str):
            findings.add("not_json", where, f"a key must be a string, got {quote(key)}")
            continue
        if plain_text(key) in names:
            findings.add("not_json", member(where, key), "two spellings of one key")
        names.add(plain_text(key))
        inside.append((inner, member(where, key)))
    return inside


class Rule(Protocol):
    """One rule of a contract: it checks a value, and describes itself as JSON Schema."""

    def check(self, value: object, path: str, findings: Findings) -> None: ...
    def schema(self) -> Schema: ...


class Others(Enum):
    """What becomes of members that a record does not name."""

    REFUSED = "refused"
    IGNORED = "never looked at"
    KEPT = "passed on, so they must be JSON"


class Text(msgspec.Struct, frozen=True):
    """A string, which may have to match a pattern."""

    may_be_empty: bool = False
    pattern: str | None = None

    def check(self, value: object, path: str, findings: Findings) -> None:
        if not isinstance(value, str):
            findings.add("type", path, f"expected a string, got {quote(value)}")
        elif not value and not self.may_be_empty:
            findings.add("empty", path, "expected a string that is not empty")
        elif self.pattern is not None and not re.fullmatch(self.pattern, value):
            findings.add("pattern", path, f"expected {self.pattern}, got {quote(value)}")

    def schema(self) -> Schema:
        schema: Schema = {"type": "string"}
        if self.pattern is not None:
            schema["pattern"] = f"^{self.pattern}$"
        elif not self.may_be_empty:
            schema["minLength"] = 1
        return schema


class Number(msgspec.Struct, frozen=True):
    """A finite double. Booleans are never numbers; a whole one may be spelled `5.0`."""

    low: float | None = None
    high: float | None = None
    is_whole: bool = False

    def check(self, value: object, path: str, findings: Findings) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            findings.add("type", path, f"expected a number, got {quote(value)}")
            return
        double = as_double(value)
        if not math.isfinite(double):
            findings.add("non_finite", path, f"expected a finite number, got {quote(value)}")
        elif self.is_whole and not double.is_integer():
            findings.add("not_whole", path, f"expected a whole number, got {quote(value)}")
        elif self.low is not None and double < self.low:
            findings.add(
                "range", path, f"expected at least {number_text(self.low)}, got {quote(value)}"
            )
        elif self.high is not None and double > self.high:
            findings.add(
                "range", path, f"expected at most {number_text(self.high)}, got {quote(value)}"
            )

    def schema(self) -> Schema:
        limits = {"minimum": self.low, "maximum": self.high}
        given = {name: limit for name, limit in limits.items() if limit is not None}
        return {"type": "integer" if self.is_whole else "number", **given}


class Flag(msgspec.Struct, frozen=True):
    """A boolean; with `only`, that value."""

    only: bool | None = None

    def check(self, value: object, path: str, findings: Findings) -> None:
        if self.only is not None and value is not self.only:
            findings.add("enum", path, f"expected {quote(self.only)}, got {quote(value)}")
        elif not isinstance(value, bool):
            findings.add("type", path, f"expected true or false, got {quote(value)}")

    def schema(self) -> Schema:
        return {"type": "boolean"} if self.only is None else {"const": self.only}


class Choice(msgspec.Struct, frozen=True):
    """One of a few strings."""

    among: tuple[str, ...]

    def check(self, value: object, path: str, findings: Findings) -> None:
        if not isinstance(value, str) or value not in self.among:
            findings.add("enum", path, f"expected {' or '.join(self.among)}, got {quote(value)}")

    def schema(self) -> Schema:
        return {"const": self.among[0]} if len(self.among) == 1 else {"enum": list(self.among)}


class Scalar(msgspec.Struct, frozen=True):
    """A string, a finite number, a boolean or null."""

    def check(self, value: object, path: str, findings: Findings) -> None:
        if value is None or isinstance(value, (str, bool)):
            return
        if isinstance(value, (int, float)):
            Number().check(value, path, findings)
        else:
            findings.add(
                "type", path, f"expected a string, number, boolean or null, got {quote(value)}"
            )

    def schema(self) -> Schema:
        return {"type": ["string", "number", "boolean", "null"]}


class OrNull(msgspec.Struct, frozen=True):
    """A value of another rule, or null."""

    rule: Rule

    def check(self, value: object, path: str, findings: Findings) -> None:
        if value is not None:
            self.rule.check(value, path, findings)

    def schema(self) -> Schema:
        return {"anyOf": [{"type": "null"}, self.rule.schema()]}


class Flags(msgspec.Struct, frozen=True):
    """An object of booleans under any names, at least one."""

    def check(self, value: object, path: str, findings: Findings) -> None:
        if not isinstance(value, Mapping):
            findings.add("type", path, f"expected an object, got {quote(value)}")
            return
        if not value:
            findings.add("empty", path, "expected at least one entry")
        for name, content in value.items():
            if not isinstance(name, str):
                findings.add("not_json", path, f"a key must be a string, got {quote(name)}")
            elif not isinstance(content, bool):
                findings.add(
                    "type", member(path, name), f"expected true or false, got {quote(content)}"
                )

    def schema(self) -> Schema:
        return {"type": "object", "minProperties": 1, "additionalProperties": {"type": "boolean"}}


class Items(msgspec.Struct, frozen=True):
    """A list. With `unique_by`, no two items may have the same string under that name."""

    rule: Rule
    at_most: int | None = None
    unique_by: str | None = None

    def check(self, value: object, path: str, findings: Findings) -> None:
        if not isinstance(value, (list, tuple)):
            findings.add("type", path, f"expected a list, got {quote(value)}")
            return
        if self.at_most is not None and len(value) > self.at_most:
            findings.add("limit", path, f"expected at most {self.at_most} items, got {len(value)}")
            return
        seen: dict[str, int] = {}
        for index, content in enumerate(value):
            self.rule.check(content, item(path, index), findings)
            name = content.get(self.unique_by) if isinstance(content, Mapping) else None
            if (
                isinstance(name, str)
                and (first := seen.setdefault(plain_text(name), index)) != index
            ):
                where = f"{item(path, index)}.{self.unique_by}"
                findings.add(
                    "unique",
                    where,
                    f"{quote(name)} is already the {self.unique_by} of item {first}",
                )

    def schema(self) -> Schema:
        bound = {} if self.at_most is None else {"maxItems": self.at_most}
        return {"type": "array", "items": self.rule.schema(), **bound}


class Object(msgspec.Struct, frozen=True):
    """An object with named members."""

    required: Mapping[str, Rule]
    optional: Mapping[str, Rule] = msgspec.field(default_factory=dict)
    others: Others = Others.REFUSED

    def check(self, value: object, path: str, findings: Findings) -> None:
        if not isinstance(value, Mapping):
            findings.add("type", path, f"expected an object, got {quote(value)}")
            return
        for name, rule in self.required.items():
            if name in value:
                rule.check(value[name], f"{path}.{name}", findings)
            else:
                findings.add("missing", f"{path}.{name}", f"{name} is required")
        for name, rule in self.optional.items():
            if name in value:
                rule.check(value[name], f"{path}.{name}", findings)
        if self.others is not Others.IGNORED:
            self._check_others(value, path, findings)

    def _check_others(self, value: Mapping[object, object], path: str, findings: Findings) -> None:
        for name, content in value.items():
            if name in self.required or name in self.optional:
                continue
            if not isinstance(name, str):
                findings.add("not_json", path, f"a key must be a string, got {quote(name)}")
            elif self.others is Others.REFUSED:
                findings.add("unknown_key", member(path, name), "this contract has no such key")
            else:
                check_json(content, member(path, name), findings)

    def schema(self) -> Schema:
        members = {name: rule.schema() for name, rule in {**self.required, **self.optional}.items()}
        schema: Schema = {"type": "object", "properties": members, "required": list(self.required)}
        if self.others is Others.REFUSED:
            schema["additionalProperties"] = False
        return schema


def document_schema(name: str, rule: Rule) -> Schema:
    """A whole contract as JSON Schema."""
    return {"$schema": SCHEMA_DIALECT, "title": name, **rule.schema()}


def when(name: str, value: str, **members: Schema) -> Schema:
    """A JSON Schema condition: if member `name` has this value, `members` have these schemas."""
    condition = {"properties": {name: {"const": value}}, "required": [name]}
    return {"if": condition, "then": {"properties": members}}


# From here on: values as the contracts' original, which is JavaScript, holds them after reading
# them from JSON. Every number is a double there, and a string is a sequence of UTF-16 code units.
# So an integer beyond 2^53 loses its last digits, `5.0` and `5` are one number, and two surrogates
# that make a pair are one character.


def plain_text(text: str) -> str:
    """The string, of type `str` itself, with surrogate pairs joined."""
    if text.isascii():
        return str.__str__(text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def spelled(number: float) -> float:
    """The same number, in the type that msgspec writes as the original would: an `int` if it is
    whole. ValueError if no type does, because the text may need an exponent or has too many digits.
    """
    if number > SAFE_INTEGER or 0 < number < TINY:
        raise ValueError("a number of unusual size")
    return int(number) if type(number) is float and number.is_integer() else number


def plain_value(value: Json) -> Json:
    """A copy of a JSON value, in Python's own types, that shares nothing with it."""
    if isinstance(value, str):
        return plain_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return whole(as_double(value))
    if isinstance(value, Mapping):
        return {plain_text(key): plain_value(content) for key, content in value.items()}
    return [plain_value(content) for content in value]
