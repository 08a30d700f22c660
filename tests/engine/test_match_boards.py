"""Teams' matches with duplicated boards: no deal is met twice, and the announced boards suffice."""

from collections import defaultdict
from dataclasses import replace
from random import Random

import pytest

from movements.engine import catalogue
from movements.engine.boards import MatchBoards, movement_boards
from movements.engine.declarations import Triangle
from movements.engine.drawing import draws, knockouts, open_rounds
from movements.engine.plays import plays_of

TEAMS = range(3, 21)


def swiss(teams, odd, rng):
    """Return a Swiss to its end, or until all teams have met, with random rankings."""
    rounds = teams // 2 // 2 * 2
    movement = catalogue.build_movement("swiss", teams, rounds, None, {"odd": odd})
    while movement.open_rounds:
        here = open_rounds.contestants_to_draw(movement)
        ranking = rng.sample(here, len(here))
        met, spared = (
            open_rounds.drawn_meetings(movement),
            open_rounds.contestants_without_further_bye(movement),
        )
        drawn = draws.swiss_draw(ranking, odd=odd, meetings=met, exempt=spared)
        movement = open_rounds.apply_draw(movement, drawn, is_long=odd == "long-triangle")
    return movement


def knock_out(teams, compact, rng):
    """A knock-out to its end, its winners out of a hat."""
    movement = catalogue.build_movement("knockout", teams, None, None, {"compact": compact})
    still_in = list(movement.contestants)
    while movement.open_rounds:
        met = open_rounds.drawn_meetings(movement)
        through, matches = [], []
        for bracket in knockouts.knockout_brackets(movement.contestants):
            mine = [contestant for contestant in still_in if contestant in bracket]
            if len(mine) > 1:
                last = knockouts.drawn_round_matches(mine, _matches(movement, still_in))
                on = [t for m in last for t in rng.sample(m.teams, m.go_on)]
                through += on
                if len(on) > 1:
                    matches += knockouts.knockout_round(on, meetings=met)
                out = [item for item in bracket if item not in on]
                matches += knockouts.consolation_matches(out, meetings=met) if compact else ()
        still_in = through
        movement = open_rounds.apply_draw(
            movement, _whole(movement, matches, compact), is_repeated=compact
        )
    return movement


def _matches(movement, teams):
    last = movement.open_rounds[0] - 1
    found = [s.contestants for s in movement.in_round(last) if s.is_played]
    found += [t.teams for t in movement.triangles if last in t.rounds]
    return [contestants for contestants in found if set(contestants) <= set(teams)]


def _whole(movement, matches, compact):
    drawn = knockouts.knockout_draw(matches)
    alone = [
        contestant for contestant in movement.contestants if contestant not in drawn.contestants
    ]
    return replace(drawn, bye=alone[0]) if compact and alone else drawn


def contests():
    rng = Random(7)
    for teams in TEAMS:
        if teams == 4 or teams > 5:
            yield (
                f"round robin of {teams}",
                lambda n=teams: catalogue.build_movement("team-round-robin", n),
            )
        if teams < 4:
            continue
        for odd in ("triangle", "long-triangle", "bye"):
            if teams % 2 or odd == "bye":
                yield f"swiss of {teams}, {odd}", lambda n=teams, o=odd: swiss(n, o, rng)
        for compact in (False, True):
            yield (
                f"knock-out of {teams}, {compact}",
                lambda n=teams, c=compact: knock_out(n, c, rng),
            )


CONTESTS = dict(contests())


@pytest.mark.parametrize("name", CONTESTS)
def test_nobody_meets_a_deal_twice_and_the_boards_suffice(name):
    movement = CONTESTS[name]()
    for each, goes_on, first in ((6, True, 1), (7, True, 9), (8, False, 1)):
        boards = MatchBoards.from_choice(each, movement.rounds, first_board=first, goes_on=goes_on)
        rounds, others = boards.needed(movement)
        seen = set()
        tables = defaultdict(set)
        for round in range(1, movement.rounds + 1):
            for play in plays_of(movement, round, {}, boards):
                dealt = 0 if goes_on else dealt_in(movement, play)
                for pair in ((play.ns, "at home"), (play.ew, "away")):
                    assert (pair, dealt, play.board) not in seen, f"{pair} has {play} twice"
                    seen.add((pair, dealt, play.board))
                assert play.board in rounds or play.board in others
                tables[frozenset((play.ns, play.ew)), dealt, play.board].add(play.ns)
        assert all(len(homes) == 2 for homes in tables.values())  # once at either table
        assert not set(rounds) & set(others)


def dealt_in(movement, play):
    """The round for which a board was dealt: of a long triangle its first."""
    two = {play.ns, play.ew}
    three = [t for t in movement.triangles if two <= {*t.teams} and play.round in t.rounds]
    return three[0].rounds[0] if three else play.round


def test_shuffled_boards_are_as_many_sets_of_the_same_numbers():
    triangle = Triangle((1,), (7, 8, 9))

    assert MatchBoards(6).boards_in_triangle([triangle], triangle) == (range(1, 4),) * 3


def test_a_second_triangle_takes_other_boards_only_where_it_has_a_team_of_the_first():
    boards = MatchBoards.from_choice(6, 4)
    first, other, again = (
        Triangle((n,), t) for n, t in ((1, (1, 2, 3)), (2, (4, 5, 6)), (3, (3, 4, 9)))
    )
    triangles = [first, other, again]

    thirds = [boards.boards_in_triangle(triangles, triangle)[2] for triangle in triangles]

    assert thirds == [range(25, 28), range(25, 28), range(28, 31)]


def test_fewer_boards_than_planned_move_no_number_that_is_still_to_be_played():
    planned = MatchBoards.from_choice(7, 4)

    assert replace(planned, each=5).in_round(3) == range(15, 20)


WITH_SETS = (
    "head-to-head",
    "triangle",
    "team-awl",
    "new-england-relay",
    "mitchell-teams",
    "team-rings",
)
MOVEMENTS = [
    (name, teams)
    for name in WITH_SETS
    for teams in range(2, 21)
    if catalogue.find_family(name).possible_rounds(teams)
]


@pytest.mark.parametrize(("name", "teams"), MOVEMENTS)
def test_in_a_movement_of_teams_nobody_meets_a_deal_twice_and_each_is_played_at_two_tables(
    name, teams
):
    movement = catalogue.build_movement(name, teams)
    numbers = movement_boards(movement, per_round=3)
    seen, homes = set(), defaultdict(set)
    for round in range(1, movement.rounds + 1):
        for play in plays_of(movement, round, numbers, MatchBoards.from_choice(3, movement.rounds)):
            if not play.is_played:
                continue
            for pair in ((play.ns, "at home"), (play.ew, "away")):
                assert (pair, play.board) not in seen, f"{pair} has {play} twice"
                seen.add((pair, play.board))
            homes[frozenset((play.ns, play.ew)), play.board].add(play.ns)

    assert seen
    if movement.rounds == catalogue.find_family(name).possible_rounds(teams)[-1]:
        assert all(len(found) == 2 for found in homes.values())
