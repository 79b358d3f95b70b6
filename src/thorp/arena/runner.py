"""The match runner: plays agents in a scenario; the same seed gives the same log to the byte.

Order of draws from the master stream: twelve for the match id unless one is given, one per seat (its `init`
is called before the next seat's draw), one for the scenario. Nothing else uses that stream.

    turn 0    MatchStarted; MatchSealed if there is a secret; then one AgentError for each seat that failed
              in init; such a seat takes no further part
    turn n    TurnStarted; per seat, while the state is not terminal: ObservationEmitted, then AgentError or
              ActionSubmitted and ActionAdjudicated; StateUpdated
    the end   MatchRevealed if there is a secret; MatchEnded: completed if the state is terminal,
              maxTurnsReached if not, error if the scenario failed

An agent cannot make the runner fail: whatever it raises, or returns that is not a JSON value, is an
AgentError and ends its turn. Whatever a scenario raises ends the match with reason `error`; the message goes
into the result, not into the log, because it may hold what agents must not see.

Each event is written as text when it happens and never changed afterwards.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count
from typing import Any, cast

from thorp.arena.action import freeze_action
from thorp.arena.contract import (
    Agent,
    AgentConfig,
    AgentContext,
    MatchConfig,
    MatchResult,
    Reason,
    Scenario,
    State,
)
from thorp.arena.sealed import SealedDraws, check_secret, commit
from thorp.kernel.canonical import freeze, insertion_bytes, plain_bytes
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import digest
from thorp.kernel.rng import Mulberry32

MESSAGE_LIMIT = 1 << 16
"""The longest AgentError message, in characters; the rest is cut."""

_ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH = 12

_VALID, _INVALID = b',"valid":true,"feedback":', b',"valid":false,"feedback":'
_SEQ = b',"seq":%d'
_FIRST_SEQS = tuple(_SEQ % number for number in range(1024))


def run_match(
    scenario: Scenario,
    agents: Sequence[Agent],
    config: MatchConfig,
    watch: Callable[[bytes], object] | None = None,
) -> MatchResult:
    """Play one match to its end and return its result with the complete log. `watch` gets each line."""
    log: list[bytes] = []

    def write(pieces: Iterable[bytes]) -> None:
        log.append(b"".join(pieces))
        if watch is not None:
            watch(log[-1])

    match = Match(scenario, agents, config, log.extend if watch is None else write)
    match.play()
    return MatchResult(
        match_id=match.match_id,
        seed=config.seed,
        scores=match.scores,
        turns=match.turn,
        reason=match.reason,
        jsonl=b"".join(log),
        error=match.error,
        contents=match.contents,
    )


def new_match_id(master: Mulberry32) -> str:
    """A match id from twelve draws of the master stream."""
    draw, size = master.uint32, len(_ID_ALPHABET)
    return "m_" + "".join([_ID_ALPHABET[draw() * size >> 32] for _ in range(_ID_LENGTH)])


class MatchStopped(BaseException):
    """Raised by `write` to end a match. It counts as nobody's failure, so the runner lets it through."""


_PASS_THROUGH = (KeyboardInterrupt, MatchStopped)
"""Exceptions the runner lets through. Any other, SystemExit included, is the agent's or scenario's
failure."""


class _Seat:
    """One seat: its agent, its random stream, and the constant first part of its log lines."""

    __slots__ = ("acted", "agent", "id", "judged", "line_start", "observed", "rng")

    def __init__(self, agent: Agent, rng: Callable[[], float]) -> None:
        self.agent = agent
        self.id = agent.id
        if not isinstance(self.id, str):
            raise InvalidError(f"an agent's id must be a string, not {self.id!r}", code="agent_id")
        self.rng = rng
        self.line_start = b'","agentId":%b,"turn":' % insertion_bytes(self.id)
        self.observed = b'{"type":"ObservationEmitted' + self.line_start
        self.acted = b'{"type":"ActionSubmitted' + self.line_start
        self.judged = b'{"type":"ActionAdjudicated' + self.line_start


class Match:
    """One match in progress. `write` gets each line of the log as a tuple of pieces; it may raise
    MatchStopped."""

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        config: MatchConfig,
        write: Callable[[Iterable[bytes]], object],
        *,
        keeps_contents: bool = True,
    ) -> None:
        self.turn = 0
        self.scores: dict[str, float] = {}
        self.reason: Reason = "completed"
        self.error: str | None = None
        self.contents: dict[str, bytes] = {}
        self._scenario = scenario
        self._config = config
        self._write = write
        self._keeps_contents = keeps_contents
        self._logs_digests = getattr(scenario, "observation_log", "full") == "digest"
        self._is_plain: Callable[[State], bool] = getattr(scenario, "is_plain", lambda _state: False)
        self._plain = False
        self._end_turn: Callable[[State], State] | None = getattr(scenario, "end_turn", None)
        self._agents = tuple(agents)
        self._seats: list[_Seat] = []
        self._state: State = None
        if config.secret is not None:
            check_secret(scenario, scenario.name, config.secret)
        self._master = Mulberry32(config.seed)
        self.match_id = config.match_id if config.match_id is not None else new_match_id(self._master)
        self._tail = b',"matchId":%b}\n' % insertion_bytes(self.match_id)
        self._next_seq = chain(_FIRST_SEQS, map(_SEQ.__mod__, count(len(_FIRST_SEQS)))).__next__

    def play(self) -> None:
        """Play the match to its end. Call it once."""
        ids, init_failures = self._take_seats()
        try:
            self._start(ids, init_failures)
            max_turns = self._config.max_turns
            while self.turn < max_turns and not self._scenario.is_terminal(self._state):
                self.turn += 1
                self._play_turn(b"%d" % self.turn)
            self.reason = "completed" if self._scenario.is_terminal(self._state) else "maxTurnsReached"
            self._end(self._scenario.score(self._state))
        except _PASS_THROUGH:
            raise
        except BaseException as failure:
            self._end_failed(failure)

    def _take_seats(self) -> tuple[list[str], list[tuple[_Seat, BaseException]]]:
        self._commitment = self._commit() if self._config.secret is not None else None
        ids: list[str] = []
        init_failures: list[tuple[_Seat, BaseException]] = []
        streams: dict[str, Callable[[], float]] = {}
        for agent in self._agents:
            seed = self._master.child_seed()
            seat = _Seat(agent, Mulberry32(seed).random)
            ids.append(seat.id)
            streams[seat.id] = seat.rng
            try:
                agent.init(AgentConfig(seat.id, seed, self._commitment))
                self._seats.append(seat)
            except _PASS_THROUGH:
                raise
            except BaseException as failure:
                init_failures.append((seat, failure))
        for seat in self._seats:
            seat.rng = streams[seat.id]  # seats that share an id share the last one's stream
        return ids, init_failures

    def _start(self, ids: list[str], init_failures: list[tuple[_Seat, BaseException]]) -> None:
        config, name = self._config, self._scenario.name
        opening = {"seed": config.seed, "agentIds": ids, "scenarioName": name, "maxTurns": config.max_turns}
        self._emit(b'{"type":"MatchStarted",' + insertion_bytes(opening)[1:-1])
        if self._commitment is not None:
            self._emit(b'{"type":"MatchSealed","commitment":"%b"' % self._commitment.encode())
        for seat, failure in init_failures:
            self._emit_failure(seat, failure)
        seed = self._master.child_seed()
        if self._config.secret is None:
            self._take_over(self._scenario.init(seed, ids))
        else:
            draws = SealedDraws(self._config.secret, self.match_id)
            self._take_over(cast(Any, self._scenario).init_sealed(seed, ids, draws))

    def _commit(self) -> str:
        """Commit to the secret, and to everything else the match is made of."""
        config = self._config
        assert config.secret is not None
        task = {
            "agentIds": [agent.id for agent in self._agents],
            "matchId": self.match_id,
            "maxTurns": config.max_turns,
            "parameters": config.parameters,
            "scenario": self._scenario.name,
            "seed": config.seed,
        }
        return commit(config.secret, freeze(task)[1])

    def _play_turn(self, turn: bytes) -> None:
        scenario, write, tail = self._scenario, self._write, self._tail
        write((b'{"type":"TurnStarted","turn":', turn, self._next_seq(), tail))
        for seat in self._seats:
            if scenario.is_terminal(self._state):
                break
            self._play_seat(seat, turn)
        if self._end_turn is not None:
            self._take_over(self._end_turn(self._state))
        summary = self._text(scenario.summarize(self._state))
        write((b'{"type":"StateUpdated","turn":', turn, b',"summary":', summary, self._next_seq(), tail))

    def _play_seat(self, seat: _Seat, turn: bytes) -> None:
        scenario, state, agent_id = self._scenario, self._state, seat.id
        write, next_seq, tail = self._write, self._next_seq, self._tail
        view = scenario.observe(state, agent_id)
        if self._plain:
            text = plain_bytes(view)
        else:
            text, view = freeze(view)
        if self._logs_digests:
            text = self._store_content(text)
        write((seat.observed, turn, b',"observation":', text, next_seq(), tail))
        try:
            text, action = freeze_action(seat.agent.act(view, AgentContext(seat.rng, self.turn, agent_id)))
        except _PASS_THROUGH:
            raise
        except BaseException as failure:
            self._emit_failure(seat, failure)
            return
        write((seat.acted, turn, b',"action":', text, next_seq(), tail))
        verdict = scenario.adjudicate(state, agent_id, action)
        self._take_over(verdict.state)
        text = self._text(verdict.feedback)
        write((seat.judged, turn, _VALID if verdict.valid else _INVALID, text, next_seq(), tail))

    def _take_over(self, state: State) -> None:
        self._state = state
        self._plain = self._is_plain(state)

    def _text(self, value: object) -> bytes:
        return plain_bytes(value) if self._plain else freeze(value)[0]

    def _store_content(self, content: bytes) -> bytes:
        """Keep an observation under its digest, and return what the log shows instead."""
        name = digest(content)
        if self._keeps_contents:
            self.contents[name] = content
        return b'{"sha256":"%b","bytes":%d}' % (name.encode(), len(content))

    def _end(self, scores: object) -> None:
        text, self.scores = freeze(scores)
        if self._config.secret is not None:
            self._emit(b'{"type":"MatchRevealed","secret":"%b"' % self._config.secret.hex().encode())
        form = b'{"type":"MatchEnded","reason":"%b","scores":%b,"turns":%d'
        self._emit(form % (self.reason.encode(), text, self.turn))

    def _end_failed(self, failure: BaseException) -> None:
        self.error = f"{type(failure).__name__}: {failure_text(failure)}"
        self.reason = "error"
        try:
            self._end(self._scenario.score(self._state))
        except _PASS_THROUGH:
            raise
        except BaseException:
            self._end({})

    def _emit_failure(self, seat: _Seat, failure: BaseException) -> None:
        message = insertion_bytes(failure_text(failure))
        self._emit(b'{"type":"AgentError%b%d,"message":%b' % (seat.line_start, self.turn, message))

    def _emit(self, line: bytes) -> None:
        self._write((line, self._next_seq(), self._tail))


def failure_text(failure: BaseException) -> str:
    """Return an exception's message as it is logged: no class name, no stack, at most MESSAGE_LIMIT long."""
    try:
        return str(failure)[:MESSAGE_LIMIT]
    except _PASS_THROUGH:
        raise
    except BaseException:
        return type(failure).__name__
