"""Finds writers by name: those that come with Thorp, and those that installed packages bring.

An entry point in group `thorp.writers` is called with the story's configuration and returns a
`thorp.story.writer.Writer`. A story whose writer is not installed can still be opened and read;
only that writer's beats fail.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from itertools import repeat
from typing import Final

from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.story.config import StoryConfig
from thorp.story.writer.moment import Writer, WriterFailure
from thorp.story.writer.offline import OfflineWriter, ScriptedWriter

WRITER_GROUP: Final = "thorp.writers"
BUILT_IN_WRITERS: Final[dict[str, Callable[[StoryConfig], Writer]]] = {
    "offline": lambda config: OfflineWriter(),
    "model": lambda config: _model(config),
    "scripted": lambda config: ScriptedWriter(),
}


def writer_names() -> list[str]:
    """Every writer that can be named, sorted."""
    return sorted({*BUILT_IN_WRITERS, *(point.name for point in entry_points(group=WRITER_GROUP))})


def make_writer(name: str, config: StoryConfig) -> Writer:
    """Make the writer of that name. One that comes with Thorp cannot be replaced. Refuses an
    unknown name."""
    factory = BUILT_IN_WRITERS.get(name) or _load(name)
    if factory is None:
        names = ", ".join(writer_names())
        raise InvalidError(f"unknown writer {name!r}; known: {names}", code="unknown_writer")
    writer = factory(config)
    if not isinstance(writer, Writer):
        raise InvalidError(f"entry point {name!r} of {WRITER_GROUP} makes no Writer", code="writer")
    return writer


def writer_or_absent(name: str, config: StoryConfig) -> Writer:
    """The writer of that name; if it is not installed here, one whose every call fails."""

    def absent(_: object) -> WriterFailure:
        return WriterFailure(f"there is no writer {name!r} here", code="unknown_writer")

    try:
        return make_writer(name, config)
    except InvalidError as problem:
        if problem.code != "unknown_writer":
            raise
        return ScriptedWriter(repeat(absent), summaries=repeat(absent), name=name)


def _model(config: StoryConfig) -> Writer:
    # Imported here, because it loads an HTTP client, which only its users should pay for.
    from thorp.story.writer.model import ModelWriter

    return ModelWriter(config)


def _load(name: str) -> Callable[[StoryConfig], Writer] | None:
    """The factory that an installed package has for a writer; None if no package has one."""
    for point in entry_points(group=WRITER_GROUP, name=name):
        try:
            factory: Callable[[StoryConfig], Writer] = point.load()
        except ThorpError:
            raise
        except Exception as failure:
            raise IllegalError(
                f"{name}: its package does not load ({type(failure).__name__}: {failure}); mend "
                "or remove it",
                code="entry_point",
            ) from failure
        return factory
    return None
