"""A world directory: its files, and opening, proving and copying it. See
`docs/world-keeping.md`."""

__all__: list[str] = []
