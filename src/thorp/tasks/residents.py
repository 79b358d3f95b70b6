"""Scripted residents of a voxel world: they found a city, vote, accept invitations, and trade.

The first of them founds the city, if there is one, claims land for it and has the others join,
before the learner's first turn. After that each does what its parameters say, by the protocol's own
actions: it votes as it is minded, which gifts may change, and joins what it is invited to.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json
from thorp.tasks.goal import Count, Place
from thorp.tasks.partner import Acts, Event, Partner, PartnerParams, PartnerPrice

# Seconds that founding a city takes: claim and create, join and deed, open or close, one to spare.
SETTLING_STEPS: Final = 4
CITY_ID: Final = "ORG000001"
CITY_RADIUS: Final = 12
# What a claim of land costs.
CLAIM_PRICE: Final = {"BATTERY": 1, "CRYSTAL_SHARD": 1}
MAX_RESIDENTS: Final = 6

Gifts = dict[str, Count]


class ResidentParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A resident: what it has, how it votes, and what changes its mind."""

    goods: Gifts = {}
    prices: tuple[PartnerPrice, ...] = ()
    votes: Literal["YES", "NO"] = "YES"
    won_by: Gifts = {}
    """What it must have been given to vote YES."""
    invites_for: Gifts = {}
    """What a founder must have been given to invite the learner to its city."""


class SocietyParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The residents of a task, and their city if it has a name."""

    residents: Annotated[tuple[ResidentParams, ...], Meta(min_length=1, max_length=MAX_RESIDENTS)]
    city: str = ""
    is_open: bool = True


class Neighbour:
    """A resident of one run."""

    def __init__(
        self, params: ResidentParams, society: SocietyParams, id: str, place: Place
    ) -> None:
        self._params = params
        self._society = society
        self._id = id
        self._place = place
        self._is_founder = society.residents[0] is params and bool(society.city)
        # Trading is a partner's business.
        trading = PartnerParams(goods={"DIRT": 1}, prices=params.prices)
        self._trader = Partner(trading, "A1", place)
        self._steps = 0
        self._offers: dict[str, dict[str, int]] = {}
        self._given: Counter[str] = Counter()
        self._voting: str = ""
        self._voted = ""
        self._has_invited = False

    @property
    def goods(self) -> Mapping[str, int]:
        """What it has in the beginning."""
        goods = Counter(self._params.goods)
        if self._is_founder:
            goods.update(CLAIM_PRICE)
        return goods

    @property
    def land_id(self) -> str:
        """The land that it claims, if it is the founder."""
        return f"LAND_{self._id}_001"

    @property
    def state(self) -> Json:
        """Everything that decides what it does next."""
        given = sorted(self._given.items())
        offers = sorted((offer, sorted(goods.items())) for offer, goods in self._offers.items())
        voting = [self._voting, self._voted, self._has_invited]
        return [self._trader.state, self._steps, offers, given, voting]

    def copy(self) -> "Neighbour":
        """A resident that goes on as this one would."""
        copy = object.__new__(Neighbour)
        copy.__dict__.update(self.__dict__)
        copy._trader = self._trader.copy()
        copy._offers = dict(self._offers)
        copy._given = Counter(self._given)
        return copy

    def decide(self, events: list[Event]) -> Acts:
        """What it does, after these events."""
        for event in events:
            self._note(event)
        acts = self._trader.decide(events)
        self._settle(acts)
        acts["instants"] += self._answers(events)
        acts["instants"] += self._vote()
        acts["instants"] += self._invite()
        self._steps += 1
        return acts

    def _note(self, event: Event) -> None:
        if event["type"] == "TRADE_OFFER":
            self._offers[event["trade_id"]] = dict(event["offer"])
        elif event["type"] == "TRADE_DONE":
            self._given.update(self._offers.pop(event["trade_id"], {}))
        elif event["type"] == "LAW":
            self._voting = event["law_id"] if event["status"] == "VOTING" else ""
            self._voted = ""

    def _settle(self, acts: Acts) -> None:
        """Found the city, or join it."""
        if not self._society.city:
            return
        instants = acts["instants"]
        if self._steps == 0 and self._is_founder:
            x, y, z = self._place
            anchor: Json = [x, y, z + 1]
            acts["tasks"].append({"type": "CLAIM_LAND", "anchor": anchor, "radius": CITY_RADIUS})
            name = self._society.city
            instants.append({"type": "CREATE_ORG", "org_kind": "CITY", "org_name": name})
        elif self._steps == 1:
            if self._is_founder:
                deed = {"land_id": self.land_id, "new_owner": CITY_ID}
                instants.append({"type": "DEED_LAND", **deed})
            else:
                instants.append({"type": "JOIN_ORG", "org_id": CITY_ID})
        elif self._steps == 2 and self._is_founder:
            is_open = self._society.is_open
            instants.append({"type": "SET_ORG_OPEN", "org_id": CITY_ID, "open": is_open})

    def _answers(self, events: list[Event]) -> list[dict[str, Json]]:
        """Accept what one is invited to."""
        answers: list[dict[str, Json]] = []
        for event in events:
            if event["type"] == "ORG_INVITE":
                answers.append({"type": "JOIN_ORG", "org_id": event["org_id"]})
            elif event["type"] == "LAND_OFFER":
                answers.append(
                    {"type": "ACCEPT_LAND", "land_id": event["land_id"], "role": "MEMBER"}
                )
        return answers

    def _vote(self) -> list[dict[str, Json]]:
        choice = self._params.votes
        if self._params.won_by and self._has(self._params.won_by):
            choice = "YES"
        if not self._voting or self._voted == choice:
            return []
        self._voted = choice
        return [{"type": "VOTE", "law_id": self._voting, "choice": choice}]

    def _invite(self) -> list[dict[str, Json]]:
        wanted = self._params.invites_for
        if self._has_invited or not wanted or not self._has(wanted):
            return []
        self._has_invited = True
        return [{"type": "INVITE_ORG", "org_id": CITY_ID, "member_id": "A1"}]

    def _has(self, gifts: Mapping[str, int]) -> bool:
        return all(self._given[item] >= count for item, count in gifts.items())
