"""The exhibition as far as it goes without the packages of others; `make exhibition` has the rest."""

from __future__ import annotations

import subprocess
import sys

import pytest

from thorp.arena import exhibition
from thorp.arena.registry import agent_kinds, is_built_in, make_scenario, scenario_names
from thorp.kernel.errors import IllegalError, InvalidError


@pytest.mark.parametrize(
    ("name", "package"), [("open-spiel:chess", "pyspiel"), ("textarena:Nim-v0", "textarena")]
)
def test_without_its_package_a_game_is_refused_with_the_extra_to_install(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # As if it were not installed.
    exhibition.scenario_factory.cache_clear()
    extra = name.partition(":")[0]
    with pytest.raises(IllegalError, match=rf"pip install 'thorp\[{extra}\]'") as caught:
        make_scenario(name, {})
    assert caught.value.code == "extra"


def test_nothing_of_others_is_imported_before_it_is_asked_for() -> None:
    program = """
import sys
import thorp.arena.registry as registry
registry.scenario_names(), registry.agent_kinds("open-spiel:chess")
assert not {"pyspiel", "open_spiel", "textarena", "numpy.random"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_names_of_others_are_known_by_their_prefix_and_listed_nowhere() -> None:
    assert agent_kinds("open-spiel:chess") == agent_kinds("textarena:Nim-v0") == ["random"]
    assert is_built_in("open-spiel:chess", "random")
    assert not is_built_in("open-spiel:chess", "minimax")
    assert not any(":" in name for name in scenario_names())
    assert exhibition.bots_of("open-spiel") == {}
    for name in ("openspiel:chess", "chess:open-spiel", "open-spiel"):
        with pytest.raises((InvalidError, IllegalError)):
            make_scenario(name, {})
