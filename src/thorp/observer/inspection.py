"""What a reader of the page sees when looking closer: the society, one agent, one place. Read-only.

Spectators see what anyone in the world may know: who owns land, what the law is, what is wanted and
paid, what is posted. Of a vote they see the turnout while it runs, and the tally afterwards, never
names. They see pockets, chests and refusals only with an open book, or as an operator. They never
see whispers, memory or tokens.
"""

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.observer.dealings import Dealings, DealingsBook
from thorp.voxel import Agent, Position, World
from thorp.voxel.achievements import SOCIAL, TECH
from thorp.voxel.lookups import land
from thorp.voxel.lookups.goods import VALUES, worth
from thorp.voxel.society.laws import quorum
from thorp.voxel.state.agent import Event
from thorp.voxel.state.ground import HEIGHT
from thorp.voxel.state.records import Claim, Contract, Law, Org
from thorp.voxel.state.world import block_id

# How many are shown, the newest of each: laws or contracts that are over, posts of a board, and
# refusals of an agent.
ENDED_SHOWN: Final = 40
POSTS_SHOWN: Final = 20
DEEDS_SHOWN: Final = 40

_PLACE: Final = re.compile(",".join(["(-?[0-9]{1,6})"] * 3) + r"\Z", re.ASCII)
_decode = msgspec.json.Decoder(dict[str, Any]).decode

Items = dict[str, int]
Document = TypeVar("Document", bound=msgspec.Struct)


class Land(msgspec.Struct, kw_only=True):
    """A claim, as spectators are shown it."""

    id: str
    owner: str
    anchor: Position
    radius: int
    core: int
    """The radius of its core, for which a ticket may be demanded."""
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
    """None until the voting has ended."""


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
    """The event of the director that is going on."""

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
    prices: Items
    """What goods are worth, by the list that also judges trades; an item without a price is worth
    1."""


class Person(msgspec.Struct, kw_only=True):
    """One of many agents, with what a list of people can be sorted by."""

    id: str
    name: str
    worth: int | None
    """What it carries, by the list of prices; None where pockets are private."""
    standing: int
    """The mean of its four reputations, each from 0 to 1,000."""
    trades: int
    sold: tuple[str, int] | None
    """What it gave most of in trades, by worth, and how many."""
    carries: tuple[str, int] | None
    """What it carries most of, by worth, and how many; None where pockets are private."""
    kept: int
    earned: int
    broken: int
    built: int


class Deed(msgspec.Struct, omit_defaults=True):
    """An action that an agent tried, and how it ended."""

    tick: int
    ok: bool
    code: str
    message: str
    hint: str = ""


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
    """By group: how often it has achieved each; 0 for those it has yet to achieve."""
    contracts: list[str]
    """Contracts that it has taken or posted and that are not over."""
    laws: list[str]
    """Laws in force on the land where it stands."""
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
    structure: str
    """The id of the building that it is part of."""
    holds: Items | None
    """What lies in it; None if nothing can, or where chests are private."""


def _document(kind: type[Document], record: object, **other: Any) -> Document:
    """A document of this kind: fields that the record has under the same name, and `other` ones."""
    same = {name: getattr(record, name) for name in kind.__struct_fields__ if name not in other}
    return kind(**same, **other)


def society(world: World, *, open_book: bool) -> Society:
    """What the people of the world own, have agreed on, and want from each other."""
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
        prices=dict(VALUES),
    )


def people(world: World, book: DealingsBook, *, open_book: bool) -> list[Person]:
    """Everybody who can be seen, with what they have and what they did for it."""
    return [
        _person(agent, book.of(agent.id), open_book=open_book)
        for agent in world.agents
        if not agent.hidden
    ]


def _most_of(goods: Items) -> tuple[str, int] | None:
    """The item with the highest worth in all, and its count."""
    return max(sorted(goods.items()), key=lambda stack: worth(dict([stack])), default=None)


def _person(agent: Agent, dealings: Dealings, *, open_book: bool) -> Person:
    return Person(
        id=agent.id,
        name=agent.name,
        worth=worth(agent.inventory) if open_book else None,
        standing=sum(agent.reputation.values()) // max(1, len(agent.reputation)),
        trades=dealings.trades,
        sold=_most_of(dealings.sold),
        carries=_most_of(agent.inventory) if open_book else None,
        kept=dealings.kept,
        earned=dealings.earned,
        broken=dealings.broken,
        built=dealings.built,
    )


def inspect(world: World, agent_id: str, *, open_book: bool) -> Inspected:
    """One agent, as far as others may know it."""
    agent = world.agent_by_id(agent_id)
    if agent is None:
        raise IllegalError(f"there is no agent {agent_id!r} in this world", code="unknown_agent")
    here = _land_at(world, agent.position)
    org = world.orgs.get(agent.org)
    return _document(
        Inspected,
        agent,
        organisation=agent.org,
        rank="" if org is None else org.members.get(agent.id, ""),
        achievements={
            group: {id: agent.achievements.get(id, 0) for id in ids}
            for group, ids in (("tech", TECH), ("social", SOCIAL))
        },
        contracts=[
            contract.id
            for contract in world.contracts
            if contract.is_live and agent.id in contract.parties
        ],
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
        structure="" if building is None else building.id,
        holds=dict(sorted(container.stock.items()))
        if container is not None and open_book
        else None,
    )


def _newest(records: list[Any], is_over: Any) -> list[Any]:
    """All records that are not over, then the newest of those that are; the newest first in
    both."""
    going = [record for record in records if not is_over(record)]
    ended = [record for record in records if is_over(record)]
    return going[::-1] + ended[: -ENDED_SHOWN - 1 : -1]


def newest_laws(world: World) -> list[Law]:
    """The laws that are shown: all but the rejected ones, and the newest of those."""
    return _newest(list(world.laws), lambda law: law.status == "REJECTED")


def newest_contracts(world: World) -> list[Contract]:
    """The contracts that are shown: all that are not over, and the newest of those that are."""
    return _newest(list(world.contracts), lambda contract: not contract.is_live)


NEWEST: Final[dict[str, Callable[[World], list[Any]]]] = {
    "laws": newest_laws,
    "contracts": newest_contracts,
}
"""By kind: the records that are shown, where not all are."""


def shown_organisation(world: World, org: Org) -> Organisation:
    """What spectators are shown of an organisation."""
    return _document(Organisation, org)


def shown_land(world: World, claim: Claim) -> Land:
    """What spectators are shown of a claim."""

    def priced(price: Any) -> tuple[str, int] | None:
        return None if price is None else (price.item, price.count)

    curfew = claim.curfew
    return _document(
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
    return _document(
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
    return _document(ShownContract, contract, asked=asked, brought=brought, anchor=anchor)


def shown_posts(posts: list[Any]) -> list[ShownPost]:
    """The newest notices of a board, the newest first."""
    return [_document(ShownPost, post) for post in posts[: -POSTS_SHOWN - 1 : -1]]


def shown_event(world: World) -> ShownEvent | None:
    """What spectators are shown of the event that is going on; None if there is none."""
    event = world.director.event
    if event is None:
        return None
    about = world.catalogs.events.get(event.id)
    title, description = (event.id, "") if about is None else (about.title, about.description)
    return _document(ShownEvent, event, title=title, description=description)


def _refused(agent: Agent) -> list[Deed]:
    """Its latest actions that were refused: code and reason only, not what it had written."""
    deeds = map(refusal, reversed(agent.event_log.events))
    return list(islice((deed for deed in deeds if deed is not None), DEEDS_SHOWN))


def refusal(event: Event) -> Deed | None:
    """The refusal that an event is about; None if it is about something else."""
    document = _decode(event.text)
    if document.get("type") not in ("ACTION_RESULT", "TASK_FAIL") or not document.get("code"):
        return None
    code, message, hint = (str(document.get(name, "")) for name in ("code", "message", "hint"))
    return Deed(tick=event.tick, ok=False, code=code, message=message, hint=hint)


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
