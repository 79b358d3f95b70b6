"""Stocks: what comes in, what is eaten, what spoils."""

from __future__ import annotations

from thorp.town.embedded import tuning
from thorp.town.embedded.projects import level_of
from thorp.town.embedded.town import STOCKS, Town


def store(town: Town, stock: str, amount: int) -> None:
    """Put a stock in or take it out; what does not fit is lost, and nothing is taken that is not there."""
    level = getattr(town.stocks, stock) + amount
    setattr(town.stocks, stock, max(0, min(level, tuning.STORE_LIMIT)))


def feed(town: Town) -> None:
    """A day of the stores: some of them spoils, the harvest and the day's work come in, and the town eats."""
    granaries = level_of(town, "granary")
    harvest = tuning.FIELDS_FOOD + town.population // tuning.HANDS_PER_FOOD + granaries * tuning.GRANARY_FOOD
    for stock in STOCKS:
        store(town, stock, -(getattr(town.stocks, stock) // tuning.SPOIL_DAYS))
    store(town, "food", harvest - town.population)
    store(town, "timber", town.population // tuning.PEOPLE_PER_TIMBER)
    store(town, "iron", town.population // tuning.PEOPLE_PER_IRON)
