"""The demo village: twenty-four scripted agents who found a city. See `docs/village.md`."""

from thorp.bridges.village.roster import ROSTER, people

__all__ = ["ROSTER", "people"]
