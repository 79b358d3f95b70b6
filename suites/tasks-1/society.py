"""Oracles of the family `society`."""

from typing import Any

from footwork import Body

from thorp.tasks.episode import Episode
from thorp.tasks.goal import Law, Leaf, leaves, read_goal
from thorp.tasks.residents import CITY_ID


def society_join(episode: Episode) -> None:
    """Join."""
    join(Body(episode))


def society_claim(episode: Episode) -> None:
    """Claim the land."""
    claim(Body(episode))


def society_law(episode: Episode) -> None:
    """Join, propose, and vote."""
    body = Body(episode)
    join(body)
    pass_law(body, city_land(episode))


def society_gate(episode: Episode) -> None:
    """Give what is asked, wait for the invitation, and join."""
    body = Body(episode)
    ((who, gifts),) = argument(episode, "gave_to").items()
    (count,) = gifts.values()
    give(body, who, ("BERRIES", count), ("DIRT", 1))
    body.wait(15)
    join(body)


def society_neighbours(episode: Episode) -> None:
    """Claim, and invite both."""
    body = Body(episode)
    land = claim(body)
    for who in ("A2", "A3"):
        body.do("add_member", land_id=land, member_id=who)
    body.wait(10)


def society_guild(episode: Episode) -> None:
    """Found, invite, claim, and pass the law while the land is one's own."""
    body = Body(episode)
    body.do("create_org", org_kind="GUILD", org_name="Masons")
    for who in ("A2", "A3", "A4"):
        body.do("invite_org", org_id=body.agent.org, member_id=who)
    body.wait(10)
    body.do("set_org_open", org_id=body.agent.org, open=False)
    pass_law(body, claim(body))


def society_opposition(episode: Episode) -> None:
    """Win two with bread, then propose and vote."""
    body = Body(episode)
    join(body)
    for who, gifts in argument(episode, "gave_to").items():
        give(body, who, ("BREAD", gifts["BREAD"]), ("DIRT", 1))
    pass_law(body, city_land(episode))


def society_quarrel(episode: Episode) -> None:
    """Carry wood one way and coal the other, as much at a time as one has."""
    body = Body(episode)
    purse = argument(episode, "have")["LOG"]
    wanted = [goods for leaf in gifts_of(episode) for goods in leaf.values()]
    left = next(goods["LOG"] for goods in wanted if "LOG" in goods)
    while left and not episode.is_over:
        lot = min(left, purse)
        give(body, "A2", ("LOG", lot), ("COAL", lot))
        give(body, "A3", ("COAL", lot), ("LOG", lot))
        left -= lot
    body.wait(5)


def join(body: Body) -> None:
    """Join the city."""
    body.do("join_org", org_id=CITY_ID)
    body.wait(5)


def claim(body: Body) -> str:
    """Claim land at the site, and return its id."""
    x, y, z = body.engine.anchors["site"]
    body.do("claim_land", x=x, y=y, z=z, radius=6)
    body.wait(5)
    return next((land.id for land in body.world.claims if land.owner == "A1"), "")


def city_land(episode: Episode) -> str:
    """The id of the city's land."""
    return episode.engine.words["city_land"]


def pass_law(body: Body, land: str) -> None:
    """Propose the law that the goal wants, and vote for it until it is in force."""
    wanted: Law = argument(body.episode, "law")
    fields: dict[str, Any] = dict(wanted.params)
    if "market_tax" in fields:
        fields["market_tax"] = int(fields["market_tax"]) / 1_000_000
    body.do("propose_law", land_id=land, template_id=wanted.template, **fields)
    body.wait(5)
    (law,) = body.world.laws
    while not body.episode.is_over:
        if law.status == "VOTING" and "A1" not in law.votes:
            body.do("vote", law_id=law.id, choice="YES")
        else:
            body.wait(20)
        law = next(iter(body.world.laws))


def give(body: Body, who: str, gift: tuple[str, int], back: tuple[str, int]) -> None:
    """Offer somebody a trade, and let it answer."""
    fields: dict[str, Any] = {"offer_item": gift[0], "offer_count": gift[1]}
    body.do("offer_trade", to=who, request_item=back[0], request_count=back[1], **fields)
    body.wait(20)


def argument(episode: Episode, kind: str) -> Any:
    """What the goal says of its first leaf of a kind."""
    found = leaves(read_goal(episode.row("test").goal))
    return next(leaf.argument for leaf in found if isinstance(leaf, Leaf) and leaf.kind == kind)


def gifts_of(episode: Episode) -> list[Any]:
    """What the goal wants given."""
    found = leaves(read_goal(episode.row("test").goal))
    return [leaf.argument for leaf in found if leaf.kind == "gave_to"]


def propose_only(episode: Episode) -> None:
    """Join, propose and vote, without winning anybody."""
    body = Body(episode)
    join(body)
    pass_law(body, city_land(episode))


CANARIES = {"propose-only": propose_only}
