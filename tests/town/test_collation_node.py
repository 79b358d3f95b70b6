"""The order of ids against ICU itself, as Node has it: every assigned character, and random
text."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from thorp.town.cognition.policy import SIGNALS, event_signal
from thorp.town.collation import root

pytestmark = pytest.mark.real("node")
PAIRS_PER_ALPHABET = 7_000

COMPARE = """
const answers = [];
for (const line of require('fs').readFileSync(0, 'utf8').split('\\n')) {
  if (!line) continue;
  const [one, other] = JSON.parse(line);
  answers.push(Math.sign(one.localeCompare(other, 'en')));
}
console.log(JSON.stringify(answers));
"""
CLASSES = """
const classes = {};
for (const name of JSON.parse(require('fs').readFileSync(0, 'utf8'))) {
  const pattern = new RegExp(`^\\\\p{${name}}$`, 'u');
  classes[name] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    if (pattern.test(String.fromCodePoint(code))) classes[name].push(code);
  }
}
console.log(JSON.stringify(classes));
"""
LOWER = """
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => text.toLowerCase())));
"""
VERSION = "console.log(process.versions.unicode)"

SCRIPTS = {
    "latin": ["Script=Latin"],
    "latin with marks": ["Script=Latin", "M"],
    "greek and cyrillic": ["Script=Greek", "Script=Cyrillic"],
    "greek and cyrillic with marks": ["Script=Greek", "Script=Cyrillic", "M"],
    "han": ["Script=Han"],
    "han, kana, hangul": ["Script=Han", "Script=Hiragana", "Script=Katakana", "Script=Hangul"],
    "arabic and hebrew": ["Script=Arabic", "Script=Hebrew"],
    "indic": [
        "Script=Devanagari",
        "Script=Bengali",
        "Script=Gurmukhi",
        "Script=Gujarati",
        "Script=Oriya",
        "Script=Tamil",
        "Script=Telugu",
        "Script=Kannada",
        "Script=Malayalam",
        "Script=Sinhala",
    ],
    "south-east asian": [
        "Script=Thai",
        "Script=Lao",
        "Script=Tibetan",
        "Script=Myanmar",
        "Script=Khmer",
        "Script=New_Tai_Lue",
        "Script=Tai_Viet",
        "Script=Balinese",
    ],
    "emoji": ["Extended_Pictographic", "Cf"],
    "punctuation, symbols, numbers": ["P", "S", "N"],
    "all assigned": ["Assigned"],
}


def node(script: str, given: str) -> Any:
    run = subprocess.run(
        ["node", "-e", script], input=given, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


def judged(pairs: Sequence[tuple[str, str]]) -> list[int]:
    answers: list[int] = node(COMPARE, "\n".join(json.dumps(pair) for pair in pairs))
    assert len(answers) == len(pairs)
    return answers


@cache
def classes() -> dict[str, list[int]]:
    needed = sorted({name for names in SCRIPTS.values() for name in names})
    found: dict[str, list[int]] = node(CLASSES, json.dumps(needed))
    return found


@cache
def tolerance() -> float:
    """The share of answers that may differ: none, unless this Node has another Unicode than the
    table."""
    return 0 if node(VERSION, "") == 17 else 0.05


@cache
def key(text: str) -> root.RootKey:
    return root.sort_key(text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))


def ours(one: str, other: str) -> int:
    return (key(one) > key(other)) - (key(one) < key(other))


def random_pair(chance: random.Random, pick: Callable[[], str]) -> tuple[str, str]:
    """Two texts: unrelated, or differing in one place, so that every level decides in its turn."""

    def character() -> str:
        return pick() if chance.random() < 0.8 else chance.choice("aAbB1 -")

    one = [character() for _ in range(chance.randrange(1, 6))]
    if chance.random() < 0.4:
        return "".join(one), "".join(character() for _ in range(chance.randrange(1, 6)))
    other = list(one)
    place = chance.randrange(len(other))
    change = chance.randrange(4)
    if change == 0:
        other[place] = character()
    elif change == 1:
        other.insert(place, character())
    elif change == 2:
        chance.shuffle(other)
    else:
        other[place] = other[place].swapcase()
    return "".join(one), "".join(other)


def agreed(pairs: list[tuple[str, str]]) -> None:
    misses = [
        pair for pair, answer in zip(pairs, judged(pairs), strict=True) if ours(*pair) != answer
    ]
    assert len(misses) <= tolerance() * len(pairs), (len(misses), misses[:5])


@pytest.mark.parametrize("alphabet", SCRIPTS)
def test_random_pairs(alphabet: str) -> None:
    chance = random.Random(alphabet)
    characters = [classes()[name] for name in SCRIPTS[alphabet]]
    agreed(
        [
            random_pair(chance, lambda: chr(chance.choice(chance.choice(characters))))
            for _ in range(PAIRS_PER_ALPHABET)
        ]
    )


@pytest.mark.parametrize("limit", [0x80, 0x10000, 0x34000, 0x110000])
def test_random_pairs_of_any_code_points_assigned_or_not(limit: int) -> None:
    chance = random.Random(limit)
    agreed(
        [
            random_pair(chance, lambda: chr(chance.randrange(limit)))
            for _ in range(PAIRS_PER_ALPHABET)
        ]
    )


def test_every_assigned_character_is_in_its_place() -> None:
    """In our order, Node says of each neighbour what we say; so it would say the same of any
    two."""
    rising = sorted([chr(code) for code in classes()["Assigned"]], key=key)
    assert len(rising) > 250_000
    agreed(list(pairwise(rising)))


def test_lower_casing_finds_the_same_words() -> None:
    words = [
        "RAID",
        "ghaST",
        "piglİn",
        "atta\u212a",
        "FAMINE",
        "scarcıty",
        "ΣΑΣ",
        "ΑΣ raid",
        "panİc",
        "FEAR",
    ]
    chance = random.Random(3)
    everything = [chr(code) for code in classes()["Assigned"]]
    texts = words + [
        "".join(chance.choices(everything, k=5)) + chance.choice(words) for _ in range(20_000)
    ]
    for text, lowered in zip(texts, node(LOWER, json.dumps(texts)), strict=True):
        for meter in SIGNALS:
            assert event_signal(meter, text) == event_signal(meter, lowered)
