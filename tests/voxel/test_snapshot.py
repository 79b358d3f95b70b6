"""A world that was packed and restored is the same world, in every attribute and from then on."""

from __future__ import annotations

import contextlib
import time
from hashlib import sha256
from typing import Any

import msgspec
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import flat_world, put_agent
from thorp.kernel.errors import DamagedError
from thorp.protocol import actions
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.voxel.extension import names
from thorp.voxel.load import default_catalogs
from thorp.voxel.persistence import snapshot
from thorp.voxel.persistence.record import RULES, Epoch
from thorp.voxel.persistence.snapshot import (
    MAX_HEADER_BYTES,
    MAX_SCALARS_BYTES,
    Header,
    encode_state,
    pack,
    pack_chunks,
    read_header,
    restore,
    with_tuning,
)
from thorp.voxel.state.agent import KEPT_EVENTS, Agent, Memo, Movement, Window, Work
from thorp.voxel.state.ground import CHUNK_CELLS, Ground
from thorp.voxel.state.world import (
    SCALARS,
    TABLES,
    Container,
    Conveyor,
    Due,
    ItemEntity,
    Sign,
    World,
)
from thorp.voxel.tick import step

# What `vars(World)` may hold beside tables and scalars: made from seeds and tuning, or no state.
MADE = {"seed", "draw_seed", "draws", "catalogs", "tuning", "listeners", "ground", "extensions"}
IN_ORDER = {"unsettled"}
NOT_STATE = {"derived", "scratch"}


def epoch_of(world: World) -> Epoch:
    return Epoch(
        rules=RULES,
        catalogs=world.catalogs.digest(),
        extensions=names(world.extensions),
        seed=world.seed,
        draw_seed=world.draw_seed,
        tuning=world.tuning,
    )


def packed(world: World) -> bytes:
    return pack(encode_state(world, epoch_of(world)))


def played(seed: int, size: int, ticks: int) -> tuple[World, Crowd]:
    world, crowd = create_flat_world(seed, seed + 1, RICH), Crowd(seed, size, busy=0.8)
    for _ in range(ticks):
        step(world, crowd.inputs(world))
    return world, crowd


def everything_of(agent: Agent) -> dict[str, object]:
    fields = msgspec.structs.asdict(agent)
    fields["ring"] = (agent.event_log.next, agent.event_log.head, agent.event_log.since(0))
    for derived in ("slow_digest", "inventory_text", "at_rest", "marks"):
        del fields[derived]
    return fields


def assert_same(one: World, other: World) -> None:
    """Compare every attribute, not only what the digest covers."""
    assert set(vars(one)) == {*TABLES, *SCALARS, *MADE, *IN_ORDER, *NOT_STATE}, (
        "a new attribute of World: say here whether it is state, and if so, put it into the "
        "snapshot"
    )
    for name in SCALARS:
        assert getattr(one, name) == getattr(other, name), name
    assert list(one.unsettled) == list(other.unsettled)
    assert (one.seed, one.draw_seed, one.tuning) == (other.seed, other.draw_seed, other.tuning)
    assert list(map(everything_of, one.agents)) == list(map(everything_of, other.agents))
    for name in TABLES:
        if name != "agents":
            assert list(getattr(one, name)) == list(getattr(other, name)), name
    for agent in one.agents:
        assert list(agent.inventory) == list(other.agents[agent.number].inventory), (
            "the order counts too"
        )
    assert contents(one.ground) == contents(other.ground)
    assert one.digest() == other.digest()


def contents(ground: Ground) -> dict[tuple[int, int], bytes]:
    return {
        (cx, cz): bytes(ground.cells[(start := ground.base(cx, cz)) : start + 16_384])
        for cx, cz in ground.changed
    }


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(0, 40))
def test_everything_survives(seed: int, size: int, ticks: int) -> None:
    world, _ = played(seed, size, ticks)
    assert_same(world, restore(packed(world), create_flat_world))


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(1, 30))
def test_a_restored_world_goes_on_as_the_other_would_have(seed: int, ticks: int) -> None:
    world, crowd = played(seed, 6, ticks)
    restored = restore(packed(world), create_flat_world)
    for _ in range(20):
        inputs = crowd.inputs(world)
        step(world, inputs)
        step(restored, inputs)
        assert world.digest() == restored.digest()
    assert_same(world, restored)


def test_zero_is_a_value_and_nothing_is_none() -> None:
    world = flat_world(default_catalogs())
    agent = put_agent(world, PLANK=1)
    agent.hp = agent.hunger = agent.stamina = agent.breath = agent.yaw = 0
    agent.reputation = dict.fromkeys(agent.reputation, 0)
    agent.inventory = {}
    agent.memory = {"": Memo("", None), "k": Memo("v", 0)}
    agent.windows = {"say": Window(0, 0)}
    agent.move = Movement("T1", actions.MoveTo(target=(0, 0, 0), tolerance=0.0), 0, (0, 23, 0))
    agent.work = Work("T2", actions.Craft(recipe_id="", count=0), 0)
    other = put_agent(world, x=3, STONE=2)
    other.move = Movement("T3", actions.Follow(target_id="A1"), 4, (3, 23, 0), b"\x01\x00")
    world.ground.put(0, 22, 0, 0)
    world.weather_until = 0
    world.unsettled = {(5, 1, 5): None, (1, 1, 1): None}
    agent.changed()
    restored = restore(
        packed(world), lambda seed, draw_seed, tuning: flat_world(default_catalogs(), tuning, seed)
    )
    assert_same(world, restored)
    assert restored.agents[1].hp == 0
    assert restored.agents[1].memory["k"].expires_tick == 0
    assert restored.agents[1].memory[""].expires_tick is None


def test_full_rings_keep_their_newest_events() -> None:
    world = flat_world(default_catalogs())
    agent = put_agent(world)
    for number in range(KEPT_EVENTS + 700):
        world.emit(agent, "NOTE", n=number)
    restored = restore(
        packed(world), lambda seed, draw_seed, tuning: flat_world(default_catalogs(), tuning, seed)
    )
    assert restored.agents[1].event_log.since(0) == agent.event_log.since(0)
    assert len(restored.agents[1].event_log.events) == KEPT_EVENTS


def test_packing_does_not_look_at_the_world_again() -> None:
    world, crowd = played(3, 5, 20)
    before = packed(world)
    state = encode_state(world, epoch_of(world))
    for _ in range(15):
        step(world, crowd.inputs(world))
    assert pack(state) == before


def test_packing_does_not_see_what_a_full_ring_got_later() -> None:
    world = flat_world(default_catalogs())
    agent = put_agent(world)
    for number in range(2 * KEPT_EVENTS - 10):
        world.emit(agent, "NOTE", n=number)
    before = packed(world)
    state = encode_state(world, epoch_of(world))
    for number in range(50):  # the log lets go of its older half meanwhile
        world.emit(agent, "LATER", n=number)
    assert pack(state) == before


@settings(max_examples=10)
@given(st.integers(0, 10**6))
def test_chunks_that_were_packed_are_given_back_unless_they_changed(seed: int) -> None:
    world, crowd = played(seed, 8, 15)
    state = pack_chunks(encode_state(world, epoch_of(world)))
    for _ in range(15):
        step(world, crowd.inputs(world))
    before = contents(world.ground)
    world.ground.adopt(state.chunks, state.edits)
    assert_same(world, restore(packed(world), create_flat_world))
    assert contents(world.ground) == before


def test_what_was_packed_is_not_copied_again() -> None:
    world = flat_world(default_catalogs())
    for x in (1, 100, 200):
        world.ground.put(x, 50, 1, 1)
    state = pack_chunks(encode_state(world, epoch_of(world)))
    world.ground.adopt(state.chunks, state.edits)
    assert encode_state(world, epoch_of(world)).chunks == state.chunks
    world.ground.put(2, 50, 1, 1)
    changed = encode_state(world, epoch_of(world))
    assert [len(cells) == CHUNK_CELLS for _, _, cells in changed.chunks] == [True, False, False]


def test_copying_changes_nothing() -> None:
    world, _ = played(4, 5, 20)
    digest = world.digest()
    texts = [agent.inventory_text for agent in world.agents]
    encode_state(world, epoch_of(world))
    assert world.digest() == digest
    assert [agent.inventory_text for agent in world.agents] == texts


def test_packing_rests_often() -> None:
    world, _ = played(5, 8, 10)
    rests: list[None] = []
    pack(encode_state(world, epoch_of(world)), rest=lambda: rests.append(None))
    assert len(rests) >= len(world.agents)


def test_the_header_can_be_read_alone() -> None:
    world, _ = played(6, 3, 7)
    data = packed(world)
    header = read_header(data[:4096])
    assert (header.tick, header.digest, header.agents) == (7, world.digest(), len(world.agents))
    assert header.epoch.tuning == RICH


def test_any_changed_byte_is_found() -> None:
    world, _ = played(7, 2, 5)
    data = packed(world)
    places = range(0, len(data), max(1, len(data) // 200))
    harmless = 0
    for at in places:
        broken = data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
        with contextlib.suppress(DamagedError):
            assert restore(broken, create_flat_world).digest() == world.digest()
            harmless += 1
    assert harmless < 5, "few bits of what is packed mean nothing"


@pytest.mark.parametrize("cut", [0, 1, 5, 100, -1])
def test_a_cut_off_snapshot_is_damaged(cut: int) -> None:
    world, _ = played(8, 2, 5)
    with pytest.raises(DamagedError):
        restore(packed(world)[:cut], create_flat_world)


def test_what_an_older_release_did_not_know_begins_anew() -> None:
    world, _ = played(9, 2, 5)
    epoch = msgspec.structs.replace(epoch_of(world), rules=RULES - 1)
    state = encode_state(world, epoch)
    older = msgspec.structs.replace(
        state, tables=[row for row in state.tables if row[0] != "signs"]
    )
    restored = restore(pack(older), create_flat_world)
    assert list(restored.signs) == []
    assert [agent.inventory for agent in restored.agents] == [
        agent.inventory for agent in world.agents
    ]
    ours = msgspec.structs.replace(older, epoch=epoch_of(world), digest="0" * 64)
    with pytest.raises(DamagedError):
        restore(pack(ours), create_flat_world)


def test_a_world_that_does_not_have_the_digest_is_refused() -> None:
    world, _ = played(9, 2, 5)
    state = msgspec.structs.replace(encode_state(world, epoch_of(world)), digest="0" * 64)
    with pytest.raises(DamagedError, match="does not have the digest"):
        restore(pack(state), create_flat_world)


def test_another_tuning_changes_nothing_but_the_tuning() -> None:
    world, _ = played(10, 3, 9)
    tuning = msgspec.structs.replace(RICH, place_reach=3)
    epoch = msgspec.structs.replace(epoch_of(world), tuning=tuning)
    other = with_tuning(world, create_flat_world, epoch)
    assert other.tuning.place_reach == 3
    assert other.digest() == world.digest()


# What somebody else composed.


def forged(world: World, **changes: Any) -> bytes:
    return pack(msgspec.structs.replace(encode_state(world, epoch_of(world)), **changes))


def refused(data: bytes, message: str | None = None) -> None:
    with pytest.raises(DamagedError, match=message):
        restore(data, create_flat_world)


def framed(header: Header, body: bytes) -> bytes:
    header = msgspec.structs.replace(header, body_sha256=sha256(body).hexdigest())
    return zstandard.ZstdCompressor().compress(msgspec.json.encode(header)) + body


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stamina", 5000), ("stamina", -1), ("hp", -3), ("hp", 21), ("hunger", 99), ("breath", -1),
        ("yaw", 360),
        ("number", 0), ("y", 63), ("y", -1), ("x", 10**7), ("inventory", {"PLANK": -5}), ("seen", -1),
        ("reputation", {"law": 1001}), ("joined_tick", 2**60), ("name", 7), ("move", {}),
    ],
)  # fmt: skip
def test_an_agent_that_cannot_be_is_refused(field: str, value: object) -> None:
    world = flat_world(default_catalogs())
    put_agent(world)
    setattr(world.agents[1], field, value)
    state = encode_state(flat_world(default_catalogs()), epoch_of(world))
    agents = msgspec.msgpack.encode([world.agents[1]])
    tables = [(name, agents if name == "agents" else rows) for name, rows in state.tables]
    refused(
        pack(msgspec.structs.replace(state, tables=tables, event_logs=[(1, [], 0)])),
        "cannot be read|something at",
    )


def test_rows_that_cannot_be_are_refused() -> None:
    for table, row in {
        "items": ItemEntity(1, (0, 5, 0), "PLANK", 0, 1, 2),
        "containers": Container("CHEST", (0, 64, 0)),
        "conveyors": Conveyor((0, 5, 0), 7, 0),
        "growth": Due((0, 5, 0), 5, 256),
        "signs": Sign((0, 5, 0), updated_tick=-1),
    }.items():
        world = flat_world(default_catalogs())
        getattr(world, table).put(row)
        refused(packed(world), "cannot be read|something at")


def test_a_snapshot_without_what_it_must_have_is_damaged() -> None:
    world, _ = played(7, 2, 5)
    state = encode_state(world, epoch_of(world))
    _, events, count = state.event_logs[0]
    forgeries: list[dict[str, Any]] = [
        {"scalars": msgspec.msgpack.encode({})},
        {"scalars": b"\x93"},
        {"scalars": msgspec.msgpack.encode({"unsettled": [], "tick": -1})},
        {"scalars": msgspec.msgpack.encode({"unsettled": [(0, 99, 0)]})},
        {"scalars": msgspec.msgpack.encode({"unsettled": [], "season": 2**64 - 1})},
        {"tables": []},
        {"tables": [("agents", msgspec.msgpack.encode([1]))]},
        {"event_logs": state.event_logs[1:]},
        {"event_logs": [(999, events, count), *state.event_logs[1:]]},
        {"chunks": [(0, 0, b"short")]},
        {"chunks": [(0, 0, bytes(3 * CHUNK_CELLS))]},
    ]
    for changes in forgeries:
        refused(forged(world, **changes))


def test_no_part_takes_more_memory_than_it_may() -> None:
    world, _ = played(7, 2, 5)
    header = read_header(packed(world))
    for length in (2**32 - 1, MAX_SCALARS_BYTES + 1):
        body = zstandard.ZstdCompressor().compress(length.to_bytes(4, "big") + bytes(1000))
        refused(framed(header, body), f"a part of {length} bytes")
    refused(
        framed(header, zstandard.ZstdCompressor().compress((1000).to_bytes(4, "big"))),
        "ends before",
    )
    refused(framed(header, zstandard.ZstdCompressor().compress(b"")), "ends before")


def test_all_parts_together_are_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    world, _ = played(7, 2, 5)
    data = packed(world)
    monkeypatch.setattr(snapshot, "MAX_UNPACKED_BYTES", 2_000)
    refused(data, "bytes, where")


def test_a_header_says_how_long_it_is_and_is_no_longer() -> None:
    world, _ = played(7, 2, 5)
    data = packed(world)
    text = msgspec.json.encode(read_header(data))
    silent = zstandard.ZstdCompressor(write_content_size=False)
    refused(silent.compress(text) + data, "first frame")
    refused(silent.compress(bytes(50 * 2**20)), "first frame")
    refused(zstandard.ZstdCompressor().compress(bytes(MAX_HEADER_BYTES + 1)), "first frame")
    refused(zstandard.ZstdCompressor().compress(b"[" * 60_000), "not a snapshot")
    bomb = bytearray(zstandard.ZstdCompressor().compress(bytes(60_000)))
    assert zstandard.frame_content_size(bytes(bomb)) == 60_000
    bomb[5:7] = (300 - 256).to_bytes(2, "little")  # says 300, has 60,000
    assert zstandard.frame_content_size(bytes(bomb)) == 300
    refused(bytes(bomb), "not a snapshot")


def test_a_window_is_not_too_wide() -> None:
    world, _ = played(7, 2, 5)
    wide = zstandard.ZstdCompressionParameters(window_log=27)
    stream = zstandard.ZstdCompressor(compression_params=wide).compressobj()
    body = stream.compress(bytes(1000)) + stream.flush()
    refused(framed(read_header(packed(world)), body), "cannot be read")


@pytest.mark.long
def test_a_large_world_still_loads_quickly() -> None:
    world = flat_world(default_catalogs())
    for number in range(1_000):
        agent = put_agent(world, number)
        for note in range(100):
            world.emit(agent, "NOTE", n=note)
    for number in range(5_000):
        world.ground.put(16 * (number % 100), 50, 16 * (number // 100), 1)
    data = pack(pack_chunks(encode_state(world, epoch_of(world))))
    began = time.process_time()
    restored = restore(
        data, lambda seed, draw, tuning: flat_world(default_catalogs(), tuning, seed)
    )
    assert time.process_time() - began < 3
    assert restored.digest() == world.digest()
