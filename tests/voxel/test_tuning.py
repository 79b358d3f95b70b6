"""Tuning: the file, its defaults, and what is refused."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from thorp.kernel.errors import InvalidError
from thorp.voxel.load import MAX_TUNING_BYTES, load_tuning
from thorp.voxel.tuning import SHOWN_FIRST, RateLimits, Tuning, tuning_catalog

FILE = Path(__file__).parent.parent.parent / "src/thorp/voxel/data/tuning.yaml"
# Of the values that the protocol's first servers showed, in their order, with their defaults.
FIRST_DIGEST = "00e7d400329a692382c165ffa37fed6aef1640c219446ba15e6ba5ccb08b375b"


def written(tmp_path: Path, text: str | bytes) -> Path:
    file = tmp_path / "tuning.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_the_file_names_every_value_and_equals_the_defaults() -> None:
    assert load_tuning(FILE) == Tuning() == load_tuning(None)
    values = yaml.safe_load(FILE.read_text("utf-8"))
    assert list(values) == list(Tuning.__struct_fields__)
    assert list(values["rate_limits"]) == list(RateLimits.__struct_fields__)


def test_every_value_of_the_file_has_its_comment() -> None:
    lines = FILE.read_text("utf-8").splitlines()
    own = [line for line in lines if line and line[0] not in " #"]
    assert [line for line in own if " # " not in line] == []


def test_what_the_first_servers_showed_comes_first_and_hashes_as_it_did() -> None:
    shown = msgspec.to_builtins(tuning_catalog(Tuning()))
    assert list(shown)[: len(SHOWN_FIRST)] == list(SHOWN_FIRST)
    first = {name: shown[name] for name in SHOWN_FIRST}
    first["rate_limits"] = {
        name: value for name, value in first["rate_limits"].items() if "market" not in name
    }
    assert sha256(msgspec.json.encode(first)).hexdigest() == FIRST_DIGEST


def test_the_catalog_shows_everything_that_welcome_does_not() -> None:
    shown = tuning_catalog(Tuning())
    assert set(Tuning.__struct_fields__) - set(shown) == {"tick_rate_hz", "day_ticks", "obs_radius"}
    assert shown["claim_maintenance_cost"] == [
        {"item": "COAL", "count": 1},
        {"item": "IRON_INGOT", "count": 1},
    ]


def test_a_file_says_only_what_differs(tmp_path: Path) -> None:
    file = written(
        tmp_path, "obs_radius: 5\nrate_limits: {say_max: 9}\nstarter_items: {BREAD: 2}\n"
    )
    expected = Tuning(obs_radius=5, rate_limits=RateLimits(say_max=9), starter_items={"BREAD": 2})
    assert load_tuning(file) == expected


def test_what_is_usual_may_differ_and_the_file_still_wins(tmp_path: Path) -> None:
    usual: dict[str, Any] = {"shelter": True, "obs_radius": 9}
    file = written(tmp_path, "obs_radius: 5\n")
    assert load_tuning(file, usual) == Tuning(shelter=True, obs_radius=5)
    assert load_tuning(written(tmp_path, ""), usual) == load_tuning(None, usual) == Tuning(**usual)
    assert load_tuning(written(tmp_path, "shelter: false"), usual) == Tuning(obs_radius=9)


@pytest.mark.parametrize("text", ["", "# nothing\n", "{}"])
def test_an_empty_file_asks_for_nothing(tmp_path: Path, text: str) -> None:
    assert load_tuning(written(tmp_path, text)) == Tuning()


def test_values_that_are_fixed_here_may_be_named(tmp_path: Path) -> None:
    text = (
        'protocol_version: "0.9"\ntick_rate_hz: 10\ntick_duration_ms: 100\nchunk_size: [16, '
        "16, 64]\n"
    )
    assert load_tuning(written(tmp_path, text)) == Tuning(tick_rate_hz=10)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("obs_raduis: 5", "obs_raduis"),
        ("rate_limits: {say: 1}", r"say.*\$\.rate_limits"),
        ("obs_radius: 33", r"32.*\$\.obs_radius"),
        ("obs_radius: many", r"\$\.obs_radius"),
        ("obs_radius: 5.5", r"\$\.obs_radius"),
        ("obs_radius: true", r"\$\.obs_radius"),
        ("newcomers: anywhere", r"anywhere.*\$\.newcomers"),
        ("shelter: 1", r"\$\.shelter"),
        ("blueprint_ticks_per_block: -1", r"\$\.blueprint_ticks_per_block"),
        ("rate_limits: {say_max: 0}", r"\$\.rate_limits\.say_max"),
        ("fun_decay_base: .nan", r"fun_decay_base"),
        ("fun_decay_base: 0", r"fun_decay_base"),
        ("tick_rate_hz: 3", "must divide 1000"),
        ("season_length_ticks: 6001", "multiple of day_ticks"),
        ("starter_items: {GOLD: 1}", "GOLD, which is not an item"),
        ("claim_maintenance_cost: {GOLD: 1}", "GOLD, which is not an item"),
        ("starter_items: {COAL: -1}", "starter_items"),
        ("protocol_version: '1.0'", "protocol_version can only be '0.9'"),
        ("protocol_version: 0.9", "protocol_version can only be '0.9'"),
        ("tick_duration_ms: 100", "tick_duration_ms can only be 200"),
        ("chunk_size: [16, 16, 1]", "chunk_size can only be"),
        ("obs_radius: 5\nobs_radius: 6", "twice"),
        ("rate_limits: {say_max: 1, say_max: 2}", "twice"),
        ("- 5", "Expected `object`, got `array`"),
        ("just words", "Expected `object`, got `str`"),
        ("a: [", "not YAML"),
        ("a: !!python/object:os.system 1", "not YAML"),
        (b"\xff\xfe\xfd", "not YAML"),
        ("obs_radius: " + "9" * 5000, "not YAML"),
        ("obs_radius: 2001-13-45", "not YAML"),
        ("[" * 600, "nested too deeply"),
        ("# " + "x" * MAX_TUNING_BYTES, "at most 16384 bytes"),
    ],
)
def test_anything_else_is_refused_with_the_place_and_the_reason(
    tmp_path: Path, text: str | bytes, problem: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InvalidError, match=problem) as refused:
        load_tuning(file)
    assert str(file) in str(refused.value)
    assert refused.value.code == "tuning"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path, problem in ((tmp_path / "none.yaml", "No such file"), (tmp_path, "directory")):
        with pytest.raises(InvalidError, match=problem):
            load_tuning(path)


def test_aliases_cannot_make_a_small_file_large(tmp_path: Path) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60)]
    with pytest.raises(InvalidError, match="unknown field"):
        load_tuning(written(tmp_path, "\n".join(levels)))
