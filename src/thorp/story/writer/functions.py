"""The tools of a story as functions that a model may call, where its endpoint knows such a thing.

A call means what the same question means in the grammar, and is kept as those words: so a story plays again
without knowing how its model was asked. Whether a question is answered, the gate decides as for any other.
"""

from __future__ import annotations

import json
from typing import Final

from thorp.kernel.canonical import Json
from thorp.models import Called, Function
from thorp.story.contracts.tool_request import TOOL_NAMES
from thorp.story.writer.grammar import read_json
from thorp.story.writer.moment import Moment

DEFAULT_LIMIT: Final = 5

_ABOUT: Final = {
    "LEDGER_SEARCH": "Entries of the written reality that share words with the query.",
    "LEDGER_GET": "Entries by their ids, or by the id of their bundle, which the query holds.",
    "CAPSULE_GET": "What a person has shown so far, as excerpts.",
    "SCENE_PACK_BUILD": "A new scene, from what the words of the query find.",
}
_NEEDS_PERSON: Final = ("CAPSULE_GET",)


def functions_of(moment: Moment) -> tuple[Function, ...]:
    """What may be called in a moment; nothing once its questions are closed."""
    if not moment.tools_open:
        return ()
    return tuple(Function(name, _ABOUT[name], _parameters(name, moment)) for name in TOOL_NAMES)


def _parameters(name: str, moment: Moment) -> dict[str, Json]:
    identity = moment.config.identity
    actors = [person.person_id for person in moment.people if moment.actor in (None, person.person_id)]
    if moment.actor is None:
        actors.insert(0, identity.world_actor)
    properties: dict[str, Json] = {
        "actor": {"type": "string", "enum": actors, "description": "Whose knowledge is asked."},
        "query_text": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": moment.config.tools.max_limit},
    }
    required = ["actor", "query_text"]
    if name in _NEEDS_PERSON:
        properties["person_id"] = {"type": "string", "description": "Whom it is about."}
        required.append("person_id")
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def words_of(called: Called, moment: Moment) -> str:
    """A call in the words of the grammar. Arguments that are no object are left as they are: unusable."""
    given = read_json(called.arguments)
    if not isinstance(given, dict):
        return called.arguments
    identity, actor = moment.config.identity, given.pop("actor", None)
    query, limit = given.pop("query_text", None), given.pop("limit", DEFAULT_LIMIT)
    question: Json = {
        "tool_request_id": f"call-{len(moment.results) + 1}",
        "requested_by": {
            "engine": identity.writer_engine,
            "actor": actor,
            "knowledge_view": f"{actor}{identity.view_suffix}",
        },
        "tool": {"name": called.name, "query_text": query, "constraints": {"limit": limit, **given}},
    }
    return json.dumps({"tool_request": question}, ensure_ascii=False)
