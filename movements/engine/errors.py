"""What a generator says when a wish cannot be granted.

Errors carry fields, not sentences: a page turns them into a translated sentence with the way out,
the command line into an English one (`str(error)`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class MovementError(ValueError):
    """No such movement exists, or it cannot be built as asked."""

    def __init__(self, family: str, **fields: Any) -> None:
        self.family = family
        self.fields = fields
        super().__init__(family, *fields.items())

    def __str__(self) -> str:
        details = ", ".join(f"{key} {value}" for key, value in self.fields.items())
        return f"{self.family}: {details}."


class UnknownFamily(MovementError):
    """No family of this name is in the catalogue."""

    def __str__(self) -> str:
        return f"There is no movement called {self.family!r}. `--list` shows them all."


class UnknownOption(MovementError):
    """The family has no such option, or not with this value (fields: option, value, allowed)."""

    def __str__(self) -> str:
        allowed = self.fields.get("allowed")
        way_out = f" Possible: {allowed}." if allowed else ""
        return f"{self.family}: {self.fields['option']}={self.fields['value']} is not possible.{way_out}"


class WrongTables(MovementError):
    """The family does not exist for this number of tables.

    Fields: tables; needs (in words, English, e.g. "an odd number of tables"); instead (families
    that work with this number of tables).
    """

    def __str__(self) -> str:
        instead = self.fields.get("instead") or ()
        way_out = f" {_and_list(instead)} work with {self.fields['tables']}." if instead else ""
        return f"{self.family} needs {self.fields['needs']}; you asked for {self.fields['tables']}.{way_out}"


class OddTables(WrongTables):
    """The family needs an even number of tables."""


class EvenTables(WrongTables):
    """The family needs an odd number of tables."""


class TooFewTables(WrongTables):
    """The family needs more tables."""


class WrongRounds(MovementError):
    """The family exists for these tables, but not with so many rounds (fields: tables, rounds, allowed)."""

    def __str__(self) -> str:
        allowed = tuple(self.fields["allowed"])
        span = f"{allowed[0]} to {allowed[-1]}" if len(allowed) > 1 else str(allowed[0])
        return (
            f"{self.family} with {self.fields['tables']} tables can have {span} rounds; "
            f"you asked for {self.fields['rounds']}."
        )


class UnknownContestant(MovementError):
    """The movement has no such contestant (fields: contestant)."""

    def __str__(self) -> str:
        return f"{self.family}: nobody is called {self.fields['contestant']!r} in this movement."


class NoDraw(MovementError):
    """Every draw of the next round would let somebody meet an opponent again (fields: contestants)."""

    def __str__(self) -> str:
        return "Everybody has met too many of the others: no draw without a second meeting is left."


class ResultsMissing(MovementError):
    """The next round is drawn from results that are not there yet (fields: round)."""

    def __str__(self) -> str:
        return f"The results of round {self.fields['round']} are missing for the draw."


class NoMissingPair(MovementError):
    """The family has no half table: another takes the number of contestants (fields: missing)."""

    def __str__(self) -> str:
        return f"{self.family} has no half table: nobody can be missing."


class TooFewBoards(MovementError):
    """The boards do not fill the sets (fields: boards, sets)."""

    def __str__(self) -> str:
        return f"{self.fields['boards']} boards cannot fill {self.fields['sets']} sets."


class BadMovementFile(MovementError):
    """A JSON, CSV or TOML movement cannot be read (fields: where, problem)."""

    def __str__(self) -> str:
        return f"{self.fields.get('where', 'file')}: {self.fields['problem']}"


def _and_list(names: Iterable[str]) -> str:
    words = list(names)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
