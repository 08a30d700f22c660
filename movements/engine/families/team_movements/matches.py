"""One match: two teams head to head, or three teams in a triangle."""

from __future__ import annotations

from dataclasses import replace

from movements.engine.contest import Contest
from movements.engine.declarations import Share
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Field, Movement, Seating, set_name
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from .teams import team_tables

HEAD_TO_HEAD_ROUNDS = range(2, 13)
TRIANGLE_ROUNDS = (2, 4)


def head_to_head(tables: int = 2, rounds: int | None = None) -> Movement:
    """Return a match of two teams: two tables that share the boards of each stanza.

    No team moves; usually the pairs of a team exchange their opponents after half the stanzas.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 4 (Wikipedia).

    >>> [(s.ns, s.ew, s.sets) for s in head_to_head().in_round(2)]
    [(1, 2, ('B',)), (2, 1, ('B',))]
    """
    if tables != 2:
        raise WrongTables("head-to-head", tables=tables, needs="two tables")
    rounds = 2 if rounds is None else rounds
    require_allowed_rounds("head-to-head", tables, rounds, HEAD_TO_HEAD_ROUNDS)
    movement = team_tables(
        "head-to-head",
        tables,
        rounds,
        east_west=lambda _, t: 1 - t,
        board_set=lambda _r, t: t,
    )
    return replace(
        movement,
        sets=tuple(set_name(round) for round in range(rounds)),
        seatings=tuple(
            replace(seating, sets=(set_name(seating.round - 1),)) for seating in movement.seatings
        ),
        shared=(Share(0, (1, 2)),),
    )


def triangle(
    tables: int = 3, rounds: int | None = None, teams: tuple[str, ...] = ("1", "2", "3")
) -> Movement:
    """Return an interleaved match of three teams: the second and third round of a Mitchell.

    Every team plays both others at once, one with N-S and one with E-W, and both matches end after the second round.
    East-West up one table, boards down one. Four rounds are the same again with other boards: the triangle in two
    halves, over two sessions.

    `teams` are the three teams' labels; teams with numbers take their table numbers along.

    Raises `WrongTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 4 (Wikipedia; QBA).

    >>> [(s.ns, s.ew, *s.sets) for s in triangle().seatings]
    [(1, 3, 'A'), (2, 1, 'B'), (3, 2, 'C'), (1, 2, 'B'), (2, 3, 'C'), (3, 1, 'A')]
    """
    if tables != 3:
        raise WrongTables("triangle", tables=tables, needs="three tables")
    rounds = 2 if rounds is None else rounds
    require_allowed_rounds("triangle", tables, rounds, TRIANGLE_ROUNDS)
    if len(set(teams)) != 3:
        allowed = "three different teams, such as 4,5,7"
        raise UnknownOption("triangle", option="teams", value=",".join(teams), allowed=allowed)
    have_numbers = all(team.isdecimal() and 0 < int(team) < 1000 for team in teams)
    numbers = [int(team) for team in teams] if have_numbers else [1, 2, 3]
    return Movement(
        family="triangle",
        contest=Contest.TEAMS,
        tables=3,
        rounds=rounds,
        fields=(Field("teams", tuple(teams)),),
        sets=tuple(set_name(index) for index in range(3 * rounds // 2)),
        seatings=tuple(
            Seating(
                r + 1,
                numbers[t],
                t + 1,
                (t - r % 2 - 1) % 3 + 1,
                (set_name((t + r % 2) % 3 + 3 * (r // 2)),),
            )
            for r in range(rounds)
            for t in range(3)
        ),
    )


HEAD_TO_HEAD = Family(
    name="head-to-head",
    title=marked_for_players("Head-to-Head"),
    build=head_to_head,
    rounds=lambda tables: HEAD_TO_HEAD_ROUNDS if tables == 2 else (),
    smallest=2,
    largest=2,
    needs=marked("two tables"),
    contest=Contest.TEAMS,
    winners=1,
    usual_rounds=lambda tables: 2 if tables == 2 else None,
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements",
)

TRIANGLE = Family(
    name="triangle",
    title=marked_for_players("Triangle"),
    build=triangle,
    rounds=lambda tables: TRIANGLE_ROUNDS if tables == 3 else (),
    smallest=3,
    largest=3,
    needs=marked("three tables"),
    contest=Contest.TEAMS,
    winners=1,
    options=(FamilyOption("teams", "labels", marked("the three teams, such as 1,4,5")),),
    usual_rounds=lambda tables: 2 if tables == 3 else None,
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011",
    also_called=("triple", "interleaved match", "three-way match"),
)
