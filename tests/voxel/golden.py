"""The golden world of this release: `python -m tests.voxel.golden` writes it anew.

Until a release is out, a change of rules writes it anew. From then on it stays as it is: a release
with other rules raises `RULES` in `persistence.record`, names itself in `RELEASES`, writes a
directory of its own beside this one, and must still open, prove and continue this one.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec

from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.inline import Inline
from thorp.store import RealDisk
from thorp.voxel import WorldService, verify

GOLDEN = Path(__file__).parent.parent / "golden" / "voxel-0.1"
# Under rules 1, before there were achievements, and under rules 2, before new bodies counted for
# less.
EARLIER = (GOLDEN.with_name("voxel-0.1.dev0"), GOLDEN.with_name("voxel-0.1.dev1"))
EXPECTED = "expected.json"
SEED = 41
TICKS_OF_EACH_TUNING = 120


def write(path: Path) -> None:
    """Four agents for a few hundred ticks, with another tuning half-way."""
    disk, crowd = RealDisk(), Crowd(SEED, 4, busy=0.4)
    tuning = msgspec.structs.replace(RICH, snapshot_every_ticks=50)
    for chosen in (tuning, msgspec.structs.replace(tuning, place_reach=4)):
        with WorldService.open(
            disk,
            path,
            seed=SEED,
            draw_seed=SEED + 1,
            tuning=chosen,
            retune=True,
            threads=Inline,
            clock=lambda: 1_700_000_000.0,
            effort=lambda: 0.0,
        ) as service:
            for _ in range(TICKS_OF_EACH_TUNING):
                service.tick(crowd.inputs(service.world)).result()
    (path / "lock").unlink()
    verdict = verify(disk, path)
    assert verdict.ok, verdict
    expected = {"tick": verdict.last_good_tick, "digest": verdict.digest, "tip": verdict.tip}
    (path / EXPECTED).write_text(json.dumps(expected, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if GOLDEN.exists():
        shutil.rmtree(GOLDEN)
    write(GOLDEN)
    print(f"{GOLDEN}: {sum(file.stat().st_size for file in GOLDEN.iterdir()):,} bytes")
