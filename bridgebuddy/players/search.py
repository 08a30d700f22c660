"""Search for a contestant in the list of pairs and in the ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bridgebuddy.clubs.models import searchable
from bridgebuddy.events.queries.plan.games import Contestant
from bridgebuddy.scoring.snapshot.counted import RankedContestant
from movements.words.sentences import plain_label

LONGEST_SEARCH = 80
#: the most similar contestants that are listed, and the least similarity of their words
MOST_NAMED, ALIKE = 6, 0.7


@dataclass(frozen=True)
class SearchMatches:
    """The ranking rows that match a searched name, and whether they match exactly."""

    lines: Sequence[RankedContestant]
    is_exact: bool


def matching_rows(text: str, lines: Sequence[RankedContestant]) -> SearchMatches:
    """Return the ranking rows that match a typed name or number, else those with the most similar names."""
    if not searchable(text):
        return SearchMatches((), True)
    exact = [line for line in lines if fits_text(line.contestant, text, line.section)]
    if exact:
        return SearchMatches(exact[:MOST_NAMED], True)
    words = {
        line.contestant_key: _searchable_words(" ".join(line.contestant.all_names))
        for line in lines
    }
    known_words = sorted(set().union(*words.values()))
    near = {
        close
        for part in _split_words(searchable(text))
        for close in get_close_matches(part, known_words, n=MOST_NAMED, cutoff=ALIKE)
    }
    return SearchMatches(
        [line for line in lines if words[line.contestant_key] & near][:MOST_NAMED], False
    )


def fits_text(contestant: Contestant, typed_text: str, letter: str = "") -> bool:
    """Return whether a typed text matches a contestant: its number, or the beginnings of words in its names.

    Team names count too. With several sections the number may follow the section's letter.
    Substitutes and the players they replace are found in every round. Accents, case and punctuation
    are ignored; empty text matches all.
    """
    wanted = searchable(typed_text)
    if not wanted:
        return True
    called = [contestant.short, contestant.slug, contestant.label]
    called += [f"{letter}{name}" for name in called] if letter else []
    numbers = {"".join(searchable(name).split()) for name in called}
    if numbers & {
        "".join(searchable(text).split()) for text in (typed_text, plain_label(typed_text))
    }:
        return True
    team = [contestant.surnames] if contestant.halves else []
    words = _searchable_words(" ".join([*team, *contestant.all_names]))
    parts = _split_words(wanted)
    return bool(parts) and all(any(word.startswith(part) for word in words) for part in parts)


def _searchable_words(names: str) -> set[str]:
    """Return the words of names in their form for searching: "O'Neill" as "oneill" and "neill"."""
    whole = searchable(names)
    return {re.sub(r"\W", "", word) for word in whole.split()} | set(_split_words(whole))


def _split_words(text: str) -> list[str]:
    """Return the words of a text."""
    return re.findall(r"\w+", text)
