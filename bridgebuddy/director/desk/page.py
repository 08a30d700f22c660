"""The data of the desk page, made from the session and the movement's announcements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Entry, Section
from bridgebuddy.events.queries.forecast import EndForecast, expected_end
from bridgebuddy.events.queries.plan.board_moves import HeldSets
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.queries.plan.evening import SessionEvening
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.plan.games import Contestant, TableGame, TableSide, board_text
from bridgebuddy.events.queries.plan.home_tables import is_draw
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.events.services.play import changes
from movements.engine.boards import boards_of_sets
from movements.words.calls import SpokenAnnouncement
from movements.words.copies import CopyName

from ..changes.wishes import possible_wishes, title_and_question
from ..changes.words import change_sentence
from .log import LogEntry, latest_events
from .menu import ChangeItem, MenuGroup, MenuItem, change_menu_item, menu_groups
from .news import ChangedTables, TableChange, news_since

TABLES_A_LINE = 4
SHORTENS = ("length", "boards")
AT_A_TABLE = ("wrong-boards", "other-way")  # changes that concern one table
FIRST_VERSION = 1


@dataclass(frozen=True)
class BoardsView:
    """Boards as text, with the copy (of several identical board sets) to which they belong."""

    boards: str
    copy: CopyName | None

    def __str__(self) -> str:
        return f"{self.boards} {self.copy.letter}" if self.copy else self.boards


@dataclass(frozen=True)
class TableTile:
    """A table on the director's desk."""

    table: int
    games: tuple[TableGame, ...]
    shares: tuple[int, ...]
    lender: str  # the section from whose stand the boards are
    ns_next: int | None  # the table to which each side goes; None where it stays or sits out
    ew_next: int | None
    turned: str = ""  # turned boards: the N-S players hold the E-W cards
    held: tuple[tuple[BoardsView, ...], ...] = ()  # the boards of each game, by copy

    @property
    def games_with_boards(self) -> list[tuple[TableGame, tuple[BoardsView, ...]]]:
        """Return each encounter of two sides at this table in the round, with its boards."""
        return list(zip(self.games, self.held, strict=True))

    @property
    def is_half(self) -> bool:
        return any(not game.is_played for game in self.games)


@dataclass(frozen=True)
class MatchTiles:
    """The tables of a team match on the desk: two for two teams, three for three teams (a triangle)."""

    teams: tuple[Contestant, ...]
    tiles: tuple[TableTile, ...]

    @property
    def names(self) -> str:
        """Return the surnames of the teams that play the match, as one text."""
        return " – ".join(team.surnames for team in self.teams)


@dataclass(frozen=True)
class StandTile:
    """A stand (relay) between two tables on the desk, where board sets wait."""

    after_table: int
    name: str  # "stand", or "stand 2" where there are several
    held: tuple[BoardsView, ...]
    leaving: tuple[BoardsView, ...]  # the boards that leave the stand when the round ends

    @property
    def boards_text(self) -> str:
        """Return all boards on the stand as text."""
        return ", ".join(str(boards) for boards in self.held)

    @property
    def key(self) -> str:
        """Return the colour of the copy if all boards belong to one copy, else an empty string."""
        keys = {boards.copy.key for boards in self.held if boards.copy}
        return keys.pop() if len(keys) == 1 else ""


class DeskPage:
    """The data of the director's desk for a section."""

    def __init__(
        self,
        section: Section,
        evening: SessionEvening | None = None,
        *,
        seen_version: int = FIRST_VERSION,
        open_table: int = 0,
    ) -> None:
        """Take a section, the version of the movement seen last, and the opened table."""
        self.section, self.seen, self.open_table = section, seen_version, open_table
        self.plan = SectionPlan(evening) if evening else kept_plan(section)
        self.evening = self.plan.evening
        self.clock = SectionClock(section)
        self.movement = section.stored.movement
        self.shown_round = section.round or 1

    @cached_property
    def forecast(self) -> EndForecast | None:
        """Return the expected end of the session; None if it cannot be estimated or is near."""
        return expected_end(self.section, self.evening.games, self.plan.versions)

    @property
    def shortening_items(self) -> list[MenuItem]:
        """Return the menu items of the changes that would shorten a late session."""
        possible = [change for change in self._change_items if change.name in SHORTENS]
        return [change_menu_item(self.section, change) for change in possible]

    @cached_property
    def announcement(self) -> SpokenAnnouncement | None:
        """Return the announcement of moves for the end of the round; None if there is none."""
        if not self.section.is_running or self.section.is_last_round:
            return None
        if self.is_next_open or self.plan.announcements.is_drawn:
            return None
        return self.plan.announcements.announcement_after(self.section.round)

    @property
    def has_matches(self) -> bool:
        """Return whether teams play matches, which need no announcement of moves."""
        return is_draw(self.section.movement)

    @property
    def is_next_open(self) -> bool:
        """Return whether the next round is not drawn yet, so that its seats are unknown."""
        return not self.section.is_finished and self.next_round in self.evening.open_rounds

    @cached_property
    def exchanges(self) -> bool:
        """Return whether the two tables of a match exchange their boards at half-time."""
        games = self.evening.games.get(self.shown_round, ())
        return not self.section.is_finished and any(game.exchanges_with for game in games)

    @property
    def is_in_quarters(self) -> bool:
        """Return whether the tables of a match exchange boards in the middle of each half."""
        games = self.evening.games.get(self.shown_round, ())
        return any(game.is_in_quarters for game in games)

    @cached_property
    def triangles_boards(self) -> list[TableGame]:
        """Return the tables of three-team matches (triangles) that pass their boards on during the round."""
        games = self.evening.games.get(self.shown_round, ())
        return [] if self.section.is_finished else [game for game in games if game.boards_to]

    @property
    def switched_boards_texts(self) -> tuple[str, ...]:
        """Return texts on the arrow-switched boards of the current round, or of round 1 before the start."""
        return (
            ()
            if self.section.is_finished
            else self.plan.announcements.switched_boards_sentences(self.shown_round)
        )

    @property
    def halfway_now(self) -> tuple[str, ...]:
        """Return texts on the moves in the middle of the current round, or of round 1 before the start."""
        return self.plan.announcements.halfway_now

    @property
    def tiles(self) -> Iterator[TableTile | StandTile]:
        """Yield the tables of the displayed round, and the stands between them, in their order in the room."""
        yield from self.tiles_of(self.shown_round)

    @property
    def has_half_table(self) -> bool:
        """Return whether a table has contestants without opponents in the displayed round."""
        return any(tile.is_half for tile in self.tiles if isinstance(tile, TableTile))

    def tiles_of(self, round: int) -> Iterator[TableTile | StandTile]:
        """Yield the tables and stands of a round with their contestants."""
        boards = self.plan.plan_of_moves.boards
        stands = {stand.after_table for stand in boards.stands_with_sets(round)}
        at: dict[int, list[TableGame]] = {}
        for game in self.plan.plan_of_moves.evening.games.get(round, ()):
            at.setdefault(game.table, []).append(game)
        for table, games in sorted(at.items()):
            yield TableTile(
                table=table,
                games=tuple(games),
                shares=tuple(
                    sorted({t for game in games for t in boards.tables_sharing_with(game)})
                ),
                lender=boards.lending_section_of(games[0]),
                ns_next=self._next_table(games[-1], games[-1].ns),
                ew_next=self._next_table(games[-1], games[-1].ew),
                turned=self._turned_boards_text(games),
                held=tuple(self._boards_of_game(game) for game in games),
            )
            if table in stands:
                yield self._stand_tile(round, table)

    def _boards_of_game(self, game: TableGame) -> tuple[BoardsView, ...]:
        """Return the boards of an encounter at a table, grouped by copy; in team matches all boards together."""
        if not self.plan.plan_of_moves.boards.copies:
            lie_here = game.boards and self.plan.plan_of_moves.boards.are_boards_at_table(game)
            return (BoardsView(game.board_text, None),) if lie_here else ()
        return tuple(map(self._boards_view, self.plan.plan_of_moves.boards.sets_in_play(game)))

    def _stand_tile(self, round: int, after_table: int) -> StandTile:
        """Return the stand after a table, with the board sets that wait there in a round."""
        boards = self.plan.plan_of_moves.boards
        return StandTile(
            after_table,
            boards.stand(after_table),
            held=tuple(map(self._boards_view, boards.boards_on_stand(round, after_table))),
            leaving=tuple(
                self._boards_view(carriage.held)
                for carriage in boards.sets_taken(round, after_table)
            ),
        )

    def _boards_view(self, held_sets: HeldSets) -> BoardsView:
        """Return boards as text, with the copy (of several identical sets) to which they belong."""
        boards = boards_of_sets(held_sets.sets, self.plan.plan_of_moves.evening.numbers)
        return BoardsView(board_text(boards), held_sets.copy)

    @property
    def lines(self) -> list[list[TableTile | StandTile | None]]:
        """Return the tiles in the rows of the screen; a stand has a row of its own below its table.

        Empty places keep the tables of the last line as wide as the others.
        """
        lines: list[list[TableTile | StandTile | None]] = []
        line: list[TableTile | StandTile | None] = []
        stands: list[list[TableTile | StandTile | None]] = []
        for tile in self.tiles:
            if isinstance(tile, StandTile):
                stands.append([tile])
                continue
            if len(line) == TABLES_A_LINE:
                lines += [line, *stands]
                line, stands = [], []
            line.append(tile)
        if lines:
            line += [None] * (TABLES_A_LINE - len(line))
        return [*lines, line, *stands]

    @property
    def matches(self) -> list[MatchTiles]:
        """Return the tiles grouped by team matches; empty in other contests."""
        if not self.has_matches:
            return []
        together: list[tuple[dict[int, Contestant], list[TableTile]]] = []
        for tile in self.tiles:
            if isinstance(tile, StandTile):
                continue
            sitting = [
                contestant.contestant for game in tile.games for contestant in (*game.ns, *game.ew)
            ]
            teams, tiles = {contestant.number: contestant for contestant in sitting}, [tile]
            for joined in [group for group in together if group[0].keys() & teams.keys()]:
                together.remove(joined)
                teams, tiles = joined[0] | teams, [*joined[1], *tiles]
            together.append((teams, tiles))
        seatings = self.section.stored.movement.in_round(self.shown_round)
        first_named = [number for seating in seatings for number in seating.contestants]

        def place(number: int) -> tuple[int, int]:
            """Return a team's place in the draw, with home teams first; triangles come by number."""
            return (first_named.index(number) if number in first_named else 0, number)

        grouped = [
            MatchTiles(tuple(teams[number] for number in sorted(teams, key=place)), tuple(tiles))
            for teams, tiles in together
        ]
        return sorted(grouped, key=lambda match: match.tiles[0].table)

    @property
    def copies(self) -> list[tuple[CopyName, str]]:
        """Return the copies of the boards with the tables that play each; empty for a single copy."""
        boards = self.plan.plan_of_moves.boards
        return [(copy, board_text(boards.tables_of(copy))) for copy in boards.copies]

    def _next_table(self, game: TableGame, side: tuple[TableSide, ...]) -> int | None:
        """Return the table to which this side moves after the round; None if it stays or splits up."""
        seats = [
            self.plan.plan_of_moves.next_seat(sitting.contestant.number, game) for sitting in side
        ]
        tables = {seat.table if seat else None for seat in seats}
        table = tables.pop() if len(tables) == 1 else None
        return None if table == game.table else table

    def _turned_boards_text(self, games: list[TableGame]) -> str:
        """Return the numbers of the arrow-switched boards in these encounters at a table as text."""
        moving = self.plan.plan_of_moves
        return board_text(sorted({board for game in games for board in moving.turned_boards(game)}))

    @cached_property
    def sits_out_now(self) -> list[tuple[Contestant, int, int]]:
        """Return each contestant that sits out, with the table and round where it plays next (0, 0: nowhere).

        Empty after the end of the session.
        """
        resting = []
        sit_outs = () if self.section.is_finished else self.evening.sit_outs(self.shown_round)
        for contestant in sit_outs:
            turn = self.evening.next_game(contestant.number, self.shown_round)
            back = (turn.game.table, turn.round) if turn and turn.game else (0, 0)
            resting.append((contestant, *back))
        return resting

    @cached_property
    def sits_out_next(self) -> tuple[Contestant, ...]:
        """Return the contestants that sit out in the next round."""
        if self.shown_round >= self.section.rounds or not self.section.is_running:
            return ()
        return self.evening.sit_outs(self.shown_round + 1)

    @property
    def next_round(self) -> int:
        return self.section.round + 1

    @property
    def rounds(self) -> list[tuple[int, str]]:
        """Return each round number with its state: "done", "now" (current) or "" (to come)."""
        states = []
        for round in range(1, self.section.rounds + 1):
            is_done = self.section.is_over(round)
            states.append(
                (round, "done" if is_done else "now" if round == self.section.round else "")
            )
        return states

    @cached_property
    def undo_text(self) -> str:
        """Describe the change that undo would revert; empty if there is none."""
        version = changes.undoable_version(self.section)
        return (
            change_sentence(version.change, version.facts, self.section.contest) if version else ""
        )

    @cached_property
    def redo_text(self) -> str:
        """Describe the change that redo would make; empty if there is none."""
        version = changes.redoable_version(self.section)
        return (
            change_sentence(version.change, version.facts, self.section.contest) if version else ""
        )

    @property
    def open_table_lines(self) -> list[MenuItem]:
        """Return the menu items about the table whose tile the director has opened on the desk."""
        possible = [change for change in self._change_items if change.name in AT_A_TABLE]
        return [
            *(change_menu_item(self.section, change, self.open_table) for change in possible),
            self._table_card_item,
        ]

    @property
    def _table_card_item(self) -> MenuItem:
        sheet = reverse("print-preview", args=[self.section.code, "table-cards"])
        address = f"{sheet}?table={self.open_table}"
        return MenuItem("printer", _("Print its card"), address, is_beside=True)

    @cached_property
    def other_actions(self) -> list[MenuGroup]:
        """Return the groups of the desk's menu that hold at least one item."""
        return [group for group in menu_groups(self.section, self._change_items) if group.items]

    @property
    def wishes_at_hand(self) -> list[ChangeItem]:
        """Return the live changes possible now that have their own button on the desk, outside the menu."""
        return [wanted for wanted in self._change_items if wanted.is_at_hand]

    @cached_property
    def _change_items(self) -> list[ChangeItem]:
        """Return the possible live changes as menu items."""
        return [
            ChangeItem(
                wish.name, wish.icon, title_and_question(wish, self.section)[0], wish.is_at_hand
            )
            for wish in possible_wishes(self.section, self.evening)
        ]

    @property
    def waiting(self) -> list[Entry]:
        """Return the entries that have no seat yet, such as late pairs."""
        return [entry for entry in self.evening.entries if entry.contestant is None]

    @cached_property
    def news(self) -> ChangedTables | None:
        """Return the differences in the movement since the director last looked; None if there are none."""
        return None if self.section.is_finished else news_since(self.plan, self.seen)

    @property
    def new_tables(self) -> tuple[int, ...]:
        """Return the numbers of the tables whose plan has changed in this round or the next."""
        return self.news.near if self.news else ()

    @property
    def differences_by_table(self) -> Mapping[int, list[TableChange]]:
        """Return by table what has changed in the plan of this round or the next."""
        return self.news.lines_by_table if self.news else {}

    @cached_property
    def log(self) -> list[LogEntry]:
        """Return the latest events of the section's log, newest first."""
        return latest_events(self.section)
