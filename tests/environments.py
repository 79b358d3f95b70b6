"""Environments of their own for the tools that a test installs from a package index."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# To download takes seconds; from a slow index it may take minutes.
PATIENCE_SECONDS = 600


def pip_or_skip(commands: Path, *arguments: str) -> None:
    """Let an environment's pip fetch something. In CI it has to; elsewhere the test is skipped without."""
    command = [str(commands / "python"), "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    if done.returncode:
        say = pytest.fail if os.environ.get("CI") else pytest.skip
        say(f"pip cannot get what this needs: {done.stderr.strip()[-400:]}")


def environment_or_skip(home: Path, group: str) -> Path:
    """The commands of a new environment with a dependency group, checked against its hashes."""
    venv.create(home, with_pip=True)
    commands = home / "bin"
    pip_or_skip(commands, "install", "--quiet", "--upgrade", "pip>=25.1")
    checked = ("--constraint", "constraints.txt", "--group", group)
    pip_or_skip(commands, "install", "--quiet", *checked)
    return commands
