"""What can happen, be asked for and be built; and who lives here. Tables only.

Names of events carry words that cognition listens for (raid, ghast, piglin, blaze, breach, attack, wither;
resource, supply, crop, food, famine, scarcity; panic, fear), where they mean that.
"""

from typing import Final, NamedTuple


class Card(NamedTuple):
    """An event of the nether: its name, what it does to the meters (per mille) and to the stocks (units)."""

    name: str
    text: str
    threat: int = 0
    scarcity: int = 0
    hope: int = 0
    dread: int = 0
    food: int = 0
    timber: int = 0
    iron: int = 0


DECK: Final = (
    Card("piglin_raid_nearby", "Piglins raid the outer farms.", threat=140, dread=60, food=-20),
    Card("ghast_sighting", "A ghast is seen above the ridge.", threat=80, dread=110),
    Card("crop_blight_food_shortage", "Blight takes a part of the crop.", scarcity=140, dread=20, food=-60),
    Card("supply_caravan_lost", "A supply caravan does not arrive.", scarcity=90, timber=-15, iron=-5),
    Card("blaze_embers_on_the_wind", "Embers drift in from the fortress.", threat=70, dread=60, timber=-20),
    Card("wither_omen", "Three skulls stand at the crossroads.", threat=60, dread=160, hope=-40),
    Card("portal_breach_in_the_quarry", "A portal opens in the quarry.", threat=160, dread=80, iron=-5),
    Card("panic_at_the_well", "Someone cries poison; nobody is hurt.", dread=120, hope=-60),
    Card("night_attack_repelled", "The watch holds the gate.", threat=40, hope=60, dread=20),
    Card("resource_vein_found", "A vein of ore is found by chance.", scarcity=-60, hope=40, iron=25),
    Card("lantern_festival", "Lanterns hang in every window.", hope=120, dread=-80, food=-10),
    Card("wandering_traders", "Traders pay well for old tools.", scarcity=-80, hope=30, food=40, timber=15),
    Card("quiet_moon", "A calm night, and another.", threat=-90, dread=-90),
    Card("long_rain", "Rain for days; the fields drink.", scarcity=-40, hope=-20, food=40),
    Card("famine_rumour", "A rumour of famine empties the market.", scarcity=100, dread=40, food=-30),
    Card("returning_patrol", "A patrol thought lost comes home.", threat=-60, hope=90, dread=-40),
)


class Need(NamedTuple):
    """What a quest is about: titles for it, and the meter that a success relieves."""

    titles: tuple[str, ...]
    meter: str
    food: int = 0
    timber: int = 0
    iron: int = 0


NEEDS: Final = {
    "threat": Need(
        (
            "Clear the Old Watch Path",
            "Drive the Piglins from the Ford",
            "Light the North Beacons",
            "Map the Breach below the Quarry",
        ),
        "threat",
        iron=1,
    ),
    "scarcity": Need(
        (
            "Bring in the Late Harvest",
            "Fetch Seed from the Lowlands",
            "Gather Wood before the Frost",
            "Mend the Mill Race",
        ),
        "scarcity",
        food=2,
    ),
    "hope": Need(
        (
            "Prepare the Midsummer Fair",
            "Find the Lost Shepherd",
            "Teach the Children their Letters",
            "Raise a Pole on the Green",
        ),
        "hope",
        food=1,
    ),
    "dread": Need(
        (
            "Keep Vigil at the Barrow",
            "Bury the Dead of the Fens",
            "Silence the Bell that Rings Alone",
            "Carry Salt to the Boundary Stones",
        ),
        "dread",
        timber=1,
    ),
}


class Kind(NamedTuple):
    """A kind of project: names for it, steps to build it, and the meter it relieves when it stands."""

    names: tuple[str, ...]
    steps: int
    meter: str


KINDS: Final = {
    "wall": Kind(("North Wall", "Palisade at the Ford", "Gatehouse", "Watch Tower"), 5, "threat"),
    "granary": Kind(("Long Granary", "Root Cellars", "Drying House", "Mill Barn"), 4, "scarcity"),
    "chapel": Kind(("Lantern Chapel", "Cloister Garden", "Bell House", "Shrine by the Road"), 4, "dread"),
    "hall": Kind(("Moot Hall", "Song House", "Bath House", "School on the Green"), 4, "hope"),
}

FIRST_NAMES: Final = (
    "Agna", "Borin", "Celdra", "Dovik", "Elswin", "Faro", "Gisla", "Hendrik", "Ilka", "Joram", "Kessa",
    "Ludo", "Maren", "Nils", "Odila", "Perrin", "Quilla", "Rasmus", "Sunniva", "Tobin", "Ulla", "Veit",
    "Wenna", "Yorick",
)  # fmt: skip
BY_NAMES: Final = (
    "Ashdown", "Brook", "Cobb", "Dray", "Fenner", "Garrow", "Hollin", "Kettle", "Larch", "Marl", "Nettle",
    "Oxley", "Pike", "Rook", "Sedge", "Thorn", "Vane", "Wick",
)  # fmt: skip
TRADES: Final = (
    "baker", "beekeeper", "carter", "cooper", "ferryman", "healer", "mason", "miller", "ropemaker",
    "shepherd", "smith", "thatcher", "weaver", "woodcutter",
)  # fmt: skip
