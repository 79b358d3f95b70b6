"""The packaged catalogs, and a flat world made of them."""

from __future__ import annotations

import pytest

from tests.voxel.flat import flat_world
from thorp.voxel.catalog import Catalogs
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.world import World


@pytest.fixture(scope="session")
def catalogs() -> Catalogs:
    return default_catalogs()


@pytest.fixture
def world(catalogs: Catalogs) -> World:
    return flat_world(catalogs)
