"""Checks against the real packages of the exhibition: `make exhibition`. Not part of `make test`."""
