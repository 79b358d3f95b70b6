"""What oracles of tasks in the voxel world share: finding, walking, digging and making things.

An oracle may look at the whole world, and plays by the same actions as everybody else.
"""

from collections.abc import Iterator
from typing import Any, Final

from thorp.env.choices import default_choices
from thorp.tasks.episode import Episode
from thorp.tasks.world_engine import WorldEngine
from thorp.voxel import Agent, World
from thorp.voxel.state.ground import HEIGHT

Place = tuple[int, int, int]
# How far from the body a block is looked for, in columns.
SEARCH_R: Final = 64
# Turns without a change after which another place is tried.
PATIENCE: Final = 6
WAYS: Final = ("east", "south", "west", "north")
CHOICES: Final = default_choices().names


class Body:
    """The learner of an episode, with eyes that see through the ground."""

    def __init__(self, episode: Episode) -> None:
        assert isinstance(episode.engine, WorldEngine)
        self.episode = episode
        self.engine: WorldEngine = episode.engine

    @property
    def world(self) -> World:
        return self.engine.world

    @property
    def agent(self) -> Agent:
        return self.engine.body

    @property
    def place(self) -> Place:
        return self.agent.position

    def has(self, item: str) -> int:
        return self.agent.inventory.get(item, 0)

    def do(self, action: str, **fields: Any) -> bool:
        """Play a turn; return whether its action was taken."""
        if self.episode.is_over:
            return False
        return self.episode.act({"action": action, **fields}).valid

    def block(self, place: Place) -> str:
        return self.world.catalogs.blocks[self.world.ground.block(*place)].id

    def wait(self, ticks: int) -> None:
        self.do("wait", ticks=ticks)

    # Ground

    def blocks(self, name: str, most: int = SEARCH_R) -> Iterator[Place]:
        """Where blocks of this name are, the nearest column first."""
        number = self.world.catalogs.block_number[name]
        x, _, z = self.place
        for radius in range(most + 1):
            for column_x, column_z in _ring(x, z, radius):
                column = self.world.ground.column(column_x, column_z)
                for y in range(HEIGHT):
                    if column[y] == number:
                        yield column_x, y, column_z

    def distance(self, place: Place) -> int:
        return sum(abs(there - here) for there, here in zip(place, self.place, strict=True))

    def go(self, place: Place, near: int = 1) -> bool:
        """Walk until the place is that near; return whether it is."""
        x, y, z = place
        for _ in range(PATIENCE * 4):
            if self.distance(place) <= near or self.episode.is_over:
                break
            before = self.place
            self.do("move_to", x=x, y=y, z=z)
            self.settle()
            # A walk ends beside its goal; the last step is one to a side.
            if near == 0 and self.distance(place) == 1:
                self._step_onto(place)
            if self.place == before:
                break
        return self.distance(place) <= near

    def collect(self, block: str, item: str, count: int) -> None:
        """Mine blocks until that many of an item are carried."""
        given_up: set[Place] = set()
        while self.has(item) < count and not self.episode.is_over:
            target = next(
                (
                    place
                    for place in self.blocks(block)
                    if place not in given_up and abs(place[1] - self.place[1]) < 10
                ),
                None,
            )
            if target is None:
                return
            before = self.has(item)
            if self.distance(target) <= 2 or self.go(target, 2):
                self.do("mine", x=target[0], y=target[1], z=target[2])
            self.pick_up()
            if self.has(item) == before:
                given_up.add(target)

    def pick_up(self) -> None:
        """Take what lies near."""
        for entity in self.engine.observe()["entities"]:
            if entity["type"] == "ITEM" and self.distance(tuple(entity["pos"])) <= 2:
                self.do("gather", target_id=entity["id"])

    def make(self, recipe: str, item: str, count: int) -> None:
        """Craft until that many of an item are carried."""
        while self.has(item) < count and not self.episode.is_over:
            before = self.has(item)
            self.do("craft", recipe_id=recipe)
            if self.has(item) == before:
                return

    def choose(self, name: str) -> bool:
        """Take one of the numbered choices, if it is possible now."""
        number = CHOICES.index(name)
        if self.episode.is_over or number not in self.engine.observe()["possible"]:
            return False
        taken = self.episode.act(number).valid
        self.settle()
        return taken

    def put_down(self, item: str) -> None:
        """Place something in any free cell that is near enough to work at it."""
        x, y, z = self.place
        around = range(-2, 3)
        cells = ((x + dx, y + dy, z + dz) for dx in around for dy in around for dz in around)
        own = {(x, y, z), (x, y + 1, z)}
        free = (cell for cell in cells if cell not in own and self.block(cell) == "AIR")
        cell = min(free, key=self.distance, default=None)
        if cell is not None:
            self.do("place", x=cell[0], y=cell[1], z=cell[2], item_id=item)
            self.settle()

    def trouble(self, place: Place) -> int:
        """How far a block is to dig to. Down and forward is easy, up is not."""
        rise = max(0, place[1] - self.place[1] - 1)
        return self.distance(place) + 100 * rise

    def settle(self) -> None:
        """Wait until what was begun is done."""
        while (self.agent.move or self.agent.work) and not self.episode.is_over:
            self.wait(1)

    def dig_to(self, target: Place) -> bool:
        """Dig straight down to the height of a block, then a tunnel towards it, until it is in
        reach."""
        x, y, z = target
        for _ in range(200):
            if self.episode.is_over or self.distance(target) <= 2:
                break
            here = self.place
            if here[1] > y:
                moved = self.choose("mine_down") or self._sidestep()
            else:
                moved = self._tunnel(x - here[0], z - here[2])
            if not moved:
                break
        return self.distance(target) <= 2

    def _tunnel(self, dx: int, dz: int) -> bool:
        """Dig one cell forward, and go there."""
        if dx == 0 and dz == 0:
            return self.choose("mine_up")
        way = _way(dx, dz)
        before = self.place
        dug = [self.choose(f"mine_{level}_{way}") for level in ("head", "feet")]
        self.choose(f"move_{way}")
        return any(dug) or self.place != before

    def _step_onto(self, place: Place) -> None:
        self.choose(f"move_{_way(place[0] - self.place[0], place[2] - self.place[2])}")

    def _sidestep(self) -> bool:
        before = self.place
        return any(self.choose(f"move_{way}") and self.place != before for way in WAYS)


def _way(dx: int, dz: int) -> str:
    """The side to which a place lies."""
    if dx:
        return "east" if dx > 0 else "west"
    return "south" if dz > 0 else "north"


def _ring(x: int, z: int, radius: int) -> Iterator[tuple[int, int]]:
    """The columns at this distance, as squares go."""
    for dx in range(-radius, radius + 1):
        for dz in range(-radius, radius + 1):
            if max(abs(dx), abs(dz)) == radius:
                yield x + dx, z + dz
