"""The demo village: twenty-four scripted agents who found a city. See `docs/village.md`."""

from thorp.village.headless import Headless, arrivals, bodies, run
from thorp.village.roster import ROSTER, people
from thorp.village.villager import Villager

__all__ = ["ROSTER", "Headless", "Villager", "arrivals", "bodies", "people", "run"]
