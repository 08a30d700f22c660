"""Entries, their people, and the plays of a section."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import joined_names, short_names
from bridgebuddy.clubs.people.public_names import text_with_public_names
from movements.engine.contest import Contest

from .sections import Section


class Entry(models.Model):
    """A contestant entered in a section: a pair, a team, or a player of an individual.

    `contestant` is its number in the movement once it has a seat. While rounds are played, an entry without a number
    waits for a seat.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="entries")
    position = models.PositiveSmallIntegerField()  # order of entry, from 1
    contestant = models.PositiveSmallIntegerField(null=True)
    first_round = models.PositiveSmallIntegerField(default=1)  # later if it came late
    left_after = models.PositiveSmallIntegerField(null=True)  # the last round before it left
    back_in = models.PositiveSmallIntegerField(null=True)  # the first round after its return
    must_stay_seated = models.BooleanField(_("must stay seated"), default=False)
    #: for a team: its name, if any, and the rounds in which its two pairs sit the other way
    NAME_LENGTH = 60
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    crossed_in = models.JSONField(default=list, blank=True)
    #: for a team that changes at half-time: by round, the places at N, S, E and W in the second half
    second_halves = models.JSONField(default=dict, blank=True)
    #: prefetched by an evening (`Prefetch`)
    links_read: list[EntryPerson]
    people = models.ManyToManyField(
        Person, through="EntryPerson", through_fields=("entry", "person"), related_name="entries"
    )

    #: rounds of an entry that neither comes late nor leaves
    ALL_EVENING: ClassVar[dict[str, int | None]] = {
        "first_round": 1,
        "left_after": None,
        "back_in": None,
    }

    class Meta:
        ordering = ["position"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["section", "contestant"], name="one_entry_per_seat"),
        ]

    def __str__(self) -> str:
        return self.names

    @property
    def team_name(self) -> str:
        """Return the team's name, or its first player's surname if it has none."""
        if self.name:
            return text_with_public_names(self.name, (link.person for link in self.links))
        return next((person.surname for person in self.players), "")

    def halves_in(self, round: int, half: int = 1) -> tuple[list[Person], list[Person]]:
        """Return a team's two pairs in a round, N-S first; with `half` 2 as they sit after half-time."""
        there = {link.position: link.person for link in self.links_in(round)}
        seats = self.section.contest.seats
        usual = range(1, 2 * seats + 1)
        then = self.second_halves.get(str(round), usual) if half == 2 else usual
        places = then if there.keys() >= set(then) else usual
        people = [there[place] for place in places if place in there]
        halves = people[:seats], people[seats:]
        return (halves[1], halves[0]) if round in self.crossed_in else halves

    @property
    def has_left(self) -> bool:
        """Return whether the entry left during the session and has not returned."""
        return self.left_after is not None and self.back_in is None

    @property
    def times(self) -> list[int | None]:
        """Return the first round, the round of leaving and the round of returning of the entry, as a list."""
        return [getattr(self, name) for name in self.ALL_EVENING]

    def take_seat(self, contestant: int | None = None, *times: int | None) -> None:
        """Set the entry's contestant number, or none, and its rounds of presence (all rounds by default)."""
        self.contestant = contestant
        presence = dict(zip(self.ALL_EVENING, times, strict=False))
        for name, value in (self.ALL_EVENING | presence).items():
            setattr(self, name, value)

    @property
    def links(self) -> list[EntryPerson]:
        """Return the entry's `EntryPerson` rows by place and round: prefetched, or read now."""
        return self.links_read if self.are_links_read else list(self.entry_people.all())

    @property
    def are_links_read(self) -> bool:
        """Return whether the entry's `EntryPerson` rows have been prefetched."""
        return hasattr(self, "links_read")

    def links_in(self, round: int) -> list[EntryPerson]:
        """Return the `EntryPerson` of each place in a round, in order; a team's reserves follow the fourth place."""
        places: dict[int, EntryPerson] = {}
        for link in self.links:
            if link.is_reserve and not link.holds_place_in(round):
                continue
            if link.position not in places or link.from_round <= round:
                places[link.position] = link
        return list(places.values())

    def people_in(self, round: int) -> list[Person]:
        """Return the people who play for the entry in a round, in order; prefetch `entry_people__person` for lists."""
        return [link.person for link in self.links_in(round)]

    @cached_property
    def players(self) -> list[Person]:
        """Return the people who play for the entry now: in round 1 before the start, in the last round at the end."""
        return self.people_in(self.section.shown_round)

    @property
    def names(self) -> str:
        """Return the players' full names as text: "Hanna Brandt & Karl Fischer"."""
        return " & ".join(person.name for person in self.players)

    @property
    def shown_names(self) -> str:
        """Return the players' names as pages show them, a couple's surname once: "Ruth & Otto Klein"."""
        return joined_names([person.name for person in self.players])

    @property
    def surnames(self) -> str:
        """Return the players' surnames for small places: "Brandt & Fischer"."""
        names = [person.name for person in self.players]
        return joined_names(names, short_names(names))


class EntryPerson(models.Model):
    """A person's place in an entry, from one round to another; a substitute has it for some rounds.

    The first places are seats. A team's reserves have the places after the fourth, in rounds in which they rest. The
    player that a reserve replaces rests there.
    """

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="entry_people")
    section = models.ForeignKey(Section, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()
    from_round = models.PositiveSmallIntegerField(default=1)
    until_round = models.PositiveSmallIntegerField(null=True)  # None: to the end
    #: the person whom a substitute replaces; None for the regular player
    plays_for = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["position", "from_round"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "person", "from_round"], name="nobody_plays_twice"
            ),
            models.UniqueConstraint(
                fields=["entry", "position", "from_round"], name="one_person_per_place"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.entry_id}"

    def holds_place_in(self, round: int) -> bool:
        """Return whether the person holds the place in this round."""
        return self.from_round <= round and (self.until_round is None or round <= self.until_round)

    @property
    def is_all_evening(self) -> bool:
        """Return whether the person holds the place in all rounds."""
        return self.from_round == 1 and self.until_round is None

    @property
    def is_reserve(self) -> bool:
        """Return whether the person is a reserve of a team, without a seat."""
        return self.position > Contest.TEAMS.people

    @property
    def owner(self) -> Person:
        """Return the regular player of this place in the entry, even while a substitute plays."""
        return self.plays_for or self.person


class Play(models.Model):
    """A board played at a table in a round, with the contestants on both sides. Rows are written when the round begins.

    It refers to entries, because their numbers in the movement may change, and to the people at the table. An entry
    alone on one side waits at a half table. `turned` says that the contestants with the N-S cards sit E-W. If a
    round's start is undone, its plays are kept with `taken_back_at` and return with the round. All other plays are
    history, and change only to correct the record.
    """

    section = models.ForeignKey(Section, models.CASCADE, related_name="plays")
    round = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField()
    part = models.PositiveSmallIntegerField(default=1)
    parts = models.PositiveSmallIntegerField(default=1)
    board = models.PositiveSmallIntegerField()
    ns = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    ns2 = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    ew = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    ew2 = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="+")
    #: the people in the seats; None for a team without a stated line-up
    north = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    south = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    east = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    west = models.ForeignKey(Person, models.PROTECT, null=True, blank=True, related_name="+")
    turned = models.BooleanField(default=False)
    shares_with = models.CharField(max_length=60, blank=True)  # tables that passed it on, spaced
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round", "table", "part", "board"]
        constraints = [
            models.UniqueConstraint(
                fields=["section", "round", "table", "part", "board"],
                condition=models.Q(taken_back_at=None),
                name="one_play_per_place",
            )
        ]

    def __str__(self) -> str:
        return f"round {self.round} table {self.table} board {self.board}"
