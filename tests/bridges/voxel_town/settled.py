"""Flat worlds in which cities have land, terminals, treasuries and something to do from the first
tick on.

An extension of the tests builds them, so that all of it is journaled and replayed as everything else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.voxel.flat import STAND, FlatTerrain, put_agent
from thorp.bridges.voxel_town import match_towns_to_cities, request_of, snapshot_text, with_towns
from thorp.bridges.voxel_town.territory import Domain, domain_of
from thorp.bridges.voxel_town.town import Town, load
from thorp.kernel.canonical import Json, read_text
from thorp.protocol.actions import PostContract, Stack
from thorp.simulator.inline import open_flat
from thorp.store import Disk
from thorp.town.testing import handoff_for
from thorp.voxel import WorldService
from thorp.voxel.inputs import ExtensionRequest
from thorp.voxel.load import default_catalogs
from thorp.voxel.society import tenure
from thorp.voxel.society.contracts import open_contract
from thorp.voxel.society.listeners import LISTENERS
from thorp.voxel.state.records import Claim, Contract, Org
from thorp.voxel.state.world import World
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

FIRST, SECOND = "ORG000001", "ORG000002"
RADIUS = 16
DAY = 200
TREASURY = {"PLANK": 60, "COAL": 20, "IRON_INGOT": 8, "STONE": 20}
QUIET = Tuning(world_events=False, day_ticks=DAY, season_length_ticks=10 * DAY)


class Founder:
    """Builds a city where it is asked to."""

    name = "founder"

    def step(self, world: World) -> None:
        """Only when asked."""

    def answer(self, world: World, text: str) -> str:
        domain = build_city(world, int(text))
        match_towns_to_cities(world)
        return domain.org.id


FOUNDING = [ExtensionRequest("founder", "0"), ExtensionRequest("founder", "100")]
"""The first tick: two cities of two, each with an open contract of a stranger."""


def create_settled_world(seed: int, draw_seed: int, tuning: Tuning) -> World:
    """A flat world with towns, and one who builds them."""
    catalogs = default_catalogs()
    terrain = FlatTerrain(catalogs)
    world = with_towns(
        World(
            seed=seed,
            draw_seed=draw_seed,
            catalogs=catalogs,
            tuning=tuning,
            terrain=terrain,
            listeners=LISTENERS,
        )
    )
    world.extensions = (*world.extensions, Founder())
    return world


def build_city(world: World, x: int, **treasury: int) -> Domain:
    """A city for nothing: land, a terminal, two citizens, and a contract of a stranger."""
    citizens = [put_agent(world, x + number, 1, BERRIES=4, PLANK=10) for number in range(2)]
    world.counters.org += 1
    roles: Any = {citizens[0].id: "LEADER", citizens[1].id: "MEMBER"}
    org = Org(
        f"ORG{world.counters.org:06d}", "CITY", "Millbrook", 0, roles, dict(treasury or TREASURY)
    )
    world.orgs.put(org)
    for citizen in citizens:
        citizen.org = org.id
    place(world, (x, STAND, 0), "CLAIM_TOTEM")
    world.counters.land += 1
    due = world.tuning.day_ticks
    tenure.add_claim(
        world, Claim(f"LAND_{world.counters.land:03d}", org.id, (x, STAND, 0), RADIUS, due, 0)
    )
    terminal = (x + 3, STAND, 0)
    place(world, terminal, "CONTRACT_TERMINAL")
    stranger = put_agent(world, x + 4, 1, PLANK=50, COAL=5)
    ask_for(world, stranger.id, terminal, {"STONE": 5}, {"PLANK": 6})
    domain = domain_of(world, org.id)
    assert domain is not None
    return domain


def place(world: World, position: tuple[int, int, int], name: str) -> None:
    change_block(world, position, world.catalogs.block_number[name], actor="TEST", reason="TEST")


def ask_for(
    world: World,
    poster: str,
    terminal: tuple[int, int, int],
    goods: dict[str, int],
    reward: dict[str, int],
) -> Contract:
    wish = PostContract(
        contract_kind="GATHER",
        requirements=[Stack(*pair) for pair in goods.items()],
        reward=[Stack(*pair) for pair in reward.items()],
        duration_ticks=min(5 * DAY, world.tuning.season_length_ticks),
    )
    return open_contract(world, poster, world.containers[terminal], wish)


def a_settled_world(tuning: Tuning = QUIET) -> World:
    world = create_settled_world(7, 8, tuning)
    step(world, FOUNDING)
    return world


def snapshot_of(world: World, town_id: str = FIRST) -> dict[str, Json]:
    snapshot: dict[str, Json] = read_text((snapshot_text(world, town_id) or "").encode())
    return snapshot


def town_of(world: World, town_id: str = FIRST) -> Town:
    town = load(world, town_id)
    assert town is not None
    return town


def hand(world: World, handoff: Json) -> dict[str, Json]:
    """One tick with a handoff; what became of it."""
    step(world, [request_of(handoff)])
    (text,) = world.scratch.answers
    result: dict[str, Json] = read_text(text.encode())
    return result


def propose(
    world: World, action: str, target: str, *, town_id: str = FIRST, **members: Any
) -> dict[str, Json]:
    return hand(world, handoff_for(snapshot_of(world, town_id), action, target, **members))


def wait(world: World, ticks: int = 1) -> None:
    for _ in range(ticks):
        step(world, [])


def open_settled(disk: Disk, path: Path, **options: Any) -> WorldService:
    """A kept one, which is founded if it is new."""
    usual = {"make_world": create_settled_world, "tuning": QUIET, "seed": 7, "draw_seed": 8}
    service = open_flat(disk, path, **{**usual, **options})
    if service.world.tick == 0:
        service.tick(FOUNDING).result()
    return service
