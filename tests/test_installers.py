"""The wheel installs with pip, uvx and pipx from a folder of wheels, and from nothing else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from scripts import release

import thorp
from tests.environments import environment_or_skip, pip_or_skip

ROOT = Path(__file__).parent.parent
# To download, to install or to play takes seconds; a slow network or disk may take minutes.
PATIENCE_SECONDS = 600

Done = subprocess.CompletedProcess[str]

pytestmark = pytest.mark.long


@dataclass
class Shelf:
    """A folder with the wheel and all that it needs, and where the installers' commands are."""

    wheels: Path
    commands: Path


def _run(command: list[str], environment: dict[str, str], where: Path) -> Done:
    return subprocess.run(
        command,
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """Everything is checked against the hashes in constraints.txt on its way here."""
    home = tmp_path_factory.mktemp("installers")
    commands = environment_or_skip(home / "environment", "installers")
    download = ("download", "--quiet", "--dest", str(home / "wheels"))
    pip_or_skip(commands, *download, "--constraint", "constraints.txt", "--group", "run")
    _, wheel = release.build(ROOT, home / "dist", "1700000000")
    wheel.rename(home / "wheels" / wheel.name)
    return Shelf(home / "wheels", commands)


def _alone(home: Path, **more: str) -> dict[str, str]:
    """This environment without any index, cache or folder of wheels that the user has set up."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PIP_", "PIPX_", "PYTHON", "UV_", "VIRTUAL_ENV", "XDG_"))
    }
    return {**kept, "HOME": str(home), "PIP_CONFIG_FILE": os.devnull, **more}


def _output(command: list[str], environment: dict[str, str], where: Path) -> str:
    done = _run(command, environment, where)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _plays_and_verifies(thorp_command: list[str], environment: dict[str, str], where: Path) -> None:
    """A match needs what the package depends on, and the data that it contains."""

    def call(*arguments: str) -> str:
        return _output([*thorp_command, *arguments], environment, where)

    assert call("--version") == f"thorp {thorp.__version__}\n"
    players = ("--agent", "random", "--agent", "baseline")
    played = call("match", "run", "number-guess", *players, "--seed", "42", "--out", "final.jsonl")
    assert "final.jsonl: completed" in played
    assert re.search(r"\d+ events reproduced to the byte", call("match", "verify", "final.jsonl"))


def _with_pip(shelf: Shelf, home: Path) -> tuple[list[str], dict[str, str]]:
    venv.create(home / "empty", with_pip=True)
    environment = _alone(home)
    commands = home / "empty" / "bin"
    pip = [str(commands / "pip"), "install", "--no-index", "--find-links", str(shelf.wheels)]
    _output([*pip, "thorp"], environment, home)
    return [str(commands / "thorp")], environment


def _with_uvx(shelf: Shelf, home: Path) -> tuple[list[str], dict[str, str]]:
    here = {"UV_OFFLINE": "1", "UV_PYTHON_DOWNLOADS": "never", "UV_PYTHON": sys.executable}
    environment = _alone(home, **here)
    uvx = [str(shelf.commands / "uvx"), "--no-index", "--find-links", str(shelf.wheels)]
    return [*uvx, "--from", "thorp", "thorp"], environment


def _with_pipx(shelf: Shelf, home: Path) -> tuple[list[str], dict[str, str]]:
    environment = _alone(home, PIPX_HOME=str(home / "pipx"), PIPX_BIN_DIR=str(home / "bin"))
    pipx = [str(shelf.commands / "pipx"), "install", "--python", sys.executable]
    folder_only = f"--no-index --find-links {shelf.wheels}"
    _output([*pipx, "--pip-args", folder_only, "thorp"], environment, home)
    return [str(home / "bin" / "thorp")], environment


@pytest.mark.parametrize("install", [_with_pip, _with_uvx, _with_pipx], ids=["pip", "uvx", "pipx"])
def test_thorp_installed_from_a_folder_of_wheels_plays_a_match(
    install: Callable[[Shelf, Path], tuple[list[str], dict[str, str]]], shelf: Shelf, tmp_path: Path
) -> None:
    command, environment = install(shelf, tmp_path)
    _plays_and_verifies(command, environment, tmp_path)


def test_the_folder_is_all_that_an_installer_has(shelf: Shelf, tmp_path: Path) -> None:
    """Else the tests above would pass with whatever an index has."""
    (tmp_path / "nothing").mkdir()
    command, environment = _with_uvx(Shelf(tmp_path / "nothing", shelf.commands), tmp_path)
    done = _run([*command, "--version"], environment, tmp_path)
    assert done.returncode != 0
    assert "thorp" in done.stderr
