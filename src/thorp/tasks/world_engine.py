"""Tasks in a voxel world: one learner, alone or with a scripted partner.

A turn is a decision, as in the scenarios of the voxel world: the learner's actions, and then ticks
until it has nothing more to do, at least a second and at most `BUSY_TICKS`. The partner decides
once a second.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from hashlib import sha256
from operator import sub
from typing import Annotated, Any, Final, Self

import msgspec
from msgspec import Meta

from thorp.bridges.voxel_match import LEAST_TURN_TICKS
from thorp.env import World
from thorp.env.world import Act, Obs
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError
from thorp.language.answers import read_answer
from thorp.language.text import Describer
from thorp.language.tools import MAX_WAIT_TICKS
from thorp.tasks import land as lands
from thorp.tasks.goal import EMPTY, Blueprint, Cell, Count, Law, Near, Place, Plan, Trade, share
from thorp.tasks.land import Land
from thorp.tasks.learner_record import LearnerRecord
from thorp.tasks.partner import Partner, PartnerParams
from thorp.tasks.residents import CITY_ID, SETTLING_STEPS, Neighbour, ResidentParams, SocietyParams
from thorp.voxel import Agent, AnyInput
from thorp.voxel import World as VoxelWorld
from thorp.voxel.systems import blueprints

ME: Final = "A1"
PARTNER: Final = "A2"
BUSY_TICKS: Final = 50
# Where a task's site begins: east of the learner, where every spawn has level room to build.
SITE_OFFSET: Final = (2, 0, -1)
ANY_SOLID: Final = "*"
_WAIT: Final = "wait"
FOREVER_TICKS: Final = 600_000  # A hundred days: no task outlasts them.


class WorldParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a task says about its world."""

    starter_items: dict[str, Count] = {}
    tuning: dict[str, Any] = {}
    land: Land | None = None
    partner: PartnerParams | None = None
    """Who else is there: a partner who trades, or residents."""
    society: SocietyParams | None = None
    weather: str = ""
    """Weather that lasts for the whole task, such as COLD."""
    begins_at: Annotated[int, Meta(ge=0, le=6_000)] = 0
    """Ticks that pass before the learner wakes: 2,400 is the afternoon of the first day."""


class TaskWorld(World):
    """A world that is made ready for a task."""

    def __init__(self, params: WorldParams, seed: int, agents: int) -> None:
        tuning = {"world_events": False, **params.tuning, "starter_items": params.starter_items}
        super().__init__(seed, agents, tuning, least_ticks=LEAST_TURN_TICKS)
        self._params = params

    @property
    def state(self) -> VoxelWorld:
        """The world itself: for goals, which may look at all of it."""
        return self._world

    def body(self, agent_id: str) -> Agent:
        """The body of an agent."""
        return self._world.agents[self._sessions[agent_id].number]

    def _prepare(self) -> None:
        world = self._world
        while world.tick < self._params.begins_at:
            self._tick([])
        if self._params.weather:
            world.weather = self._params.weather
            world.weather_until = world.tick + FOREVER_TICKS

    def reset(self) -> dict[str, Obs]:
        seen = super().reset()
        if self._params.land is None:
            return seen
        lands.prepare(self._world, self._params.land, self.body(ME).position)
        for session in self._sessions.values():
            # Have the view made again: no event reports these changes.
            session.at = None
        return self.step({})


class WorldEngine:
    """One run of a task in a voxel world."""

    def __init__(self, params: Mapping[str, Any], seed: int) -> None:
        try:
            settings = msgspec.convert(params, WorldParams)
        except msgspec.ValidationError as problem:
            raise InvalidError(str(problem), code="params", path="$.params") from None
        self._world = TaskWorld(settings, seed, agents=1 + len(_others(settings)))
        self._seen = self._world.reset()
        self._others = _introduce(self._world, settings)
        if settings.society is not None:
            for _ in range(SETTLING_STEPS):
                self._seen = self._world.step(self._others_acts())
        self._began = self._world.tick
        self._describer = Describer(self._world.block_palette)
        self._text = ""
        self._refusal = ""
        self._act: dict[str, Any] | int = {}
        self._waits = 1
        self._record = LearnerRecord(ME)
        self._world.watch = self._note_events
        self.anchors = _anchors(self._world.body(ME).position, settings.land, seed)
        self.words: dict[str, str] = {}
        partner = self._others.get(PARTNER)
        if isinstance(partner, Partner):
            self.anchors["partner"] = self._world.body(PARTNER).position
            self.anchors["terminal"] = partner.terminal
            self.words = {"partner_id": PARTNER, "terminal_id": partner.terminal_id}
        elif isinstance(partner, Neighbour):
            self.words = {"city_id": CITY_ID, "city_land": partner.land_id}

    @property
    def world(self) -> VoxelWorld:
        """The whole world, for oracles and tests; no learner sees it."""
        return self._world.state

    @property
    def body(self) -> Agent:
        """The learner's body."""
        return self._world.body(ME)

    @property
    def describer(self) -> Describer:
        """The learner's view of the ground, which decides what its actions mean."""
        return self._describer

    @property
    def ticks(self) -> int:
        return self._world.tick - self._began

    # Turns

    def observe(self) -> dict[str, Json]:
        # The text is the most expensive part of an observation, so it is made only when asked for.
        if not self._text:
            self._text = self._describer.describe(self._seen[ME], self._refusal)
        return {
            **self._seen[ME],
            "text": self._text,
            "palette": self._world.block_palette,
            "possible": self.possible,
        }

    @property
    def possible(self) -> list[Json]:
        return list(self._world.possible(ME))

    def submit(self, action: Json) -> None:
        if type(action) is int:
            possible = self.possible
            if action not in possible:
                raise InvalidError(
                    f"{action} is none of what is possible now: {possible}", code="choice"
                )
            self._act = action
            return
        self._act = read_answer(action, self._describer)
        if isinstance(action, dict) and action.get("action") == _WAIT:
            ticks = min(int(action.get("ticks") or 1), MAX_WAIT_TICKS)
            self._waits = -(-ticks // LEAST_TURN_TICKS)

    def advance(self, refusal: str) -> None:
        act = self._act
        waits = self._waits
        self._act = {}
        self._waits = 1
        began = self._world.tick
        self._step(act)
        for _ in range(1, waits):
            self._step({})
        while self._is_busy() and self._world.tick - began < BUSY_TICKS:
            self._step({})
        self._text = ""
        self._refusal = refusal

    def _step(self, act: dict[str, Any] | int) -> None:
        """A second of the world."""
        self._seen = self._world.step({ME: act, **self._others_acts()})
        self._describer.take(self._seen[ME])

    def _others_acts(self) -> dict[str, Act]:
        return {id: other.decide(self._seen[id]["events"]) for id, other in self._others.items()}

    def _is_busy(self) -> bool:
        return self.body.move is not None or self.body.work is not None

    def _note_events(self, world: VoxelWorld, inputs: Sequence[AnyInput]) -> None:
        self._record.note(world.scratch.public_events)

    # Goals

    def measure(self, kind: str, argument: Any) -> Fraction:
        body = self.body
        match kind, argument:
            case "have", dict():
                return share(argument, body.inventory)
            case "achieved", dict():
                return share(argument, body.achievements)
            case "cells", list():
                return Fraction(sum(map(self._is_right, argument)), len(argument))
            case "plan", Plan():
                return self._plan_share(argument)
            case "near", Near():
                away = sum(map(abs, map(sub, argument.at, body.position)))
                return Fraction(int(away <= argument.within))
            case "blueprint", Blueprint():
                return self._built_share(argument)
            case "traded", Trade():
                return self._traded_share(argument)
            case "gave", dict():
                return share(argument, self._record.gave)
            case "lasted", int():
                return Fraction(min(self.ticks, argument), argument)
            case "hunger", int():
                return Fraction(int(body.hunger >= argument))
            case "downed", int():
                return Fraction(int(self._record.deaths >= argument))
            case "contracts", dict():
                return share(argument, self._contracts())
            case "law", Law():
                return Fraction(int(any(self._is_in_force(argument))))
            case "member", True:
                return Fraction(int(body.org == CITY_ID))
            case "owns", int():
                owned = sum(claim.owner == ME for claim in self.world.claims)
                return Fraction(min(owned, argument), argument)
            case "fellows", int():
                org = self.world.orgs.get(body.org) if body.org else None
                fellows = 0 if org is None else len(org.members) - 1
                return Fraction(min(fellows, argument), argument)
            case "neighbours", int():
                own = (claim for claim in self.world.claims if claim.owner == ME)
                most = max((len(set(claim.members) - {ME}) for claim in own), default=0)
                return Fraction(min(most, argument), argument)
            case "gave_to", dict():
                gave_to = self._record.gave_to
                parts = [
                    share(goods, gave_to.get(who, Counter())) for who, goods in argument.items()
                ]
                return sum(parts, Fraction(0)) / len(parts)
        raise InvalidError(f"a world cannot measure {kind!r}", code="goal")

    def _is_right(self, cell: Cell) -> bool:
        return self._holds(cell.at, cell.block)

    def _holds(self, place: Place, name: str) -> bool:
        block = self.world.ground.block(*place)
        if name == ANY_SOLID:
            return bool(self.world.catalogs.solid[block])
        return block == self.world.catalogs.block_number[name]

    def _plan_share(self, plan: Plan) -> Fraction:
        right: Counter[bool] = Counter()
        wanted: Counter[bool] = Counter()
        for place, name in plan.cells():
            is_empty = name == EMPTY
            wanted[is_empty] += 1
            right[is_empty] += self._holds(place, name)
        counted = right[False]
        if counted == wanted[False]:
            counted += right[True]
        return Fraction(counted, wanted.total())

    def _built_share(self, wanted: Blueprint) -> Fraction:
        plan = blueprints.plan_of(self.world, wanted.id, wanted.at, wanted.rotation)
        return Fraction(blueprints.blocks_standing(self.world, plan), len(plan))

    def _traded_share(self, wanted: Trade) -> Fraction:
        """How much of the wanted goods was traded for; nothing once too much was given."""
        gave = self._record.gave
        if any(gave[item] > most for item, most in wanted.gave_most.items()):
            return Fraction(0)
        if any(item not in wanted.gave_most for item in gave):
            return Fraction(0)
        return share(wanted.got, self._record.got)

    def _is_in_force(self, wanted: Law) -> Iterator[bool]:
        for law in self.world.laws:
            params: dict[str, Any] = dict(law.params)
            is_right = all(params.get(name) == value for name, value in wanted.params.items())
            yield law.template_id == wanted.template and law.status == "ACTIVE" and is_right

    def _contracts(self) -> dict[str, int]:
        states: Counter[str] = Counter(
            contract.state for contract in self.world.contracts if contract.acceptor == ME
        )
        # What was completed was accepted before.
        states["ACCEPTED"] = states.total()
        return states

    # Identity

    def digest(self) -> str:
        others: Json = None
        if self._others:
            states = [other.state for other in self._others.values()]
            others = [self._record.gifts_to_json(), states]
        covered = [self._world.digest(), self._record.to_json(), others]
        return sha256(canonical_bytes(covered)).hexdigest()

    def node(self) -> Json:
        body = self.body
        return [
            list(body.position),
            sorted(body.inventory.items()),
            sorted(name for name, count in body.achievements.items() if count),
        ]

    def clone(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._world = self._world.clone()
        copy._world.watch = copy._note_events
        copy._describer = deepcopy(self._describer)
        copy._others = {id: other.copy() for id, other in self._others.items()}
        copy._record = self._record.copy()
        return copy


def _others(params: WorldParams) -> list[str]:
    """The ids of everybody but the learner."""
    residents = () if params.society is None else params.society.residents
    count = len(residents) + int(params.partner is not None)
    return [f"A{number}" for number in range(2, count + 2)]


def _introduce(world: TaskWorld, params: WorldParams) -> dict[str, Partner | Neighbour]:
    """Everybody but the learner, with what they have."""
    others: dict[str, Partner | Neighbour] = {}
    people: list[PartnerParams | ResidentParams] = (
        [] if params.partner is None else [params.partner]
    )
    people += [] if params.society is None else params.society.residents
    for id, person in zip(_others(params), people, strict=True):
        body = world.body(id)
        if isinstance(person, PartnerParams):
            others[id] = Partner(person, ME, body.position)
        else:
            assert params.society is not None
            others[id] = Neighbour(person, params.society, id, body.position)
        for item, count in list(body.inventory.items()):
            body.give(item, -count)
        for item, count in sorted(others[id].goods.items()):
            body.give(item, count)
    return others


def _anchors(home: Place, land: Land | None, seed: int) -> dict[str, Place]:
    x, y, z = home
    dx, dy, dz = SITE_OFFSET
    if land is None:
        return {"home": home, "site": (x + dx, y + dy, z + dz)}
    east, south = lands.offsets(land, seed)
    anchors = {"home": home, "site": (x + dx + east, y + dy, z + dz + south)}
    if land.trench is not None:
        first = x + land.trench.distance + east
        anchors["trench"] = (first, y - 1, z + south)
        anchors["trench_end"] = (first + land.trench.width - 1, y - 1, z + south)
        anchors["far_side"] = (first + land.trench.width, y, z + south)
    return anchors
