"""First names that are common where bridge is played: they tell "Reid Renate" from "Renate Reid".

A name that is missing here costs a question at most: nothing is decided by its absence alone.
"""

from importlib.resources import files

FORENAMES = frozenset((files(__package__) / "forenames.txt").read_text(encoding="utf-8").split())
