"""Does the voxel world keep the contract of a `TownWorld`?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.bridges.voxel_town.settled import FIRST, SECOND, open_settled
from thorp.bridges.voxel_town import VoxelTowns
from thorp.store import RealDisk
from thorp.town import TownWorld
from thorp.town.testing import TownWorldSuite


class TestVoxelTowns(TownWorldSuite):
    town_id = FIRST
    other_town_id = SECOND

    @pytest.fixture(autouse=True)
    def _directory(self, tmp_path: Path) -> None:
        self.path = tmp_path / "world"

    def open_world(self) -> AbstractContextManager[TownWorld]:
        return self._opened()

    @contextmanager
    def _opened(self) -> Iterator[TownWorld]:
        with open_settled(RealDisk(), self.path) as service:
            yield VoxelTowns(service)
