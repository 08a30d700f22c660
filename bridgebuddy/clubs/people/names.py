"""The parts of a person's name: first names, and a surname with its particles."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

#: words that belong to the following surname: "van den Berg", "de la Cruz"
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
#: words that belong to the preceding surname
SUFFIXES = frozenset(
    ["jr", "jr.", "jun", "jun.", "junior", "sr", "sr.", "sen", "sen.", "senior", "ii", "iii", "iv"]
)


#: characters that reverse the text beside them, on every page
TURNS = dict.fromkeys([0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
#: invisible characters apart from Unicode's formats: fillers, joiners, variation selectors
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


def clean_text(text: str) -> str:
    """Return a typed text without the control characters that change the writing direction around it.

    >>> clean_text("Anna\u202e Brandt")
    'Anna Brandt'
    """
    return text.translate(TURNS)


def remove_formula_start(text: str) -> str:
    """Return a text without the first characters that a spreadsheet takes for a formula.

    >>> remove_formula_start("=@Bridge-Club")
    'Bridge-Club'
    """
    return text.lstrip("=+-@ ")


def one_line(text: str) -> str:
    """Return a typed text with single spaces in place of line breaks and repeated spaces.

    >>> one_line("  Anna   Brandt ")
    'Anna Brandt'
    """
    return " ".join(clean_text(text).split())


def is_visible_letter(letter: str) -> bool:
    """Return whether a character is a visible letter, so that people can read and search it."""
    return unicodedata.category(letter) != "Cf" and letter not in UNSEEN


#: Unicode names of the letters of scripts with the surname first
SURNAME_FIRST = ("CJK ", "HANGUL ", "HIRAGANA ", "KATAKANA ", "BOPOMOFO ")


def is_surname_first(name: str) -> bool:
    """Return whether a name is in a script that puts the surname first (Chinese, Japanese, Korean)."""
    return unicodedata.name(name.strip()[:1] or " ", "").startswith(SURNAME_FIRST)


def split_name(name: str) -> tuple[str, str]:
    """Return the first names and the surname of a full name in spoken order.

    A Chinese, Japanese or Korean name begins with its surname and is short: it stays whole.

    >>> split_name("Jan van den Berg"), split_name("Maria de la Cruz")
    (('Jan', 'van den Berg'), ('Maria', 'de la Cruz'))
    >>> split_name("Elisabeth Müller-Lüdenscheidt"), split_name("van den Berg"), split_name("Cher")
    (('Elisabeth', 'Müller-Lüdenscheidt'), ('', 'van den Berg'), ('', 'Cher'))
    >>> split_name("김 민수")
    ('', '김 민수')
    """
    words = name.split()
    if is_surname_first(name):
        return "", " ".join(words)
    first = len(words) - 1
    while first > 0 and words[first].casefold() in SUFFIXES:
        first -= 1
    while first > 0 and words[first - 1].casefold() in PARTICLES:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])


#: Korean surnames of two syllables; all others have one
LONG_SURNAMES = frozenset(["남궁", "독고", "동방", "사공", "서문", "선우", "제갈", "황보"])
MOST_SYLLABLES = 4  # for a Korean name written as one word


def parts_that_identify(name: str) -> list[str]:
    """Return the parts of a name that identify the person in a sentence or a team's name, longest first.

    Initials, lower-case particles and suffixes identify no person. A surname counts however short it is.

    >>> parts_that_identify("Mei Li"), parts_that_identify("Hanna M. van den Berg")
    (['Mei', 'Li'], ['Hanna', 'Berg'])
    >>> parts_that_identify("J F Müller-Lüdenscheidt jr."), parts_that_identify("Sona O")
    (['Müller-Lüdenscheidt', 'Lüdenscheidt', 'Müller'], ['Sona', 'O'])
    >>> parts_that_identify("김 철수"), parts_that_identify("남궁민수")
    (['김철수', '철수', '김'], ['남궁민수', '남궁', '민수'])
    """
    forenames, surname = split_name(name)
    words = [word for word in forenames.split() if len(word.strip(".")) > 1]
    own = surname.split()
    words += [word for word in own if len(own) == 1 or not _is_small_word(word)]
    if name and is_surname_first(name):
        words = _split_east_asian_name(own)
    halves = [half for word in words for half in re.split(r"[-‐‑'’]", word) if len(half) > 1]
    return sorted(dict.fromkeys([*words, *halves]), key=len, reverse=True)


def _is_small_word(word: str) -> bool:
    """Return whether a word of a surname is a lower-case particle, an initial or a suffix."""
    is_initial = word.endswith(".") and len(word) == len("X.")
    return word in PARTICLES or word.casefold() in SUFFIXES or is_initial


def _split_east_asian_name(words: Sequence[str]) -> list[str]:
    """Return a Chinese, Japanese or Korean name as one word, then its surname and its given name."""
    whole = "".join(words)
    if len(words) == 1 and 1 < len(whole) <= MOST_SYLLABLES:
        length = 2 if whole[:2] in LONG_SURNAMES and len(whole) > len("남궁") else 1
        words = [whole[:length], whole[length:]]
    return [whole, *words]


def whole_word_pattern(parts: Iterable[str]) -> re.Pattern[str]:
    """Return a regular expression that finds parts of names as whole words, in any case.

    Korean endings follow a name without a space. So a part of two or more syllables also matches within a Korean
    word.

    >>> whole_word_pattern(["Li"]).sub("…", "Li, LI's team, Lisa"), whole_word_pattern(["철수", "김"]).sub("…", "철수가 김 김치")
    ("…, …'s team, Lisa", '…가 … 김치')
    """
    longest_first = sorted(set(parts), key=len, reverse=True)
    return re.compile("|".join(map(_word_pattern, longest_first)) or r"(?!)", re.IGNORECASE)


def _word_pattern(part: str) -> str:
    """Return the regular expression (as text) that finds one part of a name as a whole word."""
    if len(part) > 1 and is_surname_first(part):
        return re.escape(part)
    return rf"(?<!\w){re.escape(part)}(?!\w)"


def surname_of(name: str) -> str:
    """Return the surname of a full name, for narrow columns; a name of one word whole."""
    return split_name(name)[1] or name


def short_names(names: Sequence[str]) -> list[str]:
    """Return short forms of the names of people shown side by side: surnames, with initials where equal.

    The short form is the surname. If two are equal (a couple), an initial is added, or all first names if needed.

    >>> short_names(["Hanna Brandt", "Ruth Klein", "Otto Klein"])
    ['Brandt', 'R. Klein', 'O. Klein']
    >>> short_names(["Anna Klein", "Andreas Klein", "Klein"])
    ['Anna Klein', 'Andreas Klein', 'Klein']
    """
    surnames = [surname_of(name) for name in names]
    twice = {surname for surname, count in Counter(surnames).items() if count > 1}
    for write in (surname_of, _name_with_initial):
        written = [
            write(name) if surname in twice else surname
            for name, surname in zip(names, surnames, strict=True)
        ]
        if len({part.casefold() for part in written}) == len(written):
            return written
    return [
        name if surname in twice else surname for name, surname in zip(names, surnames, strict=True)
    ]


def distinct_names(names: Iterable[str]) -> dict[str, str]:
    """Return a dictionary from each full name of a group to a short form that no other name of the group has.

    >>> distinct_names(["Hanna Brandt", "Ruth Klein", "Otto Klein", "Olga Klein"])
    {'Hanna Brandt': 'Brandt', 'Ruth Klein': 'R. Klein', 'Otto Klein': 'Otto Klein', 'Olga Klein': 'Olga Klein'}
    """
    by_surname: defaultdict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(names):
        by_surname[surname_of(name).casefold()].append(name)
    short_names = {}
    for group in by_surname.values():
        written = Counter(_name_with_initial(name).casefold() for name in group)
        for name in group:
            short = _name_with_initial(name)
            is_alone = written[short.casefold()] == 1
            short_names[name] = surname_of(name) if len(group) == 1 else short if is_alone else name
    return short_names


def joined_names(names: Sequence[str], shorts: Sequence[str] = ()) -> str:
    """Return partners' names as one text, with a couple's surname only once; `shorts` are used instead if given.

    >>> joined_names(["Ruth Klein", "Otto Klein"]), joined_names(["Ruth Klein", "Max Ott"])
    ('Ruth & Otto Klein', 'Ruth Klein & Max Ott')
    >>> joined_names(["Ruth Klein", "Otto Klein"], ["R. Klein", "O. Klein"])
    'R. & O. Klein'
    """
    return " & ".join(breakable_names(names, shorts))


def breakable_names(names: Sequence[str], shorts: Sequence[str] = ()) -> list[str]:
    """Return the names as `joined_names` writes them, but one by one, so that lines can break between them."""
    written = list(shorts or names)
    surnames = {surname_of(name) for name in names}
    surname = next(iter(surnames), "")
    is_couple = len(names) == COUPLE and len(surnames) == 1
    if is_couple and all(part.endswith(f" {surname}") for part in written):
        written[0] = written[0].removesuffix(f" {surname}")
    return written


def _name_with_initial(name: str) -> str:
    """Return a name with only the initial of the first name: "J. Smith"."""
    first, last = split_name(name)
    return f"{first[0]}. {last}" if first else last


def surname_first(name: str) -> str:
    """Return a name with its surname first ("Smith, John"), as in sorted lists.

    >>> surname_first("Hanna Maria Brandt"), surname_first("Jan van den Berg"), surname_first("Cher")
    ('Brandt, Hanna Maria', 'van den Berg, Jan', 'Cher')
    """
    first, last = split_name(name)
    return f"{last}, {first}" if first else last or name
