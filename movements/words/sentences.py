"""The engine's facts as sentences, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext, pgettext_lazy

from movements.engine import catalogue
from movements.engine.calls.pieces import TableGroup
from movements.engine.contest import Contest
from movements.engine.errors import MovementError
from movements.engine.families.family import CHOICES
from movements.engine.model import Movement

from .numbers import contestant_of_hundreds, hundreds_label

LINES = {"ns": gettext_lazy("North-South"), "ew": gettext_lazy("East-West")}
LINE_LETTERS = {"ns": gettext_lazy("NS"), "ew": gettext_lazy("EW")}
#: seats of single players
SEATS = {
    "n": pgettext_lazy("seat", "North"),
    "s": pgettext_lazy("seat", "South"),
    "e": pgettext_lazy("seat", "East"),
    "w": pgettext_lazy("seat", "West"),
}
SEAT_LETTERS = {
    "n": pgettext_lazy("direction", "N"),
    "s": pgettext_lazy("direction", "S"),
    "e": pgettext_lazy("direction", "E"),
    "w": pgettext_lazy("direction", "W"),
}
#: positions: a line for a pair, a chair for a player of an individual
CHAIRS = {**LINES, **SEATS}
CHAIR_LETTERS = {**LINE_LETTERS, **SEAT_LETTERS}
#: words before a label, by the prefix that the engine writes
PREFIXES = {line.upper(): letter for line, letter in CHAIR_LETTERS.items()}
STANDS = {
    "stand": gettext_lazy("stand"),
    "relay": gettext_lazy("relay"),
    "bye-stand": gettext_lazy("bye-stand"),
}

VERSIONS = {
    "best": gettext_lazy("the best known"),
    "published": gettext_lazy("as published"),
    "usual": gettext_lazy("the best known"),
    "built": gettext_lazy("built by the rule"),
}


@dataclass(frozen=True)
class SpokenLine:
    """A sentence of an announcement: in full for the director, and short for the projector."""

    who: str  # "ns", "ew", "boards" or "cards"
    say: SafeString | str
    short: str
    is_unusual: bool = False


def family_title(name: str) -> str:
    """Return a movement family's name in the reader's language; unknown families keep their own."""
    try:
        return _(catalogue.find_family(name).title)
    except MovementError:
        return name


def catalogue_words(text: str) -> str:
    """Return a text of the catalogue in the reader's language."""
    return _(text) if text else ""


def choice_word(choice: str) -> str:
    """Return the translated label of a choice for a family's option."""
    word = CHOICES.get(choice)
    return pgettext("choice", word) if word else family_title(choice)


def label_of(movement: Movement, contestant: int) -> str:
    """Return a contestant's label in the reader's language: "EW 3" is "OW 3" in German.

    With numbering in hundreds it is "203".
    """
    return _label_text(movement.field_of(contestant).prefix, movement.number(contestant))


def short_label(movement: Movement, contestant: int) -> str:
    """Return a contestant's label without direction: "3", or "203" in hundreds."""
    number = movement.number(contestant)
    return hundreds_label(movement.field_of(contestant).prefix, number) or number


def shown_label(label: str) -> str:
    """Return an engine's label such as "EW 3" in the reader's language."""
    prefix, _space, number = label.partition(" ")
    return _label_text(prefix, number) if number and prefix in PREFIXES else label


def _label_text(prefix: str, number: str) -> str:
    """Return a label with its prefix in the reader's language."""
    if hundreds := hundreds_label(prefix, number):
        return hundreds
    return f"{PREFIXES[prefix]} {number}" if prefix else number


def contestant_of_typed_label(movement: Movement, text: str) -> int | None:
    """Return the contestant that a typed label means in any form ("NS3", "OW 3", "203"); None if there is none."""
    number = movement.contestant(plain_label(text))
    return contestant_of_hundreds(movement, text) if number is None else number


def plain_label(label: str) -> str:
    """Return a label typed in the reader's language as the engine writes it.

    A text that is no label of the reader's language is returned unchanged.
    """
    text = "".join(label.split()).upper()
    for prefix, letter in PREFIXES.items():
        number = text.removeprefix(str(letter).upper())
        if number != text and number.isdigit():
            return prefix + number
    return label


def table_count(count: int, *, loud: bool = False) -> str:
    """Return a number of tables in words: "one table"; with `loud` "TWO tables"."""
    if loud and count == 2:
        return _("TWO tables")
    if count == 1:
        return _("one table")
    if count == 2:
        return _("two tables")
    return ngettext("%(count)s table", "%(count)s tables", count) % {"count": count}


COUNTED = {
    Contest.PAIRS: ngettext_lazy("%(count)s pair", "%(count)s pairs", "count"),
    Contest.INDIVIDUAL: ngettext_lazy("%(count)s player", "%(count)s players", "count"),
    Contest.TEAMS: ngettext_lazy("%(count)s team", "%(count)s teams", "count"),
}


def contestant_count_text(contest: Contest, count: int) -> str:
    """Return the number with its noun: "16 pairs", "8 teams", "21 players"."""
    return COUNTED[contest] % {"count": count}


def shift_text(piece: TableGroup) -> str:
    """Return a group's move up or down as text."""
    words = {"tables": table_count(abs(piece.shift))}
    if abs(piece.shift) == 1:
        return _("up one") if piece.shift > 0 else _("down one")
    return _("up %(tables)s") % words if piece.shift > 0 else _("down %(tables)s") % words


def row_text(piece: TableGroup) -> str:
    """Return the first and last table of a row as text."""
    return _("%(first)s to %(last)s") % {"first": piece.first, "last": piece.last}
