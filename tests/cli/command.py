"""Run `thorp` and `god` as a user would, each in a process of its own.

Starting Python and importing everything takes a second, and there are hundreds of calls. So a
process that has imported the commands once is forked for each call: arguments, streams, directory
and environment are the child's own, and it ends with the command's exit code. `THORP` is the
installed command itself, for tests of signals, pipes and terminals.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from thorp.cli import main

THORP = Path(sys.executable).with_name("thorp")
PATIENCE_SECONDS = 120
_FORKS = multiprocessing.get_context("forkserver")
# The last of these is what typer imports when it first reads arguments.
_FORKS.set_forkserver_preload(
    [
        "thorp.cli.god",
        *(
            f"thorp.cli.{name}"
            for name in (*main.GROUPS, *main.COMMANDS)
            if name not in main.MODULES
        ),
        "thorp.server.host",
        "thorp.village",
        "thorp.bridges.chronicle",
        "typer._adapters",
    ]
)


def run(
    program: str,
    *arguments: str | Path,
    cwd: Path | None = None,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """What became of a command: `thorp` or `god`."""
    words = [str(each) for each in arguments]
    with TemporaryDirectory() as streams:
        given, out, errors = (Path(streams) / name for name in ("stdin", "stdout", "stderr"))
        given.write_bytes(stdin)
        child = _FORKS.Process(
            target=_become,
            args=(
                program,
                words,
                [given, out, errors],
                cwd or Path.cwd(),
                {**os.environ, **(environment or {})},
            ),
        )
        child.start()
        child.join(PATIENCE_SECONDS)
        if child.exitcode is None:
            child.kill()
            raise TimeoutError(f"{program} {words}: not done after {PATIENCE_SECONDS} s")
        return subprocess.CompletedProcess(
            [program, *words], child.exitcode, out.read_bytes(), errors.read_bytes()
        )


def _become(
    program: str, words: list[str], streams: list[Path], cwd: Path, environment: dict[str, str]
) -> None:
    """Be the command, in the forked process."""
    for descriptor, file in enumerate(streams):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), descriptor)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    sys.argv = [program, *words]
    main.god() if program == "god" else main.main()


def thorp(
    *arguments: str | Path, cwd: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[bytes]:
    return run("thorp", *arguments, cwd=cwd, stdin=stdin.encode())


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line of a refusal: exit code 2, nothing on standard output."""
    message = done.stderr.decode()
    assert done.returncode == 2, (done.returncode, message)
    assert done.stdout == b""
    assert message.startswith("thorp: ")
    assert message.count("\n") == 1
    return message
