"""Who lives in the village, in the order in which they came, and what each of them does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from thorp.bridges.village import guild, mayor, miner, smith
from thorp.bridges.village.life import Chapter, life
from thorp.bridges.village.neighbours import (
    become_citizen,
    bring_planks,
    build_and_rest,
    build_hut,
    build_quarter,
    farm,
    fell,
    gather,
    give,
    saw,
    sow,
    swap,
    take_contract,
    trade_and_look,
    want_coal,
)
from thorp.bridges.village.notebook import Notebook
from thorp.bridges.village.villager import Villager

MINER: Final = life((*miner.CHAPTERS, become_citizen), miner.everyday)
FORAGE: Final = gather(("BERRY_BUSH", "TALL_GRASS"), 1_200)
FARMER: Final = life((give, FORAGE, sow, become_citizen, take_contract("GATHER")), farm)
CARRIER: Final = life((give, FORAGE, sow, become_citizen, take_contract("DELIVER")), farm)
WOODCUTTING: Final = (give, gather(("LOG",), 1_500), saw, bring_planks, become_citizen)
WOODCUTTER: Final = life(WOODCUTTING, fell)
GUILDSMAN: Final = life((guild.join_guild, guild.bring_planks, FORAGE), guild.everyday)


def builder(number: int, neighbour: str) -> Chapter:
    work = (build_hut(number), become_citizen, take_contract("BUILD"), build_quarter(neighbour))
    return life(work, build_and_rest)


def merchant(other: str, offer: dict[str, int], request: dict[str, int]) -> Chapter:
    return life((become_citizen, swap(other, offer, request)), trade_and_look)


ROSTER: Final[dict[str, Chapter]] = {
    "Odile": life(mayor.CHAPTERS, mayor.everyday),
    "Bram": life((*smith.CHAPTERS, become_citizen), smith.everyday),
    "Tilda": MINER,
    "Corin": MINER,
    "Wystan": builder(0, "Bram"),
    "Elspeth": builder(1, "Corin"),
    "Rufus": builder(2, "Elspeth"),
    "Agnes": MINER,
    "Ivo": MINER,
    "Lettice": builder(3, "Agnes"),
    "Jory": merchant("Maud", {"STONE": 18}, {"PLANK": 18}),
    "Hob": GUILDSMAN,
    "Marten": life(guild.CHAPTERS, guild.everyday),
    "Sibyl": GUILDSMAN,
    "Piers": GUILDSMAN,
    "Oswin": life((*WOODCUTTING, want_coal), fell),
    "Ysolt": WOODCUTTER,
    "Maud": merchant("Jory", {"BERRIES": 2}, {"COAL": 1}),
    "Gytha": FARMER,
    "Nan": FARMER,
    "Aldous": CARRIER,
    "Beatrix": WOODCUTTER,
    "Clement": WOODCUTTER,
    "Dunstan": WOODCUTTER,
}


def villager(name: str, notebook: Notebook, catalogs: Mapping[str, Any]) -> Villager:
    return Villager(name, notebook, catalogs, ROSTER[name])


def people(catalogs: Mapping[str, Any], notebook: Notebook) -> list[Villager]:
    """The villagers, with one notebook between them."""
    return [villager(name, notebook, catalogs) for name in ROSTER]
