"""SET_SIGN."""

from __future__ import annotations

import pytest

from tests.voxel.flat import STAND, put_agent
from tests.voxel.working import a_world, check_books, put
from thorp.protocol.actions import SetSign
from thorp.voxel.lookups import permissions
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World
from thorp.voxel.systems.block_actions import MAX_TEXT_BYTES, set_sign

HERE = (2, STAND, 0)
NAME = f"SIGN@2,{STAND},0"


def with_sign() -> tuple[World, Agent]:
    world = a_world()
    put(world, HERE, "SIGN")
    world.tick = 7
    return world, put_agent(world)


def code(world: World, agent: Agent, target: str | None, text: str | None = "x") -> str:
    before = world.digest()
    with pytest.raises(Refusal) as no:
        set_sign(world, agent, SetSign(target_id=target, text=text))
    assert world.digest() == before
    return no.value.code


def test_a_sign_says_what_was_written_last() -> None:
    world, agent = with_sign()
    assert set_sign(world, agent, SetSign(target_id=NAME, text="mill")) == {}
    sign = world.signs[HERE]
    assert (sign.text, sign.updated_tick, sign.updated_by) == ("mill", 7, agent.id)
    check_books(world)


@pytest.mark.parametrize("text", ["", None])
def test_an_empty_text_wipes_it(text: str | None) -> None:
    world, agent = with_sign()
    set_sign(world, agent, SetSign(target_id=NAME, text="mill"))
    set_sign(world, agent, SetSign(target_id=NAME, text=text))
    assert world.signs[HERE].text == ""


def test_bytes_count_not_characters() -> None:
    world, agent = with_sign()
    set_sign(world, agent, SetSign(target_id=NAME, text="é" * (MAX_TEXT_BYTES // 2)))
    assert code(world, agent, NAME, "é" * (MAX_TEXT_BYTES // 2) + "a") == "E_BAD_REQUEST"


def test_what_is_no_sign() -> None:
    world, agent = with_sign()
    for target in (None, "", "SIGN", f"CHEST@2,{STAND},0", "SIGN@2,2", "SIGN@a,b,c", "SIGN@ 2,2,2"):
        assert code(world, agent, target) == "E_BAD_REQUEST"
    assert code(world, agent, "SIGN@9,9,9") == "E_INVALID_TARGET"
    put(world, HERE, "AIR")
    assert code(world, agent, NAME) == "E_INVALID_TARGET"


def test_reach_and_rights(monkeypatch: pytest.MonkeyPatch) -> None:
    world, agent = with_sign()
    world.relocate(agent, (-2, STAND, 0))
    assert code(world, agent, NAME) == "E_BLOCKED"
    world.relocate(agent, (-1, STAND, 0))
    monkeypatch.setattr(permissions, "may_build", lambda world, agent, position: False)
    with pytest.raises(Refusal) as no:
        set_sign(world, agent, SetSign(target_id=NAME, text="x"))
    assert (no.value.code, world.signs[HERE].text) == ("E_NO_PERMISSION", "")
