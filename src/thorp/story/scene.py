"""Scene windows: opens the window of a beat, and rebuilds one that is nearly full.

A window belongs to one view. It begins with an anchor; entries that the view sees from then on, and
what tools returned, are added to it. It is replaced as a whole:

    no window yet                  an anchor from the latest evidence
    usage at or past the threshold a rehydration pack and a new anchor, before any writer is called
    a scene change was asked for   a new anchor; its window opens with the next beat
    else                           the window as it is

Only the usage triggers a rebuild, never a text, and never in the middle of a beat. Building from
excerpts always succeeds, and leaves the new window less than half full.

Anchors, rehydrations and their replays are natural language. An entry must be natural language as a
whole before a piece of it is cut out and framed, and the text that is put together is judged again.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.capsules import Capsules
from thorp.story.config import StoryConfig
from thorp.story.contracts.packs import SEPARATOR, read_anchor, read_rehydration
from thorp.story.contracts.validation import why_not_prose
from thorp.story.excerpts import latest_that_fit
from thorp.story.ids import IdGenerator
from thorp.story.instants import instant_text
from thorp.story.retrieval import Retrieval, TimeSpan
from thorp.story.storage import EntryRow, SceneWindow
from thorp.story.writer.calls import WriterCalls
from thorp.story.writer.moment import Setting, WindowPiece

CANDIDATES: Final = 100
"""The latest entries that a scene is built from; those that there is room for are kept."""
REPLAY_ENTRIES: Final = 3  # The last entries, which say how things physically stand.
REPLAY_PEOPLE: Final = 3
"""People who were written last, and whose capsules a replay has. More would have too little
room."""
CORRECTION_LIMIT: Final = 2
"""A provider's count is taken for at most this many times our estimate. A rebuilt window takes a
quarter by estimate, so even then it is at most half full, and is not rebuilt with every beat."""

TOOL_AUTHOR: Final = "ANSWER"  # The author of what a tool returned, in a writer's window.

Frame = Callable[[EntryRow, int], str]  # Shows an entry within a number of characters.


def _by_its_author(row: EntryRow, chars: int) -> str:
    """The text with its author's name; the world's own voice without one."""
    frame = f'{row.author_id} told: ""'
    if row.channel == "VOICE" or len(frame) >= chars:
        return row.text[:chars]
    return f'{frame[:-1]}{row.text[: chars - len(frame)]}"'


class Evidence(msgspec.Struct, frozen=True):
    """A text made from the ledger, and the entries it comes from."""

    text: str
    entry_ids: tuple[str, ...]
    capsule_ids: tuple[str, ...] = ()


class OpenedWindow(msgspec.Struct, frozen=True):
    """The window of a beat, and the packs that were made for it."""

    window: SceneWindow
    anchor: dict[str, Json] | None = None
    rehydration: dict[str, Json] | None = None


class Scenes(msgspec.Struct, frozen=True):
    """Makes the windows and anchors of one beat."""

    _config: StoryConfig
    _request_id: str
    _created_at: str
    _beat: int
    _ids: IdGenerator
    _retrieval: Retrieval
    _capsules: Capsules
    _calls: WriterCalls

    def open(self, window: SceneWindow | None, view: str | None, place: int) -> OpenedWindow:
        """The window that a beat begins with: the stored one, or a new one."""
        if window is not None:
            window = self._caught_up(window, view, place)
            if not needs_rebuilding(window_usage(window), self._config):
                return OpenedWindow(window)
        context = self._config.context
        # An eighth for the anchor, and an eighth for the replay of a rebuilt window: a quarter.
        room = context.chars(context.threshold) // 8
        latest = self._retrieval.latest(view, limit=CANDIDATES)
        evidence = self._worded(self._excerpts(latest, room, view), room)
        anchor_id = self._ids.anchor(self._beat, 0)
        anchor = self._anchor(anchor_id, evidence)
        if window is None:
            return OpenedWindow(window_of_anchor(anchor, place, self._config), anchor)
        rehydration_id = self._ids.rehydration(self._beat)
        replay = self._replay(view, room)
        pack = {
            "rehydration_id": rehydration_id,
            "request_id": self._request_id,
            "created_at_world": self._created_at,
            "text": evidence.text,
            "physical_continuity_replay": replay.text,
            "provenance": {
                "used_entry_ids": list(dict.fromkeys([*evidence.entry_ids, *replay.entry_ids])),
                "used_capsule_ids": list(replay.capsule_ids),
            },
            "trigger": {"kind": "TOKEN_BUDGET", "threshold": context.label},
        }
        read_rehydration(pack, self._config)
        used = self._config.context.units(evidence.text) + self._config.context.units(replay.text)
        return OpenedWindow(
            SceneWindow(
                anchor_id=anchor_id,
                rehydration_id=rehydration_id,
                place=place,
                counted=place,
                used=used,
            ),
            anchor,
            pack,
        )

    def _caught_up(self, window: SceneWindow, view: str | None, place: int) -> SceneWindow:
        """The window with entries counted that beats of other views have added since its own last
        beat."""
        if window.counted >= place:
            return window
        rows = self._since(view, window.counted)
        used = window.used + sum(self._config.context.units(row.text) for row in rows)
        return msgspec.structs.replace(window, counted=place, used=used)

    def _since(self, view: str | None, place: int) -> list[EntryRow]:
        """The entries that a view sees after a place; no more than a window could hold."""
        limit = self._config.context.threshold
        return self._retrieval.since(view, place, limit=limit)

    def setting(
        self, window: SceneWindow, view: str | None, anchor: str, replay: str | None
    ) -> Setting:
        """The window as a writer reads it: its head, then entries and tool results in their
        order."""
        rows = self._since(view, window.place)
        pieces = [
            WindowPiece(row.author_id, row.channel, instant_text(row.instant), row.text)
            for row in rows
        ]
        for place, text in reversed(window.results):
            pieces.insert(place - window.place, WindowPiece(TOOL_AUTHOR, "RESULT", "", text))
        return Setting(anchor, replay, tuple(pieces))

    def private_of(self, window: SceneWindow, view: str, head: dict[str, Json]) -> list[EntryRow]:
        """The private entries that a window contains; `head` is the pack that it begins with."""
        rows = self._since(view, window.place)
        in_results = [
            each for _, text in window.results for each in entry_ids_of(msgspec.json.decode(text))
        ]
        ids = [*head["provenance"]["used_entry_ids"], *in_results]
        return [*filter(_is_private, rows), *self.private_among(view, ids)]

    def private_among(self, view: str, entry_ids: Sequence[str]) -> list[EntryRow]:
        """The private ones among these entries."""
        hits = self._retrieval.get(view, entry_ids, limit=len(entry_ids))
        return [each.row for each in hits if _is_private(each.row)]

    def build_anchor(
        self,
        number: int,
        reader: str | None,
        query: str,
        *,
        limit: int,
        window: TimeSpan,
        author: str | None,
    ) -> dict[str, Json]:
        """Build an anchor for a changed scene, from the entries that a query finds; if there are
        none, from the latest. `number` counts the anchors of the beat."""
        hits = self._retrieval.search(reader, query, limit=limit, window=window, author=author)
        rows = sorted((each.row for each in hits), key=lambda row: row.seq)
        rows = rows or self._retrieval.latest(reader, limit=limit, window=window, author=author)
        room = self._config.context.chars(self._config.context.threshold) // 8
        anchor_id = self._ids.anchor(self._beat, number)
        return self._anchor(anchor_id, self._excerpts(rows, room, reader))

    def _anchor(self, anchor_id: str, evidence: Evidence) -> dict[str, Json]:
        pack: dict[str, Json] = {
            "scene_anchor_id": anchor_id,
            "request_id": self._request_id,
            "created_at_world": self._created_at,
            "text": evidence.text,
            "provenance": {"used_entry_ids": list(evidence.entry_ids)},
        }
        read_anchor(pack, self._config)
        return pack

    def _excerpts(
        self,
        rows: list[EntryRow],
        room: int,
        view: str | None,
        each: int | None = None,
        frame: Frame = lambda row, chars: row.text[:chars],
    ) -> Evidence:
        """Excerpts of the latest rows that are natural language, oldest first. If there are none, a
        sentence of the configuration: one for a view that sees no entry at all, another for a still
        scene."""
        limit = min(self._config.tools.max_excerpt_chars, each or room)
        pieces = ((row, frame(row, limit)) for row in reversed(rows) if self._has_prose(row))
        kept = latest_that_fit((pair for pair in pieces if self._is_prose(pair[1])), room)
        text = SEPARATOR.join(piece for _, piece in kept)
        if kept and self._is_prose(text):
            return Evidence(text, tuple(row.entry_id for row, _ in kept))
        context = self._config.context
        is_still = self._retrieval.latest(view, limit=1)
        return Evidence(context.still_scene if is_still else context.empty_scene, ())

    def _replay(self, view: str | None, room: int) -> Evidence:
        """How things physically stand: the last entries, and capsules of the people who were
        written last."""
        rows = self._retrieval.latest(view, limit=CANDIDATES)
        each = max(1, room // 2 // REPLAY_ENTRIES - len(SEPARATOR))
        last = self._excerpts(rows[-REPLAY_ENTRIES:], room // 2, view, each, _by_its_author)
        people = dict.fromkeys(
            row.author_id for row in reversed(rows) if row.author_class == "PERSON"
        )
        chars = room // 2 // REPLAY_PEOPLE - len(SEPARATOR)
        text = last.text
        entries = [*last.entry_ids]
        capsules = []
        for person in list(people)[:REPLAY_PEOPLE]:
            frame = f"{person} has shown: "
            room_left = max(1, chars - len(frame))
            capsule = self._capsules.build(person, view, room_left, prose_only=True)
            [section] = capsule["sections"]
            longer = f"{text}{SEPARATOR}{frame}{section['text']}"
            if section["text"] and len(longer) <= room and self._is_prose(longer):
                text = longer
                entries += section["provenance"]["used_entry_ids"]
                capsules.append(capsule["capsule_id"])
        return Evidence(text, tuple(entries), tuple(capsules))

    def _has_prose(self, row: EntryRow) -> bool:
        """Whether an entry is natural language as a whole, not only the piece that is shown."""
        return self._is_prose(row.text)

    def _is_prose(self, text: str) -> bool:
        return why_not_prose(text, self._config.phrases) is None

    def _worded(self, evidence: Evidence, room: int) -> Evidence:
        """The evidence in the writer's words, if it is asked for them and gives acceptable prose;
        else unchanged."""
        if not self._config.context.summarise or not evidence.entry_ids:
            return evidence
        for _ in range(self._config.context.max_attempts):
            text = self._calls.summarise(evidence.text.split(SEPARATOR))
            if text is not None and len(text) <= room and self._is_prose(text):
                return Evidence(text, evidence.entry_ids)
        return evidence


def entry_ids_of(answer: dict[str, Json]) -> list[str]:
    """The ids of the entries that a tool's answer quotes."""
    capsule = answer.get("capsule")
    anchor = answer.get("scene_anchor")
    parts = [*(capsule["sections"] if capsule else ()), *([anchor] if anchor else ())]
    ids = [each["entry_id"] for each in answer.get("results", ())]
    return ids + [each for part in parts for each in part["provenance"]["used_entry_ids"]]


def _is_private(row: EntryRow) -> bool:
    return row.scope != "PUBLIC"


def window_after_beat(
    window: SceneWindow, place: int, texts: list[str], results: list[str], config: StoryConfig
) -> SceneWindow:
    """The window after a beat: with the new entries that its view sees, and what tools returned
    under this view."""
    used = window.used + sum(map(config.context.units, (*texts, *results)))
    counted = place + len(texts)
    kept = (*window.results, *[(counted, text) for text in results])
    return msgspec.structs.replace(window, counted=counted, used=used, results=kept)


def with_token_count(window: SceneWindow, tokens: tuple[int, int] | None) -> SceneWindow:
    """The window with the estimated and the counted tokens of its last prompt."""
    if tokens is None:
        return window
    return msgspec.structs.replace(window, estimated=tokens[0], measured=tokens[1])


def window_of_anchor(anchor: dict[str, Json], place: int, config: StoryConfig) -> SceneWindow:
    """The window that a changed scene opens."""
    return SceneWindow(
        anchor_id=anchor["scene_anchor_id"],
        rehydration_id=None,
        place=place,
        counted=place,
        used=config.context.units(anchor["text"]),
    )


def needs_rebuilding(used: int, config: StoryConfig) -> bool:
    """Whether a window is nearly full."""
    return used >= config.context.threshold


def window_usage(window: SceneWindow) -> int:
    """The size of a window in units: our estimate, scaled by what the provider counted for the last
    prompt.

    It is never less than the estimate, so that a provider that counts too little cannot prevent a
    rebuild.
    """
    if not (window.estimated and window.measured):
        return window.used
    counted = max(window.estimated, min(window.measured, window.estimated * CORRECTION_LIMIT))
    return -(-window.used * counted // window.estimated)
