"""What a log costs: leaves added in batches, a checkpoint of a large log, the verification of a
proof.

With `--served`: what a served world pays for being published, in CPU time of all threads.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from thorp.log import Log, Signer, make_leaf, verify_proof
from thorp.log.directory import KEY, PUBLIC, create, prove
from thorp.log.signer import create_key
from thorp.log.tlog import write_proof
from thorp.log.trust import Trust
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Tokens
from thorp.server.host import listening, living
from thorp.server.http.server import Server
from thorp.server.published_log import LOOK_SECONDS, SEAL_TICKS, LogPublisher
from thorp.store import RealDisk
from thorp.town import EmbeddedTown
from thorp.voxel import Tuning, WorldService

BATCH = 20_000


def leaves(first: int, count: int) -> list[bytes]:
    return [
        make_leaf("file", {"bytes": number, "sha256": f"{number:064x}"})
        for number in range(first, first + count)
    ]


async def served() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        RealDisk().make_directories(data / "log")
        create(
            RealDisk(), data / "log", [create_key(data / "log" / KEY, "thorp.example/bench").vkey]
        )
        with EmbeddedTown(data) as towns:
            towns.create_town("Hof")
        server = Server(data, Principals(Tokens(data)))
        service = WorldService.open(RealDisk(), data / "world", tuning=Tuning())
        async with listening(server, "127.0.0.1", 0), living(server, service, "lockstep") as live:
            publisher = LogPublisher(data)
            publisher.open_world(service)
            await publisher.look(server, live)
            for what, ticks in (("nothing to publish", 0), ("a seal to publish", SEAL_TICKS)):
                rounds, began = 100, process_time()
                for number in range(rounds):
                    service.world.tick += ticks if number else 0
                    await publisher.look(server, live)
                each = (process_time() - began) / rounds * 1e3
                per_tick = each / (ticks or service.world.tuning.tick_rate_hz * LOOK_SECONDS)
                print(f"a look with {what}: {each:.2f} ms CPU, {per_tick:.3f} ms for each tick")
            await server.towns.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=1_000_000)
    parser.add_argument("--served", action="store_true")
    given = parser.parse_args()
    if given.served:
        asyncio.run(served())
        return
    total = given.leaves
    signer = Signer("thorp.example/bench", bytes(32))
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder, "log")
        create(RealDisk(), directory, [signer.vkey])
        with Log(RealDisk(), directory) as log:
            added = published = wall = 0.0
            for first in range(0, total, BATCH):
                batch = leaves(first, min(BATCH, total - first))
                began, started = process_time(), perf_counter()
                log.add(batch)
                added += process_time() - began
                log.checkpoint([signer])
                published += process_time() - began
                wall += perf_counter() - started
            print(
                f"{total} leaves a CPU second: {total / added:,.0f}, with tiles "
                f"{total / published:,.0f}"
            )
            print(f"{total / wall:,.0f} a second of wall time with every sync")
            log.add(leaves(total, 10))
            began, started = process_time(), perf_counter()
            log.checkpoint([signer])
            cpu, took = (process_time() - began) * 1e3, (perf_counter() - started) * 1e3
            print(f"checkpoint of {log.size} leaves, ten new: {cpu:.1f} ms CPU, {took:.1f} ms wall")
            leaf = leaves(total // 2, 1)[0]
            proof = write_proof(prove(RealDisk(), directory / PUBLIC, leaf))
        rounds = 200
        began = process_time()
        for _ in range(rounds):
            verify_proof(proof, leaf, Trust((signer.vkey,)))
        each = (process_time() - began) / rounds
        print(f"verification of a proof: {each * 1e3:.2f} ms CPU, {len(proof)} bytes")


if __name__ == "__main__":
    main()
