"""Templates: the tasks of a suite as people write them, in TOML, one file a family.

    [[task]]
    id = "live-logs"
    difficulty = 1
    ...

A suite that is frozen has the same tasks as lines with digests. Templates, oracles and proofs stay
in the sources, in `suites/`.
"""

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.errors import InvalidError, UnknownError
from thorp.tasks.record import Task

SUFFIX: Final = ".toml"


def read_templates(folder: Path, families: Collection[str] = ()) -> list[Task]:
    """The tasks of a folder, sealed: all, or those of some families. Refuses one that cannot be
    read."""
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise UnknownError(f"{folder}: no templates (*{SUFFIX}) here", code="templates")
    return [
        _read_task(path, fields)
        for path in files
        if not families or path.stem in families
        for fields in tomllib.loads(path.read_text("utf-8"))["task"]
    ]


def _read_task(path: Path, fields: dict[str, object]) -> Task:
    prompt = str(fields.get("prompt", "")).strip()
    try:
        task = msgspec.convert({"family": path.stem, **fields, "prompt": prompt}, Task).sealed()
    except msgspec.ValidationError as problem:
        raise InvalidError(f"{path}: {fields.get('id')}: {problem}", code="task") from None
    task.check()
    return task
