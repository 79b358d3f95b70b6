import asyncio
from typing import Any

from thorp.client import Agent, connect, craft, join, mine, move_to, recall, remember, say

SERVER = "127.0.0.1:8080"


async def hear(agent: Agent, news: str) -> Any:
    """Wait until somebody speaks of it: the words are for people, the data for programs."""
    event = await agent.wait_for("CHAT", within=900, data=lambda data: news in data)
    if event is None:
        raise SystemExit(f"Nobody has told me of any {news}.")
    print(event["text"])
    return event["data"][news]


async def main() -> None:
    async with connect(SERVER, "Sawyer") as agent:
        print(f"I am {agent.name}, {agent.id}, and wake at {agent.position}.")
        if await agent.do(recall("hut")) and agent.obs.memory:
            print("My hut is", agent.obs.memory[0].value)
            return
        await agent.do(say(f"Good morning! I am {agent.name}.", channel="MARKET"))
        while not await agent.fulfil((await hear(agent, "job"))["contract"]):
            print("Somebody was faster.")
        print("That is done. I have", agent.inventory)
        invitation = await hear(agent, "invitation")
        print("Becoming a citizen:", await agent.do(join(invitation["org"])))
        await hear(agent, "plot")
        while agent.lacks("hut_small") and (tree := await agent.seek("LOG")):
            await agent.do(move_to(tree))
            await agent.do(mine(tree))
            await agent.do(craft("plank_from_log"))
        site = await agent.site_for("hut_small")
        print("Building my hut:", await agent.build("hut_small", at=site))
        where = "http://{}/?see=@{},{},{}".format(SERVER, *(site or agent.position))
        await agent.do(remember("hut", where))
        print("Look at it:", where)


asyncio.run(main())
