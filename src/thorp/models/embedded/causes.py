"""Why a child could not serve its model, in one line.

llama.cpp's library gives the same exception for every cause; what it writes to standard error tells
them apart. The table has those that a user can do something about; of any other failure the first
line that llama.cpp marks as an error is shown as it stands.
"""

import re
import signal
import socket
from typing import Final

from thorp.kernel.errors import (
    ConflictError,
    DamagedError,
    IllegalError,
    InvalidError,
    LimitError,
    ThorpError,
)
from thorp.kernel.text import make_label, one_line
from thorp.models.embedded.cache import Weights
from thorp.models.embedded.llama import NO_AVX2, NO_RUNTIME
from thorp.models.embedded.settings import Settings

INSTALL: Final = "install it with `pip install thorp[mind]`"
SHOWN_CHARACTERS: Final = 200  # How much of llama.cpp's own words is shown: a sentence.

# A line of its log: time, level, source, text.
_MARKED_ERROR: Final = re.compile(r"^[0-9.]+ E (?:\S+ +\S+: )?(.*)$", re.M)
_OUT_OF_MEMORY: Final = re.compile(
    r"Cannot allocate memory|bad_alloc|failed to allocate|unable to allocate|out of memory"
    r"|Resource temporarily unavailable|MemoryError|failed to map segment"
    r"|can't start new thread",
    re.IGNORECASE,
)
_RUNTIME: Final = re.compile(rf"{NO_RUNTIME}: (.*)")
_PORT: Final = re.compile(r"couldn't bind HTTP server socket")
_ARCHITECTURE: Final = re.compile(r"unknown model architecture: '?([\w.-]+)'?")
_ADAPTER: Final = re.compile(r"failed to (?:apply|load) lora adapter")
_ADAPTER_REASON: Final = re.compile(r"failed to apply lora adapter: (.*)")
_NOT_WHOLE: Final = re.compile(r"corrupted or incomplete|not within the file bounds")
_NOT_GGUF: Final = re.compile(r"llama_model_loader: failed to load model from")
_REASON: Final = re.compile(r"error loading model: (?:error loading model \w+: )?(.*)")
_UNKNOWN_PARAMETER: Final = re.compile(r"AttributeError: (.*)")


def why_not_loaded(
    said: str, exit_code: int | None, weights: Weights, settings: Settings
) -> ThorpError:
    """The error for a child that ended before its model was loaded; `said` is its standard
    error."""
    path = weights.path
    if NO_AVX2 in said or exit_code == -signal.SIGILL:
        return IllegalError(
            "this processor has no AVX2, which llama.cpp needs as it is packaged; run a model on "
            "another machine, and name it with THORP_MODEL_URL",
            code="model_processor",
        )
    if _PORT.search(said):
        return _no_port(settings.port)
    if _OUT_OF_MEMORY.search(said):
        return _no_memory(weights, "there is not enough memory")
    runtime = _RUNTIME.search(said)
    if runtime is not None:
        return not_installed(runtime[1])
    if exit_code == -signal.SIGKILL:
        return _no_memory(weights, "its process was killed, as it is when memory runs out")
    architecture = _ARCHITECTURE.search(said)
    if architecture is not None:
        return InvalidError(
            f"{path}: its architecture {architecture[1]!r} is none that this release of llama.cpp "
            "knows; use another model, or a newer xllamacpp",
            code="model_architecture",
        )
    if _ADAPTER.search(said):
        reason = _ADAPTER_REASON.search(said)
        words = f" ({_words(reason[1])})" if reason else ""
        return InvalidError(
            f"{settings.adapter}: no adapter for {weights.name}{words}; use one that was made for "
            "this model",
            code="model_adapter",
        )
    if _NOT_WHOLE.search(said):
        return DamagedError(
            f"{path}: cut off or damaged; copy or fetch it again", code="model_damaged"
        )
    if _NOT_GGUF.search(said):
        return InvalidError(
            f"{path}: no model in the GGUF format, or a damaged one", code="model_format"
        )
    unknown = _UNKNOWN_PARAMETER.search(said)
    if unknown is not None:
        return InvalidError(
            f"this release of xllamacpp is not one that Thorp knows ({_words(unknown[1])}); "
            f"{INSTALL}",
            code="model_runtime",
        )
    error = _REASON.search(said) or _MARKED_ERROR.search(said)
    last = error[1] if error else _last_line(said)
    ended = describe_end(exit_code)
    words = f"{ended}: {_words(last)}" if last else ended
    return InvalidError(f"{path}: the model cannot be run; {words}", code="model_failed")


def not_installed(problem: str = "") -> ThorpError:
    """The error where the extra is missing, or cannot be imported for a `problem`."""
    state = f"cannot be loaded here ({_words(problem)})" if problem else "is not installed here"
    return IllegalError(f"llama.cpp {state}; {INSTALL}", code="model_runtime_missing")


def too_slow(weights: Weights, seconds: float) -> ThorpError:
    """The error for a model that was not loaded in time."""
    return LimitError(
        f"{weights.path}: not loaded within {seconds:g} s; try again on a less busy machine",
        code="model_slow",
    )


def describe_end(exit_code: int | None) -> str:
    """How a process ended, in words."""
    if exit_code is None:
        return "its process has closed its output"
    if exit_code >= 0:
        return f"its process ended with exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"its process was ended by {name}"


def _no_port(port: int) -> ThorpError:
    """llama.cpp does not say why it cannot have a port; asking the system for the same one shows
    the reason."""
    try:
        with socket.create_server(("127.0.0.1", port)):
            why = "could not be taken"  # It is free by now.
    except PermissionError:
        return IllegalError(
            f"port {port} is one that this user may not listen on; give one from 1024 on, or 0 for "
            "a free one",
            code="port_reserved",
        )
    except OSError:
        why = "is taken"
    return ConflictError(
        f"port {port} {why} on 127.0.0.1; give another one, or 0 for a free one",
        code="port_taken",
    )


def _no_memory(weights: Weights, what: str) -> ThorpError:
    size = weights.path.stat().st_size / 1e6 if weights.path.exists() else 0
    return LimitError(
        f"{weights.path}: {what} ({size:,.0f} MB of weights, and the context); close programs, or "
        "give a smaller --context or model",
        code="model_memory",
    )


def _last_line(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _words(text: str) -> str:
    return make_label(one_line(text).strip(), SHOWN_CHARACTERS)
