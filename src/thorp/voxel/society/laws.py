"""Laws: proposed by a member of a land, announced, voted on, in force or rejected. See
`docs/society-land.md`.

Stages begin after the actions of a tick, so a vote in the last tick counts. A law in force is a
setting of the land.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from math import floor
from typing import Any, Final, Literal, NamedTuple

from thorp.protocol import actions, codes
from thorp.voxel.lookups import land
from thorp.voxel.lookups.indexes import index_of, note_row
from thorp.voxel.refusal import Refusal, known, refuse_if
from thorp.voxel.society import deeds
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import MILLION, Claim, Curfew, Law, LawStatus, Price
from thorp.voxel.state.world import World, WorldState

MAX_TITLE_BYTES: Final = 80
# Every law is announced to everyone, so a land may have only a few that are not decided; of the
# decided ones it remembers the last.
MAX_UNDECIDED: Final = 4
MAX_DECIDED: Final = 32

MAX_TAX: Final = MILLION // 4
MAX_FINE: Final = 100
MAX_TICKET: Final = 64

OPERATOR: Final = "OPERATOR"
"""The proposer of a law that nobody in the world has proposed."""

Params = Mapping[str, Any]
Checked = dict[str, int | str]

CHOICES: Final[dict[str, Literal["YES", "NO", "ABSTAIN"]]] = {
    **dict.fromkeys(("YES", "Y", "1", "TRUE"), "YES"),
    **dict.fromkeys(("NO", "N", "0", "FALSE"), "NO"),
    "ABSTAIN": "ABSTAIN",
}


class Template(NamedTuple):
    """How a kind of law checks its parameters, and which setting of a land it makes of them."""

    check: Callable[[WorldState, Params], Checked]
    setting: str
    """The field of the claim that it sets."""
    value: Callable[[Any], Any]
    unset: object = None
    """The value of a land without such a law."""

    def enact(self, claim: Claim, params: Checked) -> None:
        """Let the law hold on a land."""
        setattr(claim, self.setting, self.value(params))

    def lift(self, claim: Claim) -> None:
        """Let no such law hold there."""
        setattr(claim, self.setting, self.unset)


def propose(world: World, agent: Agent, wish: actions.ProposeLaw) -> dict[str, object]:
    """Propose a law for a land of which the agent is a member."""
    if not wish.land_id or not wish.template_id:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/template_id")
    claim = known(world.claims.get(wish.land_id), "land not found")
    refuse_if(not land.is_member(claim, agent), codes.NO_PERMISSION, "not eligible")
    template = known(TEMPLATES.get(wish.template_id), "unknown law template")
    if not wish.params:
        raise Refusal(codes.BAD_REQUEST, "missing params")
    params = template.check(world, wish.params)
    title = wish.title or world.catalogs.law_templates[wish.template_id].title
    if len(title.encode("utf-8", "surrogatepass")) > MAX_TITLE_BYTES:
        raise Refusal(codes.BAD_REQUEST, f"title has more than {MAX_TITLE_BYTES} bytes")
    laws = [law for law in world.laws if law.land_id == claim.id]
    decided = _decided(laws)
    if len(laws) - len(decided) >= MAX_UNDECIDED:
        raise Refusal(codes.CONFLICT, f"{claim.id} has {MAX_UNDECIDED} laws under way")
    _make_room(world, decided)
    law = _new_law(world, agent, claim, template_id=wish.template_id, title=title, params=params)
    deeds.proposed(world, law)
    return {"law_id": law.id}


def _new_law(
    world: World, agent: Agent, claim: Claim, *, template_id: str, title: str, params: Checked
) -> Law:
    world.counters.law += 1
    notice_ends = world.tick + world.tuning.law_notice_ticks
    law = Law(
        id=f"LAW{world.counters.law:06d}",
        land_id=claim.id,
        template_id=template_id,
        title=title,
        proposer=agent.id,
        status="NOTICE",
        proposed_tick=world.tick,
        notice_ends_tick=notice_ends,
        vote_ends_tick=notice_ends + world.tuning.law_vote_ticks,
        params=params,
    )
    world.laws.put(law)
    note_row(world, law)
    ends = {"notice_ends_tick": law.notice_ends_tick, "vote_ends_tick": law.vote_ends_tick}
    _announce(world, law, "PROPOSED", **ends)
    return law


def _decided(laws: Iterable[Law]) -> list[Law]:
    return [law for law in laws if law.status in ("ACTIVE", "REJECTED")]


def _make_room(world: World, decided: list[Law]) -> None:
    """Forget the oldest decided laws of a land, so that it can remember one more."""
    for old in decided[: max(0, len(decided) + 1 - MAX_DECIDED)]:
        world.laws.remove(old.id)


def vote(world: World, agent: Agent, wish: actions.Vote) -> None:
    """Cast or change a member's vote on a law."""
    if not wish.law_id or not wish.choice:
        raise Refusal(codes.BAD_REQUEST, "missing law_id/choice")
    law = known(world.laws.get(wish.law_id), "law not found")
    refuse_if(law.status != "VOTING", codes.BLOCKED, "law not in voting")
    refuse_if(
        not land.is_member(world.claims[law.land_id], agent), codes.NO_PERMISSION, "not eligible"
    )
    choice = CHOICES.get(wish.choice.strip().upper())
    if choice is None:
        raise Refusal(codes.BAD_REQUEST, "choice must be YES, NO or ABSTAIN")
    is_first = agent.id not in law.votes
    law.votes[agent.id] = choice
    world.laws.touch(law.id)
    # It is public that somebody voted, but not how.
    world.publish("VOTE", agent=agent.id, law_id=law.id, land_id=law.land_id)
    if is_first:
        deeds.voted(world, agent, law)


def step(world: World) -> None:
    """Open the vote on laws whose notice ends in this tick, and decide those whose vote ends."""
    for law_id in sorted(index_of(world).laws.pop(world.tick, {})):
        law = world.laws.get(law_id)
        if law is None:
            continue
        if law.status == "NOTICE":
            _enter(world, law, "VOTING")
            note_row(world, law)
        else:
            _decide(world, law)


# From outside


def decree(world: World, claim: Claim, template_id: str, given: Params, title: str = "") -> Law:
    """Put a law in force without a vote, between two ticks.

    No rule does this. It is for forks that ask what would have happened; the record of a fork's
    epoch says so.
    """
    template = TEMPLATES[template_id]
    params = template.check(world, given)
    _make_room(world, _decided(law for law in world.laws if law.land_id == claim.id))
    world.counters.law += 1
    law = Law(
        id=f"LAW{world.counters.law:06d}",
        land_id=claim.id,
        template_id=template_id,
        title=title or world.catalogs.law_templates[template_id].title,
        proposer=OPERATOR,
        status="ACTIVE",
        proposed_tick=world.tick,
        notice_ends_tick=world.tick,
        vote_ends_tick=world.tick,
        params=params,
    )
    world.laws.put(law)
    template.enact(claim, params)
    world.claims.touch(claim.id)
    _announce(world, law, "ACTIVE", message="decreed")
    return law


def repeal(world: World, law: Law) -> None:
    """End a law in force without a vote, between two ticks, as `decree` begins one. The land is
    then as if it had never had a law of this template."""
    claim = world.claims[law.land_id]
    TEMPLATES[law.template_id].lift(claim)
    world.claims.touch(claim.id)
    for each in [each for each in world.laws if each.status == "ACTIVE"]:
        if each.land_id == law.land_id and each.template_id == law.template_id:
            each.status = "REJECTED"
            world.laws.touch(each.id)
            _announce(world, each, "REPEALED", message="repealed")


def _decide(world: World, law: Law) -> None:
    claim = world.claims[law.land_id]
    members = land.members(world, claim)
    # Only members count. The count is kept: it must not change when somebody joins or leaves later.
    law.electors = len(members)
    law.votes = {voter: choice for voter, choice in law.votes.items() if voter in members}
    votes = Counter(law.votes.values())
    needed = quorum(world, len(members))
    if votes.total() < needed:
        why = f"{votes.total()} of {len(members)} members voted, {needed} are needed"
        _enter(world, law, "REJECTED", why)
    elif votes["YES"] <= votes["NO"]:
        _enter(world, law, "REJECTED", f"{votes['YES']} YES, {votes['NO']} NO")
    else:
        TEMPLATES[law.template_id].enact(claim, law.params)
        world.claims.touch(claim.id)
        _enter(world, law, "ACTIVE", f"{votes['YES']} YES, {votes['NO']} NO")
        deeds.adopted(world, law)


def quorum(world: WorldState, members: int) -> int:
    """How many must vote: a share of the members, rounded up, but at least one."""
    share = round(world.tuning.law_quorum * MILLION)
    return max(1, -(-members * share // MILLION))


def _enter(world: World, law: Law, status: LawStatus, message: str = "") -> None:
    law.status = status
    world.laws.touch(law.id)
    _announce(world, law, status, **({"message": message} if message else {}))


def _announce(world: World, law: Law, kind: str, **more: object) -> None:
    about = {
        "law_id": law.id,
        "land_id": law.land_id,
        "template_id": law.template_id,
        "title": law.title,
    }
    world.emit_to(world.agents, "LAW", kind=kind, **about, status=law.status, **more)
    world.scratch.public_events.append(
        {**about, "kind": "LAW", "agent": law.proposer, "status": law.status}
    )


# Templates


def _number(params: Params, name: str) -> int | float:
    value = params.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refusal(codes.BAD_REQUEST, f"{name} must be a number")
    return value


def _share(params: Params, name: str, most: int = MILLION) -> int:
    """A parameter between 0 and 1, in millionths, cut to its bounds."""
    return floor(max(0, min(most / MILLION, _number(params, name))) * MILLION + 0.5)


def _priced(setting: str, item: str, count: str, most: int) -> Template:
    """A law that makes agents pay a fine or a ticket. `item` and `count` are the names of its
    parameters, `setting` is the field of the claim that it sets."""

    def check(world: WorldState, params: Params) -> Checked:
        paid = params.get(item)
        if not isinstance(paid, str) or paid not in world.catalogs.items:
            raise Refusal(codes.BAD_REQUEST, f"{item} must be an item")
        times = max(0, min(most, _number(params, count)))
        refuse_if(times != int(times), codes.BAD_REQUEST, f"{count} must be a whole number")
        return {item: paid, count: int(times)}

    def price(params: Any) -> Price | None:
        return Price(params[item], params[count]) if params[count] else None

    return Template(check, setting, price)


def _curfew(params: Any) -> Curfew | None:
    start = params["start_time"]
    end = params["end_time"]
    return Curfew(start, end) if start != end else None


TEMPLATES: Final[dict[str, Template]] = {
    "ACCESS_PASS_CORE": _priced("ticket", "ticket_item", "ticket_cost", MAX_TICKET),
    "CURFEW_NO_BUILD": Template(
        lambda _, params: {name: _share(params, name) for name in ("start_time", "end_time")},
        "curfew",
        _curfew,
    ),
    "FINE_BREAK_PER_BLOCK": _priced("fine", "fine_item", "fine_per_block", MAX_FINE),
    "MARKET_TAX": Template(
        lambda _, params: {"market_tax": _share(params, "market_tax", MAX_TAX)},
        "market_tax",
        lambda params: params["market_tax"],
        unset=0,
    ),
}
