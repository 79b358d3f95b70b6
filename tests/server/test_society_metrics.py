"""The metrics of a small society, over real sockets and compared with the state."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from tests.server.serving import RawAgent, Served, with_server
from tests.voxel.society.bazaar import Books, Dealer, a_bazaar
from thorp.server.http import metrics as server_metrics
from thorp.voxel.society import escrow

KIT = {"BATTERY": 1, "CRYSTAL_SHARD": 1, "COAL": 9, "PLANK": 9, "CONTRACT_TERMINAL": 1}
QUICK: dict[str, Any] = {"starter_items": KIT, "law_notice_ticks": 1, "law_vote_ticks": 500}


async def do(agent: RawAgent, part: str, **wish: Any) -> dict[str, Any]:
    """One action, which must be granted; the result."""
    await agent.obs()
    wanted: dict[str, Any] = {part: [{"id": wish["type"], **wish}]}
    await agent.act(**wanted)
    result = await agent.result(wish["type"])
    assert result["ok"], result
    return result


async def settle(agent: RawAgent) -> None:
    """A land, a city, a law, a contract."""
    x, y, z = (await agent.obs())["self"]["pos"]
    land = await do(agent, "tasks", type="CLAIM_LAND", anchor=[x + 1, y, z], radius=8)
    org = await do(agent, "instants", type="CREATE_ORG", org_kind="CITY", org_name="Thorpe")
    await do(agent, "instants", type="ORG_DEPOSIT", org_id=org["org_id"], item_id="PLANK", count=4)
    law = {"land_id": land["land_id"], "template_id": "MARKET_TAX", "params": {"market_tax": 0.1}}
    await do(agent, "instants", type="PROPOSE_LAW", **law)
    await do(agent, "tasks", type="PLACE", block_pos=[x, y, z + 2], item_id="CONTRACT_TERMINAL")
    terms = {
        "requirements": [{"item": "STONE", "count": 1}],
        "reward": [{"item": "COAL", "count": 3}],
    }
    terminal = f"CONTRACT_TERMINAL@{x},{y},{z + 2}"
    kind = {"contract_kind": "GATHER", "terminal_id": terminal}
    await do(agent, "instants", type="POST_CONTRACT", **kind, **terms)


async def values_of(served: Served) -> dict[str, str]:
    """The metrics by name and labels, without the world's."""
    _, text = await served.get("/metrics")
    for line in text.splitlines():
        assert re.fullmatch(r"(# (HELP|TYPE) .+)|([a-zA-Z_]+(\{[^}]*\})? -?[0-9.]+)", line), line
    found = re.findall(r"^([a-z_]+)\{world=\"world_1\",?([^}]*)\} ([0-9.]+)$", text, re.MULTILINE)
    return {f"{name}{{{labels}}}" if labels else name: value for name, labels, value in found}


@with_server(**QUICK)
async def test_metrics_of_a_society(served: Served) -> None:
    async with served.agent() as mole:
        await settle(mole)
        values = await values_of(served)
    expected = {
        'thorp_claims{stage="0"}': "1",
        'thorp_claims{stage="2"}': "0",
        'thorp_orgs{kind="CITY"}': "1",
        'thorp_orgs{kind="GUILD"}': "0",
        "thorp_treasury_items": "4",
        'thorp_laws{status="ACTIVE"}': "0",
        'thorp_contracts{state="OPEN"}': "1",
        'thorp_contracts{state="ACCEPTED"}': "0",
        'thorp_escrow_items{why="reward"}': "3",
        'thorp_escrow_items{why="deposit"}': "0",
        'thorp_event{event="MARKET_WEEK"}': "1",
        'thorp_fun{dimension="novelty"}': "10",
        "thorp_open_trades": "0",
        "thorp_season": "1",
        "voxelcraft_stats_window_ticks": "72000",
        'voxelcraft_stats_window{metric="trades"}': "0",
        'voxelcraft_director_metric{metric="inequality"}': "0",
    }
    assert {name: values[name] for name in expected} == expected
    assert {name for name in values if name.startswith("voxelcraft_director_metric")} == {
        f'voxelcraft_director_metric{{metric="{metric}"}}'
        for metric in ("trade", "conflict", "exploration", "inequality", "public_infra")
    }
    assert (
        int(values['thorp_laws{status="NOTICE"}']) + int(values['thorp_laws{status="VOTING"}']) == 1
    )


@with_server(**QUICK)
async def test_the_state_of_a_society(served: Served) -> None:
    async with served.agent() as mole:
        await settle(mole)
        state = json.loads((await served.get("/admin/v1/state"))[1])
    society, metrics = state["society"], state["metrics"]
    assert society["claims"] == {"total": 1, "by_stage": {"0": 1, "1": 0, "2": 0}}
    assert society["orgs"] == {
        "total": 1,
        "by_kind": {"CITY": 1, "GUILD": 0},
        "treasuries": {"PLANK": 4},
    }
    assert society["laws"]["total"] == 1
    assert society["contracts"]["by_state"] == {
        "OPEN": 1,
        "ACCEPTED": 0,
        "COMPLETED": 0,
        "FAILED": 0,
    }
    assert society["escrow"] == {"reward": {"COAL": 3}, "deposit": {}, "delivered": {}, "owed": {}}
    assert society["fun"]["most"] == [{"agent_id": "A1", "name": "mole", "total": 10}]
    assert metrics["stats_window"] == {
        "Trades": 0,
        "Denied": 0,
        "ChunksDiscovered": 0,
        "BlueprintsComplete": 0,
    }
    assert metrics["stats_window_ticks"] == 72_000
    assert metrics["director_metrics"]["public_infra"] == 0
    event = served.live.service.world.director.event
    assert event is not None
    assert metrics["active_event_id"] == "MARKET_WEEK"
    assert metrics["active_event_center"] == list(event.center or ())
    assert (metrics["active_event_start_tick"], metrics["active_event_ends_tick"]) == (
        event.start_tick,
        event.ends_tick,
    )


@with_server(world_events=False)
async def test_a_world_in_which_nothing_is_going_on(served: Served) -> None:
    values = await values_of(served)
    assert not [name for name in values if name.startswith("thorp_event")]
    metrics = json.loads((await served.get("/admin/v1/state"))[1])["metrics"]
    assert (metrics["active_event_id"], metrics["active_event_center"]) == ("", None)
    assert metrics["director_metrics"]["inequality"] == 0


def test_what_is_in_escrow_is_what_terminals_have_reserved() -> None:
    """Whatever people do, the two ways of counting agree."""
    world, dealer = a_bazaar(), Dealer(3)
    books = Books(world)
    seen: Counter[str] = Counter()
    for _ in range(40):
        books.live(dealer.inputs(world))
        kept = server_metrics.escrow(world)
        held = Counter[str]()
        for contract in world.contracts:
            for goods in escrow.held(contract) if contract.is_live else ():
                held.update(goods)
        reserved = Counter[str]()
        for container in world.containers:
            reserved.update(container.reserved)
        assert kept["reward"] + kept["deposit"] + kept["delivered"] == +held == +reserved
        assert server_metrics.treasuries(world) == Counter(world.orgs["ORG000001"].treasury)
        assert sum(server_metrics.totals(world)["contracts"].values()) == len(world.contracts)
        seen.update(name for name, goods in kept.items() if goods)
    assert set(seen) == {"reward", "deposit", "delivered", "owed"}


def test_who_had_the_most_fun() -> None:
    world = a_bazaar()
    for agent, points in zip(world.agents, (3, 9, 0, 9, 1, 4), strict=True):
        agent.fun = {"social": points} if points else {}
    best = [(row["agent_id"], row["total"]) for row in server_metrics.most_fun(world)]
    assert best == [("A2", 9), ("A4", 9), ("A6", 4), ("A1", 3), ("A5", 1)]
    assert server_metrics.totals(world)["fun"]["social"] == 26
