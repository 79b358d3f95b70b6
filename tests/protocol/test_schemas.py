"""The published schemas: right samples pass, broken promises fail, and the files are what is
generated."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from tests.protocol import samples
from thorp.protocol.handshake import Auth, Capabilities, Catalog, Hello, Welcome
from thorp.protocol.obs import Obs
from thorp.protocol.schemas import NAMES, message_schema

PUBLISHED = Path(__file__).parents[2] / "schemas"

SAMPLES: dict[str, list[dict[str, Any]]] = {
    "hello": [samples.hello(), samples.hello(capabilities={}, auth={"token": "t"})],
    "welcome": [samples.welcome()],
    "catalog": [
        samples.catalog("block_palette", ["AIR"]),
        samples.catalog("tuning", {"day_ticks": 6000}),
    ],
    "obs": [
        samples.obs(),
        samples.obs(
            3,
            voxels=samples.delta({(0, 0, 0): 3}),
            entities=[
                {"id": "IT000001", "type": "ITEM", "pos": [1, 2, 3], "item": "COAL", "count": 2}
            ],
            tasks=[{"task_id": "T000001", "kind": "MINE", "progress": 0.5, "target": [0, 0, 0]}],
            events=[{"t": 3, "type": "ACTION_RESULT", "ref": "i1", "ok": True, "message": "ok"}],
            fun_score=dict.fromkeys(
                ("novelty", "creation", "social", "influence", "narrative", "risk_rescue"), 1
            ),
            public_boards=[
                {
                    "board_id": "market",
                    "top_posts": [
                        {"post_id": "P000001", "author": "A1", "title": "a", "summary": "b"}
                    ],
                }
            ],
            memory=[{"key": "k", "value": "v"}],
        ),
    ],
    "act": [
        samples.act(),
        samples.act(
            instants=[
                {"id": "i", "type": "SAY", "anchor": [0, 0, 0]},
                {"type": "VOTE", "choice": "YES"},
            ],
            tasks=[{"id": "k", "type": "MINE", "block_pos": [1, 2, 3]}],
            cancel=["T000001"],
        ),
    ],
}


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = message_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_valid(name: str) -> None:
    for sample in SAMPLES[name]:
        validator(name).validate(sample)


@pytest.mark.parametrize("name", NAMES)
def test_the_published_file_is_the_generated_one(name: str) -> None:
    """`thorp schema --write schemas` writes them."""
    published = json.loads((PUBLISHED / f"{name}.schema.json").read_text("utf-8"))
    assert published == message_schema(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_required_field_is_required_and_the_top_level_closed(name: str) -> None:
    check = validator(name)
    sample = SAMPLES[name][0]
    for field in message_schema(name)["required"]:
        assert not check.is_valid({key: value for key, value in sample.items() if key != field}), (
            field
        )
    assert not check.is_valid({**sample, "more": 1})
    assert not check.is_valid({**sample, "type": "OTHER"})
    assert not check.is_valid({**sample, "protocol_version": "1.1"})


REQUIRED = {
    "hello": "type protocol_version agent_name capabilities",
    "welcome": "type protocol_version agent_id resume_token world_params catalogs",
    "catalog": "type protocol_version name digest data part total_parts",
    "obs": "type protocol_version tick agent_id world self inventory equipment local_rules "
    "voxels entities events tasks",
    "act": "type protocol_version tick agent_id",
}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_required(name: str) -> None:
    assert message_schema(name)["required"] == REQUIRED[name].split()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("hello", {"agent_name": ""}),
        ("hello", {"capabilities": {"max_queue": 65}}),
        ("hello", {"capabilities": {"speed": 1}}),
        ("hello", {"auth": {"token": "t", "name": "n"}}),
        ("welcome", {"world_params": {**samples.welcome()["world_params"], "height": 0}}),
        ("welcome", {"world_params": {**samples.welcome()["world_params"], "more": 0}}),
        ("welcome", {"catalogs": {}}),
        ("obs", {"tick": -1}),
        ("obs", {"tick": 1.5}),
        ("obs", {"events": None}),
        ("obs", {"world": {**samples.obs()["world"], "time_of_day": 1.5}}),
        ("obs", {"self": {**samples.obs()["self"], "hp": 19.5}}),
        ("obs", {"self": {**samples.obs()["self"], "pos": [1, 2]}}),
        ("obs", {"inventory": [{"item": "COAL", "count": 1, "age": 2}]}),
        ("obs", {"fun_score": {"novelty": 1}}),
        ("obs", {"voxels": {"center": [0, 0, 0], "radius": 7}}),
        ("act", {"tick": -1}),
        ("act", {"cancel": [1]}),
        ("act", {"tasks": [{"type": "MINE", "block_pos": [1, 2]}]}),
        ("act", {"tasks": [{"block_pos": [1, 2, 3]}]}),
        ("act", {"instants": ["SAY"]}),
    ],
)
def test_what_is_wrong(name: str, changes: dict[str, Any]) -> None:
    assert not validator(name).is_valid({**SAMPLES[name][0], **changes})


@pytest.mark.parametrize(
    ("name", "kind"), [("welcome", Welcome), ("catalog", Catalog), ("obs", Obs)]
)
def test_types_read_samples_and_write_them_back(name: str, kind: type[Any]) -> None:
    for sample in SAMPLES[name]:
        read = msgspec.json.decode(samples.frame(sample), type=kind)
        assert json.loads(msgspec.json.encode(read)) == sample


def test_a_hello_is_written_as_its_schema_wants_it() -> None:
    for greeting in (
        Hello(agent_name="mole", capabilities=Capabilities()),
        Hello(agent_name="mole", capabilities=Capabilities(), auth=Auth(token="t")),
    ):
        validator("hello").validate(json.loads(msgspec.json.encode(greeting)))


def test_the_command_prints_and_writes_them(tmp_path: Path) -> None:
    thorp = Path(sys.executable).with_name("thorp")
    printed = subprocess.run([thorp, "schema", "obs"], capture_output=True, check=True, timeout=60)
    assert json.loads(printed.stdout) == message_schema("obs")
    subprocess.run([thorp, "schema", "--write", tmp_path], check=True, timeout=60)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        f"{name}.schema.json": (PUBLISHED / f"{name}.schema.json").read_bytes() for name in NAMES
    }
