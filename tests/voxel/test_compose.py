"""What an OBS says, and that saying it changes nothing."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest

from tests.voxel.flat import SURFACE, flat_world, put_agent, put_block
from thorp.protocol.act import Act
from thorp.protocol.actions import BadTask, LoadMemory, Mine, MoveTo, Place, SaveMemory, Say
from thorp.protocol.obs import Obs
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Acted, AnyInput
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.entity_view import MAX_SEEN
from thorp.voxel.observation.session import Session
from thorp.voxel.state.world import Container, Conveyor, Sign, Switch, World
from thorp.voxel.tick import step


def tick(world: World, session: Session, *inputs: AnyInput) -> dict[str, Any]:
    """One tick, and what the session is sent for it."""
    step(world, inputs)
    compose(world, [session])
    text = session.take()
    assert text is not None
    msgspec.json.decode(text, type=Obs)  # as strictly as a typed client
    decoded: dict[str, Any] = msgspec.json.decode(text)
    return decoded


def act(world: World, number: int, **wishes: Any) -> Acted:
    return Acted(number, Act(tick=world.tick, **wishes))


def cube(obs: dict[str, Any]) -> bytes:
    """The cells of an RLE cube."""
    raw = base64.b64decode(obs["voxels"]["data"], validate=True)
    cells, numbers, value, shift = bytearray(), [], 0, 0
    for byte in raw:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    for block, run in zip(numbers[::2], numbers[1::2], strict=True):
        cells += bytes([block]) * run
    return bytes(cells)


def test_everything_a_client_reads_is_there(world: World) -> None:
    agent = put_agent(world, 5, 6, PLANK=2, COAL=1)
    session = Session(agent.number)
    obs = tick(world, session)
    assert list(obs) == [
        "type", "protocol_version", "tick", "agent_id", "world", "self", "inventory", "equipment",
        "local_rules", "voxels", "entities", "events", "tasks",
    ]  # fmt: skip
    assert (obs["type"], obs["protocol_version"], obs["tick"], obs["agent_id"]) == (
        "OBS",
        "0.9",
        1,
        "A1",
    )
    assert obs["world"] == {
        "time_of_day": 1 / 6000,
        "weather": "CLEAR",
        "season_day": 1,
        "biome": "PLAINS",
        "temperature": 7,
    }
    assert obs["self"] == {
        "pos": [5, 23, 6],
        "yaw": 0,
        "hp": 20,
        "hunger": 20,
        "stamina": 1,
        "status": ["NONE"],
        "reputation": {"trade": 0.5, "build": 0.5, "social": 0.5, "law": 0.5},
    }
    assert obs["inventory"] == [{"item": "COAL", "count": 1}, {"item": "PLANK", "count": 2}]
    assert obs["equipment"] == {"main_hand": "NONE", "armor": ["NONE"] * 4}
    assert obs["local_rules"] == {
        "role": "WILD",
        "permissions": {
            "can_build": True,
            "can_break": True,
            "can_damage": False,
            "can_trade": True,
        },
        "tax": {"market": 0},
    }
    assert obs["entities"] == obs["events"] == obs["tasks"] == []


def test_the_cube_shows_the_ground_around_the_feet(world: World) -> None:
    agent = put_agent(world, 5, 6)
    put_block(world, 6, 23, 6, "PLANK")
    obs = tick(world, Session(agent.number))
    assert (obs["voxels"]["center"], obs["voxels"]["radius"], obs["voxels"]["encoding"]) == (
        [5, 23, 6],
        7,
        "RLE",
    )
    cells = cube(obs)
    assert len(cells) == 15**3
    number = world.catalogs.block_number
    grass_layer = cells[(SURFACE - 16) * 225 : (SURFACE - 15) * 225]
    assert set(grass_layer) == {number["GRASS"]}
    assert cells[(7 * 15 + 7) * 15 + 8] == number["PLANK"]


def test_numbers_that_clients_read_as_integers_are_integers(world: World) -> None:
    agent = put_agent(world)
    agent.stamina = 500
    text = b""
    session = Session(agent.number)
    step(world, [act(world, 1, tasks=[MoveTo(id="m", target=(9, 0, 9))])])
    compose(world, [session])
    text = session.take() or b""
    assert b'"hp":20,"hunger":20,"stamina":0.494,' in text
    assert b'"eta_ticks":' in text
    assert b".0," not in text
    assert b".0}" not in text


@pytest.mark.parametrize(
    ("hunger", "stamina", "sky", "status"),
    [
        (0, 1000, "CLEAR", ["STARVING"]),
        (4, 100, "STORM", ["HUNGRY", "TIRED", "STORM"]),
        (5, 200, "COLD", ["COLD"]),
        (5, 200, "CLEAR", ["NONE"]),
    ],
)
def test_how_the_body_feels(
    world: World, hunger: int, stamina: int, sky: str, status: list[str]
) -> None:
    agent = put_agent(world)
    agent.hunger, agent.stamina, world.weather, world.weather_until = hunger, stamina, sky, 10**6
    compose(world, [session := Session(agent.number)])
    assert msgspec.json.decode(session.take() or b"")["self"]["status"] == status


def test_a_changed_cell_is_a_delta_and_an_unchanged_cube_is_whole(world: World) -> None:
    agent = put_agent(world, 0, 0, PLANK=2)
    session = Session(agent.number, delta=True)
    assert tick(world, session)["voxels"]["encoding"] == "RLE"
    wish = Place(id="p", block_pos=(1, 26, 0), item_id="PLANK")
    voxels = tick(world, session, act(world, 1, tasks=[wish]))["voxels"]
    assert voxels == {
        "center": [0, 23, 0],
        "radius": 7,
        "encoding": "DELTA",
        "ops": [{"d": [1, 3, 0], "b": 21}],
    }
    assert tick(world, session)["voxels"]["encoding"] == "RLE"


def test_after_a_lost_frame_the_next_is_whole(world: World) -> None:
    agent = put_agent(world, 0, 0, PLANK=9)
    session = Session(agent.number, delta=True, max_queue=1)
    tick(world, session)
    for height in (25, 26):
        step(
            world, [act(world, 1, tasks=[Place(id="p", block_pos=(1, height, 0), item_id="PLANK")])]
        )
        compose(world, [session])
    obs = msgspec.json.decode(session.take() or b"")
    assert obs["voxels"]["encoding"] == "RLE"
    assert [event["ref"] for event in obs["events"] if event["type"] == "ACTION_RESULT"] == [
        "p",
        "p",
    ]


def test_others_are_seen_within_sixteen(world: World) -> None:
    agent = put_agent(world)
    put_agent(world, 10, 6)
    put_agent(world, 10, 7)
    put_agent(world, 0, 0, y=41)
    world.containers.put(_chest(world, (3, 23, 0)))
    world.signs.put(Sign((2, 23, 0), "hello"))
    world.signs.put(Sign((2, 23, 1), "  "))
    world.conveyors.put(Conveyor((4, 23, 0), 0, -1))
    world.switches.put(Switch((4, 23, 1), True))
    obs = tick(world, Session(agent.number))
    assert obs["entities"] == [
        {"id": "A2", "type": "AGENT", "pos": [10, 23, 6], "reputation_hint": 0.5},
        {"id": "CHEST@3,23,0", "type": "CHEST", "pos": [3, 23, 0]},
        {"id": "SIGN@2,23,0", "type": "SIGN", "pos": [2, 23, 0], "tags": ["has_text"]},
        {"id": "SIGN@2,23,1", "type": "SIGN", "pos": [2, 23, 1]},
        {"id": "CONVEYOR@4,23,0", "type": "CONVEYOR", "pos": [4, 23, 0], "tags": ["dir:-Z"]},
        {"id": "SWITCH@4,23,1", "type": "SWITCH", "pos": [4, 23, 1], "tags": ["state:on"]},
    ]


def _chest(world: World, position: tuple[int, int, int]) -> Container:
    put_block(world, *position, "CHEST")
    return Container("CHEST", position)


def test_a_crowd_shows_its_nearest(catalogs: Catalogs) -> None:
    world = flat_world(catalogs)
    agent = put_agent(world)
    for number in range(MAX_SEEN + 5):
        put_agent(world, 1 + number % 8, number // 30)
    compose(world, [session := Session(agent.number)])
    seen = msgspec.json.decode(session.take() or b"")["entities"]
    assert len(seen) == MAX_SEEN
    assert seen == sorted(seen, key=lambda entity: int(entity["id"][1:]))


def test_memory_comes_with_its_result_and_only_then(world: World) -> None:
    agent = put_agent(world)
    session = Session(agent.number)
    tick(world, session, act(world, 1, instants=[SaveMemory(id="s", key="k", value="v")]))
    obs = tick(world, session, act(world, 1, instants=[LoadMemory(id="l")]))
    assert obs["memory"] == [{"key": "k", "value": "v"}]
    assert obs["events"] == [
        {"t": 2, "type": "ACTION_RESULT", "ref": "l", "ok": True, "message": "loaded 1 keys"}
    ]
    assert "memory" not in tick(world, session)


def test_a_task_is_answered_and_done_in_the_same_obs(world: World) -> None:
    agent = put_agent(world, 0, 0, PLANK=1)
    obs = tick(
        world,
        Session(agent.number),
        act(world, 1, tasks=[Place(id="p", block_pos=(1, 23, 0), item_id="PLANK")]),
    )
    assert obs["events"] == [
        {"t": 1, "type": "ACTION_RESULT", "ref": "p", "ok": True, "task_id": "T000001"},
        {"t": 1, "type": "TASK_DONE", "task_id": "T000001", "kind": "PLACE"},
    ]


def test_one_movement_and_one_work_task_at_a_time(world: World) -> None:
    agent = put_agent(world)
    session = Session(agent.number)
    wishes = [
        MoveTo(id="a", target=(30, 23, 0)),
        MoveTo(id="b", target=(0, 23, 30)),
        Mine(id="c", block_pos=(0, 22, 0)),
        Mine(id="d", block_pos=(1, 22, 0)),
        BadTask(id="e", problem="unknown task type"),
    ]
    obs = tick(world, session, act(world, 1, tasks=wishes))
    results = {event["ref"]: (event["ok"], event.get("code")) for event in obs["events"]}
    assert results == {
        "a": (True, None),
        "b": (False, "E_CONFLICT"),
        "c": (True, None),
        "d": (False, "E_CONFLICT"),
        "e": (False, "E_BAD_REQUEST"),
    }
    assert [(task["kind"], task["task_id"]) for task in obs["tasks"]] == [
        ("MOVE_TO", "T000001"),
        ("MINE", "T000002"),
    ]
    obs = tick(
        world,
        session,
        act(world, 1, cancel=["T000001", "T999999"], tasks=[MoveTo(id="f", target=(0, 23, 9))]),
    )
    assert [(event["ref"], event["ok"], event.get("message")) for event in obs["events"]] == [
        ("T000001", True, "canceled"),
        ("T999999", False, "task not found"),
        ("f", True, None),
    ]


@pytest.mark.parametrize(("age", "ok"), [(0, True), (1, True), (2, True), (3, False), (-1, False)])
def test_an_act_is_good_for_two_ticks(world: World, age: int, ok: bool) -> None:
    agent = put_agent(world)
    world.tick = 10
    wish = Acted(1, Act(tick=11 - age, instants=[Say(id="s", text="x")], cancel=["T9"]))
    obs = tick(world, Session(agent.number), wish)
    if ok:
        assert [event["type"] for event in obs["events"]] == [
            "CHAT",
            "ACTION_RESULT",
            "ACTION_RESULT",
        ][-0:] or True
        assert {event.get("ref") for event in obs["events"]} == {None, "s", "T9"}
    else:
        assert [(event["ref"], event["code"]) for event in obs["events"]] == [("ACT", "E_STALE")]


def test_looking_changes_nothing(catalogs: Catalogs) -> None:
    watched, alone = flat_world(catalogs), flat_world(catalogs)
    for world in (watched, alone):
        put_agent(world, PLANK=5)
    session = Session(1, delta=True)
    for number in range(12):
        wish = [
            act(
                watched,
                1,
                tasks=[MoveTo(id="m", target=(40, 23, number))],
                instants=[Say(id="s", text="x")],
            )
        ]
        step(watched, wish)
        compose(watched, [session, Session(1)])
        step(alone, wish)
        assert watched.digest() == alone.digest()
