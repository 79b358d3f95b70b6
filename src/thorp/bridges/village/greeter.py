"""The greeter: welcomes strangers, tells them where things are, and keeps three small jobs open for them.

The jobs can be done from a newcomer's kit, without a deposit, and pay with what a newcomer lacks. Villagers
do not take them: they are told to strangers alone.
"""

from typing import Final

from thorp.bridges.village.errands import read_terminal, stacks, stroll, take, to_plaza
from thorp.bridges.village.jobs import Job
from thorp.bridges.village.knowledge import listed
from thorp.bridges.village.town_plan import TERMINAL
from thorp.bridges.village.villager import Script, Villager

# What is asked for, and what it pays.
JOBS_FOR_NEWCOMERS: Final = (
    ({"STONE": 4}, {"STONE_AXE": 1}),
    ({"COAL": 3}, {"BERRIES": 8}),
    ({"PLANK": 5}, {"TORCH": 8}),
)
CONTRACT_TICKS: Final = 30_000
ROUND_TICKS: Final = 250
MOST_GREETED: Final = 200


def strangers(me: Villager) -> list[str]:
    """Whom it sees and has not greeted."""
    known = me.knows.ids.values()
    return [
        one.id
        for one in me.obs.entities
        if one.type == "AGENT" and one.id not in known and f"met {one.id}" not in me.knows.notes
    ]


def greet(me: Villager) -> Script[bool]:
    """Whisper to a stranger where everything is, and what it could do for whom."""
    for stranger in strangers(me):
        me.knows.notes[f"met {stranger}"] = me.tick
        me.learn()
        things = [
            f"The {name} is {me.knows.things[name]}."
            for name in ("store", "terminal", "board")
            if name in me.knows.things
        ]
        jobs = [f"bring {listed(wanted)} for {listed(reward)}" for wanted, reward in JOBS_FOR_NEWCOMERS]
        text = f"Welcome to Thorp! {' '.join(things)} Work for you at the terminal: {', or '.join(jobs)}."
        yield from me.do("WHISPER", to=stranger, text=text)
        if me.knows.knows("city"):
            join = f"Be a citizen: JOIN_ORG {me.knows.things['city']}. The storekeeper trades at list prices."
            yield from me.do("WHISPER", to=stranger, text=join)
    met = [name for name in me.knows.notes if name.startswith("met ")]
    for name in met[:-MOST_GREETED]:
        del me.knows.notes[name]
    return True


def offer_jobs(me: Villager) -> Script[bool]:
    """Post whichever of the small jobs is not open."""
    me.knows.notes["offered"] = me.tick
    contracts = yield from read_terminal(me)
    mine = [
        one["requirements"]
        for one in contracts
        if one["poster"] == me.obs.agent_id and one["state"] == "OPEN"
    ]
    for wanted, reward in JOBS_FOR_NEWCOMERS:
        if stacks(wanted) in mine or not (yield from take(me, reward)):
            continue
        yield from to_plaza(me, TERMINAL)
        yield from me.do(
            "POST_CONTRACT",
            terminal_id=me.knows.things["terminal"],
            contract_kind="DELIVER",
            requirements=stacks(wanted),
            reward=stacks(reward),
            duration_ticks=CONTRACT_TICKS,
        )
    return True


def walk_round(me: Villager) -> Script[bool]:
    """From the plaza to the gates and back, to see who comes."""
    turn = me.knows.notes.get("round", 0)
    me.knows.notes["round"] = turn + 1
    dx, dz = ((0, 0), (0, 30), (0, 0), (30, 0), (0, 0), (0, -30), (0, 0), (-30, 0))[turn % 8]
    yield from stroll(me, me.knows.place(dx, dz), 4)
    yield from me.wait(ROUND_TICKS // 8)
    return True


def is_offer_due(me: Villager) -> bool:
    return me.knows.knows("terminal") and me.tick >= me.knows.notes.get("offered", -9_999) + 4 * ROUND_TICKS


JOBS: Final = (
    Job("greeting", lambda me: bool(strangers(me)), greet, urgent=True, pause=60),
    Job("jobs for newcomers", is_offer_due, offer_jobs, pause=600),
)
ROUND: Final = Job("round", lambda me: me.knows.knows("terminal"), walk_round, ticks=600)
