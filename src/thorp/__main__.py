"""`python -m thorp`, for where the `thorp` script is not on the path."""

from thorp.cli.main import main

main()
