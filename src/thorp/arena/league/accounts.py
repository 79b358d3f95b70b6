"""What each seat of a batch did, how far that is proved, and whether it counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from thorp.arena import registry
from thorp.arena.contract import Level, Seat
from thorp.arena.external.spec import ModelSpec, parse_spec
from thorp.arena.league.identity import Identity, make_identity
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan
from thorp.kernel.canonical import Json

Status = Literal["self-reported", "recorded", "reproduced"]
LEAST_PARSE_RATE: Final = 0.8  # Of a model's replies that hold an action.
MOST_FALLBACK: Final = 0.2  # Of an agent's turns without an action that counts.
MOST_PROVIDER_ERRORS: Final = 0.1  # Of a model's calls without a reply.


class SeatAccount(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's part in a batch: who sat there, what is known of it, how its turns went, and what
    its calls cost. `gate` says why its results do not count, if they do not."""

    seat: str
    identity: Identity
    status: Status
    valid: int
    invalid: int
    errors: int
    calls: int
    failed_calls: int
    tokens_in: int
    tokens_out: int
    gate: str | None


class CallCounts:
    """What the recorded replies of models say about their calls, by seat."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.tokens_in: Counter[str] = Counter()
        self.tokens_out: Counter[str] = Counter()

    def add(self, recording: bytes) -> None:
        """Count the calls of a recording, which the match's verification has read already."""
        for line in recording.split(b"\n")[1:-1]:
            call: dict[str, Json] = msgspec.json.decode(line)
            seat = call["caller"]
            self.made[seat] += 1
            reply = call.get("reply")
            if reply is None:
                self.failed[seat] += 1
                continue
            self.tokens_in[seat] += reply["tokensIn"]
            self.tokens_out[seat] += reply["tokensOut"]


def seat_accounts(
    plan: Plan,
    code: Mapping[str, str | None],
    outcomes: Sequence[Outcome],
    calls: CallCounts,
    rerun: frozenset[str],
    *,
    level: Level | msgspec.UnsetType = msgspec.UNSET,
) -> tuple[SeatAccount, ...]:
    """The account of every entrant of a plan, over all its matches."""
    turns: dict[str, list[int]] = {entrant.id: [0, 0, 0] for entrant in plan.entrants}
    for outcome in outcomes:
        for place, id in enumerate(outcome.seats):
            counts = (outcome.valid[place], outcome.invalid[place], outcome.errors[place])
            turns[id] = [old + new for old, new in zip(turns[id], counts, strict=True)]
    accounts = []
    for entrant in plan.entrants:
        id = entrant.id
        valid, invalid, errors = turns[id]
        account = SeatAccount(
            seat=id,
            identity=make_identity(entrant.spec, code.get(id), plan.limits, level),
            status=_status(plan, entrant, rerun),
            valid=valid,
            invalid=invalid,
            errors=errors,
            calls=calls.made[id],
            failed_calls=calls.failed[id],
            tokens_in=calls.tokens_in[id],
            tokens_out=calls.tokens_out[id],
            gate=None,
        )
        accounts.append(msgspec.structs.replace(account, gate=_gate(account)))
    return tuple(accounts)


def _status(plan: Plan, entrant: Seat, rerun: frozenset[str]) -> Status:
    if not plan.logs:
        return "self-reported"
    if entrant.id in rerun or registry.is_built_in(plan.scenario, entrant.spec):
        return "reproduced"
    return "recorded" if isinstance(parse_spec(entrant.spec), ModelSpec) else "self-reported"


def _gate(account: SeatAccount) -> str | None:
    """Why a seat's results do not count: its harness failed too often to tell how the agent plays.
    Bots have no harness that could fail."""
    if account.identity.ran["kind"] == "bot":
        return None
    replies = account.calls - account.failed_calls
    unread = min(replies, max(0, account.errors - account.failed_calls))
    asked = account.valid + account.invalid + account.errors
    fallback = account.invalid + account.errors
    if account.calls and account.failed_calls > MOST_PROVIDER_ERRORS * account.calls:
        share = account.failed_calls / account.calls
        return f"provider errors {share:.0%} of calls, more than {MOST_PROVIDER_ERRORS:.0%}"
    if replies and replies - unread < LEAST_PARSE_RATE * replies:
        share = (replies - unread) / replies
        return f"{share:.0%} of replies held an action, less than {LEAST_PARSE_RATE:.0%}"
    if asked and fallback > MOST_FALLBACK * asked:
        return f"fallback in {fallback / asked:.0%} of turns, more than {MOST_FALLBACK:.0%}"
    return None
