"""Those who bring, build, gather and trade: what every villager does for the village, and their trades."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from thorp.bridges.village import plan
from thorp.bridges.village.council import ORDERS
from thorp.bridges.village.life import Chapter, forage, home, stroll, to_plaza
from thorp.bridges.village.villager import FOODS, Script, Villager
from thorp.protocol.obs import Position

LONG: Final = 9_000
WORK_TRIES: Final = 40
FREE: Final = ("AIR", "TALL_GRASS")
SOIL: Final = ("DIRT", "GRASS")
# Seeds for one field. Cutting grass is hard work without a tool.
ENOUGH_SEEDS: Final = 6
ENOUGH_FOOD: Final = 5
SOWING_REACH: Final = 5
WHEAT_FOR_BREAD: Final = 3
EVENING: Final = 5_000
COAL_PLANKS: Final = 4
# Nearer than a builder must be.
BUILD_NEAR: Final = 16


def give(me: Villager) -> Script[None]:
    """Carry planks and coal to the common chest."""
    yield from me.wait_for(lambda: "chest" in me.notebook.things, ticks=3_000)
    yield from to_plaza(me, *plan.CHEST, near=2)
    for item, count in plan.GIFT.items():
        if me.have(item) >= count:
            yield from me.put(me.notebook.things["chest"], item, count)


def bring_planks(me: Villager) -> Script[None]:
    """All planks that are not needed for oneself."""
    spare = me.have("PLANK") - plan.OWN_PLANKS
    if spare > 0:
        yield from to_plaza(me, *plan.CHEST, near=2)
        yield from me.put(me.notebook.things["chest"], "PLANK", spare)


def provide(me: Villager) -> Script[None]:
    """Look for berries around home when there are few left."""
    if sum(map(me.have, FOODS)) < ENOUGH_FOOD:
        yield from gather(("BERRY_BUSH",), 250)(me)


def patiently(me: Villager, ready: Callable[[], bool]) -> Script[None]:
    """Wait for something that may take a day, and do not starve."""
    until = me.tick + LONG
    while not ready() and me.tick < until:
        yield from provide(me)
        yield from me.wait_for(ready, ticks=200)


def become_citizen(me: Villager) -> Script[None]:
    """Wait until the city has its land, and pay it a due; joining it is a habit."""
    yield from patiently(me, lambda: "land" in me.notebook.things)
    for item, count in plan.DUE.items():
        if me.have(item) >= 2 * count:
            yield from me.do("ORG_DEPOSIT", org_id=me.notebook.things.get("city"), item_id=item, count=count)


def build_hut(number: int) -> Chapter:
    """One of the four huts in the corners, out of the common chest."""
    plot = plan.HUTS[number]

    def build(me: Villager) -> Script[None]:
        yield from to_plaza(me, 3 if plot.dx > 0 else -3, 3 if plot.dz > 0 else -3, near=1)
        for _ in range(WORK_TRIES):
            if (yield from me.build(plot.blueprint, me.notebook.place(plot.dx, plot.dz), plot.rotation)):
                yield from me.say("The hut stands.")
                return
            yield from me.wait(50)

    return build


def build_quarter(neighbour: str) -> Chapter:
    """A hut beside a neighbour's glade, of planks out of the common chest."""

    def build(me: Villager) -> Script[None]:
        for _ in range(WORK_TRIES):
            yield from to_plaza(me, *plan.CHEST, near=2)
            lacking = plan.HUT_PLANKS - me.have("PLANK")
            yield from take_all(me, me.notebook.things["chest"], "PLANK", lacking, least=lacking)
            if me.have("PLANK") >= plan.HUT_PLANKS:
                break
            yield from provide(me)
            yield from me.wait(200)
        x, y, z = me.notebook.homes[neighbour]
        yield from me.walk((x, y, z), 2)
        yield from me.build("hut_small", (x - 5, y, z - 5))

    return build


def take_all(me: Villager, container: str, item: str, most: int, *, least: int = 1) -> Script[None]:
    """Take up to `most` of an item; nothing if there are fewer than `least`."""
    yield from me.do("OPEN", target_id=container)
    for event in me.heard:
        if event["type"] == "CONTAINER":
            there = {stack["item"]: stack["count"] for stack in event["inventory"]}
            count = min(most, there.get(item, 0))
            if count >= max(1, least):
                yield from me.fetch(container, item, count)
            return


def ask_for(me: Villager, kind: str, wanted: dict[str, int], reward: dict[str, int]) -> Script[bool]:
    """Post a contract for goods that is good for a day."""
    yield from to_plaza(me, *plan.TERMINAL)
    posted = yield from me.do(
        "POST_CONTRACT",
        terminal_id=me.notebook.things.get("terminal"),
        duration_ticks=plan.CONTRACT_TICKS,
        contract_kind=kind,
        requirements=stacks(wanted),
        reward=stacks(reward),
    )
    return bool(posted)


def stacks(goods: dict[str, int]) -> list[dict[str, Any]]:
    return [{"item": item, "count": count} for item, count in goods.items()]


def want_coal(me: Villager) -> Script[None]:
    """On the first evening: so that the council finds something to make its mission in the morning."""
    yield from patiently(me, lambda: "terminal" in me.notebook.things)
    yield from me.wait(max(0, EVENING - me.tick))
    yield from ask_for(me, "GATHER", {"COAL": 3}, {"PLANK": min(COAL_PLANKS, me.have("PLANK"))})


def take_contract(kind: str) -> Chapter:
    """Read the terminal, take a contract of a kind, and fulfil it."""

    def work(me: Villager) -> Script[None]:
        yield from patiently(me, lambda: "terminal" in me.notebook.things)
        for _ in range(WORK_TRIES):
            if (yield from try_contract(me, kind)):
                me.notebook.done[f"work of {me.name}"] = me.tick
                return
            yield from me.wait(100)

    return work


def try_contract(me: Villager, kind: str) -> Script[bool]:
    """Go to the terminal, take the first contract of a kind that is open and can be done, and fulfil it."""
    terminal = me.notebook.things.get("terminal")
    yield from to_plaza(me, *plan.TERMINAL, near=2)
    for contract in (yield from read_terminal(me, terminal)):
        if contract["state"] == "OPEN" and contract["kind"] == kind and can_do(me, contract):
            wish = {"terminal_id": terminal, "contract_id": contract["contract_id"]}
            if (yield from me.do("ACCEPT_CONTRACT", **wish)):
                yield from fulfil(me, terminal, contract)
                return True
    return False


def can_do(me: Villager, contract: dict[str, Any]) -> bool:
    """Whether it has the goods, or knows where they grow; of a building the blocks it is made of."""
    if contract["kind"] == "BUILD":
        return all(
            me.have(item) >= count for item, count in plan.MADE_OF.get(contract["blueprint_id"], {}).items()
        )
    return all(
        stack["item"] == "BERRIES" or me.have(stack["item"]) >= stack["count"]
        for stack in contract["requirements"]
    )


def look_for_work(me: Villager, kind: str) -> Script[None]:
    """Take the contract of the day, if there is a new one and somebody has not been quicker."""
    asked = max(me.notebook.done.get("work", 0), me.notebook.done.get(ORDERS, 0))
    if me.notebook.done.get(f"work of {me.name}", 0) < asked:
        me.notebook.done[f"work of {me.name}"] = asked
        yield from try_contract(me, kind)


def read_terminal(me: Villager, terminal: str | None) -> Script[list[dict[str, Any]]]:
    yield from me.do("OPEN", target_id=terminal)
    shown = [
        event["contracts"] for event in me.heard if event["type"] == "CONTAINER" and "contracts" in event
    ]
    return shown[-1] if shown else []


def fulfil(me: Villager, terminal: str | None, contract: dict[str, Any]) -> Script[None]:
    if contract["kind"] == "BUILD":
        yield from me.walk(contract["anchor"], BUILD_NEAR)
        for _ in range(WORK_TRIES):
            if (yield from me.build(contract["blueprint_id"], contract["anchor"], contract["rotation"])):
                return
            yield from me.wait(50)
        return
    for stack in contract["requirements"]:
        for _ in range(WORK_TRIES):
            if me.have(stack["item"]) >= stack["count"]:
                break
            yield from gather(("BERRY_BUSH",), 200)(me)
        yield from to_plaza(me, *plan.TERMINAL, near=2)
        yield from me.put(terminal or "", stack["item"], stack["count"])


def gather(names: tuple[str, ...], ticks: int) -> Chapter:
    """Forage around home for a while."""

    def work(me: Villager) -> Script[None]:
        taboo: dict[Position, None] = {}
        until = me.tick + ticks
        yield from me.walk(home(me), 3)
        while me.tick < until:
            wanted = [name for name in names if name != "TALL_GRASS" or me.have("SEEDS") < ENOUGH_SEEDS]
            if not (yield from forage(me, *wanted, taboo=taboo)):
                yield from stroll(me, home(me))
                yield from me.wait(20)

    return work


def sow(me: Villager) -> Script[None]:
    """A field of wheat around home, where there is soil."""
    yield from me.walk(home(me), 1)
    for x, y, z in list(me.sight.find_all(*SOIL)):
        cell = (x, y + 1, z)
        is_near = sum(abs(a - b) for a, b in zip(cell, me.position, strict=True)) <= SOWING_REACH
        if me.have("SEEDS") and is_near and cell != me.position and me.sight.block(cell) in FREE:
            yield from me.place(cell, "SEEDS")


def reap(me: Villager) -> Script[None]:
    taboo: dict[Position, None] = {}
    yield from me.walk(home(me), 1)
    while (yield from forage(me, "WHEAT_RIPE", taboo=taboo)):
        yield None


def bake(me: Villager) -> Script[None]:
    """Bread from all the wheat there is, at a bench of one's own."""
    loaves = me.have("WHEAT") // WHEAT_FOR_BREAD
    if not loaves:
        return
    yield from me.walk(home(me), 1)
    if not any(me.is_here(bench, 2) for bench in me.sight.find_all("CRAFTING_BENCH")):
        spot = free_spot(me)
        if spot is not None and (yield from me.make("CRAFTING_BENCH")):
            yield from me.place(spot, "CRAFTING_BENCH")
    yield from me.make("BREAD", me.have("BREAD") + loaves)


def free_spot(me: Villager) -> Position | None:
    """A cell beside oneself with room for a block, and ground below."""
    x, y, z = me.position
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)):
        spot = (x + dx, y, z + dz)
        if me.sight.block(spot) in FREE and me.sight.block((x + dx, y - 1, z + dz)) not in FREE:
            return spot
    return None


def saw(me: Villager) -> Script[None]:
    if me.have("LOG"):
        yield from me.make("PLANK", me.have("PLANK") + 4 * me.have("LOG"))


def swap(name: str, offer: dict[str, int], request: dict[str, int]) -> Chapter:
    """Meet on the plaza after the tax is law, and trade."""

    def trade(me: Villager) -> Script[None]:
        yield from to_plaza(me, near=4)
        yield from patiently(me, lambda: "tax" in me.notebook.done)
        yield from to_plaza(me, near=4)
        yield from me.wait(200)
        yield from me.offer(name, offer, request)
        yield from me.wait(60)

    return trade


def visit_event(me: Villager) -> Script[None]:
    """Go and see what is going on, if it has a place that is not too far."""
    center, radius = me.obs.world.active_event_center, me.obs.world.active_event_radius
    if isinstance(center, tuple) and isinstance(radius, int) and me.is_here(center, 150):
        yield from me.walk(center, max(2, radius // 2), tries=2)


def rest(middle: Callable[[Villager], Position], ticks: int) -> Chapter:
    def everyday(me: Villager) -> Script[None]:
        yield from provide(me)
        yield from stroll(me, middle(me), 5)
        yield from me.wait(ticks)

    return everyday


def build_and_rest(me: Villager) -> Script[None]:
    """Every day of a builder."""
    yield from look_for_work(me, "BUILD")
    yield from rest(lambda me: me.notebook.place(0, 0), 600)(me)


def farm(me: Villager) -> Script[None]:
    """Every day of a farmer."""
    yield from look_for_work(me, "GATHER")
    yield from reap(me)
    yield from bake(me)
    yield from sow(me)
    yield from gather(("BERRY_BUSH", "TALL_GRASS"), 300)(me)
    yield from me.wait(500)


def fell(me: Villager) -> Script[None]:
    yield from provide(me)
    yield from gather(("LOG",), 300)(me)
    yield from saw(me)
    yield from bring_planks(me)
    yield from me.wait(500)


def trade_and_look(me: Villager) -> Script[None]:
    yield from provide(me)
    yield from visit_event(me)
    yield from to_plaza(me, near=4)
    yield from me.wait(700)
