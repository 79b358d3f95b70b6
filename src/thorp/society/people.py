"""Who lives in a society of agents: what decides for them, and what each is told about itself.

What they are told is text. The same said in other words, laid out in another way, or told to
somebody of another name ought not to matter; how much it does is what a comparison can ask.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, get_args

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import canonical_text

MAX_PEOPLE: Final = 24
MAX_FIELDS: Final = 16
MAX_TEXT: Final = 4_000
"""Characters of a goal, or of a field of a persona: they are part of every request."""
Layout = Literal["lines", "prose", "json"]
LAYOUTS: Final[tuple[Layout, ...]] = get_args(Layout)
NAMES: Final = (
    "Ada", "Basil", "Cleo", "Doran", "Edda", "Fenn", "Greta", "Hale",
    "Ida", "Joss", "Kit", "Lena", "Milo", "Nell", "Orrin", "Pia",
    "Quill", "Rosa", "Sten", "Thea", "Una", "Vic", "Wren", "Yara",
)  # fmt: skip
OTHER_NAMES: Final = (
    "Alva", "Bede", "Cora", "Dale", "Esme", "Finn", "Gwen", "Hugo",
    "Iris", "Jude", "Kaya", "Lorn", "Mina", "Ned", "Opal", "Penn",
    "Ruth", "Silas", "Tova", "Ulf", "Vera", "Walt", "Xenia", "Zeno",
)  # fmt: skip

Text = Annotated[str, Meta(max_length=MAX_TEXT)]


class People(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `[people]` of a plan, or what a condition has otherwise."""

    agent: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    """What decides for each of them: `file.py:Class`, `cmd:…`, `http://…` or `model:NAME`."""
    count: Annotated[int, Meta(ge=2, le=MAX_PEOPLE)] = 4
    every: Annotated[int, Meta(ge=5, le=6_000)] = 25
    """Ticks between two decisions of somebody who has nothing to do."""
    persona: Annotated[dict[str, Text], Meta(max_length=MAX_FIELDS)] = {}
    """Who each of them is, by fields."""
    goal: Text = ""
    calls: Annotated[int, Meta(ge=1, le=100_000)] = 1_000
    """The most calls of a model in one life, of all people together."""

    def texts(self) -> list[str]:
        """Every text in which words could be replaced."""
        return [*self.persona.values(), self.goal]

    def reworded(self, words: Mapping[str, str]) -> "People":
        """The same people, told in other words."""

        def replace(text: str) -> str:
            for old, new in words.items():
                text = text.replace(old, new)
            return text

        persona = {name: replace(text) for name, text in self.persona.items()}
        return msgspec.structs.replace(self, persona=persona, goal=replace(self.goal))


def told(name: str, persona: Mapping[str, str], layout: Layout) -> str:
    """What somebody is told about who they are."""
    fields = {"name": name, **persona}
    if layout == "json":
        return canonical_text(fields)
    if layout == "prose":
        return " ".join(f"Your {key} is {value.rstrip('.')}." for key, value in fields.items())
    return "\n".join(f"{key}: {value}" for key, value in fields.items())
