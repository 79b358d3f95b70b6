"""The scenario `town-council`: agents govern one town together, and a turn is a day. See
`docs/scenarios.md`.

A seat's action becomes a proposal, the proposal a handoff, and the town judges the handoff by its
own rules, as it would a handoff from anywhere. An action is valid if it was executed. A silent seat
costs the town a day of that office. When all have acted the next day begins.
"""

from collections.abc import Sequence
from typing import Final

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import Seats, integer_parameter, take_seats
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.town import build_handoff, built_in_profile, propose
from thorp.town.cognition import Offer, Policy
from thorp.town.embedded.judgement import StoredTown, judge, stored_form
from thorp.town.embedded.new_day import begin_day, new_town
from thorp.town.embedded.projection import project_town
from thorp.town.embedded.town import FULL, decode
from thorp.town.handoff import checked_handoff
from thorp.town.proposal import ACTIONS

TOWN: Final = "council-town"
OFFICES: Final = {
    "mayor": "MAYOR_ACCEPT_MISSION",
    "captain": "PROJECT_ADVANCE",
    "warden": "SALVAGE_PLAN",
}
"""Each role, in seating order, and what only it may do."""
ANYONE: Final = "TOWNSFOLK_TALK"
DAYS_LIMIT: Final = 10_000


class _CouncilState:
    """The town, who governs it in which role, and how it fared each day."""

    __slots__ = ("draws", "results", "roles", "town", "welfare")

    def __init__(self, town: StoredTown, draws: KeyedDraws, roles: dict[str, str]) -> None:
        self.town = town
        self.draws = draws
        self.roles = roles
        self.results: dict[str, Json] = dict.fromkeys(roles)
        self.welfare: list[int] = []


class TownCouncil:
    """The scenario; `days` is how long the council governs."""

    name = "town-council"
    seats: Seats = (1, len(OFFICES))
    ranking = "score"
    briefing = (
        "You govern a town together with up to two others, each in an office of its own, one "
        "action a day. Keep hope high and threat, scarcity and dread low over all days. Answer "
        "with a type that your office allows and its one argument: "
        '{"type": "TOWNSFOLK_TALK", "args": {"talkType": "morale-boost"}}.'
    )

    def __init__(self, days: int = 30) -> None:
        self.days = integer_parameter("days", days, 1, DAYS_LIMIT)

    def init(self, seed: int, agent_ids: Sequence[str]) -> _CouncilState:
        ids = take_seats(self.name, agent_ids, self.seats)
        draws = KeyedDraws(seed)
        town, _ = new_town(TOWN, 0, draws)
        return _CouncilState(stored_form(town), draws, dict(zip(ids, OFFICES, strict=False)))

    def observe(self, state: _CouncilState, agent_id: str) -> Json:
        role = state.roles[agent_id]
        return {
            "role": role,
            "allowed": [OFFICES[role], ANYONE],
            "profile": built_in_profile(role, TOWN),
            "snapshot": project_town(decode(state.town.text)),
            "daysLeft": self.days - state.town.day,
            "lastResult": state.results[agent_id],
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"days": observation["daysLeft"]}

    def adjudicate(self, state: _CouncilState, agent_id: str, action: Json) -> Adjudication:
        role = state.roles[agent_id]
        try:
            handoff = self._handoff(state, role, action)
        except _Refused as refused:
            return self._answered(
                state, agent_id, False, {"status": "refused", "detail": str(refused)}
            )
        text, copy = checked_handoff(handoff)
        judgement = judge(copy, digest(text.encode("utf-8")), None, state.town)
        if judgement.town is not None:
            state.town = judgement.town
        result = judgement.result
        failures = [
            failure["detail"] for failure in result["evaluation"]["preconditions"]["failures"]
        ]
        feedback = {
            "status": result["status"],
            "reasonCode": result["reasonCode"],
            "failures": failures,
        }
        return self._answered(state, agent_id, result["executed"], feedback)

    def _answered(
        self, state: _CouncilState, agent_id: str, valid: bool, feedback: Json
    ) -> Adjudication:
        state.results[agent_id] = feedback
        return Adjudication(valid, feedback, state)

    def end_turn(self, state: _CouncilState) -> _CouncilState:
        town = decode(state.town.text)
        begin_day(town, state.draws)
        meters = town.meters
        gloom = meters.threat + meters.scarcity + meters.dread
        state.welfare.append(meters.hope + 3 * FULL - gloom)
        state.town = stored_form(town)
        return state

    def is_terminal(self, state: _CouncilState) -> bool:
        return state.town.day >= self.days

    def score(self, state: _CouncilState) -> dict[str, float]:
        # A day's welfare is 0 to 4000 per mille of four meters; the score is its mean in percent.
        welfare = sum(state.welfare) // (40 * len(state.welfare)) if state.welfare else 0
        return dict.fromkeys(state.roles, welfare)

    def summarize(self, state: _CouncilState) -> Json:
        town = decode(state.town.text)
        return {
            "day": town.day,
            "pressure": project_town(town)["pressure"],
            "population": town.population,
            "mission": None if town.mission is None else town.mission.title,
            "event": town.event,
            "results": state.results,
        }

    def _handoff(self, state: _CouncilState, role: str, action: Json) -> dict[str, Json]:
        """The handoff of a seat's action: a policy that offers nothing else proposes it, so it
        passes the same checks as any proposal."""
        chosen = _offer(role, action)
        snapshot = project_town(decode(state.town.text))
        policy = Policy("council", lambda _situation: [chosen])
        try:
            return build_handoff(propose(snapshot, built_in_profile(role, TOWN), policy=policy))
        except ContractError as refusal:
            raise _Refused(refusal.message) from None


class _Refused(Exception):
    """A malformed action; the text says what is expected."""


def _offer(role: str, action: Json) -> Offer:
    """The offer that an action of this role is."""
    allowed = (OFFICES[role], ANYONE)
    if not isinstance(action, dict) or set(action) != {"type", "args"}:
        raise _Refused('an action is {"type": …, "args": {…}}')
    if action["type"] not in allowed:
        raise _Refused(f"the {role} may propose {' or '.join(allowed)}")
    argument = ACTIONS[action["type"]].argument
    args = action["args"]
    if not isinstance(args, dict) or set(args) != {argument} or not isinstance(args[argument], str):
        raise _Refused(f'{action["type"]} takes {{"{argument}": "…"}}')
    return Offer(type=action["type"], target=args[argument], score=1.0)
