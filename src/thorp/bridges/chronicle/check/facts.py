"""What a world says of a stretch of its ticks: the deeds that happened in it, who was there, whose
land it was, and what stood.

A page of a chronicle is judged by these facts, which are taken from the world's events and state as
its journal is executed again, and not from the notices that the chronicle was written from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from thorp.bridges.chronicle.names import NAME_LIMIT, is_name, plain, title
from thorp.bridges.chronicle.wording import WORDS, amount, goods, number_in_words, ordinal, plurals
from thorp.kernel.text import printable
from thorp.voxel import Position, World
from thorp.voxel.lookups import land
from thorp.voxel.state.records import Contract

DEEDS_LIMIT: Final = 20_000
"""Deeds that are kept of one stretch: a thousand people do fewer in a quarter of a day. What comes
beyond is not judged."""
GONE_LIMIT: Final = 10_000
"""Bodies that were removed for good whose names are kept: those of years."""
STARVING_HP: Final = 6  # With this health or less a body is close to death.

Event = Mapping[str, Any]


class Place(NamedTuple):
    """Where a deed was done, by the claims of that time."""

    at: Position
    biome: str
    owner: str | None
    """Who owned the ground there; None in the wild."""
    claims: tuple[tuple[str, Position], ...]
    """The owner and the totem of every other claim."""

    @property
    def words(self) -> str:
        """The place for a reader of a finding."""
        x, _, z = self.at
        ground = "on nobody's land" if self.owner is None else f"on land of {self.owner}"
        return f"at {x}, {z}, {ground}"


class Deed(NamedTuple):
    """Something that happened, by the kind of sentence that could tell of it."""

    kind: str
    tick: int
    parties: dict[str, str]
    """Ids by their part in it: `who`, `other`, `owner` and so on."""
    words: dict[str, str]
    """What else is true of it, in the chronicle's words, by the part of the sentence."""
    place: Place | None = None


class Body(NamedTuple):
    """One body of the world, and when it came and went for good."""

    id: str
    name: str
    joined: int
    gone: int | None = None


class WorldFacts:
    """The facts of a world, tick by tick; those of the stretch since the last `restart`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.first = world.tick + 1
        self.deeds: list[Deed] = []
        self.owners: set[str] = {claim.owner for claim in world.claims}
        """Who owned land at any tick of the stretch."""
        self.orgs: dict[str, str] = {org.id: org.name for org in world.orgs}
        """The name of every organisation that there was."""
        self.bodies: dict[str, Body] = {
            agent.id: Body(agent.id, agent.name, agent.joined_tick) for agent in world.agents
        }
        self.built: dict[str, int] = {}
        """The first tick in which each kind of building was finished."""
        for structure in world.structures:
            self._note_building(structure.blueprint_id, structure.completed_tick)
        self._gone: list[str] = []
        self._wheat = world.catalogs.block_number["WHEAT_RIPE"]

    def restart(self) -> None:
        """Begin another stretch, with the last tick of the world, which is not taken in yet."""
        self.first = self.world.tick
        self.deeds = []
        self.owners = {claim.owner for claim in self.world.claims}

    @property
    def last(self) -> int:
        """The last tick of the stretch."""
        return self.world.tick

    def follow(self, world: World) -> None:
        """Go on with a world that took the place of the other."""
        self.world = world

    def look(self) -> None:
        """Take the last tick in."""
        world = self.world
        for event in world.scratch.public_events:
            kind = str(event["kind"])
            note = _NOTES.get(kind)
            if note is not None:
                note(self, event)
            find = _DEEDS.get(kind)
            if find is not None and len(self.deeds) < DEEDS_LIMIT:
                self.deeds += find(self, event)
        for change in world.scratch.block_changes:
            if change.before == self._wheat and change.reason == "MINE":
                self.deeds.append(self._reaped(change.actor, change.position))

    def of_kind(self, kind: str) -> list[Deed]:
        """The deeds of one kind in the stretch."""
        return [deed for deed in self.deeds if deed.kind == kind]

    def why_absent(self, agent_id: str) -> tuple[str, str] | None:
        """By which rule a body could not have acted in the stretch, and what the world says; None
        if it could."""
        body = self.bodies[agent_id]
        called = f"{printable(body.name)} ({body.id})"
        if body.gone is not None and body.gone < self.first:
            return "dead", f"the body of {called} was gone for good with tick {body.gone}"
        if body.joined > self.last:
            return "absent", f"{called} came with tick {body.joined}"
        agent = self.world.agent_by_id(agent_id)
        if agent is not None and not agent.attached and agent.left_tick < self.first:
            return "absent", f"{called} was away since tick {agent.left_tick}"
        return None

    # Notes

    def _note_building(self, plan: str, tick: int) -> None:
        self.built[plan] = min(tick, self.built.get(plan, tick))

    def _note_built(self, event: Event) -> None:
        self._note_building(str(event["blueprint_id"]), self.world.tick)

    def _note_join(self, event: Event) -> None:
        agent_id = str(event["agent"])
        if agent_id not in self.bodies:
            self.bodies[agent_id] = Body(agent_id, str(event["name"]), self.world.tick)

    def _note_leave(self, event: Event) -> None:
        agent_id = str(event["agent"])
        body = self.bodies.get(agent_id)
        if body is None or self.world.agent_by_id(agent_id) is not None:
            return  # its owner left, and the body sleeps
        self.bodies[agent_id] = body._replace(gone=self.world.tick)
        self._gone.append(agent_id)
        if len(self._gone) > GONE_LIMIT:
            del self.bodies[self._gone.pop(0)]

    def _note_owner(self, event: Event) -> None:
        claim = self.world.claims.get(str(event.get("land_id")))
        if claim is not None:
            self.owners.add(claim.owner)

    def _note_org(self, event: Event) -> None:
        org = self.world.orgs.get(str(event["org_id"]))
        if org is not None:
            self.orgs[org.id] = org.name

    # Deeds

    def place(self, where: Any, but: object = None) -> Place | None:
        """A place by the claims of now, those of the land `but` aside."""
        if where is None:
            return None
        x, y, z = map(int, where)
        own = land.at(self.world, x, z)
        others = [claim for claim in self.world.claims if claim.id != but]
        return Place(
            at=(x, y, z),
            biome=WORDS.landscapes.get(self.world.ground.biome(x, z), "in the wilderness"),
            owner=None if own is None or own.id == but else own.owner,
            claims=tuple((claim.owner, claim.anchor) for claim in others),
        )

    def _deed(
        self,
        kind: str,
        parties: Mapping[str, object],
        words: Mapping[str, str] | None = None,
        place: Place | None = None,
    ) -> Deed:
        ids = {part: str(each) for part, each in parties.items()}
        return Deed(
            kind=kind,
            tick=self.world.tick,
            parties=ids,
            words={**(words or {})},
            place=place,
        )

    def _reaped(self, actor: str, where: Position) -> Deed:
        sky = WORDS.skies.get(self.world.weather, "")
        return self._deed("harvest", {"who": actor}, {"sky": sky}, self.place(where))

    def _standing(self, agent_id: object) -> Position | None:
        agent = self.world.agent_by_id(str(agent_id))
        return None if agent is None else agent.position

    def _anchor(self, land_id: object) -> Position | None:
        claim = self.world.claims.get(str(land_id))
        return None if claim is None else claim.anchor

    def _owner(self, land_id: object) -> str:
        claim = self.world.claims.get(str(land_id))
        return "" if claim is None else claim.owner


def _claim(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    paces = number_in_words(int(event["radius"]))
    yield facts._deed(
        "claim",
        {"who": event["agent"], "owner": facts._owner(event["land_id"])},
        {"paces": paces},
        facts.place(event["pos"], event["land_id"]),
    )


def _grown(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    parties = {"who": event["agent"], "owner": facts._owner(event["land_id"])}
    paces = number_in_words(int(event["radius"]))
    yield facts._deed("claim grown", parties, {"paces": paces})


def _made_over(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    land_id = event["land_id"]
    parties = {"who": event["agent"], "owner": event["new_owner"]}
    yield facts._deed("deed", parties, {}, facts.place(facts._anchor(land_id), land_id))


def _land_ended(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    where = facts.place(event.get("pos"))
    yield facts._deed("land ended", {"owner": event["owner"]}, {}, where)


def _founded(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    org = facts.world.orgs.get(str(event["org_id"]))
    if org is not None:
        where = facts.place(facts._standing(event["agent"]))
        yield facts._deed(org.kind.lower(), {"who": event["agent"], "org": org.id}, {}, where)


def _joined(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    parties = {"who": event["agent"], "org": event["org_id"]}
    patrons = {
        contract.poster
        for contract in facts.world.contracts
        if contract.acceptor == event["agent"] and contract.state == "COMPLETED"
    }
    yield facts._deed("joined", parties | {"patron": " ".join(sorted(patrons))})


def _org_ended(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    yield facts._deed("org ended", {"who": event["agent"], "org": event["org_id"]})


_LAW_KINDS: Final = {
    "NOTICE": "law proposed",
    "VOTING": "law vote",
    "ACTIVE": "law active",
    "REJECTED": "law rejected",
}


def _law(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    law = facts.world.laws.get(str(event["law_id"]))
    kind = _LAW_KINDS.get(str(event["status"]))
    if law is None or kind is None:
        return
    choices = [*law.votes.values()]
    counts = sorted((choices.count("YES"), choices.count("NO")))
    yield facts._deed(
        kind,
        {"who": law.proposer, "owner": facts._owner(law.land_id)},
        {
            "law": f"the law {title(law.title)}",
            "votes": f"{number_in_words(counts[1])} to {_none(counts[0])}",
        },
    )


def _none(count: int) -> str:
    return number_in_words(count) if count else "none"


def building_words(plan: str) -> tuple[str, str]:
    """What one building of a plan is called, and several."""
    return WORDS.buildings.get(plan) or (amount(plan, 1), plurals(plan)[1])


def _built(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    plan = str(event["blueprint_id"])
    ordered = {
        contract.poster
        for contract in facts.world.contracts
        if (contract.blueprint_id, contract.anchor, contract.acceptor)
        == (plan, tuple(event["pos"]), event["agent"])
    }
    noun, plural = building_words(plan)
    yield facts._deed(
        "built",
        {"who": event["agent"], "patron": " ".join(sorted(ordered))},
        {"what": noun, "many": plural},
        facts.place(event["pos"]),
    )


def _trade(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    buyer = str(event["actor"])
    seller = str(event["with"])
    where = facts.place(event["pos"])
    words = {part: goods(event[part]) for part in ("offer", "request")}
    yield facts._deed("trade", {"who": buyer, "other": seller}, words, where)
    for giver, taker, given in ((seller, buyer, event["offer"]), (buyer, seller, event["request"])):
        body = facts.world.agent_by_id(taker)
        food = [stack for stack in given if facts.world.catalogs.items[stack[0]].edible_hp > 0]
        if food and body is not None and (body.hunger == 0 or body.hp <= STARVING_HP):
            saved = {"giver": giver, "taker": taker}
            yield facts._deed("rescue", saved, {"food": goods(food)}, where)


def _contract(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    state = str(event["state"])
    acceptor = str(event["acceptor"])
    is_build = event["contract_kind"] == "BUILD"
    kinds = {"COMPLETED": "contract kept", "FAILED": "contract untaken"}
    kind = kinds.get(state)
    if kind is None:
        return
    if state == "FAILED" and acceptor:
        kind = "contract dropped" if event.get("blameless") else "contract failed"
    contract = facts.world.contracts.get(str(event.get("contract_id")))
    yield facts._deed(
        kind,
        {"poster": event["poster"], **({"who": acceptor} if acceptor else {})},
        {"thing": _asked(contract), "work": "build" if is_build else "bring"},
    )


def _asked(contract: Contract | None) -> str:
    """What a contract asked for, in words; empty if it is forgotten."""
    if contract is None:
        return ""
    if contract.blueprint_id:
        return building_words(contract.blueprint_id)[0]
    return goods([*contract.requirements.items()]) if contract.requirements else ""


def _fallen(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    yield facts._deed("death", {"who": event["agent"]}, {}, facts.place(event["pos"]))


def _world_event(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    kind = "event begins" if event["on"] else "event ends"
    place = facts.place(event["pos"])
    yield facts._deed(kind, {}, {"event": str(event["event_id"])}, place)


def _goal(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    yield facts._deed("goal", {"who": event["agent"]}, {"goal": str(event["goal"])})


def _season(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    yield facts._deed("season", {}, {"season": ordinal(int(event["season"]))})


def _town(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    kind = WORDS.outcomes.get(str(event.get("status")))
    if kind is not None:
        words = re.findall("[a-z]+", str(event.get("actor")).lower())
        yield facts._deed(kind, {"town": event.get("town_id") or ""}, {"offices": " ".join(words)})


def _arrived(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    where = facts.place(facts._standing(event["agent"]))
    yield facts._deed("arrival", {"who": event["agent"]}, {}, where)


def _upkeep(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    yield facts._deed("upkeep missed", {"owner": event["actor"]})


def _fine(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    price = amount(str(event["item"]), int(event["count"]))
    parties = {"who": event["agent"], "owner": facts._owner(event["land_id"])}
    yield facts._deed("fine", parties, {"price": price}, facts.place(event.get("pos")))


def _announced(facts: WorldFacts, event: Event) -> Iterator[Deed]:
    """What somebody announced in public of an election or a quarrel, as it was announced."""
    data = event.get("data")
    speaker = facts.world.agent_by_id(str(event.get("from")))
    if not isinstance(data, Mapping) or speaker is None:
        return
    election = data.get("election")
    quarrel = data.get("quarrel")
    if isinstance(election, Mapping):
        yield from _election(facts, election, speaker.org)
    elif isinstance(quarrel, Mapping):
        kind = {"guilty": "quarrel judged", "feud": "quarrel feud"}.get(str(quarrel.get("step")))
        if kind is not None:
            parts = {"who": "by", "other": "against", "judge": "judge"}
            parties = {part: str(quarrel.get(key, "")) for part, key in parts.items()}
            yield facts._deed(kind, parties)


def _election(facts: WorldFacts, mark: Event, org: str) -> Iterator[Deed]:
    if mark.get("state") == "open":
        listed = mark.get("candidates")
        ids = [str(each.get("id")) for each in listed or [] if isinstance(each, Mapping)]
        for candidate in ids:
            yield facts._deed("election", {"candidates": candidate, "org": org})
    elif mark.get("state") == "decided":
        votes = mark.get("votes")
        counts = votes if isinstance(votes, Mapping) else {}
        winner = str(mark.get("winner"))
        own = counts.get(winner)
        every = [count for count in counts.values() if type(count) is int]
        said = (
            f"{number_in_words(own)} of {number_in_words(sum(every))}" if type(own) is int else ""
        )
        yield facts._deed("elected", {"who": winner, "org": org}, {"votes": said})


_DEEDS: Final[dict[str, Callable[[WorldFacts, Event], Iterator[Deed]]]] = {
    "BUILT": _built,
    "CHAT": _announced,
    "CLAIM_LAND": _claim,
    "CONTRACT": _contract,
    "CREATE_ORG": _founded,
    "DEED_LAND": _made_over,
    "DOWNED": _fallen,
    "JOIN": _arrived,
    "JOIN_ORG": _joined,
    "LAND_ENDED": _land_ended,
    "LAW": _law,
    "MISSED_UPKEEP": _upkeep,
    "ORG_ENDED": _org_ended,
    "PAID_FINE": _fine,
    "REACHED_GOAL": _goal,
    "SEASON_ROLLOVER": _season,
    "TOWN_RESULT": _town,
    "TRADE": _trade,
    "UPGRADE_CLAIM": _grown,
    "WORLD_EVENT": _world_event,
}
"""What each kind of public event is, as deeds."""

_NOTES: Final[dict[str, Callable[[WorldFacts, Event], None]]] = {
    "BUILT": WorldFacts._note_built,
    "CLAIM_LAND": WorldFacts._note_owner,
    "CREATE_ORG": WorldFacts._note_org,
    "DEED_LAND": WorldFacts._note_owner,
    "INHERITED_LAND": WorldFacts._note_owner,
    "JOIN": WorldFacts._note_join,
    "LEAVE": WorldFacts._note_leave,
}


def called(name: str) -> str | None:
    """How a chronicle may call somebody of this name; None if only by its id."""
    words = plain(name, NAME_LIMIT + 1)
    return words if is_name(words) else None
