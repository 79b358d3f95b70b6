"""`thorp model …`: fetch language models, serve them, and see what an endpoint can do."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

from thorp.cli.commands import Commands, argument, option, print_answer, print_json
from thorp.cli.model_progress import show_bytes, show_loading
from thorp.cli.options import AsJson, Quiet
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, UnavailableError
from thorp.kernel.text import make_label, one_line
from thorp.models.client import KEY_VARIABLES, URL_VARIABLES, base_of
from thorp.models.embedded.cache import cache_directory, find_model, kept_models
from thorp.models.embedded.catalogue import DEFAULT, KNOWN, known_model
from thorp.models.embedded.process import EmbeddedModel, Endpoint
from thorp.models.embedded.settings import (
    CONTEXT_TOKENS,
    LEAST_CONTEXT_TOKENS,
    MAX_CONTEXT_TOKENS,
    MAX_SLOTS,
    MAX_THREADS,
    THREADS,
    Settings,
)

if TYPE_CHECKING:  # it takes a while to import, and only `check` needs it
    from thorp.models.examination import Examined

app = Commands(help="Fetch, serve and examine language models of this machine.")

LOOK_SECONDS: Final = 0.5
# Prompts with all tools take 6,000 tokens, and the talk 6,000 more.
FULL_CONTEXT_TOKENS: Final = 12_000
SLOW_TOKENS_SECOND: Final = 100.0
"""Below this a prompt with all tools takes more than a minute."""

WhichModel = Annotated[str, argument("A known model, or a GGUF file.", "[NAME|PATH]")]


class ServeOptions(NamedTuple):
    """How a model is served."""

    port: Annotated[int, option("The port; 0 takes a free one.", min=0, max=65_535)] = 0
    context: Annotated[
        int,
        option(
            "The longest talk, in tokens.",
            "TOKENS",
            min=LEAST_CONTEXT_TOKENS,
            max=MAX_CONTEXT_TOKENS,
        ),
    ] = CONTEXT_TOKENS
    slots: Annotated[int, option("Talks that are computed at once.", min=1, max=MAX_SLOTS)] = 1
    threads: Annotated[
        int, option("Threads; on a busy machine one is faster.", min=1, max=MAX_THREADS)
    ] = THREADS
    adapter: Annotated[Path | None, option("A LoRA adapter of this model.", "FILE")] = None

    def settings(self, key: str | None) -> Settings:
        """These options as the child takes them."""
        return Settings(
            adapter=self.adapter,
            context_tokens=self.context,
            slots=self.slots,
            threads=self.threads,
            port=self.port,
            key=key,
        )


@app.command()
def get(
    name: Annotated[str, argument("A known model; `thorp model list` names them.")] = DEFAULT,
    source: Annotated[
        Path | None,
        option(
            "Take it from this wheel or GGUF, not from the package index.", "FILE", name="--from"
        ),
    ] = None,
    again: Annotated[bool, option("Fetch it although it is here already.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Fetch a model into the cache of this user, by pip or uv, and check that it is the right one.

    The cache is $THORP_MODELS, else $XDG_CACHE_HOME/thorp/models, else ~/.cache/thorp/models.

    Example: thorp model get smollm2
    """
    from thorp.models.embedded.fetch import fetch_model

    model = known_model(name)
    say = (lambda line: None) if quiet else _complain
    with show_bytes(name, quiet=quiet) as progress:
        weights = fetch_model(model, source=source, again=again, progress=progress, say=say)
    answer: dict[str, Json] = {
        "name": name,
        "path": str(weights.path),
        "bytes": model.gguf_bytes,
        "sha256": model.gguf_sha256,
        "licence": model.licence,
    }
    print_answer(as_json, answer, f"{model.title} ({model.licence}): {weights.path}")


@app.command("list")
def list_models(as_json: AsJson = False) -> None:
    """List the known models, and which of them are on this machine.

    Example: thorp model list
    """
    here = {weights.name: weights.path for weights in kept_models()}
    rows: list[Json] = []
    for model in KNOWN.values():
        path = here.get(model.name)
        whole = path is not None and path.stat().st_size == model.gguf_bytes
        rows.append(
            {
                "name": model.name,
                "title": model.title,
                "licence": model.licence,
                "package": model.requirement,
                "bytes": model.gguf_bytes,
                "context": model.context_tokens,
                "path": None if path is None else str(path),
                "whole": whole,
            }
        )
    lines = []
    for model in KNOWN.values():
        path = here.get(model.name)
        where = "not here; `thorp model get` fetches it" if path is None else str(path)
        if path is not None and path.stat().st_size != model.gguf_bytes:
            where = f"damaged; `thorp model get {model.name}` replaces {path}"
        size = f"{model.gguf_bytes / 1e6:.0f} MB"
        lines.append(f"{model.name:<10} {size:>8}  {model.licence}  {model.title}: {where}")
    print_answer(as_json, {"cache": str(cache_directory()), "models": rows}, *lines)


@app.command()
def serve(
    options: ServeOptions,
    model: WhichModel = DEFAULT,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Serve a model on this machine as an OpenAI-compatible endpoint, until Ctrl-C.

    Prints its address and its key, which is new each time unless THORP_MODEL_KEY is set. Every
    command that asks a model takes them from the environment.

    Example: thorp model serve smollm2 --port 8190
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's & leaves it ignored
    key = os.environ.get("THORP_MODEL_KEY") or None
    with _opened(model, options.settings(key), quiet=quiet) as endpoint:
        if as_json:
            print_json({"url": endpoint.url, "key": endpoint.key, "model": endpoint.model})
        else:
            print(f"export THORP_MODEL_URL={endpoint.url}")
            print(f"export THORP_MODEL_KEY={shlex.quote(endpoint.key)}")
            print(f"# the model's name is {one_line(endpoint.model)}; Ctrl-C ends it", flush=True)
        while (trouble := endpoint.wait(LOOK_SECONDS)) is None:
            pass
        raise UnavailableError(trouble, code="model_gone")


@app.command()
def check(
    options: ServeOptions,
    target: Annotated[
        str | None,
        argument(
            "A known model, a GGUF file, or an endpoint; else $THORP_MODEL_URL.",
            "[NAME|PATH|URL]",
        ),
    ] = None,
    model: Annotated[
        str | None, option("The endpoint's model; by default its first.", "NAME")
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Say what a model or an endpoint can do, and which options of Thorp to use with it.

    Asks it seven short questions. Exit code 2 if it does not answer.

    Example: thorp model check http://127.0.0.1:11434/v1 --model qwen3:8b
    """
    target = target or next(
        (os.environ[name] for name in URL_VARIABLES if os.environ.get(name)), None
    )
    target = target or DEFAULT
    if target.startswith(("http://", "https://")):
        key = next((os.environ[name] for name in KEY_VARIABLES if name in os.environ), None)
        _examine(target, key or None, model, quiet=quiet, as_json=as_json)
        return
    if model is not None:
        raise InvalidError("--model is for an endpoint, given by its URL", code="usage")
    with _opened(target, options.settings(None), quiet=quiet) as endpoint:
        _examine(endpoint.url, endpoint.key, endpoint.model, quiet=quiet, as_json=as_json)


def _examine(url: str, key: str | None, model: str | None, *, quiet: bool, as_json: bool) -> None:
    from thorp.models.examination import Examiner

    say = (lambda line: None) if quiet else (lambda line: _complain(f"asking about {line}"))
    examination = Examiner(base_of(url), key, say=say).examine(model)
    advice = advise(examination)
    if as_json:
        print_json({"found": examination, "options": advice})
        return
    numbers = (
        ("context", examination.context_tokens, "tokens"),
        ("prompt", examination.prompt_tokens_second, "tokens a second"),
        ("reply", examination.reply_tokens_second, "tokens a second"),
    )
    print(f"{'model':<14} {make_label(examination.model, 80)}")
    for ability in ("tools", "json_schema", "probabilities", "grammar"):
        verdict = _VERDICTS[getattr(examination, ability)]
        print(f"{ability.replace('_', ' '):<14} {verdict}")
    for name, number, unit in numbers:
        words = "the endpoint does not say" if number is None else f"{number:,g} {unit}"
        print(f"{name:<14} {words}")
    for line in advice:
        print(f"use: {line}")


_VERDICTS: Final = {
    "yes": "yes",
    "ignored": "no: taken, and ignored",
    "refused": "no: refused",
    "unused": "taken; the model did not use it",
}


def advise(found: "Examined") -> list[str]:
    """The options of Thorp that suit an endpoint."""
    # An endpoint may call its models anything, and this line is made to be pasted into a shell.
    bots = f"thorp bots --agent {shlex.quote(f'model:{one_line(found.model)}')}"
    context = found.context_tokens
    speed = found.prompt_tokens_second or float("inf")
    lines = []
    if found.grammar == "yes" and found.probabilities == "yes":
        lines.append(f"{bots} --level choices")
    if found.tools in ("yes", "unused"):
        small = (
            context is not None and context < FULL_CONTEXT_TOKENS
        ) or speed < SLOW_TOKENS_SECOND
        lines.append(f"{bots} --level {'simple' if small else 'full'}")
    elif found.json_schema == "yes":
        lines.append(f"{bots} --level simple (its tools are put into the prompt)")
    if speed < SLOW_TOKENS_SECOND:
        lines.append("--reply-seconds 300, and --turn-seconds 300 in matches: it is slow")
    if context is not None and context < CONTEXT_TOKENS:
        lines.append(f"--history-tokens {context // 4}: its context is short")
    return lines or [f"{bots} --level simple --max-calls 20, and see whether its replies are used"]


@contextmanager
def _opened(text: str, settings: Settings, *, quiet: bool) -> Iterator[Endpoint]:
    """A model that is being served, with the progress of its loading."""
    weights = find_model(text)
    with ExitStack() as stack:
        with show_loading(weights.name, quiet=quiet) as waiting:
            endpoint = stack.enter_context(EmbeddedModel.open(weights, settings, waiting=waiting))
        yield endpoint


def _complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
