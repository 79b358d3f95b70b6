"""The village in process: every villager is a reader of the world, like one behind a socket.

arrivals   the inputs with which villagers come into a world, or back into it
run        lets them live there until a tick
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from thorp.bridges.voxel_town import request_of, snapshot_text
from thorp.kernel.canonical import read_text
from thorp.protocol.act import read_act
from thorp.protocol.obs import Obs
from thorp.village.council import CityCouncil
from thorp.village.roster import ROSTER, people
from thorp.village.villager import MEMORY, Act, Villager
from thorp.voxel import Acted, AnyInput, Attach, Join, World
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session

Tick = Callable[[Sequence[AnyInput]], object]
"""Executes the next tick of a world."""
EVERYBODY: Final = tuple(ROSTER)
"""The usual order in which villagers come in."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Obs).decode


def arrivals(
    world: World, tokens: Mapping[str, str], order: Sequence[str] = EVERYBODY
) -> list[AnyInput]:
    """One input for each villager, in this order: those who live there come back, the others are
    new.

    From then on the tokens, by name, are those with which a connection gets their bodies.
    """
    there = bodies(world)
    hashed = {name: sha256(token.encode()).hexdigest() for name, token in tokens.items()}
    return [
        Attach(there[name], hashed[name], title=ROSTER[name])
        if name in there
        else Join(name, hashed[name], ROSTER[name])
        for name in order
    ]


def bodies(world: World) -> dict[str, int]:
    """The numbers of those who live there, by name. What a villager keeps in its memory tells it
    apart."""
    numbers: dict[str, int] = {}
    for agent in world.agents:
        if agent.name in ROSTER and MEMORY in agent.memory:
            numbers.setdefault(agent.name, agent.number)
    return numbers


def run(
    world: World,
    tick: Tick,
    tokens: Mapping[str, str],
    *,
    to_tick: int,
    stopped: Callable[[], bool] = lambda: False,
    order: Sequence[str] = EVERYBODY,
) -> None:
    """Let the village come in and live until a tick or until it is stopped, for one tick at
    least."""
    village = settle(world, tick, tokens, order)
    while world.tick < to_tick and not stopped():
        village.step(tick)


def settle(
    world: World, tick: Tick, tokens: Mapping[str, str], order: Sequence[str] = EVERYBODY
) -> "Headless":
    """Let the village come in, which takes a tick. In the same order everybody is asked from then
    on."""
    there = bodies(world)
    tick(arrivals(world, tokens, order))
    newcomers = iter(world.scratch.joined)
    numbers = {name: there.get(name) or next(newcomers) for name in order}
    catalogs = msgspec.to_builtins(world.catalogs.lists())
    each_by_name = {each.name: each for each in people(catalogs)}
    villagers = {numbers[name]: each_by_name[name] for name in order}
    reeve = next(each for each in villagers.values() if each.trade == "reeve")
    return Headless(world, villagers, CityCouncil(reeve))


class Headless:
    """Villagers and the bodies they have, by number. `inputs` are theirs for the next tick.

    An observation is composed for those who want to look, and for those to whom something has
    happened. The others are like readers who take only the newest: they miss pictures, and no
    events.
    """

    def __init__(self, world: World, villagers: dict[int, Villager], council: CityCouncil) -> None:
        self._world = world
        self._villagers = villagers
        self._council = council
        self._sessions = {
            number: Session(number, cursor=world.agents[number].seen) for number in villagers
        }
        self.inputs: list[AnyInput] = []

    @property
    def villagers(self) -> list[Villager]:
        """Everybody who lives here."""
        return list(self._villagers.values())

    def step(self, tick: Tick) -> None:
        """One tick, and what the villagers make of it."""
        tick(self.inputs)
        awake = [number for number in self._villagers if self._is_awake(number)]
        compose(self._world, [self._sessions[number] for number in awake])
        self.inputs = []
        for number in awake:
            frame = self._sessions[number].take()
            act = self._villagers[number].take(_decode(frame)) if frame is not None else None
            if act is not None:
                self.inputs.append(self._acted(number, act))
        self.inputs += self._governed()

    def _governed(self) -> list[AnyInput]:
        """What the governor whose turn it is hands off, if there is one."""
        world = self._world
        council = self._council
        if not council.has_turn():
            return []
        text = snapshot_text(world, council.city or "")
        handoff = None if text is None else council.handoff(read_text(text.encode()))
        return [] if handoff is None else [request_of(handoff)]

    def _is_awake(self, number: int) -> bool:
        agent = self._world.agents.get(number)
        if agent is None:
            return False
        is_told = self._sessions[number].is_behind(agent.event_log)
        return is_told or self._world.tick >= self._villagers[number].wake_tick

    def _acted(self, number: int, act: Act) -> Acted:
        return Acted(number, read_act(_encode(act)), self._sessions[number].seen(self._world.tick))
