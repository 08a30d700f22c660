"""American Whist for teams: East-West move two tables, the boards one in the same direction."""

from __future__ import annotations

from movements.engine.contest import Contest
from movements.engine.errors import UnknownOption
from movements.engine.model import Movement
from movements.engine.translation_marks import marked, marked_for_players

from ..family import Family, FamilyOption
from ..grid import require_allowed_rounds
from .teams import need_teams, team_tables

DIRECTIONS = ("up", "down")


def team_awl(teams: int, rounds: int | None = None, direction: str = "up") -> Movement:
    """Return American Whist for teams, the American Whist League movement without its first round.

    North-South stay at home. Before the first round East-West move up two tables and the boards up one, and again
    after each round. No team plays the boards that started at its table, so they can be duplicated there. Each match
    is played in two rounds that are symmetric in the session, and ends in the second of them.

    Shortened by an even number of rounds, the first move is longer by that number, so that as many neighbours do not
    meet. An even number of teams can leave out the team opposite: up to half the teams by the same rule. Beyond,
    East-West make that longer move twice, and the second time the boards move far enough to return home on time.

    `direction` "down" is the mirror image (East-West down two, boards down one).

    Raises `TooFewTables`, `WrongRounds`, `UnknownOption`. Source: catalogue 2.6 and 4 (Wikipedia; QBA) for an odd
    number; for an even one the documents print no rule, and this one is ours.

    >>> team_awl(7, 4).at(round=1, table=1)
    Seating(round=1, table=1, ns=1, ew=4, sets=('G',))
    """
    need_teams("team-awl", teams, 3)
    allowed = possible_rounds(teams)
    rounds = allowed[-1] if rounds is None else rounds
    require_allowed_rounds("team-awl", teams, rounds, allowed)
    if direction not in DIRECTIONS:
        allowed_words = ", ".join(DIRECTIONS)
        raise UnknownOption("team-awl", option="direction", value=direction, allowed=allowed_words)
    offsets = _offsets_by_round(teams, rounds)
    sign = 1 if direction == "up" else -1
    return team_tables(
        "team-awl",
        teams,
        rounds,
        east_west=lambda r, t: (t - sign * offsets[r][0]) % teams,
        board_set=lambda r, t: (t - sign * offsets[r][1]) % teams,
    )


def possible_rounds(teams: int) -> range:
    """Return the legal numbers of rounds of American Whist for teams: even, and fewer than the teams."""
    return range(2, teams, 2)


def _offsets_by_round(teams: int, rounds: int) -> list[tuple[int, int]]:
    """Return how many tables E-W and the boards are away from home in each round.

    Two rounds make a match if E-W are equally far from home in opposite directions, and the boards have moved by that
    distance between them. In a run of rounds in which E-W move 2 and the boards 1, that holds for symmetric rounds.
    With an even number of teams E-W would return to their start after half the teams. So odd distances form one run,
    and the remaining ones are even distances, half before it and half after.
    """
    longer = teams + 1 - rounds
    odd_rounds = rounds if teams % 2 else min(rounds, 2 * (teams // 4))
    outer = (rounds - odd_rounds) // 2
    east_west = boards = 0
    offsets = []
    for round in range(1, rounds + 1):
        is_jump = outer > 0 and round in (outer + 1, rounds - outer + 1)
        is_first_move = outer == 0 and round == 1
        east_west += longer if is_jump or is_first_move else 2
        boards += teams - rounds if is_jump and round > outer + 1 else 1
        offsets.append((east_west, boards))
    return offsets


FAMILY = Family(
    name="team-awl",
    title=marked_for_players("American Whist"),
    build=team_awl,
    rounds=possible_rounds,
    smallest=3,
    needs=marked("at least three teams and an even number of rounds"),
    contest=Contest.TEAMS,
    winners=1,
    options=(
        FamilyOption(
            "direction", "choice", marked("which way E-W and the boards move"), DIRECTIONS
        ),
    ),
    takes_missing_pair=False,
    source="Wikipedia, Duplicate bridge movements; QBA, J. Peach 2011; even numbers: BridgeBuddy",
    also_called=("American Whist League", "AWL", "Board-a-Match"),
)
