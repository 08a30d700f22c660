"""Two Swisses from the first card to the last list, worked out a second time without asking the product.

A board's result depends only on its players. The second implementation has its own draws (it tries all),
its own matches, victory points and standings, and predicts the meetings.
"""

from itertools import combinations
from random import Random

import pytest

from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import set_scoring_profile
from bridgebuddy.scoring.services.results import EnteredResult, enter_results
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from tests.factories import director_of
from tests.proofs.contests_recount import Contest, PlayedRow

from .test_drawing import all_matchings, publish, start_next_round, swiss

pytestmark = pytest.mark.django_db
BOARDS, SEED = 4, 0
SCORES = (-500, -200, -170, -140, -110, -100, 90, 100, 110, 120, 140, 170, 200, 500)


def score_of(board, ns, ew):
    """Return a table's score of a board, in a contest without equal standings."""
    return Random(f"{SEED} {board} {ns} {ew}").choice(SCORES)


class Second:
    """The Swiss as it must come out: rows of those who were drawn by trying everything."""

    def __init__(self, many, method):
        self.many, self.method = many, method
        self.is_teams = method == "team-imps"
        self.rows, self.met, self.spared, self.drawn = [], set(), set(), []

    def contest(self):
        return Contest(
            self.rows,
            range(1, self.many + 1),
            self.method,
            is_teams=self.is_teams,
            is_round_robin=False,
            are_triangles_long=False,
            last_round=9,
        )

    def order(self):
        """Return the order by points; no two are equal by construction."""
        totals = self.contest().totals(len(self.drawn))
        assert not self.drawn or len(set(totals.values())) == self.many
        return sorted(totals, key=lambda total: (-totals[total], total))

    def play(self):
        """Draw a round, and let it be played."""
        order = self.order()
        three = self.three(order) if self.many % 2 else ()
        rest = [item for item in order if item not in three]
        half = len(rest) // 2
        slide = list(zip(rest[:half], rest[half:], strict=True))
        matches = self.closest(rest) if self.drawn else slide
        round = len(self.drawn) + 1
        first = 1 if self.is_teams else (round - 1) * BOARDS + 1
        numbers = range(first, first + BOARDS)
        self.drawn.append(({frozenset(two) for two in matches}, frozenset(three)))
        for element, other in matches:
            self._sit(round, element, other, numbers)
        for value, other in combinations(three, 2):
            self._sit(round, value, other, numbers[: BOARDS // 2])
        self.spared |= set(three)

    def _sit(self, round, one, other, boards):
        self.met.add(frozenset((one, other)))
        ns, ew = (other, one) if self.north(other) < self.north(one) else (one, other)
        for board in boards:
            self.rows.append(PlayedRow(round, 0, board, ns, ew, score_of(board, ns, ew)))
            if self.is_teams:
                self.rows.append(PlayedRow(round, 0, board, ew, ns, score_of(board, ew, ns)))

    def north(self, team):
        """Return how much more often a contestant sat N-S, and when last: the smaller value sits there."""
        rounds = {row.round for row in self.rows if team in row.couple}
        there = {row.round for row in self.rows if team == row.ns}
        return 2 * len(there) - len(rounds), max(there, default=0)

    def three(self, order):
        """The lowest three who have not met and had no triangle, so that the others can be drawn."""
        ways = []
        for places in combinations(range(len(order)), 3):
            group = [order[place] for place in places]
            rest = [item for item in order if item not in group]
            is_fresh = not any(frozenset(two) in self.met for two in combinations(group, 2))
            if is_fresh and any(self.is_lawful(way) for way in all_matchings(rest)):
                best, second, last = places
                ways.append((len(self.spared & {*group}), -best, -last, -second, tuple(group)))
        return min(ways)[-1]

    def is_lawful(self, matching):
        return not any(frozenset(two) in self.met for two in matching)

    def closest(self, order):
        place = {item: index for index, item in enumerate(order)}

        def cost(matching):
            gaps = [(place[a], place[b] - place[a]) for a, b in matching]
            return sum(d * d for _, d in gaps), sum((len(order) - a) * d for a, d in gaps)

        lawful = sorted(filter(self.is_lawful, all_matchings(order)), key=cost)
        assert len(lawful) == 1 or cost(lawful[0]) < cost(lawful[1])
        return lawful[0]


def enter_round(section):
    """Enter the results of the present round."""
    plays = section.plays.filter(round=section.round, taken_back_at=None)
    entered = [
        EnteredResult(
            play.pk, {"score": score_of(play.board, play.ns.contestant, play.ew.contestant)}
        )
        for play in plays.select_related("ns", "ew")
    ]
    enter_results(section, entered, by=None)
    section.refresh_from_db()


def drawn_in(section, round):
    movement = section.movement.movement
    matches = {frozenset(s.contestants) for s in movement.in_round(round) if s.is_played}
    threes = [frozenset(t.teams) for t in movement.triangles if round in t.rounds]
    return matches, threes[0] if threes else frozenset()


@pytest.mark.parametrize(("many", "method", "rounds"), [(12, "cross-imps", 5), (7, "team-imps", 3)])
def test_a_constructed_swiss_comes_out_as_the_second_implementation_says(many, method, rounds):
    second = Second(many, method)
    is_teams = method == "team-imps"
    options = {"contest": "teams", "odd": "triangle"} if is_teams else {}
    section = swiss(many, rounds=rounds, boards_per_round=BOARDS, **options)
    by = director_of(section.club)
    set_scoring_profile(
        section, {"vp": "wbf-continuous"} if is_teams else {"method": method}, by=by
    )
    for round in range(1, rounds + 1):
        if round > 1:
            publish(section, by)
            start_next_round(section, after=round - 1, by=by)
            section.refresh_from_db()
        second.play()
        assert drawn_in(section, round) == second.drawn[-1]
        enter_round(section)

        told = ScoredSession(SessionSnapshot(section)).results.last_standings
        totals = second.contest().totals(round)
        assert {int(row.contestant): row.total for row in told} == {
            team: pytest.approx(float(total), abs=0.005) for team, total in totals.items()
        }
        assert [int(row.contestant) for row in told] == second.order()
