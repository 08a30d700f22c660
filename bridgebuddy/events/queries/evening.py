"""The evening of a section as people see it: names, tables, boards, sit-outs.

Everything comes from the stored rows. A whole evening costs three queries beside the section's
own (rows, entries, people), whatever the number of tables; one contestant's evening the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Prefetch

from movements.engine.boards import boards_of, ranges
from movements.models import SeatingRow, StoredMovement

from ..models import Entry, EntryPerson, Section


@dataclass(frozen=True)
class Contestant:
    """Somebody in the section, with everything a page writes about them."""

    number: int  # of their own, 1…n
    label: str  # "NS 3", or "3" with one winner
    short: str  # "3"
    field: str  # "ns", "ew", "pairs" …
    names: str  # "Hanna Brandt & Karl Fischer"
    surnames: str  # "Brandt & Fischer"
    players: tuple[str, ...]
    entry: int = 0  # the entry's key
    must_stay_seated: bool = False

    @property
    def last_names(self) -> tuple[str, ...]:
        """The players' surnames, for a small place."""
        return tuple(self.surnames.split(" & "))

    @property
    def slug(self) -> str:
        """The label as an address has it: "NS3"."""
        return self.label.replace(" ", "")


@dataclass(frozen=True)
class Sitting:
    """A side of a table: who sits there in which line. The chip says the line when it is not theirs."""

    contestant: Contestant
    line: str  # "ns" or "ew"

    @property
    def chip(self) -> str:
        at_home = self.contestant.field in (self.line, "pairs", "teams", "players")
        return self.contestant.short if at_home else self.contestant.label


@dataclass(frozen=True)
class Game:
    """A table in a round (or a part of it): the two sides and the boards."""

    round: int
    table: int
    part: int
    parts: int
    ns: tuple[Sitting, ...]
    ew: tuple[Sitting, ...]
    sets: tuple[str, ...]
    boards: tuple[int, ...]
    shared_with: tuple[int, ...] = ()

    @property
    def is_played(self) -> bool:
        return bool(self.ns and self.ew)

    @property
    def board_text(self) -> str:
        """The boards as ranges: "1–3"."""
        return board_text(self.boards)

    def side_of(self, number: int) -> str:
        """Return the line in which a contestant sits at this table."""
        return "ns" if any(s.contestant.number == number for s in self.ns) else "ew"

    def opponents_of(self, number: int) -> tuple[Sitting, ...]:
        return self.ew if self.side_of(number) == "ns" else self.ns

    def partner_of(self, number: int) -> Contestant | None:
        """Return a player's partner in an individual; None where the contestant is a pair."""
        side = self.ns if self.side_of(number) == "ns" else self.ew
        return next((s.contestant for s in side if s.contestant.number != number), None)


@dataclass(frozen=True)
class Turn:
    """What one contestant does in one round: a game, several in parts, or a sit-out."""

    round: int
    games: tuple[Game, ...]  # only those that are played
    waits_at: int = 0  # the table at which a sit-out is spent, if any

    @property
    def sits_out(self) -> bool:
        return not self.games

    @property
    def game(self) -> Game | None:
        return self.games[0] if self.games else None


def board_text(boards: Iterable[int]) -> str:
    """Write board numbers as people do.

    >>> board_text((1, 2, 3, 7))
    '1–3, 7'
    """
    return ", ".join(
        str(first) if first == last else f"{first}–{last}" for first, last in ranges(tuple(boards))
    )


class Evening:
    """A section's evening, read once and asked often."""

    def __init__(
        self, section: Section, *, only: int | None = None, played: StoredMovement | None = None
    ) -> None:
        """Read the evening of a section; with `only`, the rows of one contestant alone.

        `played` is another movement of the same contestants: the evening if that was played.
        """
        self.section = section
        self.only = only
        self.played = played or section.movement

    @cached_property
    def contestants(self) -> dict[int, Contestant]:
        """Everybody with a seat, by number."""
        movement = self.section.movement
        if movement is None:
            return {}
        labels = movement.labels
        entries = self.entries
        return {
            entry.contestant: Contestant(
                number=entry.contestant,
                label=labels.label(entry.contestant),
                short=labels.number(entry.contestant),
                field=labels.field_of(entry.contestant).name,
                names=entry.names,
                surnames=entry.surnames,
                players=tuple(person.name for person in entry.players),
                entry=entry.pk,
                must_stay_seated=entry.must_stay_seated,
            )
            for entry in sorted(entries, key=lambda entry: entry.contestant or 0)
            if entry.contestant is not None
        }

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries in order of entry, with their people."""
        people = EntryPerson.objects.select_related("person")
        return list(self.section.entries.prefetch_related(Prefetch("entry_people", people)))

    @cached_property
    def _rows(self) -> list[SeatingRow]:
        if self.played is None:
            return []
        rows = SeatingRow.objects.filter(movement_id=self.played.pk)
        if self.only is not None:
            seats = ("ns", "ns2", "ew", "ew2")
            wanted = rows.none()
            for seat in seats:
                wanted |= rows.filter(**{seat: self.only})
            rows = wanted
        return list(rows)

    @cached_property
    def games(self) -> dict[int, tuple[Game, ...]]:
        """Every table of every round, in the order of tables and parts."""
        rounds: defaultdict[int, list[Game]] = defaultdict(list)
        for row in self._rows:
            sets = tuple(row.sets.split())
            rounds[row.round].append(
                Game(
                    round=row.round,
                    table=row.table,
                    part=row.part,
                    parts=row.parts,
                    ns=self._side("ns", row.ns, row.ns2),
                    ew=self._side("ew", row.ew, row.ew2),
                    sets=sets,
                    boards=boards_of(sets, self.played.numbers),
                    shared_with=tuple(int(table) for table in row.shares_with.split()),
                )
            )
        return {number: tuple(games) for number, games in rounds.items()}

    def _side(self, line: str, *numbers: int | None) -> tuple[Sitting, ...]:
        return tuple(
            Sitting(self.contestants[number], line) for number in numbers if number is not None
        )

    @property
    def numbers(self) -> dict[str, range]:
        """The board numbers of every set."""
        return self.played.numbers if self.played else {}

    @property
    def rounds(self) -> int:
        return self.section.movement.rounds if self.section.movement else 0

    def sit_outs(self, round: int) -> tuple[Contestant, ...]:
        """Return who plays nothing at all in a round."""
        busy = {
            sitting.contestant.number
            for game in self.games.get(round, ())
            if game.is_played
            for sitting in game.ns + game.ew
        }
        return tuple(one for number, one in self.contestants.items() if number not in busy)

    def turn(self, number: int, round: int) -> Turn:
        """Return what a contestant does in a round."""
        mine = [
            game
            for game in self.games.get(round, ())
            if any(s.contestant.number == number for s in game.ns + game.ew)
        ]
        return Turn(
            round=round,
            games=tuple(game for game in mine if game.is_played),
            waits_at=next((game.table for game in mine if not game.is_played), 0),
        )

    def schedule(self, number: int) -> tuple[Turn, ...]:
        """Return a contestant's whole evening, round by round."""
        return tuple(self.turn(number, round) for round in range(1, self.rounds + 1))

    def next_game(self, number: int, after: int) -> Turn | None:
        """Return the next round in which a contestant plays."""
        turns = (self.turn(number, round) for round in range(after + 1, self.rounds + 1))
        return next((turn for turn in turns if not turn.sits_out), None)
