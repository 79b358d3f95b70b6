"""What a follower costs its leader: `python bench/follow.py [--bots 200] [--seconds 20] [--pairs
3]`.

A server with bots in another process; its CPU time a tick is measured in turns without and with a
follower. Printed for each pair: milliseconds a tick, and their ratio; then the median ratio, and
how many ticks the follower was behind at most.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

THORP = [sys.executable, "-m", "thorp"]


def start(*command: str) -> tuple[subprocess.Popen[str], int]:
    """A server, and the port on which it answers."""
    process = subprocess.Popen([*THORP, *command, "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(r"listening on http://127\.0\.0\.1:(\d+)/", line):
            return process, int(match[1])
    raise SystemExit("the server did not start")


def tick_of(port: int) -> int:
    try:
        with urlopen(f"http://127.0.0.1:{port}/admin/v1/observer/bootstrap", timeout=10) as answer:
            return int(json.load(answer)["tick"])
    except OSError:
        return -1


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ms_a_tick(
    pid: int, port: int, seconds: float, follower: int | None = None
) -> tuple[float, int]:
    """CPU time of a process in a tick, and by how many ticks a follower was behind at most."""
    behind, until = 0, time.monotonic() + seconds
    cpu, tick = cpu_of(pid), tick_of(port)
    while time.monotonic() < until:
        time.sleep(0.5)
        shown, now = -1 if follower is None else tick_of(follower), tick_of(port)
        behind = max(behind, now - shown)
    return (cpu_of(pid) - cpu) * 1000 / max(1, tick_of(port) - tick), behind


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--pairs", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        data, copy = Path(name) / "leader", Path(name) / "copy"
        leader, port = start("up", "--data", str(data), "--bots", str(asked.bots))
        try:
            time.sleep(10 + asked.bots / 20)  # until all have joined
            ratios = []
            for _ in range(asked.pairs):
                alone, _ = ms_a_tick(leader.pid, port, asked.seconds)
                token = str(data / "admin-token")
                follower, shown = start(
                    "follow", f"http://127.0.0.1:{port}", "--data", str(copy), "--token-file", token
                )
                try:
                    while tick_of(shown) < tick_of(port) - 3:
                        time.sleep(0.2)
                    followed, behind = ms_a_tick(leader.pid, port, asked.seconds, shown)
                finally:
                    follower.terminate()
                    follower.wait()
                ratios.append(followed / alone)
                print(
                    f"alone {alone:6.2f} ms  followed {followed:6.2f} ms  {ratios[-1]:.3f}  "
                    f"behind {behind}"
                )
            print(f"ratio {statistics.median(ratios):.3f} with {asked.bots} bots")
        finally:
            leader.terminate()
            leader.wait()


if __name__ == "__main__":
    main()
