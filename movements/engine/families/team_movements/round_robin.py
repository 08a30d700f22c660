"""Round robins of teams: a draw in which all meet all, with triangles or in rings."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import cast

from movements.engine.contest import Contest
from movements.engine.declarations import Triangle
from movements.engine.errors import UnknownOption, WrongTables
from movements.engine.model import Movement, Seating, set_names
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from .teams import read_table, team_draw, team_field, teams_of

MOST_TEAMS = 60
SEATING = ("usual", "rotated", "toss")
Matches = list[list[tuple[int, int]]]
"""The matches of each round."""


def team_round_robin(
    teams: int, rounds: int | None = None, seating: str = "usual", seed: int = 1
) -> Movement:
    """Return the draw of a round robin: every two teams meet once.

    An even number of teams plays head to head. With an odd number one team is always in a triangle, with each couple
    of other teams in turn; a triangle lasts two rounds. It needs three tables and one more set of boards, and avoids
    byes.

    The draws for 4, 7, 9, 11 and 13 teams are the printed ones. Other even numbers: the last team stays, the numbers
    of all others increase by one from round to round. Odd numbers from 15: found by search.

    The team named first has the seating rights: as printed, with `seating` "rotated" in half of its matches, or by
    "toss", repeatable by its `seed`.

    Raises `WrongTables` (5 teams play in rings), `WrongRounds`, `UnknownOption`. Source: catalogue 4 (QBA).

    >>> [(s.ns, s.ew) for s in team_round_robin(6).in_round(2)]
    [(6, 2), (1, 3), (5, 4)]
    """
    allowed = possible_rounds(teams)
    if not allowed:
        raise WrongTables(
            "team-round-robin",
            tables=teams,
            needs=FAMILY.needs,
            instead={3: ("triangle",), 5: ("team-rings", "team-awl")}.get(teams, ()),
        )
    rounds = teams - 1 if rounds is None else rounds
    require_allowed_rounds("team-round-robin", teams, rounds, allowed)
    if seating not in SEATING:
        allowed_words = ", ".join(SEATING)
        raise UnknownOption(
            "team-round-robin", option="seating", value=seating, allowed=allowed_words
        )
    matches, triangles = _printed_draw(teams) or (
        _all_against_all_in_triangles(teams) if teams % 2 else (_rotation_matches(teams), [])
    )
    if seating == "rotated":
        matches = _order_by_seating_rights(matches, teams, triangles)
    elif seating == "toss":
        rng = Random(seed)
        matches = [[rng.choice((match, match[::-1])) for match in drawn] for drawn in matches]
    return team_draw("team-round-robin", teams, matches, triangles)


def _order_by_seating_rights(
    matches: Matches, teams: int, triangles: Sequence[Triangle]
) -> Matches:
    """Return the matches with the team first that has the seating rights, evenly distributed.

    With the teams in a circle each has them against the following half of the others; of two opposite each other, the
    one in the first half. With an odd number the team in every triangle is not in the circle. Its two partners of a
    triangle, who meet only there, are opposite each other.
    """
    circle = list(range(1, teams + 1))
    if triangles:
        always = set.intersection(*(set(triangle.teams) for triangle in triangles))
        couples = [
            [team for team in triangle.teams if team not in always] for triangle in triangles
        ]
        circle = [couple[side] for side in (0, 1) for couple in couples]
    place = {team: index for index, team in enumerate(circle)}

    def is_first(first: int, second: int) -> bool:
        """Return whether a team has seating rights against another."""
        ahead = (place[second] - place[first]) % len(circle)
        return (2 * ahead, place[first]) < (len(circle), place[second])

    return [
        [match if is_first(*match) else (match[1], match[0]) for match in drawn]
        for drawn in matches
    ]


def possible_rounds(teams: int) -> tuple[int, ...]:
    """Return the only number of rounds of a team round robin; empty if there is no draw for so many teams."""
    is_possible = 4 <= teams <= MOST_TEAMS if teams % 2 == 0 else 7 <= teams < MOST_TEAMS
    return (teams - 1,) if is_possible else ()


def _printed_draw(teams: int) -> tuple[Matches, list[Triangle]] | None:
    """Return the printed round robin for so many teams; None if there is none."""
    for draw in read_table("team_round_robin")["draw"]:
        if draw["teams"] == teams:
            matches = [[_teams_of_match(cell) for cell in line.split()] for line in draw["rounds"]]
            triangles = [
                _two_round_triangle(2 * index + 1, teams_of(cell))
                for index, cell in enumerate(draw.get("triangles", ()))
            ]
            return matches, triangles
    return None


def _rotation_matches(teams: int) -> Matches:
    """Return the matches of a round robin for an even number of teams, by rotation."""
    first = [(teams - column, column + 1) for column in range(teams // 2)]

    def team_after(team: int, round: int) -> int:
        """Return the team that takes this place after some rounds."""
        return team if team == teams else (team - 1 + round) % (teams - 1) + 1

    return [
        [(team_after(home, round), team_after(away, round)) for home, away in first]
        for round in range(teams - 1)
    ]


def _all_against_all_in_triangles(teams: int) -> tuple[Matches, list[Triangle]]:
    """Return the matches and three-way matches of a round robin for an odd number of teams."""
    starters = read_table("team_triangles")["starter"]
    starter = next(item["matches"] for item in starters if item["teams"] == teams)
    half = (teams - 3) // 2
    places = 2 * half

    def team(place: int) -> int:
        """Return the team at a place of the circle; partners, opposite each other, have adjacent numbers."""
        place %= places
        return 2 + 2 * (place % half) + place // half

    first = [_teams_of_match(cell) for cell in starter.split()]
    playing = {place for match in first for place in match}
    beside = [place for place in range(places) if place % half and place not in playing]
    matches = []
    for couple in range(half):
        for turn in (couple, couple + half):
            on_circle = [(team(a + turn), team(b + turn)) for a, b in first]
            with_last = [
                (last, team(place + turn))
                for last, place in zip((teams - 1, teams), beside, strict=True)
            ]
            matches.append(on_circle + with_last)
    for start in (0, 1):
        neighbours = range(start, places + start, 2)
        matches.append([(team(place), team(place + 1)) for place in neighbours])
    triangles = [
        _two_round_triangle(2 * couple + 1, (1, 2 * couple + 2, 2 * couple + 3))
        for couple in range(half + 1)
    ]
    return matches, triangles


def _teams_of_match(cell: str) -> tuple[int, int]:
    """Return both teams in a cell of a printed draw."""
    home, away = teams_of(cell)
    return home, away


def _two_round_triangle(first_round: int, teams: Sequence[int]) -> Triangle:
    """Return a three-way match that takes two rounds."""
    return Triangle((first_round, first_round + 1), cast(tuple[int, int, int], tuple(teams)))


def team_rings(teams: int, rounds: int | None = None) -> Movement:
    """Return a round robin in rings: 5 teams in two rings of five, or 9 teams in rings of three.

    Five teams (ACBL): in rounds 1 and 2 every team plays two others at once, in rounds 3 and 4 the other two. So two
    matches can be scored after round 2 and after round 4. N-S move once, for rounds 3 and 4, which may be played with
    the same deals. Nine teams: four times three triangles of two rounds each.

    Raises `WrongTables`, `WrongRounds`. Source: catalogue 4 (Wikipedia; ACBL).

    >>> [triangle.teams for triangle in team_rings(9).triangles[:3]]
    [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
    """
    if teams not in (5, 9):
        instead = ("team-round-robin",) if possible_rounds(teams) else ()
        raise WrongTables("team-rings", tables=teams, needs=RINGS.needs, instead=instead)
    rounds = teams - 1 if rounds is None else rounds
    require_allowed_rounds("team-rings", teams, rounds, (teams - 1,))
    return _five_in_rings() if teams == 5 else _nine_in_rings()


def _five_in_rings() -> Movement:
    """Return the movement for five teams in rings."""
    seatings = []
    for round, line in enumerate(read_table("team_rings")["five"]["rounds"], start=1):
        for table, cell in enumerate(line.split(), start=1):
            match, _, name = cell.partition(":")
            home, away = _teams_of_match(match)
            seatings.append(Seating(round, table, home, away, (name,)))
    return Movement(
        family="team-rings",
        contest=Contest.TEAMS,
        tables=5,
        rounds=4,
        fields=(team_field(5),),
        sets=set_names(5),
        seatings=tuple(seatings),
    )


def _nine_in_rings() -> Movement:
    """Return the movement for nine teams in rings."""
    rings = [
        _two_round_triangle(2 * index + 1, teams_of(cell))
        for index, line in enumerate(read_table("team_rings")["nine"]["rings"])
        for cell in line.split()
    ]
    return team_draw("team-rings", 9, [[]] * 8, rings)


FAMILY = Family(
    name="team-round-robin",
    title=marked_for_players("Round Robin"),
    build=team_round_robin,
    rounds=possible_rounds,
    smallest=4,
    largest=MOST_TEAMS,
    needs=marked("an even number of teams, or an odd one from 7"),
    contest=Contest.TEAMS,
    winners=1,
    options=(
        FamilyOption(
            "seating", "choice", marked("who is named first, with the seating rights"), SEATING
        ),
        FamilyOption("seed", "int", marked("the number that makes a random draw repeatable")),
    ),
    takes_missing_pair=False,
    source="QBA, J. Peach 2011; Wikipedia, Duplicate bridge movements; from 15 teams: BridgeBuddy",
    also_called=("all-play-all",),
)

RINGS = Family(
    name="team-rings",
    title=marked_for_players("Team Rings"),
    build=team_rings,
    rounds=lambda teams: (teams - 1,) if teams in (5, 9) else (),
    smallest=5,
    largest=9,
    needs=marked("5 or 9 teams"),
    contest=Contest.TEAMS,
    winners=1,
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements; ACBL",
)
