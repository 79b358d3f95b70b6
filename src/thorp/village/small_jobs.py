"""Small jobs: contracts for newcomers, which the greeter posts and keeps open.

They can be done from a newcomer's kit, without a deposit, and leave it the planks that it needs for
a hut; some pay for the rest of one. Villagers do not take them: they are told to strangers alone.
On a slow day, when no stranger is about who was told of one, the greeter calls one out to her
neighbours.
"""

from collections.abc import Mapping
from typing import Any, Final

from thorp.protocol.obs import Event
from thorp.village import errands, lulls, needs, speech
from thorp.village.guests import guest_of, is_stranger, owed_plots
from thorp.village.knowledge import FOR_STRANGERS, Guest, Offered, listed
from thorp.village.villager import Action, Script, Villager
from thorp.village.words import amount, item_name, listing

Goods = Mapping[str, int]

SMALL_JOBS: Final[tuple[Goods, ...]] = (
    {"STONE": 4},
    {"COAL": 3},
    {"BERRIES": 4},
    {"STONE": 6},
    {"COAL": 4},
    {"BERRIES": 6},
    {"STONE": 8},
    {"COAL": 2},
)
"""What is asked for: no planks, which a newcomer needs for its hut."""
HUT_REWARD: Final[Goods] = {"PLANK": 20}
"""A hut takes 40 planks, of which a newcomer brings 20."""
HUT_REWARDS: Final = 3
"""Jobs that pay for a hut. They are told first, and a newcomer seldom finds all of them taken."""
REWARDS: Final = ("STONE_AXE", "TORCH", "BREAD", "BERRIES", "STONE")
"""What the others pay with: the first that the store has, beginning with another for each."""
WAGE: Final = 1.5
"""What a job pays, by the village's price list, of what it asks for: half as much again for the
way."""
FEW_JOBS: Final = 2
"""With fewer open, more are posted before anything else."""
LEFT: Final[Goods] = {"PLANK": 60}
"""What stays in the store for works, whatever is paid."""
CONTRACT_TICKS: Final = 30_000
OFFER_TICKS: Final = 1_000
LEFT_TICKS: Final = 9_000
"""When this little time is left, a job that no stranger has taken is called out to everybody."""
CALL_TICKS: Final = 350
"""Between two jobs that are called out for that."""
ABOUT_TICKS: Final = 2_000
"""Who has done nothing about a job for so long has gone."""
SLOW_HOURS: Final = (0.25, 0.73)
"""By day, and early enough that somebody still does it."""
TELLINGS: Final = 4
"""How often a guest is told of a job before it is left in peace."""
TELL_TICKS: Final = 60
"""How soon a guest whose job was taken by another hears of the next one."""
_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def jobs_for_strangers(me: Villager) -> list[str]:
    """Contracts that newcomers may take, by id."""
    return [name for name, work in me.knowledge.works.items() if work.kind == FOR_STRANGERS]


def next_job(me: Villager) -> str | None:
    """The job to offer next: the one mentioned longest ago, and among those one that pays for a
    hut."""
    works = me.knowledge.works
    notes = me.knowledge.notes
    return min(
        (job for job in jobs_for_strangers(me) if works[job].give),
        key=lambda job: (notes.get(f"told {job}", 0), dict(works[job].get) != HUT_REWARD, job),
        default=None,
    )


def wants_job(me: Villager, guest: Guest) -> bool:
    """Whether a guest should hear of a job: it has none any more, and was not told too often."""
    is_idle = not (guest.has_worked or guest.job) and guest.tellings < TELLINGS
    return is_idle and me.tick >= guest.told + TELL_TICKS


def lacks_jobs(me: Villager) -> bool:
    """Whether guests wait for a job and there is none to offer."""
    is_empty = not jobs_for_strangers(me)
    return is_empty and any(wants_job(me, guest) for guest in me.knowledge.guests.values())


def is_offer_due(me: Villager) -> bool:
    """Whether it is time to post more jobs. Who waits for a plot comes first, while there are
    some."""
    is_time = me.tick >= me.knowledge.notes.get("offered", 0) + OFFER_TICKS
    is_free = not owed_plots(me) or len(jobs_for_strangers(me)) < FEW_JOBS
    return me.knowledge.has_heard_of("terminal") and is_time and is_free


def offer_jobs(me: Villager) -> Script[bool]:
    """Post whichever of the small jobs is not open."""
    me.knowledge.notes["offered"] = me.tick
    listed_there = yield from errands.read_terminal(me)
    mine = [
        contract
        for contract in listed_there
        if contract["poster"] == me.obs.agent_id and contract["state"] == "OPEN"
    ]
    works = {name: work for name, work in me.knowledge.works.items() if work.kind != FOR_STRANGERS}
    me.knowledge.works = works | {
        contract["contract_id"]: offered(me, contract) for contract in mine
    }
    _forget_tellings(me)
    me.learn()
    left = [contract for contract in mine if contract["deadline_tick"] < me.tick + LEFT_TICKS]
    for contract in left[:1]:
        asked = {stack["item"]: stack["count"] for stack in contract["requirements"]}
        yield from errands.tell(me, _call(contract["contract_id"], asked))
    for number, wanted in enumerate(SMALL_JOBS):
        if errands.stacks(wanted) not in [contract["requirements"] for contract in mine]:
            yield from post_job(me, number)
    return len(jobs_for_strangers(me)) >= len(SMALL_JOBS)


def _call(contract: str, asked: Goods) -> str:
    """A job as it is called out to everybody."""
    return f"Work: {contract} DELIVER {listed(asked)}."


def enliven(me: Villager) -> list[Action]:
    """Call out a job on a slow day, so that somebody earns something and there is something to
    see. Jobs that pay for a hut stay for strangers, and so do all while one of them is about."""
    notes = me.knowledge.notes
    is_slow = lulls.silence(me) >= lulls.JOB_TICKS
    is_due = me.tick >= notes.get("called out", 0) + CALL_TICKS
    if not (is_slow and is_due and me.is_hour(*SLOW_HOURS) and speech.can_speak(me)):
        return []
    if any(_is_about(me, guest) for guest in me.knowledge.guests.values()):
        return []
    works = me.knowledge.works
    plain = [
        job
        for job in jobs_for_strangers(me)
        if works[job].give and dict(works[job].get) != HUT_REWARD
    ]
    if len(plain) <= FEW_JOBS:
        return []
    job = sorted(plain)[me.tick // CALL_TICKS % len(plain)]
    notes["called out"] = me.tick
    return speech.saying(me, _call(job, dict(works[job].give)))


def _is_about(me: Villager, guest: Guest) -> bool:
    """Whether a stranger was told of a job lately, and has not done it yet."""
    return bool(guest.job) and not guest.has_worked and me.tick < guest.told + ABOUT_TICKS


def _forget_tellings(me: Villager) -> None:
    """Drop the notes about jobs that are over."""
    for note in [note for note in me.knowledge.notes if note.startswith("told ")]:
        if note.split()[1] not in me.knowledge.works:
            del me.knowledge.notes[note]


def post_job(me: Villager, number: int) -> Script[bool]:
    """One job, paid with the first that the store can spare."""
    wanted = SMALL_JOBS[number]
    for reward in rewards(number):
        if not (yield from _fetch_reward(me, reward)):
            continue
        asked = errands.stacks(wanted)
        name = yield from errands.post_contract(
            me, "DELIVER", reward, CONTRACT_TICKS, requirements=asked
        )
        if name is not None:
            terms = {
                "requirements": asked,
                "reward": errands.stacks(reward),
                "deadline_tick": me.tick + CONTRACT_TICKS,
            }
            me.knowledge.works[name] = offered(me, terms)
            return True
    return False


def rewards(number: int) -> list[Goods]:
    """What a job may be paid with, the first choice first. What it asks for is no reward, and one
    that is worth less than that, or more than twice as much, is none either."""
    wanted = SMALL_JOBS[number]
    due = needs.worth(wanted)
    first = number % len(REWARDS)
    goods = [
        {item: 1 if item in errands.ANY_TOOLS else int(WAGE * due) // needs.WORTH.get(item, 1)}
        for item in (*REWARDS[first:], *REWARDS[:first])
        if item not in wanted
    ]
    fair = [reward for reward in goods if due <= needs.worth(reward) <= 2 * due]
    return [HUT_REWARD, *fair] if number < HUT_REWARDS else [*fair]


def _fetch_reward(me: Villager, reward: Goods) -> Script[bool]:
    """Take a reward out of the store, if enough of it is left there."""
    lacking = {item: count for item, count in reward.items() if me.have(item) < count}
    if not lacking:
        return True
    if not (yield from errands.go_to(me, "store")):
        return False
    stock = (yield from errands.look_into(me, me.knowledge.things["store"])) or {}
    if any(stock.get(item, 0) < count + LEFT.get(item, 0) for item, count in lacking.items()):
        return False
    return (yield from errands.take(me, reward))


def offered(me: Villager, contract: dict[str, Any]) -> Offered:
    """What to remember of a contract that was posted for newcomers."""
    give = {stack["item"]: stack["count"] for stack in contract["requirements"]}
    get = {stack["item"]: stack["count"] for stack in contract["reward"]}
    return Offered(
        kind=FOR_STRANGERS,
        what=f"{counted(give)} for {counted(get)}",
        tick=me.tick,
        give=[*give.items()],
        get=[*get.items()],
        deadline=int(contract.get("deadline_tick", 0)),
    )


def hear_news(me: Villager, event: Event) -> None:
    """A job was taken, or done."""
    if event["type"] != "CONTRACT" or event["state"] == "OPEN":
        return
    contract = event["contract_id"]
    worker = event.get("acceptor")
    if me.knowledge.works.pop(contract, None) is not None:
        me.knowledge.notes["offered"] = 0
    if event["state"] == "COMPLETED" and worker and is_stranger(me, worker):
        guest_of(me, worker).has_worked = True
    for agent_id, guest in me.knowledge.guests.items():
        if guest.job == contract and agent_id != worker:
            guest.job = ""  # somebody else was faster
    me.learn()


def counted(goods: Goods) -> str:
    """Goods as one speaks of them: `four stone`, `a stone axe`, `20 planks`."""
    return listing([_counted(item, count) for item, count in goods.items()])


def _counted(item: str, count: int) -> str:
    if count == 1:
        name = item_name(item)
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"{_NUMBERS[count]} {item_name(item, count)}" if count <= 12 else amount(item, count)
