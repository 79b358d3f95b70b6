"""The rules of people: land, organisations, laws, trade, contracts, seasons. See
`docs/society-land.md`."""

__all__: list[str] = []
