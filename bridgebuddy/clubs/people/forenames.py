"""Common first names, used to tell "Reid Renate" from "Renate Reid".

A name that is missing here causes at most a question. Its absence alone decides nothing.
"""

from importlib.resources import files

FORENAMES = frozenset((files(__package__) / "forenames.txt").read_text(encoding="utf-8").split())
