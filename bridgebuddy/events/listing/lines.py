"""A parsed list: its lines, and the questions about them."""

from __future__ import annotations

from dataclasses import dataclass

from ..names import LineProblem


class LineDoubt:
    """The kinds of question about a name in a list, in addition to its errors (`LineProblem`)."""

    SURNAME = "surname"
    SEVERAL = "several"
    INITIAL = "initial"
    ONE_WORD = "one-word"
    SHARED = "shared-surname"
    ALIKE = "alike"
    BRACKETS = "brackets"
    HERE = "here"
    TWICE = "twice"


PROBLEMS = frozenset(value for name, value in vars(LineProblem).items() if not name.startswith("_"))


@dataclass(frozen=True, slots=True)
class LineQuestion:
    """A question about a name in a list: its kind, the name, and the person on the roster that may be meant."""

    kind: str
    name: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class ListLine:
    """One text line of a list of entries: its number from 1, its text, and the names and questions read from it."""

    number: int
    text: str
    names: tuple[str, ...] = ()
    questions: tuple[LineQuestion, ...] = ()
    is_heading: bool = False
    team: str = ""  # a team's name, if the line has one

    @property
    def problem(self) -> str:
        """Return the error that keeps this text line from being an entry; empty if it is usable."""
        return next((question.kind for question in self.questions if question.kind in PROBLEMS), "")

    @property
    def is_clear(self) -> bool:
        """Return whether the names in this text line raise no question."""
        return not self.questions

    @property
    def is_note(self) -> bool:
        """Return whether this text line is no entry but a title with a date, or "Total: 8 pairs"."""
        has_colon = ":" in self.text and not self.team
        return not self.is_clear and (has_colon or any(map(str.isdigit, "".join(self.names))))

    @property
    def is_here(self) -> bool:
        """Return whether all people of this line are already entered in the section, as after pasting twice."""
        here = [question for question in self.questions if question.kind == LineDoubt.HERE]
        return bool(here) and len(here) == len(self.names)


@dataclass(frozen=True, slots=True)
class InvalidListLine:
    """A text line of a list that is no valid entry: its number from 1, its text and its error."""

    number: int
    text: str
    problem: str


@dataclass(frozen=True, slots=True)
class ListReading:
    """The result of parsing a list: the entries, the text line of each, and the lines with errors."""

    pairs: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    bad: tuple[InvalidListLine, ...]


@dataclass(frozen=True)
class PairList:
    """A parsed list of entries, line by line, without empty lines."""

    lines: tuple[ListLine, ...]
    #: True if numbers were omitted
    has_numbers: bool = False

    @property
    def entries(self) -> tuple[ListLine, ...]:
        """Return the lines of the list that are not headings."""
        return tuple(line for line in self.lines if not line.is_heading)

    @property
    def heading_line_count(self) -> int:
        """Return how many headings the list has."""
        return len(self.lines) - len(self.entries)

    @property
    def has_teams(self) -> bool:
        """Return whether a line of the list gives a team's name."""
        return any(line.team for line in self.entries)

    @property
    def doubtful(self) -> tuple[ListLine, ...]:
        """Return the entries with questions that the director has to answer."""
        return tuple(line for line in self.entries if not line.is_clear)
