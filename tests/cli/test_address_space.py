"""Too little address space is one line, whatever it is that does not fit."""

import subprocess
from pathlib import Path

import pytest

from tests.server.test_up import THORP

# Too little for numpy to be loaded, for a thread to be started, for the ground, and for a server as
# such.
KILOBYTES = (100_000, 200_000, 400_000, 1_000_000)


def limited(kilobytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", f'ulimit -v {kilobytes}; exec "$@"', "thorp", *THORP, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("kilobytes", KILOBYTES)
@pytest.mark.parametrize("command", ["up", "follow"])
def test_a_server_says_in_one_line_that_it_needs_more(
    command: str, kilobytes: int, tmp_path: Path
) -> None:
    where = ["http://127.0.0.1:9"] if command == "follow" else []
    done = limited(kilobytes, command, *where, "--data", str(tmp_path / "data"), "--port", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "raise `ulimit -v` to 1048576 or more" in done.stderr
    assert not (tmp_path / "data").exists()


def test_doctor_names_the_limit(tmp_path: Path) -> None:
    done = limited(400_000, "doctor", "--data", str(tmp_path))
    assert done.returncode == 1
    assert "fail  memory      390 MiB of address space" in done.stdout
    assert "Traceback" not in done.stderr
    little = limited(100_000, "doctor", "--data", str(tmp_path))
    assert little.returncode in (1, 2)
    assert "Traceback" not in little.stderr
    assert "ulimit -v" in little.stdout + little.stderr


def test_what_needs_no_world_still_works(tmp_path: Path) -> None:
    done = limited(400_000, "token", "list", "--data", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_that_runs_out_of_memory_ends_with_a_line() -> None:
    command = ["village", "live", "--seed", "1", "--days", "1", "--quiet"]
    done = limited(300_000, *command)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("thorp: there is too little memory for this")
    assert "Traceback" not in done.stderr
