"""Processes that end with the one that started them, however that ends."""

__all__: list[str] = []
