"""Dividing a list into sections: how many, and which entry plays in which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean
from string import ascii_uppercase

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.sessions.strengths import strength_of, strengths_of
from bridgebuddy.events.services.setup.sections import MOST_SECTIONS
from movements.engine.contest import Contest
from movements.words.sentences import contestant_count_text

#: more tables in one section need more boards than fit into a session
MOST_TABLES = 16
#: a comfortable number of tables
GOOD_TABLES = 13


class DivisionMethod(TextChoices):
    """The criteria by which entries are divided into sections: number, strength, or by hand."""

    NUMBER = "number", _lazy("by number")
    STRENGTH = "strength", _lazy("by strength")
    HAND = "hand", _lazy("by hand")


def table_count(contest: Contest, entries: int) -> float:
    """Return the number of tables that entries fill; a half table counts ½."""
    whole = entries // contest.contestants_per_table
    return entries / contest.contestants_per_table if contest.fills_a_side else whole


def proposed_count(contest: Contest, entries: int) -> int:
    """Return the proposed number of sections; 1 if the entries are few enough to play in one section."""
    tables = table_count(contest, entries)
    if contest.has_halves or tables <= MOST_TABLES:
        return 1
    return min(ceil(tables / GOOD_TABLES), MOST_SECTIONS)


def section_sizes(contest: Contest, entries: int, sections: int) -> list[int]:
    """Return the number of entries of each section: whole tables, as even as possible, the rest in the last.

    >>> section_sizes(Contest.PAIRS, 27, 2), section_sizes(Contest.PAIRS, 54, 3), section_sizes(Contest.INDIVIDUAL, 21, 2)
    ([14, 13], [18, 18, 18], [12, 9])
    """
    unit = contest.contestants_per_table
    units = ceil(entries / unit)
    counts = [(units + place) // sections * unit for place in reversed(range(sections))]
    counts[-1] -= units * unit - entries
    return counts


@dataclass(frozen=True)
class SectionMember:
    """An entry in a proposed section."""

    entry: Entry
    number: int  # on the whole list
    is_moved: bool  # plays in another section now


@dataclass(frozen=True)
class ProposedSection:
    """A section as proposed when the entries are divided."""

    letter: str
    members: tuple[SectionMember, ...]
    contest: Contest
    strength: float | None

    @property
    def size_text(self) -> str:
        """Return the number of entries and tables as text."""
        tables = table_count(self.contest, len(self.members))
        words = {
            "entries": contestant_count_text(self.contest, len(self.members)),
            "tables": f"{tables:g}",
        }
        if tables % 1:
            words["tables"] = f"{int(tables)}½"
        return (
            ngettext(
                "%(entries)s, %(tables)s table", "%(entries)s, %(tables)s tables", ceil(tables)
            )
            % words
        )


class SectionDivision:
    """A proposed division of the entries into sections."""

    def __init__(
        self,
        present_sections: Sequence[Section],
        entries: Sequence[Entry],
        sections: int,
        method: str,
        chosen_letters: Mapping[int, str],
    ) -> None:
        """Divide the entries of sections; `chosen_letters` holds letters by the entries' keys, for `hand`."""
        self.contest = present_sections[0].contest
        self.entries = sorted(entries, key=lambda entry: entry.pk)
        self.sections = sections
        self.how = method
        self.now = {section.pk: section.name for section in present_sections}
        letters = ascii_uppercase[:sections]
        by_hand = method == DivisionMethod.HAND
        placed = (
            self._letters_by_hand(chosen_letters, letters)
            if by_hand
            else self._letters_in_turn(letters)
        )
        self.parts = [self._proposed_section(letter, placed) for letter in letters]

    @property
    def has_strengths(self) -> bool:
        """Return whether the strengths of the entries are known."""
        return strengths_of(self.entries) is not None

    @property
    def is_divided(self) -> bool:
        """Return whether the entries are already in several sections."""
        return len(self.now) > 1

    @property
    def table_count(self) -> float:
        """Return the number of tables of all entries together."""
        return table_count(self.contest, len(self.entries))

    @property
    def title(self) -> str:
        """Return a sentence on the proposed division."""
        counts = {len(part.members) for part in self.parts}
        words = {
            "entries": contestant_count_text(self.contest, len(self.entries)),
            "sections": self.sections,
        }
        if self.sections == 1:
            return _("%(entries)s in one section") % words
        tables = {table_count(self.contest, count) for count in counts}
        if len(tables) == 1 and (each := tables.pop()) % 1 == 0:
            return _("%(entries)s: %(sections)s sections of %(tables)s tables") % {
                **words,
                "tables": int(each),
            }
        return _("%(entries)s in %(sections)s sections") % words

    def _letters_in_turn(self, letters: str) -> dict[int, str]:
        """Return the section's letter of each entry, filling sections one after the other."""
        order = list(self.entries)
        strengths = strengths_of(order) if self.how == DivisionMethod.STRENGTH else None
        if strengths:
            strength_by_entry = {entry.pk: s for entry, s in zip(order, strengths, strict=True)}
            order.sort(key=lambda entry: -strength_by_entry[entry.pk])
        placed: dict[int, str] = {}
        for letter, size in zip(
            letters, section_sizes(self.contest, len(order), len(letters)), strict=True
        ):
            for entry in order[len(placed) : len(placed) + size]:
                placed[entry.pk] = letter
        return placed

    def _letters_by_hand(self, chosen_letters: Mapping[int, str], letters: str) -> dict[int, str]:
        """Return the section's letter of each entry: chosen, else the present one, else the last."""
        letters_by_entry = {}
        for entry in self.entries:
            letter = chosen_letters.get(entry.pk) or self.now[entry.section_id]
            letters_by_entry[entry.pk] = letter if letter in letters else letters[-1]
        return letters_by_entry

    def _proposed_section(self, letter: str, letter_by_entry: Mapping[int, str]) -> ProposedSection:
        """Return a proposed section with its entries and their average strength."""
        members = tuple(
            SectionMember(entry, number, self.is_divided and self.now[entry.section_id] != letter)
            for number, entry in enumerate(self.entries, start=1)
            if letter_by_entry[entry.pk] == letter
        )
        known_strengths = [s for member in members if (s := strength_of(member.entry)) is not None]
        return ProposedSection(
            letter, members, self.contest, fmean(known_strengths) if known_strengths else None
        )
