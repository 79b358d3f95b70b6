"""What a reader of the page sees when looking closer: the society, one agent, one place. Read-only.

Everybody who may watch is told what anyone in the world may know: who owns land, what the law is,
what is asked for and paid, what is posted. A vote is told by its turnout while it runs, and by its
tally afterwards, never by name. Pockets, chests and refusals are told with an open book only, or to
an operator. Whispers, memory and tokens are never told.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.voxel.achievements import SOCIAL, TECH
from thorp.voxel.lookups import land
from thorp.voxel.society.laws import quorum
from thorp.voxel.state.agent import Agent, Event
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.records import Claim, Contract, Law, Org
from thorp.voxel.state.world import World, block_id

# Of laws and contracts that are over, the newest are told; and of each board the newest posts.
ENDED_SHOWN: Final = 40
POSTS_SHOWN: Final = 20
DEEDS_SHOWN: Final = 40

_PLACE: Final = re.compile(",".join(["(-?[0-9]{1,6})"] * 3) + r"\Z", re.ASCII)
_decode = msgspec.json.Decoder(dict[str, Any]).decode

Items = dict[str, int]
Told = TypeVar("Told", bound=msgspec.Struct)


class Land(msgspec.Struct, kw_only=True):
    """A claim, as spectators are shown it."""

    id: str
    owner: str
    anchor: Position
    radius: int
    core: int
    """How far its middle reaches, for which a ticket may be asked."""
    stage: int
    """How often upkeep was missed: 0 protected, 1 warned, 2 open to all."""
    due_tick: int
    members: int
    visitors_may: list[str]
    """What a visitor may do here: build, break, damage, trade."""
    market_tax: float
    curfew: tuple[float, float] | None
    fine: tuple[str, int] | None
    ticket: tuple[str, int] | None


class Organisation(msgspec.Struct):
    """An organisation, as spectators are shown it."""

    id: str
    kind: str
    name: str
    created_tick: int
    members: dict[str, str]
    """Their ranks, by id."""
    treasury: Items
    open: bool


class Tally(msgspec.Struct):
    """The votes on a law."""

    yes: int
    no: int
    abstain: int


class ShownLaw(msgspec.Struct, kw_only=True):
    """A law and its vote, as spectators are shown them."""

    id: str
    land_id: str
    template_id: str
    title: str
    proposer: str
    status: str
    proposed_tick: int
    notice_ends_tick: int
    vote_ends_tick: int
    params: dict[str, int | str]
    """Shares and hours of the day in millionths."""
    voted: int
    members: int
    quorum: int
    tally: Tally | None
    """Once the voting has ended."""


class ShownContract(msgspec.Struct, kw_only=True):
    """A contract, as spectators are shown it."""

    id: str
    kind: str
    state: str
    poster: str
    acceptor: str
    backer: str
    terminal: Position
    asked: Items
    brought: Items
    reward: Items
    bonus: Items
    deposit: Items
    blueprint_id: str
    anchor: Position | None
    created_tick: int
    deadline_tick: int


class ShownPost(msgspec.Struct):
    """A notice on a board."""

    id: str
    author: str
    title: str
    body: str
    tick: int


class ShownEvent(msgspec.Struct):
    """The event of the director that is on."""

    id: str
    title: str
    description: str
    start_tick: int
    ends_tick: int
    center: Position | None
    radius: int


class Society(msgspec.Struct, kw_only=True):
    """Everything social about a world that spectators may see."""

    tick: int
    day_ticks: int
    season: int
    open_book: bool
    lands: list[Land]
    organisations: list[Organisation]
    laws: list[ShownLaw]
    contracts: list[ShownContract]
    boards: dict[str, list[ShownPost]]
    buildings: dict[str, int]
    """How many stand, by blueprint."""
    event: ShownEvent | None


class Deed(msgspec.Struct):
    """An action that an agent tried, and how it ended."""

    tick: int
    ok: bool
    code: str
    message: str


class Inspected(msgspec.Struct, kw_only=True):
    """One agent, as spectators are shown it in detail."""

    id: str
    name: str
    joined_tick: int
    home: tuple[int, int]
    organisation: str
    rank: str
    reputation: dict[str, int]
    fun: dict[str, int]
    achievements: dict[str, dict[str, int]]
    """By group, how often it did each; 0 for what it has yet to do."""
    contracts: list[str]
    """Those it has taken or posted that are not over."""
    laws: list[str]
    """Those in force on the land where it stands."""
    land: str
    """The land it stands on, if somebody has claimed it."""
    carries: Items | None
    """None where pockets are private."""
    refused: list[Deed] | None
    """Its latest refusals, the newest first; None where they are private."""


class Place(msgspec.Struct, kw_only=True):
    """One cell, and what is known of it."""

    position: Position
    block: str
    land: str
    sign: str
    posts: list[ShownPost]
    contracts: list[str]
    building: str
    builder: str
    holds: Items | None
    """What lies in it; None if nothing can, or where chests are private."""


def _told(kind: type[Told], record: object, **other: Any) -> Told:
    """A record as a kind of document: what has the same name, and the members that are told
    otherwise."""
    same = {name: getattr(record, name) for name in kind.__struct_fields__ if name not in other}
    return kind(**same, **other)


def society(world: World, *, open_book: bool) -> Society:
    """What the people of the world own, have agreed on, and ask of each other."""
    return Society(
        tick=world.tick,
        day_ticks=world.tuning.day_ticks,
        season=world.season,
        open_book=open_book,
        lands=[shown_land(world, claim) for claim in world.claims],
        organisations=[shown_organisation(world, org) for org in world.orgs],
        laws=[shown_law(world, law) for law in newest_laws(world)],
        contracts=[shown_contract(contract) for contract in newest_contracts(world)],
        boards={notices.board_id: shown_posts(notices.posts) for notices in world.notices},
        buildings=dict(
            sorted(Counter(structure.blueprint_id for structure in world.structures).items())
        ),
        event=shown_event(world),
    )


def inspect(world: World, agent_id: str, *, open_book: bool) -> Inspected:
    """One agent, as far as others may know it."""
    agent = world.agent_by_id(agent_id)
    if agent is None:
        raise IllegalError(f"there is no agent {agent_id!r} in this world", code="unknown_agent")
    here = _land_at(world, agent.position)
    org = world.orgs.get(agent.org)
    return _told(
        Inspected,
        agent,
        organisation=agent.org,
        rank="" if org is None else org.members.get(agent.id, ""),
        achievements={
            group: {one: agent.achievements.get(one, 0) for one in ids}
            for group, ids in (("tech", TECH), ("social", SOCIAL))
        },
        contracts=[one.id for one in world.contracts if one.is_live and agent.id in one.parties],
        laws=[law.id for law in world.laws if law.status == "ACTIVE" and law.land_id == here],
        land=here,
        carries=dict(sorted(agent.inventory.items())) if open_book else None,
        refused=_refused(agent) if open_book else None,
    )


def look_at(world: World, where: str, *, open_book: bool) -> Place:
    """What is at a place given as `x,y,z`."""
    position = read_position(where)
    if not 0 <= position[1] < HEIGHT or not world.ground.in_use(position[0] >> 4, position[2] >> 4):
        raise IllegalError("nobody has been there yet", code="unknown_place")
    block = world.catalogs.blocks[world.ground.block(*position)].id
    container = world.containers.get(position)
    sign = world.signs.get(position)
    notices = world.notices.get(block_id("BULLETIN_BOARD", position))
    building = next(
        (record for record in world.structures if _within(position, record.low, record.high)), None
    )
    return Place(
        position=position,
        block=block,
        land=_land_at(world, position),
        sign="" if sign is None else sign.text,
        posts=[] if notices is None else shown_posts(notices.posts),
        contracts=[
            record.id
            for record in world.contracts
            if record.is_live and record.terminal == position
        ],
        building="" if building is None else building.blueprint_id,
        builder="" if building is None else building.builder,
        holds=dict(sorted(container.stock.items()))
        if container is not None and open_book
        else None,
    )


def _newest(records: list[Any], is_over: Any) -> list[Any]:
    """All that are not over and the newest of those that are, the newest first."""
    ended = [record for record in records if is_over(record)]
    return [one for one in records if not is_over(one)][::-1] + ended[: -ENDED_SHOWN - 1 : -1]


def newest_laws(world: World) -> list[Law]:
    """The laws that are shown: all that count, and the newest of the rejected ones."""
    return _newest(list(world.laws), lambda law: law.status == "REJECTED")


def newest_contracts(world: World) -> list[Contract]:
    """The contracts that are shown: all that are alive, and the newest of the others."""
    return _newest(list(world.contracts), lambda contract: not contract.is_live)


NEWEST: Final[dict[str, Callable[[World], list[Any]]]] = {
    "laws": newest_laws,
    "contracts": newest_contracts,
}
"""Records of which not all are told."""


def shown_organisation(world: World, org: Org) -> Organisation:
    """What spectators are shown of an organisation."""
    return _told(Organisation, org)


def shown_land(world: World, claim: Claim) -> Land:
    """What spectators are shown of a claim."""

    def priced(price: Any) -> tuple[str, int] | None:
        return None if price is None else (price.item, price.count)

    curfew = claim.curfew
    return _told(
        Land,
        claim,
        core=min(world.tuning.access_pass_core_radius, claim.radius),
        members=len(claim.members),
        visitors_may=[
            flag.removeprefix("allow_") for flag, allowed in claim.flags.items() if allowed
        ],
        market_tax=claim.market_tax / 1_000_000,
        curfew=None if curfew is None else (curfew.start / 1_000_000, curfew.end / 1_000_000),
        fine=priced(claim.fine),
        ticket=priced(claim.ticket),
    )


def shown_law(world: World, law: Law) -> ShownLaw:
    """What spectators are shown of a law, with its votes once it is decided."""
    claim = world.claims.get(law.land_id)
    members = law.electors or (0 if claim is None else len(land.members(world, claim)))
    votes = Counter(law.votes.values())
    is_over = law.status in ("ACTIVE", "REJECTED")
    return _told(
        ShownLaw,
        law,
        voted=len(law.votes),
        members=members,
        quorum=quorum(world, members),
        tally=Tally(votes["YES"], votes["NO"], votes["ABSTAIN"]) if is_over else None,
    )


def shown_contract(contract: Contract) -> ShownContract:
    """What spectators are shown of a contract."""
    asked = contract.requirements
    brought = contract.delivered
    anchor = contract.anchor if contract.kind == "BUILD" else None
    return _told(ShownContract, contract, asked=asked, brought=brought, anchor=anchor)


def shown_posts(posts: list[Any]) -> list[ShownPost]:
    """The newest notices of a board, the newest first."""
    return [_told(ShownPost, post) for post in posts[: -POSTS_SHOWN - 1 : -1]]


def shown_event(world: World) -> ShownEvent | None:
    """What spectators are shown of the event that is on; None if there is none."""
    event = world.director.event
    if event is None:
        return None
    about = world.catalogs.events.get(event.id)
    title, description = (event.id, "") if about is None else (about.title, about.description)
    return _told(ShownEvent, event, title=title, description=description)


def _refused(agent: Agent) -> list[Deed]:
    """Its own actions that were refused, without what it had written in them."""
    deeds = map(refusal, reversed(agent.event_log.events))
    return list(islice((deed for deed in deeds if deed is not None), DEEDS_SHOWN))


def refusal(event: Event) -> Deed | None:
    """The refusal that an event tells of, if it does."""
    document = _decode(event.text)
    if document.get("type") not in ("ACTION_RESULT", "TASK_FAIL") or not document.get("code"):
        return None
    return Deed(event.tick, False, str(document["code"]), str(document.get("message", "")))


def _land_at(world: World, position: Position) -> str:
    claim = land.at(world, position[0], position[2])
    return "" if claim is None else claim.id


def _within(position: Position, low: Position, high: Position) -> bool:
    return all(low[axis] <= position[axis] <= high[axis] for axis in range(3))


def read_position(text: str) -> Position:
    """A place given as `x,y,z`."""
    match = _PLACE.match(text)
    if match is None:
        raise InvalidError("a place is x,y,z, as in 3,22,-4", code="place")
    x, y, z = map(int, match.groups())
    return x, y, z
