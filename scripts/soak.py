"""Everything at once, for long: `python scripts/soak.py [--minutes 30] [--agents 500]`; a night has
600.

A served village with its chronicle, bots in processes of their own, viewers on sockets, and a
follower. The server's disk is slow: every sync takes longer, and some take much longer. In the
first two fifths of the time the server, the follower and the bots are killed (SIGKILL) in turn and
started again; after that nothing is, and memory must be flat. A line a minute says how it goes. At
the end everything is verified. Bots and follower stand for other machines, so they run at a lower
priority than the server.

Late ticks are those that the server itself counts, from the moment the bots come until they are
stopped: also the ones after a restart, when everybody comes in again, and those behind a slow sync.
Only the time in which there is no server, from its kill to its first tick, is not counted. Beside
it stands how many slots were skipped, and which share of a core every part took while nothing was
killed.

Exit code 1: something ended by itself, memory grew, ticks were late, or something does not verify.
Then the ends of the logs are shown, too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

import aiohttp

BOTS_A_PROCESS: Final = 250
BOTS_KILLED_UP_TO: Final = 12
"""Kills. Bots that were killed come again as others, and their bodies stay: 2,500 fill a world."""
MAX_GROWTH: Final = 1.15
"""Of memory, from the third to the last quarter of the time."""
ELSEWHERE: Final = ("nice", "-n", "19")
LOG_CHARS: Final = 3_000
START_SECONDS: Final = 900.0
"""A new village lives for two days before anybody is let in."""

# A disk whose syncs take 10 ms longer, and one in 500 of them 300 ms, once the village is founded.
SLOW_DISK: Final = """
import os, random, sys, time
sync, founded = os.fdatasync, sys.argv.pop()
def slow(descriptor):
    if os.path.exists(founded):
        time.sleep(0.3 if random.random() < 1 / 500 else 0.01)
    sync(descriptor)
os.fdatasync = slow
from thorp.cli.main import main
main()
"""


class Part:
    """A process of the soak that is killed and started again."""

    def __init__(self, name: str, command: list[str], log: Path) -> None:
        self.name, self._command, self._log = name, command, log
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """End it as Ctrl-C would; the exit code."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.kill()
            return -9

    @property
    def cpu_seconds(self) -> float:
        """Of it and of what it started, such as the villagers of the server, also of what has ended
        since."""
        found = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rpartition(")")[2].split()
                if int(fields[3]) == self.process.pid:  # the session, which it leads
                    found += sum(map(int, fields[11:15]))
        return found / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mb(self) -> float:
        try:
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        except OSError:
            return 0.0
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class Viewers:
    """Spectators on sockets, who come again when the server does."""

    def __init__(self, url: str, count: int) -> None:
        self.frames = 0
        self._url = url
        thread = threading.Thread(target=lambda: asyncio.run(self._watch_all(count)), daemon=True)
        thread.start()

    async def _watch_all(self, count: int) -> None:
        async with aiohttp.ClientSession() as session:
            await asyncio.gather(*(self._watch(session) for _ in range(count)))

    async def _watch(self, session: aiohttp.ClientSession) -> None:
        subscribe = {
            "type": "SUBSCRIBE",
            "protocol_version": "0.1",
            "chunk_radius": 1,
            "max_chunks": 64,
        }
        while True:
            try:
                async with session.ws_connect(self._url, max_msg_size=0) as ws:
                    await ws.send_json(subscribe)
                    async for _ in ws:
                        self.frames += 1
            except (aiohttp.ClientError, OSError):
                pass
            await asyncio.sleep(1)


class Soak:
    """All parts, and what was seen of them."""

    def __init__(self, directory: Path, agents: int, viewers: int, begin: Path | None) -> None:
        self.data, self.copy = directory / "data", directory / "copy"
        if begin is not None:
            shutil.copytree(begin, self.data)
        self._ports = free_port(), free_port()
        leader, follower = self._ports
        self.url = f"http://127.0.0.1:{leader}"
        up = ["up", "--village", "--data", str(self.data), "--port", str(leader)]
        up += ["--end-with", str(os.getpid())]
        founded = directory / "founded"
        command = [sys.executable, "-c", SLOW_DISK, *up, str(founded)]
        self.server = Part("server", command, directory / "server.log")
        self.wait_for_tick()
        self.kills = 0
        self.ticks = self.late = self.skipped = 0
        self._seen: dict[str, int] = {}
        self.look()
        founded.touch()
        token = ["--token-file", str(self.data / "admin-token"), "--port", str(follower)]
        follow = ["follow", self.url, "--data", str(self.copy), *token]
        thorp = [*ELSEWHERE, sys.executable, "-m", "thorp"]
        self.follower = Part("follower", [*thorp, *follow], directory / "follower.log")
        bots = [*thorp, "bots", "--url", f"ws://127.0.0.1:{leader}/v1/ws", "--data", str(self.data)]
        self.bots = [
            Part(f"bots {number}", [*bots, "--count", str(count)], directory / "bots.log")
            for number, count in enumerate(shares(agents))
        ]
        self.viewers = Viewers(f"ws://127.0.0.1:{leader}/admin/v1/observer/ws", viewers)
        self.parts = [self.server, self.follower, *self.bots]

    def metrics(self) -> dict[str, Any] | None:
        """What the server tells of itself; None while it does not answer."""
        try:
            token = (self.data / "admin-token").read_text().split()[0]
            request = Request(
                f"{self.url}/admin/v1/state", headers={"Authorization": f"Bearer {token}"}
            )
            with urlopen(request, timeout=10) as answer:
                found: dict[str, Any] = json.load(answer)["metrics"]
                return found
        except (OSError, LookupError, ValueError):
            return None

    def wait_for_tick(self) -> None:
        until = time.monotonic() + START_SECONDS
        while self.metrics() is None:
            if self.server.process.poll() is not None or time.monotonic() > until:
                raise SystemExit("soak: the server did not start; see server.log")
            time.sleep(0.5)

    def look(self) -> dict[str, Any]:
        """Add up ticks and late ones since the last look; counters begin anew with each server."""
        now = self.metrics() or {}
        for name, key in (("ticks", "tick"), ("late", "late_ticks"), ("skipped", "skipped_ticks")):
            before, value = self._seen.get(key, now.get(key, 0)), now.get(key, 0)
            fresh = value if value < before and key != "tick" else value - before
            setattr(self, name, getattr(self, name) + max(0, fresh))
        if now:
            self._seen = {key: now[key] for key in ("tick", "late_ticks", "skipped_ticks")}
        return now

    def kill_next(self) -> str:
        parts = self.parts if self.kills < BOTS_KILLED_UP_TO else [self.server, self.follower]
        part = parts[self.kills % len(parts)]
        self.wait_for_tick()  # bots that find no server do not wait for one
        self.look()
        part.kill()
        if part is self.server:
            self._seen = {**self._seen, "late_ticks": 0, "skipped_ticks": 0}
        self.kills += 1
        part.start()
        return part.name

    def followed_tick(self) -> int:
        try:
            url = f"http://127.0.0.1:{self._ports[1]}/admin/v1/observer/bootstrap"
            with urlopen(url, timeout=10) as answer:
                return int(json.load(answer)["tick"])
        except (OSError, LookupError, ValueError):
            return -1


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def shares(agents: int) -> list[int]:
    whole, rest = divmod(agents, BOTS_A_PROCESS)
    return [BOTS_A_PROCESS] * whole + ([rest] if rest else [])


def verify(soak: Soak) -> list[str]:
    """What of the world, its story and the follower's copy does not verify."""
    wrong = []
    for command in (
        ("world", "verify", "--data", str(soak.data)),
        ("story", "verify", "--data", str(soak.data)),
        ("world", "verify", "--data", str(soak.copy)),
    ):
        thorp = [sys.executable, "-m", "thorp", *command]
        done = subprocess.run(thorp, capture_output=True, text=True, check=False)
        print(f"thorp {' '.join(command)}: {(done.stdout or done.stderr).strip()}", flush=True)
        if done.returncode:
            wrong.append(
                f"thorp {command[0]} {command[1]} of {Path(command[3]).name}: exit "
                f"{done.returncode}"
            )
    return wrong


def flat(samples: list[dict[str, float]]) -> list[str]:
    """Whose memory grew from the third to the last quarter."""
    third, last = (
        samples[len(samples) // 2 : len(samples) * 3 // 4],
        samples[len(samples) * 3 // 4 :],
    )
    wrong = []
    for name in samples[-1]:
        before, after = (
            statistics.median(one[name] for one in part) for part in (third or last, last)
        )
        print(f"memory of {name}: {before:.0f} MB, then {after:.0f} MB", flush=True)
        if after > before * MAX_GROWTH:
            wrong.append(f"the memory of {name} grew from {before:.0f} to {after:.0f} MB")
    return wrong


def run(asked: argparse.Namespace, directory: Path) -> list[str]:
    soak = Soak(directory, asked.agents, asked.viewers, asked.begin)
    samples: list[dict[str, float]] = []
    wrong: list[str] = []
    began = last_line = time.monotonic()
    killed = "nothing"
    calm: tuple[float, list[float]] | None = None
    try:
        while (passed := time.monotonic() - began) < asked.minutes * 60:
            time.sleep(asked.kill_seconds)
            killed = soak.kill_next() if passed < asked.minutes * 24 else "nothing"
            if killed == "nothing" and calm is None:
                calm = time.monotonic(), [part.cpu_seconds for part in soak.parts]
            now = soak.look()
            samples.append({part.name: part.memory_mb for part in soak.parts})
            for part in soak.parts:
                if part.process.poll() is not None:
                    wrong.append(f"{part.name} ended by itself with {part.process.returncode}")
                    part.start()
            if time.monotonic() - last_line >= min(60.0, asked.minutes * 6):
                last_line = time.monotonic()
                followed = soak.followed_tick()
                behind = now["tick"] - followed if now and followed >= 0 else "?"
                print(
                    f"{passed / 60:.0f} min  tick {now.get('tick', '-')}  clients "
                    f"{now.get('clients', '-')}  "
                    f"viewers {now.get('viewers', '-')} ({soak.viewers.frames} frames)  "
                    f"server {soak.server.memory_mb:.0f} MB  follower "
                    f"{soak.follower.memory_mb:.0f} MB, "
                    f"{behind} behind  late {soak.late} of {soak.ticks}  skipped {soak.skipped}  "
                    f"kills {soak.kills} (last {killed})",
                    flush=True,
                )
        if calm is not None:
            seconds = max(1.0, time.monotonic() - calm[0])
            for part, before in zip(soak.parts, calm[1], strict=True):
                print(
                    f"CPU of {part.name}: {(part.cpu_seconds - before) / seconds:.2f} of a core",
                    flush=True,
                )
    finally:
        codes = {part.name: part.stop() for part in (*soak.bots, soak.follower, soak.server)}
    wrong += [
        f"{name} did not end by Ctrl-C: {code}"
        for name, code in codes.items()
        if code not in (0, 130)
    ]
    share = 100 * soak.late / max(1, soak.ticks)
    print(
        f"late ticks: {share:.2f} % of {soak.ticks}, {soak.skipped} skipped; the goal is "
        f"{asked.late} %",
        flush=True,
    )
    if share > asked.late:
        wrong.append(f"{share:.2f} % of the ticks were late")
    if not soak.viewers.frames:
        wrong.append("no viewer saw anything")
    return [*wrong, *flat(samples), *verify(soak)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--agents", type=int, default=500)
    parser.add_argument("--viewers", type=int, default=5)
    parser.add_argument("--kill-seconds", type=float, default=30.0)
    parser.add_argument(
        "--begin", type=Path, metavar="DIR", help="A village to begin with, which is copied."
    )
    parser.add_argument(
        "--late", type=float, default=1.0, metavar="PERCENT", help="The most late ticks."
    )
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as name:
        wrong = run(asked, Path(name))
        for log in sorted(Path(name).glob("*.log")) if wrong else ():
            print(
                f"{log.name} ends:\n{log.read_text(errors='replace')[-LOG_CHARS:]}", file=sys.stderr
            )
    for one in wrong:
        print(f"soak: {one}", file=sys.stderr)
    print("soak: " + ("failed" if wrong else "everything held"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
