"""A suite of tests to inherit for a world that claims to be a `TownWorld`, and handoffs for it.

`docs/town-engine.md` shows how to inherit it. Each test is one promise; a broken one raises
BrokenPromise. Nothing here imports pytest. A subclass that does not make a promise (`durable`,
`threads`, `other_town_id`) does not get its test, so that nothing is skipped and nothing passes
without having been tried.

The handoffs are those that a world must be ready to judge: valid ones of any type, target and
preconditions, whether or not a governor would make them; and forged ones.
"""

import copy
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError
from thorp.town.embedded.council import Council
from thorp.town.handoff import build_handoff
from thorp.town.handoff_judge import TownWorld, UnknownTown
from thorp.town.proposal import ProposalOrigin, new_proposal, proposal_id
from thorp.town.result import ECHOED, validate_result
from thorp.town.snapshot import snapshot_hash, validate_snapshot

_ACCEPT = "MAYOR_ACCEPT_MISSION"
_NOBODY = "nobody-has-this-id"
_SITTINGS = 3
_ATTEMPTS = 4  # How often each thread tries.
_WAIT_S = 60  # Longer than any world takes for a handful of handoffs.


def proposal_for(
    snapshot: dict[str, Json],
    action_type: str,
    target: str,
    *,
    actor: str = "tester",
    preconditions: Sequence[Json] | None = None,
    **members: Json,
) -> dict[str, Json]:
    """A proposal about this state of a town; without `preconditions` it has those of its type."""
    origin = ProposalOrigin(snapshot_hash(snapshot), snapshot["day"], snapshot["townId"], actor)
    usual = new_proposal(
        origin,
        action_type,
        target,
        priority=0.5,
        reason="because",
        tags=[],
    )
    proposal = {**usual, **members}
    if preconditions is not None:
        proposal["preconditions"] = list(preconditions)
    proposal["proposalId"] = proposal_id(proposal)
    return proposal


def handoff_for(
    snapshot: dict[str, Json],
    action_type: str = "TOWNSFOLK_TALK",
    target: str = "casual",
    **members: Any,
) -> dict[str, Json]:
    """The handoff of such a proposal; `members` as for `proposal_for`."""
    return build_handoff(proposal_for(snapshot, action_type, target, **members))


def spelled_otherwise(handoff: dict[str, Json]) -> dict[str, Json]:
    """The same handoff, its keys in another order and its whole numbers as floats."""
    turned: dict[str, Json] = json.loads(
        json.dumps(handoff), object_pairs_hook=lambda pairs: dict(pairs[::-1]), parse_int=float
    )
    return turned


def forgeries(good: dict[str, Json]) -> dict[str, Json]:
    """Malformed and forged handoffs, by what is wrong with each."""
    proposal = good["proposal"]
    required = good["executionRequirements"]
    other_day = {**required, "expectedDecisionEpoch": good["decisionEpoch"] + 1}
    return {
        "no content": None,
        "a list for an object": [],
        "no members": {},
        "a member missing": {name: good[name] for name in good if name != "command"},
        "another command": {**good, "command": f"{good['command']} and more"},
        "another id": {**good, "handoffId": "handoff_" + "0" * 64},
        "another key": {**good, "idempotencyKey": "proposal_" + "0" * 64},
        "no advice": {**good, "advisory": False},
        "another priority": {**good, "proposal": {**proposal, "priority": 0.75}},
        "another target": {
            **good,
            "proposal": {**proposal, "args": dict.fromkeys(proposal["args"], "x")},
        },
        "guards taken away": {**good, "executionRequirements": {**required, "preconditions": []}},
        "another expected day": {**good, "executionRequirements": other_day},
        "a number that JSON does not have": {**good, "note": float("nan")},
    }


class BrokenPromise(AssertionError):
    """A world breaks a promise of the contract; the text says how."""


def require(holds: bool, message: str) -> None:
    """Raise BrokenPromise unless the promise holds."""
    if not holds:
        raise BrokenPromise(message)


def executed(world: TownWorld, handoff: dict[str, Json]) -> dict[str, Json]:
    """The result of a handoff that has to be executed."""
    return answered(world, handoff, "executed", "EXECUTED")


def answered(
    world: TownWorld, handoff: dict[str, Json], status: str, *codes: str
) -> dict[str, Json]:
    """The result of a handoff. It must be valid, be about this handoff, and have this status and
    one of the reason codes."""
    result = world.execute(handoff)
    try:
        validate_result(result)
    except ContractError as refusal:
        raise BrokenPromise(f"the result is not an execution-result.v1: {refusal}") from refusal
    for name in ECHOED:
        require(result[name] == handoff[name], f"the result's {name} is not the handoff's")
    verdict = f"{result['status']} {result['reasonCode']}"
    require(result["status"] == status, f"expected {status}, got {verdict}")
    require(
        not codes or result["reasonCode"] in codes, f"expected {' or '.join(codes)}, got {verdict}"
    )
    return result


@contextmanager
def unchanged(world: TownWorld, town_id: str) -> Iterator[None]:
    """Require that the block does not change the town."""
    before = world.snapshot(town_id)
    yield
    require(world.snapshot(town_id) == before, "the town has changed, and nothing was executed")


class TownWorldSuite:
    """Inherit, and give `open_world`: a world with a town that has an open side quest and no
    mission."""

    town_id: str = "town-1"
    other_town_id: str | None = None
    """Another town of the same world, if it can have more than one."""
    durable: bool = True  # Opened again within a test, the world is as it was left.
    threads: int = 4  # How many may use the world at once; 1 if only one may.

    def __init_subclass__(cls) -> None:
        offered = {
            "test_what_was_answered_is_there_when_it_is_opened_again": cls.durable,
            "test_threads_that_race_for_one_handoff": cls.threads > 1,
            "test_threads_that_race_for_one_state": cls.threads > 1,
            "test_stale_is_a_matter_of_one_town": cls.other_town_id is not None,
        }
        for name, wanted in offered.items():
            # pytest does not collect an attribute that is not callable
            setattr(cls, name, getattr(TownWorldSuite, name) if wanted else None)

    def open_world(self) -> AbstractContextManager[TownWorld]:
        """The world: new in each test, and in one test the same each time."""
        raise NotImplementedError("a TownWorldSuite needs open_world()")

    @contextmanager
    def _first_look(self) -> Iterator[tuple[TownWorld, dict[str, Json]]]:
        """A new world, and the first snapshot of its town."""
        with self.open_world() as world:
            yield world, world.snapshot(self.town_id)

    # Looking.

    def test_a_snapshot_is_valid_and_of_its_town(self) -> None:
        with self.open_world() as world:
            require(
                isinstance(world, TownWorld), "a TownWorld has the methods snapshot and execute"
            )
            seen = world.snapshot(self.town_id)
            try:
                validate_snapshot(seen)
            except ContractError as refusal:
                raise BrokenPromise(f"this is not a snapshot.v1: {refusal}") from refusal
            require(
                seen["townId"] == self.town_id,
                f"asked for {self.town_id!r}, got {seen['townId']!r}",
            )
            self._quest(seen)

    def test_looking_changes_nothing(self) -> None:
        with self._first_look() as (world, seen):
            kept = copy.deepcopy(seen)
            seen["sideQuests"].clear()
            seen["pressure"]["hope"] = 0
            again = world.snapshot(self.town_id)
            require(again == kept, "two snapshots without a change between them differ")

    def test_an_unknown_town(self) -> None:
        with self._first_look() as (world, seen):
            try:
                world.snapshot(_NOBODY)
            except UnknownTown:
                pass
            else:
                raise BrokenPromise("a snapshot of a town that is not there was given")
            with unchanged(world, self.town_id):
                handoff = handoff_for({**seen, "townId": _NOBODY})
                answered(world, handoff, "rejected", "UNKNOWN_TOWN")

    # Executing, once.

    def test_an_executed_handoff_says_what_follows(self) -> None:
        with self._first_look() as (world, seen):
            result = executed(world, self._acceptance(seen))
            after = world.snapshot(self.town_id)
            require("worldState" in result, "an executed result has a worldState")
            state = result["worldState"]
            checked = result["evaluation"]["staleCheck"]
            reported = (state["postExecutionSnapshotHash"], state["postExecutionDecisionEpoch"])
            expected = (snapshot_hash(after), after["day"])
            require(reported == expected, "worldState is not the town's state afterwards")
            reported = (checked["actualSnapshotHash"], checked["actualDecisionEpoch"])
            expected = (snapshot_hash(seen), seen["day"])
            require(reported == expected, "staleCheck does not name the state that was looked at")

    def test_an_accepted_quest_becomes_the_mission(self) -> None:
        with self._first_look() as (world, seen):
            quest = self._quest(seen)
            executed(world, self._acceptance(seen))
            after = world.snapshot(self.town_id)
            mission = after["mission"]
            require(
                mission is not None and mission["id"] == quest,
                f"{quest!r} did not become the mission",
            )
            left = [each["id"] for each in after["sideQuests"]]
            require(quest not in left, f"{quest!r} is the mission, and still a side quest")

    def test_the_same_handoff_again_is_a_duplicate(self) -> None:
        with self._first_look() as (world, seen):
            handoff = self._acceptance(seen)
            first = executed(world, handoff)
            with unchanged(world, self.town_id):
                for same in (handoff, spelled_otherwise(handoff)):
                    again = answered(world, same, "duplicate", "DUPLICATE_HANDOFF")
                    prior = again["evaluation"]["duplicateCheck"]["duplicateOf"]
                    require(
                        prior == first["resultId"], "a duplicate does not name the first result"
                    )

    def test_a_used_key_with_other_content_is_a_conflict(self) -> None:
        with self._first_look() as (world, seen):
            handoff = self._acceptance(seen)
            executed(world, handoff)
            with unchanged(world, self.town_id):
                answered(world, {**handoff, "note": "other"}, "rejected", "KEY_CONFLICT")

    def test_handoffs_and_results_are_their_owner_s(self) -> None:
        with self._first_look() as (world, seen):
            handoff = self._acceptance(seen)
            kept = copy.deepcopy(handoff)
            result = executed(world, handoff)
            require(handoff == kept, "the world has changed the handoff that it was given")
            result_id = result["resultId"]
            handoff["proposal"]["args"].clear()
            result["resultId"] = ""
            again = answered(world, kept, "duplicate")
            prior = again["evaluation"]["duplicateCheck"]["duplicateOf"]
            require(
                prior == result_id,
                "what was done to a result or a handoff afterwards reached the world",
            )

    # Not executing.

    def test_a_handoff_for_a_past_state_is_stale(self) -> None:
        with self._first_look() as (world, seen):
            late = handoff_for(seen)
            executed(world, self._acceptance(seen))
            with unchanged(world, self.town_id):
                answered(world, late, "stale", "STALE_SNAPSHOT_HASH")
                answered(world, late, "stale", "STALE_SNAPSHOT_HASH")

    def test_a_handoff_for_another_day_is_stale(self) -> None:
        with self._first_look() as (world, seen), unchanged(world, self.town_id):
            answered(
                world,
                handoff_for({**seen, "day": seen["day"] + 1}),
                "stale",
                "STALE_DECISION_EPOCH",
            )

    def test_unmet_preconditions_reject(self) -> None:
        unmet: list[Json] = [
            {"kind": "side_quest_exists", "targetId": _NOBODY},
            {"kind": "project_exists", "targetId": _NOBODY},
            {"kind": "salvage_focus_supported", "expected": "gold"},
            {"kind": "talk_type_supported", "expected": "song"},
            {"kind": "a_kind_that_nobody_knows"},
        ]
        with self._first_look() as (world, seen):
            with unchanged(world, self.town_id):
                for guard in unmet:
                    handoff = handoff_for(seen, preconditions=[{"kind": "mission_absent"}, guard])
                    result = answered(world, handoff, "rejected", "PRECONDITION_FAILED")
                    failed = [
                        each["kind"] for each in result["evaluation"]["preconditions"]["failures"]
                    ]
                    require(
                        failed == [guard["kind"]],
                        f"{guard['kind']} is not met, but the result names {failed}",
                    )
            executed(world, self._acceptance(seen))
            mission_on = handoff_for(
                world.snapshot(self.town_id), preconditions=[{"kind": "mission_absent"}]
            )
            answered(world, mission_on, "rejected", "PRECONDITION_FAILED")

    def test_what_was_not_accepted_is_judged_afresh(self) -> None:
        with self._first_look() as (world, seen):
            handoff = handoff_for(seen, preconditions=[{"kind": "a_kind_that_nobody_knows"}])
            first = answered(world, handoff, "rejected", "PRECONDITION_FAILED")
            require(
                answered(world, handoff, "rejected") == first,
                "the same handoff was judged differently the second time",
            )
            executed(world, self._acceptance(seen))
            answered(world, handoff, "stale", "STALE_SNAPSHOT_HASH")

    def test_the_world_s_own_rules_hold_without_preconditions(self) -> None:
        with self._first_look() as (world, seen):
            with unchanged(world, self.town_id):
                for action in (_ACCEPT, "PROJECT_ADVANCE"):
                    first = handoff_for(seen, action, _NOBODY, preconditions=[])
                    answered(world, first, "rejected", "RULE_REFUSED")
            executed(world, self._acceptance(seen))
            after = world.snapshot(self.town_id)
            with unchanged(world, self.town_id):
                target = self._quest(seen)
                second = handoff_for(after, _ACCEPT, target, preconditions=[], actor="another")
                answered(world, second, "rejected", "RULE_REFUSED")

    def test_malformed_and_forged_handoffs_are_refused(self) -> None:
        with self.open_world() as world:
            good = self._acceptance(world.snapshot(self.town_id))
            with unchanged(world, self.town_id):
                for defect, bad in forgeries(good).items():
                    try:
                        world.execute(bad)
                    except ContractError:
                        continue
                    raise BrokenPromise(f"a handoff was taken with {defect}")
            executed(world, good)

    # Over time, and at once.

    def test_governors_can_govern(self) -> None:
        with self.open_world() as world:
            council = Council(self.town_id)
            statuses = [
                result["status"] for _ in range(_SITTINGS) for _, result in council.sit(world)
            ]
            require(
                "executed" in statuses,
                f"nothing that the governors decided was executed: {statuses}",
            )
            others = set(statuses) - {"executed", "rejected"}
            require(not others, f"each governor saw the town as it was, and yet: {statuses}")

    def test_stale_is_a_matter_of_one_town(self) -> None:
        assert self.other_town_id is not None
        with self._first_look() as (world, seen):
            handoff = self._acceptance(seen)
            executed(world, handoff_for(world.snapshot(self.other_town_id)))
            executed(world, handoff)

    def test_what_was_answered_is_there_when_it_is_opened_again(self) -> None:
        with self._first_look() as (world, seen):
            handoff = self._acceptance(seen)
            first = executed(world, handoff)
            seen = world.snapshot(self.town_id)
        with self.open_world() as world:
            require(world.snapshot(self.town_id) == seen, "the town is not as it was left")
            again = answered(world, handoff, "duplicate", "DUPLICATE_HANDOFF")
            prior = again["evaluation"]["duplicateCheck"]["duplicateOf"]
            require(prior == first["resultId"], "a duplicate does not name the first result")

    def test_threads_that_race_for_one_handoff(self) -> None:
        with self._first_look() as (world, seen):
            handoff = self._acceptance(seen)
            results = self._race(world, [handoff] * self.threads)
            statuses = sorted(result["status"] for result in results)
            expected = ["duplicate"] * (len(results) - 1) + ["executed"]
            require(statuses == expected, f"one handoff, sent many times at once, was {statuses}")

    def test_threads_that_race_for_one_state(self) -> None:
        with self._first_look() as (world, seen):
            handoffs = [self._acceptance(seen, actor=f"racer-{n}") for n in range(self.threads)]
            results = self._race(world, handoffs)
            keys = {
                result["idempotencyKey"] for result in results if result["status"] == "executed"
            }
            require(len(keys) == 1, f"{len(keys)} handoffs were executed on one state")
            others = {
                result["status"] for result in results if result["idempotencyKey"] not in keys
            }
            require(others == {"stale"}, f"one handoff won, and the others were {sorted(others)}")

    def _race(self, world: TownWorld, handoffs: list[dict[str, Json]]) -> list[dict[str, Json]]:
        """Every handoff from a thread of its own, several times, all at once."""
        results: list[dict[str, Json]] = []
        problems: list[BaseException] = []
        start = threading.Barrier(len(handoffs), timeout=_WAIT_S)

        def send(handoff: dict[str, Json]) -> None:
            try:
                start.wait()
                for _ in range(_ATTEMPTS):
                    results.append(world.execute(copy.deepcopy(handoff)))
            except BaseException as problem:
                problems.append(problem)

        threads = [
            threading.Thread(target=send, args=[handoff], daemon=True) for handoff in handoffs
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_WAIT_S)
        require(not problems, f"a thread failed: {problems[:1]}")
        require(len(results) == len(handoffs) * _ATTEMPTS, "a thread got no answer")
        return results

    def _quest(self, seen: dict[str, Json]) -> str:
        is_open = bool(seen["sideQuests"]) and seen["mission"] is None
        require(
            is_open, f"open_world() must give {self.town_id!r} an open side quest and no mission"
        )
        quest: str = seen["sideQuests"][0]["id"]
        return quest

    def _acceptance(self, seen: dict[str, Json], actor: str = "tester") -> dict[str, Json]:
        """A handoff that can be executed, and changes the town."""
        return handoff_for(seen, _ACCEPT, self._quest(seen), actor=actor)
