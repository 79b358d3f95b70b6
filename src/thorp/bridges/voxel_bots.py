"""Bots for matches in the voxel world: one idles, one acts at random, one knows the tech tree."""

from typing import Final

from thorp.arena.contract import AgentConfig, AgentContext, SimpleAgent
from thorp.bridges.voxel_match import CHOICES
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded

_NUMBER: Final = {name: number for number, name in enumerate(CHOICES)}
# Actions taken as soon as they are possible, and how often: the first that is left comes next.
_ONCE: Final = {
    "craft_wood_pickaxe": 1,
    "craft_stone_pickaxe": 1,
    "craft_iron_pickaxe": 1,
    "craft_torch": 1,
    "craft_bread": 1,
    "craft_wire": 1,
    "place_furnace": 1,
    "craft_furnace": 1,
    "place_stone": 1,
    "place_sapling": 1,
    "place_seeds": 4,
    "smelt_iron_ore": 3,
    "smelt_copper_ore": 2,
    "eat_berries": 1,
    "gather": 400,
}
# What is searched for until there was enough of it: the block, the item it gives, how many.
_WANTED: Final = (
    ("LOG", "LOG", 7),
    ("BERRY_BUSH", "BERRIES", 2),
    ("TALL_GRASS", "SEEDS", 4),
    ("COAL_ORE", "COAL", 6),
    ("IRON_ORE", "IRON_ORE", 3),
    ("COPPER_ORE", "COPPER_ORE", 2),
    ("CRYSTAL_ORE", "CRYSTAL_SHARD", 1),
    ("WARREN", "RAW_MEAT", 1),
    ("LEAVES", "SAPLING", 1),
    ("WHEAT_RIPE", "WHEAT", 3),
    ("STONE", "STONE", 12),
)
# Actions at a bench, and what must be in the pocket for them.
_AT_A_BENCH: Final = {
    "craft_wood_pickaxe": {"PLANK": 3, "STICK": 2},
    "craft_stone_pickaxe": {"STONE": 3, "STICK": 2},
    "craft_furnace": {"STONE": 8},
    "craft_iron_pickaxe": {"IRON_INGOT": 3, "STICK": 2},
    "craft_bread": {"WHEAT": 3},
    "craft_wire": {"COPPER_INGOT": 1},
}
HUNGRY_BELOW: Final = 12
ENOUGH_PLANKS: Final = 12
ENOUGH_STICKS: Final = 6
# Decisions without success before another thing is searched for.
PATIENCE: Final = 12
# Cells that it walks to search elsewhere.
STRIDE: Final = 14


class IdleSurvivor(SimpleAgent):
    """Does nothing."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return 0


class RandomSurvivor(SimpleAgent):
    """Draws one of the actions that are possible."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        possible = observation["possible"]
        return possible[int(bounded(ctx.rng(), 0, len(possible) - 1))]


class ScriptedSurvivor(SimpleAgent):
    """Climbs the tech tree by a list: crafts and places what it can, else searches for what it
    lacks."""

    def init(self, config: AgentConfig) -> None:
        self._done: dict[str, int] = {}
        self._collected: dict[str, int] = {}
        self._pocket: dict[str, int] = {}
        self._tries = 0
        self._skipped: set[str] = set()

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        pocket = {stack["item"]: stack["count"] for stack in observation["inventory"]}
        for item, count in pocket.items():
            more = count - self._pocket.get(item, 0)
            if more > 0:
                self._collected[item] = self._collected.get(item, 0) + more
                self._tries = 0
        self._pocket = pocket
        possible = {CHOICES[number] for number in observation["possible"]}
        if len(possible) == 1:
            return 0  # busy
        name = self._handiwork(observation, possible)
        if name is not None:
            self._done[name] = self._done.get(name, 0) + 1
            return _NUMBER[name]
        return self._search(observation, possible, ctx)

    def _handiwork(self, observation: Json, possible: set[str]) -> str | None:
        """The next thing to eat, craft or place; None if there is nothing to do but search."""
        if observation["self"]["hunger"] < HUNGRY_BELOW:
            meal = next((name for name in sorted(possible) if name.startswith("eat_")), None)
            if meal is not None:
                return meal
        for name, times in _ONCE.items():
            if name in possible and self._done.get(name, 0) < times:
                return name
        if "craft_plank_from_log" in possible and self._pocket.get("PLANK", 0) < ENOUGH_PLANKS:
            return "craft_plank_from_log"
        if "craft_stick_from_plank" in possible and self._pocket.get("STICK", 0) < ENOUGH_STICKS:
            return "craft_stick_from_plank"
        benches = (
            ("place_crafting_bench", "craft_crafting_bench") if self._wants_bench(possible) else ()
        )
        return next((name for name in benches if name in possible), None)

    def _wants_bench(self, possible: set[str]) -> bool:
        """Whether it has everything that a recipe takes, except a bench near by."""
        return any(
            not self._done.get(name)
            and name not in possible
            and all(self._pocket.get(item, 0) >= count for item, count in inputs.items())
            for name, inputs in _AT_A_BENCH.items()
        )

    def _search(self, observation: Json, possible: set[str], ctx: AgentContext) -> Json:
        """Mine the next wanted block in sight. If there is none, or it cannot be reached, search
        elsewhere: below or around."""
        self._tries += 1
        lacking = [block for block, item, count in _WANTED if self._collected.get(item, 0) < count]
        wanted = [block for block in lacking if block not in self._skipped]
        in_sight = [block for block in wanted if f"{block} " in observation["text"]]
        if in_sight and self._tries < PATIENCE:
            return {"action": "mine_nearest", "block": in_sight[0]}
        if in_sight:
            self._skipped.add(in_sight[0])
        elif self._skipped:
            self._skipped.clear()
        self._tries = 0
        if self._collected.get("LOG", 0) >= 4 and "mine_down" in possible and ctx.rng() < 0.6:
            return _NUMBER["mine_down"]
        x, y, z = observation["self"]["pos"]
        dx, dz = ((STRIDE, 0), (-STRIDE, 0), (0, STRIDE), (0, -STRIDE))[
            int(bounded(ctx.rng(), 0, 3))
        ]
        return {"action": "move_to", "x": x + dx, "y": y, "z": z + dz, "tolerance": 3}
