"""A served world under load: `python bench/voxel_live.py [--agents 1,10,50] [--seconds 60] [--runs
1]`.

A second process holds the clients: real WebSockets, each answering every OBS with an ACT (5 Hz),
walking to places nearby, mining and placing. Printed for each number of agents: CPU and wall time
of a tick (median and p99), slots without a tick, memory of the server, the time from the start of a
tick until its OBS is received (all clients), and each phase of the tick. CPU times are also given
at reference speed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from calibration import REFERENCE_MS, calibration_ms

AGENTS: Final = (1, 10, 50, 200, 500, 1000, 2000)
SEED: Final = 1337
JOINS_AT_ONCE: Final = 50
WARM_UP_SECONDS: Final = 5.0
HELLO: Final = {
    "type": "HELLO",
    "protocol_version": "0.9",
    "agent_name": "bench",
    "capabilities": {"delta_voxels": True, "max_queue": 8},
}


# The server's process.


async def serve(data: Path, senders: int) -> None:
    """Serve a world; a line on standard input says when to begin to measure, the next one when to
    stop."""
    from thorp.server.access.principals import Principals
    from thorp.server.access.tokens import Role, Tokens
    from thorp.server.host import listening, living
    from thorp.server.http.server import Server
    from thorp.server.live.tick_meter import TickMeter
    from thorp.server.settings import WORLD
    from thorp.store import RealDisk
    from thorp.voxel import WorldService

    class StampedMeter(TickMeter):
        """Also knows when each tick began."""

        def __init__(self) -> None:
            super().__init__()
            self.starts: dict[int, float] = {}
            self.spent: list[float] = []
            """CPU of the whole process so far, at each tick's start."""

        def begin(self) -> None:
            self.starts[service.world.tick + 1] = time.monotonic()
            self.spent.append(time.process_time())
            for number, sender in enumerate(getattr(live.agents, "senders", ())):
                spent = live.agents.cpu_seconds.get(sender.name, 0.0)
                senders_spent.setdefault(number, []).append((sender.done_tick, spent))
            super().begin()

    loop = asyncio.get_running_loop()
    senders_spent: dict[int, list[tuple[int, float]]] = {}
    server = Server(data, Principals(Tokens(data), loopback=Role.OPERATOR))
    async with listening(server, "127.0.0.1", 0) as port:
        service = WorldService.open(RealDisk(), data / WORLD, seed=SEED, draw_seed=SEED)
        async with living(server, service, "real", senders=senders) as live:
            meter = live.loop.meter = StampedMeter()
            print(port, flush=True)
            await loop.run_in_executor(None, sys.stdin.readline)
            meter.forget()
            meter.spent.clear()
            senders_spent.clear()
            clock, began, cpu = live.loop.clock, time.monotonic(), time.process_time()
            before = (clock.late, clock.skipped)
            slowness = [calibration_ms() / REFERENCE_MS]
            await loop.run_in_executor(None, sys.stdin.readline)
            slowness.append(calibration_ms() / REFERENCE_MS)
            wall = time.monotonic() - began
            found = {
                "cpu": {name: list(samples) for name, samples in meter.cpu.items()},
                "wall": {name: list(samples) for name, samples in meter.wall.items()},
                "starts": meter.starts,
                "process": [after - before for before, after in pairwise(meter.spent)],
                "senders": [
                    [
                        (spent - before) / (tick - last)
                        for (last, before), (tick, spent) in pairs
                        if tick > last
                    ]
                    for pairs in map(pairwise, senders_spent.values())
                ],
                "late": clock.late - before[0],
                "skipped": clock.skipped - before[1],
                "share": (time.process_time() - cpu) / wall,
                "slowness": sum(slowness) / 2,
                "rss_mb": rss_mb(),
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                "agents": len(live.agents),
            }
            print(json.dumps(found), flush=True)


def rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


# The clients' process.


def _length(frame: bytes) -> int:
    """Of a frame whose length has two bytes."""
    return int.from_bytes(frame[2:4], "big")


class Client(asyncio.Protocol):
    """An agent that reads as little of an OBS as it needs, so that many fit into one process."""

    def __init__(self, number: int, port: int, latencies: dict[int, list[float]]) -> None:
        self.number = number
        self.rng = random.Random(number)
        self._port = port
        self._latencies = latencies
        self._buffer = bytearray()
        self._upgraded = False
        self._home: tuple[int, int, int] | None = None
        self.ready = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        head = (
            "GET /v1/ws HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        )
        transport.write("\r\n".join(head).encode() + b"\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        if (
            self._upgraded
            and not buffer
            and data[:2] == b"\x81\x7e"
            and len(data) == 4 + _length(data)
        ):
            self._frame(data[4:604])  # the usual: one whole OBS
            return
        buffer += data
        if not self._upgraded:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            del buffer[: end + 4]
            self._upgraded = True
            self._send(json.dumps(self.hello()).encode())
        start = 0
        while len(buffer) - start >= 4:
            size, head = buffer[start + 1], 2
            if size == 126:
                size, head = int.from_bytes(buffer[start + 2 : start + 4], "big"), 4
            elif size == 127:
                if len(buffer) - start < 10:
                    break
                size, head = int.from_bytes(buffer[start + 2 : start + 10], "big"), 10
            if len(buffer) - start < head + size:
                break
            if buffer[start] == 0x81:
                self._frame(bytes(buffer[start + head : start + head + min(size, 600)]))
            start += head + size
        del buffer[:start]

    def _frame(self, text: bytes) -> None:
        if not text.startswith(b'{"type":"OBS"'):
            return
        now = time.monotonic()
        at = text.index(b'"tick":') + 7
        tick = int(text[at : text.index(b",", at)])
        self._latencies.setdefault(tick, []).append(now)
        at = text.index(b'"pos":[') + 7
        x, y, z = (int(number) for number in text[at : text.index(b"]", at)].split(b","))
        if self._home is None:
            self._home = (x, y, z)
            self.ready.set_result(None)
        wish = self.wish(x, y, z)
        more = b"," + json.dumps(wish).encode()[1:] if wish else b"}"
        self._send(
            b'{"type":"ACT","protocol_version":"0.9","tick":%d,"agent_id":"A0"%b' % (tick, more)
        )

    def hello(self) -> dict[str, Any]:
        return HELLO

    def wish(self, x: int, y: int, z: int) -> dict[str, Any]:
        """What it asks for: tasks and instants."""
        act: dict[str, Any] = {}
        rng, (home_x, _, home_z) = self.rng, self._home or (x, y, z)
        what = rng.randrange(20)
        if what < 3:
            target = [home_x + rng.randrange(-12, 13), y, home_z + rng.randrange(-12, 13)]
            act["tasks"] = [{"id": "go", "type": "MOVE_TO", "target": target, "tolerance": 1}]
        elif what == 3:
            act["tasks"] = [{"id": "dig", "type": "MINE", "block_pos": [x + 1, y - 1, z]}]
        elif what == 4:
            place = {
                "id": "put",
                "type": "PLACE",
                "block_pos": [x - 1, y - 1, z],
                "item_id": "DIRT",
            }
            act["tasks"] = [place]
        elif what == 5:
            act["instants"] = [{"id": "say", "type": "SAY", "text": "good morning"}]
        return act

    def _send(self, text: bytes) -> None:
        size = len(text)
        short = (
            struct.pack("!BB", 0x81, 0x80 | size)
            if size < 126
            else struct.pack("!BBH", 0x81, 0xFE, size)
        )
        self._transport.write(short + bytes(4) + text)

    def connection_lost(self, problem: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(problem or ConnectionError("closed before the first OBS"))


async def load(
    agents: int, seconds: float, server: subprocess.Popen[str], kind: type[Client]
) -> dict[str, Any]:
    """Connect clients to a server and measure it."""
    assert server.stdin is not None
    assert server.stdout is not None
    loop = asyncio.get_running_loop()
    port = int(await loop.run_in_executor(None, server.stdout.readline))
    latencies: dict[int, list[float]] = {}
    clients: deque[Client] = deque()
    for first in range(0, agents, JOINS_AT_ONCE):
        batch = [kind(n, port, latencies) for n in range(first, min(agents, first + JOINS_AT_ONCE))]
        waiting = iter(batch)
        await asyncio.gather(
            *(loop.create_connection(waiting.__next__, "127.0.0.1", port) for _ in batch)
        )
        await asyncio.gather(*(client.ready for client in batch))
        clients += batch
    await asyncio.sleep(WARM_UP_SECONDS)
    server.stdin.write("measure\n")
    server.stdin.flush()
    latencies.clear()
    cpu = time.process_time()
    await asyncio.sleep(seconds)
    clients_share = (time.process_time() - cpu) / seconds
    server.stdin.write("stop\n")
    server.stdin.flush()
    found: dict[str, Any] = json.loads(await loop.run_in_executor(None, server.stdout.readline))
    found["clients_share"] = clients_share
    starts = {int(tick): start for tick, start in found["starts"].items()}
    found["latency"] = [
        arrival - starts[tick]
        for tick, arrivals in latencies.items()
        if tick in starts
        for arrival in arrivals
    ]
    for client in clients:
        client._transport.abort()
    return found


def measure(
    agents: int,
    seconds: float,
    prepare: Callable[[Path], None] = lambda data: None,
    client: type[Client] = Client,
    senders: int = 0,
) -> dict[str, Any]:
    """Serve a world, which `prepare` may have put into its directory, to a number of clients."""
    with tempfile.TemporaryDirectory() as directory:
        prepare(Path(directory))
        command = [sys.executable, __file__, "--serve", directory, "--senders", str(senders)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as server:
            return asyncio.run(load(agents, seconds, server, client))


def at(samples: list[float], q: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(samples) or [0.0]
    return ordered[min(len(ordered) - 1, int(len(ordered) * q))] * 1000


def report(agents: int, found: dict[str, Any]) -> None:
    slowness = found["slowness"]
    cpu, wall, latency, whole = (
        found["cpu"]["all"],
        found["wall"]["all"],
        found["latency"],
        found["process"],
    )
    print(
        f"{agents:5d} agents  tick CPU {at(cpu, 0.5):6.1f} p99 {at(cpu, 0.99):6.1f} ms "
        f"(calibrated {at(cpu, 0.5) / slowness:.1f}, p99 {at(cpu, 0.99) / slowness:.1f})  "
        f"wall {at(wall, 0.5):6.1f} p99 {at(wall, 0.99):6.1f}  "
        f"late {found['late']} skipped {found['skipped']}  "
        f"OBS after {at(latency, 0.5):.0f} p99 {at(latency, 0.99):.0f} ms  "
        f"RSS {found['rss_mb']:.0f} MB  one core {found['share']:.0%}, "
        f"clients {found['clients_share']:.0%} of another",
        flush=True,
    )
    print(
        f"     process  CPU of everything between two ticks' starts {at(whole, 0.5):.1f} "
        f"p99 {at(whole, 0.99):.1f} ms (calibrated {at(whole, 0.5) / slowness:.1f}, "
        f"p99 {at(whole, 0.99) / slowness:.1f})",
        flush=True,
    )
    for number, spent in enumerate(found["senders"]):
        print(
            f"    sender {number + 1}  CPU of a tick {at(spent, 0.5):.1f} p99 "
            f"{at(spent, 0.99):.1f} ms",
            flush=True,
        )
    for kind in ("cpu", "wall"):
        spans = found[kind].items()
        phases = "  ".join(
            f"{name} {at(span, 0.5):.1f}/{at(span, 0.99):.1f}" for name, span in spans
        )
        print(f"{kind:>12s}  {phases}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agents", default=",".join(map(str, AGENTS)))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--runs", type=int, default=1, help="of each, the one with the fewest skipped ticks counts"
    )
    parser.add_argument(
        "--senders", type=int, default=0, help="how many processes send for the server"
    )
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        asyncio.run(serve(options.serve, options.senders))
        return
    print("median/p99 by phase in ms; CPU times calibrated to the reference machine in brackets")
    for agents in map(int, options.agents.split(",")):
        runs = [
            measure(agents, options.seconds, senders=options.senders) for _ in range(options.runs)
        ]
        report(
            agents, min(runs, key=lambda found: (found["skipped"], at(found["cpu"]["all"], 0.99)))
        )


if __name__ == "__main__":
    main()
