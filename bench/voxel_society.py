"""A society at work: `python bench/voxel_society.py [--agents 500 1000] [--ticks 300] [--seconds
60]`.

The world of `settlement`: 200 lands, 500 open contracts, 50 laws, plants with belts and sensors,
boards, an event. First headless, an OBS built and written for each agent, CPU time by phase as in
`voxel_tick`; then served to real WebSockets of a second process, as in `voxel_live`. With `--dense
500` so many of the agents stand in one square of 32 x 32 cells. With `--senders 2` the work is
divided: headless, CPU time of executing and handing on, and of one sender that takes over and shows
it to its share of the agents, without sockets; some of what it shows is compared with what the
executing world would show.
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import voxel_live
from calibration import REFERENCE_MS, calibration_ms
from settlement import LAWS, Settlement, Townsfolk, token
from voxel_live import SEED, Client
from voxel_tick import WARM_UP_TICKS, measure

from thorp.server.processes.runtime import Runtime
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.voxel import Tuning, World, WorldService, create_world, step
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.handover import ChangeLog, apply, apply_motion, motion_of
from thorp.voxel.observation.session import Session
from thorp.voxel.state.agent import Event, EventLog
from thorp.voxel.systems.bodies import resting_heights

SQUARE = 32
COMPARED = 50
"""Of so many readers one is compared."""


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
    world = create_world(7, tuning=tuning(agents))
    Settlement(world, lambda inputs: step(world, inputs)).settle(agents)
    crowd(world, dense)
    sessions = [Session(agent.number, delta=True) for agent in world.agents]
    measure(f"{agents:5d} agents in society", world, sessions, Townsfolk().wishes, ticks)
    print(f"      {describe(world)}")


class Share:
    """What one of several senders does: a world that is told of another, and the readers of its
    share."""

    def __init__(self, world: World, senders: int) -> None:
        self._executing = world
        self._changes = ChangeLog(world)
        self._world = create_world(7, tuning=world.tuning)
        apply(self._world, self._changes.everything(), ())
        self._told = {agent.number: agent.event_log.next for agent in list(world.agents)[::senders]}
        for number, told in self._told.items():
            apply_motion(self._world.agents[number], motion_of(world.agents[number]))
            self._world.agents[number].event_log = EventLog([], told)
        self._readers = [
            Session(number, delta=True, cursor=told) for number, told in self._told.items()
        ]
        self._compared = [
            Session(number, delta=True, cursor=told)
            for number, told in list(self._told.items())[::COMPARED]
        ]

    def hand_on(self) -> tuple[bytes, list[tuple[int, list[Event]]]]:
        changes, changed = self._changes.take()
        news = []
        for agent in changed:
            if agent.number in self._told:
                news.append((agent.number, agent.event_log.since(self._told[agent.number])))
                self._told[agent.number] = agent.event_log.next
        return changes, news

    def show(self, changes: bytes, news: list[tuple[int, list[Event]]]) -> list[bytes | None]:
        apply(self._world, changes, self._told)
        self._world.scratch.loaded_memory = self._executing.scratch.loaded_memory
        for number, events in news:
            for event in events:
                self._world.agents[number].event_log.receive(event)
        compose(self._world, self._readers)
        return [reader.take() for reader in self._readers]

    def compare(self, shown: list[bytes | None]) -> None:
        compose(self._executing, self._compared)
        if [reader.take() for reader in self._compared] != shown[::COMPARED]:
            raise AssertionError(f"a sender shows something else in tick {self._executing.tick}")


def divided(agents: int, ticks: int, dense: int, senders: int) -> None:
    world = create_world(7, tuning=tuning(agents))
    Settlement(world, lambda inputs: step(world, inputs)).settle(agents)
    crowd(world, dense)
    world.digest()
    share, folk, runtime = Share(world, senders), Townsfolk(), Runtime()
    spent: dict[str, list[float]] = {"executing": [], f"one of {senders} senders": []}
    slowness = []
    with runtime:
        for number in range(-WARM_UP_TICKS, ticks):
            inputs = folk.wishes(world)
            times = [time.process_time()]
            step(world, inputs)
            world.digest()
            handed = share.hand_on()
            times.append(time.process_time())
            shown = share.show(*handed)
            times.append(time.process_time())
            share.compare(shown)
            runtime.between_ticks(0.0)
            slowness.append(calibration_ms() / REFERENCE_MS)
            if number >= 0:
                for samples, (before, after) in zip(spent.values(), pairwise(times), strict=True):
                    samples.append((after - before) / slowness[-1])
    for name, samples in spent.items():
        middle = voxel_live.at(samples, 0.5)
        print(
            f"{agents:5d} agents, {name:18s} calibrated CPU of a tick {middle:6.1f} "
            f"p99 {voxel_live.at(samples, 0.99):6.1f} ms, {1000 * middle / agents:.0f} µs for "
            "each agent, "
            f"at {statistics.median(slowness):.2f} times the reference time",
            flush=True,
        )


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
                {
                    "type": "OFFER_TRADE",
                    "to": somebody,
                    "offer": [["COAL", 1]],
                    "request": [["PLANK", 1]],
                },
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
    options.add_argument(
        "--senders", type=int, default=0, help="how many processes send for the server"
    )
    chosen = options.parse_args()
    for agents in chosen.agents if chosen.ticks else ():
        if chosen.senders:
            divided(agents, chosen.ticks, chosen.dense, chosen.senders)
        else:
            headless(agents, chosen.ticks, chosen.dense)
    for agents in chosen.agents if chosen.seconds else ():
        live(agents, chosen.seconds, chosen.dense, chosen.senders)


if __name__ == "__main__":
    main()
