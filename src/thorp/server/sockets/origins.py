"""Remembers from which network each body's owner last came, and so decides who goes when a world is
full.

While places are free nobody goes. When they run out, a newcomer gets the place of a stranger who is
away, from the network that has the most of them, so that an address which fills a world with bodies
loses its own. Networks are known only here: an input names the body that goes, which is all that a
replay needs. After a restart the origins of those who are away are forgotten; each of them then
counts as a network of its own.
"""

from collections.abc import Collection, Iterator

from thorp.server.access.networks import network_of
from thorp.voxel import Agent, World
from thorp.voxel.systems.population import dispensable


class Origins:
    """The networks of the bodies of one world."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._networks: dict[int, str] = {}

    def note(self, number: int, address: str) -> None:
        """Note that the owner of a body has connected from this address."""
        self._networks[number] = network_of(address)
        if len(self._networks) > 2 * len(self._world.agents):
            self._networks = {
                n: network for n, network in self._networks.items() if n in self._world.agents
            }

    def give_way(self, staying: Collection[int]) -> Iterator[int]:
        """The numbers of bodies that may go, the first to go first; none of `staying` is among
        them."""
        groups: dict[str, list[Agent]] = {}
        for agent in dispensable(self._world):
            if agent.number not in staying:
                network = self._networks.get(agent.number, f"body {agent.number}")
                groups.setdefault(network, []).append(agent)
        for group in groups.values():
            group.sort(key=_last_to_go)
        while groups:
            network = max(groups, key=lambda each: (len(groups[each]), -groups[each][-1].left_tick))
            yield groups[network].pop().number
            if not groups[network]:
                del groups[network]


def _last_to_go(agent: Agent) -> tuple[bool, int, int]:
    """Bodies that acted stay longest, then those whose owners left last."""
    return not agent.acted, -agent.left_tick, -agent.number
