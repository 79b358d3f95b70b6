"""Sells coal for planks: puts up a notice, answers every offer, and makes offers to those who come
near."""

from __future__ import annotations

import asyncio
import sys

from thorp.client import Agent, accept, connect, decline, offer, post, say

SELLS, TAKES = "COAL", "PLANK"
PRICE = 2
"""So many planks for a lump of coal."""
SPARE = 2
"""So much coal it keeps for itself."""


def is_good(agent: Agent, wanted: dict[str, int], given: dict[str, int]) -> bool:
    """Whether they want nothing but coal that we can spare, and give enough planks for it."""
    coal = wanted.get(SELLS, 0)
    return (
        set(wanted) == {SELLS}
        and coal <= agent.inventory.get(SELLS, 0) - SPARE
        and given.get(TAKES, 0) >= PRICE * coal
    )


async def answer_offers(agent: Agent) -> None:
    for trade, terms in list(agent.news.offers.items()):
        good = is_good(agent, wanted=dict(terms["request"]), given=dict(terms["offer"]))
        outcome = await agent.do(accept(trade) if good else decline(trade))
        print(f"{trade} from {terms['from']}: {'taken' if good else 'declined'}, {outcome}")


async def approach_strangers(agent: Agent, met: set[str]) -> None:
    """Offer everyone whom it sees for the first time a lump of coal."""
    for body in agent.entities:
        if body.type == "AGENT" and body.id not in met:
            met.add(body.id)
            outcome = await agent.do(offer(body.id, give={SELLS: 1}, take={TAKES: PRICE}))
            if not outcome:
                print(outcome)  # in words: what was wrong, and what to do about it
                return


async def main(url: str) -> None:
    async with connect(url, "merchant") as agent:
        met = {agent.id}
        print(f"{agent.id} has {agent.inventory}")
        notice = f"{SELLS} for {PRICE} {TAKES} each. Make me an offer: I am {agent.id}."
        print("posting:", await agent.do(post("market", f"{SELLS} for sale", notice)))
        await agent.do(say(notice, channel="MARKET"))
        async for _ in agent:
            await answer_offers(agent)
            await approach_strangers(agent, met)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/ws"))
