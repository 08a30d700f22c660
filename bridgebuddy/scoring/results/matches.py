"""Matches in the form used by pages and print: both tables side by side, seats and opponents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bridgebuddy.events.models import Section
from bridgebuddy.events.queries.plan.games import Contestant, board_text

from ..rules.reports.results import MatchSides
from ..snapshot.counted import DECIMALS, has_fraction
from ..snapshot.lines import PlayLine
from .scored import ScoredSession


@dataclass(frozen=True)
class MatchBoard:
    """A board of a match with its plays at both tables."""

    board: int
    lines: tuple[PlayLine | None, PlayLine | None]
    scores: tuple[int | None, int | None]  # North-South's at each
    home: float | None  # each side's value; None while the board is open, or if it does not count
    away: float | None
    counts: bool = True  # False if both teams sat the same way at both tables

    @property
    def first_line(self) -> PlayLine | None:
        """Return the play at the table where the home team sits North-South."""
        return self.lines[0]

    @property
    def second(self) -> PlayLine | None:
        """Return the play at the table where the home team sits East-West."""
        return self.lines[1]

    @property
    def round(self) -> int:
        """Return the first round in which the board is played."""
        return min((line.round for line in self.lines if line), default=1)

    @property
    def difference(self) -> int | None:
        """Return the home team's lead on the board in points, over both tables."""
        one, other = self.scores
        return None if one is None or other is None or not self.counts else one - other

    @property
    def is_even(self) -> bool:
        """Return whether the home team's gain equals the away team's loss."""
        return self.home is not None and self.away is not None and self.home == -self.away

    @property
    def home_value(self) -> float | None:
        """Return the home team's score on the board as displayed; None if only the winner's score is displayed."""
        return self._visible_value(self.home)

    @property
    def away_value(self) -> float | None:
        """Return the away team's score on the board as displayed; None if only the winner's score is displayed."""
        return self._visible_value(self.away)

    def _visible_value(self, value: float | None) -> float | None:
        """Return a side's score on the board as displayed: only the winner's if the scores are opposite numbers."""
        if self.is_even and (value is None or value <= 0):
            return None
        return value


@dataclass(frozen=True)
class MatchSeat:
    """The players who sat in one direction at a table of a match, with the rounds or boards they played."""

    line: str
    team: Contestant
    names: str
    rounds: tuple[int, ...]  # empty: in all of them
    boards: str = ""  # rounds in which others had the same seat


@dataclass(frozen=True)
class MatchRoom:
    """One of the two rooms (open, closed) of a match, with its tables and the people in each direction."""

    is_open: bool
    tables: tuple[int, ...]
    chairs: tuple[MatchSeat, ...]


class TeamMatch:
    """A match of two contestants with its result, boards and rooms, for its page."""

    def __init__(self, scored: ScoredSession, index: int) -> None:
        self.scored = scored
        self.index = index
        self.told = scored.document.session.matches[index]
        self.result = scored.results.matches[index]
        self.round, self.rounds = self.told.round, self.told.all_rounds
        tonight = scored.tonight
        self.section: Section = tonight.section_named(self.told.section)
        self.home, *others = (tonight.contestants[side] for side in self.told.sides)
        self.away = others[0] if others else None

    @property
    def teams(self) -> tuple[Contestant, ...]:
        """Return the home team and, except in a bye, the away team."""
        return (self.home, self.away) if self.away else (self.home,)

    # ── results ──

    @property
    def rule(self) -> str:
        """Return the name of the rule that gave the match its result, such as `bye` for a bye."""
        return self.result.rule

    @property
    def is_over(self) -> bool:
        """Return whether the match has a result."""
        return self.rule not in ("open", "cancelled")

    @property
    def is_bye(self) -> bool:
        """Return whether the match is a bye, without an opponent."""
        return self.away is None

    @property
    def has_begun(self) -> bool:
        """Return whether a board of the match has been played."""
        return any(line.has_begun for line in self.lines)

    @property
    def score(self) -> MatchSides | None:
        """Return the deciding score: victory points if there are any, else points or IMPs."""
        values = self.result.vps or self.result.points or self.result.imps
        return values if self.is_over else None

    @property
    def has_vps(self) -> bool:
        """Return whether the match scores victory points."""
        return self.result.vps is not None

    @property
    def imps(self) -> MatchSides | None:
        """Return the IMPs that each team won over all boards: "17 : 10"."""
        if self.scored.method != "team-imps" or not self.counted_boards:
            return None
        if not all(match_board.is_even for match_board in self.counted_boards):
            return None
        won = sum(
            match_board.home
            for match_board in self.counted_boards
            if match_board.home and match_board.home > 0
        )
        lost = sum(
            match_board.away
            for match_board in self.counted_boards
            if match_board.away and match_board.away > 0
        )
        return MatchSides(won, lost)

    @property
    def adjusted_imps(self) -> MatchSides:
        """Return both teams' IMPs with carry-over and penalties added to the side that gains: "17 : 16"."""
        assert self.imps is not None
        more = self._home_lead - self.imps.ahead
        return MatchSides(self.imps.home + max(more, 0), (self.imps.away or 0) + max(-more, 0))

    @property
    def net(self) -> MatchSides | None:
        """Return each team's total points over all boards, including penalties."""
        values = self.result.imps or self.result.points
        return values if self.is_over else None

    @property
    def places(self) -> int:
        """Return how many decimal places the match's scores need: none if all are whole."""
        points = [
            number for board in self.boards for number in (board.home_value, board.away_value)
        ]
        two = (self.imps, self.net)
        points += [number for both in two if both for number in (both.home, both.away)]
        return DECIMALS if any(map(has_fraction, points)) else 0

    @property
    def carried(self) -> float:
        """Return the part of the home team's IMPs that comes from carry-over and penalties."""
        if not self.is_over or not self.result.imps or not self.counted_boards:
            return 0
        return float(self.result.imps.home) - sum(
            match_board.home or 0 for match_board in self.counted_boards
        )

    @property
    def winner(self) -> Contestant | None:
        """Return the winning team; None while the match is not over, and if it is level."""
        if self.score is None or self.away is None or self.is_level:
            return None
        return self.home if self._home_lead > 0 else self.away

    @property
    def is_level(self) -> bool:
        """Return whether the match has a score and neither team is ahead."""
        return self.score is not None and self._home_lead == 0

    @property
    def _home_lead(self) -> float:
        """Return by how much the home team leads in the deciding score."""
        assert self.score is not None
        if self.score is self.result.imps and self.result.lead is not None:
            return float(self.result.lead)
        return self.score.ahead

    @property
    def is_by_itself(self) -> bool:
        """Return whether the match's result comes from its boards and not from a director's ruling."""
        return self.rule in ("match", "open")

    # ── derivation ──

    @cached_property
    def lines(self) -> tuple[PlayLine, ...]:
        """Return the plays of the two teams against each other, including boards that do not count."""
        if self.away is None:
            return ()
        teams = {self.home.slug, self.away.slug}
        return tuple(
            line
            for line in self.scored.tonight.lines_of_section(self.section)
            if line.round in self.rounds and {line.ns[0].slug, line.ew[0].slug} == teams
        )

    @cached_property
    def boards(self) -> list[MatchBoard]:
        """Return the match's boards in order."""
        worth = {board.board: board for board in self.result.boards}
        at: defaultdict[int, list[PlayLine]] = defaultdict(list)
        for line in self.lines:
            at[line.board].append(line)
        match_boards = []
        for board, lines in sorted(at.items()):
            counts = board in self.told.boards
            home = [line for line in lines if line.ns[0].slug == self.home.slug]
            guests = [line for line in lines if line.ns[0].slug != self.home.slug]
            if not counts:
                home, guests = lines[:1], lines[1:2]
            both = (home[0] if home else None, guests[0] if guests else None)
            scores = tuple(self.scored.score(result) if result else None for result in both)
            match_boards.append(
                MatchBoard(
                    board,
                    both,
                    (scores[0], scores[1]),
                    worth[board].home if counts and board in worth else None,
                    worth[board].away if counts and board in worth else None,
                    counts,
                )
            )
        return match_boards

    @cached_property
    def counted_boards(self) -> list[MatchBoard]:
        """Return the boards of the match that have a score."""
        return [board for board in self.boards if board.home is not None or board.away is not None]

    @property
    def left_out(self) -> list[int]:
        """Return the boards that do not count, because a team sat in the same direction at both tables."""
        return [board.board for board in self.boards if not board.counts]

    @property
    def entered_count(self) -> int:
        """Return the number of results entered for the match, at both tables."""
        return sum(line.outcome is not None for line in self.lines)

    @property
    def due_count(self) -> int:
        """Return the number of results that the match should have, at both tables."""
        return len(self.lines)

    @cached_property
    def rooms(self) -> list[MatchRoom]:
        """Return the two rooms of the match, the one with the home team North-South first."""
        both_rooms = []
        for is_open in (True, False):
            lines = [line for line in self.lines if (line.ns[0].slug == self.home.slug) is is_open]
            tables = tuple(dict.fromkeys(line.table for line in lines))
            both_rooms.append(MatchRoom(is_open, tables, tuple(self._seated_pairs(lines))))
        return [match_room for match_room in both_rooms if match_room.tables]

    def _seated_pairs(self, lines: Sequence[PlayLine]) -> Iterator[MatchSeat]:
        """Yield the pairs that sat in each direction in these plays, with the rounds or boards they played."""
        for side, places in (("ns", (0, 2)), ("ew", (1, 3))):
            contestant: defaultdict[str, list[PlayLine]] = defaultdict(list)
            for line in lines:
                names = " & ".join(line.people[x] for x in places if line.people[x:])
                contestant[names or self._names_of_planned_side(line, side)].append(line)
            team = lines[0].side(side)[0] if lines else self.home
            rounds = {
                names: tuple(dict.fromkeys(x.round for x in game))
                for names, game in contestant.items()
            }
            changes_within = sum(map(len, rounds.values())) > len(set().union(*rounds.values()))
            for names, mine in contestant.items():
                if changes_within:
                    boards = board_text(sorted({line.board for line in mine}))
                    yield MatchSeat(side, team, names, (), boards)
                else:
                    yield MatchSeat(side, team, names, rounds[names] if len(contestant) > 1 else ())

    def _names_of_planned_side(self, line: PlayLine, side: str) -> str:
        """Return the names of the people planned for a direction, in a round that has not begun."""
        plan = self.scored.tonight.plans[self.section.pk]
        number = line.side(side)[0].number
        for game in plan.evening.games.get(line.round, ()):
            for contestant in game.ns if side == "ns" else game.ew:
                if (game.table, game.part, contestant.contestant.number) == (
                    line.table,
                    line.part,
                    number,
                ):
                    is_late = contestant.pair_after_half_time and line.board not in game.first_half
                    return str(contestant.pair_after_half_time) if is_late else contestant.names
        return plan.drawn.contestant_in(number, line.round).names

    # ── comparison ──

    @property
    def key(self) -> dict[str, Any]:
        """Return the URL arguments of the match's page."""
        return {
            "round": self.round,
            "home": self.home.slug,
            "away": self.away.slug if self.away else "-",
        }

    def score_of_team(self, team: Contestant) -> float | None:
        """Return a team's score in the match."""
        return self.part_of_team(self.score, team) if self.score else None

    def part_of_team(self, two: MatchSides, team: Contestant) -> float | None:
        """Return a team's number from a pair of numbers (home, away)."""
        return two.home if team.slug == self.home.slug else two.away

    def opponent_of(self, team: Contestant) -> Contestant | None:
        """Return the other team of the match."""
        return self.away if team.slug == self.home.slug else self.home
