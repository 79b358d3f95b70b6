"""The reeve: lays out the plaza, founds the city, claims its land; every day council, works,
upkeep, laws."""

from collections import Counter
from typing import Any, Final

from thorp.protocol.obs import Event, Position
from thorp.village import decrees, elections, errands, needs, speech, town_plan
from thorp.village.digging import is_under
from thorp.village.groundwork import cells_of, columns_of, cost_of, is_plot, is_site, level_of
from thorp.village.jobs import Job
from thorp.village.knowledge import Posted
from thorp.village.smith import CLAIM_KIT
from thorp.village.town_plan import WORKS, Work
from thorp.village.villager import Script, Villager
from thorp.village.words import amount, building_name

CITY: Final = "Thorp"
GREETER: Final = "Maud"
LAWS: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("MARKET_TAX", {"market_tax": 0.1}, "A tenth for the common chest"),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 1}, "Who breaks, pays"),
    ("CURFEW_NO_BUILD", {"start_time": 0.9, "end_time": 0.1}, "Quiet nights"),
    ("MARKET_TAX", {"market_tax": 0.05}, "A twentieth is enough"),
    ("ACCESS_PASS_CORE", {"ticket_item": "COAL", "ticket_cost": 1}, "A coal at the gate"),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 2}, "Who breaks, pays twice"),
    ("MARKET_TAX", {"market_tax": 0.1}, "A tenth again, for the tower"),
)
LAW_EVERY_DAYS: Final = 2
# Days of upkeep that the treasury should hold; the council does not touch three.
UPKEEP_AHEAD: Final = 3
WAGES: Final = {"PLANK": 12, "STONE": 30}
# Works under contract at a time.
OPEN_WORKS: Final = 5
WORKS_A_DAY: Final = 6
# They begin one after the other, all day.
MORNING: Final = 0.2
DAYLIGHT: Final = 0.5
REWARD: Final = 6
PAY: Final = ("BREAD", "BERRIES", "PLANK", "COAL", "LOG", "STONE")
# What works leave in the store, for tools and light.
LEFT: Final = {"PLANK": 24, "STONE": 40, "TORCH": 8}
# Sites near each other that are looked at on one way out of the town.
SURVEYED: Final = 4
SURVEYED_AROUND: Final = 30
# A survey that ends in a pit is broken off, since the way up comes first; and a contract may be
# refused.
SURVEYS: Final = 2
# Enough for what waits for glass to be passed over.
LOOKED_AHEAD: Final = 48
CONTRACT_TICKS: Final = 6_000
# What is asked for under contract when it is nearly out.
SHORTAGES: Final = {"COAL": 8, "BERRIES": 12, "STONE": 20, "LOG": 6, "IRON_ORE": 4, "SAND": 4}
SHORT_SHARE: Final = 3
ASK_TICKS: Final = 400
# What not every country has is not asked for every day.
RARE: Final = ("SAND",)
RARE_DAYS: Final = 3

FIRST_THINGS: Final = (
    ("CRAFTING_BENCH", town_plan.BENCH, "bench"),
    ("CHEST", town_plan.CHEST, "store"),
    ("BULLETIN_BOARD", town_plan.BOARD, "board"),
    ("SIGN", town_plan.SIGN, "sign"),
)


def done_today(me: Villager, what: str) -> None:
    """Note that something was done today, so that it is not done twice."""
    me.knowledge.notes[what] = me.today
    me.learn()


# Founding


def lay_out(me: Villager) -> Script[bool]:
    """A bench, a chest for all, a board and a sign, from what the reeve brought along."""
    for item, cell, name in FIRST_THINGS:
        if name not in me.knowledge.things and not (yield from put_up(me, item, cell, name)):
            return False
    yield from errands.tell(me, me.knowledge.where(*(name for _, _, name in FIRST_THINGS)))
    text = "Thorp. Come in, put what you can spare into the chest."
    yield from me.do("SET_SIGN", target_id=me.knowledge.things["sign"], text=text)
    return True


def put_up(me: Villager, item: str, cell: tuple[int, int], name: str) -> Script[bool]:
    """Make something that is a block, and place it in the village."""
    spot = me.knowledge.place(*cell)
    yield from errands.to_plaza(me, near=1)
    stands = me.sight.block(spot) == item
    if not stands and not ((yield from me.make(item)) and (yield from me.place(spot, item))):
        return False
    me.knowledge.things[name] = f"{item}@{spot[0]},{spot[1]},{spot[2]}"
    me.learn()
    return True


def found_city(me: Villager) -> Script[bool]:
    """Create the city's organisation where the reeve stands, and tell the others."""
    founded = yield from me.do("CREATE_ORG", org_kind="CITY", org_name=CITY)
    if not founded:
        return False
    me.knowledge.things["city"] = founded.event["org_id"]
    me.knowledge.plaza = me.knowledge.born
    yield from me.save()
    x, y, z = me.knowledge.place(0, 0)
    yield from errands.tell(
        me, f"{CITY} is founded! {me.knowledge.where('city')} The plaza is at {x} {y} {z}."
    )
    return True


def claim_land(me: Villager) -> Script[bool]:
    """As soon as the store has what a claim costs. The land becomes everybody's."""
    if not (yield from errands.take(me, CLAIM_KIT)):
        return False
    yield from errands.to_plaza(me)
    if not (
        yield from errands.claim(
            me, "land", me.knowledge.place(*town_plan.TOTEM), town_plan.CITY_RADIUS
        )
    ):
        return False
    yield from errands.tell(me, f"This is our land now. {me.knowledge.where('land')}")
    return True


def open_terminal(me: Villager) -> Script[bool]:
    """Buy a contract terminal and put it up on the plaza."""
    if not (yield from errands.take(me, {"CONTRACT_TERMINAL": 1})):
        return False
    if not (yield from put_up(me, "CONTRACT_TERMINAL", town_plan.TERMINAL, "terminal")):
        return False
    yield from me.save()
    yield from errands.tell(me, me.knowledge.where("terminal"))
    return True


def keep_the_gate(me: Villager) -> Script[bool]:
    """From now on the greeter says who becomes a citizen."""
    city = me.knowledge.things.get("city")
    greeter = me.knowledge.ids.get(GREETER)
    appointed = yield from me.do("SET_ORG_ROLE", org_id=city, member_id=greeter, role="OFFICER")
    if not appointed or not (yield from me.do("SET_ORG_OPEN", org_id=city, open=False)):
        return False
    me.knowledge.notes["gate"] = me.tick
    me.learn()
    return True


# Every day


def hold_council(me: Villager) -> Script[bool]:
    """At dawn, on the plaza: write down that it sits, let it sit, and read out what came of it."""
    yield from errands.to_plaza(me)
    done_today(me, "sat")
    me.knowledge.notes["days"] = me.knowledge.notes.get("days", 0) + 1
    yield from me.save()
    me.council_day = me.today
    yield from errands.tell(me, decrees.morning(me, standing(me)))
    yield from errands.tell(
        me, me.knowledge.where(*me.knowledge.things)
    )  # somebody may not have heard it
    contracts = yield from errands.read_terminal(me)
    orders = decrees.told_orders(me, contracts)
    yield from errands.tell(me, orders)
    yield from call_out(me)
    works = f"Works: {', '.join(planned(me)) or 'none'}."
    yield from errands.post(me, f"Day {me.day}", f"{orders} {works}")
    return True


def standing(me: Villager) -> int:
    """How many works of the plan were finished so far."""
    return sum(count for note, count in me.knowledge.notes.items() if note.startswith("stands "))


def planned(me: Villager) -> list[str]:
    """What is being built, and what comes next."""
    begun = [WORKS[posted.work].blueprint for posted in me.knowledge.posted]
    ahead = [work.blueprint for number, work in enumerate(WORKS) if number not in me.knowledge.done]
    return [name.replace("_", " ") for name in (begun + ahead)[:WORKS_A_DAY]]


def report(me: Villager) -> Script[bool]:
    """In the evening: what stands, and what the store lacks."""
    done_today(me, "reported")
    lacking = ", ".join(item.lower().replace("_", " ") for item in me.knowledge.wanted)
    done = len(me.knowledge.done)
    text = f"{done} works of the plan are done. The store lacks {lacking or 'nothing'}."
    return (yield from errands.post(me, f"The evening of day {me.day}", text))


def call_out(me: Villager) -> Script[None]:
    """Say which contracts are open."""
    contracts = yield from errands.read_terminal(me)
    lines = [
        line for contract in contracts if is_for_us(me, contract) and (line := described(contract))
    ]
    if lines:
        yield from errands.tell(me, f"Work: {'; '.join(lines[:12])}.")


def is_for_us(me: Villager, contract: dict[str, Any]) -> bool:
    """What the greeter keeps open is for strangers."""
    return bool(contract["state"] == "OPEN" and contract["poster"] != me.knowledge.ids.get(GREETER))


def described(contract: dict[str, Any]) -> str:
    """A contract in words that `Knowledge.hear` understands."""
    name = contract["contract_id"]
    kind = contract["kind"]
    if kind == "BUILD":
        return f"{name} BUILD {contract['blueprint_id']}"
    wanted = ", ".join(f"{stack['count']} {stack['item']}" for stack in contract["requirements"])
    return f"{name} {kind} {wanted}"


def pay_upkeep(me: Villager) -> Script[bool]:
    """Keep the treasury some days ahead of what the land costs."""
    ahead = me.knowledge.notes.get("upkeep", 0)
    lacking = UPKEEP_AHEAD - ahead
    yield from errands.take(me, {"IRON_INGOT": lacking, "COAL": lacking})
    paid = min(lacking, me.have("IRON_INGOT"), me.have("COAL"))
    if paid <= 0:
        return False
    for item in ("IRON_INGOT", "COAL"):
        yield from errands.deposit(me, item, paid)
    me.knowledge.notes["upkeep"] = ahead + paid
    yield from me.save()
    return True


def fund_council(me: Villager) -> Script[bool]:
    """Buy the goods that the council pays wages with, and deposit them in the treasury."""
    done_today(me, "funded")
    yield from errands.take(me, WAGES)
    for item, count in WAGES.items():
        if me.have(item):
            yield from errands.deposit(me, item, min(count, me.have(item)))
    return True


def hear_news(me: Villager, event: Event) -> None:
    """Note that upkeep was paid or missed, or that a contract has ended."""
    if event["type"] == "MAINTENANCE":
        ahead = me.knowledge.notes.get("upkeep", 0) - 1
        me.knowledge.notes["upkeep"] = max(0, ahead) if event["status"] == "PAID" else 0
        me.learn()
    elif event["type"] == "CONTRACT" and event["state"] not in ("OPEN", "ACCEPTED"):
        if event["state"] == "FAILED" and event["acceptor"] in me.knowledge.ids.values():
            me.knowledge.notes[f"broken {event['contract_id']}"] = int(event["acceptor"][1:])
        settle(me, event["contract_id"], event["state"])


def hear_wishes(me: Villager, event: Event) -> None:
    """Remember who would like a bigger house."""
    heard = speech.marked(me, event, "wish")
    if heard is not None and heard[1].get("kind") == "bigger house":
        note = f"asks {heard[0]}"
        me.knowledge.notes.pop(note, None)
        if heard[1].get("state") == "new":
            me.knowledge.notes[note] = me.tick
        me.learn()


def settle(me: Villager, contract: str, state: str) -> None:
    """A contract for a work of the plan has ended."""
    for posted in [posted for posted in me.knowledge.posted if posted.contract == contract]:
        me.knowledge.posted.remove(posted)
        failures = f"failed {posted.work}"
        if state != "COMPLETED":
            me.knowledge.notes[failures] = me.knowledge.notes.get(failures, 0) + 1
        if state == "COMPLETED" or me.knowledge.notes[failures] > 1:
            me.knowledge.done.append(posted.work)
        if state == "COMPLETED":
            stands = f"stands {WORKS[posted.work].blueprint}"
            me.knowledge.notes[stands] = me.knowledge.notes.get(stands, 0) + 1
        if state == "COMPLETED" and WORKS[posted.work].blueprint in town_plan.HOMES:
            me.knowledge.notes[f"empty {posted.work}"] = me.tick
        me.learn()


def empty_homes(me: Villager) -> list[str]:
    """The notes about houses that stand and belong to nobody."""
    return [note for note in me.knowledge.notes if note.startswith("empty ")]


def give_home(me: Villager) -> Script[bool]:
    """Say whose the new house is: of those who have none, the first who came; when everybody has
    one, big ones go to those who have asked for them."""
    notes = me.knowledge.notes
    note = empty_homes(me)[0]
    number = note.split()[1]
    work = WORKS[int(number)]
    x, y, z = me.knowledge.place(work.dx + 2, work.dz + 2)
    y = notes.pop(f"height {number}", y)
    is_big = town_plan.HOMES[notes.pop(f"kind {number}", 0)] in town_plan.BIG_HOMES
    del notes[note]
    given = notes.get("homes", 0)
    askers = [name.removeprefix("asks ") for name in notes if name.startswith("asks ")]
    if given < len(me.knowledge.ids):
        owner = list(me.knowledge.ids)[given]
        notes["homes"] = given + 1
    elif askers and is_big:
        owner = askers[0]
    else:
        return True
    notes.pop(f"asks {owner}", None)
    me.intent = f"The new house, {me.knowledge.whereabouts((x, y, z))}, is for {owner}."
    yield from errands.tell(
        me,
        f"The house at {x} {y} {z} is {owner}'s.",
        data={"home": {"at": [x, y, z], "of": me.knowledge.ids[owner]}},
    )
    return True


def next_works(me: Villager, stock: Counter[str]) -> list[tuple[int, Work]]:
    """Works of the plan that were not begun and that the store can pay, with their numbers."""
    taken = {posted.work for posted in me.knowledge.posted} | set(me.knowledge.done)
    ahead = [number for number in range(len(WORKS)) if number not in taken][:LOOKED_AHEAD]
    first = elections.priority(me)
    ahead.sort(key=lambda number: WORKS[number].blueprint not in first)
    return [(number, work) for number in ahead if (work := payable(me, WORKS[number], stock))]


def payable(me: Villager, work: Work, stock: Counter[str]) -> Work | None:
    """A work, if its materials are there; a home may also be of another kind."""
    for kind in (work.blueprint, *(town_plan.HOMES if work.blueprint in town_plan.HOMES else ())):
        if all(
            stock[item] >= count + LEFT.get(item, 0) for item, count in cost_of(me, kind).items()
        ):
            return work._replace(blueprint=kind)
    return None


def wants_works(me: Villager) -> bool:
    """Whether another work of the town plan should be begun: they are spread over the day."""
    due = 1 + WORKS_A_DAY * (me.obs.world.time_of_day - MORNING) / DAYLIGHT
    has_room = len(me.knowledge.posted) < OPEN_WORKS and begun_today(me) < min(due, WORKS_A_DAY)
    return has_room and me.knowledge.has_heard_of("terminal", "land")


def begun_today(me: Villager) -> int:
    """How many works of the plan were begun today."""
    return me.knowledge.notes.get("begun", 0) if me.was_today("begun on") else 0


def post_work(me: Villager) -> Script[bool]:
    """Choose the next work, look at its site, and post it at the terminal, paid out of the
    store."""
    yield from errands.go_to(me, "store")
    stock = Counter((yield from errands.look_into(me, me.knowledge.things["store"])) or {})
    for number, work in (works := next_works(me, stock)):
        if f"site {number}" not in me.knowledge.places:
            yield from survey_around(me, work, works)
        anchor = me.knowledge.places.pop(f"site {number}", None)
        if anchor is None:
            continue
        reward = yield from fetch_reward(
            me, REWARD + len(me.blueprints[work.blueprint]["blocks"]) // 20
        )
        wish = {"blueprint_id": work.blueprint, "anchor": list(anchor), "rotation": 0}
        name = yield from errands.post_contract(me, "BUILD", reward, CONTRACT_TICKS, **wish)
        if name is None:
            return False
        me.knowledge.notes["begun"] = begun_today(me) + 1
        done_today(me, "begun on")
        me.knowledge.posted.append(Posted(name, number))
        me.knowledge.notes.pop(f"tried {number}", None)
        if work.blueprint in town_plan.HOMES:
            me.knowledge.notes[f"height {number}"] = anchor[1]
            me.knowledge.notes[f"kind {number}"] = town_plan.HOMES.index(work.blueprint)
        yield from me.save()
        yield from call_out(me)
        return True
    return False


def survey_around(me: Villager, work: Work, works: list[tuple[int, Work]]) -> Script[None]:
    """Look at the sites of a work and of the next ones near it, and remember where they can
    stand."""
    near = [
        (number, each)
        for number, each in works
        if abs(each.dx - work.dx) + abs(each.dz - work.dz) <= SURVEYED_AROUND
        and number not in me.knowledge.done
    ]
    is_far = max(abs(work.dx), abs(work.dz)) > town_plan.CITY_RADIUS
    for number, each in near[: SURVEYED if is_far else 1]:
        place = me.knowledge.whereabouts(me.knowledge.place(each.dx, each.dz))
        me.intent = f"Looking at the site of a {building_name(each.blueprint)}, {place}."
        tried = f"tried {number}"
        tries = me.knowledge.notes[tried] = me.knowledge.notes.get(tried, 0) + 1
        anchor = (yield from survey(me, each)) if tries <= SURVEYS else None
        if anchor is None or is_under(me):  # the only way leads into a cave
            me.knowledge.done.append(number)
            del me.knowledge.notes[tried]
        else:
            me.knowledge.places[f"site {number}"] = anchor
        me.learn()


def survey(me: Villager, work: Work) -> Script[Position | None]:
    """Where the anchor of a work is, as the ground lies; None if it cannot stand there."""
    x, y, z = me.knowledge.place(work.dx, work.dz)
    yield from me.walk((x - 1, y, z + 2), 1, tries=2)
    level = level_of(me, columns_of(me, work.blueprint, x, z))
    if level is None:
        return None
    anchor = (x, level - work.sunk, z)
    cells = cells_of(me, work.blueprint, anchor)
    return anchor if is_site(me, cells) and not is_plot(me, cells) else None


def fetch_reward(me: Villager, worth: int) -> Script[dict[str, int]]:
    """Fetch goods of this worth from the store: those of which there is most, compared with the
    target."""
    yield from errands.go_to(me, "store")
    there = yield from errands.look_into(me, me.knowledge.things["store"])
    stock = Counter(there or {}) + Counter(me.inventory)
    for item in sorted(PAY, key=lambda item: -stock[item] / needs.TARGETS[item]):
        count = -(-worth // needs.WORTH.get(item, 1))
        if stock[item] >= count + needs.TARGETS[item] // 2 and (
            yield from errands.take(me, {item: count})
        ):
            return {item: count}
    yield from errands.take(me, {"STONE": worth})
    return {"STONE": min(worth, me.have("STONE"))}


def scarce(me: Villager) -> list[str]:
    """What is nearly out, and was not asked for today; one after the other, through the day."""
    days = me.knowledge.notes.get("days", 0)
    if me.tick < me.knowledge.notes.get("asked", 0) + ASK_TICKS:
        return []
    return [
        item
        for item in SHORTAGES
        if me.knowledge.wanted.get(item, 0) * SHORT_SHARE > needs.TARGETS[item] * (SHORT_SHARE - 1)
        and days
        >= me.knowledge.notes.get(f"asked {item}", -RARE_DAYS) + (RARE_DAYS if item in RARE else 1)
    ]


def ask_for_goods(me: Villager) -> Script[bool]:
    """Post a contract for what the store lacks most."""
    item = scarce(me)[0]
    me.knowledge.notes |= {f"asked {item}": me.knowledge.notes.get("days", 0), "asked": me.tick}
    me.learn()
    wanted = {item: SHORTAGES[item]}
    me.intent = f"We are nearly out; asking for {amount(item, SHORTAGES[item])} under contract."
    reward = yield from fetch_reward(me, needs.worth(wanted) + 2)
    asked = errands.stacks(wanted)
    name = yield from errands.post_contract(
        me, "GATHER", reward, CONTRACT_TICKS, requirements=asked
    )
    yield from call_out(me)
    return name is not None


def is_law_day(me: Villager) -> bool:
    """Whether the next law of the list should be proposed."""
    days = me.knowledge.notes.get("days", 0)
    laws = me.knowledge.notes.get("laws", 0)
    return me.knowledge.has_heard_of("land") and (laws < 2 or days >= LAW_EVERY_DAYS * (laws - 1))


def propose_law(me: Villager) -> Script[bool]:
    """Propose the next law of the list for the city's land."""
    number = me.knowledge.notes.get("laws", 0)
    template, params, title = LAWS[number % len(LAWS)]  # what was settled comes up again
    me.knowledge.notes["laws"] = number + 1
    me.intent = f"Proposing a law: “{title}”."
    yield from me.save()
    wish: dict[str, Any] = {"template_id": template, "params": params, "title": title}
    return bool((yield from me.do("PROPOSE_LAW", land_id=me.knowledge.things["land"], **wish)))


def is_for_sale(me: Villager, item: str) -> bool:
    """Whether the store has an item to sell."""
    return me.knowledge.spare.get(item, 0) > 0


def can_claim(me: Villager) -> bool:
    """Whether the city can claim its land: the store sells what a claim costs."""
    return (
        not me.knowledge.has_heard_of("land")
        and me.knowledge.has_heard_of("city")
        and is_for_sale(me, "BATTERY")
    )


def can_open_terminal(me: Villager) -> bool:
    """Whether there is no terminal yet, and the store sells one."""
    return not me.knowledge.has_heard_of("terminal") and is_for_sale(me, "CONTRACT_TERMINAL")


def is_council_due(me: Villager) -> bool:
    """Whether the council should sit: it is morning or noon, and it has not sat today."""
    return (
        me.is_hour(0.21, 0.6) and not me.was_today("sat") and me.knowledge.has_heard_of("terminal")
    )


def is_report_due(me: Villager) -> bool:
    """Whether the evening's report is still to be posted."""
    return (
        me.is_hour(0.7, 0.85)
        and not me.was_today("reported")
        and me.knowledge.has_heard_of("board", "terminal")
    )


def owes_upkeep(me: Villager) -> bool:
    """Whether the upkeep of the city's land is not paid far enough ahead."""
    return me.knowledge.has_heard_of("land") and me.knowledge.notes.get("upkeep", 0) < UPKEEP_AHEAD


JOBS: Final = (
    Job(
        name="election",
        is_due=elections.is_step_due,
        work=elections.run_election,
        pause=100,
        urgent=True,
    ),
    Job(
        name="city",
        is_due=lambda me: not me.knowledge.has_heard_of("city"),
        work=found_city,
        pause=40,
    ),
    Job(
        name="plaza",
        is_due=lambda me: not me.knowledge.has_heard_of("bench", "store", "board", "sign"),
        work=lay_out,
        pause=40,
    ),
    Job(name="land", is_due=can_claim, work=claim_land, pause=60, urgent=True),
    Job(name="law", is_due=is_law_day, work=propose_law),
    Job(name="terminal", is_due=can_open_terminal, work=open_terminal, pause=60, urgent=True),
    Job(name="council", is_due=is_council_due, work=hold_council, urgent=True),
    Job(name="upkeep", is_due=owes_upkeep, work=pay_upkeep, pause=250, urgent=True),
    Job(
        name="gate",
        is_due=lambda me: (
            me.knowledge.has_heard_of("terminal") and "gate" not in me.knowledge.notes
        ),
        work=keep_the_gate,
    ),
    Job(
        name="funds",
        is_due=lambda me: me.knowledge.has_heard_of("terminal") and not me.was_today("funded"),
        work=fund_council,
    ),
    Job(name="report", is_due=is_report_due, work=report),
    Job(name="homes", is_due=lambda me: bool(empty_homes(me)), work=give_home),
    Job(
        name="shortage",
        is_due=lambda me: me.knowledge.has_heard_of("terminal") and bool(scarce(me)),
        work=ask_for_goods,
    ),
    Job(name="works", is_due=wants_works, work=post_work, pause=200),
)
