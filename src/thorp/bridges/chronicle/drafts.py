"""Turns public events of the world into drafts of notices: one function per kind of event, in a
table.

Events that are not in the table, such as posts and departures, do not appear in the chronicle. Of
what is said, only announcements of citizens do (`announcements`).
"""

import re
from collections.abc import Callable
from typing import Any, Final

from thorp.bridges.chronicle.announcements import draft_announcement
from thorp.bridges.chronicle.draft import Draft, PublicEvent, WorldDescriber, agents_among
from thorp.bridges.chronicle.law_words import effect_words, tally_words
from thorp.bridges.chronicle.names import Phrase, title, trusted
from thorp.bridges.chronicle.wording import (
    WORDS,
    amount,
    goods,
    number_in_words,
    ordinal,
    plurals,
    several,
)
from thorp.town.profile import ROLES
from thorp.town.proposal import ACTIONS
from thorp.voxel import Position, World
from thorp.voxel.lookups import land

STARVING_HP: Final = 6
"""With this health or less a body that is given food was in need; so it was if its hunger is 0."""
FIRST_TICK: Final = 1
"""Agents that join in this tick were there from the beginning, and are not reported as arrivals."""

LATEST_EVENTS: Final = 20
"""How many of an agent's last events are searched for its last damage."""

_DAMAGE: Final = re.compile(rb'"kind":"([A-Z_]+)".*"type":"DAMAGE"')
_LAW_STATES: Final = {
    "NOTICE": "proposed",
    "VOTING": "vote",
    "ACTIVE": "active",
    "REJECTED": "rejected",
}


Drafter = Callable[[WorldDescriber, PublicEvent], Draft | None]


def _position(value: Any) -> Position | None:
    return None if value is None else (int(value[0]), int(value[1]), int(value[2]))


# Land


def _claim(on: WorldDescriber, event: PublicEvent) -> Draft:
    return on.draft(
        "claim", event, _position(event["pos"]), but=event["land_id"], paces=_paces(event)
    )


def _claim_grown(on: WorldDescriber, event: PublicEvent) -> Draft:
    where = on.anchor(event["land_id"])
    owner = on.owner(event["land_id"])
    return on.draft("claim grown", event, where, owner=owner, paces=_paces(event))


def _paces(event: PublicEvent) -> Phrase:
    return trusted(number_in_words(int(event["radius"])))


def _deed(on: WorldDescriber, event: PublicEvent) -> Draft:
    land_id = event["land_id"]
    owner = on.names.anyone(str(event["new_owner"]))
    return on.draft(
        "deed", event, on.anchor(land_id), by=("agent", "new_owner"), but=land_id, owner=owner
    )


def _land_ended(on: WorldDescriber, event: PublicEvent) -> Draft:
    owner = on.names.anyone(str(event["owner"]))
    return on.draft("land ended", event, _position(event.get("pos")), by=("owner",), owner=owner)


# Organisations


def _org(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    agent = on.world.agent_by_id(str(event["agent"]))
    org = on.world.orgs.get(str(event["org_id"]))
    if org is None:
        return None
    place = on.place(None if agent is None else agent.position)
    return on.draft(org.kind.lower(), event, org=on.names.org(org.id), place=place)


def _joined(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    org_id = str(event["org_id"])
    if org_id not in on.world.orgs:
        return None
    because = _work_done(on, str(event["agent"]))
    return on.draft("joined", event, org=on.names.org(org_id), alike=org_id, because=because)


def _work_done(on: WorldDescriber, agent_id: str) -> Phrase:
    """The poster of the last contract that an agent completed, as the reason why it was taken
    in."""
    kept = [
        contract
        for contract in on.world.contracts
        if contract.acceptor == agent_id and contract.state == "COMPLETED"
    ]
    if not kept:
        return trusted("")
    poster = on.names.anyone(kept[-1].poster)
    return Phrase(f" after a job for {poster.text}", " after a job")


def _org_ended(on: WorldDescriber, event: PublicEvent) -> Draft:
    return on.draft("org ended", event, org=on.names.gone(str(event.get("name", ""))))


# Laws


def _law(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    state = _LAW_STATES.get(str(event["status"]))
    law = on.world.laws.get(str(event["law_id"]))
    if state is None or law is None:
        return None
    about = {
        "who": on.names.agent(law.proposer),
        "law": Phrase(f"the law {title(law.title)}", WORDS.laws.get(law.template_id, "a law")),
        "sense": trusted(effect_words(law)),
        "owner": on.owner(law.land_id),
        "tally": trusted(tally_words(law)),
    }
    alike = law.land_id if state == "vote" else None
    return Draft(
        kind=f"law {state}",
        who=agents_among(law.proposer),
        where=on.anchor(law.land_id),
        about=about,
        alike=alike,
    )


# Work and dealing


def _building(plan: str) -> tuple[str, str]:
    return WORDS.buildings.get(plan) or (amount(plan, 1), plurals(plan)[1])


def _built(on: WorldDescriber, event: PublicEvent) -> Draft:
    plan = str(event["blueprint_id"])
    where = _position(event["pos"])
    building = Phrase(_building(plan)[0], "a building")
    many = Phrase(_building(plan)[1], "buildings")
    because = _ordered(on, plan, where, str(event["agent"]))
    return on.draft("built", event, where, alike=plan, what=building, many=many, because=because)


def _ordered(on: WorldDescriber, plan: str, where: Position | None, builder: str) -> Phrase:
    """Who had ordered a building, if it was built for somebody else's contract."""
    for contract in on.world.contracts:
        is_this = contract.blueprint_id == plan and contract.anchor == where
        if is_this and contract.acceptor == builder and contract.poster != builder:
            if contract.poster in on.world.orgs:
                return trusted(", as the town's council had ordered")
            poster = on.names.agent(contract.poster)
            return Phrase(f", as {poster.text} had ordered", ", as was ordered")
    return trusted("")


def _trade(on: WorldDescriber, event: PublicEvent) -> Draft:
    buyer = str(event["actor"])
    seller = str(event["with"])
    where = _position(event["pos"])
    swapped = {name: trusted(goods(event[name])) for name in ("offer", "request")}
    swapped["ware"] = trusted(several(str(event["offer"][0][0])) if event["offer"] else "goods")
    other = on.names.agent(seller)
    trade = on.draft(
        "trade", event, where, by=("actor", "with"), alike=buyer, other=other, **swapped
    )
    for giver, taker, given in ((seller, buyer, event["offer"]), (buyer, seller, event["request"])):
        food = [stack for stack in given if on.world.catalogs.items[stack[0]].edible_hp > 0]
        if food and _is_in_need(on.world, taker):
            saved = {"giver": on.names.agent(giver), "taker": on.names.agent(taker)}
            about = {**trade.about, **saved, "food": trusted(goods(food))}
            return Draft(kind="rescue", who=(giver, taker), where=where, about=about)
    return trade


def _is_in_need(world: World, agent_id: str) -> bool:
    agent = world.agent_by_id(agent_id)
    return agent is not None and (agent.hunger == 0 or agent.hp <= STARVING_HP)


def _contract(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    state = str(event["state"])
    poster = str(event["poster"])
    acceptor = str(event["acceptor"])
    if state == "COMPLETED":
        if event["contract_kind"] == "BUILD":
            return None  # the notice of the building names whoever ordered it
        kind = "contract kept"
    elif state != "FAILED":
        return None
    elif acceptor:
        kind = "contract dropped" if event.get("blameless") else "contract failed"
    else:
        kind = "contract untaken"
    work = "BUILD" if event["contract_kind"] == "BUILD" else "GOODS"
    where = _position(event["pos"])
    contract = on.world.contracts.get(str(event.get("contract_id")))
    asked = [] if contract is None else [*contract.requirements.items()]
    thing = goods(asked) if asked else "what was asked for"
    if contract is not None and contract.blueprint_id:
        thing = _building(contract.blueprint_id)[0]
    about = {
        "who": on.names.agent(acceptor) if acceptor else trusted("nobody"),
        "poster": on.names.anyone(poster),
        "thing": Phrase(thing, "what was asked for"),
        "work": trusted("build" if work == "BUILD" else "bring"),
        "wrought": trusted("built" if work == "BUILD" else "brought"),
        "place": on.place(where),
    }
    return Draft(
        kind=kind,
        who=agents_among(acceptor, poster),
        where=where,
        about=about,
        alike=f"{work} {poster}",
    )


def _death(on: WorldDescriber, event: PublicEvent) -> Draft:
    because = trusted(_cause(on.world, str(event["agent"])))
    return on.draft("death", event, _position(event["pos"]), alike="", because=because)


def _cause(world: World, agent_id: str) -> str:
    """What hurt a body last, in words."""
    agent = world.agent_by_id(agent_id)
    latest = [] if agent is None else agent.event_log.since(agent.event_log.next - LATEST_EVENTS)
    for event in reversed(latest):
        damage = _DAMAGE.search(event.text)
        if damage is not None:
            words = WORDS.causes.get(damage[1].decode(), "")
            return f" {words}" if words else ""
    return ""


def _harvest(on: WorldDescriber, event: PublicEvent) -> Draft:
    sky = trusted(WORDS.skies.get(on.world.weather, ""))
    return on.draft("harvest", event, _position(event["pos"]), alike="", sky=sky)


# The world's own


def _event(on: WorldDescriber, event: PublicEvent) -> Draft:
    event_id = str(event["event_id"])
    where = _position(event["pos"])
    template = on.world.catalogs.events.get(event_id)
    called = template.title.lower() if template is not None else "something"
    about = {"event": trusted(event_id), "called": trusted(called), "place": on.place(where)}
    return Draft(
        kind="event begins" if event["on"] else "event ends",
        who=(),
        where=where,
        about=about,
        everywhere=True,
    )


def _goal(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    goal = str(event["goal"])
    return on.draft("goal", event, alike=goal, goal=trusted(goal)) if goal in WORDS.goals else None


def _season(on: WorldDescriber, event: PublicEvent) -> Draft:
    return Draft(
        kind="season",
        who=(),
        where=None,
        about={"season": trusted(ordinal(int(event["season"])))},
        everywhere=True,
    )


def _town(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    kind = WORDS.outcomes.get(str(event.get("status")))
    if kind is None:
        return None
    town_id, command, reason, actor = (
        str(event.get(name) or "") for name in ("town_id", "command", "reason", "actor")
    )
    words = re.findall("[a-z]+", actor.lower())
    about = {
        "town": on.names.org(town_id) if town_id in on.world.orgs else trusted("the town"),
        "who": trusted(f"the {next((word for word in words if word in ROLES), 'council')}"),
        "command": _order(command),
        "reason": trusted(WORDS.reasons.get(reason, "it was not to be")),
    }
    return Draft(kind=kind, who=(), where=None, about=about, alike=town_id)


def _order(command: str) -> Phrase:
    """What a command orders a town to do, as words that follow "it was told to"."""
    for action_type, action in ACTIONS.items():
        if command.startswith(f"{action.verb} "):
            aims = WORDS.orders[action_type]
            return trusted(aims.get(command.rsplit(" ", 1)[-1]) or aims[""])
    return Phrase(f"do {title(command)}", "do something")


# People and their land


def _arrival(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    body = on.world.agent_by_id(str(event["agent"]))
    if body is None or on.world.tick == FIRST_TICK:
        return None
    return on.draft("arrival", event, body.position, alike="")


def _upkeep_missed(on: WorldDescriber, event: PublicEvent) -> Draft:
    is_open = int(event["stage"]) >= land.OPEN_STAGE
    warning = "whoever likes may build and break there now" if is_open else "that may happen once"
    where = on.anchor(event["land_id"])
    owner = on.names.anyone(str(event["actor"]))
    return on.draft(
        "upkeep missed", event, where, by=("actor",), owner=owner, warning=trusted(warning)
    )


def _fine(on: WorldDescriber, event: PublicEvent) -> Draft:
    land_id = str(event["land_id"])
    where = _position(event.get("pos"))
    price = trusted(amount(str(event["item"]), int(event["count"])))
    return on.draft("fine", event, where, alike=land_id, owner=on.owner(land_id), price=price)


DRAFTERS: Final[dict[str, Drafter]] = {
    "CHAT": draft_announcement,
    "CLAIM_LAND": _claim,
    "UPGRADE_CLAIM": _claim_grown,
    "DEED_LAND": _deed,
    "LAND_ENDED": _land_ended,
    "CREATE_ORG": _org,
    "JOIN_ORG": _joined,
    "ORG_ENDED": _org_ended,
    "LAW": _law,
    "BUILT": _built,
    "TRADE": _trade,
    "CONTRACT": _contract,
    "DOWNED": _death,
    "WORLD_EVENT": _event,
    "REACHED_GOAL": _goal,
    "SEASON_ROLLOVER": _season,
    "TOWN_RESULT": _town,
    "JOIN": _arrival,
    "HARVEST": _harvest,
    "MISSED_UPKEEP": _upkeep_missed,
    "PAID_FINE": _fine,
}
"""The function that drafts a notice for each kind of event."""
