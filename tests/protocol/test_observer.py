"""The observer's messages: each is written with its type and version, and read back as itself."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest

from thorp.protocol import observer
from thorp.protocol.observer import AnyObserverMessage

TASK = observer.ShownTask(kind="MOVE_TO", target=(1, 2, 3), progress=0.5, eta_ticks=4)
AGENT = observer.ShownAgent(
    id="A1",
    name="mole",
    connected=True,
    pos=(0, 20, 0),
    yaw=0,
    hp=20,
    hunger=20,
    stamina_milli=1000,
    move_task=TASK,
)
MESSAGES = [
    observer.ShownTick(
        tick=7,
        time_of_day=0.5,
        weather="CLEAR",
        agents=[AGENT],
        joins=[observer.ShownJoin(agent_id="A1", name="mole")],
        leaves=["A2"],
        audits=[
            observer.ShownAudit(
                tick=7, actor="A1", pos=(1, 2, 3), before=25, after=0, reason="MINE"
            )
        ],
    ),
    observer.ChunkSurface(cx=0, cz=-1, data="AAAA"),
    observer.ChunkPatch(cx=0, cz=-1, cells=[observer.SurfaceCell(x=1, z=2, block=3, y=4)]),
    observer.ChunkEvict(cx=0, cz=-1),
    observer.ChunkVoxels(cx=0, cz=-1, data="AAAA"),
    observer.ChunkVoxelPatch(cx=0, cz=-1, cells=[observer.VoxelCell(x=1, y=2, z=3, block=4)]),
    observer.ChunkVoxelsEvict(cx=0, cz=-1),
]
TYPES = [
    "TICK",
    "CHUNK_SURFACE",
    "CHUNK_PATCH",
    "CHUNK_EVICT",
    "CHUNK_VOXELS",
    "CHUNK_VOXEL_PATCH",
    "CHUNK_VOXELS_EVICT",
]


@pytest.mark.parametrize(("message", "kind"), [*zip(MESSAGES, TYPES, strict=True)], ids=TYPES)
def test_a_message_is_written_and_read(message: AnyObserverMessage, kind: str) -> None:
    text = msgspec.json.encode(message)
    assert json.loads(text)["type"] == kind
    assert json.loads(text)["protocol_version"] == "0.1"
    assert msgspec.json.decode(text, type=AnyObserverMessage) == message


def test_every_kind_is_shown_here() -> None:
    assert {type(message) for message in MESSAGES} == set(get_args(AnyObserverMessage))


def test_names_that_python_could_not_have_and_fields_that_are_absent() -> None:
    shown = json.loads(msgspec.json.encode(MESSAGES[0]))
    assert (shown["audits"][0]["from"], shown["audits"][0]["to"]) == (25, 0)
    assert "work_task" not in shown["agents"][0]
    assert "target_id" not in shown["agents"][0]["move_task"]
    assert "active_event_id" not in shown
