"""Parsing of a list of people with the numbers that a federation or the club gave them.

A heading gives the meaning of the columns. Without one, the first number of a line is the federation's, and the
second the club's. Nothing is stored here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from bridgebuddy.clubs.models import searchable
from bridgebuddy.clubs.people.categories import joined_categories
from bridgebuddy.clubs.people.federation_numbers import NotANumber, stored_number
from bridgebuddy.clubs.people.names import PARTICLES, clean_text, remove_formula_start

from .listing import MOST_SHOWN, RosterNames, read_list, split_columns
from .listing.list_syntax import (
    BETWEEN,
    FORENAME,
    HEADINGS,
    NAME,
    NUMBER,
    SURNAME,
    TITLE,
    WRITTEN_EMAIL,
)
from .listing.list_syntax import COLUMNS as COLUMNS_BETWEEN
from .names import problem_of_name

MEMBER, NATIONAL, CLUB = "member_number", "national_number", "other_club"
CATEGORIES, EMAIL = "categories", "email"
IS_NUMBER = r"(id|n[or]|num|nummer|number)"
#: headings of columns, as patterns of the whole cell in lower case without signs
COLUMNS = (
    (MEMBER, re.compile(rf"(member(ship)?|mitglied(s|er)?|club|vereins?) ?{IS_NUMBER}( \d)?")),
    (
        NATIONAL,
        re.compile(
            r"(ebu|sbu|wbu|nibu|dbv|öbv|acbl|abf|nbb|ffb|wbf|national|federation|verbands?|lizenz|licen[cs]e)"
            rf"( ?{IS_NUMBER})*|{IS_NUMBER}"
        ),
    ),
    (CLUB, re.compile(r"((other|home|second|heimat|zweit)? ?(club|verein))( name)?")),
    (CATEGORIES, re.compile(r"categor(y|ies)|kategorien?|altersklassen?")),
    (EMAIL, re.compile(r"e ?mails?( address(es)?| ?adressen?)?|mail ?(address|adresse)|mail")),
)


#: conversion of stored values that are no numbers
WRITTEN: Mapping[str, Callable[[str], str]] = {
    CLUB: lambda text: remove_formula_start(text)[:60],
    CATEGORIES: joined_categories,
}
#: stored values of a line beside the name, in this order
KINDS = (NATIONAL, MEMBER, CLUB, CATEGORIES, EMAIL)
LONGEST_EMAIL = 254
#: a number of at least three digits in brackets: "(12345)", "[EBU 12345]"; no telephone, no year of birth
BRACKETED = re.compile(
    r"[(\[]\s*(?:(?!tel|fon|mob|handy|fax|geb|born|jg)[^\W\d_]{2,4}\.?[ -]*)?#?(\d[\d .-]{1,12}\d)\s*[)\]]",
    re.IGNORECASE,
)
#: the spaces between a name and a number beside it
BESIDE_NUMBER = re.compile(r"(?<=\d)\s+(?=[^\W\d])|(?<=[^\W\d])\s+[(\[]?(?=#?\d)")
#: signs of which a name has none
NOT_IN_NAME = re.compile(r"[()\[\]{}<>@\d]")
#: words in lines about groups and sums, which are no people
NO_PERSON = re.compile(
    r"\b(totals?|sum|members(hip)?|players|teams?|group|ladies|gentlemen|juniors|summe|gesamt(zahl)?|anzahl"
    r"|mitglieder(liste)?|mannschaft(en)?|gruppe|verein|herren|damen|jugend|junioren|senioren|abteilung|vorstand)\b"
)
#: heading cells that mean names, also beside columns with unknown headings
PLAIN_HEADINGS = {"name", "names", "namen"}
BETWEEN_PEOPLE = re.compile(f"{COLUMNS_BETWEEN.pattern}|{BETWEEN.pattern}", re.IGNORECASE)


@dataclass(frozen=True)
class NumberLine:
    """One text line of a list of members: the person's name as on the roster, and the numbers given for them."""

    number: int
    text: str
    name: str = ""
    values: dict[str, str] = field(default_factory=dict)
    #: value that cannot be stored
    wrong: str = ""
    #: kind of that value: `NAME`, or one of `KINDS`
    wrong_kind: str = ""
    #: whether the line names one person by first name and surname
    is_plain_name: bool = False


@dataclass(frozen=True)
class WrittenLine:
    """The cells of a line that hold the name, and the values beside it."""

    names: Sequence[str]
    values: Mapping[str, str]
    has_heading: bool = False

    @property
    def name(self) -> str:
        """Return the name as it is written."""
        return (" " if self.has_heading else ", ").join(self.names)


def _checked_email(text: str) -> str:
    """Return an e-mail address. Raises `NotANumber` if the text is none."""
    email = text.strip().removeprefix("mailto:")
    try:
        validate_email(email)
    except ValidationError as wrong:
        raise NotANumber(text) from wrong
    if len(email) > LONGEST_EMAIL:
        raise NotANumber(text)
    return email


def read_numbers(text: str, roster_names: RosterNames) -> list[NumberLine]:
    """Parse a list of people with member numbers, categories or e-mail addresses, one person per text line.

    >>> read_numbers("Surname;First name;EBU No\\nBrandt;Hanna;00123", RosterNames())[0].values
    {'national_number': '00123'}
    """
    lines = [
        (number, line.strip())
        for number, line in enumerate(clean_text(text).lstrip("\ufeff").splitlines(), start=1)
        if line.strip(" \t;,")
    ]
    roles = _column_roles(split_columns(lines[0][1])) if lines else ()
    return [
        _number_line(
            number,
            line,
            _fields_by_heading(roles, split_columns(line)) or _fields_by_form(line),
            roster_names,
        )
        for number, line in (lines[1:] if roles else lines)
    ]


def lines_of_list(text: str, numbers: Collection[int]) -> str:
    """Return the lines of a list that have these numbers, below the list's heading if it has one.

    >>> lines_of_list("Name;EBU\\nHanna Brandt;1\\nKarl Frey;x", [3])
    'Name;EBU\\nKarl Frey;x'
    """
    lines = clean_text(text).lstrip("\ufeff").splitlines()
    first = next((line for line in lines if line.strip()), "")
    heading = [first.strip()] if numbers and _column_roles(split_columns(first.strip())) else []
    return "\n".join(heading + [lines[number - 1] for number in sorted(numbers)])


def _column_roles(cells: Sequence[str]) -> tuple[str, ...]:
    """Return what each column of a heading contains (name, number, e-mail …); an empty tuple if it is no heading."""
    plain = [" ".join(re.sub(r"[\W_]+", " ", cell.casefold()).split()) for cell in cells]
    roles = tuple(next(_kinds_of_heading(cell), "") for cell in plain)
    names = {NAME, FORENAME, SURNAME} & set(roles)
    if roles.count(NAME) > 1:  # pairs
        return ()
    if not names or set(KINDS) & set(roles) or all(roles):
        return roles if names else ()
    is_clear = {FORENAME, SURNAME} <= names or PLAIN_HEADINGS & set(plain)
    return roles if is_clear and not any(map(NOT_IN_NAME.search, cells)) else ()


def _kinds_of_heading(cell: str) -> Iterator[str]:
    """Yield the kinds of number (federation number, handicap …) that a column heading may mean."""
    yield from (kind for kind, pattern in COLUMNS if pattern.fullmatch(cell))
    yield from (kind for kind, pattern in HEADINGS[:3] if pattern.fullmatch(cell))


def _fields_by_heading(roles: Sequence[str], cells: Sequence[str]) -> WrittenLine | None:
    """Return the name and the values in a line's cells, by the roles of the columns; None without columns.

    Beside a column of first names, a column "Name" contains surnames.
    """
    if len(roles) < 2:
        return None
    by_role: dict[str, str] = {}
    for role, cell in zip(roles, cells, strict=False):
        if role and cell:
            by_role.setdefault(role, cell)
    if FORENAME in roles and SURNAME not in roles and NAME in by_role:
        by_role[SURNAME] = by_role.pop(NAME)
    names = (
        [by_role[NAME]]
        if NAME in by_role
        else [by_role[role] for role in (FORENAME, SURNAME) if role in by_role]
    )
    return WrittenLine(names, {kind: by_role[kind] for kind in KINDS if kind in by_role}, True)


def _fields_by_form(line: str) -> WrittenLine:
    """Return the name, the numbers and the e-mail address in a line without headings, recognized by their form."""
    emails = WRITTEN_EMAIL.findall(line)
    without = WRITTEN_EMAIL.sub("", line)
    # each number in brackets becomes a cell of its own, so that all numbers are in the order of the line
    cells = [cell for part in BRACKETED.split(without) for cell in split_columns(part.strip())]
    if len(split_columns(BRACKETED.sub(" ", without).strip())) == 1:  # only spaces between
        cells = [piece for cell in cells for piece in BESIDE_NUMBER.split(cell.strip(")] "))]
    numbers = [cell.strip("#()[] ") for cell in cells if NUMBER.match(cell.strip("()[] "))]
    names = [cell for cell in cells if cell and not NUMBER.match(cell.strip("()[] "))]
    values = dict(zip((NATIONAL, MEMBER), numbers, strict=False))
    return WrittenLine(names, values | ({EMAIL: emails[0]} if emails else {}))


def _has_one_name(cells: Sequence[str], roster: RosterNames) -> bool:
    """Return whether the cells of a line hold one name, or a surname and a first name in either order."""
    if len(cells) == 1:
        cells = cells[0].split(",")
        return len(cells) == 1 or _is_surname_and_forename(*cells, roster=roster)
    return _is_surname_and_forename(*cells, roster=roster) or _is_surname_and_forename(
        *reversed(cells), roster=roster
    )


def _is_surname_and_forename(*cells: str, roster: RosterNames) -> bool:
    """Return whether two cells are a surname and a first name; a town beside a whole name is none."""
    if len(cells) != 2 or not all(map(str.strip, cells)):
        return False
    surname, forename = cells[0].split(), cells[1].split()
    is_known = all(map(roster.is_forename, forename))
    is_surname = len(surname) == 1 or surname[0].casefold() in PARTICLES
    return is_known or (is_surname and len(forename) == 1)


def _number_line(
    number: int, text: str, written: WrittenLine, roster_names: RosterNames
) -> NumberLine:
    """Return the parsed line of a member list, with the roster person that its name means."""
    has_letters = any(map(str.isalpha, written.name))
    entries = read_list(written.name, 1, roster_names).entries if has_letters else ()
    name = entries[0].names[0] if entries and entries[0].names else ""
    is_known = searchable(name) in roster_names.by_name
    is_person = is_known or (
        (written.has_heading or _has_one_name(written.names, roster_names))
        and not NOT_IN_NAME.search(name)
        and not NO_PERSON.search(searchable(name))
    )
    if (
        not name
        or problem_of_name(name)
        or name.startswith(("=", "+", "-", "@"))
        or (written.values and not is_person)
    ):
        return NumberLine(number, text[:MOST_SHOWN], wrong=text[:MOST_SHOWN], wrong_kind=NAME)
    values_by_kind: dict[str, str] = {}
    for kind, value in written.values.items():
        try:
            plain = value.lstrip("'")  # the mark for spreadsheets that it is no formula
            write = _checked_email if kind == EMAIL else WRITTEN.get(kind, stored_number)
            values_by_kind[kind] = write(plain)
        except NotANumber:
            return NumberLine(
                number, text[:MOST_SHOWN], name, wrong=value[:MOST_SHOWN], wrong_kind=kind
            )
    return NumberLine(
        number,
        text[:MOST_SHOWN],
        name,
        values_by_kind,
        is_plain_name=is_person and _is_whole_name(name, written.name),
    )


def _is_whole_name(name: str, written: str) -> bool:
    """Return whether a name is a first name and a surname, and contains all words that are written, but for titles."""
    words = sorted(re.findall(r"\w+", searchable(name)))
    all_words = sorted(re.findall(r"\w+", searchable(TITLE.sub("", written))))
    return len(words) > 1 and words == all_words and not NOT_IN_NAME.search(written)


def numbers_beside_names(line: str, names: Sequence[str]) -> dict[str, str]:
    """Return the federation numbers in brackets beside names in a line of a list, by name.

    >>> numbers_beside_names("Brandt, Hanna (00123) & Karl Frey [DBV 77 88]", ["Hanna Brandt", "Karl Frey"])
    {'Hanna Brandt': '00123', 'Karl Frey': '77 88'}
    """
    words_of = {tuple(sorted(searchable(name).split())): name for name in names}
    numbers = {}
    for part in BETWEEN_PEOPLE.split(line):
        found = BRACKETED.search(part)
        rest = BRACKETED.sub(" ", part).replace(",", " ") if found else ""
        name = words_of.get(tuple(sorted(searchable(rest).split())))
        if found and name:
            with suppress(NotANumber):
                numbers[name] = stored_number(found[1])
    return numbers


def emails_beside_names(line: str, names: Sequence[str]) -> dict[str, str]:
    """Return the e-mail addresses beside names in a line of a list, by name; unclear ones are left out.

    An address belongs to the only name in its part of the line, else to the only name since the address before. One
    address after two names may be either's.

    >>> names = ["Hanna Brandt", "Karl Frey"]
    >>> emails_beside_names("Brandt, Hanna <hb@club.de> & Karl Frey kf@club.de", names)
    {'Hanna Brandt': 'hb@club.de', 'Karl Frey': 'kf@club.de'}
    >>> emails_beside_names("Hanna Brandt;hb@club.de;Karl Frey;kf@club.de", names)
    {'Hanna Brandt': 'hb@club.de', 'Karl Frey': 'kf@club.de'}
    >>> emails_beside_names("Hanna Brandt;Karl Frey;hb@club.de;kf@club.de", names)
    {}
    >>> emails_beside_names("Hanna Brandt & Karl Frey, hb@club.de", names)
    {}
    """
    if "@" not in line:
        return {}
    found = _emails_by_part(line, names) or _emails_by_order(line, names)
    if found.keys() != set(names[: len(found)]):
        return {}
    emails = {}
    for name, email in found.items():
        with suppress(NotANumber):
            emails[name] = _checked_email(email)
    return emails


def _emails_by_part(line: str, names: Sequence[str]) -> dict[str, str]:
    """Return the addresses by name, if each part of a line has one of both; empty otherwise."""
    found = {}
    for part in BETWEEN_PEOPLE.split(line):
        emails, there = (
            WRITTEN_EMAIL.findall(part),
            _names_within(WRITTEN_EMAIL.sub(" ", part), names),
        )
        if emails and (len(emails), len(there)) != (1, 1):
            return {}
        if emails:
            found[there[0]] = emails[0]
    return found


def _emails_by_order(line: str, names: Sequence[str]) -> dict[str, str]:
    """Return the addresses by name, if each address in a line follows one name; empty otherwise."""
    found, end = {}, 0
    for email in WRITTEN_EMAIL.finditer(line):
        there = _names_within(line[end : email.start()], names)
        if len(there) != 1:
            return {}
        found[there[0]], end = email[1], email.end()
    return found


def _names_within(text: str, names: Sequence[str]) -> list[str]:
    """Return the names of which every word occurs in a text."""
    words = set(re.findall(r"[^\W_]+", searchable(text)))
    return [
        name for name in names if name and set(re.findall(r"[^\W_]+", searchable(name))) <= words
    ]
