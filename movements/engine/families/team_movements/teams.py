"""Common parts of movements of teams.

Teams of four: N-S stay at home, the table of the team's number, and E-W move. A match is two tables (and usually two
rounds) with the same boards. A draw of head-to-head matches needs no tables and boards: it gives the pairings and the
triangles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from movements.engine.contest import Contest
from movements.engine.declarations import Exemption, Triangle
from movements.engine.errors import OddTables, TooFewTables
from movements.engine.model import Field, Movement, Seating, set_name, set_names

from ..grid import Rule

TABLES = Path(__file__).parent.parent.parent / "tables"


def need_teams(family: str, teams: int, at_least: int) -> None:
    """Raise `TooFewTables` if there are too few teams."""
    if teams < at_least:
        raise TooFewTables(family, tables=teams, needs=f"at least {at_least} teams")


def need_even_teams(family: str, teams: int, at_least: int) -> None:
    """Raise `OddTables` or `TooFewTables` unless the number of teams is even and large enough."""
    if teams % 2:
        needs = "an even number of teams"
        raise OddTables(family, tables=teams, needs=needs, instead=("team-awl",))
    need_teams(family, teams, at_least)


def team_field(teams: int) -> Field:
    """Return the field in which teams 1 to n are ranked."""
    return Field("teams", tuple(str(number) for number in range(1, teams + 1)))


def team_tables(
    family: str,
    teams: int,
    rounds: int,
    *,
    east_west: Rule,
    board_set: Rule,
    north_south: Rule = lambda _, table: table,
    **more: Any,
) -> Movement:
    """Return a movement with a table for each team; functions give the visiting team and the board set.

    Unplayed sets are left out. `more` goes to `Movement` (shared, stands…).
    """
    seatings = tuple(
        Seating(
            round + 1,
            table + 1,
            north_south(round, table) + 1,
            east_west(round, table) + 1,
            (set_name(board_set(round, table)),),
        )
        for round in range(rounds)
        for table in range(teams)
    )
    played = {name for seating in seatings for name in seating.sets}
    return Movement(
        family=family,
        contest=Contest.TEAMS,
        tables=teams,
        rounds=rounds,
        fields=(team_field(teams),),
        sets=tuple(name for name in set_names(teams) if name in played),
        seatings=seatings,
        **more,
    )


def team_draw(
    family: str,
    teams: int,
    matches: Sequence[Sequence[tuple[int, int | None]]],
    triangles: Sequence[Triangle] = (),
    *,
    rounds: int | None = None,
    exemptions: tuple[Exemption, ...] = (),
) -> Movement:
    """Return a drawn team movement from each round's matches (None as opponent: a bye) and three-way matches.

    "Table" is the column of a match. `tables` counts a match once and a triangle three times. `rounds` may be more
    than are drawn; the exemptions then declare it.
    """
    seatings = tuple(
        Seating(round, column, home, away, ())
        for round, drawn in enumerate(matches, start=1)
        for column, (home, away) in enumerate(drawn, start=1)
    )
    return Movement(
        family=family,
        contest=Contest.TEAMS,
        tables=max(
            len(drawn) + 3 * sum(round in triangle.rounds for triangle in triangles)
            for round, drawn in enumerate(matches, start=1)
        ),
        rounds=rounds or len(matches),
        fields=(team_field(teams),),
        sets=(),
        seatings=seatings,
        triangles=tuple(triangles),
        exemptions=exemptions,
    )


def teams_of(cell: str) -> tuple[int, ...]:
    """Return the teams in a cell such as "1-2-3"."""
    return tuple(int(team) for team in cell.split("-"))


@cache
def read_table(name: str) -> dict[str, Any]:
    """Return the published or searched team movements in a data file."""
    with (TABLES / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)
