"""The preview of a list, line by line, before it is entered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext

from bridgebuddy.clubs.models import searchable
from bridgebuddy.events.errors import ChangeRefused
from bridgebuddy.events.listing import (
    MOST_PEOPLE,
    LineDoubt,
    LineQuestion,
    ListLine,
    PairList,
    RosterNames,
)
from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.names import MOST_LINES, LineProblem, name_problem
from bridgebuddy.events.numbers_list import emails_beside_names, numbers_beside_names
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.web.http import read_number

from ..refusals import change_refused
from .forms import PROBLEMS_OF

QUESTIONS: Mapping[str, object] = {
    LineDoubt.SURNAME: _lazy("Is the last word the surname?"),
    LineDoubt.SEVERAL: _lazy("Several players match: %(who)s"),
    LineDoubt.INITIAL: _lazy("What is the first name?"),
    LineDoubt.ONE_WORD: _lazy("Is this the whole name?"),
    LineDoubt.SHARED: _lazy("Do both have this surname?"),
    LineDoubt.ALIKE: _lazy("Is this %(who)s of the club?"),
    LineDoubt.BRACKETS: _lazy("Does “%(who)s” belong to the name?"),
    LineDoubt.HERE: _lazy("%(name)s is on the list already."),
    LineDoubt.TWICE: _lazy("%(name)s is also in an earlier line."),
}


@dataclass(frozen=True)
class PreviewRow:
    """A line of a pasted list of entries as the preview shows it, as text or as fields."""

    number: int
    text: str
    names: tuple[str, ...]  # one for each field
    is_clear: bool = False
    is_heading: bool = False
    is_taken: bool = True
    new: tuple[str, ...] = ()  # names that are new on the roster
    said: Mapping[int, str] = field(default_factory=dict)  # the questions by place
    team: str = ""

    @property
    def fields(self) -> list[tuple[int, str, str]]:
        """Return for each name field of the row its number (from 1), the name, and the question about that name."""
        return [(i, name, self.said.get(i, "")) for i, name in enumerate(self.names, start=1)]

    @property
    def entered_names(self) -> tuple[str, ...]:
        """Return the typed names without empty ones at the end."""
        last = max((i for i, name in enumerate(self.names) if name), default=-1)
        return self.names[: last + 1]


class ListPreview:
    """The preview of a pasted list of entries, before it is stored."""

    def __init__(
        self, section: Section, rows: Iterable[PreviewRow], text: str, has_numbers: bool
    ) -> None:
        self.people = section.people_per_entry
        self.rows, self.text, self.has_numbers = list(rows), text, has_numbers
        self.problem = ""
        #: the first refused line, which gets the focus
        self.refused = 0

    @classmethod
    def of(cls, section: Section, listing: PairList, text: str, known: RosterNames) -> ListPreview:
        """Return the preview of a list that was read from text."""
        people = section.people_per_entry
        fields = name_field_count(
            people, max((len(entry.names) for entry in listing.entries), default=0)
        )
        rows = [
            PreviewRow(
                line.number,
                line.text,
                (*line.names, *("",) * (fields - len(line.names))),
                is_clear=line.is_clear,
                is_heading=line.is_heading,
                is_taken=not (line.is_here or line.is_note),
                new=tuple(
                    name for name in line.names if name and searchable(name) not in known.by_name
                ),
                said=_questions_by_place(line, people),
                team=line.team,
            )
            for line in listing.lines
        ]
        return cls(section, rows, text, listing.has_numbers)

    @classmethod
    def from_form(cls, section: Section, data: QueryDict) -> ListPreview:
        """Return the preview with the values of the preview page's form."""
        fields = MOST_PEOPLE[section.people_per_entry]
        lines = data.getlist("line")[:MOST_LINES]
        numbers = [number for line in lines if (number := read_number(line, 5)) is not None]
        rows = []
        for number in dict.fromkeys(numbers):
            names = tuple(
                " ".join(data.get(f"name-{number}-{place}", "").split())
                for place in range(1, fields + 1)
            )
            is_clear = f"clear-{number}" in data
            rows.append(
                PreviewRow(
                    number,
                    data.get(f"text-{number}", ""),
                    names,
                    is_clear=is_clear,
                    is_heading=f"heading-{number}" in data,
                    is_taken=f"take-{number}" in data
                    or (is_clear and f"leave-{number}" not in data),
                    team=" ".join(data.get(f"team-{number}", "").split())[: Entry.NAME_LENGTH],
                )
            )
        field_count = name_field_count(
            section.people_per_entry, max((len(row.entered_names) for row in rows), default=0)
        )
        rows = [replace(row, names=row.names[:field_count]) for row in rows]
        return cls(section, rows, data.get("pairs", ""), "numbers" in data)

    @property
    def numbers(self) -> dict[str, str]:
        """Return the federation numbers next to the names of the taken rows, by name."""
        return {
            name: number
            for row in self.ticked_rows
            for name, number in numbers_beside_names(row.text, row.entered_names).items()
        }

    @property
    def emails(self) -> dict[str, str]:
        """Return the e-mail addresses next to the names of the taken rows, by name."""
        lines = self.text.splitlines()
        return {
            name: email
            for row in self.ticked_rows
            if row.number <= len(lines)
            for name, email in emails_beside_names(lines[row.number - 1], row.entered_names).items()
        }

    @property
    def entries(self) -> list[PreviewRow]:
        """Return the rows that are entries, not headings."""
        return [row for row in self.rows if not row.is_heading]

    @property
    def heading_line_count(self) -> int:
        """Return the number of rows that are headings."""
        return len(self.rows) - len(self.entries)

    @property
    def clear_line_count(self) -> int:
        """Return the number of rows without a question."""
        return sum(row.is_clear for row in self.entries)

    @property
    def doubtful_entry_count(self) -> int:
        """Return the number of entries with a name that is not clear."""
        return len(self.entries) - self.clear_line_count

    @property
    def ticked_rows(self) -> list[PreviewRow]:
        """Return the rows that the user takes."""
        return [row for row in self.entries if row.is_taken]

    @property
    def has_teams(self) -> bool:
        """Return whether a row names its team."""
        return any(row.team for row in self.rows)

    @property
    def columns(self) -> range:
        """Return the numbers of the name columns, from 1."""
        return range(1, max((len(row.names) for row in self.entries), default=self.people) + 1)

    @property
    def fewest_names(self) -> int:
        """Return the smallest number of names that an entry of this contest may have."""
        return self.people

    def check(self) -> bool:
        """Return whether every ticked row is a valid entry; add errors to the others."""
        errors = {}
        for row in self.ticked_rows:
            if wrong := name_problem(row.entered_names, self.people, MOST_PEOPLE[self.people]):
                errors[row.number] = _question_text(LineQuestion(wrong), self.people)
        self._mark_refused_lines(errors)
        if errors:
            self.problem = ngettext(
                "Line %(lines)s cannot be entered. Correct it or untick it.",
                "Lines %(lines)s cannot be entered. Correct them or untick them.",
                len(errors),
            ) % {"lines": ", ".join(map(str, errors))}
        if not self.ticked_rows:
            self.problem = _("No line is ticked.")
        return not self.problem

    def add_refusal(self, refusal: ChangeRefused) -> None:
        """Add the reason why the list was refused, at its row if known."""
        index = refusal.fields.get("pair")
        if isinstance(index, int):
            self._mark_refused_lines({self.ticked_rows[index].number: change_refused(refusal)})
        else:
            self.problem = change_refused(refusal)

    def _mark_refused_lines(self, sentences: Mapping[int, str]) -> None:
        """Set the reason of refusal at each refused row."""
        self.refused = min(sentences, default=0)
        self.rows = [
            replace(
                row, is_clear=False, said={_first_empty_place(row.names): sentences[row.number]}
            )
            if row.number in sentences
            else row
            for row in self.rows
        ]


def name_field_count(people: int, names: int) -> int:
    """Return the number of name fields: that of the contest, or more if a row has more names."""
    return min(max(people, names), MOST_PEOPLE[people])


def known_names(section: Section) -> RosterNames:
    """Return the names in a club's roster and in a section's entries, to recognize players in a pasted list."""
    people = list(section.club.known_people)
    numbers = {
        "".join(filter(str.isdigit, number)): person.name
        for person in people
        for number in (person.member_number, person.national_number)
        if any(map(str.isdigit, number))
    }
    names = [person.name for person in people]
    return RosterNames(
        names, frozenset(_names_already_entered(SessionEvening(section).entries)), numbers
    )


def _names_already_entered(entries: Sequence[Entry]) -> Iterable[str]:
    """Yield the names of all people in entries, in their form for searching."""
    return (link.person.search for entry in entries for link in entry.links)


def _questions_by_place(line: ListLine, people: int) -> dict[int, str]:
    """Return the questions about a row by the number of the name field at which the page shows them."""
    by_place: defaultdict[int, list[str]] = defaultdict(list)
    for question in line.questions:
        is_there = question.name in line.names
        place = line.names.index(question.name) + 1 if is_there else _first_empty_place(line.names)
        by_place[place].append(_question_text(question, people))
    return {place: " ".join(sentences) for place, sentences in by_place.items()}


def _first_empty_place(names: Sequence[str]) -> int:
    """Return the number of the first empty name field, counted from 1."""
    return next((place for place, name in enumerate(names, start=1) if not name), 1)


def _question_text(question: LineQuestion, people: int) -> str:
    """Return a question about a row, or its error, as a sentence."""
    if question.kind == LineProblem.TOO_FEW_NAMES and people == 2:
        return _("The partner is missing.")
    if question.kind in QUESTIONS:
        return str(QUESTIONS[question.kind]) % {"name": question.name, "who": question.who}
    return str(PROBLEMS_OF[people][question.kind])
