"""Towns that a server keeps, with the methods of `EmbeddedTown`, so that a command does not care."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Final

import msgspec

from thorp.client.http import HttpClient, town_path
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, IllegalError, ThorpError
from thorp.town.audit import Verified
from thorp.town.embedded.town import Town
from thorp.town.handoff_reader import checked_handoff
from thorp.town.orders import Answer, CreateTown, Order
from thorp.town.tables import Entry, World
from thorp.town.world import UnknownTown

TOWNS: Final = "/admin/v1/towns"
# A journal of a million records.
VERIFY_SECONDS: Final = 3600.0


class ServedTowns:
    """The world of towns behind a line, which is closed with it."""

    def __init__(self, line: HttpClient, *, seed: int | None = None, create: bool = False) -> None:
        """Without `create` a missing world is refused; a world that is there must have the seed, if one is
        given."""
        self._line = line
        self._seed = seed
        try:
            listed = line.get(TOWNS)
            world = listed["world"]
            if world is None and not listed["towns"] and not create:
                advice = "`god town create NAME` starts one"
                raise IllegalError(f"{line.name} has no town world; {advice}", code="no_world")
            if world is not None and seed is not None and seed != int(world["seed"]):
                raise ConflictError(
                    f"this world has seed {world['seed']}, not {seed}; leave it out, or start another world",
                    code="seed",
                )
        except BaseException:
            line.close()
            raise

    def __enter__(self) -> ServedTowns:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()

    # What governors use.

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The snapshot of a town; a city of the voxel world may be called by its name."""
        try:
            seen: dict[str, Json] = self._line.get(town_path(town_id, "snapshot", "/v1/towns"))
        except IllegalError as problem:
            named = self._named(town_id) if problem.code == UnknownTown.code else None
            if named is None:
                raise
            seen = self._line.get(town_path(named, "snapshot", "/v1/towns"))
        return seen

    def _named(self, name: str) -> str | None:
        """The id of the one town with a name, which ids go before."""
        ids = [str(town["townId"]) for town in self.summaries() if town.get("name") == name]
        if len(ids) > 1:
            told = f"{len(ids)} towns are called {name}: {', '.join(ids)}; give an id"
            raise IllegalError(told, code="ambiguous")
        return ids[0] if ids else None

    def execute(self, handoff: object) -> dict[str, Json]:
        text, _ = checked_handoff(handoff)
        result: dict[str, Json] = self._line.post("/v1/handoffs", text.encode())
        return result

    def submit(self, handoff: object) -> Future[dict[str, Json]]:
        """The same as a future, which is done already: so the order of handoffs is that of the calls."""
        done: Future[dict[str, Json]] = Future()
        try:
            done.set_result(self.execute(handoff))
        except ThorpError as problem:
            done.set_exception(problem)
        return done

    # What a keeper looks at.

    def world(self) -> World:
        about = self._about()
        return World(int(about["seed"]), about["day"], about["retain_days"], about["rules"])

    def tip(self) -> tuple[int, str]:
        about = self._about()
        return about["records"], about["tip"]

    def summaries(self) -> list[dict[str, Json]]:
        listed: list[dict[str, Json]] = self._line.get(TOWNS)["towns"]
        return listed

    def town(self, town_id: str) -> Town:
        return msgspec.convert(self._line.get(town_path(town_id, "state")), Town)

    def chronicle(
        self, town_id: str | None = None, *, limit: int = 50, kind: str | None = None
    ) -> list[Entry]:
        asked = {"town": town_id, "limit": str(limit), "kind": kind}
        entries = self._line.get(f"{TOWNS}/chronicle", asked)
        return msgspec.convert(entries, list[Entry])

    def proposals(self, town_id: str) -> list[dict[str, Json]]:
        found: list[dict[str, Json]] = self._line.get(town_path(town_id, "proposals"))
        return found

    def verify(self, tip: str | None = None) -> Verified:
        found = self._line.get(f"{TOWNS}/verify", {"tip": tip}, seconds=VERIFY_SECONDS)
        return msgspec.convert(found, Verified)

    def execute_order(self, order: Order[Answer]) -> Answer:
        """Let the server carry out an order of the keeper."""
        # Integers of any length, which msgspec's encoder does not write.
        body = json.dumps(msgspec.to_builtins(order)).encode()
        founding = isinstance(order, CreateTown) and self._seed is not None
        seed = str(self._seed) if founding else None
        done: Answer = msgspec.convert(self._line.post(f"{TOWNS}/orders", body, {"seed": seed}), order.answer)
        return done

    def _about(self) -> dict[str, Json]:
        about: dict[str, Json] | None = self._line.get(TOWNS)["world"]
        if about is None:
            advice = "`god town create NAME` starts one"
            raise IllegalError(f"{self._line.name} has no town world; {advice}", code="no_world")
        return about
