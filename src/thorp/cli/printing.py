"""How commands print: a JSON document for programs, or lines for people."""

import sys

import msgspec

from thorp.kernel.canonical import insertion_bytes


def print_json(value: object) -> None:
    """One line of JSON in UTF-8, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(insertion_bytes(msgspec.to_builtins(value)) + b"\n")
    sys.stdout.buffer.flush()


def print_answer(as_json: bool, value: object, *lines: str) -> None:
    """The value as JSON, or lines that say the same to people."""
    if as_json:
        print_json(value)
    else:
        for line in lines:
            print(line)


def print_unchecked(self_check: str | None) -> None:
    """Say so if the database could not be made to check itself."""
    if self_check is None:
        print("the database did not check itself: PostgreSQL can with `CREATE EXTENSION amcheck`")
