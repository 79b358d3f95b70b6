"""What a village does together: a feast, an expedition, lamps at dusk, a case before the law."""

from collections import Counter

import pytest

from tests.village.lives import Founded, live
from thorp.village import customs
from thorp.village.knowledge import Knowledge, read, write
from thorp.village.roster import ROSTER
from thorp.village.villager import MEMORY
from thorp.voxel.inputs import AnyInput
from thorp.voxel.society import events
from thorp.voxel.state.agent import Memo
from thorp.voxel.state.ground import Position
from thorp.voxel.systems.containers import add
from thorp.voxel.tick import step

DUSK_TICK = 17_400


def test_debts_and_feasts_are_heard_of_from_villagers_alone() -> None:
    memory = Knowledge(ids={"Odile": "A1"})
    text = "Case: Bram took C000001 and did not keep it. Bram owes the city 4 STONE."
    assert not memory.hear("Bram", "A25", text, 5)
    assert memory.hear("Bram", "A1", text, 5)
    assert memory.notes == {"owes": 4}
    other = Knowledge(ids={"Odile": "A1"})
    assert not other.hear("Nan", "A1", text, 5)
    assert other.hear("Nan", "A1", "Feast! Come to the plaza, there is food for all.", 6)
    assert other.notes == {"feast": 6}


def is_near(place: Position | None) -> bool:
    return place is not None and max(abs(place[0]), abs(place[2])) <= 50


def test_an_afternoon_with_everything(founded: Founded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(customs, "FEAST_EVERY_DAYS", 1)
    monkeypatch.setattr(customs, "CASE_EVERY_DAYS", 1)
    world = founded(42)
    mayor = next(agent for agent in world.agents if agent.name == "Odile")
    memory = read(mayor.memory[MEMORY].value)
    rufus = next(agent for agent in world.agents if agent.name == "Rufus")
    memory.notes |= {"broken C999999": rufus.number, "days": 2}
    mayor.memory[MEMORY] = Memo(write(memory), None)
    store = next(box for box in world.containers if box.kind == "CHEST")
    add(world, store, "BREAD", 80)  # there is plenty
    while (
        (event := world.director.event) is None
        or event.id != "RUINS_GATE"
        or not is_near(event.center)
    ):
        if event is not None:
            events.end(world, event)
        step(world, [])  # which draws another place
        events.begin(world, "RUINS_GATE", world.tick + 6_000)
    said: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    torch = world.catalogs.block_number["TORCH"]
    builders = [agent.id for agent in world.agents if ROSTER.get(agent.name) == "builder"]

    def watch() -> list[AnyInput]:
        for event in world.scratch.public_events:
            said[str(event.get("text"))] += event["kind"] == "CHAT"
            if str(event.get("text")).startswith("Case: Rufus"):
                rufus.give("STONE", 20)  # what he had, he may have built with by now
            seen[str(event.get("goal") or event["kind"])] += 1
        for change in world.scratch.block_changes:
            seen["lamp"] += change.after == torch and change.actor in builders
        return []

    live(world, DUSK_TICK - world.tick, watch)
    assert sum(said[toast] for toast in customs.TOASTS) >= 6
    assert said["Case: Rufus took C999999 and did not keep it. Rufus owes the city 4 STONE."] == 1
    assert said["I have paid what I owe."] == 1
    assert said["Who comes along to the old chest?"] >= 3
    assert seen["OPEN_RUINS"] >= 1
    assert seen["lamp"] >= 1
