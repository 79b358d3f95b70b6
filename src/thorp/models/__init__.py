"""Language models behind any OpenAI-compatible endpoint: the one adapter that all engines use.

    ChatRequest -> ChatClient.complete -> Reply      one call: bounded in time and size, within a
                                                     Budget
    Recording.ask                                    the same call written down, or answered from
                                                     before

Nothing here knows what an engine asks for, and no engine talks to a model any other way.
"""

from thorp.models.chat import (
    Called,
    ChatRequest,
    Function,
    Message,
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
    "ChatRequest",
    "DecodeError",
    "Function",
    "Message",
    "ModelError",
    "ModelTimeout",
    "Recording",
    "Reply",
    "decode_json",
    "find_object",
    "find_object_text",
]
