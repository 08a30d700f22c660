"""What a person's name is made of: first names, and a surname with what belongs to it."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

#: words that belong to the surname behind them: "van den Berg", "de la Cruz"
PARTICLES = frozenset(
    [
        "af",
        "am",
        "d'",
        "da",
        "dal",
        "dalla",
        "de",
        "dei",
        "del",
        "della",
        "den",
        "der",
        "des",
        "di",
        "do",
        "dos",
        "du",
        "el",
        "het",
        "la",
        "las",
        "le",
        "lo",
        "los",
        "'t",
        "te",
        "ten",
        "ter",
        "tot",
        "van",
        "vande",
        "vanden",
        "vander",
        "vom",
        "von",
        "zu",
        "zum",
        "zur",
    ]
)
COUPLE = 2
#: words behind a surname that belong to it
SUFFIXES = frozenset(
    ["jr", "jr.", "jun", "jun.", "junior", "sr", "sr.", "sen", "sen.", "senior", "ii", "iii", "iv"]
)


#: signs that turn around what stands beside them, on every page that shows it
TURNS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
#: what nobody sees beside what Unicode calls formats: fillers, joiners, selectors of a variant
UNSEEN = frozenset(
    map(
        chr,
        [
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ],
    )
)


def as_written(text: str) -> str:
    """Return what somebody typed without the signs that would turn around its neighbours.

    >>> as_written("Anna\u202e Brandt")
    'Anna Brandt'
    """
    return text.translate(TURNS)


def no_formula(text: str) -> str:
    """Return a text without a beginning that spreadsheets take for a formula's.

    >>> no_formula("=@Bridge-Club")
    'Bridge-Club'
    """
    return text.lstrip("=+-@ ")


def one_line(text: str) -> str:
    """Return what somebody typed on a line, with one space between its words.

    >>> one_line("  Anna   Brandt ")
    'Anna Brandt'
    """
    return " ".join(as_written(text).split())


def is_seen(letter: str) -> bool:
    """Whether a letter takes part in what is read and searched."""
    return unicodedata.category(letter) != "Cf" and letter not in UNSEEN


#: how Unicode calls the letters of scripts that have the surname first
SURNAME_FIRST = ("CJK ", "HANGUL ", "HIRAGANA ", "KATAKANA ", "BOPOMOFO ")


def split_name(name: str) -> tuple[str, str]:
    """Return first names and surname of a name written as one speaks it.

    A Chinese, Japanese or Korean name begins with its surname and is short: it stays whole.

    >>> split_name("Jan van den Berg"), split_name("Maria de la Cruz")
    (('Jan', 'van den Berg'), ('Maria', 'de la Cruz'))
    >>> split_name("Elisabeth Müller-Lüdenscheidt"), split_name("van den Berg"), split_name("Cher")
    (('Elisabeth', 'Müller-Lüdenscheidt'), ('', 'van den Berg'), ('', 'Cher'))
    >>> split_name("김 민수")
    ('', '김 민수')
    """
    words = name.split()
    if words and unicodedata.name(words[0][0], "").startswith(SURNAME_FIRST):
        return "", " ".join(words)
    first = len(words) - 1
    while first > 0 and words[first].casefold() in SUFFIXES:
        first -= 1
    while first > 0 and words[first - 1].casefold() in PARTICLES:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])


def surname_of(name: str) -> str:
    """Return what a small place shows of a name."""
    return split_name(name)[1] or name


def short_names(names: Sequence[str]) -> list[str]:
    """Return what a small place shows of people who stand beside each other: nobody's twice.

    Surnames, with the initial where one is there twice (a couple), with all first names where that is, too.

    >>> short_names(["Hanna Brandt", "Ruth Klein", "Otto Klein"])
    ['Brandt', 'R. Klein', 'O. Klein']
    >>> short_names(["Anna Klein", "Andreas Klein", "Klein"])
    ['Anna Klein', 'Andreas Klein', 'Klein']
    """
    surnames = [surname_of(name) for name in names]
    twice = {one for one, count in Counter(surnames).items() if count > 1}
    for write in (surname_of, _with_initial):
        written = [
            write(name) if surname in twice else surname
            for name, surname in zip(names, surnames, strict=True)
        ]
        if len({one.casefold() for one in written}) == len(written):
            return written
    return [name if one in twice else one for name, one in zip(names, surnames, strict=True)]


def told_apart(names: Iterable[str]) -> dict[str, str]:
    """Return what a small place shows of everybody of a room, by name: two people never the same.

    >>> told_apart(["Hanna Brandt", "Ruth Klein", "Otto Klein", "Olga Klein"])
    {'Hanna Brandt': 'Brandt', 'Ruth Klein': 'R. Klein', 'Otto Klein': 'Otto Klein', 'Olga Klein': 'Olga Klein'}
    """
    by_surname: defaultdict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(names):
        by_surname[surname_of(name).casefold()].append(name)
    found = {}
    for group in by_surname.values():
        written = Counter(_with_initial(name).casefold() for name in group)
        for name in group:
            short = _with_initial(name)
            is_alone = written[short.casefold()] == 1
            found[name] = surname_of(name) if len(group) == 1 else short if is_alone else name
    return found


def together(names: Sequence[str], shorts: Sequence[str] = ()) -> str:
    """Return people in a line, a couple's surname once; `shorts` is how each is written, if not in full.

    >>> together(["Ruth Klein", "Otto Klein"]), together(["Ruth Klein", "Max Ott"])
    ('Ruth & Otto Klein', 'Ruth Klein & Max Ott')
    >>> together(["Ruth Klein", "Otto Klein"], ["R. Klein", "O. Klein"])
    'R. & O. Klein'
    """
    return " & ".join(parts_of(names, shorts))


def parts_of(names: Sequence[str], shorts: Sequence[str] = ()) -> list[str]:
    """Return the same for a place where a line should end between people."""
    written = list(shorts or names)
    surnames = {surname_of(name) for name in names}
    surname = next(iter(surnames), "")
    is_couple = len(names) == COUPLE and len(surnames) == 1
    if is_couple and all(one.endswith(f" {surname}") for one in written):
        written[0] = written[0].removesuffix(f" {surname}")
    return written


def _with_initial(name: str) -> str:
    first, last = split_name(name)
    return f"{first[0]}. {last}" if first else last


def surname_first(name: str) -> str:
    """Return a name as lists have it.

    >>> surname_first("Hanna Maria Brandt"), surname_first("Jan van den Berg"), surname_first("Cher")
    ('Brandt, Hanna Maria', 'van den Berg, Jan', 'Cher')
    """
    first, last = split_name(name)
    return f"{last}, {first}" if first else last or name
