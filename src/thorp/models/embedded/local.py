"""The model of `--agent local`: the embedded one, with the adapter that lies beside this module.

`choices.md` says what the adapter was tuned on, and what it cannot do.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from thorp.models.embedded.cache import find_model
from thorp.models.embedded.catalogue import DEFAULT
from thorp.models.embedded.process import EmbeddedModel, Endpoint
from thorp.models.embedded.settings import CONTEXT_TOKENS, Settings

ADAPTER: Final = Path(__file__).with_name("choices.gguf")
TALK_TOKENS: Final = 8_192
"""The context of a model that is not asked for choices: what it remembers, and a whole reply."""


@contextmanager
def open_local(
    name: str = "", *, chooses: bool, waiting: Callable[[float], None] = lambda seconds: None
) -> Iterator[Endpoint]:
    """Serve the model of `local`, or of `local:NAME`, until the block is left.

    A model that is named, by its file or as the catalogue has it, runs as it is: the adapter is for
    the default one, and only for choosing.
    """
    settings = Settings(
        adapter=ADAPTER if chooses and not name else None,
        context_tokens=CONTEXT_TOKENS if chooses else TALK_TOKENS,
    )
    with EmbeddedModel.open(find_model(name or DEFAULT), settings, waiting=waiting) as endpoint:
        yield endpoint
