"""A private entry is quoted to nobody but its readers: not in other letters, and not in pieces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.story.world import WatchedWriter, World, bundle, entry, question
from thorp.story import Person, StoryConfig, open_ledger
from thorp.story.config import Writing
from thorp.story.quotation import Hearing

SECRET = "The lantern hides a brass key."
CONFIG = StoryConfig(
    people=(Person("REBECCA"), Person("WREN")), ids="sequential", writing=Writing(max_attempts=1)
)
MIXING, ACCEPTED = "REJECTED VIEW_MIXING", "ACCEPTED"


def verdict(home: Path, secret: str, *entries: Any) -> str:
    """What acceptance says of a bundle by the only reader of a secret, who has just found it."""
    found = question("", tool="CAPSULE_GET", actor="REBECCA", person="REBECCA")
    writer = WatchedWriter([bundle(entry(secret, to=["REBECCA"])), found, bundle(*entries)])
    with World(open_ledger(home, CONFIG, writer), writer) as world:
        world.send("")
        world.send("")
        return world.outcome()


@pytest.mark.parametrize(
    ("secret", "said", "expected"),
    [
        (
            SECRET,
            "The l\u0430nt\u0435rn hid\u0435s \u0430 br\u0430ss k\u0435y.",
            MIXING,
        ),  # Cyrillic
        (
            SECRET,
            "The \u217cantern hides \u03b1 br\u03b1ss key.",
            MIXING,
        ),  # a Roman numeral and Greek
        (
            SECRET,
            "THE \u13de\u13aaNT\u13acRN HID\u13ac\u13da A BRA\u13da\u13da K\u13acY.",
            MIXING,
        ),  # Cherokee
        (SECRET, "The Iantern hides a brass key.", MIXING),  # a capital I
        (SECRET, "The l\u00e1ntern hides a brass k\u00e9y.", MIXING),  # accents
        (SECRET, "The lantem hides a brass key.", MIXING),  # m for rn
        (
            "\U0001f5dd\ufe0f \u2b06 \u2b06 \u2b07",
            "She draws \U0001f5dd \u2b06\u2b06, then \u2b07.",
            MIXING,
        ),
        ("\U0001f5dd", "Look: \U0001f5dd!", MIXING),
        (".- -... -.-. -..", "It knocks: .- -... -.-. -.. and stops.", MIXING),
        ("4711-0815", "Try 4711 0815.", MIXING),
        ("...", "She waits...", ACCEPTED),
        ("?!", "What?! No.", ACCEPTED),
        (SECRET, "There is brass in the lamp.", ACCEPTED),
        ("no", "I know.", ACCEPTED),
    ],
)
def test_a_secret_in_other_letters_or_without_any_is_a_secret(
    tmp_path: Path, secret: str, said: str, expected: str
) -> None:
    assert verdict(tmp_path, secret, entry(said)) == expected


PIECES = {
    "cut in two": ["The lantern hides", "a brass key."],
    "letter by letter": list(SECRET),
    "with other words between": ["The lantern hides, she says.", "It rains.", "It is a brass key!"],
    "in another order": ["A brass key, says she.", "The lantern hides it."],
}


@pytest.mark.parametrize("how", PIECES)
def test_a_secret_in_pieces_over_the_entries_of_a_bundle_is_refused(
    tmp_path: Path, how: str
) -> None:
    said = [entry(text) for text in PIECES[how] if text.strip()]
    assert verdict(tmp_path, SECRET, *said) == MIXING


def test_pieces_count_for_each_reader_who_hears_them_all(tmp_path: Path) -> None:
    first, second = PIECES["cut in two"]
    apart = [entry(first, to=["WREN"]), entry(second, to=["GEORGE"])]
    assert verdict(tmp_path / "1", SECRET, *apart) == ACCEPTED, "nobody hears both"
    together = [entry(first, to=["WREN"]), entry(second)]
    assert verdict(tmp_path / "2", SECRET, *together) == MIXING, "Wren hears what everybody does"
    hers = [entry(first, to=["REBECCA"]), entry(second)]
    assert verdict(tmp_path / "3", SECRET, *hers) == ACCEPTED, "she knows it already"
    alike = [entry("The lantern is cold."), entry("A key turns."), entry("There is brass.")]
    assert verdict(tmp_path / "4", SECRET, *alike) == ACCEPTED, "the same words are no quotation"


def test_a_short_secret_cannot_be_spelled(tmp_path: Path) -> None:
    assert verdict(tmp_path / "1", "Oak", entry("O"), entry("ak")) == MIXING
    assert verdict(tmp_path / "2", "Oak", entry("A soak."), entry("She nods.")) == ACCEPTED


def test_many_long_secrets_are_compared_in_a_moment() -> None:
    """Each text is cut up once, however many secrets there are."""
    hearing = Hearing([f"Line {number} of a long report. " * 20 for number in range(32)])
    secrets = [f"Of {number} things nobody was ever told a word. " * 20 for number in range(500)]
    assert not any(hearing.quotes(secret) for secret in secrets)
