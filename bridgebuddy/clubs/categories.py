"""To which categories of a club somebody belongs: the club's own words, with commas between, as a session has them."""

from __future__ import annotations

from collections.abc import Iterable

from .names import no_formula, one_line

#: of all of somebody's together
LENGTH = 80


def listed(text: str) -> list[str]:
    """Return the words of a list, each once, as they were written first.

    >>> listed(" Juniors, women ,juniors,, ")
    ['Juniors', 'women']
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        word = no_formula(one_line(part))
        if word:
            found.setdefault(word.casefold(), word)
    return list(found.values())


def together(*texts: str) -> str:
    """Return what several lists have, as one that there is room for.

    >>> together("juniors", "Women, Juniors")
    'juniors, Women'
    """
    found = ""
    for category in listed(",".join(texts)):
        longer = f"{found}, {category}" if found else category
        found = longer if len(longer) <= LENGTH else found
    return found


def has(text: str, category: str) -> bool:
    """Whether a list has a category, however it is written.

    >>> has("juniors, Women", "women"), has("juniors", "junior")
    (True, False)
    """
    return category.casefold() in (category.casefold() for category in listed(text))


def in_common(texts: Iterable[str]) -> list[str]:
    """Return what all of some lists have.

    >>> in_common(["Juniors, women", "women, seniors"]), in_common(["women", ""])
    (['women'], [])
    """
    first, *others = texts
    return [category for category in listed(first) if all(has(other, category) for other in others)]
