"""A command that is told to end, by one who tells it more than once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

COMMAND = """
import time, typer
from thorp.cli.main import _run

commands = typer.Typer()

@commands.callback()
def options(): ...

@commands.command()
def wait():
    try:
        print("waiting", flush=True)
        time.sleep(60)
    finally:
        time.sleep(0.3)
        print("put away", flush=True)

_run(commands, "thorp")
"""


def test_whoever_is_told_twice_puts_its_things_away_all_the_same() -> None:
    command = [sys.executable, "-c", COMMAND, "wait"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "waiting\n"
        waiting.send_signal(signal.SIGTERM)
        time.sleep(0.05)
        waiting.send_signal(signal.SIGTERM)
        told, errors = waiting.communicate(timeout=20)
        assert (told, errors, waiting.returncode) == ("put away\n", "", 128 + signal.SIGTERM)
