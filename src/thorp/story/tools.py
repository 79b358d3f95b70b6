"""The gate for a writer's questions: checks each question, and routes it to the module that
answers.

    LEDGER_SEARCH, LEDGER_GET  retrieval      CAPSULE_GET  capsules      SCENE_PACK_BUILD  scene

The checks are a table; the first that fails is the reason, which goes to the writer only. After
`max_per_beat` questions the gate is closed for the beat.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.strict_json import is_storable
from thorp.story.capsules import Capsules
from thorp.story.config import StoryConfig
from thorp.story.contracts import tool_request as contract
from thorp.story.contracts.validation import value_at
from thorp.story.instants import instant_text, parse_instant
from thorp.story.retrieval import Retrieval, SearchHit, TimeSpan
from thorp.story.scene import Scenes
from thorp.story.text import find_phrase, words_of

ID_LIMIT: Final = 200  # Characters of a tool request's id.

SERVED: Final = "SERVED"

_PARTS: Final[tuple[tuple[str, Any], ...]] = (
    ("requested_by", contract.RequestedBy),
    ("tool", contract.Tool),
    ("tool.constraints", contract.Constraints),
    ("tool.constraints.time_window", contract.TimeWindow),
)

_TEXT = "tool.query_text"
_LIMIT = "tool.constraints.limit"


class ToolAnswer(msgspec.Struct, frozen=True):
    """The answer to a question: a pack, or a rejection with its code."""

    request: str
    verdict: str
    reader: str | None  # Whose view it was answered for; None for everybody's.
    answer: dict[str, Json]

    @property
    def served(self) -> bool:
        """Whether the question was answered, and not refused."""
        return self.verdict == SERVED


class ToolGate(msgspec.Struct):
    """Answers the questions that a writer asks in one beat, within the limits of the story."""

    config: StoryConfig
    request_id: str
    retrieval: Retrieval
    capsules: Capsules
    scenes: Scenes
    view: str | None = None  # The person whose view the beat was opened with; None for everybody's.
    answers: list[ToolAnswer] = []  # Every question of the beat, in order.
    anchors: list[tuple[str | None, dict[str, Json]]] = []  # Each with the view it was built for.
    _chars: int = 0  # Characters of the answers so far.
    _built: int = 0  # Scenes that were built so far.

    @property
    def is_open(self) -> bool:
        """Whether another question is allowed, by the number asked and the characters answered."""
        return len(self.answers) < self.config.tools.max_per_beat and self._room > 0

    @property
    def _room(self) -> int:
        return self.config.tools.max_chars_per_beat - self._chars

    @property
    def given_view(self) -> str | None:
        """The person whose view this beat has: it was opened with it, or a question was answered
        under it. None while the writer has seen only what everybody may see."""
        views = (
            answer.reader for answer in self.answers if answer.served and answer.reader is not None
        )
        return self.view or next(views, None)

    def knows(self, tool_request_id: str) -> bool:
        """Whether a question of this beat had this id."""
        return any(
            answer.answer.get("tool_request_id") == tool_request_id for answer in self.answers
        )

    def ask(self, request: Json) -> ToolAnswer:
        """Answer a question, or refuse it with a code. The story does not change, whatever is
        asked."""
        broken = (code for code, place, keeps in _RULES if not keeps(_at(request, place), self))
        code = next(broken, None) if self.is_open else "LOOP_LIMIT"
        text = json.dumps(request)
        if code is not None:
            answer = ToolAnswer(text, code, None, _rejection(request, code))
        else:
            question = contract.read_tool_request(request)
            reader = self.reader_of(question.requested_by.knowledge_view)
            answer = ToolAnswer(
                text, SERVED, reader, _ROUTES[question.tool.name](self, question, reader)
            )
        self.answers.append(answer)
        return answer

    def reader_of(self, view: str) -> str | None:
        """The person whose view has this name, with or without its suffix; None for the world's,
        which is everybody's."""
        reader = view.removesuffix(self.config.identity.view_suffix)
        return None if reader == self.config.identity.world_actor else reader

    # One method for each tool, by the table `_ROUTES`.

    def search(self, question: contract.ToolRequest, reader: str | None) -> dict[str, Json]:
        """`LEDGER_SEARCH`: entries that share words with the query."""
        limit, window, author = _filters(question)
        query = question.tool.query_text
        hits = self.retrieval.search(reader, query, limit=limit, window=window, author=author)
        return self._pack(question, hits)

    def get(self, question: contract.ToolRequest, reader: str | None) -> dict[str, Json]:
        """`LEDGER_GET`: entries by the ids in the query."""
        ids = question.tool.query_text.replace(",", " ").split()
        hits = self.retrieval.get(reader, ids, limit=question.tool.constraints.limit)
        return self._pack(question, hits)

    def capsule(self, question: contract.ToolRequest, reader: str | None) -> dict[str, Json]:
        """`CAPSULE_GET`: the capsule of a person."""
        person = question.tool.constraints.person_id
        assert person is not None, "the gate demands one"
        capsule = self.capsules.build(person, reader)
        self._chars += sum(len(section["text"]) for section in capsule["sections"])
        return {"tool_request_id": question.tool_request_id, "capsule": capsule}

    def scene(self, question: contract.ToolRequest, reader: str | None) -> dict[str, Json]:
        """`SCENE_PACK_BUILD`: an anchor for a new scene, which opens with the next beat."""
        limit, window, author = _filters(question)
        self._built += 1
        query = question.tool.query_text
        anchor = self.scenes.build_anchor(
            self._built, reader, query, limit=limit, window=window, author=author
        )
        self.anchors.append((reader, anchor))
        self._chars += len(anchor["text"])
        return {"tool_request_id": question.tool_request_id, "scene_anchor": anchor}

    def _pack(self, question: contract.ToolRequest, hits: list[SearchHit]) -> dict[str, Json]:
        """The result pack of a search: as many hits as there is room for in the beat."""
        results = []
        for row, piece in hits:
            if len(piece) > self._room:
                break
            self._chars += len(piece)
            results.append(
                {
                    "entry_id": row.entry_id,
                    "bundle_id": row.bundle_id,
                    "created_at_world": instant_text(row.instant),
                    "visibility_scope": row.scope,
                    "verbatim_excerpt": piece,
                }
            )
        pack: dict[str, Json] = {
            "tool_request_id": question.tool_request_id,
            "request_id": self.request_id,
            "results": results,
            "empty": not results,
            "notes": None,
        }
        contract.read_result_pack(pack)
        return pack


_ROUTES: Final[
    dict[str, Callable[[ToolGate, contract.ToolRequest, str | None], dict[str, Json]]]
] = {
    "LEDGER_SEARCH": ToolGate.search,
    "LEDGER_GET": ToolGate.get,
    "CAPSULE_GET": ToolGate.capsule,
    "SCENE_PACK_BUILD": ToolGate.scene,
}


def _filters(question: contract.ToolRequest) -> tuple[int, TimeSpan, str | None]:
    """The limit, the span of time and the author that a question asks for."""
    constraints = question.tool.constraints
    window = constraints.time_window or contract.TimeWindow()
    start = None if window.start is None else parse_instant(window.start)
    end = None if window.end is None else parse_instant(window.end)
    return constraints.limit, TimeSpan(start, end), constraints.person_id


def _rejection(request: Json, code: str) -> dict[str, Json]:
    tool_request_id = value_at(request, "tool_request_id")
    return {
        "tool_request_id": tool_request_id if isinstance(tool_request_id, str) else None,
        "rejected": code,
    }


# The checks. Each gets the value at its place in the request, and may rely on the checks before it.

_Rule = Callable[[Any, ToolGate], bool]


def _has_no_other_fields(request: Any, _gate: ToolGate) -> bool:
    parts = [
        (request, contract.ToolRequest),
        *((_at(request, place), kind) for place, kind in _PARTS),
    ]
    return all(
        {*kind.__struct_encode_fields__}.issuperset(part)
        for part, kind in parts
        if isinstance(part, Mapping)
    )


def _at(request: Any, place: str) -> Any:
    """The value at a dotted place of a request; the whole request for the empty place."""
    return value_at(request, *place.split(".")) if place else request


def _is_id(value: Any, _gate: ToolGate) -> bool:
    return isinstance(value, str) and 0 < len(value) <= ID_LIMIT and is_storable(value)


def _is_actor(actor: Any, gate: ToolGate) -> bool:
    is_world = actor == gate.config.identity.world_actor
    return is_world or (isinstance(actor, str) and gate.retrieval.is_person(actor))


def _is_known_view(view: str, gate: ToolGate) -> bool:
    reader = gate.reader_of(view)
    return reader is None or gate.retrieval.is_person(reader)


def _has_own_view(requested_by: dict[str, str], gate: ToolGate) -> bool:
    actor = requested_by["actor"]
    view = requested_by["knowledge_view"]
    own = None if actor == gate.config.identity.world_actor else actor
    return not gate.config.writing.require_own_view or gate.reader_of(view) == own


def _is_given_view(view: str, gate: ToolGate) -> bool:
    """A beat has at most one person's view, so that the secrets of two people are never in one
    prompt."""
    return gate.reader_of(view) in (None, gate.given_view) or gate.given_view is None


def _builds_own_scene(request: Any, gate: ToolGate) -> bool:
    """A beat may change only the scene of the view that it was opened with."""
    if request["tool"]["name"] != "SCENE_PACK_BUILD" or gate.view is None:
        return True
    return gate.reader_of(request["requested_by"]["knowledge_view"]) == gate.view


def _is_short_query(query: str, gate: ToolGate) -> bool:
    limits = gate.config.tools
    return len(query) <= limits.max_query_chars and len(words_of(query)) <= limits.max_query_words


def _is_window(window: Any, _gate: ToolGate) -> bool:
    if not isinstance(window, Mapping | None):
        return False
    try:
        return all(edge is None or parse_instant(edge) is not None for edge in _edges(window))
    except (InvalidError, TypeError):
        return False


def _edges(window: Any) -> list[Any]:
    return [value_at(window, edge) for edge in ("from", "to")]


def _is_forward(window: Any, _gate: ToolGate) -> bool:
    start, end = _edges(window)
    return None in (start, end) or parse_instant(start) <= parse_instant(end)


def _names_a_person(tool: Any, gate: ToolGate) -> bool:
    person = value_at(tool, "constraints", "person_id")
    if tool["name"] == "CAPSULE_GET":
        return isinstance(person, str) and gate.retrieval.is_person(person)
    return isinstance(person, str | None) and is_storable(person or "")


def _is_limit(limit: Any, gate: ToolGate) -> bool:
    return contract.is_whole(limit) and 1 <= limit <= gate.config.tools.max_limit


_RULES: Final[tuple[tuple[str, str, _Rule], ...]] = (
    ("NOT_OBJECT", "", lambda request, _: isinstance(request, Mapping)),
    ("UNKNOWN_FIELD", "", _has_no_other_fields),
    ("ID_MISSING", "tool_request_id", _is_id),
    ("ID_DUPLICATE", "tool_request_id", lambda it, gate: not gate.knows(it)),
    ("REQUEST_MISMATCH", "request_id", lambda it, gate: it == gate.request_id),
    (
        "ENGINE_MISMATCH",
        "requested_by.engine",
        lambda it, gate: it == gate.config.identity.writer_engine,
    ),
    ("ACTOR_MISSING", "requested_by.actor", _is_actor),
    ("VIEW_MISSING", "requested_by.knowledge_view", lambda it, _: isinstance(it, str) and it != ""),
    ("VIEW_UNKNOWN", "requested_by.knowledge_view", _is_known_view),
    ("VIEW_NOT_OWN", "requested_by", _has_own_view),
    ("VIEW_NOT_GIVEN", "requested_by.knowledge_view", _is_given_view),
    ("TOOL_UNKNOWN", "tool.name", lambda it, _: it in contract.TOOL_NAMES),
    ("VIEW_NOT_GIVEN", "", _builds_own_scene),
    ("QUERY_TYPE", _TEXT, lambda it, _: isinstance(it, str) and is_storable(it)),
    ("QUERY_LONG", _TEXT, _is_short_query),
    ("LIMIT_MISSING", _LIMIT, lambda it, _: it is not None),
    ("LIMIT_RANGE", _LIMIT, _is_limit),
    ("WINDOW_FORMAT", "tool.constraints.time_window", _is_window),
    ("WINDOW_INVERTED", "tool.constraints.time_window", _is_forward),
    ("PERSON_REQUIRED", "tool", _names_a_person),
    (
        "DIRECTIVE_PHRASE",
        _TEXT,
        lambda it, gate: find_phrase(it, gate.config.phrases.tool_directive) is None,
    ),
)
