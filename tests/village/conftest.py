"""Villages that several tests begin with."""

import pytest

from tests.village.lives import Founded


@pytest.fixture(scope="session")
def founded(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Founded:
    own = tmp_path_factory.getbasetemp()
    return Founded(own if worker_id == "master" else own.parent)
