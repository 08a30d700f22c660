"""The people of a roster, in the forms that lists use."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

from bridgebuddy.clubs.models import searchable
from bridgebuddy.clubs.people.forenames import FORENAMES
from bridgebuddy.clubs.people.names import split_name

#: least similarity of two names, from 0 to 1, that may be one person's
ALIKE, FEW_LETTERS = 0.85, 3
MOST_COMPARED = 60  # of a roster, with one name


@dataclass
class RosterNames:
    """The names on a club's roster, indexed in the forms that lists of entries use."""

    names: Sequence[str] = ()
    #: people in the section already, folded
    here: frozenset[str] = frozenset()
    #: people with a number of a federation or the club, by its digits
    by_number: Mapping[str, str] = field(default_factory=dict)

    def name_of_number(self, number: str, name: str) -> str:
        """Return the roster name with this member number, if it shares a word with the given name; or ""."""
        name_there = self.by_number.get("".join(filter(str.isdigit, number)), "")
        return (
            name_there
            if set(searchable(name_there).split()) & set(re.split(r"[ ,.]+", searchable(name)))
            else ""
        )

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Return the roster's names by their searchable form (lower case, without accents)."""
        return {searchable(name): name for name in self.names}

    @cached_property
    def by_surname(self) -> dict[str, list[str]]:
        """Return the roster's names by searchable surname."""
        names: defaultdict[str, list[str]] = defaultdict(list)
        for name in self.names:
            names[searchable(split_name(name)[1])].append(name)
        return names

    @cached_property
    def by_word(self) -> dict[str, list[str]]:
        """Return the roster's names by each word in them."""
        names: defaultdict[str, list[str]] = defaultdict(list)
        for name in self.names:
            for word in searchable(name).split():
                names[word].append(name)
        return names

    @cached_property
    def forenames(self) -> frozenset[str]:
        """Return the first names that occur on the roster."""
        return frozenset(searchable(split_name(name)[0]).split(" ")[0] for name in self.names)

    def is_forename(self, words: str) -> bool:
        """Return whether the first of these words is a first name on the roster."""
        first = (searchable(words).split() or [""])[0]
        parts = [part for part in first.split("-") if part]
        is_known = first in self.forenames
        return is_known or (bool(parts) and all(part in FORENAMES for part in parts))

    def alike(self, name: str) -> str:
        """Return a roster name that differs from `name` only by a likely typing error; empty if there is none."""
        whole = searchable(name)
        near = {full_name for word in whole.split() for full_name in self.by_word.get(word, ())}
        fits = sorted(near, key=lambda full_name: (abs(len(full_name) - len(name)), full_name))[
            :MOST_COMPARED
        ]
        others = {searchable(fit): fit for fit in fits if abs(len(fit) - len(name)) <= FEW_LETTERS}
        closest = get_close_matches(whole, others, n=1, cutoff=ALIKE)
        return others[closest[0]] if closest else ""
