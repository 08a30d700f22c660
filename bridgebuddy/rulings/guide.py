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
class GuideLine:
    """A line of the guide to rulings: a sentence to say at the table, or an instruction, with its Laws."""

    text: Text
    laws: str = ""
    note: Text = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of the Laws on which the line is based."""
        return tuple(self.laws.split())


@dataclass(frozen=True, slots=True)
class SuggestedRuling:
    """The ruling with which a final step of the guide opens the page for correcting a result.

    `kind` is a kind of the page's form, or "result" for a correction of the contract or tricks.
    `award_ns` and `award_ew` belong to "average", `why_not` to "not_played".
    """

    kind: str
    award_ns: str = ""
    award_ew: str = ""
    why_not: str = ""

    @property
    def needs_result(self) -> bool:
        """Return whether the board must have a result before this ruling is possible."""
        return self.kind in ("weighted", "result")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question of the guide, with the next step."""

    text: Text
    then: Question | FinalStep
    laws: str = ""
    note: Text = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Return the numbers of the Laws on which the answer is based."""
        return tuple(self.laws.split())


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the guide with two or more answers, and a warning about a rule that the answers do not show.

    `is_of_fault`: the question that divides averages. The paper explains it once for all subjects.
    """

    name: str
    title: Text
    answers: tuple[Answer, ...]
    warning: GuideLine | None = None
    is_of_fault: bool = False


@dataclass(frozen=True, slots=True)
class FinalStep:
    """A final step of the guide: what the director says and does, and where needed a ruling or a later question.

    `later` is asked when the board is over: "The card helped them". `is_over`: the board has been played,
    and its result stays.
    """

    name: str
    title: Text
    lines: tuple[GuideLine, ...]
    award: SuggestedRuling | None = None
    later: Answer | None = None
    hint: Text = ""
    is_over: bool = False

    @property
    def lines_on_paper(self) -> tuple[GuideLine, ...]:
        """Return the lines for the printed guide, which explains adjusted scores only once."""
        return self.lines[:1] if self.award and self.award.kind == "weighted" else self.lines


Step = Question | FinalStep


@dataclass(frozen=True, slots=True)
class Subject:
    """One of the guide's twelve subjects, such as revoke; `laws` names its Laws."""

    name: str
    title: Text
    laws: str
    first: Question


@dataclass(frozen=True, slots=True)
class StepWithPath:
    """A step of the guide with the questions and answers that lead to it."""

    step: Step
    #: the steps before it, from the first question on, each with the answer that was given
    way: tuple[tuple[Step, Answer], ...] = ()

    @property
    def previous_step(self) -> Step | None:
        """Return the step before this one; None at the first question."""
        return self.way[-1][0] if self.way else None

    @property
    def laws(self) -> tuple[str, ...]:
        """Return the Laws of a final step's first line, or of the answer that led to a question."""
        if isinstance(self.step, FinalStep):
            return self.step.lines[0].numbers
        return self.way[-1][1].numbers if self.way else ()


def answers_of_step(step: Step) -> tuple[Answer, ...]:
    """Return the answers that lead on from a step; a final step has at most its later question."""
    if isinstance(step, Question):
        return step.answers
    return (step.later,) if step.later else ()


def steps_of_subject(subject: Subject) -> Iterator[StepWithPath]:
    """Yield every step of a subject with the answers that lead to it, each question before its answers."""
    waiting = [StepWithPath(subject.first)]
    while waiting:
        place = waiting.pop()
        yield place
        waiting += [
            StepWithPath(answer.then, (*place.way, (place.step, answer)))
            for answer in reversed(answers_of_step(place.step))
        ]


def find_place(subject: Subject, name: str) -> StepWithPath | None:
    """Return the step of a subject with this name and the answers that lead to it, or None."""
    return next((place for place in steps_of_subject(subject) if place.step.name == name), None)
