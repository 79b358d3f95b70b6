"""A match among villagers: one agent comes to the gate of a young village, and is of use or is not.

`docs/scenarios.md` says what it is shown, what it may answer and what it scores.
"""

from hashlib import sha256
from typing import Any, Final

from msgspec import UNSET, UnsetType

from thorp.arena.scenarios.validation import integer_parameter
from thorp.bridges.voxel_match import LEAST_TURN_TICKS, VoxelMatch, grammar
from thorp.env import World
from thorp.kernel.errors import IllegalError
from thorp.language.tools import SIMPLE, TOOLS
from thorp.village.founding import RULES
from thorp.village.headless import settle
from thorp.village.roster import ROSTER
from thorp.voxel import AnyInput
from thorp.voxel.achievements import points

MAX_DAYS: Final = 10
# What others gained by one's deeds counts no further: twenty deals are a day of trading.
MAX_GAIN: Final = 20
# Deeds from which somebody else gains, too.
GIVING: Final = ("keep_contract", "trade_goods")


class VillageWorld(World):
    """A world in which the demo village has lived for some days before the agent comes to its
    gate."""

    def __init__(self, seed: int, *, settled_days: int, busy_ticks: int) -> None:
        super().__init__(seed, 1, RULES, busy_ticks=busy_ticks, least_ticks=LEAST_TURN_TICKS)
        self._settled_days = settled_days

    def _prepare(self) -> None:
        tokens = {name: sha256(name.encode()).hexdigest() for name in ROSTER}
        self._village = settle(self._world, self._execute, tokens)
        while self._world.tick < self._settled_days * self.tuning.day_ticks:
            self._tick([])

    def _tick(self, inputs: list[AnyInput]) -> None:
        self._village.step(lambda theirs: self._execute([*theirs, *inputs]))

    def __getstate__(self) -> dict[str, Any]:
        why = "a world with villagers cannot be copied: their plans are not data"
        raise IllegalError(why, code="no_copy")


TOOLS_OFFERED: Final = (*SIMPLE, *TOOLS)


class VoxelVillage(VoxelMatch):
    """`settled_days` is how long the village has stood when the agent comes. `world` is the seed of
    the world, which the match draws by itself."""

    name = "voxel-village"
    tuning = RULES
    tools = TOOLS_OFFERED
    briefing = (
        "You come to the gate of a village of 24. Live well in it: collect, craft and build, and "
        "be of use: "
        "trade, keep contracts, vote. Everything counts the first time you do it, and each "
        "contract you keep "
        "and each trade others agree to counts again. Answer with one action: "
        f'{{"action": "say", "text": "Hi."}}. There are {grammar(TOOLS_OFFERED)}.'
    )

    def __init__(
        self,
        ticks: int = 6_000,
        busy_ticks: int = 50,
        settled_days: int = 1,
        world: int | UnsetType = UNSET,
    ) -> None:
        super().__init__(ticks, busy_ticks, world)
        self.settled_days = integer_parameter("settled_days", settled_days, 0, MAX_DAYS)

    def _world(self, seed: int) -> World:
        return VillageWorld(seed, settled_days=self.settled_days, busy_ticks=self.busy_ticks)

    def _score(self, counts: dict[str, int]) -> int:
        gained = sum(counts[name] for name in GIVING)
        return points(name for name, count in counts.items() if count) + min(gained, MAX_GAIN)
