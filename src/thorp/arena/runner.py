"""The match runner: from scenario, agents and seed to a log that is the same to the byte every time.

Order of draws from the master stream: twelve for the match id unless one is given, one per seat (its
`init` is called before the next seat's draw), one for the scenario. Nothing else uses that stream.

    turn 0    MatchStarted, then one AgentError for each seat whose init failed; it is left out from here on
    turn n    TurnStarted; per seat, while the state is not terminal: ObservationEmitted, then AgentError or
              ActionSubmitted and ActionAdjudicated; StateUpdated
    the end   MatchEnded: completed if the state is terminal, maxTurnsReached if not, error if the scenario failed

The runner never fails because of an agent. Whatever an agent raises, or returns that is no JSON value, is
an AgentError and its turn is over. Whatever a scenario raises ends the match with reason `error`; the
text of it is in the result, not in the log, for it may hold what agents must not see.

Each event is written to text the moment it happens and never touched again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from thorp.kernel.canonical import freeze, insertion_text
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import digest
from thorp.kernel.rng import Mulberry32

MESSAGE_LIMIT = 1 << 16
"""The longest AgentError message, in characters; the rest is cut."""

_ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LENGTH = 12
# An agent that calls sys.exit() has failed like any other; Ctrl-C is not the agent's.
_FAILURES = (Exception, SystemExit)


def run_match(scenario: Scenario, agents: Sequence[Agent], config: MatchConfig) -> MatchResult:
    """Play one match to its end and return its result with the complete log."""
    lines: list[str] = []
    match = Match(scenario, agents, config, lines.append)
    match.play()
    return MatchResult(
        match_id=match.match_id,
        seed=config.seed,
        scores=match.scores,
        turns=match.turn,
        reason=match.reason,
        jsonl="".join(lines).encode("utf-8"),
        error=match.error,
        contents=match.contents,
    )


def new_match_id(master: Mulberry32) -> str:
    """A match id from twelve draws of the master stream."""
    return "m_" + "".join([_ID_ALPHABET[master.uint32() * 36 >> 32] for _ in range(_ID_LENGTH)])


class _WriteFailed(BaseException):
    """The log could not be written: neither the agent's failure nor the scenario's."""

    def __init__(self, cause: Exception) -> None:
        self.cause = cause


class _Seat:
    """One place at the table, with the parts of its log lines that never change."""

    __slots__ = ("acted", "agent", "failed", "id", "judged", "observed", "rng")

    def __init__(self, agent: Agent, rng: Mulberry32) -> None:
        self.agent = agent
        self.id = agent.id
        if not isinstance(self.id, str):
            raise InvalidError(f"an agent's id must be a string, not {self.id!r}", code="agent_id")
        self.rng = rng
        name = insertion_text(self.id)
        self.observed = f'{{"type":"ObservationEmitted","agentId":{name},"turn":'
        self.acted = f'{{"type":"ActionSubmitted","agentId":{name},"turn":'
        self.judged = f'{{"type":"ActionAdjudicated","agentId":{name},"turn":'
        self.failed = f'{{"type":"AgentError","agentId":{name},"turn":'


class Match:
    """One match in progress. `write` gets each line of the log, in order, with its line feed."""

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        config: MatchConfig,
        write: Callable[[str], object],
    ) -> None:
        self.turn = 0
        self.scores: dict[str, float] = {}
        self.reason: Reason = "completed"
        self.error: str | None = None
        self.contents: dict[str, str] = {}
        self._scenario = scenario
        self._config = config
        self._write = write
        self._logs_digests = getattr(scenario, "observation_log", "full") == "digest"
        self._end_turn: Callable[[State], State] | None = getattr(scenario, "end_turn", None)
        self._agents = tuple(agents)
        self._seats: list[_Seat] = []
        self._state: State = None
        self._master = Mulberry32(config.seed)
        self.match_id = config.match_id if config.match_id is not None else new_match_id(self._master)
        self._tail = f',"matchId":{insertion_text(self.match_id)}}}\n'
        self._seq = 0

    def play(self) -> None:
        """Play to the end. Raises only what `write` raises, and what makes a match impossible to set up."""
        ids, init_failures = self._take_seats()
        try:
            self._start(ids, init_failures)
            max_turns = self._config.max_turns
            while self.turn < max_turns and not self._scenario.is_terminal(self._state):
                self.turn += 1
                self._play_turn()
            self.reason = "completed" if self._scenario.is_terminal(self._state) else "maxTurnsReached"
            self._end(self._scenario.score(self._state))
        except _WriteFailed as stopped:
            raise stopped.cause from None
        except _FAILURES as failure:
            self._end_failed(failure)

    def _take_seats(self) -> tuple[list[str], list[tuple[_Seat, BaseException]]]:
        ids: list[str] = []
        init_failures: list[tuple[_Seat, BaseException]] = []
        streams: dict[str, Mulberry32] = {}
        for agent in self._agents:
            seed = self._master.child_seed()
            seat = _Seat(agent, Mulberry32(seed))
            ids.append(seat.id)
            streams[seat.id] = seat.rng
            try:
                agent.init(AgentConfig(seat.id, seed))
                self._seats.append(seat)
            except _FAILURES as failure:
                init_failures.append((seat, failure))
        for seat in self._seats:
            seat.rng = streams[seat.id]  # seats that share an id share the last one's stream
        return ids, init_failures

    def _start(self, ids: list[str], init_failures: list[tuple[_Seat, BaseException]]) -> None:
        seed, limit = insertion_text(self._config.seed), insertion_text(self._config.max_turns)
        self._emit(
            f'{{"type":"MatchStarted","seed":{seed},"agentIds":{insertion_text(ids)},'
            f'"scenarioName":{insertion_text(self._scenario.name)},"maxTurns":{limit}'
        )
        for seat, failure in init_failures:
            self._emit_failure(seat, failure)
        self._state = self._scenario.init(self._master.child_seed(), ids)

    def _play_turn(self) -> None:
        scenario, emit = self._scenario, self._emit
        emit(f'{{"type":"TurnStarted","turn":{self.turn}')
        for seat in self._seats:
            if scenario.is_terminal(self._state):
                break
            self._play_seat(seat)
        if self._end_turn is not None:
            self._state = self._end_turn(self._state)
        summary = insertion_text(scenario.summarize(self._state))
        emit(f'{{"type":"StateUpdated","turn":{self.turn},"summary":{summary}')

    def _play_seat(self, seat: _Seat) -> None:
        scenario, emit, turn = self._scenario, self._emit, self.turn
        text, view = freeze(scenario.observe(self._state, seat.id))
        if self._logs_digests:
            text = self._keep(text)
        emit(f'{seat.observed}{turn},"observation":{text}')
        try:
            text, action = freeze_action(seat.agent.act(view, AgentContext(seat.rng, turn, seat.id)))
        except _FAILURES as failure:
            self._emit_failure(seat, failure)
            return
        emit(f'{seat.acted}{turn},"action":{text}')
        verdict = scenario.adjudicate(self._state, seat.id, action)
        valid = "true" if verdict.valid else "false"
        emit(f'{seat.judged}{turn},"valid":{valid},"feedback":{insertion_text(verdict.feedback)}')
        self._state = verdict.state

    def _keep(self, text: str) -> str:
        content = text.encode("utf-8")
        name = digest(content)
        self.contents[name] = text
        return f'{{"sha256":"{name}","bytes":{len(content)}}}'

    def _end(self, scores: object) -> None:
        text, self.scores = freeze(scores)
        self._emit(f'{{"type":"MatchEnded","reason":"{self.reason}","scores":{text},"turns":{self.turn}')

    def _end_failed(self, failure: BaseException) -> None:
        self.error = f"{type(failure).__name__}: {failure_text(failure)}"
        self.reason = "error"
        try:
            self._end(self._scenario.score(self._state))
        except _WriteFailed as stopped:
            raise stopped.cause from None
        except _FAILURES:
            self._end({})

    def _emit_failure(self, seat: _Seat, failure: BaseException) -> None:
        self._emit(f'{seat.failed}{self.turn},"message":{insertion_text(failure_text(failure))}')

    def _emit(self, body: str) -> None:
        try:
            self._write(f'{body},"seq":{self._seq}{self._tail}')
        except Exception as cause:
            raise _WriteFailed(cause) from None
        self._seq += 1


def failure_text(failure: BaseException) -> str:
    """An exception's message as the log carries it: no class name, no stack, no more than the limit."""
    try:
        return str(failure)[:MESSAGE_LIMIT]
    except Exception:
        return type(failure).__name__
