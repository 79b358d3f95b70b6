"""The public events of a world as deeds: named after the kind of sentence that is about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from thorp.bridges.chronicle.names import title
from thorp.bridges.chronicle.wording import WORDS, amount, goods, number_in_words, ordinal, plurals
from thorp.voxel import Position, World
from thorp.voxel.lookups import land
from thorp.voxel.state.records import Contract

STARVING_HP: Final = 6  # With this health or less a body is close to death.

Event = Mapping[str, Any]


class DeedPlace(NamedTuple):
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
    place: DeedPlace | None = None


class WorldDeeds:
    """Reads the events of a world's last tick as deeds."""

    def __init__(self, world: World) -> None:
        self.world = world

    def of_event(self, event: Event) -> Iterator[Deed]:
        """The deeds of a public event; most events have none."""
        find = _DEEDS.get(str(event["kind"]))
        return iter(()) if find is None else find(self, event)

    def place(self, where: Any, but: object = None) -> DeedPlace | None:
        """A place by the claims of now, those of the land `but` aside."""
        if where is None:
            return None
        x, y, z = map(int, where)
        own = land.at(self.world, x, z)
        others = [claim for claim in self.world.claims if claim.id != but]
        return DeedPlace(
            at=(x, y, z),
            biome=WORDS.landscapes.get(self.world.ground.biome(x, z), "in the wilderness"),
            owner=None if own is None or own.id == but else own.owner,
            claims=tuple((claim.owner, claim.anchor) for claim in others),
        )

    def deed(
        self,
        kind: str,
        parties: Mapping[str, object],
        words: Mapping[str, str] | None = None,
        place: DeedPlace | None = None,
    ) -> Deed:
        """A deed of the last tick."""
        ids = {part: str(each) for part, each in parties.items()}
        return Deed(
            kind=kind,
            tick=self.world.tick,
            parties=ids,
            words={**(words or {})},
            place=place,
        )

    def harvest(self, actor: str, where: Position) -> Deed:
        """Somebody reaped ripe wheat."""
        sky = WORDS.skies.get(self.world.weather, "")
        return self.deed("harvest", {"who": actor}, {"sky": sky}, self.place(where))

    def position_of(self, agent_id: object) -> Position | None:
        """Where a body is; None if there is no such body."""
        agent = self.world.agent_by_id(str(agent_id))
        return None if agent is None else agent.position

    def anchor_of(self, land_id: object) -> Position | None:
        """Where the totem of a land stands; None if there is no such land."""
        claim = self.world.claims.get(str(land_id))
        return None if claim is None else claim.anchor

    def owner_of(self, land_id: object) -> str:
        """Who owns a land; empty if there is no such land."""
        claim = self.world.claims.get(str(land_id))
        return "" if claim is None else claim.owner


def _claim(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    paces = number_in_words(int(event["radius"]))
    yield deeds.deed(
        "claim",
        {"who": event["agent"], "owner": deeds.owner_of(event["land_id"])},
        {"paces": paces},
        deeds.place(event["pos"], event["land_id"]),
    )


def _grown(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    parties = {"who": event["agent"], "owner": deeds.owner_of(event["land_id"])}
    paces = number_in_words(int(event["radius"]))
    yield deeds.deed("claim grown", parties, {"paces": paces})


def _made_over(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    land_id = event["land_id"]
    parties = {"who": event["agent"], "owner": event["new_owner"]}
    yield deeds.deed("deed", parties, {}, deeds.place(deeds.anchor_of(land_id), land_id))


def _land_ended(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    where = deeds.place(event.get("pos"))
    yield deeds.deed("land ended", {"owner": event["owner"]}, {}, where)


def _founded(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    org = deeds.world.orgs.get(str(event["org_id"]))
    if org is not None:
        where = deeds.place(deeds.position_of(event["agent"]))
        yield deeds.deed(org.kind.lower(), {"who": event["agent"], "org": org.id}, {}, where)


def _joined(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    parties = {"who": event["agent"], "org": event["org_id"]}
    patrons = {
        contract.poster
        for contract in deeds.world.contracts
        if contract.acceptor == event["agent"] and contract.state == "COMPLETED"
    }
    yield deeds.deed("joined", parties | {"patron": " ".join(sorted(patrons))})


def _org_ended(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    yield deeds.deed("org ended", {"who": event["agent"], "org": event["org_id"]})


_LAW_KINDS: Final = {
    "NOTICE": "law proposed",
    "VOTING": "law vote",
    "ACTIVE": "law active",
    "REJECTED": "law rejected",
}


def _law(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    law = deeds.world.laws.get(str(event["law_id"]))
    kind = _LAW_KINDS.get(str(event["status"]))
    if law is None or kind is None:
        return
    choices = [*law.votes.values()]
    counts = sorted((choices.count("YES"), choices.count("NO")))
    yield deeds.deed(
        kind,
        {"who": law.proposer, "owner": deeds.owner_of(law.land_id)},
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


def _built(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    plan = str(event["blueprint_id"])
    ordered = {
        contract.poster
        for contract in deeds.world.contracts
        if (contract.blueprint_id, contract.anchor, contract.acceptor)
        == (plan, tuple(event["pos"]), event["agent"])
    }
    noun, plural = building_words(plan)
    yield deeds.deed(
        "built",
        {"who": event["agent"], "patron": " ".join(sorted(ordered))},
        {"what": noun, "many": plural},
        deeds.place(event["pos"]),
    )


def _trade(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    buyer = str(event["actor"])
    seller = str(event["with"])
    where = deeds.place(event["pos"])
    words = {part: goods(event[part]) for part in ("offer", "request")}
    yield deeds.deed("trade", {"who": buyer, "other": seller}, words, where)
    for giver, taker, given in ((seller, buyer, event["offer"]), (buyer, seller, event["request"])):
        body = deeds.world.agent_by_id(taker)
        food = [stack for stack in given if deeds.world.catalogs.items[stack[0]].edible_hp > 0]
        if food and body is not None and (body.hunger == 0 or body.hp <= STARVING_HP):
            saved = {"giver": giver, "taker": taker}
            yield deeds.deed("rescue", saved, {"food": goods(food)}, where)


def _contract(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    state = str(event["state"])
    acceptor = str(event["acceptor"])
    is_build = event["contract_kind"] == "BUILD"
    kinds = {"COMPLETED": "contract kept", "FAILED": "contract untaken"}
    kind = kinds.get(state)
    if kind is None:
        return
    if state == "FAILED" and acceptor:
        kind = "contract dropped" if event.get("blameless") else "contract failed"
    contract = deeds.world.contracts.get(str(event.get("contract_id")))
    yield deeds.deed(
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


def _fallen(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    yield deeds.deed("death", {"who": event["agent"]}, {}, deeds.place(event["pos"]))


def _world_event(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    kind = "event begins" if event["on"] else "event ends"
    place = deeds.place(event["pos"])
    yield deeds.deed(kind, {}, {"event": str(event["event_id"])}, place)


def _goal(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    yield deeds.deed("goal", {"who": event["agent"]}, {"goal": str(event["goal"])})


def _season(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    yield deeds.deed("season", {}, {"season": ordinal(int(event["season"]))})


def _town(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    kind = WORDS.outcomes.get(str(event.get("status")))
    if kind is not None:
        words = re.findall("[a-z]+", str(event.get("actor")).lower())
        yield deeds.deed(kind, {"town": event.get("town_id") or ""}, {"offices": " ".join(words)})


def _arrived(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    where = deeds.place(deeds.position_of(event["agent"]))
    yield deeds.deed("arrival", {"who": event["agent"]}, {}, where)


def _upkeep(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    yield deeds.deed("upkeep missed", {"owner": event["actor"]})


def _fine(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    price = amount(str(event["item"]), int(event["count"]))
    parties = {"who": event["agent"], "owner": deeds.owner_of(event["land_id"])}
    yield deeds.deed("fine", parties, {"price": price}, deeds.place(event.get("pos")))


def _announced(deeds: WorldDeeds, event: Event) -> Iterator[Deed]:
    """What somebody announced in public of an election or a quarrel, as it was announced."""
    data = event.get("data")
    speaker = deeds.world.agent_by_id(str(event.get("from")))
    if not isinstance(data, Mapping) or speaker is None:
        return
    election = data.get("election")
    quarrel = data.get("quarrel")
    if isinstance(election, Mapping):
        yield from _election(deeds, election, speaker.org)
    elif isinstance(quarrel, Mapping):
        yield from _quarrel(deeds, quarrel, speaker.org)


def _quarrel(deeds: WorldDeeds, mark: Event, org_id: str) -> Iterator[Deed]:
    """A step of a quarrel between two bodies of the world. Whoever belongs to no city announces
    nothing, whatever it says."""
    kind = {"guilty": "quarrel judged", "feud": "quarrel feud"}.get(str(mark.get("step")))
    org = deeds.world.orgs.get(org_id)
    if kind is None or org is None or org.kind != "CITY":
        return
    parts = {"who": "by", "other": "against", "judge": "judge"}
    parties = {part: str(mark.get(key, "")) for part, key in parts.items()}
    if all(deeds.world.agent_by_id(parties[part]) is not None for part in ("who", "other")):
        if deeds.world.agent_by_id(parties["judge"]) is None:
            parties["judge"] = ""  # nobody knows who
        yield deeds.deed(kind, parties)


def _election(deeds: WorldDeeds, mark: Event, org: str) -> Iterator[Deed]:
    if mark.get("state") == "open":
        listed = mark.get("candidates")
        ids = [str(each.get("id")) for each in listed or [] if isinstance(each, Mapping)]
        for candidate in ids:
            yield deeds.deed("election", {"candidates": candidate, "org": org})
    elif mark.get("state") == "decided":
        votes = mark.get("votes")
        counts = votes if isinstance(votes, Mapping) else {}
        winner = str(mark.get("winner"))
        own = counts.get(winner)
        every = [count for count in counts.values() if type(count) is int]
        said = (
            f"{number_in_words(own)} of {number_in_words(sum(every))}" if type(own) is int else ""
        )
        yield deeds.deed("elected", {"who": winner, "org": org}, {"votes": said})


_DEEDS: Final[dict[str, Callable[[WorldDeeds, Event], Iterator[Deed]]]] = {
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
