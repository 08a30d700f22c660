"""A table in a round as its phones show it: players, boards, and claims.

Unfinished boards of earlier rounds are asked of their players, at their present tables.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from bridgebuddy.clubs.models import Person
from bridgebuddy.clubs.people.names import short_names
from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.queries.plan.games import LINES
from bridgebuddy.scoring.checks.result_check import SIDE_OF
from bridgebuddy.scoring.models import Result
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.table_phones.keypad import SEATS
from bridgebuddy.table_phones.models import (
    CorrectionRequest,
    DirectorCall,
    PhoneSettings,
    ResultClaim,
    SwappedSeats,
)

CHAIRS = {"N": "north", "E": "east", "S": "south", "W": "west"}
PARTNER = {"N": "S", "S": "N", "E": "W", "W": "E"}
ACROSS = {"ns": "ew", "ew": "ns"}
#: in place of an entry: the phone belongs to the table
OF_TABLE = 0
#: the states of a board
MISSING, HELD, DIFFER, UNCHECKED, AGREED, STORED = (
    "missing",
    "held",
    "differ",
    "unchecked",
    "agreed",
    "stored",
)


#: the result of an earlier round's board that needs no more entry: `is_in`
KNOWN = Result.objects.filter(play=OuterRef("pk"), stands=True, outcome__isnull=False).exclude(
    outcome__has_key="pending"
)


#: a result with a claim of one side only
ONE_SIDED = Result.objects.filter(
    ~Exists(ResultClaim.objects.filter(play=OuterRef("play"), number=OuterRef("number"), side="ns"))
    | ~Exists(
        ResultClaim.objects.filter(play=OuterRef("play"), number=OuterRef("number"), side="ew")
    ),
    play=OuterRef("pk"),
    stands=True,
    outcome__isnull=False,
    source=ResultSource.PHONE,
)


def side_of(play: Play, entry: int | None, entries: Collection[int] = ()) -> str:
    """Return the side ("ns" or "ew") on which an entry is in a play; empty if it is not.

    A phone of the table speaks for those of `entries` (keys of the entries at the table) that play the board, else
    for North-South.
    """
    sides = {"ns": {play.ns_id, play.ns2_id}, "ew": {play.ew_id, play.ew2_id}}
    matching = [
        side for side, theirs in sides.items() if theirs & ({entry} if entry else set(entries))
    ]
    return next(iter(matching), "ns" if entry == OF_TABLE else "") if entry is not None else ""


def plays_of_entries(entries: Collection[int]) -> Q:
    """Return the `Q` condition for the plays of entries."""
    return (
        Q(ns__in=entries) | Q(ew__in=entries) | Q(ns2__in=entries) | Q(ew2__in=entries)
        if entries
        else Q(pk=None)
    )


def find_play(section: Section, table: int, contestant: int | None, key: int) -> Play | None:
    """Return a begun (or cancelled) play of the table or of the phone's contestant by its key; None if none.

    Makes one query; two for a phone of the table.
    """
    has_begun = Q(round__lte=section.round) | Q(taken_back_at__isnull=False)
    theirs = {contestant} if contestant else _entries_of_plays(_plays_now(section, table))
    plays = Play.objects.filter(
        has_begun, Q(table=table) | plays_of_entries(theirs), section=section
    )
    return plays.exclude(Q(ns=None) | Q(ew=None)).filter(pk=key).order_by().first()


def plays_before(section: Section, entry: int) -> list[Play]:
    """Return an entry's plays in finished rounds, the latest first.

    Makes one query.
    """
    plays = Play.objects.filter(plays_of_entries({entry}), section=section, taken_back_at=None)
    over = [play for play in plays.exclude(Q(ns=None) | Q(ew=None)) if section.is_over(play.round)]
    return sorted(over, key=lambda play: -play.round)


def _plays_now(section: Section, table: int | None = None) -> list[Play]:
    """Return the plays of the current round, at one table or at all tables."""
    plays = Play.objects.filter(section=section, round=section.round, taken_back_at=None)
    if table is not None:
        plays = plays.filter(table=table)
    return list(plays.exclude(Q(ns=None) | Q(ew=None)))


def _open_plays_before(
    section: Section, phones: PhoneSettings, entries: Collection[int] | None = None
) -> list[Play]:
    """Return the plays of earlier rounds without an agreed result, of some entries or of all."""
    if section.round <= 1 or (entries is not None and not entries):
        return []
    is_open = Q(~Exists(KNOWN))
    if phones.is_checked:
        is_open |= Q(Exists(ONE_SIDED))
    plays = Play.objects.filter(
        is_open, section=section, round__lt=section.round, taken_back_at=None
    )
    if entries is not None:
        plays = plays.filter(plays_of_entries(entries))
    return list(plays.exclude(Q(ns=None) | Q(ew=None)))


def last_calls(section: Section) -> QuerySet[DirectorCall]:
    """Return the calls for the director from a section's tables, by table the last one.

    Makes one query.
    """
    return (
        DirectorCall.objects.filter(section=section)
        .exclude(why=DirectorCall.Why.DIGITS)
        .order_by("pk")
    )


def current_table_of(section: Section, entry: int) -> int:
    """Return the table of an entry in the current round; 0 if it sits out.

    Makes one query.
    """
    plays = Play.objects.filter(
        plays_of_entries({entry}), section=section, round=section.round, taken_back_at=None
    )
    current_play = plays.exclude(Q(ns=None) | Q(ew=None)).first()
    return current_play.table if current_play else 0


def _entries_of_plays(plays: list[Play]) -> frozenset[int]:
    """Return the primary keys of the entries in plays."""
    keys = {
        contestant_key
        for play in plays
        for contestant_key in (play.ns_id, play.ns2_id, play.ew_id, play.ew2_id)
    }
    return frozenset(contestant_key for contestant_key in keys if contestant_key is not None)


@dataclass(frozen=True)
class TableBoard:
    """A board at a table in a round, with its result and what both sides have entered."""

    play: Play
    phones: PhoneSettings
    result: Result | None = None
    held: dict[str, ResultClaim] = field(default_factory=dict)
    swapped: frozenset[int] = frozenset()
    here: frozenset[int] = frozenset()  # the entries at the table of the page
    is_requested: bool = False  # whether the director was asked for a correction

    @property
    def board(self) -> int:
        """Return the board number."""
        return self.play.board

    @property
    def result_number(self) -> int:
        """Return the number of the present result among the play's results; 0 without one."""
        return self.result.number if self.result else 0

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Return the present result of the board as stored; None without one."""
        return self.result.outcome if self.result else None

    @cached_property
    def state(self) -> str:
        """Return the state of the board's result: missing, entered by one side, different, unconfirmed, agreed.

        It is missing, held (one claim of a double entry), different, unchecked, agreed or stored.
        """
        if not is_outcome_known(self.outcome):
            return {0: MISSING, 1: HELD}.get(len(self.held), DIFFER)
        if (
            self.result is None
            or self.result.source != ResultSource.PHONE
            or not self.phones.is_checked
        ):
            return STORED
        return AGREED if len(self.held) == len(LINES) else UNCHECKED

    @property
    def is_for_later(self) -> bool:
        """Return whether the director has postponed the board to later in the session."""
        return self.outcome is not None and "pending" in self.outcome

    @property
    def is_done(self) -> bool:
        """Return whether the table has nothing more to do for this board."""
        return self.state in (AGREED, STORED)

    @property
    def claimed_by(self) -> str:
        """Return the side that has entered the result, while the other side has not confirmed it."""
        return next(iter(self.held), "") if len(self.held) == 1 else ""

    def has_claim_of(self, side: str) -> bool:
        """Return whether a side has entered a result for the board."""
        return side in self.held

    @property
    def asked_side(self) -> str:
        """Return the side that must still enter or confirm the result."""
        return ACROSS.get(self.claimed_by, "")

    @cached_property
    def names(self) -> dict[str, str]:
        """Return the surnames by seat, with an initial for couples; empty if unknown."""
        surnames = {}
        for seat in SEATS:
            side = SIDE_OF[seat]
            is_swapped = getattr(self.play, f"{side}_id") in self.swapped
            person = getattr(self.play, CHAIRS[PARTNER[seat] if is_swapped else seat])
            surnames[seat] = person.name if person else ""
        seated = [seat for seat, name in surnames.items() if name]
        return surnames | dict(
            zip(
                seated,
                short_names([surnames[contestant_key] for contestant_key in seated]),
                strict=True,
            )
        )

    def side_of(self, entry: int | None) -> str:
        """Return the side on which an entry plays this board; empty if it does not.

        A phone of the table speaks for its present players, North-South first.
        """
        return side_of(self.play, entry, self.here)

    def people(self, side: str) -> str:
        """Return the surnames of a side: "Miller & Schmidt"."""
        return " & ".join(self.names_of_side(side))

    def names_of_side(self, side: str) -> list[str]:
        """Return the surnames of a side, as a list."""
        return [name for seat, name in self.names.items() if SIDE_OF[seat] == side and name]

    def is_over(self, section: Section) -> bool:
        """Return whether the board's round has ended, after which only the director changes the result."""
        return section.is_over(self.play.round)


def _prefetch_people(plays: list[Play]) -> None:
    """Read the people of plays in one query; a table has the same few people in all rounds."""
    there = {getattr(play, f"{chair}_id") for play in plays for chair in CHAIRS.values()}
    people = Person.objects.in_bulk(there - {None})
    for play in plays:
        for chair in CHAIRS.values():
            if key := getattr(play, f"{chair}_id"):
                setattr(play, chair, people[key])


class TableClaims:
    """The results of some plays, what both sides have entered for them, and their people, read in few queries."""

    def __init__(self, section: Section, plays: list[Play]) -> None:
        _prefetch_people(plays)
        keys = [play.pk for play in plays]
        self.results = {
            result.play_id: result for result in Result.objects.filter(play__in=keys, stands=True)
        }
        self.claims: dict[int, list[ResultClaim]] = {}
        for claim in ResultClaim.objects.filter(play__in=keys).order_by("side"):
            self.claims.setdefault(claim.play_id, []).append(claim)
        over = [play.pk for play in plays if section.is_over(play.round)]
        asked = CorrectionRequest.objects.filter(play__in=over).values_list("play", "number")
        self.requested = set(asked) if over else set()
        self.swapped = frozenset(
            SwappedSeats.objects.filter(entry__section=section).values_list("entry", flat=True)
        )


class AllTables:
    """The plays of all tables in the current round, and unfinished ones of earlier rounds, read once."""

    def __init__(self, section: Section, phones: PhoneSettings) -> None:
        self._now, self._before = _plays_now(section), _open_plays_before(section, phones)
        self.said = TableClaims(section, [*self._before, *self._now])
        self.calls = {call.table: call for call in last_calls(section)}

    def current_plays(self, table: int) -> list[Play]:
        """Return the plays of a table in the current round."""
        return [play for play in self._now if play.table == table]

    def unfinished_plays(self, entries: Collection[int]) -> list[Play]:
        """Return the plays of earlier rounds without an agreed result, of these entries."""
        return [play for play in self._before if not _entries_of_plays([play]).isdisjoint(entries)]


class BoardsAtTable:
    """The boards of one table in the current round, and unfinished ones of earlier rounds.

    Earlier plays belong to the phone's entry (`who`), or to all present players for a phone of the
    table. `plays` limits it to given plays. It is read now, or taken from `all_tables`.
    """

    def __init__(
        self,
        section: Section,
        table: int,
        phones: PhoneSettings,
        contestant: int | None = None,
        *,
        plays: list[Play] | None = None,
        all_tables: AllTables | None = None,
    ) -> None:
        self.section, self.table, self.phones = section, table, phones
        if all_tables is not None:
            now = all_tables.current_plays(table)
            self._here = _entries_of_plays(now)
            self._plays = [
                *all_tables.unfinished_plays({contestant} if contestant else self._here),
                *now,
            ]
            self._said = all_tables.said
            return
        is_now = plays is not None and all(play.round == section.round for play in plays)
        now = [] if is_now or (plays is not None and contestant) else _plays_now(section, table)
        self._here = _entries_of_plays(now)
        if plays is None:
            plays = [
                *_open_plays_before(section, phones, {contestant} if contestant else self._here),
                *now,
            ]
        self._plays = plays
        self._said = TableClaims(section, plays)

    def _table_board(self, play: Play) -> TableBoard:
        """Return a play as a `TableBoard` with its result and claims."""
        plays_read = self._said
        result = plays_read.results.get(play.pk)
        number = result.number if result else 0
        held = {
            claim.side: claim
            for claim in plays_read.claims.get(play.pk, ())
            if claim.number == number
        }
        is_requested = (play.pk, number) in plays_read.requested
        return TableBoard(
            play, self.phones, result, held, plays_read.swapped, self._here, is_requested
        )

    @cached_property
    def all_boards(self) -> list[TableBoard]:
        """Return the boards of the current round, and unfinished ones of earlier rounds."""
        return [self._table_board(play) for play in self._plays]

    @cached_property
    def boards(self) -> list[TableBoard]:
        """Return the boards of the current round at this table."""
        return [
            board_entry
            for board_entry in self.all_boards
            if (board_entry.play.round, board_entry.play.table) == (self.section.round, self.table)
        ]

    @cached_property
    def unfinished_boards(self) -> list[TableBoard]:
        """Return the boards of earlier rounds without a result, or with two different ones."""
        return [
            board_entry
            for board_entry in self.all_boards
            if board_entry.play.round < self.section.round
            and board_entry.state in (MISSING, HELD, DIFFER)
        ]

    @cached_property
    def unconfirmed_boards(self) -> list[TableBoard]:
        """Return the boards of earlier rounds that one side has not confirmed."""
        return [
            board_entry
            for board_entry in self.all_boards
            if board_entry.play.round < self.section.round and board_entry.state == UNCHECKED
        ]

    @property
    def present_entries(self) -> frozenset[int]:
        """Return the primary keys of the entries at the table in the current round."""
        return self._here

    def find(self, play: int) -> TableBoard | None:
        """Return the board with the play `play`, or None."""
        return next(
            (board_entry for board_entry in self.all_boards if board_entry.play.pk == play), None
        )

    def boards_to_enter_for(self, entry: int | None) -> list[TableBoard]:
        """Return the boards whose results an entry must enter: unfinished, of this round, and postponed ones.

        On a phone of the table this round's come first, because the others were played elsewhere.
        """
        boards = (
            [*self.boards, *self.unfinished_boards]
            if entry == OF_TABLE
            else [*self.unfinished_boards, *self.boards]
        )
        theirs = [board for board in boards if board.side_of(entry)]
        return sorted(theirs, key=lambda board: board.is_for_later)
