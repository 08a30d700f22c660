"""Categories of a club's people: the club's own words, separated by commas as in a session."""

from __future__ import annotations

from collections.abc import Iterable

from .names import one_line, remove_formula_start

#: most characters of all of a person's categories together
LENGTH = 80


def category_list(text: str) -> list[str]:
    """Return the player categories in a text with commas, each once, spelt as at their first occurrence.

    >>> category_list(" Juniors, women ,juniors,, ")
    ['Juniors', 'women']
    """
    words: dict[str, str] = {}
    for part in text.split(","):
        word = remove_formula_start(one_line(part))
        if word:
            words.setdefault(word.casefold(), word)
    return list(words.values())


def joined_categories(*texts: str) -> str:
    """Return all categories of several texts as one text with commas, as many as the database column holds.

    >>> joined_categories("juniors", "Women, Juniors")
    'juniors, Women'
    """
    text = ""
    for category in category_list(",".join(texts)):
        longer = f"{text}, {category}" if text else category
        text = longer if len(longer) <= LENGTH else text
    return text


def has_category(text: str, category: str) -> bool:
    """Return whether a list of categories includes `category`, ignoring case.

    >>> has_category("juniors, Women", "women"), has_category("juniors", "junior")
    (True, False)
    """
    return category.casefold() in (category.casefold() for category in category_list(text))


def shared_categories(texts: Iterable[str]) -> list[str]:
    """Return the categories that are in every list of `texts`.

    >>> shared_categories(["Juniors, women", "women, seniors"]), shared_categories(["women", ""])
    (['women'], [])
    """
    first, *others = texts
    return [
        category
        for category in category_list(first)
        if all(has_category(other, category) for other in others)
    ]
