"""The wheel, installed in an environment of its own, starts the village; an unsupported system is
told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).parent.parent
PATIENCE_SECONDS = 120


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The commands of a new environment that has the wheel. Nothing is fetched: what Thorp depends
    on is taken from the environment of this test, as files on the path, so nothing of its own Thorp
    is seen."""
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(
        directory=str(tmp_path / "dist"), versions=["standard"]
    )
    venv.create(tmp_path / "environment", with_pip=True)
    commands = tmp_path / "environment" / "bin"
    install = [str(commands / "pip"), "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run(install, check=True, timeout=PATIENCE_SECONDS)
    (packages,) = (tmp_path / "environment").glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (packages / "borrowed.pth").write_text("\n".join(borrowed))
    where = subprocess.check_output(
        [commands / "python", "-c", "import thorp; print(thorp.__file__)"], text=True
    )
    assert Path(where.strip()).parent == packages / "thorp"
    return commands


def test_an_installed_wheel_starts_the_village(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "short.yaml").write_text(
        "day_ticks: 60\nseason_length_ticks: 42000\ntick_rate_hz: 20\n"
    )
    elsewhere = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(installed / "thorp"), "up", "--village", "--port", "0", "--tuning", "short.yaml"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=elsewhere, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            deadline = time.monotonic() + PATIENCE_SECONDS
            while _villagers(url, tmp_path / "thorp-data") < 24:
                assert server.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.2)
            with urlopen(url, timeout=10) as page:
                assert b"<title>" in page.read()
            server.send_signal(signal.SIGINT)
            assert server.wait(30) == 0
        finally:
            server.kill()


def _villagers(url: str, data: Path) -> int:
    token = (data / "admin-token").read_text().strip()
    asked = Request(f"{url}admin/v1/state", headers={"Authorization": f"Bearer {token}"})
    try:
        with urlopen(asked, timeout=10) as answer:
            state: dict[str, Any] = json.loads(answer.read())
            return int(state["metrics"]["clients"])
    except OSError:
        return 0


@pytest.mark.parametrize(
    "system", ['sys.platform = "win32"', "sys.version_info = (3, 10, 4, 'final', 0)"]
)
@pytest.mark.parametrize("command", ["main", "god"])
def test_an_unsupported_system_gets_one_sentence(system: str, command: str) -> None:
    script = f"import sys; {system}; from thorp.__main__ import {command}; {command}()"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "thorp needs Python 3.11 or newer on Linux or macOS (on Windows, use WSL)"
    )
    assert done.stderr.count("\n") == 1
