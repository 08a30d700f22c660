"""The public form of a person's name: all of it, initials, or "Guest".

A public page is built within `use_public_names`. There every person read from the database has the public name only,
whatever the page does with it. So a new public page needs no further check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache, partial
from typing import Protocol

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from .names import is_surname_first, parts_that_identify, split_name, whole_word_pattern


class PublicName(models.TextChoices):
    """The choices of how a name is shown in public: the whole name, initials, or "Guest"."""

    FULL = "full", _lazy("the whole name")
    INITIALS = "initials", _lazy("initials")
    NONE = "none", _lazy("“Guest”, and no name")


class ClubPolicy(Protocol):
    """Type of an object with a club's setting for public names."""

    public_names: str


class NamedPerson(Protocol):
    """Type of a person whose name may be replaced by its public form."""

    name: str
    public_name: str
    whole_name: str | None
    anonymous_since: datetime | None


#: from the strictest one
STRICTEST_FIRST = [PublicName.NONE, PublicName.INITIALS, PublicName.FULL]
#: form of names of people that have not chosen; empty if the page is not public
_usual: ContextVar[str] = ContextVar("usual public names", default="")


@contextmanager
def use_public_names(club: ClubPolicy) -> Iterator[None]:
    """Context manager in which people of a club are read with their public names and cannot be saved."""
    token = _usual.set(club.public_names)
    try:
        yield
    finally:
        _usual.reset(token)


def reads_for_public() -> bool:
    """Return whether people are currently read with their public names."""
    return bool(_usual.get())


def show_public_name(person: NamedPerson) -> None:
    """Replace the name of a person just read from the database by its public form."""
    usual = _usual.get()
    if not usual or "name" not in vars(person) or person.anonymous_since is not None:
        return
    public = public_name(person.name, person.public_name or usual)
    if public != person.name:
        person.whole_name, person.name = person.name, public


def public_name(name: str, form: str) -> str:
    """Return the public form of a name: whole, initials or "Guest", as `form` says.

    >>> public_name("Hanna Maria Brandt", "initials"), public_name("Jan van den Berg", "initials")
    ('H. B.', 'J. B.')
    >>> public_name("Cher", "initials"), public_name("Cher", "none"), public_name("Cher", "full")
    ('C.', 'Guest', 'Cher')
    """
    if form == PublicName.FULL:
        return name
    return _initials_of_name(name) if form == PublicName.INITIALS else _("Guest")


def _initials_of_name(name: str) -> str:
    """Return the initials of a name: "J. S."."""
    first, last = split_name(name)
    own = next((word for word in last.split() if word[0].isupper()), last)
    return " ".join(f"{part[0]}." for part in (first, own) if part)


def text_with_public_names(text: str, people: Iterable[NamedPerson]) -> str:
    """Return a text, such as a team's name, in which hidden names of `people` are replaced.

    A part is replaced by "Guest" or by initials, like its owner's name.
    """
    for person in people:
        whole = person.whole_name or ""
        initials = "" if person.name == _("Guest") else _initials_of_name(whole)
        text = _pattern_for(whole).sub(partial(_shortened_name, whole, initials), text)
    return text


@lru_cache(maxsize=4096)
def _pattern_for(name: str) -> re.Pattern[str]:
    """Return the regular expression that finds a person's name in a text."""
    return whole_word_pattern(parts_that_identify(name))


def _shortened_name(whole: str, initials: str, match: re.Match[str]) -> str:
    """Return what replaces a matched name in a text: the initials, or "Guest" if `initials` is empty."""
    if not initials:
        return _("Guest")
    return initials if is_surname_first(whole) else f"{match[0][0].upper()}."


def stricter_wish(first_wish: str, second_wish: str) -> str:
    """Return that of two wishes for a public name which shows less of the name; empty means no wish."""
    forms = [how for how in STRICTEST_FIRST if how in (first_wish, second_wish)]
    return str(forms[0]) if forms else ""
