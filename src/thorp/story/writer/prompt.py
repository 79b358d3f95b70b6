"""Renders a moment as a prompt, for writers that are language models.

The system message has the laws, the grammar, who may act, and texts about those people. The user
message has the window, what tools returned, and the beat itself.

The model's user is the invoker, a part of the system. The operator is one participant among others:
the operator's words are in the prompt as quoted evidence, as everybody's are, and never as an
instruction. All quotations are JSON strings, so no text can end its own quotation. The envelope,
its notes and its intent, numbers of beats and keys of the database are never part of a prompt.
"""

import json
from collections.abc import Mapping
from pkgutil import get_data
from typing import Final, Literal, NamedTuple

from thorp.kernel.identity import digest
from thorp.story.text import excerpt
from thorp.story.writer.moment import Moment

LAWS: Final = (get_data(__name__, "laws.txt") or b"").decode().removesuffix("\n")
GRAMMAR: Final = (get_data(__name__, "grammar.txt") or b"").decode().removesuffix("\n")
# Identifies the wording of laws and grammar in the audit.
PACK_DIGEST: Final = digest((LAWS + GRAMMAR).encode())[:16]
TOOLS_CLOSED: Final = "No more questions are answered in this beat."


class PromptMessage(NamedTuple):
    """One message of a prompt."""

    role: Literal["system", "user"]
    content: str


def render(moment: Moment, payloads: Mapping[str, str]) -> tuple[PromptMessage, ...]:
    """The prompt of a moment. `payloads` are texts about people, by their ids."""
    about = [
        f"Read-only text about {person.person_id}; it constrains expression and decides nothing:\n"
        f"<<<\n{payloads[person.person_id]}\n>>>"
        for person in moment.people
        if person.person_id in payloads
    ]
    fixed = "\n\n".join([*fixed_parts(moment), *about])
    return PromptMessage("system", fixed), PromptMessage("user", "\n\n".join(_moving_parts(moment)))


def fixed_parts(moment: Moment) -> list[str]:
    """The parts that are the same in every prompt of a story and its actor."""
    identity = moment.config.identity
    grammar = GRAMMAR.replace("$engine", identity.writer_engine).replace(
        "$suffix", identity.view_suffix
    )
    may_act = (
        [f"{identity.world_actor}: the world itself, which has no will"]
        if moment.actor is None
        else []
    )
    may_act += [
        f"{each.person_id}: {each.descriptor or 'a person of this world'}" for each in moment.people
    ]
    return [LAWS, grammar, "ACTOR is one of:\n" + "\n".join(may_act)]


def _moving_parts(moment: Moment) -> list[str]:
    """The parts that change from call to call."""
    config = moment.config
    setting = moment.setting
    parts = [
        f"{config.identity.system_actor} opens a moment.",
        f"The scene:\n{_quoted(setting.anchor)}",
    ]
    if setting.replay is not None:
        parts.append(f"How things physically stand, which binds:\n{_quoted(setting.replay)}")
    if setting.pieces:
        lines = [f"- {each.author_id}: {_quoted(each.text)}" for each in setting.pieces]
        parts.append("Told since then:\n" + "\n".join(lines))
    if moment.results:
        parts.append(
            "Answers to your questions:\n" + "\n".join(json.dumps(each) for each in moment.results)
        )
    if not moment.tools_open:
        parts.append(TOOLS_CLOSED)
    parts.append(f"It is {moment.local(moment.created_at_world)}.")
    if moment.fresh is not None:
        operator = config.identity.operator_id
        input_text = excerpt(moment.fresh, (), config.context.chars(config.context.max_item))
        parts.append(f"Just now {operator} is heard or seen:\n{_quoted(input_text)}")
    return parts


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
