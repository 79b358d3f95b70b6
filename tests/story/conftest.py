"""The PostgreSQL server of this test process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import Cluster, cluster_or_skip

pytest.register_assert_rewrite("thorp.story.testing")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    with cluster_or_skip() as cluster:
        yield cluster
