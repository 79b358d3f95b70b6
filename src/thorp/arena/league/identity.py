"""Who an agent is: the model and the harness, by the digest of what ran.

What ran is a value: of a bot its kind and the version of Thorp, of a file its SHA-256 and class, of
a model its name, the version of the prompt and the settings, of a command or an address its text.
The embedded model has weights of its own, and an adapter that comes with a version of Thorp.
Seats with the same digest are one entrant, whatever they are called.
"""

from typing import Final, Literal

import msgspec

from thorp import __version__
from thorp.arena.contract import Level, Limits
from thorp.arena.external.spec import BotSpec, FileSpec, LocalSpec, ModelSpec, parse_spec
from thorp.kernel.canonical import Json
from thorp.kernel.identity import content_id
from thorp.models.embedded import KNOWN
from thorp.models.recording import VERSION as PROMPT_VERSION

HARNESS: Final = "thorp-minimal"
"""Our fixed harness: the prompt of `thorp.arena.external.model_agents`, one request a turn."""

Track = Literal["minimal", "open"]


class Identity(msgspec.Struct, frozen=True):
    """An entrant: its own name if it has one (a bot's kind, a model's name), its version, what ran,
    and its track. `code_known` is false if nothing here says what a command or address runs."""

    digest: str
    name: str | None
    version: str | None
    track: Track
    ran: dict[str, Json]
    code_known: bool


def make_identity(
    spec_text: str,
    code: str | None,
    limits: Limits,
    level: Level | msgspec.UnsetType = msgspec.UNSET,
) -> Identity:
    """The identity of a seat, from its spec, the SHA-256 of its file, the limits it had, and how it
    was asked where that was said."""
    spec = parse_spec(spec_text)
    if isinstance(spec, BotSpec):
        ran: dict[str, Json] = {"kind": "bot", "bot": spec.kind, "thorp": __version__}
        return _identity(ran, name=spec.kind, version=__version__)
    if isinstance(spec, ModelSpec):
        settings = msgspec.to_builtins(limits)
        ran = {
            "kind": "model",
            "model": spec.model,
            "harness": HARNESS,
            "prompt": PROMPT_VERSION,
            "settings": settings,
        }
        if level is not msgspec.UNSET:
            ran["level"] = level
        version = f"{HARNESS} {PROMPT_VERSION}"
        if not isinstance(spec, LocalSpec):
            return _identity(ran, name=spec.model, version=version, track="minimal")
        ran["local"] = _local_model(spec)
        name = f"{spec.model}:{spec.name}" if spec.name else spec.model
        has_known_weights = not spec.name or spec.name in KNOWN
        return _identity(
            ran, name=name, version=version, track="minimal", code_known=has_known_weights
        )
    if isinstance(spec, FileSpec):
        ran = {"kind": "file", "class": spec.class_name, "sha256": code}
        if code is None:
            ran["path"] = spec.path
        return _identity(ran, name=None, version=code and code[:12], code_known=code is not None)
    return _identity({"kind": spec.kind, "spec": spec_text}, name=None, code_known=False)


def _local_model(spec: LocalSpec) -> dict[str, Json]:
    """What runs behind `local`: known weights by their digest, and the adapter by the version of
    Thorp that it came with. Of any other file only the path is known here."""
    if not spec.name:
        (weights, *_) = KNOWN.values()
        return {"weights": weights.gguf_sha256, "adapter": __version__}
    model = KNOWN.get(spec.name)
    return {"path": spec.name} if model is None else {"weights": model.gguf_sha256}


def _identity(
    ran: dict[str, Json],
    *,
    name: str | None,
    version: str | None = None,
    track: Track = "open",
    code_known: bool = True,
) -> Identity:
    return Identity(
        digest=content_id("agent_", ran),
        name=name,
        version=version,
        track=track,
        ran=ran,
        code_known=code_known,
    )
