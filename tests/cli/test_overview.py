"""`thorp --help` and what the command line says of mistakes: whole sentences, in our words."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest
from typer.main import get_command

from tests.cli.command import refused, thorp
from thorp.cli import god
from thorp.cli.main import COMMANDS, EXAMPLES, GROUPS, SECTIONS, commands

MOST_COMMANDS = 24


def overview() -> str:
    return thorp("--help").stdout.decode()


def test_every_command_stands_under_one_heading() -> None:
    names = [name for names in SECTIONS.values() for name in names]
    assert sorted(names) == sorted({*GROUPS, *COMMANDS})
    assert len(names) <= MOST_COMMANDS
    assert sorted(get_command(commands()).commands) == sorted(names)  # type: ignore[attr-defined]


def test_the_help_begins_with_where_to_start_and_ends_with_examples() -> None:
    text = overview()
    headings = re.findall(r"^([A-Z].*):$", text, re.M)
    assert headings == [*SECTIONS, "Options", "Examples"]
    assert text.index("  up ") < text.index("  world ")
    assert text.rstrip().endswith(EXAMPLES)
    assert max(map(len, text.splitlines())) <= 80


def _groups(command: Any, path: str) -> list[tuple[str, Any]]:
    below = getattr(command, "commands", {})
    inner = [each for name, sub in below.items() for each in _groups(sub, f"{path} {name}")]
    return [(path, command), *inner] if below else inner


EVERY_GROUP = [*_groups(get_command(commands()), "thorp"), *_groups(get_command(god.app), "god")]


@pytest.mark.parametrize(("path", "group"), EVERY_GROUP, ids=[path for path, _ in EVERY_GROUP])
def test_no_description_is_cut(path: str, group: Any) -> None:
    from typer import Context

    text = group.get_help(Context(group, info_name=path))
    assert "..." not in text.replace("[ARGS]...", "")
    words = " ".join(text.split())
    for name, command in group.commands.items():
        first = " ".join((command.help or "").strip().partition("\n\n")[0].split())
        assert first, f"{path} {name} says nothing"
        assert f"{name} {first}" in words


@pytest.mark.parametrize("line", re.findall(r"^  (thorp .*?)(?:  .*)?$", EXAMPLES, re.M))
def test_the_examples_are_commands_with_options_that_exist(line: str) -> None:
    _, *words = shlex.split(line)
    names = [word for word in words if word.startswith("--")]
    called = list(take_names(get_command(commands()), words))
    text = thorp(*called, "--help").stdout.decode()
    assert all(name in text for name in names)


def take_names(group: Any, words: list[str]) -> list[str]:
    """The words that name a command."""
    names = []
    for word in words:
        group = getattr(group, "commands", {}).get(word)
        if group is None:
            break
        names.append(word)
    return names


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("up --seed abc", "Invalid value for '--seed': 'abc' is not a whole number. Try --help."),
        ("up --seed 1.5", "Invalid value for '--seed': '1.5' is not a whole number. Try --help."),
        (
            "up --port 70000",
            "Invalid value for '--port': 70000 is too large; it takes 65535 or less. Try --help.",
        ),
        (
            "world replay --to -5",
            "Invalid value for '--to': -5 is too small; it takes 0 or more. Try --help.",
        ),
        ("simulate --minutes x", "Invalid value for '--minutes': 'x' is not a number. Try --help."),
        (
            "simulate --minutes nan",
            "Invalid value for '--minutes': nan is too small; it takes 0 or more. Try --help.",
        ),
        (
            f"up --seed {2**53 + 1}",
            f"Invalid value for '--seed': {2**53 + 1} is too large; it takes {2**53} or less. "
            "Try --help.",
        ),
        (
            "token create --role king",
            "Invalid value for '--role': 'king' is not one of 'agent', 'viewer', 'operator', "
            "'admin'. Try --help.",
        ),
        (
            "token create",
            "Missing option '--role'. Choose from: agent, viewer, operator, admin. Try --help.",
        ),
        ("up 1 2", "Got unexpected extra argument(s) (1 2). Try --help."),
        ("wrold", "No such command 'wrold'. Did you mean 'world'? Try --help."),
    ],
)
def test_a_wrong_argument_is_one_line_in_our_words(arguments: str, line: str) -> None:
    assert refused(thorp(*arguments.split())).strip() == f"thorp: {line}"


def test_a_hostile_argument_is_one_short_line() -> None:
    told = refused(thorp("up", "--seed", "x\n\x1b[31m" + "y" * 5_000))
    assert told.count("\n") == 1
    assert len(told) < 200
    assert "\x1b" not in told


def _options(command: Any, path: str) -> list[tuple[str, str]]:
    below = getattr(command, "commands", {})
    if below:
        return [each for name, sub in below.items() for each in _options(sub, f"{path} {name}")]
    from typer import Context

    context = Context(command, info_name=path)
    records = [parameter.get_help_record(context) for parameter in command.params]
    return [(f"{path} {names}", words) for names, words in filter(None, records)]


def test_bounds_are_told_in_words_and_only_where_they_say_something() -> None:
    options = dict(_options(get_command(commands()), "thorp"))
    options |= _options(get_command(god.app), "god")
    for words in options.values():
        assert "<=" not in words
        assert ">=" not in words
        assert "9007199254740" not in words
    assert options["thorp up --port <int>"].startswith("The port; 0 takes a free one. (0 to 65535)")


def test_the_budgets_of_a_run_and_of_an_agent_say_which_is_which() -> None:
    text = " ".join(thorp("bots", "--help").stdout.decode().split())
    assert "--max-calls <int> The most calls of models in the whole run." in text
    assert "--agent-calls <int> The most calls of each agent." in text
