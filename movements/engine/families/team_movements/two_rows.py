"""Teams in two rows whose tables share the boards: the New England Relay and the Mitchell for teams."""

from __future__ import annotations

from dataclasses import replace

from movements.engine.contest import Contest
from movements.engine.declarations import Share, Stand
from movements.engine.model import Movement, set_name
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family
from ..grid import require_allowed_rounds
from .teams import need_even_teams, team_tables


def new_england_relay(teams: int, rounds: int | None = None) -> Movement:
    """Return the New England Relay: an even number of teams that all meet each other.

    The tables form two rows, and tables side by side share their boards; after each such couple of tables comes a
    stand. From home, before each round, East-West move up one table through all of them and the boards up one
    station, the stands being stations. A team does not play the set that started at its home.

    Raises `OddTables`, `TooFewTables`, `WrongRounds`. Source: catalogue 4 (QBA).

    >>> new_england_relay(8).shares(1)["H"]
    (1, 5)
    """
    need_even_teams("new-england-relay", teams, 4)
    rounds = teams - 1 if rounds is None else rounds
    require_allowed_rounds("new-england-relay", teams, rounds, (teams - 1,))
    row = teams // 2
    movement = team_tables(
        "new-england-relay",
        teams,
        rounds,
        east_west=lambda r, t: (t - r - 1) % teams,
        board_set=lambda r, t: (2 * t - r - 1) % teams,
        shared=_rows_share(row),
    )
    stands = tuple(
        Stand(round, table, (set_name((2 * table - 1 - round) % teams),))
        for round in range(1, rounds + 1)
        for table in range(1, row + 1)
    )
    return replace(movement, stands=stands)


def mitchell_teams(teams: int, rounds: int | None = None) -> Movement:
    """Return the Mitchell for teams: in two equal rows, each team meets those of the other row.

    Tables side by side share their boards. The first match is against the team beside. Then the teams of the second
    row move up one place, E-W in the first row and N-S in the second, and the boards move down one. An odd number in
    a row can meet the whole other row. With an even number the teams would meet their first boards again halfway.
    There the second row skips a place, and one match less is possible.

    Raises `OddTables`, `TooFewTables`, `WrongRounds`. Source: catalogue 4 (QBA); the skip is that of the Skip
    Mitchell.

    >>> [(s.table, s.ns, s.ew) for s in mitchell_teams(6).in_round(2) if s.table in (1, 4)]
    [(1, 1, 6), (4, 6, 1)]
    """
    need_even_teams("mitchell-teams", teams, 6)
    row = teams // 2
    allowed = mitchell_rounds(teams)
    rounds = allowed[-1] if rounds is None else rounds
    require_allowed_rounds("mitchell-teams", teams, rounds, allowed)

    def second_row(r: int, t: int) -> int:
        """Return the team at a table of the second row, counted from 0."""
        skipped = row % 2 == 0 and r >= row // 2
        return row + (t - r - skipped) % row

    return team_tables(
        "mitchell-teams",
        teams,
        rounds,
        north_south=lambda r, t: t if t < row else second_row(r, t),
        east_west=lambda r, t: second_row(r, t) if t < row else t - row,
        board_set=lambda r, t: (t + r) % row,
        shared=_rows_share(row),
    )


def mitchell_rounds(teams: int) -> range:
    """Return the legal numbers of rounds of a Mitchell for so many teams."""
    row = teams // 2
    return range(2, row + row % 2) if teams % 2 == 0 else range(0)


def _rows_share(row: int) -> tuple[Share, ...]:
    """Return the shares of two rows of tables, in which opposite tables share boards."""
    return tuple(Share(0, (table, row + table)) for table in range(1, row + 1))


NEW_ENGLAND_RELAY = Family(
    name="new-england-relay",
    title=marked_for_players("New England Relay"),
    build=new_england_relay,
    rounds=lambda teams: (teams - 1,) if teams % 2 == 0 else (),
    smallest=4,
    needs=marked("an even number of teams"),
    contest=Contest.TEAMS,
    winners=1,
    takes_missing_pair=False,
    source="QBA, J. Peach 2011",
)

MITCHELL_TEAMS = Family(
    name="mitchell-teams",
    title=marked_for_players("Mitchell for Teams"),
    build=mitchell_teams,
    rounds=mitchell_rounds,
    smallest=6,
    needs=marked("an even number of teams, at least 6"),
    contest=Contest.TEAMS,
    winners=1,
    takes_missing_pair=False,
    source="QBA, J. Peach 2011",
)
