"""Finding oneself in the list of pairs, and in the ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from bridgebuddy.clubs.models import folded
from bridgebuddy.events.queries.games import Contestant
from bridgebuddy.scoring.queries.counted import Standing
from movements.words.sentences import plain_label

LONGEST_SEARCH = 80
#: how many are named who could be meant, and how alike a word of theirs must be to what was typed
MOST_NAMED, ALIKE = 6, 0.7


@dataclass(frozen=True)
class Meant:
    """Whose lines of a ranking somebody could mean, and whether their names are what was typed."""

    lines: Sequence[Standing]
    is_exact: bool


def meant(typed: str, lines: Sequence[Standing]) -> Meant:
    """Return the lines that fit what was typed, or else those whose names are most like it."""
    if not folded(typed):
        return Meant((), True)
    exact = [line for line in lines if fits(line.contestant, typed, line.section)]
    if exact:
        return Meant(exact[:MOST_NAMED], True)
    words = {line.who: _words(" ".join(line.contestant.everybody)) for line in lines}
    known = sorted(set().union(*words.values()))
    near = {
        close
        for part in _split(folded(typed))
        for close in get_close_matches(part, known, n=MOST_NAMED, cutoff=ALIKE)
    }
    return Meant([line for line in lines if words[line.who] & near][:MOST_NAMED], False)


def fits(contestant: Contestant, typed: str, letter: str = "") -> bool:
    """Return whether a contestant has the typed number, or a name (a team's too) with words that begin as typed.

    Where there are several sections the number may have the letter of theirs before it. Substitutes are
    found in every round, and so is whose place they have. Accents, case and punctuation do not matter;
    nothing typed fits everybody.
    """
    wanted = folded(typed)
    if not wanted:
        return True
    called = [contestant.short, contestant.slug, contestant.label]
    called += [f"{letter}{name}" for name in called] if letter else []
    numbers = {"".join(folded(name).split()) for name in called}
    if numbers & {"".join(folded(text).split()) for text in (typed, plain_label(typed))}:
        return True
    team = [contestant.surnames] if contestant.halves else []
    words = _words(" ".join([*team, *contestant.everybody]))
    parts = _split(wanted)
    return bool(parts) and all(any(word.startswith(part) for word in words) for part in parts)


def _words(names: str) -> set[str]:
    """The words one may search by: "O'Neill" by "oneill" and by "neill"."""
    whole = folded(names)
    return {re.sub(r"\W", "", word) for word in whole.split()} | set(_split(whole))


def _split(text: str) -> list[str]:
    return re.findall(r"\w+", text)
