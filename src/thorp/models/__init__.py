"""Calls language models at any OpenAI-compatible endpoint: the one adapter that all engines use.

    ChatRequest -> ChatClient.complete -> Reply      one call: limited in time and size, within a
                                                     Budget
    Recording.ask                                    the same call, recorded or answered from a
                                                     recording

Nothing here knows what an engine asks for, and no engine calls a model any other way.
"""

from thorp.models.chat import (
    Called,
    ChatMessage,
    ChatRequest,
    Function,
    ModelError,
    ModelTimeout,
    Reply,
)
from thorp.models.client import Budget, BudgetError, ChatClient
from thorp.models.decode import DecodeError, decode_json, find_object, find_object_text
from thorp.models.recording import Recording

__all__ = [
    "Budget",
    "BudgetError",
    "Called",
    "ChatClient",
    "ChatMessage",
    "ChatRequest",
    "DecodeError",
    "Function",
    "ModelError",
    "ModelTimeout",
    "Recording",
    "Reply",
    "decode_json",
    "find_object",
    "find_object_text",
]
