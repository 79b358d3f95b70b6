"""What the project is installed with: groups, versions and hashes that fit together."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text()
PINS = {
    name.lower().replace("_", "-"): hashes
    for name, hashes in re.findall(
        r"^([\w.-]+)==[^\\]*((?:\\\n    --hash=\S+ ?)+)", CONSTRAINTS, re.M
    )
}
BUILDING = {"hatchling>=1.27", "editables>=0.5"}


def test_what_make_runs_with_is_what_the_package_needs() -> None:
    assert set(GROUPS["run"]) == {*PROJECT["project"]["dependencies"], *BUILDING}
    assert len(PROJECT["project"]["dependencies"]) <= 9


def test_every_requirement_of_a_group_is_pinned_with_hashes() -> None:
    for group in GROUPS.values():
        for requirement in group:
            if isinstance(requirement, str):
                name = re.split(r"[\[=<>~]", requirement)[0].lower().replace("_", "-")
                assert "--hash=sha256:" in PINS[name], name


def test_constraints_name_no_address() -> None:
    assert "://" not in CONSTRAINTS
    pinned = re.findall(r"^[\w.-]+==", CONSTRAINTS, re.M)
    assert len(pinned) == len(PINS), "every pin has a hash"


def test_the_pins_are_made_for_the_oldest_python_that_is_declared() -> None:
    """A later patch of it finds versions that Debian's own Python cannot install."""
    declared = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f'"--python-version={declared}.0"' in (ROOT / "scripts" / "lock.py").read_text()
