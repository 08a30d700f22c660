"""The catalogue's data about a family: requirements, options and construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from movements.engine.translation_marks import marked_in

from ..contest import Contest
from ..model import Movement

#: values of options in words, apart from families
CHOICES = {
    "1": marked_in("choice", "one ranking"),
    "2": marked_in("choice", "two rankings"),
    "usual": marked_in("choice", "usual"),
    "up": marked_in("choice", "up"),
    "down": marked_in("choice", "down"),
    "whist": marked_in("choice", "whist"),
    "eight": marked_in("choice", "eight"),
    "twelve": marked_in("choice", "twelve"),
    "web": marked_in("choice", "web"),
    "natural": marked_in("choice", "natural"),
    "back": marked_in("choice", "back"),
    "two": marked_in("choice", "two"),
    "two-back": marked_in("choice", "two back"),
    "best": marked_in("choice", "best"),
    "published": marked_in("choice", "published"),
    "built": marked_in("choice", "built"),
    "teams": marked_in("choice", "teams"),
    "pairs": marked_in("choice", "pairs"),
    "slide": marked_in("choice", "slide"),
    "fold": marked_in("choice", "fold"),
    "random": marked_in("choice", "random"),
    "triangle": marked_in("choice", "triangle"),
    "long-triangle": marked_in("choice", "long triangle"),
    "bye": marked_in("choice", "bye"),
    "rotated": marked_in("choice", "rotated"),
    "toss": marked_in("choice", "toss"),
}


def _largest_or_none(legal: Sequence[int]) -> int | None:
    """Return the largest of these numbers; None without any."""
    return legal[-1] if legal else None


@dataclass(frozen=True, slots=True)
class FamilyOption:
    """An option of a movement family, such as the place of the skip; `kind` tells how its text is read.

    `sizes` says whether the possible numbers of tables or rounds depend on it.
    """

    name: str
    kind: Literal["int", "ints", "flag", "choice", "labels"]
    help: str
    choices: tuple[str, ...] = ()
    sizes: bool = False

    def read(self, text: str) -> Any:
        """Convert an option's typed text to its value. Raises `ValueError` if it is invalid."""
        if self.kind == "int":
            return int(text)
        if self.kind == "ints":
            return tuple(int(item) for item in text.replace(",", " ").split())
        if self.kind == "labels":
            return tuple(text.replace(",", " ").split())
        if self.kind == "flag":
            truth = {"1": True, "yes": True, "true": True, "0": False, "no": False, "false": False}
            if text.lower() not in truth:
                raise ValueError(text)
            return truth[text.lower()]
        if text not in self.choices:
            raise ValueError(text)
        return text

    def text_of(self, value: Any) -> str:
        """Return an option's value as the text that `read` accepts; empty for None.

        >>> FamilyOption("at", "ints", "").text_of((2, 5)), FamilyOption("revenge", "flag", "").text_of(True)
        ('2,5', 'yes')
        """
        if value is None:
            return ""
        if self.kind == "flag":
            return "yes" if value else "no"
        if self.kind in ("ints", "labels"):
            return ",".join(map(str, value))
        return str(value)


@dataclass(frozen=True, slots=True)
class Family:
    """A movement family of the catalogue (Mitchell, Howell …): its name, sizes, options and generator.

    `build(tables, rounds=None, **options)` returns the movement or raises a `MovementError`. `rounds(tables,
    **options)` returns the legal numbers of rounds, ascending; none if the family does not exist for this size or
    these options (it gets those with `sizes`). `fewest_boards(tables)` returns the boards per round from which no
    table waits for boards. `usual_rounds`, called the same way, is the default number of rounds (None: no default).
    For a half table `tables` counts the half one too; for team round robins it counts the teams.
    """

    name: str
    title: str
    build: Callable[..., Movement]
    rounds: Callable[..., Sequence[int]]
    smallest: int
    needs: str
    contest: Contest = Contest.PAIRS
    winners: int = 2
    options: tuple[FamilyOption, ...] = ()
    usual_rounds: Callable[..., int | None] | None = None
    fewest_boards: Callable[[int], int] = lambda tables: 1
    takes_missing_pair: bool = True
    largest: int = 60
    source: str = ""
    also_called: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """Return the unit in which the family's size is counted: "tables" or "teams"."""
        return "teams" if self.contest.has_halves else "tables"

    def possible_rounds(
        self, tables: int, options: Mapping[str, Any] | None = None
    ) -> Sequence[int]:
        """Return the legal numbers of rounds for so many tables; empty if there is no movement."""
        if not self.smallest <= tables <= self.largest:
            return ()
        return self.rounds(tables, **self._size_options(options))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the numbers of tables (or teams) for which the family has a movement."""
        return self.sizes_with({})

    def sizes_with(self, options: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the numbers of tables (or teams) for which the family has a movement with these options."""
        every = range(self.smallest, self.largest + 1)
        return tuple(n for n in every if self.possible_rounds(n, options))

    def default_rounds(self, tables: int, options: Mapping[str, Any] | None = None) -> int | None:
        """Return the default number of rounds."""
        legal = self.possible_rounds(tables, options)
        if not legal:
            return None
        if self.usual_rounds:
            return self.usual_rounds(tables, **self._size_options(options))
        return _largest_or_none(legal)

    def _size_options(self, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return those of the options that affect which sizes exist."""
        names = [option.name for option in self.options if option.sizes]
        return {name: options[name] for name in names if name in options} if options else {}


def number_runs(numbers: Sequence[int], to: str = "-") -> list[str]:
    """Format numbers as ranges, and arithmetic series as such.

    >>> number_runs([5, 9]), number_runs(range(3, 61)), number_runs([4, 5, 6, 8, 9])
    (['5', '9'], ['3-60'], ['4-6', '8', '9'])
    >>> number_runs(range(4, 61, 2))
    ['4, 6, 8 … 60']
    """
    steps = {b - a for a, b in pairwise(numbers)}
    if len(numbers) > 4 and len(steps) == 1 and steps != {1}:
        return [f"{', '.join(map(str, numbers[:3]))} … {numbers[-1]}"]
    groups: list[list[int]] = []
    for number in numbers:
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    return [
        text
        for run in groups
        for text in ([f"{run[0]}{to}{run[-1]}"] if len(run) > 2 else map(str, run))
    ]
