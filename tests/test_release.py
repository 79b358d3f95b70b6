"""A release: one version everywhere, builds equal to the byte, checksums that can be checked."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts import release

import thorp
from tests.environments import environment_or_skip

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MOMENT = "1700000000"
"""The time of all files in a build: 2023-11-14, 22:13:20 UTC."""

UNRELEASED = re.compile(r"\n## Unreleased\n.*?\n(?=## )", re.DOTALL)
NAMING_THE_VERSION = ("CHANGELOG.md", "CITATION.cff", "Containerfile", "src/thorp/__init__.py")


def _unpacked(sdist: Path, into: Path) -> Path:
    release.unpack(sdist, into)
    (tree,) = into.iterdir()
    return tree


def test_every_place_names_the_same_version() -> None:
    """Between releases the changelog may begin with what is new; only `make release` refuses that."""
    problems = release.problems_of(ROOT)
    assert [each for each in problems if "begins with 'Unreleased'" not in each] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("src/thorp/__init__.py", thorp.__version__, "9.8.7", "CHANGELOG.md: begins with"),
        ("src/thorp/__init__.py", thorp.__version__, "9.8.7", "CITATION.cff: cites version"),
        ("src/thorp/__init__.py", thorp.__version__, "9.8.7", "Containerfile: has no label"),
        ("CHANGELOG.md", "\n## ", "\n## Unreleased\n\n## ", "begins with 'Unreleased'"),
        ("CITATION.cff", "date-released: 2", "date-released: 1", "CITATION.cff: dated 1"),
    ],
)
def test_a_tree_that_names_two_versions_is_not_released(
    file: str, old: str, new: str, problem: str, tmp_path: Path
) -> None:
    for name in NAMING_THE_VERSION:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changelog = tmp_path / "CHANGELOG.md"
    # As on the day of a release, when the changelog begins with it.
    changelog.write_text(UNRELEASED.sub("\n", changelog.read_text("utf-8")), "utf-8")
    text = (tmp_path / file).read_text("utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new), "utf-8")
    assert any(problem in each for each in release.problems_of(tmp_path))


def test_builds_on_other_days_in_other_folders_are_equal_to_the_byte(tmp_path: Path) -> None:
    """The second is built from what the first contains, touched and with other permissions."""
    first = release.build(ROOT, tmp_path / "first", MOMENT)
    tree = _unpacked(first[0], tmp_path / "elsewhere")
    (tree / "PKG-INFO").unlink()  # written by the build: a checkout has none
    long_ago = time.time() - 10 * 365 * 86_400
    for path in tree.rglob("*"):
        if path.is_file():
            path.chmod(path.stat().st_mode & 0o700)
        os.utime(path, (long_ago, long_ago))
    second = release.build(tree, tmp_path / "second", MOMENT)
    release.compare(first, second)
    with tarfile.open(first[0]) as archive:
        assert {member.mtime for member in archive} == {int(MOMENT)}
    with ZipFile(first[1]) as wheel:
        assert {entry.date_time for entry in wheel.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        assert "thorp/server/static/index.html" in wheel.namelist()
        assert not [name for name in wheel.namelist() if name.startswith(("tests/", "scripts/"))]

    with second[1].open("ab") as wheel_file:
        wheel_file.write(b"\n")
    with pytest.raises(SystemExit, match="two builds of one commit differ"):
        release.compare(first, second)


@pytest.mark.long
def test_the_list_names_all_that_an_installation_contains(tmp_path: Path) -> None:
    """Installed twice, the two lists are equal, and neither says where."""
    lister = environment_or_skip(tmp_path / "environment", "release") / "cyclonedx-py"
    _, wheel = release.build(ROOT, tmp_path / "dist", MOMENT)
    listing = release.list_contents(wheel, lister, tmp_path / "dist", MOMENT)
    text = listing.read_text("utf-8")
    contents = json.loads(text)
    assert contents["bomFormat"] == "CycloneDX"
    assert contents["metadata"]["component"]["name"] == "thorp"
    assert contents["metadata"]["component"]["version"] == thorp.__version__
    assert contents["metadata"]["timestamp"] == "2023-11-14T22:13:20+00:00"
    names = {canonicalize_name(component["name"]) for component in contents["components"]}
    assert names >= {Requirement(each).name for each in PROJECT["dependencies"]}
    assert not names & {"cyclonedx-bom", "hatchling", "pip", "pytest", "thorp"}
    assert str(tmp_path) not in text
    assert tempfile.gettempdir() not in text
    release.list_contents(wheel, lister, tmp_path / "dist", MOMENT)
    assert listing.read_text("utf-8") == text


def test_checksums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    files = [tmp_path / "one.whl", tmp_path / "two.json"]
    for file in files:
        file.write_bytes(file.name.encode())
    checksums = release.write_checksums(files, tmp_path)
    check = ["sha256sum", "--check", "--strict", checksums.name]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 0
    files[0].write_bytes(b"something else")
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 1


def test_the_changelog_is_sorted_by_what_became_of_a_thing() -> None:
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        headings = re.findall(r"^### (.+)$", section, re.M)
        assert headings == [kind for kind in kinds if kind in headings]
        for part in re.split(r"^###+ ", section, flags=re.M)[1:]:
            heading, *lines = part.splitlines()
            starts = [line for line in lines if line and not line.startswith("  ")]
            assert all(line.startswith("- ") for line in starts), heading
    entries = re.findall(r"^- .+$", text, re.M)
    assert len(entries) == len(set(entries))


def test_citation_and_container_say_what_the_package_says() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PROJECT["license"].split(" AND ")[0]
    assert citation["authors"] == PROJECT["authors"]
    assert set(citation["keywords"]) == set(PROJECT["keywords"])
    container = (ROOT / "Containerfile").read_text("utf-8")
    assert f'org.opencontainers.image.licenses="{PROJECT["license"]}"' in container
    assert f'org.opencontainers.image.description="{PROJECT["description"]}"' in container
