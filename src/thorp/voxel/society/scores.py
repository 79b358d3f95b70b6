"""Scores. Agents have fun, which only grows within a season, and reputation, which is earned and
lost. Society has metrics, in thousandths, by which the director chooses events. See
`docs/society-director.md`.

For the metrics, deeds are counted in buckets of BUCKET_TICKS; those that are older than the window
do not count. Each figure is per agent, with those who are away, and at most 1,000.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, get_args

from thorp.voxel.state.agent import MAX_REPUTATION, START_REPUTATION, Agent, Window
from thorp.voxel.state.records import Bucket
from thorp.voxel.state.world import WorldState

Dimension = Literal["novelty", "creation", "social", "influence", "narrative", "risk_rescue"]
DIMENSIONS: Final[tuple[Dimension, ...]] = get_args(Dimension)

# After this many ticks a lost point of law reputation comes back, up to the value that everyone
# starts with.
LAW_RECOVERY_EVERY: Final = 300
# How many windows of deals, by kind and partner, are kept: more than anyone has in a day of play.
PARTNERS_KEPT: Final = 256
# Later deals in a window decay no further: nothing is left by then.
MOST_DECAYED: Final = 32
FULL: Final = 1_000  # The whole of a share in thousandths.

Reputation = Literal["trade", "build", "social", "law"]

BUCKET_TICKS: Final = 300
WINDOW_TICKS: Final = 72_000

DeedKind = Literal["trades", "denials", "explored", "built"]
# With this many deeds per agent within the window, a metric is full.
FULL_COUNTS: Final[dict[DeedKind, int]] = {"trades": 5, "denials": 720, "explored": 20, "built": 5}

# What items count for wealth, in halves, because the least is one half.
WEALTH: Final = {"CRYSTAL_SHARD": 100, "IRON_INGOT": 20, "COPPER_INGOT": 12, "COAL": 2, "PLANK": 2}
OTHER_WEALTH: Final = 1


def award_fun(
    world: WorldState,
    agent: Agent,
    dimension: Dimension,
    base: int,
    *,
    reason: str,
    key: str | None = None,
) -> None:
    """Give an agent points of fun. With a `key` they decay with each award for the same key in a
    window."""
    points = base
    if key is not None:
        window = agent.fun_windows.get(key)
        if window is None or world.tick - window.start_tick >= world.tuning.fun_decay_window_ticks:
            window = agent.fun_windows[key] = Window(world.tick, 0)
        points = decayed(base, round(1000 * world.tuning.fun_decay_base), window.used)
        window.used += 1
        agent.changed()
    if points <= 0:
        return
    if not agent.fun:
        agent.fun = dict.fromkeys(DIMENSIONS, 0)
    agent.fun[dimension] += points
    agent.changed()
    total = agent.fun[dimension]
    world.emit(agent, "FUN", dim=dimension.upper(), delta=points, total=total, reason=reason)


def decayed(base: int, permille: int, times: int, divisor: int = 1) -> int:
    """base / divisor × (permille/1000)^times, rounded half up. In whole numbers, so that every
    machine gets the same."""
    whole = divisor
    part = base
    for _ in range(times):
        whole = whole * 1000
        part = part * permille
    return (2 * part + whole) // (2 * whole)


def change_reputation(agent: Agent, kind: Reputation, by: int) -> None:
    """Raise or lower a reputation, within its bounds."""
    agent.reputation[kind] = max(0, min(MAX_REPUTATION, agent.reputation[kind] + by))
    agent.changed()


def earn_reputation(
    world: WorldState, agent: Agent, kind: Reputation, base: int, *, partner: str, worth: int
) -> None:
    """Reward a deal with reputation: less for a small one, less with a partner that has not been
    present for long, and less each time with the same partner within a window."""
    full = world.tuning.reputation_full_worth
    length = world.tuning.fun_decay_window_ticks
    standing = partner_standing(world, partner)
    if not standing:
        return
    key = f"{kind}:{partner}"
    window = agent.dealt.get(key)
    if window is None or world.tick - window.start_tick >= length:
        if len(agent.dealt) >= PARTNERS_KEPT:
            del agent.dealt[min(agent.dealt, key=lambda name: (agent.dealt[name].start_tick, name))]
        window = agent.dealt[key] = Window(world.tick, 0)
    times = min(window.used, MOST_DECAYED)
    permille = round(1000 * world.tuning.reputation_decay_base)
    by = decayed(base * min(worth, full) * standing, permille, times, full * FULL)
    window.used += 1
    change_reputation(agent, kind, by)


def partner_standing(world: WorldState, partner: str) -> int:
    """How much an agent or an organisation counts for those who deal with it, in thousandths. It
    grows with the presence of the agent, or of the organisation's leader: new bodies cost nothing,
    so they count for nothing."""
    days = world.tuning.reputation_full_days
    if not days:
        return FULL
    org = world.orgs.get(partner)
    if org is not None:
        partner = next((member for member, role in org.members.items() if role == "LEADER"), "")
    agent = world.agent_by_id(partner)
    if agent is None:
        return 0
    return min(FULL, FULL * agent.presence(world.tick) // (days * world.tuning.day_ticks))


def step(world: WorldState) -> None:
    """Let lost law reputation come back, a point at a time."""
    if world.tick % LAW_RECOVERY_EVERY == 0:
        for agent in world.agents.awake:
            if agent.reputation["law"] < START_REPUTATION:
                change_reputation(agent, "law", 1)


# Metrics of society, by which the director chooses events


class Metrics(NamedTuple):
    """The state of society in thousandths."""

    trade: int
    conflict: int
    exploration: int
    infrastructure: int
    inequality: int


def count_deed(world: WorldState, kind: DeedKind) -> None:
    """Count a deed in the bucket of the running tick."""
    buckets = world.director.buckets
    start = world.tick - world.tick % BUCKET_TICKS
    if not buckets or buckets[-1].start_tick != start:
        while buckets and buckets[0].start_tick <= world.tick - WINDOW_TICKS:
            del buckets[0]
        buckets.append(Bucket(start))
    counts = buckets[-1].counts
    counts[kind] = counts.get(kind, 0) + 1


def total(world: WorldState, kind: DeedKind) -> int:
    """How often a kind of deed was done within the window."""
    since = world.tick - WINDOW_TICKS
    return sum(
        bucket.counts.get(kind, 0) for bucket in world.director.buckets if bucket.start_tick > since
    )


def measure(world: WorldState) -> Metrics:
    """The metrics of society now; all zero in an empty world."""
    agents = len(world.agents)
    if not agents:
        return Metrics(trade=0, conflict=0, exploration=0, infrastructure=0, inequality=0)

    def share(kind: DeedKind) -> int:
        return min(FULL, FULL * total(world, kind) // (agents * FULL_COUNTS[kind]))

    return Metrics(
        trade=share("trades"),
        conflict=share("denials"),
        exploration=share("explored"),
        infrastructure=share("built"),
        inequality=inequality(world),
    )


def halves(goods: Iterable[tuple[str, int]]) -> int:
    """What goods count for wealth, in halves."""
    return sum(count * WEALTH.get(item, OTHER_WEALTH) for item, count in goods)


def inequality(world: WorldState) -> int:
    """How unequal what agents carry is, in thousandths."""
    return gini([halves(agent.inventory.items()) for agent in world.agents])


def gini(values: list[int]) -> int:
    """How unequal values are: 0 if all are the same, nearly 1,000 if one has everything."""
    together = sum(values)
    size = len(values)
    if not together:
        return 0
    spread = sum((2 * rank - size - 1) * value for rank, value in enumerate(sorted(values), 1))
    return FULL * spread // (size * together)
