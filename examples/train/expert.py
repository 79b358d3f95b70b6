"""A teacher: a scripted policy that reads what a mind reads, and can be asked in any moment.

It decides by the sight, the notes and the menu of one moment alone, so it can say what it would do
in moments that another policy has led to. That is what imitation on the learner's own path needs.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from thorp.env.choices import COMPASS
from thorp.mind import Notes, Option, Sight
from thorp.protocol.obs import Position

SURFACE_HOURS: Final = 6  # How long it collects what grows above before it digs for ores.
ORE_HEIGHT: Final = 7  # Where most ores are in sight.
HUNGRY_BELOW: Final = 12
SUNRISE: Final = 5  # In a village: from when to when it collects what grows, each day.
NOON: Final = 13
GROUND_HEIGHT: Final = 14  # Whoever stands lower has dug down, and stays below.
REACH: Final = 2
FAR: Final = 40  # Places farther away are not worth the way.
LOGS: Final = 4  # Enough for a bench, tools and sticks.
SPARE_LOGS: Final = 2.5  # What it takes along into the mine.
# What grows above, and the achievement for it.
GROWING: Final = (
    ("collect_seeds", "TALL_GRASS"),
    ("collect_berries", "BERRY_BUSH"),
    ("collect_meat", "WARREN"),
    ("collect_sapling", "LEAVES"),
)
# Ores, and the items that they give, the most precious first.
ORES: Final = (
    ("CRYSTAL_ORE", "CRYSTAL_SHARD"),
    ("IRON_ORE", "IRON_ORE"),
    ("COPPER_ORE", "COPPER_ORE"),
    ("COAL_ORE", "COAL"),
)
# Made and placed as soon as it is possible, while the achievement is missing.
AT_ONCE: Final = (
    ("make_contract_terminal", "craft_contract_terminal"),
    ("make_iron_pickaxe", "craft_iron_pickaxe"),
    ("make_wire", "craft_wire"),
    ("make_bread", "craft_bread"),
    ("make_torch", "craft_torch"),
    ("make_stone_pickaxe", "craft_stone_pickaxe"),
    ("make_wood_pickaxe", "craft_wood_pickaxe"),
    ("place_furnace", "place_furnace"),
    ("place_plant", "place_seeds"),
    ("place_plant", "place_sapling"),
    ("place_stone", "place_stone"),
    ("eat_berries", "eat_berries"),
)


class Options(Protocol):
    """The options of a moment, as a `thorp.mind.Menu` has them."""

    @property
    def options(self) -> Sequence[Option]:
        """All of them, in the order of the menu."""

    def named(self, name: str) -> Option | None:
        """The option of this name, if it is there."""


class Expert:
    """Climbs the tech tree: what grows above first, then a shaft, then tunnels to ores."""

    def choose(self, sight: Sight, notes: Notes, menu: Options) -> Option:
        """The option that it would take in this moment."""
        self._there = {option.name for option in menu.options}
        names = self._there - set(notes.tried)
        name = self._wish(sight, notes, names)
        return menu.named(name) or menu.options[0]

    def _wish(self, sight: Sight, notes: Notes, names: set[str]) -> str:
        if len(names) <= 1:
            return "wait"
        pocket = sight.pocket
        return (
            self._meal(sight, names)
            or self._handiwork(pocket, notes, names, sight)
            or self._errand(sight, notes, names)
            or self._wander(sight, notes, names)
        )

    def _meal(self, sight: Sight, names: set[str]) -> str:
        if sight.obs.body.hunger >= HUNGRY_BELOW:
            return ""
        return min((name for name in names if name.startswith("eat_")), default="")

    def _handiwork(
        self, pocket: dict[str, int], notes: Notes, names: set[str], sight: Sight
    ) -> str:
        """What can be made or placed now, and leads on."""
        done = notes.achieved
        have = lambda item: pocket.get(item, 0)  # noqa: E731
        for achievement, name in AT_ONCE:
            if achievement not in done and name in names:
                return name
        needs = needed(pocket, done)
        if "smelt_iron_ore" in names and needs["IRON_INGOT"] > 0:
            return "smelt_iron_ore"
        if "smelt_copper_ore" in names and needs["COPPER_INGOT"] > 0:
            return "smelt_copper_ore"
        if "make_contract_terminal" not in done:
            for item, most in (("battery", 1), ("claim_totem", 1), ("brick", 4)):
                if f"craft_{item}" in names and have(item.upper()) < most:
                    return f"craft_{item}"
            if "craft_wire" in names and have("WIRE") < 2 and not have("CLAIM_TOTEM"):
                return "craft_wire"
        if "craft_plank_from_log" in names and have("PLANK") < 8:
            return "craft_plank_from_log"
        if "craft_stick_from_plank" in names and have("STICK") < 2 and have("PLANK") >= 2:
            return "craft_stick_from_plank"
        if "craft_furnace" in names and not have("FURNACE") and self._wants_furnace(sight, notes):
            return "craft_furnace"
        if "place_furnace" in names and self._wants_furnace(sight, notes):
            return "place_furnace"
        if self._wants_bench(pocket, done, names):
            if "place_crafting_bench" in names:
                return "place_crafting_bench"
            if "craft_crafting_bench" in names and not have("CRAFTING_BENCH"):
                return "craft_crafting_bench"
        return self._take_along(pocket, notes, names, sight)

    @staticmethod
    def _take_along(pocket: dict[str, int], notes: Notes, names: set[str], sight: Sight) -> str:
        """Take a bench or furnace back that has done its work here."""
        if "make_wood_pickaxe" not in notes.achieved:
            return ""
        if pocket.get("STONE", 0) >= 3 and "make_stone_pickaxe" not in notes.achieved:
            return ""
        for item in ("CRAFTING_BENCH", "FURNACE"):
            place = notes.nearest(item, sight.position)
            if place is None or pocket.get(item, 0):
                continue
            dx, dy, dz = (there - now for there, now in zip(place, sight.position, strict=True))
            if abs(dx) + abs(dz) == 1 and -1 <= dy <= 1:
                name = f"mine_{('feet', 'head', 'low')[dy]}_{_side(dx, dz)}"
                if name in names:
                    return name
        return ""

    @staticmethod
    def _wants_furnace(sight: Sight, notes: Notes) -> bool:
        """Whether it has something to smelt, or has never placed one, and none stands near."""
        pocket = sight.pocket
        place = notes.nearest("FURNACE", sight.position)
        near = (
            place is not None
            and max(abs(a - b) for a, b in zip(place, sight.position, strict=True)) <= REACH
        )
        if near:
            return False
        if "place_furnace" not in notes.achieved:
            return True
        needs = needed(pocket, notes.achieved)
        ready = (pocket.get("IRON_ORE", 0) >= needs["IRON_INGOT"] > 0) or (
            pocket.get("COPPER_ORE", 0) >= needs["COPPER_INGOT"] > 0
        )
        return bool(ready and pocket.get("COAL", 0) >= 1)

    @staticmethod
    def _wants_bench(pocket: dict[str, int], done: set[str], names: set[str]) -> bool:
        """Whether it has all that something at a bench takes, but no bench stands near."""
        if any(name in names for name in ("craft_sign", "craft_wood_shovel", "craft_stone_shovel")):
            return False  # One is near.
        have = lambda item: pocket.get(item, 0)  # noqa: E731
        if "place_bench" not in done:
            return have("PLANK") >= 5 or have("CRAFTING_BENCH") > 0
        wants = (
            ("make_wood_pickaxe", {"PLANK": 3, "STICK": 2}),
            ("make_stone_pickaxe", {"STONE": 3, "STICK": 2}),
            ("place_furnace", {"STONE": 8}),
            ("make_iron_pickaxe", {"IRON_INGOT": 3, "STICK": 2}),
            ("make_wire", {"COPPER_INGOT": 1}),
            ("make_bread", {"WHEAT": 3}),
        )
        if any(
            achievement not in done and all(have(item) >= count for item, count in inputs.items())
            for achievement, inputs in wants
        ):
            return True
        if "make_contract_terminal" in done:
            return False
        parts = (
            ("BATTERY", 1, {"CRYSTAL_SHARD": 1, "COPPER_INGOT": 1, "COAL": 1}),
            ("CLAIM_TOTEM", 1, {"CRYSTAL_SHARD": 1, "WIRE": 2, "PLANK": 4}),
            ("BRICK", 4, {"BATTERY": 1, "CLAIM_TOTEM": 1, "STONE": 4}),
            ("CONTRACT_TERMINAL", 1, {"BATTERY": 1, "CLAIM_TOTEM": 1, "BRICK": 4}),
        )
        return any(
            have(part) < most and all(have(item) >= count for item, count in inputs.items())
            for part, most, inputs in parts
        )

    def _errand(self, sight: Sight, notes: Notes, names: set[str]) -> str:
        """The next step towards what is lacking most."""
        wanted = self._wanted(sight, notes)
        here = sight.position
        for kind in wanted:
            option = f"mine_nearest_{kind.lower()}"
            place = notes.nearest(kind, here)
            if place is None or _away(place, here) > FAR:
                continue
            step = self._towards(kind, option, place, here, names)
            if step:
                return step
        return ""

    def _wanted(self, sight: Sight, notes: Notes) -> list[str]:
        """Kinds of blocks, the most urgent first."""
        done = notes.achieved
        if wants_wood(sight.pocket, done):
            return ["LOG"]
        needs = needed(sight.pocket, done)
        wanted = []
        if sight.obs.world.time_of_day * 24 < SURFACE_HOURS:
            wanted += [kind for achievement, kind in GROWING if achievement not in done]
        wanted += [ore for ore, item in ORES if needs[item] > 0]
        if needs["STONE"] > 0:
            wanted.append("STONE")
        return wanted

    def _towards(
        self, kind: str, option: str, place: Position, here: Position, names: set[str]
    ) -> str:
        """One step towards a block: mine it, walk, or dig."""
        dx, dy, dz = (there - now for there, now in zip(place, here, strict=True))
        if abs(dx) + abs(dy) + abs(dz) <= REACH:
            return option if option in names else ""
        if abs(dx) + abs(dy) + abs(dz) <= 2 * REACH and 0 <= dy <= REACH:
            step = self._dig(dx, dy, dz, names)
            if step:
                return step
        surface = kind in ("LOG", "TALL_GRASS", "BERRY_BUSH", "WARREN", "LEAVES", "WHEAT_RIPE")
        if surface and option in names:
            return option
        if surface:
            side = _side(dx, dz)
            walk = f"walk_{side}"
            if max(abs(dx), abs(dz)) > 7 and walk in names:
                return walk
            return ""
        if dy > REACH:
            return ""
        return self._dig(dx, dy, dz, names)

    def _dig(self, dx: int, dy: int, dz: int, names: set[str]) -> str:
        if dy < -1 and "mine_down" in names:
            return "mine_down"
        sides = sorted(
            [(abs(dx), "east" if dx > 0 else "west"), (abs(dz), "south" if dz > 0 else "north")],
            reverse=True,
        )
        for distance, side in sides:
            if not distance:
                continue
            steps = ["mine_feet", "mine_head", "move"]
            if dy < 0:
                steps = ["mine_head", "mine_feet", "move"]
            for step in steps:
                if f"{step}_{side}" in names:
                    return f"{step}_{side}"
            if f"move_{side}" not in self._there and f"block_{side}" in names:
                return f"block_{side}"  # There is no ground to step on.
        if dy > 0 and "mine_up" in names:
            return "mine_up"
        return ""

    def _wander(self, sight: Sight, notes: Notes, names: set[str]) -> str:
        """Where to look for what is not known yet: down if it is time, else around."""
        may_dig = not wants_wood(sight.pocket, notes.achieved)
        turn = COMPASS.index(notes.heading) if notes.heading else 0
        # On, then to the right, to the left, and back.
        sides = [COMPASS[(turn + quarters) % 4] for quarters in (0, 1, 3, 2)]
        looks: tuple[str, ...] = ("walk",)
        if may_dig:
            if "mine_down" in names and sight.position[1] > ORE_HEIGHT:
                return "mine_down"
            looks = ("mine_feet", "mine_head", "move")
        for side in sides:
            for step in (*looks, "mine_head", "mine_feet", "move"):
                if f"{step}_{side}" in names:
                    return f"{step}_{side}"
        return "mine_down" if "mine_down" in names else "wait"


def wants_wood(pocket: dict[str, int], done: set[str]) -> bool:
    """Whether it needs logs before it can dig. Once it is below it does not come up again."""
    if "make_wood_pickaxe" not in done:
        return wood_of(pocket) < LOGS
    return "collect_stone" not in done and wood_of(pocket) < SPARE_LOGS


def wood_of(pocket: dict[str, int]) -> float:
    """The logs that it carries, or has made planks of."""
    return pocket.get("LOG", 0) + pocket.get("PLANK", 0) / 4


def needed(pocket: dict[str, int], done: set[str]) -> dict[str, int]:
    """What has to be collected still, by item; not above 0 where there is enough."""
    have = lambda item: pocket.get(item, 0)  # noqa: E731
    iron = 0 if "make_iron_pickaxe" in done else 3 - have("IRON_INGOT")
    terminal = "make_contract_terminal" not in done
    battery = terminal and not have("BATTERY")
    totem = terminal and not have("CLAIM_TOTEM")
    wires = totem and have("WIRE") < 2
    copper = int("make_wire" not in done or wires) + int(battery) - have("COPPER_INGOT")
    coal = int("make_torch" not in done) + max(0, iron) + max(0, copper) + int(battery)
    crystal = int(battery) + int(totem)
    stone = (
        (3 if "make_stone_pickaxe" not in done else 0)
        + (8 if "place_furnace" not in done and not have("FURNACE") else 0)
        + (4 if terminal and have("BRICK") < 4 else 0)
        + (8 if iron > 0 or copper > 0 else 0)
        + 1
    )
    return {
        "IRON_INGOT": iron,
        "COPPER_INGOT": copper,
        "IRON_ORE": max(iron - have("IRON_ORE"), int("collect_iron" not in done)),
        "COPPER_ORE": max(copper - have("COPPER_ORE"), int("collect_copper" not in done)),
        "COAL": max(coal - have("COAL"), int("collect_coal" not in done)),
        "CRYSTAL_SHARD": max(crystal - have("CRYSTAL_SHARD"), int("collect_crystal" not in done)),
        "STONE": stone - have("STONE"),
    }


def _side(dx: int, dz: int) -> str:
    if abs(dx) >= abs(dz):
        return "east" if dx > 0 else "west"
    return "south" if dz > 0 else "north"


def _away(place: Position, here: Position) -> int:
    return sum(abs(a - b) for a, b in zip(place, here, strict=True))


class VillageExpert(Expert):
    """Lives in a village: by day it collects what grows, and wood, for as long as it stands above;
    where the law lets nobody dig it walks on instead of looking for ores."""

    def _wanted(self, sight: Sight, notes: Notes) -> list[str]:
        done = notes.achieved
        wanted = super()._wanted(sight, notes)
        if not _may_collect(sight):
            return wanted
        growing = [kind for achievement, kind in GROWING if achievement not in done]
        return [
            *(["LOG"] if wood_in_logs(sight.pocket, done) < SPARE_LOGS else []),
            *growing,
            *(kind for kind in wanted if kind not in growing),
        ]

    def _wander(self, sight: Sight, notes: Notes, names: set[str]) -> str:
        digs = any(name.startswith(("mine_down", "mine_feet", "mine_head")) for name in names)
        is_looking = _may_collect(sight) and any(
            achievement not in notes.achieved for achievement, _ in GROWING
        )
        if digs and not is_looking:
            return super()._wander(sight, notes, names)
        turn = COMPASS.index(notes.heading) if notes.heading else 0
        sides = [COMPASS[(turn + quarters) % 4] for quarters in (0, 1, 3, 2)]
        for step in ("walk", "move"):
            for side in sides:
                if f"{step}_{side}" in names:
                    return f"{step}_{side}"
        return super()._wander(sight, notes, names)


def _may_collect(sight: Sight) -> bool:
    """Whether it stands above, early enough in the day to look for what grows."""
    hour = sight.obs.world.time_of_day * 24
    return SUNRISE <= hour < NOON and sight.position[1] > GROUND_HEIGHT


def wood_in_logs(pocket: dict[str, int], done: set[str]) -> float:
    """What it has of wood, as long as it needs some; newcomers bring planks and have no log."""
    return wood_of(pocket) if "collect_wood" in done else 0
