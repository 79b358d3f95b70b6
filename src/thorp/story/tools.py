"""Checks a writer's questions and routes them to the engine that answers.

    LEDGER_SEARCH, LEDGER_GET  retrieval      CAPSULE_GET  capsules      SCENE_PACK_BUILD  scene

The checks are a table; the first that fails is the reason, which goes to the writer only. After
`max_per_beat` questions the gate is closed for the beat.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.strict_json import is_storable
from thorp.story.banned_phrases import find_phrase
from thorp.story.capsules import Capsules
from thorp.story.config import StoryConfig
from thorp.story.contracts.retrieval_result_pack import read_result_pack
from thorp.story.contracts.tool_request import (
    TOOL_NAMES,
    Constraints,
    RequestedBy,
    TimeWindow,
    Tool,
    ToolRequest,
)
from thorp.story.instants import instant_text, parse_instant
from thorp.story.retrieval import ApprovedRequest, Retrieval, SearchHit, TimeSpan
from thorp.story.scene import Scenes
from thorp.story.text import words_of

ENGINE: Final = "ENGINE_7_TOOL_GATE"
ID_LIMIT: Final = 200
"""Characters of a tool request's id."""


class ToolAnswer(msgspec.Struct, frozen=True):
    """What a question got: a pack, or a rejection with its code. `reader` is whose eyes it was answered
    for."""

    request: str
    verdict: str
    reader: str | None
    answer: dict[str, Json]

    @property
    def served(self) -> bool:
        return self.verdict == SERVED


SERVED: Final = "SERVED"


class ToolGate:
    """The gate of one beat."""

    def __init__(
        self,
        config: StoryConfig,
        request_id: str,
        created_at: str,
        retrieval: Retrieval,
        capsules: Capsules,
        scenes: Scenes,
        anchor_name: Callable[[int], str],
    ) -> None:
        self.config = config
        self.request_id = request_id
        self.is_person = retrieval.is_person
        self.answers: list[ToolAnswer] = []
        """Every question of the beat, in order."""
        self.anchors: list[tuple[str | None, dict[str, Json]]] = []
        """Anchors that were built, each with its view."""
        self._created_at = created_at
        self._retrieval = retrieval
        self._capsules = capsules
        self._scenes = scenes
        self._anchor_name = anchor_name
        self._room = config.tools.max_chars_per_beat
        self._built = 0

    @property
    def is_open(self) -> bool:
        """Whether another question is taken: few have been asked, and not too much was answered."""
        return len(self.answers) < self.config.tools.max_per_beat and self._room > 0

    def knows(self, tool_request_id: str) -> bool:
        """Whether this id was used in this beat."""
        return any(answer.answer.get("tool_request_id") == tool_request_id for answer in self.answers)

    def ask(self, request: Json) -> ToolAnswer:
        """Answer a question, or say why not. Nothing changes, whatever is asked."""
        code = "LOOP_LIMIT" if not self.is_open else self._first_broken(request)
        text = json.dumps(request)
        if code is not None:
            answer = ToolAnswer(text, code, None, _rejection(request, code))
        else:
            question = msgspec.convert(request, ToolRequest)
            reader = self.reader_of(question.requested_by.knowledge_view)
            answer = ToolAnswer(text, SERVED, reader, _ROUTES[question.tool.name](self, question, reader))
        self.answers.append(answer)
        return answer

    def reader_of(self, view: str) -> str | None:
        """Whose view a name is, with or without its suffix; None for everybody's, which the world has."""
        reader = view.removesuffix(self.config.identity.view_suffix)
        return None if reader == self.config.identity.world_actor else reader

    def _first_broken(self, request: Json) -> str | None:
        return next((code for code, keeps in _RULES if not keeps(request, self)), None)

    # Where questions go.

    def search(self, question: ToolRequest, reader: str | None) -> dict[str, Json]:
        found = self._retrieval.search(
            ApprovedRequest(ENGINE, reader),
            question.tool.query_text,
            limit=question.tool.constraints.limit,
            window=_window(question),
            author=question.tool.constraints.person_id,
        )
        return self._pack(question, found)

    def get(self, question: ToolRequest, reader: str | None) -> dict[str, Json]:
        ids = question.tool.query_text.replace(",", " ").split()
        found = self._retrieval.get(
            ApprovedRequest(ENGINE, reader), ids, limit=question.tool.constraints.limit
        )
        return self._pack(question, found)

    def capsule(self, question: ToolRequest, reader: str | None) -> dict[str, Json]:
        person = question.tool.constraints.person_id
        assert person is not None, "the gate demands one"
        capsule = self._capsules.build(person, reader)
        self._room -= sum(len(section["text"]) for section in capsule["sections"])
        return {"tool_request_id": question.tool_request_id, "capsule": capsule}

    def scene(self, question: ToolRequest, reader: str | None) -> dict[str, Json]:
        constraints = question.tool.constraints
        self._built += 1
        anchor = self._scenes.build_anchor(
            self._anchor_name(self._built),
            self.request_id,
            self._created_at,
            reader,
            question.tool.query_text,
            limit=constraints.limit,
            window=_window(question),
            author=constraints.person_id,
        )
        self.anchors.append((reader, anchor))
        self._room -= len(anchor["text"])
        return {"tool_request_id": question.tool_request_id, "scene_anchor": anchor}

    def _pack(self, question: ToolRequest, found: list[SearchHit]) -> dict[str, Json]:
        results = []
        for row, piece in found:
            if len(piece) > self._room:
                break
            self._room -= len(piece)
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
        read_result_pack(pack)
        return pack


_ROUTES: Final[dict[str, Callable[[ToolGate, ToolRequest, str | None], dict[str, Json]]]] = {
    "LEDGER_SEARCH": ToolGate.search,
    "LEDGER_GET": ToolGate.get,
    "CAPSULE_GET": ToolGate.capsule,
    "SCENE_PACK_BUILD": ToolGate.scene,
}


def _window(question: ToolRequest) -> TimeSpan:
    window = question.tool.constraints.time_window or TimeWindow()
    return TimeSpan(*(None if text is None else parse_instant(text) for text in (window.start, window.end)))


def _rejection(request: Json, code: str) -> dict[str, Json]:
    found = request.get("tool_request_id") if isinstance(request, Mapping) else None
    return {"tool_request_id": found if isinstance(found, str) else None, "rejected": code}


# The checks. Each sees what came and may rely on those before it.

_Rule = Callable[[Any, ToolGate], bool]


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _has_no_other_fields(request: Any, _gate: ToolGate) -> bool:
    places: list[tuple[Any, Any]] = [
        (request, ToolRequest),
        (_at(request, "requested_by"), RequestedBy),
        (_at(request, "tool"), Tool),
        (_at(request, "tool", "constraints"), Constraints),
        (_at(request, "tool", "constraints", "time_window"), TimeWindow),
    ]
    return all(
        {*kind.__struct_encode_fields__}.issuperset(part)
        for part, kind in places
        if isinstance(part, Mapping)
    )


def _has_id(request: Any, _gate: ToolGate) -> bool:
    found = _at(request, "tool_request_id")
    return isinstance(found, str) and 0 < len(found) <= ID_LIMIT and is_storable(found)


def _has_actor(request: Any, gate: ToolGate) -> bool:
    actor = _at(request, "requested_by", "actor")
    return isinstance(actor, str) and (actor == gate.config.identity.world_actor or gate.is_person(actor))


def _has_view(request: Any, _gate: ToolGate) -> bool:
    view = _at(request, "requested_by", "knowledge_view")
    return isinstance(view, str) and bool(view)


def _knows_view(request: Any, gate: ToolGate) -> bool:
    reader = gate.reader_of(_at(request, "requested_by", "knowledge_view"))
    return reader is None or gate.is_person(reader)


def _is_own_view(request: Any, gate: ToolGate) -> bool:
    if not gate.config.writing.require_own_view:
        return True
    actor = _at(request, "requested_by", "actor")
    own = None if actor == gate.config.identity.world_actor else actor
    return bool(gate.reader_of(_at(request, "requested_by", "knowledge_view")) == own)


def _is_query(request: Any, gate: ToolGate) -> bool:
    query = _at(request, "tool", "query_text")
    return isinstance(query, str) and is_storable(query)


def _is_short_query(request: Any, gate: ToolGate) -> bool:
    query, limits = _at(request, "tool", "query_text"), gate.config.tools
    return len(query) <= limits.max_query_chars and len(words_of(query)) <= limits.max_query_words


def _limit(request: Any) -> Any:
    return _at(request, "tool", "constraints", "limit")


def _is_limit(request: Any, gate: ToolGate) -> bool:
    return type(_limit(request)) is int and 1 <= _limit(request) <= gate.config.tools.max_limit


def _edges(request: Any) -> list[Any]:
    return [_at(request, "tool", "constraints", "time_window", edge) for edge in ("from", "to")]


def _is_window(request: Any, _gate: ToolGate) -> bool:
    if not isinstance(_at(request, "tool", "constraints", "time_window"), Mapping | None):
        return False
    try:
        return all(edge is None or parse_instant(edge) is not None for edge in _edges(request))
    except (InvalidError, TypeError):
        return False


def _is_forward(request: Any, _gate: ToolGate) -> bool:
    start, end = _edges(request)
    return None in (start, end) or parse_instant(start) <= parse_instant(end)


def _names_a_person(request: Any, gate: ToolGate) -> bool:
    person = _at(request, "tool", "constraints", "person_id")
    if _at(request, "tool", "name") == "CAPSULE_GET":
        return isinstance(person, str) and gate.is_person(person)
    return isinstance(person, str | None) and is_storable(person or "")


def _directs_nothing(request: Any, gate: ToolGate) -> bool:
    return find_phrase(_at(request, "tool", "query_text"), gate.config.phrases.tool_directive) is None


_RULES: Final[tuple[tuple[str, _Rule], ...]] = (
    ("NOT_OBJECT", lambda request, _: isinstance(request, Mapping)),
    ("UNKNOWN_FIELD", _has_no_other_fields),
    ("ID_MISSING", _has_id),
    ("ID_DUPLICATE", lambda request, gate: not gate.knows(request["tool_request_id"])),
    ("REQUEST_MISMATCH", lambda request, gate: request.get("request_id") == gate.request_id),
    (
        "ENGINE_MISMATCH",
        lambda request, gate: _at(request, "requested_by", "engine") == gate.config.identity.writer_engine,
    ),
    ("ACTOR_MISSING", _has_actor),
    ("VIEW_MISSING", _has_view),
    ("VIEW_UNKNOWN", _knows_view),
    ("VIEW_NOT_OWN", _is_own_view),
    ("TOOL_UNKNOWN", lambda request, _: _at(request, "tool", "name") in TOOL_NAMES),
    ("QUERY_TYPE", _is_query),
    ("QUERY_LONG", _is_short_query),
    ("LIMIT_MISSING", lambda request, _: _limit(request) is not None),
    ("LIMIT_RANGE", _is_limit),
    ("WINDOW_FORMAT", _is_window),
    ("WINDOW_INVERTED", _is_forward),
    ("PERSON_REQUIRED", _names_a_person),
    ("DIRECTIVE_PHRASE", _directs_nothing),
)
