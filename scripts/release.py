"""Makes the files of a release in dist/: `make release`, from a clean checkout.

The source distribution, a wheel built from it, a list of everything that an installation contains
(CycloneDX), and the checksums of all three. The first two are built twice, from two checkouts, and
have to be equal to the byte: the time of every file is that of the commit (SOURCE_DATE_EPOCH), and
nothing else of this machine goes into them. docs/releasing.md says what to do before and after.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).parent.parent
CHECKSUMS: Final = "SHA256SUMS"
# cyclonedx-py reads the project's version from pyproject.toml, and does not look up a dynamic one.
DYNAMIC_VERSION: Final = 'dynamic = ["version"]'


def version_of(root: Path) -> str:
    """The version that the package itself states."""
    text = (root / "src" / "thorp" / "__init__.py").read_text("utf-8")
    stated = re.search(r'^__version__ = "(.+)"$', text, re.M)
    if stated is None:
        raise SystemExit("src/thorp/__init__.py: states no __version__")
    return stated[1]


def problems_of(root: Path) -> list[str]:
    """Why this tree cannot be released: every place that names another version, or no date."""
    problems = []
    version = version_of(root)
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (.+)$", changelog, re.M)
    heading = newest[1] if newest is not None else "nothing"
    dated = re.fullmatch(re.escape(version) + r" - (\d{4}-\d{2}-\d{2})", heading)
    if dated is None:
        problems.append(f"CHANGELOG.md: begins with {heading!r}, not '{version} - YYYY-MM-DD'")
    citation: dict[str, Any] = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    if citation["version"] != version:
        problems.append(f"CITATION.cff: cites version {citation['version']} instead of {version}")
    if dated is not None and str(citation["date-released"]) != dated[1]:
        problems.append(f"CITATION.cff: dated {citation['date-released']} instead of {dated[1]}")
    label = f'org.opencontainers.image.version="{version}"'
    if label not in (root / "Containerfile").read_text("utf-8"):
        problems.append(f"Containerfile: has no label {label}")
    return problems


def build(source: Path, into: Path, moment: str) -> list[Path]:
    """Build a source distribution from a tree, and a wheel from what that contains.

    `moment` is the time of every file in them, in seconds since 1970.
    """
    into.mkdir(parents=True)
    _run_hatchling(source, "sdist", into, moment)
    (sdist,) = into.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as scratch:
        unpack(sdist, Path(scratch))
        (unpacked,) = Path(scratch).iterdir()
        _run_hatchling(unpacked, "wheel", into, moment)
    (wheel,) = into.glob("*.whl")
    return [sdist, wheel]


def unpack(archive: Path, into: Path) -> None:
    """Unpack an archive of our own making."""
    with tarfile.open(archive) as files:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.2 has no filters yet
            files.extraction_filter = tarfile.data_filter
        files.extractall(into)


def _run_hatchling(source: Path, target: str, into: Path, moment: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    command += ["--directory", str(into)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": moment}
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"hatchling cannot build the {target}:\n{done.stderr}")


def compare(first: Iterable[Path], second: Iterable[Path]) -> None:
    """Refuse two builds that differ."""
    for one, other in zip(first, second, strict=True):
        if one.name != other.name or one.read_bytes() != other.read_bytes():
            raise SystemExit(f"{one.name}: two builds of one commit differ; nothing is released")


def list_contents(wheel: Path, lister: Path, into: Path, moment: str) -> Path:
    """Install the wheel into an empty environment, and let cyclonedx-py list what is there then."""
    version = wheel.name.split("-")[1]
    listing = into / f"thorp-{version}.cdx.json"
    with tempfile.TemporaryDirectory() as scratch:
        environment = Path(scratch) / "environment"
        venv.create(environment, with_pip=False)
        python = environment / "bin" / "python"
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        needs = ["--constraint", str(ROOT / "constraints.txt"), *project["dependencies"]]
        subprocess.run([*pip, *needs], check=True)
        # By its name alone, from this folder alone: the path of a file would go into the list.
        own = ["--no-deps", "--no-index", "--find-links", str(wheel.parent), f"thorp=={version}"]
        subprocess.run([*pip, *own], check=True)
        described = Path(scratch) / "pyproject.toml"
        text = (ROOT / "pyproject.toml").read_text("utf-8")
        described.write_text(text.replace(DYNAMIC_VERSION, f'version = "{version}"'), "utf-8")
        command = [str(lister), "environment", "--output-reproducible"]
        command += ["--pyproject", str(described), "--output-file", str(listing), str(python)]
        subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": moment}, check=True)
    return listing


def write_checksums(files: Iterable[Path], into: Path) -> Path:
    """Write the checksums as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    checksums = into / CHECKSUMS
    checksums.write_text("".join(lines), "utf-8")
    return checksums


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def _check_out(into: Path) -> Path:
    """The files of the last commit, and no others."""
    archive = into.with_suffix(".tar")
    _git("archive", "--format=tar", f"--output={archive}", "HEAD")
    unpack(archive, into)
    return into


def main() -> None:
    """Refuse a tree that is not ready; else write dist/ whole."""
    parser = argparse.ArgumentParser(description="Makes the files of a release.")
    parser.add_argument("--lister", type=Path, required=True, help="the command cyclonedx-py")
    parser.add_argument("--into", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    problems = problems_of(ROOT)
    if changes := _git("status", "--porcelain"):
        problems.append(f"not committed:\n{changes}")
    if problems:
        raise SystemExit("not ready to be released:\n" + "\n".join(problems))
    moment = _git("log", "-1", "--format=%ct")
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "dist-one"
        once = build(_check_out(Path(scratch) / "one"), made, moment)
        again = build(_check_out(Path(scratch) / "two"), Path(scratch) / "dist-two", moment)
        compare(once, again)
        _, wheel = once
        files = [*once, list_contents(wheel, options.lister, made, moment)]
        files.append(write_checksums(files, made))
        shutil.rmtree(options.into, ignore_errors=True)
        shutil.copytree(made, options.into)
    for file in files:
        print(file.name)


if __name__ == "__main__":
    main()
