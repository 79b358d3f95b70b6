"""Metrics of a society, in thousandths, by which the director chooses events.

Deeds are counted in buckets of some ticks; what is older than the window no longer counts. All figures are
for one agent, those away included, and stop at 1,000.

    trade            trades; 5 each are full
    conflict         what land did not allow; 720 each are full
    exploration      chunks entered farther out than ever before; 20 each are full
    infrastructure   blueprints built; 5 each are full
    inequality       Gini coefficient of what agents carry
"""

from typing import Final, Literal, NamedTuple

from thorp.voxel.society.records import Bucket
from thorp.voxel.state.world import WorldState

BUCKET_TICKS: Final = 300
WINDOW_TICKS: Final = 72_000
FULL: Final = 1_000

Kind = Literal["trades", "denials", "explored", "built"]
# This many for each agent make the figure full.
FULL_COUNTS: Final[dict[Kind, int]] = {"trades": 5, "denials": 720, "explored": 20, "built": 5}

# In halves, because the least is one half.
WEALTH: Final = {"CRYSTAL_SHARD": 100, "IRON_INGOT": 20, "COPPER_INGOT": 12, "COAL": 2, "PLANK": 2}
OTHER_WEALTH: Final = 1


class Metrics(NamedTuple):
    trade: int
    conflict: int
    exploration: int
    infrastructure: int
    inequality: int


def count(world: WorldState, kind: Kind) -> None:
    buckets, start = world.director.buckets, world.tick - world.tick % BUCKET_TICKS
    if not buckets or buckets[-1].start_tick != start:
        while buckets and buckets[0].start_tick <= world.tick - WINDOW_TICKS:
            del buckets[0]
        buckets.append(Bucket(start))
    counts = buckets[-1].counts
    counts[kind] = counts.get(kind, 0) + 1


def total(world: WorldState, kind: Kind) -> int:
    """How often it happened in the window."""
    since = world.tick - WINDOW_TICKS
    return sum(bucket.counts.get(kind, 0) for bucket in world.director.buckets if bucket.start_tick > since)


def measure(world: WorldState) -> Metrics:
    """The figures of now; all zero in an empty world."""
    agents = len(world.agents)
    if not agents:
        return Metrics(0, 0, 0, 0, 0)

    def share(kind: Kind) -> int:
        return min(FULL, FULL * total(world, kind) // (agents * FULL_COUNTS[kind]))

    wealth = [
        sum(count * WEALTH.get(item, OTHER_WEALTH) for item, count in agent.inventory.items())
        for agent in world.agents
    ]
    return Metrics(share("trades"), share("denials"), share("explored"), share("built"), gini(wealth))


def gini(values: list[int]) -> int:
    """How unequal values are: 0 if all are the same, nearly 1,000 if one has everything."""
    together, size = sum(values), len(values)
    if not together:
        return 0
    spread = sum((2 * rank - size - 1) * value for rank, value in enumerate(sorted(values), 1))
    return FULL * spread // (size * together)
