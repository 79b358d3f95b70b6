"""The commands `thorp`, `god` and `python -m thorp`. An unsupported system gets one sentence
instead."""

import sys


def _require_system() -> None:
    if sys.platform == "win32" or sys.version_info < (3, 11):
        here = f"Python {sys.version_info[0]}.{sys.version_info[1]} on {sys.platform}"
        needs = "thorp needs Python 3.11 or newer on Linux or macOS (on Windows, use WSL)"
        print(f"{needs}; this is {here}", file=sys.stderr)
        sys.exit(2)


def main() -> None:
    """Run `thorp`, where this system can."""
    _require_system()
    from thorp.cli.address_space import out_of_memory_in_one_line

    with out_of_memory_in_one_line():
        from thorp.cli.main import main

        main()


def god() -> None:
    """Run `god`, where this system can."""
    _require_system()
    from thorp.cli.address_space import out_of_memory_in_one_line

    with out_of_memory_in_one_line():
        from thorp.cli.main import god

        god()


if __name__ == "__main__":
    main()
