"""The stored movement: rows for pages, and the JSON from which they are made."""

from __future__ import annotations

from functools import cached_property

from django.db import models

from movements.engine.files import document

from .engine.drawing.draws import DRAWN_ON_RESULTS
from .engine.model import Field, Movement, field_order
from .fields import ContestField


class StoredMovement(models.Model):
    """A movement in play, stored as JSON and as seatings; rows are never changed, only replaced."""

    family = models.CharField(max_length=40)
    tables = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    winners = models.PositiveSmallIntegerField()
    contest = ContestField()
    #: {"ns": ["1", "2"], "ew": …}: the labels of the contestants, by field
    fields = models.JSONField()
    document = models.JSONField()
    #: {"A": [1, 3]}: first and last board of every set
    boards = models.JSONField()

    def __str__(self) -> str:
        return f"{self.family} {self.tables}×{self.rounds}"

    @cached_property
    def movement(self) -> Movement:
        """Return the engine's `Movement`, parsed from the JSON."""
        return document.read_movement(self.document).movement

    @property
    def is_draw(self) -> bool:
        """Return whether teams play drawn matches, whose boards are dealt at the table."""
        return self.contest.has_halves and not self.boards

    @property
    def is_drawn_as_played(self) -> bool:
        """Return whether rounds are drawn as results come in: Swiss, knockout."""
        return self.family in DRAWN_ON_RESULTS

    @property
    def may_turn_boards(self) -> bool:
        """Return whether arrow-switches are possible: one field of pairs in both directions. Reads no JSON."""
        return self.winners == 1 and self.contest.fills_a_side and not self.is_drawn_as_played

    @property
    def open_rounds(self) -> tuple[int, ...]:
        """Return the rounds that have not been drawn yet."""
        return self.movement.open_rounds if self.is_drawn_as_played else ()

    @cached_property
    def without_seatings(self) -> Movement:
        """Return the movement without its seatings, which is enough for labels and needs no JSON."""
        return Movement(
            family=self.family,
            contest=self.contest,
            tables=self.tables,
            rounds=self.rounds,
            fields=tuple(
                Field(name, tuple(self.fields[name]))
                for name in sorted(self.fields, key=field_order)
            ),
            sets=(),
            seatings=(),
        )

    @cached_property
    def numbers(self) -> dict[str, range]:
        """Return the board numbers of every set."""
        return {name: range(first, last + 1) for name, (first, last) in self.boards.items()}


class SeatingRow(models.Model):
    """A seating of a stored movement: the sides and board sets at a table in a round or a part of it.

    Sides are contestants' numbers; the second player of a side exists in an individual.
    """

    movement = models.ForeignKey(StoredMovement, models.CASCADE, related_name="rows")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    part = models.PositiveSmallIntegerField(default=1)
    parts = models.PositiveSmallIntegerField(default=1)
    ns = models.PositiveSmallIntegerField(null=True)
    ns2 = models.PositiveSmallIntegerField(null=True)
    ew = models.PositiveSmallIntegerField(null=True)
    ew2 = models.PositiveSmallIntegerField(null=True)
    sets = models.CharField(max_length=60)  # names, spaced
    shares_with = models.CharField(max_length=60, blank=True)  # tables with equal wishes, spaced

    class Meta:
        ordering = ["round", "table", "part"]
        constraints = [
            models.UniqueConstraint(
                fields=["movement", "round", "table", "part"], name="one_row_per_place"
            )
        ]

    def __str__(self) -> str:
        return f"round {self.round} table {self.table}: {self.ns} – {self.ew} on {self.sets}"
