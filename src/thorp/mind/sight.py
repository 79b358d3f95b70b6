"""What an agent sees now, as far as choosing needs it: its body, its pocket, the cube around it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
import numpy as np

from thorp.env.choices import FEET, Body, cells_of
from thorp.kernel.errors import InvalidError
from thorp.protocol.block_view import BlockView
from thorp.protocol.obs import Obs, Position
from thorp.voxel.systems.items import GATHER_REACH

_ITEM: Final = "ITEM"


class Sight:
    """The newest observation of one agent. `palette` names the blocks: the catalog
    `block_palette`.

    Give it every observation: cubes may come as changes of the one before.
    """

    def __init__(self, palette: Sequence[str]) -> None:
        self.view = BlockView(palette)
        self._obs: Obs | None = None

    def take(self, obs: Mapping[str, Any] | Obs) -> None:
        """Take in an observation; the same one twice counts once."""
        try:
            seen = obs if isinstance(obs, Obs) else msgspec.convert(obs, Obs)
        except msgspec.ValidationError as problem:
            raise InvalidError(f"no OBS: {problem}", code="obs") from None
        if self._obs is not None and seen.tick == self._obs.tick:
            return
        if self._obs is not None and seen.tick != self._obs.tick + 1:
            self.view.forget()  # Changes of a cube that was not seen are of no use.
        self._obs = seen
        self.view.take(seen.voxels)

    @property
    def obs(self) -> Obs:
        """The newest observation. There must be one."""
        assert self._obs is not None, "take() an observation first"
        return self._obs

    @property
    def position(self) -> Position:
        """Where the agent stands."""
        return self.obs.body.pos

    @property
    def pocket(self) -> dict[str, int]:
        """What it carries: items and counts."""
        return {stack.item: stack.count for stack in self.obs.inventory}

    @property
    def is_busy(self) -> bool:
        """Whether a task is under way."""
        return bool(self.obs.tasks)

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where blocks of these names are, the nearest first."""
        return self.view.find_all(*names)

    def body(self) -> Body | None:
        """What its choices depend on; None while too little of the ground is in sight."""
        cube = self.view.cells
        if cube is None or self.view.radius < FEET or self.view.center != self.position:
            return None
        return Body(
            position=self.position,
            yaw=self.obs.body.yaw,
            inventory=self.pocket,
            cells=cells_of(np.frombuffer(cube, np.uint8), self.view.radius),
            item=self._nearest_item(),
        )

    def _nearest_item(self) -> str | None:
        """The nearest item within reach; of two as near, the older one."""
        x, y, z = self.position
        near = [
            (abs(ex - x) + abs(ey - y) + abs(ez - z), each.id)
            for each in self.obs.entities
            if each.type == _ITEM
            for ex, ey, ez in [each.pos]
        ]
        distance, item = min(near, default=(GATHER_REACH + 1, ""))
        return item if distance <= GATHER_REACH else None
