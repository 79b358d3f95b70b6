"""The demo village: twenty-four scripted agents who found a city. See `docs/village.md`."""

from thorp.bridges.village.headless import Headless, arrivals, bodies, run
from thorp.bridges.village.roster import ROSTER, people
from thorp.bridges.village.villager import Villager

__all__ = ["ROSTER", "Headless", "Villager", "arrivals", "bodies", "people", "run"]
