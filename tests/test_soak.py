"""The soak of `scripts/soak.py`: half an hour, or as many minutes as THORP_SOAK_MINUTES says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "soak.py"


@pytest.mark.long
def test_everything_holds_for_half_an_hour_of_kills_and_slow_disks() -> None:
    minutes = os.environ.get("THORP_SOAK_MINUTES", "30")
    agents = os.environ.get("THORP_SOAK_AGENTS", "500")
    command = [sys.executable, str(SCRIPT), "--minutes", minutes, "--agents", agents]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
