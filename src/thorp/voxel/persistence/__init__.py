"""World directories: their files, and how they are opened, proved and copied. See
`docs/world-keeping.md`."""

__all__: list[str] = []
