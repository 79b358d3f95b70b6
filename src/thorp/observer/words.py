"""Codes of the rules in plain English, where the server itself writes a sentence for the page.

The page has the whole table, in `web/src/words.json`; a test holds the two together.
"""

from typing import Final

ACHIEVED: Final = {
    "collect_wood": "felled a tree",
    "collect_sapling": "picked up a sapling",
    "collect_seeds": "gathered seeds",
    "collect_berries": "picked berries",
    "collect_meat": "caught a rabbit",
    "collect_stone": "mined stone",
    "collect_coal": "mined coal",
    "eat_berries": "ate berries",
    "place_plant": "planted something",
    "place_stone": "laid a stone",
    "place_bench": "set up a bench",
    "make_torch": "made a torch",
    "make_wood_pickaxe": "made a wooden pickaxe",
    "make_stone_pickaxe": "made a stone pickaxe",
    "place_furnace": "set up a furnace",
    "collect_iron": "mined iron",
    "collect_copper": "mined copper",
    "make_bread": "baked bread",
    "make_iron_pickaxe": "made an iron pickaxe",
    "make_wire": "drew wire",
    "collect_crystal": "mined crystal",
    "make_contract_terminal": "made a contract terminal",
    "post_notice": "put up a notice",
    "trade_goods": "traded with somebody",
    "join_org": "joined a city or guild",
    "finish_house": "finished a house",
    "reach_event_goal": "took part in an event",
    "have_contract_kept": "had a contract kept",
    "keep_contract": "kept a contract",
    "cast_vote": "voted",
    "claim_land": "claimed land",
    "propose_law": "proposed a law",
    "pass_law": "got a law passed",
}
"""What somebody did who achieved something, by the id of the achievement."""
