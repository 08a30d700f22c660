"""A table as its phone sees it: contestant, visible boards, and claims."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.db.models import Exists, Q
from django.http import HttpResponse
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Play, Section
from bridgebuddy.events.services.play.plays import planned_plays
from bridgebuddy.scoring.result_sources import ResultSource
from bridgebuddy.scoring.results.arriving_results import is_outcome_known
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot

from .models import DirectorCall, PhoneSettings, SwappedSeats
from .phone_cookie import PhoneCookie
from .queries.at_table import (
    KNOWN,
    AllTables,
    BoardsAtTable,
    TableBoard,
    current_table_of,
    find_play,
    last_calls,
    plays_before,
    plays_of_entries,
    side_of,
)
from .queries.new_results import table_state_hash
from .queries.table_cache import cached_tables

NOT_FOUND = 404


def _people_of(play: Play, entry: int | None) -> set[int]:
    """Return the primary keys of an entry's people at a play; without an entry, of all four."""
    people = {"ns": {play.north_id, play.south_id}, "ew": {play.east_id, play.west_id}}
    people_there = people.get(side_of(play, entry), set()) if entry else people["ns"] | people["ew"]
    return {key for key in people_there if key is not None}


class RefusalPage(Exception):
    """Exception that ends a request with another page; a phone's script shows only its sentence `words`."""

    def __init__(self, response: HttpResponse, words: str = "") -> None:
        self.response, self.words = response, words
        super().__init__(response.status_code)


@dataclass(frozen=True)
class TablePlace:
    """A table of a section as one phone sees it."""

    section: Section
    table: int
    phones: PhoneSettings
    phone: PhoneCookie
    is_of_one_moment: bool = False  # a page that changes nothing may use cached data

    @cached_property
    def boards_at_table(self) -> BoardsAtTable:
        """Return the boards of the table in the current round, with results and both sides' entries."""
        return BoardsAtTable(
            self.section, self.table, self.phones, self.entry_key, all_tables=self._all_tables
        )

    @cached_property
    def _all_tables(self) -> AllTables | None:
        """Return the cached plays of all tables; None if the request changes data and must read them itself."""
        return cached_tables(self.section, self.phones) if self.is_of_one_moment else None

    @property
    def last_call(self) -> DirectorCall | None:
        """Return the table's last call for the director, or None."""
        if self._all_tables:
            return self._all_tables.calls.get(self.table)
        return last_calls(self.section).filter(table=self.table).last()

    @cached_property
    def tonight(self) -> SessionSnapshot:
        """Return all plays and results of the session, read once (a snapshot)."""
        return SessionSnapshot(self.section)

    @property
    def entry_key(self) -> int | None:
        """Return the primary key of the phone's entry, `OF_TABLE` for a table's phone, None if none is chosen."""
        return self.phone.entry_key(self.section.pk)

    @property
    def may_open(self) -> bool:
        """Return whether the phone may open the pages of the table."""
        return self.phone.may_enter_at(self.section, self.table, self.phones)

    @property
    def may_choose_holder(self) -> bool:
        """Return whether the phone may choose its contestant without asking the director."""
        return self.phone.may_choose_holder(self.section, self.table, self.phones)

    @cached_property
    def boards(self) -> list[TableBoard]:
        """Return the boards whose results the phone enters, unfinished ones of earlier rounds first."""
        return [
            board
            for board in self.boards_at_table.boards_to_enter_for(self.entry_key)
            if not self._is_too_early(board.play)
        ]

    @cached_property
    def boards_to_confirm(self) -> list[TableBoard]:
        """Return the boards whose results the phone may have to confirm, this round's first."""
        before = [
            board
            for board in self.boards_at_table.unconfirmed_boards
            if board.side_of(self.entry_key)
        ]
        return [
            *self.boards,
            *(board for board in before if not self._is_too_early(board.play)),
        ]

    @cached_property
    def people(self) -> list[tuple[int, str, str, str]]:
        """Return the entries at this table with their side, seats and names."""
        by_entry: dict[int, tuple[int, str, str, str]] = {}
        for board in self.boards_at_table.boards:
            seats = {"ns": "NS", "ew": "EW"}
            for side, chairs in seats.items():
                first = getattr(board.play, f"{side}_id")
                second = getattr(board.play, f"{side}2_id")
                if second is None:
                    names = list(
                        dict.fromkeys(x.people(side) for x in self._boards_of_side(first, side))
                    )
                    by_entry.setdefault(first, (first, side, side, " / ".join(names)))
                    continue
                for entry, seat in zip((first, second), chairs, strict=True):
                    by_entry.setdefault(entry, (entry, side, seat.lower(), board.names[seat]))
        return list(by_entry.values())

    def _boards_of_side(self, entry: int, side: str) -> list[TableBoard]:
        """Return the boards that an entry plays on `side`; a team's line-up may change at half-time."""
        return [
            board
            for board in self.boards_at_table.boards
            if getattr(board.play, f"{side}_id") == entry
        ]

    @cached_property
    def current_table_elsewhere(self) -> int:
        """Return the number of the table where the phone's contestant plays now; 0 if it is this table."""
        if not self.entry_key or any(
            board.side_of(self.entry_key) for board in self.boards_at_table.boards
        ):
            return 0
        return current_table_of(self.section, self.entry_key)

    def may_show_claims(self, board: TableBoard) -> bool:
        """Return whether the phone may show what both sides have entered for a board.

        Without secrets any reader of the code may hold the phone, so it sees only its own claims.
        The same holds for phones of the table, and for phones that were not the first of their
        contestant.
        """
        if not board.side_of(self.entry_key):
            return False
        is_shown = self.may_see_all_results or any(
            claim.phone == self.phone.name for claim in board.held.values()
        )
        if is_shown and board.outcome is not None:
            self.phone.note_shown_result(self.section)
        return is_shown

    @property
    def awaits_directors_answer(self) -> bool:
        """Return whether the phone has asked the director for another contestant and has no answer yet."""
        return self.phone.is_waiting(self.section)

    @property
    def may_see_all_results(self) -> bool:
        """Return whether the phone may see every result that has been entered for its contestant's boards."""
        return self.phones.need_secret and self.phone.sees_results(self.section)

    def board(self, play: int) -> TableBoard:
        """Return the board with the play `play`, of this or an earlier round. Raises `RefusalPage`.

        Raises `RefusalPage` (404).
        """
        own_board = self.boards_at_table.find(play)
        is_theirs = (
            own_board
            and own_board.side_of(self.entry_key)
            and not self._is_too_early(own_board.play)
        )
        return own_board if own_board and is_theirs else self.read_board(play)

    def read_board(self, play: int) -> TableBoard:
        """Return the board with the play `play` without reading the rest of the table.

        Raises `RefusalPage` (404).
        """
        sent = self.play_of_form(play)
        alone = BoardsAtTable(self.section, self.table, self.phones, self.entry_key, plays=[sent])
        return alone.all_boards[0]

    @property
    def earlier_boards(self) -> list[TableBoard]:
        """Return the boards of earlier rounds that the phone may see."""
        plays = plays_before(self.section, self.entry_key) if self.entry_key else []
        plays = [play for play in plays if not self._is_too_early(play)]
        boards = BoardsAtTable(
            self.section, self.table, self.phones, self.entry_key, plays=plays
        ).all_boards
        return [board for board in boards if self.may_show_claims(board)]

    def other_boards_in_round(self, board: TableBoard) -> list[TableBoard]:
        """Return the table's other boards in a board's round, which may have been confused with it.

        When only the director changes results, exchanged boards need results on both.
        """
        plays = Play.objects.filter(
            section=self.section,
            round=board.play.round,
            table=board.play.table,
            taken_back_at=None,
        ).exclude(pk=board.play.pk)
        same = [play for play in plays if side_of(play, self.entry_key)]
        boards = BoardsAtTable(
            self.section, self.table, self.phones, self.entry_key, plays=same
        ).all_boards
        if not self.may_change(board):
            boards = [
                board
                for board in boards
                if is_outcome_known(board.outcome) and not board.is_requested
            ]
        return sorted(boards, key=lambda board: board.board)

    def may_change(self, board: TableBoard) -> bool:
        """Return whether phones may change a board's result; later they can only ask the director."""
        is_of_phones = board.result is not None and board.result.source == ResultSource.PHONE
        return is_of_phones and not board.is_over(self.section)

    def play_of_form(self, play: int, *, or_gone: bool = False) -> Play:
        """Return the play with the key `play` from a form; `or_gone` allows one cancelled by a movement change.

        Raises `RefusalPage` (404).
        """
        sent_play = find_play(self.section, self.table, self.entry_key, play)
        if sent_play is not None and self._is_too_early(sent_play):
            raise RefusalPage(HttpResponse(status=NOT_FOUND), self.too_early_reason(sent_play))
        is_gone = sent_play is not None and sent_play.taken_back_at is not None
        if sent_play is None or (is_gone and not or_gone) or not side_of(sent_play, self.entry_key):
            raise RefusalPage(HttpResponse(status=NOT_FOUND), self.foreign_board_reason())
        return sent_play

    def play_of_round(self, round: int, board: int) -> Play | None:
        """Return the play of a board in a round that has begun, or None."""
        plays = Play.objects.filter(
            plays_of_entries({self.entry_key}) if self.entry_key else Q(table=self.table),
            section=self.section,
            round=min(round, self.section.round),
            board=board,
            taken_back_at=None,
        )
        candidates = (
            plays.exclude(Q(ns=None) | Q(ew=None)) if self.entry_key is not None else plays.none()
        )
        begun = [play for play in candidates if play.round == round]
        if self.section.contest.has_halves:  # the team has the board at two tables
            begun.sort(key=lambda play: not self._is_of_this_half(play))
        return next(iter(begun), None)

    @cached_property
    def boards_of_next_round(self) -> list[TableBoard]:
        """Return the boards of the next round by the movement as planned; empty if it is not drawn yet."""
        stored = self.section.movement
        if (
            self.entry_key is None
            or stored is None
            or stored.is_draw
            or not self.section.is_running
        ):
            return []
        if self.section.is_last_round:
            return []
        swapped = SwappedSeats.objects.filter(entry__section=self.section).values_list(
            "entry", flat=True
        )
        return [
            TableBoard(play, self.phones, swapped=frozenset(swapped))
            for play in planned_plays(self.section, self.section.round + 1)
            if (side_of(play, self.entry_key) if self.entry_key else play.table == self.table)
        ]

    def _is_too_early(self, play: Play) -> bool:
        """Return whether a play is of the team's other pair, and this pair has still to play its board.

        A team plays each board at two tables, and both plays name the team. The half that has the
        board still to come may not see or change the other table's result.
        """
        if not self.section.contest.has_halves or self._is_of_this_half(play):
            return False
        board = (play.round, play.board)
        return any(key != play.pk and board == which for key, which in self._open_boards.items())

    def _is_of_this_half(self, play: Play) -> bool:
        """Return whether a play is one of the team's pair at this table, and not of the team's other pair."""
        if play.round == self.section.round and play.table == self.table:
            return True
        return bool(_people_of(play, self.entry_key) & self._own_half)

    @cached_property
    def _own_half(self) -> set[int]:
        """Return the keys of the team members who sat at this table in the latest round."""
        plays = Play.objects.filter(
            section=self.section,
            table=self.table,
            round__lte=self.section.round,
            taken_back_at=None,
        )
        if self.entry_key:
            plays = plays.filter(plays_of_entries({self.entry_key}))
        last = plays.order_by("-round", "board").first()
        return _people_of(last, self.entry_key) if last else set()

    @cached_property
    def _open_boards(self) -> dict[int, tuple[int, int]]:
        """Return round and board of the plays without a result of the phone's team, by primary key."""
        teams = {self.entry_key} if self.entry_key else set(self.boards_at_table.present_entries)
        plays = Play.objects.filter(
            ~Exists(KNOWN), plays_of_entries(teams), section=self.section, taken_back_at=None
        )
        return {
            key: (round, board)
            for key, round, board in plays.order_by().values_list("pk", "round", "board")
        }

    def too_early_reason(self, play: Play) -> str:
        """Return the sentence that refuses a board which the team has not yet played at this table."""
        return _("Your team has not yet played board %(board)s at this table.") % {
            "board": play.board
        }

    def foreign_board_reason(self) -> str:
        """Return the sentence that refuses a board which the phone's contestant does not play."""
        if self.entry_key is None:
            return _("Assign this phone first: open table %(table)s.") % {"table": self.table}
        return _(
            "This phone’s owner no longer plays the board at table %(table)s. Tell the director."
        ) % {"table": self.table}

    @cached_property
    def version(self) -> str:
        """Return a text that changes with the table's page, by which the phone asks whether it has changed.

        It holds the section's `shown` and `results` counters and a hash of the table's state.
        """
        mark = table_state_hash(self.section.pk, self.table, self.entry_key)
        return f"{self.section.shown}-{self.section.results}-{mark}"
