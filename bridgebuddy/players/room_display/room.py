"""The room display: the clock, the announcement and the next places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from math import ceil

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.clock import SectionClock
from bridgebuddy.events.queries.plan.games import Contestant, board_text
from bridgebuddy.events.queries.plan.home_tables import is_draw
from bridgebuddy.events.queries.plan.moves import RoundMove
from bridgebuddy.events.queries.plan_cache import kept_plan
from bridgebuddy.events.queries.sessions.sections import sections_of_session
from bridgebuddy.scoring.snapshot.drawn_rounds import EVENTS, event_places, is_knockout, title_teams
from bridgebuddy.web.qr_codes import qr_svg
from movements.engine.calls import round_end_announcement
from movements.engine.calls.people import PeopleAnnouncement
from movements.engine.descriptions.shape import room_shape
from movements.engine.drawing.knockouts import MOST_IN_BRACKET
from movements.library.ring.boards import board_ring, needs_picture
from movements.words.calls import SpokenAnnouncement
from movements.words.knockout import knockout_round_name

from .room_cells import (
    BracketColumn,
    Cell,
    NextPlace,
    RoomScreen,
    StayingPairs,
    TableSeats,
    TeamMatch,
)
from .room_ranking import RankingPage, pages_after_round, pages_in_half, published_token, top_lists
from .room_season import SeasonPage, pages_of_season

MOST_CELLS = 24  # cells that fit on a screen
MOST_TABLES = 14  # tables with two lines of names each, beside the QR code
MOST_MATCHES = 12
SAME_TIME = timedelta(seconds=2)  # between clocks that were started together


class RoomDisplay:
    """The data of the room display (on a projector) of a section."""

    def __init__(
        self,
        section: Section,
        phones: str = "",
        *,
        share: int = 1,
        half: int = 0,
        has_season: bool = True,
    ) -> None:
        """Take a section, the address for phones, the share of the screen and its part.

        Of several sections in turn only the first shows the season.
        """
        self.section, self.phones, self.share, self.half = section, phones, share, half
        self.has_season = has_season
        self.plan = kept_plan(section)
        self.evening = self.plan.evening
        self.clock = SectionClock(section)

    @cached_property
    def announcement(self) -> SpokenAnnouncement | None:
        """Return the announcement of moves for the end of the round; None if there is none."""
        if not self.section.is_running or self.section.is_last_round:
            return None
        if self.is_draw or self.is_next_open or self.plan.announcements.is_drawn:
            return None
        return self.plan.announcements.announcement_after(self.section.round)

    @cached_property
    def usual_announcement(self) -> SpokenAnnouncement | None:
        """Return the announcement after round 1, shown with a picture before the start; None if none is shown.

        None if no picture can show the rule, or if the screen is shared by sections.
        """
        form = room_shape(self.plan.movement)
        if self.share > 1 or not (form.follows or form.ew) or 1 in self.evening.open_rounds:
            return None
        return self.plan.announcements.announcement_after(1)

    @property
    def qr(self) -> SafeString:
        """Return the QR code of the page on which players find their own table."""
        address = self.phones + reverse("lookup", args=[self.section.code])
        return qr_svg(address, _("QR code: your table on your phone"))

    @property
    def spoken(self) -> str:
        """Return the sentence that the browser speaks aloud at the end of the round."""
        if self.section.is_last_round:
            return _("The last round is over. Thank you for playing.")
        over = _("The round is over.")
        if self.announcement is None:
            return over if self.is_next_open else f"{over} {_('On to the next match')}."
        return f"{over} {self.announcement.spoken_now}"

    @property
    def next_round(self) -> int:
        """Return the number of the next round."""
        return self.section.round + 1

    @property
    def is_next_open(self) -> bool:
        """Return whether the next round is not drawn yet, because it needs this round's results."""
        return self.next_round in self.evening.open_rounds

    @property
    def is_draw(self) -> bool:
        """Return whether the contest consists of team matches, each played at both teams' home tables."""
        return is_draw(self.section.movement)

    @property
    def sits_out_now(self) -> tuple[Contestant, ...]:
        """Return the contestants that sit out the current round, or round 1 before the start."""
        return self.evening.sit_outs(self.section.round or 1)

    @cached_property
    def pages(self) -> list[RoomScreen]:
        """Return the pages shown in turn: the next moves, or the seats of round 1, or the matches of teams."""
        is_last = self.section.is_last_round or self.section.is_finished
        if self.section.movement is None or is_last or self.is_next_open:
            return []
        if self.is_draw:
            matches = list(self._matches(self.next_round))
            return paginate("matches", matches, self._cells_on_part(MOST_MATCHES))
        if not self.section.is_started:
            seats = paginate("seats", list(self._seats(1)), self._cells_on_part(MOST_TABLES))
            return [*seats, RoomScreen("picture", (), 1, 1)] if self.usual_announcement else seats
        moves = self.plan.plan_of_moves.moves_after(self.section.round)
        cells = [goes for move in moves if (goes := self._next_place(move))]
        most = self._cells_on_part(MOST_CELLS)
        boards = [RoomScreen("boards", (), 1, 1)] if self.shows_boards else []
        return [
            *paginate("moves", [*sorted(cells, key=_last_unusual), *_staying_cell(moves)], most),
            *boards,
            *paginate("plan", list(self._seats(self.next_round)), most),
        ]

    @property
    def shows_boards(self) -> bool:
        """Return whether a picture shows how the boards move; a picture needs space and regular moves."""
        if self.share > 1 or self.announcement is None:
            return False
        return needs_picture(self.plan.announcements.movement, self.section.round)

    @property
    def board_picture(self) -> SafeString:
        """Return the picture of how the boards move at the end of the round."""
        return board_ring(self.plan.announcements.movement, self.section.round)

    @cached_property
    def bracket(self) -> list[BracketColumn]:
        """Return the drawn rounds of a knock-out; empty for other contests."""
        teams = len(self.evening.contestants)
        is_shown = self.section.is_started and self.share == 1 and teams <= MOST_IN_BRACKET
        if not is_shown or not is_knockout(self.section):
            return []
        about = event_places(self.section)
        rounds: list[dict[str, list[TeamMatch]]] = []
        for round in range(1, self.evening.rounds + 1):
            by_event: dict[str, list[TeamMatch]] = {event: [] for event in EVENTS}
            for match in () if round in self.evening.open_rounds else self._matches(round):
                couple = frozenset(team.entry for team in match.teams)
                by_event[about.get((round, couple), "")].append(match)
            rounds.append(by_event)
        entries = {team.entry: number for number, team in self.evening.contestants.items()}
        title = title_teams(self.section)
        return [
            BracketColumn(
                knockout_round_name(teams, round),
                tuple((event, tuple(each)) for event, each in matches_by_event.items() if each),
                frozenset(entries[entry] for entry in title.get(round + 1, ()) if entry in entries),
            )
            for round, matches_by_event in enumerate(rounds, start=1)
        ]

    @cached_property
    def rankings(self) -> list[RankingPage]:
        """Return the pages of the ranking after the last finished round, if the director shows it."""
        if self.share > 1:
            return pages_in_half(self.section, self.half)
        return pages_after_round(self.section)

    @cached_property
    def season(self) -> list[SeasonPage]:
        """Return the pages with the session's championships, which are shown before the start."""
        if self.section.is_started or not self.has_season:
            return []
        return pages_of_season(self.section)[self.half :: self.share]

    @property
    def published_qr(self) -> SafeString:
        """Return the QR code of the published results; empty while they are not published."""
        token = published_token(self.section)
        if not token:
            return SafeString("")
        address = self.phones + reverse("public-results", args=[token])
        return qr_svg(address, _("QR code: the results"))

    @cached_property
    def winners(self) -> list[RankingPage]:
        """Return the pages of the final ranking, when the director reveals or publishes it."""
        return top_lists(self.section) if self.section.is_finished and self.share == 1 else []

    def _cells_on_part(self, cells: int) -> int:
        """Return how many cells fit on this section's part of the screen, if `cells` fit on the whole screen."""
        return cells // self.share

    def _matches(self, round: int) -> Iterator[TeamMatch]:
        """Yield the matches of a round, without byes."""
        for match in self.plan.drawn.games.get(round, ()):
            if match.is_played:
                yield self._match(tuple(seat.contestant for seat in match.ns + match.ew), round)
        for trio in self.plan.drawn.triangles(round):
            yield self._match(trio.teams_present(round), round)

    def _match(self, teams: tuple[Contestant, ...], round: int) -> TeamMatch:
        """Return the match of teams in a round with their tables and boards."""
        games = [
            game
            for game in self.evening.games.get(round, ())
            if {s.contestant.number for s in game.ns + game.ew} <= {team.number for team in teams}
        ]
        return TeamMatch(
            teams,
            tuple(sorted({game.table for game in games})),
            board_text(sorted({board for game in games for board in game.boards})),
        )

    def _seats(self, round: int) -> Iterator[TableSeats]:
        """Yield each table with the contestants that sit there at the beginning of a round."""
        for game in self.plan.plan_of_moves.evening.games.get(round, ()):
            if game.part == 1:
                yield TableSeats(game.table, game.ns, game.ew)

    def _next_place(self, move: RoundMove) -> NextPlace | None:
        """Return a contestant's next seat; None if it keeps its seat."""
        mover, before, after = move.contestant, move.before, move.after
        if move.sits_out:
            seat = after or before
            return NextPlace(mover, seat.chair if seat else mover.field, table=0, is_unusual=True)
        if after is None or move.stays_in_seat:
            return None
        if move.comes_back:
            return NextPlace(mover, after.chair, after.table, note="back", is_unusual=True)
        changes = before is None or before.chair != after.chair
        return NextPlace(
            mover,
            after.chair,
            after.table,
            note="line" if changes or not self._has_rule else "",
            is_unusual=self._has_rule
            and (mover.number, before.line if before else "") in self._exceptions,
        )

    @cached_property
    def _moves_of_people(self) -> PeopleAnnouncement:
        """Return how the contestants move at the end of the current round."""
        return round_end_announcement(self.plan.announcements.movement, self.section.round).people

    @property
    def _has_rule(self) -> bool:
        """Return whether the moves are announced as a rule, such as "East-West up one table"."""
        return bool(self._moves_of_people.pieces) and not self._moves_of_people.by_cards

    @cached_property
    def _exceptions(self) -> set[tuple[int, str]]:
        """Return the contestants, with their directions, that move otherwise than the announced rule."""
        return {
            (step.contestant, step.before.line if step.before else "")
            for step in self._moves_of_people.others
        }


def _last_unusual(place: NextPlace) -> bool:
    """Return a sort key that puts moves against the announced rule last."""
    return place.is_unusual


def _staying_cell(moves: Sequence[RoundMove]) -> Iterator[StayingPairs]:
    """Yield the one cell that says which contestants keep their seats, if any do."""
    chairs = {move.before.chair for move in moves if move.before and move.stays_in_seat}
    if chairs:
        yield StayingPairs(chairs.pop() if len(chairs) == 1 else "")


def paginate(kind: str, cells: Sequence[Cell], maximum: int) -> list[RoomScreen]:
    """Divide cells into as few pages of equal length as possible, at most `maximum` on each."""
    count = ceil(len(cells) / maximum)
    size = ceil(len(cells) / count) if count else 0
    return [
        RoomScreen(kind, tuple(cells[page * size : (page + 1) * size]), page + 1, count)
        for page in range(count)
    ]


def rooms_of(section: Section, *, everywhere: bool, phones: str = "") -> list[RoomDisplay]:
    """Return the room displays that one screen shows in turn: of one section, or of all in the session.

    Finished sections are left out while another one continues.
    """
    if not everywhere:
        return [RoomDisplay(section, phones)]
    return [
        RoomDisplay(other, phones, has_season=place == 0)
        for place, other in enumerate(_running_sections(section))
    ]


@dataclass(frozen=True)
class SplitScreen:
    """The room display of two sections side by side."""

    left: RoomDisplay
    right: RoomDisplay

    def __iter__(self) -> Iterator[RoomDisplay]:
        yield from (self.left, self.right)

    @property
    def spoken(self) -> str:
        """Return the sentences spoken at the end of the rounds, one for each section."""
        return " ".join(
            _("Section %(section)s: %(problem)s")
            % {"section": room.section.name, "problem": room.spoken}
            for room in self
            if room.section.is_running
        )

    @property
    def has_other_rounds(self) -> bool:
        """Return whether the sections play different numbers of rounds."""
        return self.left.evening.rounds != self.right.evening.rounds

    @property
    def has_one_clock(self) -> bool:
        """Return whether both sections are in the same round with the same end, or have not begun."""
        left, other = self.left.section, self.right.section
        if left.round != other.round or left.is_finished or other.is_finished:
            return False
        if left.clock_ends_at is None or other.clock_ends_at is None:
            is_running = left.clock_ends_at or other.clock_ends_at
            return not is_running and left.clock_left == other.clock_left
        return abs(left.clock_ends_at - other.clock_ends_at) <= SAME_TIME


def split_screens(section: Section, phones: str = "") -> list[SplitScreen]:
    """Return the displays of a session's sections, two on each; a single one has the whole screen.

    If a final list is revealed, each section has the whole screen.
    """
    sections = _running_sections(section)
    if any(RoomDisplay(shown_section).winners for shown_section in sections):
        return []
    pairs = zip(sections[::2], sections[1::2], strict=False)
    return [
        SplitScreen(
            RoomDisplay(first, phones, share=2, has_season=place == 0),
            RoomDisplay(other, phones, share=2, half=1, has_season=place == 0),
        )
        for place, (first, other) in enumerate(pairs)
    ]


def _running_sections(section: Section) -> list[Section]:
    """Return the sections of the session that are not finished; all if all are."""
    sections = sections_of_session(section)
    return [other for other in sections if not other.is_finished] or sections


def displayed_code(section: Section) -> str:
    """Return the code that the room display shows; of several sections that of the first."""
    if not section.letter:
        return section.spaced_code
    return sections_of_session(section)[0].spaced_code
