"""Finding oneself in the list of pairs."""

from __future__ import annotations

import re

from bridgebuddy.clubs.models import folded
from bridgebuddy.events.queries.games import Contestant
from movements.words.sentences import plain_label

LONGEST_SEARCH = 80


def fits(contestant: Contestant, typed: str, letter: str = "") -> bool:
    """Whether somebody's number is what was typed, or their names have words that begin so.

    Where there are several sections the number may have the letter of theirs before it. Substitutes are
    found in every round, and so is whose place they have. Accents, case and punctuation do not matter;
    nothing typed fits everybody.
    """
    wanted = folded(typed)
    if not wanted:
        return True
    called = [contestant.short, contestant.slug, contestant.label]
    called += [f"{letter}{one}" for one in called] if letter else []
    numbers = {"".join(folded(one).split()) for one in called}
    if numbers & {"".join(folded(one).split()) for one in (typed, plain_label(typed))}:
        return True
    words = _words(" ".join(contestant.everybody))
    parts = _split(wanted)
    return bool(parts) and all(any(word.startswith(part) for word in words) for part in parts)


def _words(names: str) -> set[str]:
    """The words one may search by: "O'Neill" by "oneill" and by "neill"."""
    whole = folded(names)
    return {re.sub(r"\W", "", word) for word in whole.split()} | set(_split(whole))


def _split(text: str) -> list[str]:
    return re.findall(r"\w+", text)
