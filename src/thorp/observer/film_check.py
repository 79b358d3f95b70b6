"""Checks a film: whether it holds what it says, whether its script is known, and whether the
journal of its world gives the same.

A film is checked against a journal by making it again. Its buildings may be known from notes beside
the world, which are no part of the journal, and its story is a ledger of its own: where only these
differ, the film is as sound as the journal can tell.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp.bridges.chronicle import world_name
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.observer.film import PREFIX, Film, Scope, record
from thorp.pages.scripts import release_of
from thorp.store import Disk
from thorp.voxel.persistence.replay import Watch

# Documents that do not follow from the journal alone.
BESIDE: Final = ("buildings", "story")


class Verdict(msgspec.Struct, kw_only=True):
    """What was found out about a film."""

    world: str
    first: int
    last: int
    digest: str
    """That of the world after the last tick, as the film has it."""
    made_by: str
    """The release that made it, as it says."""
    script: str
    """The SHA-256 of its script."""
    script_release: str | None
    """The release that its script is of; None if it is of none that is known here."""
    compared: bool
    """Whether it was compared with a journal."""
    problems: list[str]
    notes: list[str]

    @property
    def verdict(self) -> str:
        """`sound`, `partly` if it was not compared with everything, or `not_sound`."""
        if self.problems:
            return "not_sound"
        return "sound" if self.compared and not self.notes else "partly"


def check_film(film: Film) -> Verdict:
    """Check a film by itself: its documents have the digests that it names, and its script is one
    that is known."""
    about = film.about
    script = sha256(film.page.script).hexdigest()
    release = release_of(film.page.script)
    problems = [_difference(film, name, digest) for name, digest in about.contents.items()]
    problems += [
        f"it has a part {name} that it does not name"
        for name in film.page.packed
        if name.removeprefix(PREFIX) not in about.contents
    ]
    ticks = [tick for tick, _ in about.digests]
    if ticks[:1] != [about.first - 1] or ticks[-1:] != [about.last]:
        problems.append("it does not say the digests before its first and after its last tick")
    if release is None:
        problems.append(
            "its script is not that of a release that is known here, so it may show anything"
        )
    return Verdict(
        world=about.world,
        first=about.first,
        last=about.last,
        digest=about.digests[-1][1] if about.digests else "",
        made_by=about.release,
        script=script,
        script_release=release,
        compared=False,
        problems=[problem for problem in problems if problem],
        notes=[],
    )


def _difference(film: Film, name: str, digest: str) -> str:
    """Why a document is not the one that the film names; empty if it is."""
    try:
        text = film.document(name)
    except DamagedError as problem:
        return problem.message
    if sha256(text).hexdigest() != digest:
        return f"its part {name} is not the one that it names"
    return ""


def compare(
    film: Film,
    disk: Disk,
    path: Path,
    verdict: Verdict,
    *,
    story: Mapping[str, Json] | None,
    watch: Watch = lambda _: None,
) -> None:
    """Make the same film again from the journal of a world directory, and add to the verdict where
    it differs. `story` is a page of the world's story, if there is one."""
    about = film.about
    name = world_name(disk, path)
    if name != about.world:
        raise IllegalError(
            f"{path}: this is the world {name}, and the film is of {about.world}; give the "
            "directory of that world",
            code="world",
        )
    scope = Scope(first=about.first, last=about.last, open_book=about.open_book)
    has_story = "story" in about.contents
    proved = None if about.proof is None else max(tick for tick, _ in about.digests)
    documents, again = record(
        disk,
        path,
        scope,
        story=story if has_story else None,
        proof=None if proved is None else (proved, ""),
        watch=watch,
    )
    verdict.compared = True
    ours = dict(again.digests)
    for tick, digest in about.digests:
        if ours.get(tick, digest) != digest:
            verdict.problems.append(
                f"after tick {tick} it has the digest {digest[:16]}…, and the journal gives "
                f"{ours[tick][:16]}…"
            )
            break
    for name in sorted({*documents, *about.contents}):
        if about.contents.get(name) == again.contents.get(name):
            continue
        if name == "story" and story is None:
            verdict.notes.append("there is no story here to compare its passages with")
        elif name in BESIDE:
            verdict.notes.append(f"its part {name} is not what is kept beside the journal")
        else:
            verdict.problems.append(f"its part {name} is not what the journal gives")
