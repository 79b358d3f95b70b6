"""What somebody knew, and which job it was at: a villager's job is recomputed from the journal, and
nothing is claimed of anybody else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.observer.filmed import LAST
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import IllegalError
from thorp.protocol.act import read_act
from thorp.protocol.actions import Say
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.store import RealDisk
from thorp.village.founding import RULES
from thorp.village.headless import Headless, settle
from thorp.village.reasons import NOT_RECORDED, RECOMPUTED, Reasons, explain_agent
from thorp.voxel import Acted, AnyInput, Join, WorldService, read_tuning
from thorp.voxel.persistence.directory import WorldDirectory

TOKENS_OF = "the token of {}"
STRANGER = "Zoe"
ODD_TICK = 300


class Lived(dict[int, dict[str, str]]):
    """The job of every villager, by name, for some ticks."""

    path: Path


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """A village whose villagers said what they were at, with a stranger in it; from ODD_TICK on
    somebody else acts with Bram's body, once."""
    from thorp.village.roster import ROSTER

    path = tmp_path_factory.mktemp("reasons") / "world"
    service = WorldService.open(
        RealDisk(),
        path,
        seed=42,
        draw_seed=42,
        tuning=read_tuning({**RULES, "day_ticks": 400}),
        make_world=new_city_world,
    )
    world = service.world
    jobs = Lived()
    jobs.path = path
    village: Headless = settle(
        world, service.tick, {name: TOKENS_OF.format(name) for name in ROSTER}
    )
    villagers = {each.name: each for each in village.villagers}

    def tick(inputs: Sequence[AnyInput]) -> None:
        more: list[AnyInput] = []
        if world.tick == 5:
            more.append(Join(STRANGER, "7" * 64))
        if world.tick == ODD_TICK:
            bram = next(agent for agent in world.agents if agent.name == "Bram")
            more.append(Acted(bram.number, _act(bram.id, world.tick)))
        service.tick([*inputs, *more]).result()

    while world.tick < LAST:
        village.step(tick)
        jobs[world.tick] = {name: each.job for name, each in villagers.items()}
    service.close()
    return jobs


def _act(agent_id: str, tick: int) -> Any:
    import json

    head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "agent_id": agent_id, "tick": tick}
    said = {"type": Say.__struct_config__.tag, "id": "x", "channel": "LOCAL", "text": "Hm."}
    return read_act(json.dumps({**head, "instants": [said]}).encode())


def why(lived: Lived, who: str, at: int) -> Reasons:
    return explain_agent(WorldDirectory(RealDisk(), lived.path), who, at)


@pytest.mark.parametrize(("who", "at"), [("Odile", 120), ("Tilda", 400), ("Nan", LAST)])
def test_a_villagers_job_is_the_one_it_was_at(lived: Lived, who: str, at: int) -> None:
    found = why(lived, who, at)
    script = found.script
    assert (script.basis, script.why_not) == (RECOMPUTED, None)
    assert script.job == lived[at][who]
    assert script.since is not None
    assert script.since <= at
    assert script.need
    assert [each.name for each in script.jobs if each.chosen][-1:] == [script.job]
    assert script.acts > 5
    assert (found.name, found.tick) == (who, at)
    assert found.observation["tick"] == at
    assert "voxels" not in found.observation
    assert [note.key for note in found.memory] == ["village/knowledge"]
    assert all(event["t"] <= at for event in found.heard)
    assert found.last_act is not None
    assert found.last_act.tick <= at


def test_before_somebody_else_acted_it_is_claimed_and_after_that_it_is_not(lived: Lived) -> None:
    before = why(lived, "Bram", ODD_TICK - 1).script
    assert (before.basis, before.job) == (RECOMPUTED, lived[ODD_TICK - 1]["Bram"])
    after = why(lived, "Bram", ODD_TICK + 50).script
    assert (after.basis, after.job, after.jobs) == (NOT_RECORDED, None, [])
    assert after.why_not == f"what it sent in tick {ODD_TICK + 1} is not what its script sends"


def test_of_a_stranger_there_is_what_it_knew_and_no_job(lived: Lived) -> None:
    found = why(lived, STRANGER, 200)
    assert (found.script.basis, found.script.why_not) == (
        NOT_RECORDED, "it is no scripted villager",
    )  # fmt: skip
    assert found.memory == []
    assert found.last_act is None
    assert found.observation["self"]["hp"] > 0


def test_who_or_when_is_unknown_is_refused(lived: Lived) -> None:
    with pytest.raises(IllegalError) as nobody:
        why(lived, "Nobody", 100)
    assert nobody.value.code == "agent"
    with pytest.raises(IllegalError) as early:
        why(lived, STRANGER, 2)
    assert early.value.code == "agent"
    with pytest.raises(IllegalError) as late:
        why(lived, "Odile", LAST + 1)
    assert late.value.code == "range"


def test_a_life_that_is_too_long_is_not_lived_again(
    lived: Lived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.village.reasons.LIVED_AGAIN", 100)
    script = why(lived, "Odile", 400).script
    assert script.basis == NOT_RECORDED
    assert script.why_not is not None
    assert "at most 100 are lived again" in script.why_not
