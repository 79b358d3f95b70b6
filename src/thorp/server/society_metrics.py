"""What a society has come to, in numbers: the part of `/metrics` and `/admin/v1/state` about people.

All of it is counted when somebody asks, in a few milliseconds for a full world. Goods are counted by item;
what is kept for contracts is told apart by why it is kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, get_args

from thorp.voxel.society import event_zones, scores
from thorp.voxel.society.orgs import KINDS
from thorp.voxel.society.records import Contract, ContractState, LawStatus
from thorp.voxel.society.scores import DIMENSIONS
from thorp.voxel.state.world import World

# Who had the most fun: so many.
TOP: Final = 10

# What the protocol's first servers call what is counted, in text and in JSON.
WINDOW: Final[dict[scores.Kind, tuple[str, str]]] = {
    "trades": ("trades", "Trades"),
    "denials": ("denied", "Denied"),
    "explored": ("chunks_discovered", "ChunksDiscovered"),
    "built": ("blueprints_complete", "BlueprintsComplete"),
}
STAGES: Final = (0, 1, 2)

Goods = Counter[str]
Sample = tuple[dict[str, str], float]
"""Labels, and the number that they are about."""
Row = tuple[str, str, str, list[Sample]]
"""The name, kind, help text and samples of one metric."""


def director_metrics(world: World) -> dict[str, float]:
    """What the director goes by, from 0 to 1."""
    now = scores.measure(world)
    figures = {
        "trade": now.trade,
        "conflict": now.conflict,
        "exploration": now.exploration,
        "inequality": now.inequality,
        "public_infra": now.infrastructure,
    }
    return {name: figure / scores.FULL for name, figure in figures.items()}


def escrow(world: World) -> dict[str, Goods]:
    """What terminals keep for contracts that are not closed, and for those who have not called for it."""
    kept: dict[str, Goods] = {name: Counter() for name in ("reward", "deposit", "delivered", "owed")}
    for contract in world.contracts:
        for name, goods in _held(contract):
            kept[name].update(goods)
    for container in world.containers:
        for goods in container.owed.values():
            kept["owed"].update(goods)
    return kept


def _held(contract: Contract) -> list[tuple[str, dict[str, int]]]:
    if contract.state == "ACCEPTED":
        kept = {"reward": contract.reward, "deposit": contract.deposit, "delivered": contract.delivered}
        return list(kept.items())
    return [("reward", contract.reward)] if contract.state == "OPEN" else []


def treasuries(world: World) -> Goods:
    total: Goods = Counter()
    for org in world.orgs:
        total.update(org.treasury)
    return total


def _counts(names: Iterable[object], counted: Iterable[object]) -> dict[str, int]:
    """How often each occurs, the others too."""
    found = Counter(counted)
    return {str(name): found[name] for name in names}


def totals(world: World) -> dict[str, dict[str, int]]:
    """Lands by the stage of their upkeep, organisations by kind, laws and contracts by state, structures by
    blueprint, and the fun that all have had together, by dimension."""
    return {
        "claims": _counts(STAGES, (claim.stage for claim in world.claims)),
        "orgs": _counts(KINDS, (org.kind for org in world.orgs)),
        "laws": _counts(get_args(LawStatus), (law.status for law in world.laws)),
        "contracts": _counts(get_args(ContractState), (contract.state for contract in world.contracts)),
        "structures": dict(sorted(Counter(one.blueprint_id for one in world.structures).items())),
        "fun": {name: sum(agent.fun.get(name, 0) for agent in world.agents) for name in DIMENSIONS},
    }


def most_fun(world: World) -> list[dict[str, object]]:
    totals = [(-sum(agent.fun.values()), agent.number) for agent in world.agents if agent.fun]
    best = [(-total, world.agents[number]) for total, number in sorted(totals)[:TOP]]
    return [{"agent_id": agent.id, "name": agent.name, "total": total} for total, agent in best]


def as_json(world: World) -> dict[str, object]:
    """What `/admin/v1/state` has as `society`."""
    by, goods = totals(world), _sorted(treasuries(world))
    return {
        "claims": {"total": len(world.claims), "by_stage": by["claims"]},
        "orgs": {"total": len(world.orgs), "by_kind": by["orgs"], "treasuries": goods},
        "laws": {"total": len(world.laws), "by_status": by["laws"]},
        "contracts": {"total": len(world.contracts), "by_state": by["contracts"]},
        "escrow": {name: _sorted(goods) for name, goods in escrow(world).items()},
        "open_trades": len(world.trades),
        "boards": len(world.notices),
        "posts": sum(len(notices.posts) for notices in world.notices),
        "structures": len(world.structures),
        "season": world.season,
        "fun": {"by_dimension": by["fun"], "most": most_fun(world)},
    }


def window_as_json(world: World) -> dict[str, object]:
    """What `/admin/v1/state` has in `metrics` about the director and its event."""
    event = world.director.event
    about = event_zones.observation_fields(world)
    return {
        "stats_window_ticks": scores.WINDOW_TICKS,
        "stats_window": {name: scores.total(world, kind) for kind, (_, name) in WINDOW.items()},
        "director_metrics": director_metrics(world),
        "active_event_id": "" if event is None else event.id,
        "active_event_start_tick": 0 if event is None else event.start_tick,
        "active_event_ends_tick": about.get("active_event_ends_tick", 0),
        "active_event_center": about.get("active_event_center"),
        "active_event_radius": about.get("active_event_radius", 0),
    }


def _sorted(goods: Goods) -> dict[str, int]:
    return {item: goods[item] for item in sorted(goods) if goods[item]}


def rows(world: World, here: dict[str, str]) -> Iterator[Row]:
    """What `/metrics` has about society."""

    def by(label: str, values: Mapping[str, float]) -> list[Sample]:
        return [({**here, label: name}, value) for name, value in values.items()]

    window = {name: scores.total(world, kind) for kind, (name, _) in WINDOW.items()}
    kept = {name: goods.total() for name, goods in escrow(world).items()}
    all_of = totals(world)
    event = world.director.event
    happening = {} if event is None else {event.id: 1}
    gauges: tuple[tuple[str, str, list[Sample]], ...] = (
        ("voxelcraft_director_metric", "What the director goes by.", by("metric", director_metrics(world))),
        ("voxelcraft_stats_window", "What happened in the window.", by("metric", window)),
        ("voxelcraft_stats_window_ticks", "How long that is.", [(here, scores.WINDOW_TICKS)]),
        ("thorp_event", "1 for the event that is going on.", by("event", happening)),
        ("thorp_claims", "Lands, by the stage of their upkeep.", by("stage", all_of["claims"])),
        ("thorp_orgs", "Organisations.", by("kind", all_of["orgs"])),
        ("thorp_treasury_items", "Things in treasuries.", [(here, treasuries(world).total())]),
        ("thorp_laws", "Laws.", by("status", all_of["laws"])),
        ("thorp_contracts", "Contracts.", by("state", all_of["contracts"])),
        ("thorp_escrow_items", "Things that terminals keep for contracts.", by("why", kept)),
        ("thorp_open_trades", "Offers that wait for an answer.", [(here, len(world.trades))]),
        ("thorp_structures", "Structures that are known.", by("blueprint", all_of["structures"])),
        ("thorp_fun", "Points of all agents in this season.", by("dimension", all_of["fun"])),
        ("thorp_season", "The season.", [(here, world.season)]),
    )
    for name, help_text, samples in gauges:
        yield name, "gauge", help_text, samples
