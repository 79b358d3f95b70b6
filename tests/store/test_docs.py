"""What the documentation shows is true."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from thorp.store import Journal, database, files, read_journal, record, session
from thorp.store.testing import BreakableDisk

TEXT = (Path(__file__).parents[2] / "docs" / "store.md").read_text()


def test_the_example_of_a_journal_is_one() -> None:
    [example] = re.findall(r"```jsonl\n(.*?)```", TEXT, re.DOTALL)
    disk = BreakableDisk(seed=1)
    path = disk.root / "world.jsonl"
    disk.create(path).write(0, example.encode())
    with Journal.open(disk, path) as journal:
        assert journal.recovery.header == {"rules": 3, "seed": 42}
        assert (journal.records, journal.recovery.torn) == (3, None)
    assert list(read_journal(disk, path))[2] == b'{"tick":2,"handoff":"h-3"}'


def test_a_line_can_be_checked_by_hand(tmp_path: Path) -> None:
    [example] = re.findall(r"```jsonl\n(.*?)```", TEXT, re.DOTALL)
    [command] = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "world.jsonl").write_text(example)
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=60, check=True
    )
    assert done.stdout.strip().decode() == json.loads(example.splitlines()[1])["hash"]


def test_the_table_of_limits_is_complete_and_right() -> None:
    found = dict(re.findall(r"^\| `((?:MAX|BUSY|CLOSE)_\w+)` \| ([^|]+) \|", TEXT, re.MULTILINE))
    units = {"KiB": 1024, "MiB": 1024 * 1024, "s": 1}
    for name, text in found.items():
        number, *unit = text.replace(",", "").split()
        value = int(number) * units[unit[0]] if unit else int(number)
        owners = [
            module for module in (database, files, record, record, session) if hasattr(module, name)
        ]
        assert {getattr(module, name) for module in owners} == {value}, name
    assert len(found) == 9


def test_optional_libraries_are_not_imported_before_they_are_needed() -> None:
    code = (
        "import sys, thorp.store, thorp.store.testing; print({'psycopg', 'apsw'} & "
        "set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    assert done.stdout.strip() == b"set()"
