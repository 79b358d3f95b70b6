"""A mind that chooses: what a small language model is told, and the options that it chooses from.

A model of a few hundred million parameters cannot write a plan, but it can choose. Each turn it is
told in a few lines how things are, and which options there are, each named by a letter; its answer
is one letter. Everything is read from observations as they come over the wire, so the same mind
lives in a world in process, on a server and in a match.
"""

from thorp.mind.notes import Notes
from thorp.mind.options import LETTERS, Menu, Option
from thorp.mind.prompt import RULES, describe
from thorp.mind.sight import Sight

__all__ = [
    "LETTERS",
    "RULES",
    "Menu",
    "Notes",
    "Option",
    "Sight",
    "describe",
]
