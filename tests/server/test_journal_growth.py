"""ACTs that are longer in the journal than on the wire cannot make the records of a tick too
long."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from tests.server.serving import Served, with_server
from thorp.protocol.frame import MAX_FRAME_BYTES

SENDERS = 16


def swollen(agent_id: str, tick: int) -> str:
    """An ACT as long as a frame may be, which is written nearly four times as long."""
    head = f'{{"type":"ACT","protocol_version":"0.9","agent_id":"{agent_id}","tick":{tick},"instants":[{{'
    law = '"id":"1","type":"PROPOSE_LAW","land_id":"x","template_id":"y","params":{"a":['
    numbers = (MAX_FRAME_BYTES - len(head) - len(law) - 16) // 5
    return f"{head}{law}{','.join(['1e15'] * numbers)}]}}}}]}}"


@with_server(tick_rate_hz=1)
async def test_acts_that_grow_in_the_journal_do_not_stop_the_world(served: Served) -> None:
    async with AsyncExitStack() as stack:
        senders = await asyncio.gather(
            *(stack.enter_async_context(served.agent("loud")) for _ in range(SENDERS))
        )
        await asyncio.gather(*(sender.obs() for sender in senders))
        tick = served.live.service.world.tick
        await asyncio.gather(*(sender.send(swollen(sender.id, tick)) for sender in senders))
        for sender in senders:
            assert not (await sender.event("ACTION_RESULT"))["ok"]
        assert served.live.loop.failure is None
