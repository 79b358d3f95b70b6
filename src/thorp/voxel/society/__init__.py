"""The rules of people: land, organisations, laws, trade, contracts, seasons. See `docs/society.md`."""

__all__: list[str] = []
