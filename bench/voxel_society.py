"""A society at work: `python bench/voxel_society.py [--agents 500 1000] [--ticks 300] [--seconds 60]`.

The world of `settlement`: 200 lands, 500 open contracts, 50 laws, plants with belts and sensors, boards, an
event. First headless, an OBS built and written for each agent, CPU time by phase as in `voxel_tick`; then
served to real WebSockets of a second process, as in `voxel_live`. With `--dense 500` so many of the agents
stand in one square of 32 x 32 cells.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import voxel_live
from settlement import LAWS, Settlement, Townsfolk, token
from voxel_live import SEED, Client
from voxel_tick import measure

from thorp.server.host import WORLD
from thorp.store import RealDisk
from thorp.voxel.new_world import found
from thorp.voxel.observation.session import Session
from thorp.voxel.service import WorldService
from thorp.voxel.state.world import World
from thorp.voxel.systems.bodies import resting_heights
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

SQUARE = 32


def describe(world: World) -> str:
    counts = {
        "agents": len(world.agents),
        "lands": len(world.claims),
        "organisations": len(world.orgs),
        "open contracts": sum(contract.state == "OPEN" for contract in world.contracts),
        "accepted": sum(contract.state == "ACCEPTED" for contract in world.contracts),
        "laws": len(world.laws),
        "in vote": sum(law.status == "VOTING" for law in world.laws),
        "belts": len(world.conveyors),
        "sensors": len(world.sensors),
        "things on belts": sum(entity.position in world.conveyors for entity in world.items),
        "boards": len(world.notices),
    }
    event = world.director.event.id if world.director.event is not None else "no event"
    return ", ".join(f"{count} {name}" for name, count in counts.items()) + f", {event}"


def tuning(agents: int) -> Tuning:
    return Tuning(population_cap=max(agents, Tuning().population_cap))


def headless(agents: int, ticks: int, dense: int) -> None:
    world = found(7, tuning=tuning(agents))
    Settlement(world, lambda inputs: step(world, inputs)).settle(agents)
    crowd(world, dense)
    sessions = [Session(agent.number, delta=True) for agent in world.agents]
    measure(f"{agents:5d} agents in society", world, sessions, Townsfolk().wishes, ticks)
    print(f"      {describe(world)}")


class Settler(Client):
    """A client that comes back to the body of a settler, walks and works, and deals with others."""

    def hello(self) -> dict[str, Any]:
        return {**super().hello(), "auth": {"token": token(self.number + 1)}}

    def wish(self, x: int, y: int, z: int) -> dict[str, Any]:
        act = super().wish(x, y, z)
        rng = self.rng
        if not act and rng.random() < 0.07:
            somebody, law = f"A{rng.randint(1, 500)}", f"LAW{rng.randint(1, LAWS):06d}"
            dealings = (
                {"type": "OFFER_TRADE", "to": somebody, "offer": [["COAL", 1]], "request": [["PLANK", 1]]},
                {"type": "VOTE", "law_id": law, "choice": "NO"},
                {"type": "SEARCH_BOARD", "board_id": "news 1", "text": "coal"},
                {
                    "type": "POST_BOARD",
                    "board_id": "news 2",
                    "title": "Hello",
                    "body": "To whom it may concern.",
                },
                {"type": "JOIN_ORG", "org_id": "ORG000001"},
            )
            act["instants"] = [{"id": "deal", **rng.choice(dealings)}]
        return act


def crowd(world: World, dense: int) -> None:
    """Put so many agents, the last ones, into the square around the last one's place."""
    everyone = list(world.agents)
    x, _, z = everyone[-1].position
    for agent in everyone[len(everyone) - dense :]:
        column = x + agent.number % SQUARE, z + agent.number // SQUARE % SQUARE
        heights = resting_heights(world.ground.column(*column).translate(world.catalogs.medium))
        world.relocate(agent, (column[0], heights[-1], column[1]))


def live(agents: int, seconds: float, dense: int, senders: int) -> None:
    def prepare(data: Path) -> None:
        with WorldService.open(
            RealDisk(), data / WORLD, seed=SEED, draw_seed=SEED, tuning=tuning(agents)
        ) as service:
            Settlement(service.world, service.tick).settle(agents)
            crowd(service.world, dense)
            service.tick([])

    found = voxel_live.measure(agents, seconds, prepare, Settler, senders)
    if found["agents"] != agents:
        raise AssertionError(f"{found['agents']} agents were there")
    voxel_live.report(agents, found)


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--agents", type=int, nargs="*", default=[500, 1000])
    options.add_argument("--ticks", type=int, default=300, help="headless; 0: not at all")
    options.add_argument("--seconds", type=float, default=60.0, help="served; 0: not at all")
    options.add_argument("--dense", type=int, default=0, help="how many stand in one square")
    options.add_argument("--senders", type=int, default=0, help="how many processes send for the server")
    chosen = options.parse_args()
    for agents in chosen.agents if chosen.ticks else ():
        headless(agents, chosen.ticks, chosen.dense)
    for agents in chosen.agents if chosen.seconds else ():
        live(agents, chosen.seconds, chosen.dense, chosen.senders)


if __name__ == "__main__":
    main()
