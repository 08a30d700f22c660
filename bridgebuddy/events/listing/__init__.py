"""Parsing of a pasted or exported list: the names on each line, and the doubts about them.

Names come in every order and form: "Müller, Hans", "Müller H.", "MÜLLER Hans", "Hans & Eva Müller"; in columns with
numbers, clubs and headings. The club's roster decides first, then known first names, then the form of most lines.
Nothing is stored here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bridgebuddy.clubs.models import searchable
from bridgebuddy.clubs.people.names import PARTICLES, clean_text, split_name
from movements.engine.contest import Contest

from ..models import Entry
from ..names import name_problem, problem_of_name
from .columns import column_roles, split_columns
from .lines import InvalidListLine, LineDoubt, LineQuestion, ListLine, ListReading, PairList
from .list_syntax import (
    BETWEEN,
    COLUMNS,
    IN_BRACKETS,
    INITIAL,
    LOOSE,
    NAME,
    NUMBER,
    NUMBER_IN_FRONT,
    NUMBERING,
    OTHER,
    QUOTED,
    REMARK,
    SURNAME,
    TEAM,
    TEAM_IN_FRONT,
    THEIR_NUMBER,
    TITLE,
    VON_UND_ZU,
    WRITTEN_EMAIL,
)
from .roster_names import RosterNames

__all__ = [
    "MOST_PEOPLE",
    "MOST_SHOWN",
    "LineDoubt",
    "LineQuestion",
    "ListLine",
    "PairList",
    "RosterNames",
    "parse_pairs",
    "read_list",
    "split_columns",
]

MOST_SHOWN = 160  # characters of a line
#: most people of an entry, by its least number: a team of four has up to six
MOST_PEOPLE = {1: 1, 2: 2, 4: 6}
#: lines of one order that decide for the whole list, and how many times those of the other order
ENOUGH, FAR_MORE = 3, 4


def read_list(text: str, people: int = 2, roster_names: RosterNames | None = None) -> PairList:
    """Parse a list of entries of `people` players each, one entry per text line, with questions about doubtful names.

    >>> read_list("Nr;Spieler 1;Spieler 2\\n1;Müller, Hans;van den Berg, Jan").entries[0].names
    ('Hans Müller', 'Jan van den Berg')
    """
    return _ListReader(people, roster_names or RosterNames()).read(clean_text(text))


def parse_pairs(text: str, people: int = 2) -> ListReading:
    """Parse a list of entries of `people` players each without asking questions; invalid lines are reported.

    >>> parse_pairs("1. Hanna Brandt & Karl Fischer").pairs
    (('Hanna Brandt', 'Karl Fischer'),)
    """
    lines = read_list(text, people).entries
    right = [line for line in lines if not line.problem]
    wrong = [line for line in lines if line.problem]
    return ListReading(
        tuple(line.names for line in right),
        tuple(line.number for line in right),
        tuple(InvalidListLine(line.number, line.text[:80], line.problem) for line in wrong),
    )


@dataclass
class _ListReader:
    """Parser of a list of entries: learns columns and name order from the whole list, then reads each text line."""

    people: int
    known: RosterNames
    #: roles of the columns, if a heading gives them
    roles: tuple[str, ...] = ()
    is_surname_first: bool = False
    is_forename_first: bool = False
    has_numbers: bool = field(default=False)

    def read(self, text: str) -> PairList:
        """Return the parsed list of a text, with one entry for each text line that contains letters."""
        raw = [
            (number, " ".join(re.split(r"[ \xa0]+", line)).strip("\r\n "))
            for number, line in enumerate(
                WRITTEN_EMAIL.sub("", text.lstrip("\ufeff")).splitlines(), start=1
            )
        ]
        written = [(number, line) for number, line in raw if any(map(str.isalpha, line))]
        lines = []
        if written and (roles := column_roles(written[0][1], self.people)):
            number, line = written.pop(0)
            lines.append(ListLine(number, line[:MOST_SHOWN], is_heading=True))
            self.roles = roles
        teams = [self._team_and_rest(line) for _, line in written]
        cells = [[self._bare_name(cell) for cell in self._names_in_line(rest)] for _, rest in teams]
        self._learn_order(cell for cells_of_line in cells for cell in cells_of_line)
        lines += [
            replace(self._list_line(number, line, cells_of_line), team=team)
            for (number, line), cells_of_line, (team, _) in zip(written, cells, teams, strict=True)
        ]
        return PairList(tuple(_question_repeated_names(lines)), self.has_numbers)

    def _team_and_rest(self, line: str) -> tuple[str, str]:
        """Return the team name in a text line, and the line without a team name at its beginning."""
        if self.people < Contest.TEAMS.people:
            return "", line
        if self.roles:
            named = dict(zip(self.roles, split_columns(line), strict=False))
            return named.get(TEAM, "")[: Entry.NAME_LENGTH], line
        line = self._remove_leading_number(NUMBERING, line)
        match = TEAM_IN_FRONT.match(line)
        return (match[1].strip()[: Entry.NAME_LENGTH], line[match.end() :]) if match else ("", line)

    # ── splitting of a line into cells: a name each ──

    def _names_in_line(self, line: str) -> list[str]:
        """Return the players' names in a text line as they are written, split by heading, columns or separators."""
        if self.roles and (named := self._names_by_heading(split_columns(line))):
            return named
        line = self._remove_leading_number(NUMBERING, line)
        if QUOTED.search(line) or COLUMNS.search(line):
            cells = split_columns(line)
        else:
            return self._cells_in_words(line)
        cells = self._remove_numbers(cells)
        if len(cells) == 2 * self.people and all(cells) and not any("," in cell for cell in cells):
            return self._join_name_columns(cells)
        if len(cells) == 1 and self.people > 1:
            return self._cells_in_words(cells[0])
        return [part for cell in cells for part in self._parts_of_cell(cell, len(cells))]

    def _cells_in_words(self, line: str) -> list[str]:
        """Return the names in a text line without columns, split at "&", at words such as "and", or at commas."""
        line = VON_UND_ZU.sub(
            _joined_words, self._remove_leading_number(NUMBER_IN_FRONT, line)
        ).strip(LOOSE)
        parts = [part.strip() for part in BETWEEN.split(line)]
        if len(parts) > 1 and (self.people > 1 or "," not in line):
            cells = [cell for part in parts for cell in self._parts_of_cell(part, len(parts))]
            return self._add_shared_surname(cells)
        return self._line_of_cells(line)

    def _bare_name(self, cell: str) -> str:
        """Return a name without titles, member number and signs around it."""
        rest = NUMBER_IN_FRONT.sub("", THEIR_NUMBER.sub("", cell))
        number = THEIR_NUMBER.search(cell)
        if number and (full_name := self.known.name_of_number(number[0], rest)):
            return full_name
        self.has_numbers = self.has_numbers or rest != cell
        before, comma, behind = rest.replace(_JOINED, " ").partition(",")
        if comma and not TITLE.sub("", behind.strip() + " x").strip("x "):  # "Klein, Dr."
            comma = behind = ""
        parts = [TITLE.sub("", part.strip(LOOSE)) for part in (before, behind)]
        return f"{parts[0]}, {parts[1]}" if comma and parts[1] else parts[0]

    def _parts_of_cell(self, cell: str, cells: int) -> list[str]:
        """Return the names in one cell: several if the line has fewer cells than an entry has people."""
        if cells >= self.people:
            return [cell]
        if len(parts := [part.strip() for part in BETWEEN.split(cell)]) > 1:
            return parts
        commas = [part.strip() for part in cell.split(",")]
        both_whole = len(commas) > 1 and all(len(part.split()) > 1 for part in commas)
        return commas if both_whole and not _has_particles(commas[0]) else [cell]

    def _line_of_cells(self, line: str) -> list[str]:
        """Return the names in a comma-separated text line, joining first names and surnames that commas divide."""
        cells = self._remove_numbers([" ".join(part.split()) for part in line.split(",")])
        if len(cells) == 2 and self._is_one_name(*cells):
            return self._join_name_columns(cells, usually_turned=True)
        if len(cells) == 2 * self.people and self.people > 1 and all(cells):
            return self._join_name_columns(cells)
        return cells

    def _is_one_name(self, first: str, second: str) -> bool:
        """Return whether two cells that a comma divided are one person's name, such as "Müller, Hans"."""
        if not (first and second):
            return False
        if self.people == 1:
            return len(first.split()) == 1 or len(second.split()) == 1 or _has_particles(first)
        roster = self.known
        if searchable(f"{second} {first}") in roster.by_name:
            return True
        return (
            roster.is_forename(second)
            and len(second.split()) == 1
            and not roster.is_forename(first)
            and searchable(second) not in roster.by_surname
        )

    def _join_name_columns(
        self, cells: Sequence[str], *, usually_turned: bool = False
    ) -> list[str]:
        """Return the names of a line whose first names and surnames are in separate columns."""
        pairs = list(zip(cells[::2], cells[1::2], strict=True))
        forward = sum(self.known.is_forename(forename) for forename, _ in pairs)
        backward = sum(self.known.is_forename(other) for _, other in pairs)
        if backward > forward or (usually_turned and backward == forward):
            return [f"{surname}, {other}" for surname, other in pairs]
        return [f"{forename} {other}" for forename, other in pairs]

    def _names_by_heading(self, cells: Sequence[str]) -> list[str]:
        """Return the names in a line's cells by the columns of the list's heading; empty if the line does not fit."""
        cells = list(cells)
        while len(cells) > len(self.roles) and not cells[-1]:
            cells.pop()
        named = [
            place for place, role in enumerate(self.roles, start=1) if role not in (OTHER, TEAM)
        ]
        if not named or not named[-1] <= len(cells) <= len(self.roles):
            return []
        cells_in_order: list[str] = []
        waiting: tuple[str, str] | None = None
        for role, cell in zip(self.roles, cells, strict=False):
            if role == OTHER:
                self.has_numbers = self.has_numbers or bool(NUMBER.match(cell))
            elif role == TEAM:
                continue
            elif role == NAME:
                cells_in_order.append(cell)
            elif waiting is None or waiting[0] == role:
                if waiting:
                    cells_in_order.append(waiting[1])
                waiting = (role, cell)
            else:
                forename, surname = (waiting[1], cell) if role == SURNAME else (cell, waiting[1])
                cells_in_order.append(
                    f"{surname}, {forename}" if forename and surname else surname or forename
                )
                waiting = None
        if waiting:
            cells_in_order.append(waiting[1])
        if len(cells_in_order) == 1 and self.people > 1 and cells_in_order[0]:
            return self._cells_in_words(cells_in_order[0])
        while cells_in_order and not cells_in_order[-1] and len(cells_in_order) > self.people:
            cells_in_order.pop()
        return cells_in_order

    def _remove_leading_number(self, number: re.Pattern[str], line: str) -> str:
        """Remove a pair or line number, matched by the pattern `number`, from the beginning of a text line."""
        rest = number.sub("", line)
        self.has_numbers = self.has_numbers or rest != line
        return rest.strip()

    def _remove_numbers(self, cells: Sequence[str]) -> list[str]:
        """Return a line's cells without those that are numbers, and without empty ones after the last name."""
        without_numbers = [cell for cell in cells if not NUMBER.match(cell)]
        self.has_numbers = self.has_numbers or len(without_numbers) < len(cells)
        whole = [cell for cell in without_numbers if cell]
        if len(without_numbers) > self.people == len(whole):  # an empty column
            return whole
        while without_numbers and not without_numbers[0] and len(without_numbers) > self.people:
            without_numbers.pop(0)
        while without_numbers and not without_numbers[-1] and len(without_numbers) > self.people:
            without_numbers.pop()
        return without_numbers

    def _add_shared_surname(self, cells: list[str]) -> list[str]:
        """Add a couple's shared surname to both first names: "Hans & Eva Müller", "Müller, Hans & Eva"."""
        if len(cells) != 2 or self.people != 2:
            return cells
        first, second = cells
        if len(first.split()) == 1 and self.known.is_forename(first) and "," not in second:
            surname = split_name(second)[1]
            if split_name(second)[0] and searchable(first) not in self.known.by_surname:
                return [f"{first} {surname}{_SHARED}", second]
        if "," in first and len(second.split()) == 1 and self.known.is_forename(second):
            return [first, f"{second} {first.split(',')[0].strip()}{_SHARED}"]
        return cells

    # ── cells with a person ──

    def _learn_order(self, cells: Iterable[str]) -> None:
        """Find out from the roster's first names whether most names of the list are written first name first."""
        votes: Counter[bool] = Counter()
        for cell in cells:
            words = cell.split()
            if "," not in cell and len(words) > 1 and not any(map(INITIAL.match, words)):
                first, last = (self.known.is_forename(word) for word in (words[0], words[-1]))
                if first != last:
                    votes[last] += 1
        self.is_surname_first = votes[True] >= ENOUGH and votes[True] >= FAR_MORE * votes[False]
        self.is_forename_first = votes[False] >= ENOUGH and votes[False] >= FAR_MORE * votes[True]

    def _list_line(self, number: int, text: str, cells: Sequence[str]) -> ListLine:
        """Return the parsed entry of a text line from its cells, with the questions about its names."""
        names, questions = [], []
        for cell in cells:
            name, doubts = self._person_of_cell(cell)
            names.append(name)
            questions += doubts
        most = MOST_PEOPLE[self.people]
        padded = tuple(names) + ("",) * (self.people - len(names))
        if wrong := name_problem(names, self.people, most):
            questions.insert(0, LineQuestion(wrong))
        questions += [
            LineQuestion(LineDoubt.HERE, name)
            for name in names
            if searchable(name) in self.known.here
        ]
        if text != text.lower():
            questions += filter(None, map(self._question_remark, names))
        return ListLine(number, text[:MOST_SHOWN], padded[:most], tuple(questions))

    def _question_remark(self, name: str) -> LineQuestion | None:
        """Return a question about a lower-case word such as "partner wanted"; None for an ordinary name."""
        if searchable(name) in self.known.by_name or IN_BRACKETS.search(name):
            return None
        small = [word for word in name.split() if word.islower() and word not in PARTICLES]
        if not any(len(word) >= REMARK and not self.known.is_forename(word) for word in small):
            return None
        return LineQuestion(LineDoubt.BRACKETS, name, " ".join(small))

    def _person_of_cell(self, cell: str) -> tuple[str, list[LineQuestion]]:
        """Return the name of the person that a cell means, as "first name surname", and questions about it."""
        if cell.endswith(_SHARED):
            name, doubts = self._person_of_cell(cell.removesuffix(_SHARED))
            return name, [*doubts, LineQuestion(LineDoubt.SHARED, name)]
        name, is_sure = self._put_forename_first(cell)
        if not name or problem_of_name(name):
            return name, []
        if full_name := self.known.by_name.get(searchable(name)):
            return full_name, []
        if inside := IN_BRACKETS.search(name):
            return name, [LineQuestion(LineDoubt.BRACKETS, name, inside[0])]
        words = name.split()
        if len(words) == 1:
            return self._name_of_word(name)
        if bool(INITIAL.match(words[0])) != bool(INITIAL.match(words[-1])):
            return self._name_with_initial(words)
        return self._ordered_name(words, is_sure)

    def _put_forename_first(self, cell: str) -> tuple[str, bool]:
        """Return "Müller, Hans" and "MÜLLER Hans" as "Hans Müller", and whether the surname is certain."""
        parts = [part.strip() for part in cell.split(",")]
        if len(parts) == 2 and all(parts):
            as_written, turned = f"{parts[0]} {parts[1]}", f"{parts[1]} {parts[0]}"
            by_name = self.known.by_name
            if searchable(as_written) in by_name and searchable(turned) not in by_name:
                return as_written, True
            return turned, True
        words = cell.split()
        loud = [word for word in words if word.isupper() and sum(map(str.isalpha, word)) > 1]
        if loud and len(loud) < len(words):
            quiet = [word for word in words if word not in loud]
            behind = [word for word in quiet if word.casefold() in PARTICLES]
            first = [word for word in quiet if word not in behind]
            if first:
                return " ".join([*first, *behind, *(word.title() for word in loud)]), True
        return cell, False

    def _name_of_word(self, name: str) -> tuple[str, list[LineQuestion]]:
        """Return the roster name that a single surname means, and a question if in doubt."""
        candidates = self.known.by_surname.get(searchable(name), [])
        if len(candidates) == 1:
            return candidates[0], []
        if candidates:
            return candidates[0], [
                LineQuestion(LineDoubt.SEVERAL, candidates[0], ", ".join(candidates[:3]))
            ]
        if part_of := self.known.by_word.get(searchable(name)):
            return name, [LineQuestion(LineDoubt.ALIKE, name, part_of[0])]
        return name, [LineQuestion(LineDoubt.ONE_WORD, name)]

    def _name_with_initial(self, words: list[str]) -> tuple[str, list[LineQuestion]]:
        """Return the roster name that an initial and a surname ("H. Müller") mean, and a question if in doubt."""
        if not INITIAL.match(words[0]):
            words = [words[-1], *words[:-1]]
        begins, surname = searchable(words[0])[:1], searchable(" ".join(words[1:]))
        candidates = [
            name
            for name in self.known.by_surname.get(surname, ())
            if searchable(name)[:1] == begins
        ]
        if len(candidates) == 1:
            return candidates[0], []
        if candidates:
            return candidates[0], [
                LineQuestion(LineDoubt.SEVERAL, candidates[0], ", ".join(candidates[:3]))
            ]
        return " ".join(words), [LineQuestion(LineDoubt.INITIAL, " ".join(words))]

    def _ordered_name(self, words: list[str], is_sure: bool) -> tuple[str, list[LineQuestion]]:
        """Return a name with the first name first, and a question if neither the roster nor the list decides."""
        name, turned = " ".join(words), " ".join([words[-1], *words[:-1]])
        if full_name := self.known.by_name.get(searchable(turned)):
            return full_name, []
        first, last = (self.known.is_forename(word) for word in (words[0], words[-1]))
        doubts: list[LineQuestion] = []
        if not is_sure:
            if last and not first:
                name, is_sure = turned, self.is_surname_first
            elif self.is_surname_first:
                name, is_sure = (name, False) if first and not last else (turned, True)
            else:
                is_of_the_club = searchable(words[-1]) in self.known.by_surname
                is_sure = not (first and last) or self.is_forename_first or is_of_the_club
            doubts = [] if is_sure else [LineQuestion(LineDoubt.SURNAME, name)]
        if alike := self.known.alike(name):
            doubts.append(LineQuestion(LineDoubt.ALIKE, name, alike))
        return name, doubts


#: marks a name with the surname of the partner; it cannot be typed
_SHARED = "\x01"
#: replaces a space within a name
_JOINED = "\x02"


def _joined_words(match: re.Match[str]) -> str:
    """Return a matched phrase with its spaces replaced, so that it is not split at "and"."""
    return match[0].replace(" ", _JOINED)


def _question_repeated_names(lines: Iterable[ListLine]) -> Iterator[ListLine]:
    """Return the list's lines, with a question on each name that an earlier line has too."""
    names_before: set[str] = set()
    for line in lines:
        again = [name for name in line.names if name and searchable(name) in names_before]
        names_before |= set(map(searchable, line.names))
        doubts = tuple(LineQuestion(LineDoubt.TWICE, name) for name in again)
        yield replace(line, questions=line.questions + doubts) if doubts else line


def _has_particles(words: str) -> bool:
    """Return whether these words are one surname because of its particles: "van den Berg"."""
    return bool(words) and words.split()[0].casefold() in PARTICLES
