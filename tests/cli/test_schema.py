"""`thorp schema`: every contract's schema is one, and can be had by name."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.cli.command import refused, thorp
from thorp.protocol.schemas import NAMES
from thorp.story import SCHEMAS as STORY_SCHEMAS
from thorp.town import SCHEMAS


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_by_name(name: str) -> None:
    schema = json.loads(thorp("schema", name).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == SCHEMAS[name]()


def test_without_a_name_all_schemas_are_listed() -> None:
    assert thorp("schema").stdout.decode().split() == [*SCHEMAS, *STORY_SCHEMAS, *NAMES]


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    assert "snapshot.v1" in refused(thorp("schema", "snapshot.v9"))
