"""The match runner: plays agents in a scenario; the same seed gives the same log to the byte.

`docs/arena.md` has the order of draws from the master stream, and the events of the log.

    turn 0    MatchStarted; MatchSealed if there is a secret; then one AgentError for each seat that
              failed in init and takes no further part
    turn n    TurnStarted; per seat that is to act, while the state is not terminal:
              ObservationEmitted, then AgentError or ActionSubmitted and ActionAdjudicated;
              StateUpdated
    the end   MatchRevealed if there is a secret; MatchEnded

An agent cannot make the runner fail: if it raises anything, or returns something that is not a JSON
value, that is an AgentError and ends its turn. Anything that a scenario raises ends the match with
reason `error`; the message goes into the result, not into the log, because it may contain what
agents must not see. A KeyboardInterrupt, wherever it comes, ends the match with reason
`interrupted` and no scores.

In each turn an agent gets the verdict on its last action (`AgentContext.feedback`). The log has it
already, as ActionAdjudicated or AgentError, so it is not written again.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache, partial
from itertools import count
from typing import Any, cast

from thorp.arena.action import SURELY_SMALL, check_bounds, plain_action
from thorp.arena.contract import (
    Agent,
    AgentConfig,
    AgentContext,
    MatchConfig,
    MatchResult,
    Reason,
    Scenario,
)
from thorp.arena.sealed import SealedDraws, check_secret, commit
from thorp.kernel.canonical import Json, insertion_bytes, insertion_copy, plain_bytes
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.rng import Mulberry32

MESSAGE_LIMIT = 1 << 16  # The longest AgentError message, in characters; the rest is cut.

_ID_ALPHABET = b"abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LETTERS = _ID_ALPHABET.ljust(256)  # A table for `bytes.translate`, which has 256 entries.
# The longest id, in characters, whose log texts are remembered: ids must not fill memory.
_CACHED_ID = 100
_SEQ = b',"seq":%d'
# Most matches have fewer events, and need not write these numbers.
_FIRST_SEQS = tuple(_SEQ % number for number in range(1024))


def run_match(
    scenario: Scenario,
    agents: Sequence[Agent],
    config: MatchConfig,
    watch: Callable[[bytes], object] | None = None,
) -> MatchResult:
    """Play one match to its end and return its result with the complete log. `watch` is called with
    each line.

    Refuses, before anything is played, an agent without a usable id and a `max_turns` or `seed`
    that is not a number. Raises MatchInterrupted, which holds the result so far, if it is
    interrupted during play.
    """
    lines: list[bytes] = []
    write = None if watch is None else partial(_keep_and_show, lines, watch)
    match = Match(scenario, agents, config, write)
    interrupted = False
    try:
        match.play()
    except KeyboardInterrupt as interrupt:
        # A subclass is meant for the code that raises it, such as a pool of workers that stops.
        if match.reason != "interrupted" or type(interrupt) is not KeyboardInterrupt:
            raise
        interrupted = True
    result = MatchResult(
        match_id=match.match_id,
        seed=config.seed,
        scores=match.scores,
        turns=match.turn,
        reason=match.reason,
        jsonl=match.log_text() if watch is None else b"".join(lines),
        error=match.error,
        contents=match.contents,
    )
    if interrupted:
        raise MatchInterrupted(result)
    return result


def _keep_and_show(lines: list[bytes], watch: Callable[[bytes], object], line: bytes) -> None:
    lines.append(line)
    watch(line)


def new_match_id(master: Mulberry32) -> str:
    """A match id from twelve draws of the master stream, one for each letter.

    A draw of 32 bits chooses the letter floor(draw * 36 / 2**32). `dozen` returns the twelve draws
    64 bits apart in one integer, so one product computes all of them: draw * 36 fits into its 64
    bits, and the floor is the lowest byte of the upper half, byte 4 of each 8. `translate` makes
    letters of these bytes.
    """
    products = (master.dozen() * len(_ID_ALPHABET)).to_bytes(96, "little")
    indexes = products[4::8]
    return "m_" + indexes.translate(_ID_LETTERS).decode()


class MatchStopped(BaseException):
    """Raised by `write` to end a match. It is nobody's failure, so the runner lets it through."""


class MatchInterrupted(KeyboardInterrupt):
    """A match was interrupted during play. `result` holds its log so far, which ends with that
    reason."""

    def __init__(self, result: MatchResult) -> None:
        super().__init__(f"interrupted in turn {result.turns}; the log so far is in .result.jsonl")
        self.result = result


_PASS_THROUGH = (KeyboardInterrupt, MatchStopped)
"""Exceptions that the runner lets through. Any other, SystemExit included, is a failure of an agent
or of the scenario."""


class _SeatedAgent:
    """One seat: its agent, its random stream, and the constant beginnings of its log lines."""

    __slots__ = ("acted", "agent", "failed", "feedback", "id", "judged", "observed", "rng")

    def __init__(self, agent: Agent, agent_id: str, rng: Callable[[], float]) -> None:
        self.agent = agent
        self.id = agent_id
        self.rng = rng
        self.feedback: dict[str, Json] | None = None
        logged_id = str.__str__(agent_id)  # a subclass of str could have a length of its own
        starts = _line_starts if len(logged_id) <= _CACHED_ID else _line_starts.__wrapped__
        self.observed, self.acted, self.judged, self.failed = starts(logged_id)


def _read_ids(agents: Sequence[Agent]) -> list[str]:
    """Return the agents' ids. They are read once and before any `init`, so that nothing has been
    played when an agent is refused because its id cannot be read or is not a string. The refusal
    names its seat and class.
    """
    ids: list[str] = []
    for agent in agents:
        try:
            agent_id = agent.id
        except _PASS_THROUGH:
            raise
        except BaseException as failure:
            why = f"cannot be read: {type(failure).__name__}: {failure_text(failure)[:200]}"
            raise _refused_id(agent, len(ids), why) from failure
        if not isinstance(agent_id, str):
            raise _refused_id(agent, len(ids), f"is {agent_id!r:.80}")
        ids.append(agent_id)
    return ids


def _refused_id(agent: Agent, seat: int, why: str) -> InvalidError:
    advice = f"the id of this {type(agent).__name__} {why}; an agent's id is a string"
    return InvalidError(advice, code="agent_id", path=f"$.agents[{seat}].id")


def _check_numbers(config: MatchConfig) -> None:
    """Refuse what JavaScript would not call a number. NaN and the infinities are numbers."""
    for name in ("seed", "max_turns"):
        value = getattr(config, name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            advice = f"must be a number, such as 20, not {value!r:.80}"
            raise InvalidError(advice, code=name, path=f"$.{name}")


@lru_cache(maxsize=1024)
def _line_starts(agent_id: str) -> tuple[bytes, ...]:
    """How log lines about an agent begin, up to the number of the turn, by kind of event."""
    kinds = (b"ObservationEmitted", b"ActionSubmitted", b"ActionAdjudicated", b"AgentError")
    name = insertion_bytes(agent_id)
    return tuple(b'{"type":"%b","agentId":%b,"turn":' % (kind, name) for kind in kinds)


@lru_cache(maxsize=1024)
def _turn_pieces(number: int) -> tuple[bytes, ...]:
    """The number of a turn as log lines have it: alone, and with the key that follows it in each
    kind of line."""
    follows = (
        b"observation",
        b"action",
        b'valid":true,"feedback',
        b'valid":false,"feedback',
        b"summary",
    )
    return (b"%d" % number, *(b'%d,"%b":' % (number, name) for name in follows))


class Match:
    """One match in progress. It keeps its log, unless `write` is given: that is called with each
    line, and may raise MatchStopped.

    A log line is kept as three pieces, which `_log` takes as a tuple: a beginning that depends on
    the seat, a middle that depends on the turn, and a value. Most pieces are the same objects over
    and over, and `log_text` joins all of them once, at the end.
    """

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        config: MatchConfig,
        write: Callable[[bytes], object] | None = None,
        *,
        keeps_contents: bool = True,
    ) -> None:
        self.turn = 0
        self.scores: dict[str, float] = {}
        self.reason: Reason = "completed"
        self.error: str | None = None
        self._closed = False
        self.contents: dict[str, bytes] = {}
        self._scenario = scenario
        self._config = config
        self._pieces: list[bytes] = []
        self._log = (
            self._pieces.extend if write is None else partial(self._write_line, write, count())
        )
        self._keeps_contents = keeps_contents
        self._logs_digests = getattr(scenario, "observation_log", "full") == "digest"
        self._is_plain: Callable[[Any], bool] = getattr(scenario, "is_plain", lambda _state: False)
        self._end_turn: Callable[[Any], Any] | None = getattr(scenario, "end_turn", None)
        self._to_act: Callable[[Any], Container[str]] | None = getattr(scenario, "to_act", None)
        if type(config.seed) is not int or type(config.max_turns) is not int:
            _check_numbers(config)
        self._agents = tuple(agents)
        self._ids = _read_ids(self._agents)
        self._seats: list[_SeatedAgent] = []
        self._state: Any = None
        if config.secret is not None:
            check_secret(scenario, scenario.name, config.secret)
        self._master = Mulberry32(config.seed)
        if config.match_id is None:
            self.match_id = new_match_id(self._master)
            self._tail = b',"matchId":"%b"}\n' % self.match_id.encode()
        else:
            self.match_id = config.match_id
            self._tail = b',"matchId":%b}\n' % insertion_bytes(self.match_id)

    def play(self) -> None:
        """Play the match to its end. Call it once."""
        init_failures = self._take_seats()
        try:
            self._start(init_failures)
            self._play_turns()
            self.reason = (
                "completed" if self._scenario.is_terminal(self._state) else "maxTurnsReached"
            )
            self._end(self._scenario.score(self._state))
        except MatchStopped:
            raise
        except KeyboardInterrupt:
            self._end_interrupted()
            raise
        except BaseException as failure:
            self._end_failed(failure)

    def _take_seats(self) -> list[tuple[_SeatedAgent, BaseException]]:
        """Call every agent's `init`, in the order of the seats; return those that failed. Draws one
        seed for each seat, also for those."""
        self._commitment = self._commit() if self._config.secret is not None else None
        init_failures: list[tuple[_SeatedAgent, BaseException]] = []
        streams: dict[str, Callable[[], float]] = {}
        for place, agent in enumerate(self._agents):
            seed = self._master.child_seed()
            seat = _SeatedAgent(agent, self._ids[place], Mulberry32(seed).random)
            streams[seat.id] = seat.rng
            try:
                agent.init(AgentConfig(seat.id, seed, self._commitment))
                self._seats.append(seat)
            except _PASS_THROUGH:
                raise
            except BaseException as failure:
                init_failures.append((seat, failure))
        for seat in self._seats:
            seat.rng = streams[seat.id]  # by contract, seats with one id share the last one's
        return init_failures

    def _start(self, init_failures: list[tuple[_SeatedAgent, BaseException]]) -> None:
        """Log the beginning of the match, and make the scenario's first state."""
        config = self._config
        name = self._scenario.name
        ids = self._ids.copy()
        opening = {
            "seed": config.seed,
            "agentIds": ids,
            "scenarioName": name,
            "maxTurns": config.max_turns,
        }
        self._log((b'{"type":"MatchStarted",', insertion_bytes(opening)[1:-1], b""))
        if self._commitment is not None:
            self._log((b'{"type":"MatchSealed","commitment":"', self._commitment.encode(), b'"'))
        for seat, failure in init_failures:
            self._log_failure(seat, failure)
        seed = self._master.child_seed()
        if self._config.secret is None:
            self._state = self._scenario.init(seed, ids)
        else:
            draws = SealedDraws(self._config.secret, self.match_id)
            self._state = cast(Any, self._scenario).init_sealed(seed, ids, draws)

    def _commit(self) -> str:
        """Commit to the secret, and to everything else on which the match depends."""
        config = self._config
        assert config.secret is not None
        task = {
            "agentIds": self._ids,
            "matchId": self.match_id,
            "maxTurns": config.max_turns,
            "parameters": config.parameters,
            "scenario": self._scenario.name,
            "seed": config.seed,
        }
        return commit(config.secret, insertion_copy(task)[1])

    def _play_turns(self) -> None:
        """Play turns until the state is terminal or the limit is reached.

        All of it is one function, since a call in Python costs about as much as logging an event;
        for the same reason attributes are locals here. While the scenario says that its state is
        plain, what it shows is written without the copy that proves that nothing was coerced.

        Whether a seat is to act is asked when its place in the turn comes, of the state that the
        seats before it have left: two moves of a sequential game fit into one turn.
        """
        scenario = self._scenario
        log = self._log
        is_plain = self._is_plain
        end_turn = self._end_turn
        to_act = self._to_act
        seats = self._seats
        number = 0
        max_turns = self._config.max_turns
        logs_digests = self._logs_digests
        is_terminal = scenario.is_terminal
        state = self._state
        plain = is_plain(state)
        while number < max_turns and not is_terminal(state):
            self.turn = number = number + 1
            turn, observation_key, action_key, valid, invalid, summary_key = _turn_pieces(number)
            log((b'{"type":"TurnStarted","turn":', turn, b""))
            for seat in seats:
                if is_terminal(state):
                    break
                if to_act is not None and seat.id not in to_act(state):
                    continue
                view = scenario.observe(state, seat.id)
                if plain:
                    text = plain_bytes(view)
                else:
                    text, view = insertion_copy(view)
                if logs_digests:
                    text = self._store_content(text)
                log((seat.observed, observation_key, text))
                try:
                    action = seat.agent.act(
                        view, AgentContext(seat.rng, number, seat.id, seat.feedback)
                    )
                    try:
                        text, action = insertion_copy(action)
                    except ThorpError:
                        text, action = insertion_copy(plain_action(action))
                    if len(text) > SURELY_SMALL:
                        check_bounds(text)
                except _PASS_THROUGH:
                    raise
                except BaseException as failure:
                    self._log_failure(seat, failure)
                    continue
                log((seat.acted, action_key, text))
                verdict = scenario.adjudicate(state, seat.id, action)
                self._state = state = verdict.state
                feedback = verdict.feedback
                plain = is_plain(state)
                if plain:
                    text = plain_bytes(feedback)
                else:
                    text, feedback = insertion_copy(feedback)
                is_valid = bool(verdict.valid)
                log((seat.judged, valid if is_valid else invalid, text))
                seat.feedback = {"turn": number, "valid": is_valid, "feedback": feedback}
            if end_turn is not None:
                self._state = state = end_turn(state)
                plain = is_plain(state)
            summary = scenario.summarize(state)
            text = plain_bytes(summary) if plain else insertion_copy(summary)[0]
            log((b'{"type":"StateUpdated","turn":', summary_key, text))

    def _store_content(self, content: bytes) -> bytes:
        """Keep an observation under its digest, and return what the log has instead of it."""
        name = digest(content)
        if self._keeps_contents:
            self.contents[name] = content
        return b'{"sha256":"%b","bytes":%d}' % (name.encode(), len(content))

    def _end(self, scores: object) -> None:
        """Reveal the secret, if there is one, and log the end with these scores."""
        text, self.scores = insertion_copy(scores)
        if self._config.secret is not None:
            self._log(
                (b'{"type":"MatchRevealed","secret":"', self._config.secret.hex().encode(), b'"')
            )
        reason = b'{"type":"MatchEnded","reason":"%b","scores":' % self.reason.encode()
        self._closed = True
        self._log((reason, text, b',"turns":%d' % self.turn))

    def _end_interrupted(self) -> None:
        """Close the log, unless the match was over already. Nobody is scored for a match that was
        cut off: the interrupt may have come in the middle of a scenario's own work."""
        if self._closed:
            return
        self.reason = "interrupted"
        self._end({})

    def _end_failed(self, failure: BaseException) -> None:
        """End a match whose scenario failed, with its scores if it can still give them."""
        self.error = f"{type(failure).__name__}: {failure_text(failure)}"
        self.reason = "error"
        try:
            self._end(self._scenario.score(self._state))
        except _PASS_THROUGH:
            raise
        except BaseException:
            self._end({})

    def _log_failure(self, seat: _SeatedAgent, failure: BaseException) -> None:
        """Log that an agent failed, which is also the verdict on its turn."""
        message = failure_text(failure)
        self._log((seat.failed, b'%d,"message":' % self.turn, insertion_bytes(message)))
        seat.feedback = {"turn": self.turn, "valid": False, "feedback": {"error": message}}

    def _write_line(
        self,
        write: Callable[[bytes], object],
        seqs: Iterator[int],
        pieces: tuple[bytes, bytes, bytes],
    ) -> None:
        """Hand over one line, with its number and the match id."""
        write(b"".join((*pieces, _SEQ % next(seqs), self._tail)))

    def log_text(self) -> bytes:
        """The whole log: each event's three pieces, its number, and the match id. Slices put every
        fifth piece into its place, faster than a loop over the events."""
        count = len(self._pieces) // 3
        seqs = (
            _FIRST_SEQS[:count]
            if count <= len(_FIRST_SEQS)
            else [_SEQ % seq for seq in range(count)]
        )
        pieces = [self._tail] * (5 * count)
        pieces[0::5] = self._pieces[0::3]
        pieces[1::5] = self._pieces[1::3]
        pieces[2::5] = self._pieces[2::3]
        pieces[3::5] = seqs
        return b"".join(pieces)


def failure_text(failure: BaseException) -> str:
    """Return an exception's message as it is logged: no class name, no stack, at most MESSAGE_LIMIT
    characters."""
    try:
        return str(failure)[:MESSAGE_LIMIT]
    except _PASS_THROUGH:
        raise
    except BaseException:
        return type(failure).__name__
