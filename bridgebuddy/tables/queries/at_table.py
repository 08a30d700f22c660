"""A table in a round as its phones show it: who sits where, its boards, and what was said of each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.games import LINES
from bridgebuddy.scoring.models import Result, Source
from bridgebuddy.scoring.queries.coming_in import is_in
from bridgebuddy.scoring.queries.doubts import SIDE_OF

from ..models import Claim, Phones, Swapped
from ..pad import SEATS

CHAIRS = {"N": "north", "E": "east", "S": "south", "W": "west"}
PARTNER = {"N": "S", "S": "N", "E": "W", "W": "E"}
ACROSS = {"ns": "ew", "ew": "ns"}
#: instead of an entry: the phone belongs to nobody, and stays at the table
OF_TABLE = 0
#: what can be of a board
MISSING, HELD, DIFFER, UNCHECKED, AGREED, STORED = (
    "missing",
    "held",
    "differ",
    "unchecked",
    "agreed",
    "stored",
)


#: what came of a board of an earlier round, so that nobody at the table has anything left to say of it: `is_in`
KNOWN = Result.objects.filter(play=OuterRef("pk"), stands=True, outcome__isnull=False).exclude(
    outcome__has_key="pending"
)


def side_of(play: Play, entry: int | None) -> str:
    """Return the side on which an entry (by its key) plays a board; nothing where it does not."""
    if entry is None:
        return ""
    if entry == OF_TABLE:
        return "ns"
    if entry in (play.ns_id, play.ns2_id):
        return "ns"
    return "ew" if entry in (play.ew_id, play.ew2_id) else ""


def play_at(section: Section, table: int, key: int) -> Play | None:
    """Return a play of a table that has begun, or that a change has taken back. One query."""
    has_begun = Q(round__lte=section.round) | Q(taken_back_at__isnull=False)
    plays = Play.objects.filter(has_begun, section=section, table=table, pk=key)
    return plays.exclude(Q(ns=None) | Q(ew=None)).order_by().first()


@dataclass(frozen=True)
class Board:
    """A board at a table in a round, with the result that stands and what both sides say of it."""

    play: Play
    phones: Phones
    result: Result | None = None
    held: dict[str, Claim] = field(default_factory=dict)
    swapped: frozenset[int] = frozenset()

    @property
    def board(self) -> int:
        return self.play.board

    @property
    def number(self) -> int:
        return self.result.number if self.result else 0

    @property
    def outcome(self) -> dict[str, Any] | None:
        """What counts."""
        return self.result.outcome if self.result else None

    @cached_property
    def state(self) -> str:
        """Whether it is missing, held (one side of a double entry), different, unchecked, agreed or stored."""
        if not is_in(self.outcome):
            return {0: MISSING, 1: HELD}.get(len(self.held), DIFFER)
        if self.result is None or self.result.source != Source.PHONE or not self.phones.is_checked:
            return STORED
        return AGREED if len(self.held) == len(LINES) else UNCHECKED

    @property
    def is_done(self) -> bool:
        """Whether nobody has to do anything about it."""
        return self.state in (AGREED, STORED)

    @property
    def said_by(self) -> str:
        """The side that has said what stands, while the other has not."""
        return next(iter(self.held), "") if len(self.held) == 1 else ""

    def has_said(self, side: str) -> bool:
        return side in self.held

    @property
    def asked(self) -> str:
        """The side that is still to say something."""
        return ACROSS.get(self.said_by, "")

    @cached_property
    def names(self) -> dict[str, str]:
        """Who sits where: surnames by seat, empty where it is not known."""
        found = {}
        for seat in SEATS:
            side = SIDE_OF[seat]
            is_swapped = getattr(self.play, f"{side}_id") in self.swapped
            person = getattr(self.play, CHAIRS[PARTNER[seat] if is_swapped else seat])
            found[seat] = person.surname if person else ""
        return found

    def side_of(self, entry: int | None) -> str:
        """The side on which an entry plays this board; nothing where it does not.

        A phone that stays at the table speaks for North-South, whoever they are.
        """
        return side_of(self.play, entry)

    def people(self, side: str) -> str:
        """The surnames of a side: "Miller & Schmidt"."""
        return " & ".join(self.people_of(side))

    def people_of(self, side: str) -> list[str]:
        return [name for seat, name in self.names.items() if SIDE_OF[seat] == side and name]

    def is_over(self, section: Section) -> bool:
        """Whether its round has ended, so that only the director changes what stands."""
        return section.is_over(self.play.round)


def _read_people(plays: list[Play]) -> None:
    """Read who sat there: at one table the same few people all evening."""
    there = {getattr(play, f"{chair}_id") for play in plays for chair in CHAIRS.values()}
    people = Person.objects.in_bulk(there - {None})
    for play in plays:
        for chair in CHAIRS.values():
            if key := getattr(play, f"{chair}_id"):
                setattr(play, chair, people[key])


class AtTable:
    """What a table plays in the round being played, and what is missing there of rounds before.

    Of one `play` (its key) alone where that is all that is asked.
    """

    def __init__(
        self, section: Section, table: int, phones: Phones, *, play: int | None = None
    ) -> None:
        self.section, self.table, self.phones = section, table, phones
        plays = Play.objects.filter(section=section, table=table, taken_back_at=None)
        if play is None:
            plays = plays.filter(Q(round=section.round) | ~Exists(KNOWN))
        else:
            plays = plays.filter(pk=play)
        self._plays = list(plays.exclude(Q(ns=None) | Q(ew=None)).filter(round__lte=section.round))
        _read_people(self._plays)
        keys = [play.pk for play in self._plays]
        self._results = {
            one.play_id: one for one in Result.objects.filter(play__in=keys, stands=True)
        }
        self._claims: defaultdict[int, list[Claim]] = defaultdict(list)
        for claim in Claim.objects.filter(play__in=keys).order_by("side"):
            self._claims[claim.play_id].append(claim)
        self._swapped = frozenset(
            Swapped.objects.filter(entry__section=section).values_list("entry", flat=True)
        )

    def _board(self, play: Play) -> Board:
        result = self._results.get(play.pk)
        number = result.number if result else 0
        held = {one.side: one for one in self._claims[play.pk] if one.number == number}
        return Board(play, self.phones, result, held, self._swapped)

    @cached_property
    def every(self) -> list[Board]:
        """Every board that is played here, or has something left to say of."""
        return [self._board(play) for play in self._plays]

    @cached_property
    def boards(self) -> list[Board]:
        """Those of the round being played."""
        return [one for one in self.every if one.play.round == self.section.round]

    @cached_property
    def left(self) -> list[Board]:
        """Those of rounds before that have no result, or two."""
        return [
            one
            for one in self.every
            if one.play.round < self.section.round and one.state in (MISSING, HELD, DIFFER)
        ]

    def find(self, play: int) -> Board | None:
        """Return one of these boards."""
        return next((one for one in self.every if one.play.pk == play), None)

    def of(self, entry: int | None) -> list[Board]:
        """The boards that concern somebody: of this round those they play, and those left of theirs."""
        return [one for one in [*self.left, *self.boards] if one.side_of(entry)]
