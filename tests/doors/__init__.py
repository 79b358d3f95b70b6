"""Doors tried against the real machinery of others: `make test-doors`, each in an environment of its
own, since what these packages need cannot live in one."""
