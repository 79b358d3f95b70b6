"""What a log costs: leaves added in batches, a checkpoint of a large log, the verification of a proof."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from thorp.kernel.tlog import write_proof
from thorp.log import Log, Signer, make_leaf, verify_proof
from thorp.log.directory import PUBLIC, create, prove
from thorp.log.verify import Trust
from thorp.store import RealDisk

BATCH = 20_000


def leaves(first: int, count: int) -> list[bytes]:
    return [
        make_leaf("file", {"bytes": number, "sha256": f"{number:064x}"})
        for number in range(first, first + count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--leaves", type=int, default=1_000_000)
    total = parser.parse_args().leaves
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
            print(f"{total} leaves a CPU second: {total / added:,.0f}, with tiles {total / published:,.0f}")
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
