"""The greeter: welcomes strangers, tells them where things are, and keeps small jobs open for them.

Bodies are numbered as they come, and a whisper to a number that nobody has is refused. So the
greeter whispers its welcome to the next number again and again, by day and night: a newcomer soon
hears it.

The jobs can be done from a newcomer's kit, without a deposit. Villagers do not take them: they are
told to strangers alone. A stranger who has done one is invited into the city, and gets a plot with
a sign.
"""

from typing import Any, Final

from thorp.protocol.obs import Event
from thorp.village import errands
from thorp.village.groundwork import surface
from thorp.village.jobs import Job
from thorp.village.knowledge import FOR_STRANGERS, Offered, listed
from thorp.village.town_plan import lots
from thorp.village.villager import Action, Script, Villager

# What is asked for: more than three, so that three are open when some were taken at night.
SMALL_JOBS: Final = (
    {"STONE": 4},
    {"COAL": 3},
    {"PLANK": 5},
    {"BERRIES": 6},
    {"COAL": 4},
    {"STONE": 8},
)
# What is paid: the first that the store has, beginning with another for each job. Stone it always
# has.
REWARDS: Final = (
    {"STONE_AXE": 1},
    {"TORCH": 8},
    {"BREAD": 3},
    {"BERRIES": 10},
    {"STONE": 16},
    {"PLANK": 12},
)
CONTRACT_TICKS: Final = 30_000
ROUND_TICKS: Final = 250
OFFER_TICKS: Final = 1_000
# In the morning, when people are about.
NOTICE_HOUR: Final = 0.3
# What no stranger has taken when this little is left is called out to everybody.
LEFT_TICKS: Final = 9_000
# Of five whispers in 50 ticks two or three, so that some are left for answers.
KNOCK_TICKS: Final = 20
# Visitors who went again leave gaps in the numbers. Every second whisper looks behind such gaps.
GAP: Final = 8
# The lots that the town plan comes to last.
PLOTS: Final = tuple(lots())[:-13:-1]
SIGN_PARTS: Final = {"PLANK": 8}


def knock(me: Villager) -> list[Action]:
    """Welcome the agent with the next number, if there is one."""
    for event in me.heard:
        if event["type"] == "ACTION_RESULT" and str(event["ref"]).startswith("welcome A"):
            _answered(me, event["ref"].split()[1], event)
    notes = me.knowledge.notes
    if not jobs_for_strangers(me) or me.tick < notes.get("knocked", 0) + KNOCK_TICKS:
        return []
    turn = notes.get("knocks", 0)  # counted, so that no number beyond a gap is passed over
    notes["knocks"] = turn + 1
    notes["knocked"] = me.tick
    number = _next(me) + (turn // 2 % GAP + 1 if turn % 2 else 0)
    text = welcome(me, number)
    guest = f"A{number}"
    return [{"type": "WHISPER", "id": f"welcome {guest} {me.tick}", "to": guest, "text": text}]


def _next(me: Villager) -> int:
    last = max(int(agent_id[1:]) for agent_id in (*me.knowledge.ids.values(), me.obs.agent_id))
    number = max(last + 1, me.knowledge.notes.get("next", 0))
    while f"met A{number}" in me.knowledge.notes:
        number += 1
    return number


def _answered(me: Villager, guest: str, answer: Event) -> None:
    """Go on to the number after a guest, or after somebody who has come and gone."""
    notes = me.knowledge.notes
    number = _next(me)
    met = [int(note[5:]) for note in notes if note.startswith("met A")]
    is_gone = guest == f"A{number}" and max(met, default=0) > number
    if answer["ok"] or (is_gone and answer["code"] == "E_INVALID_TARGET"):
        # another may have come along
        notes[f"met {guest}"] = me.tick
        notes["knocked"] = 0
        notes["next"] = _next(me)
        for guest_number in met:
            if guest_number < notes["next"]:
                notes.pop(f"met A{guest_number}")
        me.learn()


def welcome(me: Villager, number: int) -> str:
    """The greeting for a newcomer: one job, and where everything is."""
    x, y, z = me.knowledge.place(0, 0)
    sentences = [f"Welcome to Thorp! {one_job(me, number)} The plaza is at {x} {y} {z}."]
    sentences += map(
        me.knowledge.where, filter(me.knowledge.has_heard_of, ("store", "board", "bench"))
    )
    sentences += [
        "Jory and Bram take offers near list price.",
        f"Wanted: {listed(me.knowledge.wanted)}.",
    ]
    return " ".join(sentences)


def one_job(me: Villager, number: int) -> str:
    """A sentence about one open job; newcomers of different numbers get different jobs."""
    jobs = jobs_for_strangers(me)
    if not jobs:
        return "There is work at the terminal."
    name = jobs[number % len(jobs)]
    goods = me.knowledge.works[name].what
    terminal = me.knowledge.things["terminal"]
    return f"Bring {goods}: ACCEPT_CONTRACT {name} at {terminal}, TRANSFER it there."


def jobs_for_strangers(me: Villager) -> list[str]:
    """Contracts that newcomers may take, by id."""
    return [name for name, work in me.knowledge.works.items() if work.kind == FOR_STRANGERS]


def offer_jobs(me: Villager) -> Script[bool]:
    """Post whichever of the small jobs is not open."""
    me.knowledge.notes["offered"] = me.tick
    listed_there = yield from errands.read_terminal(me)
    mine = [
        one for one in listed_there if one["poster"] == me.obs.agent_id and one["state"] == "OPEN"
    ]
    works = {name: work for name, work in me.knowledge.works.items() if work.kind != FOR_STRANGERS}
    me.knowledge.works = works | {one["contract_id"]: offered(me, one) for one in mine}
    me.learn()
    left = [one for one in mine if one["deadline_tick"] < me.tick + LEFT_TICKS]
    for one in left[:1]:
        asked = listed({stack["item"]: stack["count"] for stack in one["requirements"]})
        yield from errands.tell(me, f"Work: {one['contract_id']} DELIVER {asked}.")
    for number, wanted in enumerate(SMALL_JOBS):
        if errands.stacks(wanted) not in [one["requirements"] for one in mine]:
            yield from post_job(me, number)
    return len(jobs_for_strangers(me)) >= len(SMALL_JOBS)


def post_job(me: Villager, number: int) -> Script[bool]:
    """One job, paid with the first that the store can spare."""
    wanted = SMALL_JOBS[number]
    for reward in (*REWARDS[number:], *REWARDS[:number]):
        if reward.keys() & wanted.keys() or not (yield from errands.take(me, reward)):
            continue
        asked = errands.stacks(wanted)
        name = yield from errands.post_contract(
            me, "DELIVER", reward, CONTRACT_TICKS, requirements=asked
        )
        if name is not None:
            me.knowledge.works[name] = offered(
                me, {"requirements": asked, "reward": errands.stacks(reward)}
            )
            return True
    return False


def offered(me: Villager, contract: dict[str, Any]) -> Offered:
    """What to remember of a contract that was posted for newcomers."""
    asked = ", ".join(f"{stack['item']} x{stack['count']}" for stack in contract["requirements"])
    reward = listed({stack["item"]: stack["count"] for stack in contract["reward"]})
    return Offered(FOR_STRANGERS, f"{asked} for {reward}", me.tick)


def hear_news(me: Villager, event: Event) -> None:
    """A job was taken, or done."""
    if event["type"] == "CONTRACT" and event["state"] != "OPEN":
        if me.knowledge.works.pop(event["contract_id"], None) is not None:
            me.knowledge.notes["offered"] = 0
        if event["state"] == "COMPLETED" and event["acceptor"] not in me.knowledge.ids.values():
            me.knowledge.notes.setdefault(f"plot {event['acceptor']}", 0)
        me.learn()


def owed_plots(me: Villager) -> list[str]:
    """The ids of newcomers who have earned a plot and have not got it yet."""
    owed = [
        note for note, plot in me.knowledge.notes.items() if note.startswith("plot ") and plot <= 0
    ]
    return [note.split()[1] for note in owed]


def give_plot(me: Villager) -> Script[bool]:
    """Invite an agent that has done a job, and put up a sign where it may build."""
    guest = owed_plots(me)[0]
    number = me.knowledge.notes.get("plots", 0)
    city = me.knowledge.things.get("city", "")
    if me.knowledge.notes[f"plot {guest}"] == 0:
        me.knowledge.notes[f"plot {guest}"] = -1
        yield from me.do("INVITE_ORG", org_id=city, member_id=guest)
        text = f"Well done! JOIN_ORG {city}, and you are a citizen. I mark a plot for you."
        yield from me.do("WHISPER", to=guest, text=f"{text} {one_job(me, me.tick)}")
    yield from errands.take(me, SIGN_PARTS)
    yield from errands.go_to(me, "bench")
    x, y, z = me.knowledge.place(*PLOTS[number % len(PLOTS)])
    if not (yield from me.make("SIGN")):
        return False
    yield from me.walk((x, y, z), 2)
    spot = (x, surface(me, x, z) or y, z)
    if not (yield from me.place(spot, "SIGN")):
        me.knowledge.notes["plots"] = number + 1  # something is in the way: the next one
        return False
    me.knowledge.notes |= {"plots": number + 1, f"plot {guest}": number + 1}
    yield from me.save()
    yield from me.do("SET_SIGN", target_id=f"SIGN@{x},{spot[1]},{z}", text=f"The plot of {guest}.")
    yield from me.do(
        "WHISPER", to=guest, text=f"Your plot is around the sign at {x} {spot[1]} {z}."
    )
    return True


def put_up_notice(me: Villager) -> Script[bool]:
    """The welcome on the board, for those who read before they listen."""
    me.knowledge.notes["notice"] = me.today
    return (yield from errands.post(me, "Start here", welcome(me, 0)))


def walk_round(me: Villager) -> Script[bool]:
    """From the plaza to the gates and back, to see who comes."""
    turn = me.knowledge.notes.get("round", 0)
    me.knowledge.notes["round"] = turn + 1
    dx, dz = ((0, 0), (0, 30), (0, 0), (30, 0), (0, 0), (0, -30), (0, 0), (-30, 0))[turn % 8]
    yield from errands.stroll(me, me.knowledge.place(dx, dz), 4)
    yield from me.wait(ROUND_TICKS // 8)
    return True


def is_offer_due(me: Villager) -> bool:
    """Whether it is time to post another contract for newcomers."""
    return (
        me.knowledge.has_heard_of("terminal")
        and me.tick >= me.knowledge.notes.get("offered", 0) + OFFER_TICKS
    )


def is_notice_due(me: Villager) -> bool:
    """Whether today's notice for newcomers is still to be posted."""
    is_read = me.obs.world.time_of_day >= NOTICE_HOUR
    return is_read and me.knowledge.has_heard_of("board", "terminal") and not me.was_today("notice")


JOBS: Final = (
    Job(
        name="plots", is_due=lambda me: bool(owed_plots(me)), work=give_plot, pause=100, urgent=True
    ),
    Job(name="jobs for newcomers", is_due=is_offer_due, work=offer_jobs, pause=200, urgent=True),
    Job(name="notice", is_due=is_notice_due, work=put_up_notice, pause=600),
)
ROUND: Final = Job(
    name="round",
    is_due=lambda me: me.knowledge.has_heard_of("terminal"),
    work=walk_round,
    ticks=600,
)
