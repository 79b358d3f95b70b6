"""A film holds what a page would have been told of a stretch of a world, is checked by making it
again, and has nothing private in it."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import struct
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.observer.filmed import LAST, make_village
from thorp.bridges.chronicle.passages import passages
from thorp.bridges.voxel_town import new_city_world
from thorp.cli.own_story import OwnStory
from thorp.kernel.errors import DamagedError, IllegalError, LimitError
from thorp.observer import film as films
from thorp.observer.film import ABOUT, PREFIX, Film, Scope, make_film, read_film
from thorp.observer.film_check import check_film, compare
from thorp.observer.tape import Tape
from thorp.observer.tape_rebuild import rebuild
from thorp.pages.scripts import FILM, read_script
from thorp.pages.standalone import StandalonePage, make_page, single_page, take_apart
from thorp.store import RealDisk
from thorp.story import open_ledger
from thorp.voxel import WorldService, fork
from thorp.voxel.persistence import record
from thorp.voxel.persistence.replay import History

FIRST, END = 300, 620
DISK = RealDisk()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"))


def told(data: Path, first: int = FIRST, last: int = END) -> dict[str, Any]:
    with open_ledger(data, create=False) as ledger:
        return passages(OwnStory(ledger), "PUBLIC", first, last)


@pytest.fixture(scope="module")
def film(data: Path) -> Film:
    scope = Scope(first=FIRST, last=END)
    return make_film(DISK, data / "world", scope, story=told(data))


def document(film: Film, name: str) -> Any:
    return json.loads(film.document(name))


def test_a_film_has_the_ticks_it_was_asked_for_and_no_others(film: Film) -> None:
    assert document(film, "state")["playable"] == [[FIRST, END]]
    segments = [document(film, f"tape/{n}") for n in (1, 2)]
    assert [(each["first"], each["last"]) for each in segments] == [(FIRST, 499), (500, END)]
    marks = document(film, "marks")["marks"]
    assert marks
    assert all(FIRST <= mark["tick"] <= END for mark in marks)
    assert all(FIRST <= each["tick"] <= END for each in document(film, "treasuries"))
    assert all(each["tick"] <= END for each in document(film, "elections"))


def test_its_segments_are_those_of_the_tape(data: Path, tmp_path: Path) -> None:
    """A film of whole segments has the same bytes as the tape that the page plays."""
    made = make_film(DISK, data / "world", Scope(first=250, last=499))
    tape = Tape(tmp_path, "this world")
    rebuild(tape, DISK, data / "world", new_city_world)
    kept = tape.segment(1)
    tape.close()
    assert kept is not None
    assert made.document("tape/1") == gzip.decompress(kept)


def test_its_ground_is_that_of_the_world_before_its_first_tick(data: Path, film: Film) -> None:
    history = History.begin(DISK, data / "world", new_city_world, at_most=FIRST - 1)
    world = history.go(to_tick=FIRST - 1)
    ground = film.document(f"ground/{FIRST - 1}")
    size = 8 + 16 * 16 * 64
    assert len(ground) % size == 0
    for at in range(0, len(ground), size):
        key = struct.unpack_from("<ii", ground, at)
        assert ground[at + 8 : at + size] == world.ground.look(*key)
    agent = next(iter(world.agents))
    assert struct.pack("<ii", agent.x >> 4, agent.z >> 4) in ground
    digests = dict(film.about.digests)
    assert digests[FIRST - 1] == world.digest()
    assert sorted(digests) == [FIRST - 1, 499, END]


def test_the_same_stretch_gives_the_same_bytes(data: Path, film: Film) -> None:
    again = make_film(DISK, data / "world", Scope(first=FIRST, last=END), story=told(data))
    assert again.html == film.html


def test_what_is_private_is_in_it_only_if_that_was_asked_for(data: Path, film: Film) -> None:
    assert document(film, "society")["open_book"] is False
    assert not [name for name in film.about.contents if name.startswith("private/")]
    world = History.begin(DISK, data / "world", new_city_world, at_most=END).go(to_tick=END)
    tokens = [agent.token for agent in world.agents if agent.token]
    assert tokens
    whole = b"".join(film.document(name) for name in film.about.contents)
    assert b"pockets" not in whole
    assert not any(each in whole or each.hex().encode() in whole for each in tokens)
    opened = make_film(DISK, data / "world", Scope(first=600, last=END, open_book=True))
    assert "pockets" in document(opened, "private/2")["private"][0][1]


def test_it_has_the_passages_that_end_within_it(data: Path, film: Film) -> None:
    spans = document(film, "story")["ticks"].values()
    assert spans
    assert all(FIRST <= span["last"] <= END for span in spans)
    assert told(data, 1, LAST)["ticks"].keys() > document(film, "story")["ticks"].keys()
    assert document(film, "story")["pocket"]["is_available"] is False


def test_a_film_is_checked_by_making_it_again(data: Path, film: Film) -> None:
    verdict = check_film(read_film(film.html))
    assert (verdict.verdict, verdict.problems) == ("partly", [])
    compare(film, DISK, data / "world", verdict, story=told(data))
    assert (verdict.verdict, verdict.problems, verdict.notes) == ("sound", [], [])
    assert verdict.digest == film.about.digests[-1][1]


def forged(film: Film, **documents: bytes) -> Film:
    """The film with other documents, which names them as its own."""
    about = msgspec.structs.replace(
        film.about,
        contents={
            **film.about.contents,
            **{
                name.replace("_", "/"): sha256(text).hexdigest() for name, text in documents.items()
            },
        },
    )
    packed = dict(film.page.packed)
    for name, text in documents.items():
        packed[PREFIX + name.replace("_", "/")] = gzip.compress(text, mtime=0)
    page = StandalonePage(
        film.page.title, film.page.script, {ABOUT: msgspec.json.encode(about)}, packed
    )
    return read_film(page.html())


def test_other_events_are_found(data: Path, film: Film) -> None:
    """Not by the film itself, which is forged throughout, but by the journal."""
    segment = film.document("tape/1").replace(b'"name":"Bram"', b'"name":"Brom"')
    assert segment != film.document("tape/1")
    liar = forged(film, tape_1=segment)
    verdict = check_film(liar)
    assert verdict.problems == []
    compare(liar, DISK, data / "world", verdict, story=told(data))
    assert verdict.problems == ["its part tape/1 is not what the journal gives"]
    assert verdict.verdict == "not_sound"


def test_another_story_is_named_and_does_not_count_against_the_journal(
    data: Path, film: Film
) -> None:
    story = film.document("story").replace(b'"text":"', b'"text":"Once upon a time, ')
    liar = forged(film, story=story)
    verdict = check_film(liar)
    compare(liar, DISK, data / "world", verdict, story=told(data))
    assert verdict.verdict == "partly"
    assert verdict.notes == ["its part story is not what is kept beside the journal"]


def test_another_digest_is_found(data: Path, film: Film) -> None:
    about = msgspec.structs.replace(film.about, digests=[*film.about.digests[:-1], (END, "0" * 64)])
    texts = {ABOUT: msgspec.json.encode(about)}
    liar = read_film(msgspec.structs.replace(film.page, texts=texts).html())
    verdict = check_film(liar)
    compare(liar, DISK, data / "world", verdict, story=told(data))
    assert any(f"after tick {END}" in problem for problem in verdict.problems)


def test_the_journal_of_another_world_is_refused(data: Path, film: Film) -> None:
    texts = {ABOUT: msgspec.json.encode(msgspec.structs.replace(film.about, world="0" * 16))}
    other = read_film(msgspec.structs.replace(film.page, texts=texts).html())
    with pytest.raises(IllegalError) as refused:
        compare(other, DISK, data / "world", check_film(other), story=None)
    assert refused.value.code == "world"


def test_a_document_that_is_not_the_one_named_is_found(film: Film) -> None:
    packed = {**film.page.packed, f"{PREFIX}marks": gzip.compress(b"{}", mtime=0)}
    packed[f"{PREFIX}more"] = gzip.compress(b"{}", mtime=0)
    verdict = check_film(read_film(msgspec.structs.replace(film.page, packed=packed).html()))
    assert verdict.problems == [
        "its part marks is not the one that it names",
        f"it has a part {PREFIX}more that it does not name",
    ]


def test_a_document_that_unpacks_to_too_much_is_found(
    film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(films, "MAX_DOCUMENT_BYTES", 1_000)
    assert "more than 1000 bytes" in check_film(film).problems[0]


def test_a_script_that_no_release_has_is_said(film: Film) -> None:
    page = msgspec.structs.replace(film.page, script=film.page.script + b"alert(1)")
    verdict = check_film(read_film(page.html()))
    assert verdict.script_release is None
    assert "its script is not that of a release" in verdict.problems[0]
    assert check_film(film).script_release is not None


DAMAGE = {
    "more after it": lambda html: html + b"<script>alert(1)</script>",
    "a script in its head": lambda html: html.replace(b"<head>", b"<head><script>1</script>", 1),
    "a looser policy": lambda html: html.replace(b"default-src 'none'", b"default-src *", 1),
    "an image in a document": lambda html: html.replace(
        b'id="film/about">', b'id="film/about"><img src="x">', 1
    ),
    "cut short": lambda html: html[:-20],
    "not base64": lambda html: re.sub(rb'(id="film/marks">)....', rb"\1!!!!", html),
    "twice the same": lambda html: re.sub(
        rb'(<script type="application/gzip" id="film/marks">[^<]*</script>\n)', rb"\1\1", html
    ),
    "empty": lambda html: b"",
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_file_that_has_anything_else_in_it_is_no_film(film: Film, how: str) -> None:
    damaged = DAMAGE[how](film.html)
    assert damaged != film.html
    with pytest.raises(DamagedError):
        read_film(damaged)


def test_a_page_of_a_match_is_no_film_and_can_be_taken_apart() -> None:
    page = single_page("A match <b> & more", log=b'{"name":"</script><img>"}\n')
    with pytest.raises(DamagedError, match="no film"):
        read_film(page)
    parts = take_apart(page)
    assert parts.title == "A match <b> & more"
    assert b"<img" not in page.replace(parts.script, b"")
    assert json.loads(parts.texts["log"]) == {"name": "</script><img>"}


def test_a_film_of_another_format_is_refused(film: Film) -> None:
    texts = {ABOUT: film.page.texts[ABOUT].replace(b'"film":1', b'"film":2')}
    with pytest.raises(IllegalError) as refused:
        read_film(msgspec.structs.replace(film.page, texts=texts).html())
    assert refused.value.code == "film_format"


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [(0, 10, "range"), (20, 10, "range"), (600, LAST + 1, "range"), (1, 70_000, "film_too_long")],
)
def test_a_stretch_that_cannot_be_shown_is_refused(
    data: Path, first: int, last: int, code: str
) -> None:
    with pytest.raises((IllegalError, LimitError)) as refused:
        make_film(DISK, data / "world", Scope(first=first, last=last))
    assert refused.value.code == code


def test_a_film_above_the_limit_is_refused_with_advice(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(films, "MAX_BYTES", 100_000)
    with pytest.raises(LimitError, match="choose a shorter stretch") as refused:
        make_film(DISK, data / "world", Scope(first=690, last=LAST))
    assert refused.value.code == "film_too_large"


def test_making_a_film_writes_nothing(data: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(data, tmp_path / "copy")
    before = {path: path.read_bytes() for path in sorted(copy.rglob("*")) if path.is_file()}
    make_film(DISK, copy / "world", Scope(first=690, last=LAST))
    assert {path: path.read_bytes() for path in sorted(copy.rglob("*")) if path.is_file()} == before


def test_in_a_notebook_a_film_stands_in_a_frame_that_may_run_its_script_only(film: Film) -> None:
    shown = film._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts" ')
    assert "<script" not in shown


def test_the_script_of_films_holds_no_end_of_itself() -> None:
    script = read_script(FILM)
    assert b"</script" not in script.lower()
    assert take_apart(make_page("A film", FILM, {"about": b"{}"}).html()).script == script


def test_a_film_of_a_fork_begins_with_the_fork(data: Path, tmp_path: Path) -> None:
    """And so does one of a fork of a fork; what was before is in the film of the original."""
    source = data
    for name, at in (("fork", 430), ("fork of it", 610)):
        into = tmp_path / name
        fork(DISK, source / "world", at, into / "world", make_world=new_city_world)
        with WorldService.open(DISK, into / "world", make_world=new_city_world) as service:
            while service.world.tick < 640:
                service.tick([]).result()
        made = make_film(DISK, into / "world", Scope(first=at + 1, last=630))
        verdict = check_film(read_film(made.html))
        compare(made, DISK, into / "world", verdict, story=None)
        assert verdict.verdict == "sound"
        with pytest.raises(IllegalError, match=f"the journal begins with tick {at + 1}") as refused:
            make_film(DISK, into / "world", Scope(first=at, last=630))
        assert refused.value.code == "range"
        source = into


def test_a_world_of_another_release_is_refused_by_the_name_of_that(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "RULES", record.RULES + 1)
    with pytest.raises(IllegalError, match=r"which thorp 0\.1\.0 can replay") as refused:
        make_film(DISK, data / "world", Scope(first=600, last=620))
    assert "\n" not in refused.value.message


def test_a_directory_without_a_world_is_refused(tmp_path: Path) -> None:
    (tmp_path / "world").mkdir()
    for path in (tmp_path / "world", tmp_path / "nothing"):
        with pytest.raises(IllegalError, match="there is no world here"):
            make_film(DISK, path, Scope(first=1, last=9))
