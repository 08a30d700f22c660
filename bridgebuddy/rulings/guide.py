"""The form of the guide: subjects with questions, answers and ends, and ways through them.

A subject is a tree: each step has one question before it, so that "Back" needs no memory. The texts are
lazy translations; laws are written as in "54D 50B", and mean the Laws of Duplicate Bridge 2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence for the table, or an instruction to the director, with its laws."""

    text: Text
    laws: str = ""
    note: Text = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of the Laws."""
        return tuple(self.laws.split())


@dataclass(frozen=True, slots=True)
class Award:
    """The ruling with which an end opens the page *Correct*.

    `kind` is a kind of the page's form, or "result" for a correction of the contract or tricks.
    `award_ns` and `award_ew` belong to "average", `why_not` to "not_played".
    """

    kind: str
    award_ns: str = ""
    award_ew: str = ""
    why_not: str = ""

    @property
    def needs_result(self) -> bool:
        """Return whether the board must have a result before it can be corrected."""
        return self.kind in ("weighted", "result")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question, with the step that follows."""

    text: Text
    then: Question | End
    laws: str = ""
    note: Text = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of the Laws."""
        return tuple(self.laws.split())


@dataclass(frozen=True, slots=True)
class Question:
    """A question with two or more answers; the warning is a rule that the answers do not show.

    `is_of_fault`: the question that divides averages. The paper explains it once for all subjects.
    """

    name: str
    title: Text
    answers: tuple[Answer, ...]
    warning: Line | None = None
    is_of_fault: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """The director's action: lines in order, and where needed a ruling, or a question for later.

    `later` is asked when the board is over: "The card helped them". `is_over`: the board has been played,
    and its result stays.
    """

    name: str
    title: Text
    lines: tuple[Line, ...]
    award: Award | None = None
    later: Answer | None = None
    hint: Text = ""
    is_over: bool = False

    @property
    def told_on_paper(self) -> tuple[Line, ...]:
        """Return the lines for paper, which explains adjusted scores once for all subjects."""
        return self.lines[:1] if self.award and self.award.kind == "weighted" else self.lines


Step = Question | End


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the twelve subjects; `laws` says in short where it is regulated."""

    name: str
    title: Text
    laws: str
    first: Question


@dataclass(frozen=True, slots=True)
class Place:
    """A step with the way that leads to it."""

    step: Step
    #: the steps before it, from the first question on, each with the answer that was given
    way: tuple[tuple[Step, Answer], ...] = ()

    @property
    def previous_step(self) -> Step | None:
        """Return the step before; None at the first question."""
        return self.way[-1][0] if self.way else None

    @property
    def laws(self) -> tuple[str, ...]:
        """Return the laws of the step's first line; at a question, those of the answer before."""
        if isinstance(self.step, End):
            return self.step.lines[0].numbers
        return self.way[-1][1].numbers if self.way else ()


def answers_of_step(step: Step) -> tuple[Answer, ...]:
    """Return the answers that lead on from a step."""
    if isinstance(step, Question):
        return step.answers
    return (step.later,) if step.later else ()


def places_of_subject(subject: Subject) -> Iterator[Place]:
    """Yield every step of a subject with its way, each question before its answers."""
    waiting = [Place(subject.first)]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += [
            Place(answer.then, (*place.way, (place.step, answer)))
            for answer in reversed(answers_of_step(place.step))
        ]


def find_place(subject: Subject, name: str) -> Place | None:
    """Return the step with this name, or None."""
    return next((place for place in places_of_subject(subject) if place.step.name == name), None)
