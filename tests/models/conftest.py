"""A tiny model, written once, for the tests of the child that runs it."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.models.embedded.tiny import write_model

    return write_model(tmp_path_factory.mktemp("tiny") / "tiny.gguf")
