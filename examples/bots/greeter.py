"""Listens, and answers everyone who says its name."""

from __future__ import annotations

import asyncio
import sys

from thorp.client import connect, say, whisper

NAME = "Wilma"


async def main(url: str) -> None:
    async with connect(url, NAME) as agent:
        print(f"{NAME} is {agent.id}, at {agent.position}")
        await agent.do(say(f"I am {NAME}. Call me by my name."))
        async for obs in agent:
            for event in obs.events:
                if (
                    event["type"] != "CHAT"
                    or event["from"] == agent.id
                    or NAME not in event["text"]
                ):
                    continue
                outcome = await agent.do(whisper(event["from"], "You called?"))
                if not outcome:
                    print(outcome)  # in words: what was wrong, and what to do about it


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ws://127.0.0.1:8080/v1/ws"))
