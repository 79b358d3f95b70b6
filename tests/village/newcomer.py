"""A newcomer that knows HELLO, MOVE_TO, TRANSFER and ACCEPT_CONTRACT, and believes what is
whispered to it.

It looks for a whisper whose `data` has a job: a contract, its terminal, and the goods. If it
carries the goods it walks there, accepts, and hands them in.
"""

from __future__ import annotations

from typing import Any

NEAR = 2
AGAIN_TICKS = 25


class Newcomer:
    def __init__(self) -> None:
        self.job: dict[str, Any] = {}
        self.began: dict[str, int] | None = None
        self.earned = False
        self._stage = 0
        self._asked_tick = -AGAIN_TICKS
        self.heard: list[str] = []

    def act(self, obs: dict[str, Any]) -> dict[str, Any] | None:
        """The ACT that answers an observation, if any."""
        carried = {stack["item"]: stack["count"] for stack in obs["inventory"]}
        self.began = self.began or carried
        self.earned = any(count > self.began.get(item, 0) for item, count in carried.items())
        for event in obs["events"]:
            self._hear(event, carried)
        if (
            not self.job
            or self.earned
            or (obs["tick"] < self._asked_tick + AGAIN_TICKS and self._stage)
        ):
            return None
        return self._work(obs)

    def _hear(self, event: dict[str, Any], carried: dict[str, int]) -> None:
        if event["type"] == "CHAT" and event.get("channel") == "WHISPER":
            self.heard.append(str(event["text"]))
            job = event.get("data", {}).get("job")
            if job and all(carried.get(item, 0) >= count for item, count in job["give"]):
                where = [int(number) for number in job["terminal"].partition("@")[2].split(",")]
                self.job = {**job, "where": where}
        if event["type"] == "ACTION_RESULT" and event["ok"] and event["ref"] == "accept":
            self._stage = 1
        if event["type"] in ("TASK_DONE", "TASK_FAIL"):
            self._asked_tick = -AGAIN_TICKS

    def _work(self, obs: dict[str, Any]) -> dict[str, Any]:
        (x, _, z), (to_x, _, to_z) = obs["self"]["pos"], self.job["where"]
        self._asked_tick = obs["tick"]
        if abs(x - to_x) + abs(z - to_z) > NEAR:
            walk = {"id": "walk", "type": "MOVE_TO", "target": self.job["where"], "tolerance": 1.5}
            return {"tasks": [] if obs["tasks"] else [walk]}
        terminal = self.job["terminal"]
        if self._stage == 0:
            accept = {
                "type": "ACCEPT_CONTRACT",
                "terminal_id": terminal,
                "contract_id": self.job["contract"],
            }
            return {"instants": [{"id": "accept", **accept}]}
        item, count = self.job["give"][0]
        bring = {
            "src_container": "SELF",
            "dst_container": terminal,
            "item_id": item,
            "count": count,
        }
        return {"tasks": [{"id": "bring", "type": "TRANSFER", **bring}]}
