"""Loads catalogs from the package's data files, and tuning from the operator's YAML file."""

from collections.abc import Hashable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import yaml

from thorp.kernel.errors import InvalidError
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel.catalog import Block, Blueprint, Catalogs, EventTemplate, Item, LawTemplate, Recipe
from thorp.voxel.state.ground import CHUNK, HEIGHT
from thorp.voxel.tuning import Tuning, read_tuning

# The file with every value, and a comment on each, has 3,000 bytes.
MAX_TUNING_BYTES: Final = 16_384

T = TypeVar("T")


@cache
def default_catalogs() -> Catalogs:
    """The catalogs that come with the package, read from `data/`."""
    data = files("thorp.voxel") / "data"
    laws = _read(data / "law_templates.json", dict[str, list[LawTemplate]])
    return Catalogs(
        blocks=_read(data / "blocks.json", list[Block]),
        items=_read(data / "items.json", list[Item]),
        recipes=_read(data / "recipes.json", list[Recipe]),
        blueprints=_read_each(data / "blueprints", Blueprint),
        law_templates=laws["templates"],
        events=_read_each(data / "events", EventTemplate),
    )


def _read(file: Traversable, kind: type[T]) -> T:
    return msgspec.json.decode(file.read_bytes(), type=kind)


def _read_each(folder: Traversable, kind: type[T]) -> list[T]:
    files_in_order = sorted(folder.iterdir(), key=lambda file: file.name)
    return [_read(file, kind) for file in files_in_order if file.name.endswith(".json")]


def example_tuning() -> str:
    """A tuning file with every value and a comment on each."""
    return (files("thorp.voxel") / "data" / "tuning.yaml").read_text("utf-8")


def load_tuning(path: Path | None, usual: Mapping[str, object] | None = None) -> Tuning:
    """The tuning of an operator's file. Values that it leaves out are as in `usual`, or have their
    defaults."""
    if path is None:
        return read_tuning(usual)
    try:
        with path.open("rb") as file:
            text = file.read(MAX_TUNING_BYTES + 1)
    except OSError as error:
        raise InvalidError(f"cannot read {path}: {error.strerror}", code="tuning") from None
    try:
        return _parse_tuning(text, usual or {})
    except InvalidError as error:
        raise InvalidError(f"{path}: {error.message}", code="tuning") from None


def _parse_tuning(text: bytes, usual: Mapping[str, object]) -> Tuning:
    if len(text) > MAX_TUNING_BYTES:
        raise InvalidError(f"a tuning file has at most {MAX_TUNING_BYTES} bytes")
    try:
        values = yaml.load(text, _EachKeyOnce)
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a malformed number or date
        raise InvalidError(f"this is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise InvalidError("this is nested too deeply") from None
    # Values that other servers let an operator choose: here they may be named, but not changed.
    named = (
        ("protocol_version", "tick_duration_ms", "chunk_size") if isinstance(values, dict) else ()
    )
    fixed = {name: values.pop(name) for name in named if name in values}
    tuning = read_tuning({**usual, **values} if isinstance(values, dict) else values or usual)
    only = {
        "protocol_version": PROTOCOL_VERSION,
        "tick_duration_ms": 1000 // tuning.tick_rate_hz,
        "chunk_size": [CHUNK, CHUNK, HEIGHT],
    }
    for key, value in fixed.items():
        if value != only[key] or type(value) is not type(only[key]):
            raise InvalidError(f"tuning: {key} can only be {only[key]!r} here, not {value!r}")
    for key in ("starter_items", "claim_maintenance_cost"):
        for name in getattr(tuning, key):
            if name not in default_catalogs().items:
                raise InvalidError(f"tuning: {key} names {name}, which is not an item")
    return tuning


class _EachKeyOnce(yaml.SafeLoader):
    """YAML that refuses the same key twice, which the plain loader accepts in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        mapping = super().construct_mapping(node, deep=deep)
        if len(mapping) != len(node.value):
            raise yaml.constructor.ConstructorError(
                None, None, "a key stands here twice", node.start_mark
            )
        return mapping
