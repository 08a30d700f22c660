"""Errors of generators for impossible requests.

Errors carry fields, not sentences. A page turns them into a translated sentence with a way out. The command line
turns them into an English one (`error.sentence(…)`, with the usual names of families; see `catalogue.explain_refusal`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any


class MovementError(ValueError):
    """Raised if no such movement exists, or it cannot be built with these options."""

    def __init__(self, family: str, **fields: Any) -> None:
        self.family = family
        self.fields = fields
        super().__init__(family, *fields.items())

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error in English; `title` returns a family's name; `unit` is the unit of its size."""
        details = ", ".join(f"{key} {value}" for key, value in self.fields.items())
        return f"{title(self.family)}: {details}."

    def __str__(self) -> str:
        return self.sentence()


class UnknownFamily(MovementError):
    """Raised if the catalogue has no movement family of this name."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence with a way to avoid it."""
        return f"There is no movement called {self.family!r}. `--list` shows them all."


class UnknownOption(MovementError):
    """Raised if the family has no such option, or not with this value (data: option, value, allowed)."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence with the allowed values."""
        allowed = self.fields.get("allowed")
        way_out = f" Possible: {allowed}." if allowed else ""
        wish = f"{self.fields['option']}={self.fields['value']}"
        return f"{title(self.family)}: {wish} is not possible.{way_out}"


class WrongTables(MovementError):
    """Raised if the movement family has no movement for this number of tables.

    Fields: tables; needs (in words, English, e.g. "an odd number of tables"); instead (families that work with this
    number of tables); most_rounds, if it exists for fewer rounds.
    """

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence with the possible sizes."""
        tables = self.fields["tables"]
        instead = [title(name) for name in self.fields.get("instead") or ()]
        verb = "works" if len(instead) == 1 else "work"
        way_out = f" {_join_words(instead, 'and')} {verb} with {tables}." if instead else ""
        return (
            f"{title(self.family)} needs {self.fields['needs']}; you asked for {tables}.{way_out}"
        )


class OddTables(WrongTables):
    """Raised if the movement family needs an even number of tables."""


class EvenTables(WrongTables):
    """Raised if the movement family needs an odd number of tables."""


class TooFewTables(WrongTables):
    """Raised if the movement family needs more tables."""


class WrongRounds(MovementError):
    """Raised if the family has no movement of so many rounds for these tables (data: tables, rounds, allowed)."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence with the possible numbers of rounds."""
        size = f"{self.fields['tables']} {unit}"
        possible = _rounds_text(tuple(self.fields["allowed"]))
        rounds = self.fields["rounds"]
        return f"{title(self.family)} with {size} can have {possible}; you asked for {rounds}."


class UnknownContestant(MovementError):
    """Raised if the movement has no such contestant (data: contestant)."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence."""
        return f"{title(self.family)}: nobody is called {self.fields['contestant']!r} in this movement."


class NoDraw(MovementError):
    """Raised if every draw of the next round would repeat a meeting (data: contestants)."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence."""
        return "Everybody has met too many of the others: no draw without a second meeting is left."


class NoMissingPair(MovementError):
    """Raised if the movement family cannot have a missing pair (data: missing)."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence."""
        return f"{title(self.family)} has no half table: nobody can be missing."


class TooFewBoards(MovementError):
    """Raised if there are fewer boards than board sets (data: boards, sets)."""

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence."""
        return f"{self.fields['boards']} boards cannot fill {self.fields['sets']} sets."


#: problems in a movement's file in English, with their facts
FILE_PROBLEMS = {
    "no-json": "this is no JSON (line %(line)s, column %(column)s)",
    "no-csv": "this is no CSV: look at its quotation marks",
    "no-movement": "a movement is a JSON object",
    "no-comment-json": "after # there should be JSON (column %(column)s)",
    "no-comment-object": "after # there should be a JSON object",
    "no-object": "this should be a JSON object",
    "no-row": "a row is a JSON object",
    "no-rows": "there are no rows",
    "no-list": "this should be a list, not %(value)s",
    "no-text": "this should be text of up to %(most)s characters, not %(value)s",
    "no-names": "this should be a list of up to %(most)s names",
    "no-number": "%(value)s is no number up to 999",
    "no-whole-number": "this should be a whole number from %(least)s to %(most)s, not %(value)s",
    "no-fields": "this should be an object with a list of labels for each field",
    "contest": "pairs, individual or teams",
    "key": "key '%(key)s' is missing",
    "key-twice": "key %(key)s is there twice",
    "column": "column %(column)s is missing",
    "cells": "there should be %(most)s cells",
    "missing": "this is missing",
    "label-twice": "a label is in '%(field)s' twice",
    "contestants": "a movement has 1 to %(most)s contestants",
    "entries": "up to %(most)s entries",
    "rows": "up to %(most)s rows",
    "parts": "round %(round)s table %(table)s has more than %(most)s rows",
    "partners": "two partners or nobody",
    "stranger": "%(value)s is not in the field",
    "triangle": "a triangle has three teams",
    "spaces": "the name of a board set has no spaces",
    "law": "%(value)s is none of the laws that may be broken (%(laws)s)",
}


class BadMovementFile(MovementError):
    """Raised if a movement's JSON or CSV file cannot be read.

    Fields: where (the position as text: "row 3, column table"), problem (a key of `FILE_PROBLEMS`), facts (for its
    sentence).
    """

    def sentence(self, title: Callable[[str], str] = str, unit: str = "tables") -> str:
        """Return the error as an English sentence with its place in the file."""
        problem = FILE_PROBLEMS[self.fields["problem"]] % self.fields["facts"]
        return f"{self.fields['where']}: {problem}"


def _join_words(words: Sequence[str], last: str) -> str:
    """Return words as a list in a sentence, with `last` ("and", "or") before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _rounds_text(numbers: Sequence[int]) -> str:
    """Return the possible numbers of rounds as text: "3 rounds", "2 to 9 rounds", "an even number of rounds …"."""
    if len(numbers) < 3:
        return f"{_join_words([str(number) for number in numbers], 'or') or 'no'} rounds"
    first, last = numbers[0], numbers[-1]
    steps = {b - a for a, b in pairwise(numbers)}
    if steps == {1}:
        return f"{first} to {last} rounds"
    if steps == {2} and first % 2 == 0:
        return f"an even number of rounds, {first} to {last}"
    return f"{_join_words([str(number) for number in numbers], 'or')} rounds"
