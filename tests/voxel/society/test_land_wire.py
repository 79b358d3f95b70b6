"""Land, organisations and laws as agents meet them: JSON in, JSON out."""

from __future__ import annotations

from typing import Any

from thorp.env import World

KIT = {"BATTERY": 16, "CRYSTAL_SHARD": 16, "PLANK": 20, "COAL": 10}
TUNING = {"starter_items": KIT, "law_notice_ticks": 2, "law_vote_ticks": 2}
TASKS = ("CLAIM_LAND", "PLACE", "MOVE_TO")

Obs = dict[str, Any]


def a_claim(agents: int) -> tuple[World, dict[str, Obs], str]:
    """A world in which A1 owns a large land around its spawn, which others live on."""
    world = World(seed=7, agents=agents, tuning=TUNING)
    x, y, z = world.reset()["A1"]["self"]["pos"]
    obs = do(world, "A1", type="CLAIM_LAND", anchor=[x + 1, y, z], radius=128)
    return world, obs, result(obs["A1"])["land_id"]


def do(world: World, agent_id: str, **action: Any) -> dict[str, Obs]:
    part = "tasks" if action["type"] in TASKS else "instants"
    return world.step({agent_id: {part: [{"id": "w", **action}]}})


def result(obs: Obs) -> dict[str, Any]:
    (one,) = [event for event in obs["events"] if event["type"] == "ACTION_RESULT"]
    return dict(one)


def leave_home(world: World, agent_id: str) -> dict[str, Obs]:
    """Walk out of the glade around the spawn, towards that of A1."""
    obs = world.step({})
    (x, y, z), (_, _, toward) = obs[agent_id]["self"]["pos"], obs["A1"]["self"]["pos"]
    do(world, agent_id, type="MOVE_TO", target=[x, y, z + (10 if toward > z else -10)])
    for _ in range(60):
        obs = world.step({})
    return obs


def test_local_rules_tell_owner_member_and_visitor_apart() -> None:
    world, obs, land_id = a_claim(2)
    assert land_id == "LAND_A1_001"
    assert obs["A1"]["local_rules"]["role"] == "OWNER"
    assert obs["A2"]["local_rules"]["role"] == "WILD", "in the glade around its home"
    obs = leave_home(world, "A2")
    assert obs["A2"]["local_rules"]["role"] == "VISITOR"
    assert obs["A2"]["local_rules"]["owner"] == "A1"
    obs = do(world, "A1", type="ADD_MEMBER", land_id=land_id, member_id="A2")
    done = {
        "t": obs["A1"]["tick"],
        "type": "ACTION_RESULT",
        "ref": "w",
        "ok": True,
        "message": "ok",
    }
    assert result(obs["A1"]) == done, "as the first servers answered"
    assert obs["A2"]["local_rules"]["role"] == "VISITOR", "until it accepts"
    (offer,) = [event for event in obs["A2"]["events"] if event["type"] == "LAND_OFFER"]
    assert (offer["land_id"], offer["role"], offer["from"], offer["to"]) == (
        land_id,
        "MEMBER",
        "A1",
        "A2",
    )
    obs = do(world, "A2", type="ACCEPT_LAND", land_id=land_id)
    assert obs["A2"]["local_rules"]["role"] == "MEMBER"
    obs = do(world, "A2", type="LEAVE_LAND", land_id=land_id)
    assert obs["A2"]["local_rules"]["role"] == "VISITOR"


def test_create_join_deed_and_withdraw() -> None:
    world, _, land_id = a_claim(3)
    obs = do(world, "A1", type="CREATE_ORG", org_kind="city", org_name="Millbrook")
    org_id = result(obs["A1"])["org_id"]
    assert result(do(world, "A2", type="JOIN_ORG", org_id=org_id)["A2"])["ok"]
    obs = do(world, "A1", type="DEED_LAND", land_id=land_id, new_owner=org_id)
    assert [obs[one]["local_rules"]["role"] for one in ("A1", "A2", "A3")] == [
        "MEMBER",
        "MEMBER",
        "WILD",
    ]
    seen = {entity["id"]: entity for entity in obs["A3"]["entities"]}
    assert all(seen[one]["tags"] == [f"org:{org_id}"] for one in ("A1", "A2") if one in seen)
    move = {"org_id": org_id, "item_id": "COAL", "count": 4}
    assert result(do(world, "A2", type="ORG_DEPOSIT", **move)["A2"])["ok"]
    assert result(do(world, "A2", type="ORG_WITHDRAW", **move)["A2"])["code"] == "E_NO_PERMISSION"
    obs = do(world, "A1", type="ORG_WITHDRAW", **move)
    assert {"item": "COAL", "count": 14} in obs["A1"]["inventory"]


def test_a_law_from_proposal_to_local_rules() -> None:
    world, _, land_id = a_claim(2)
    proposal = {
        "land_id": land_id,
        "template_id": "MARKET_TAX",
        "params": {"market_tax": 0.05},
        "title": "Tithe",
    }
    obs = do(world, "A1", type="PROPOSE_LAW", **proposal)
    law_id = result(obs["A1"])["law_id"]
    kinds = [
        event["type"] for event in obs["A1"]["events"] if event["type"] in ("LAW", "ACTION_RESULT")
    ]
    assert kinds == ["LAW", "ACTION_RESULT"], "the announcement comes before the answer"
    world.step({})
    world.step({})
    assert (
        result(do(world, "A2", type="VOTE", law_id=law_id, choice="YES")["A2"])["code"]
        == "E_NO_PERMISSION"
    )
    obs = do(world, "A1", type="VOTE", law_id=law_id, choice="yes")
    assert obs["A1"]["local_rules"]["tax"] == {"market": 0.05}
    assert obs["A2"]["local_rules"]["tax"] == {"market": 0}, "at home"
    assert [event["status"] for event in obs["A2"]["events"] if event["type"] == "LAW"] == [
        "ACTIVE"
    ]


def test_fractional_overflowing_and_foreign_values_are_refused() -> None:
    world, _, land_id = a_claim(2)
    x, y, z = world.step({})["A1"]["self"]["pos"]
    for action in (
        {"type": "CLAIM_LAND", "anchor": [x, y, z + 0.5]},
        {"type": "CLAIM_LAND", "anchor": [x, y, z + 1], "radius": 1.5},
        {"type": "CLAIM_LAND", "anchor": [x, y, 10**12]},
        {"type": "UPGRADE_CLAIM", "land_id": land_id, "radius": "64"},
        {"type": "SET_PERMISSIONS", "land_id": land_id, "policy": {"allow_build": "yes"}},
        {"type": "SET_PERMISSIONS", "land_id": 7, "policy": {"allow_build": True}},
        {"type": "ORG_DEPOSIT", "org_id": "ORG000001", "item_id": "COAL", "count": 1.5},
        {"type": "ORG_DEPOSIT", "org_id": "ORG000001", "item_id": "COAL", "count": 2**40},
        {"type": "PROPOSE_LAW", "land_id": land_id, "template_id": "MARKET_TAX", "params": [0.1]},
        {"type": "SET_ORG_OPEN", "org_id": "ORG000001", "open": 1},
    ):
        before = world.digest()
        answer = result(do(world, "A1", **action)["A1"])
        assert (answer["ok"], answer["code"]) == (False, "E_BAD_REQUEST"), action
        assert world.digest() != before, "a tick has passed and an answer was given"
