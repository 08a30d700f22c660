"""Team matches at real tables: every team has the table of its number.

A draw gives opponents but no tables. N-S of every team stay at home, and E-W go to the opponents' table. So a match
is played at two tables, a triangle at three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from bridgebuddy.events.models import Entry
from movements.engine.declarations import Triangle
from movements.models import StoredMovement

from .evening import SessionEvening
from .games import Contestant, TableGame, TableSide, TriangleGame

BOTH_TABLES = ("home", "away")


def is_draw(movement: StoredMovement | None) -> bool:
    """Return whether a movement draws team matches whose boards are dealt at the table."""
    return movement is not None and movement.is_draw


def home_table(team: Contestant) -> int:
    """Return the home table of a team, where its N-S pair stays: the table with the team's number."""
    return int(team.short) if team.short.isdecimal() else team.number


def room_table_count(movement: StoredMovement) -> int:
    """Return the number of tables in the room for a movement: in team matches one for each team."""
    return len(movement.without_seatings.contestants) if is_draw(movement) else movement.tables


def evening_at_home_tables(evening: SessionEvening) -> SessionEvening:
    """Return a session with each team match as games at the two teams' home tables; others are unchanged."""
    return _HomeTables(evening) if is_draw(evening.section.movement) else evening


class _HomeTables(SessionEvening):
    """A session in which each team match is two games, at the home tables of its teams."""

    def __init__(self, evening: SessionEvening) -> None:
        super().__init__(evening.section, only=evening.only, played=evening.played)
        self.begun = evening.begun
        self.drawn = evening

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the entries of the original session."""
        return self.drawn.entries

    @cached_property
    def contestants(self) -> Mapping[int, Contestant]:
        """Return all contestants with a seat, by number."""
        return self.drawn.contestants

    @cached_property
    def games(self) -> dict[int, tuple[TableGame, ...]]:
        """Return the games at home tables of every round, in order; past rounds as they were played."""
        played: defaultdict[int, list[TableGame]] = defaultdict(list)
        for game in self.games_at_tables():
            played[game.round].append(game)
        games_by_round = {
            round: self._add_board_ways(round, games) for round, games in played.items()
        }
        for round in range(self.begun + 1, self.rounds + 1):
            if round not in self.open_rounds:
                games = sorted(self._home_games(round), key=lambda game: (game.table, game.part))
                games_by_round[round] = self._add_board_ways(round, games)
        return games_by_round

    def _add_board_ways(self, round: int, games: Sequence[TableGame]) -> tuple[TableGame, ...]:
        """Return the games with the table that gets their boards at half-time, or next in a three-way match."""
        three_way = self._drawn_movement.triangles if self._drawn_movement else ()
        triangles = [
            replace(three, rounds=tuple(r for r in three.rounds if r <= self.rounds))
            for three in three_way
            if round in three.rounds
        ]
        segments = self.section.boards_of_matches.segments
        return tuple(
            _game_with_passed_boards(game, triangles)
            for game in _add_board_exchange(games, segments)
        )

    def _home_games(self, round: int) -> Iterator[TableGame]:
        """Yield the games of a round at home tables, where the home team sits North-South."""
        boards = tuple(self.section.boards_of_matches.in_round(round))
        for match in self.drawn.games.get(round, ()):
            if match.is_played:
                one, other = (sitting.contestant for sitting in match.ns + match.ew)
                yield _home_game(one, other, round, boards)
                yield _home_game(other, one, round, boards)
        for trio in self.drawn.triangles(round):
            yield from _triangle_games(trio, round)

    def triangles(self, round: int) -> tuple[TriangleGame, ...]:
        """Return an empty tuple, because here three-way matches are ordinary games at home tables."""
        return ()


def _add_board_exchange(games: Sequence[TableGame], segments: int) -> tuple[TableGame, ...]:
    """Return the games of team matches with the table with which each exchanges boards at half-time.

    Without halves, contestants sit as in the half that the round is.
    """
    tables: defaultdict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    for game in games:
        tables[_match_key(game)].append(game.table)

    def exchanging_game(game: TableGame) -> TableGame:
        """Return a game with the table with which it exchanges boards."""
        both = tables[_match_key(game)]
        if len(both) != len(BOTH_TABLES) or len(game.boards) < 2:
            return _game_with_half_teams(game)
        other = next(table for table in both if table != game.table) if segments > 1 else 0
        return replace(game, exchanges_with=other, segments=segments)

    return tuple(map(exchanging_game, games))


def _game_with_passed_boards(game: TableGame, triangles: Sequence[Triangle]) -> TableGame:
    """Return a game of a three-way match with the table to which its boards are passed.

    If the session ends between the triangle's two rounds, the boards stay.
    """
    teams = {sitting.contestant.number for sitting in game.ns + game.ew}
    triangle = next((triangle for triangle in triangles if teams <= {*triangle.teams}), None)
    if triangle is None or not game.is_played:
        return game
    other = home_table(game.ew[0].contestant)
    if game.part > 1 or game.round > triangle.rounds[0]:
        return replace(game, boards_from=other)
    is_all = game.parts == 1 and len(triangle.rounds) == 1
    return game if is_all else replace(game, boards_to=other)


def _game_with_half_teams(game: TableGame) -> TableGame:
    """Return a game with each team's pair that sits there, instead of the whole team."""
    half = game.part if game.parts == len(BOTH_TABLES) else 1
    ns, ew = (
        tuple(
            replace(contestant, contestant=contestant.contestant.with_pairs_of_half(half))
            for contestant in side
        )
        for side in (game.ns, game.ew)
    )
    return replace(game, ns=ns, ew=ew)


def _match_key(game: TableGame) -> tuple[int, frozenset[int]]:
    """Return a key that is equal for both games of a team match: the part and the two contestants."""
    return game.part, frozenset(sitting.contestant.number for sitting in game.ns + game.ew)


def _triangle_games(trio: TriangleGame, round: int) -> Iterator[TableGame]:
    """Yield the games of a three-way match, each team at its home table."""
    parts = len(trio.halves)
    for part, half in enumerate(trio.halves, start=1):
        for team in trio.teams:
            visitor = trio.visitor(team.number, half)
            if team.is_present_in(round) and visitor.is_present_in(round):
                boards = trio.boards_of(team.number, visitor.number)
                yield _home_game(team, visitor, round, boards, part, parts)


def _home_game(
    host: Contestant,
    guest: Contestant,
    round: int,
    boards: tuple[int, ...],
    part: int = 1,
    parts: int = 1,
) -> TableGame:
    """Return what is played at the home table of team `host`, which sits N-S against team `guest`."""
    return TableGame(
        round=round,
        table=home_table(host),
        part=part,
        parts=parts,
        ns=(TableSide(host, "ns"),),
        ew=(TableSide(guest, "ew"),),
        sets=(),
        boards=boards,
    )
