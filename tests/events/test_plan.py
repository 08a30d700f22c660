"""The plan of an evening: the next place of each contestant and board."""

import pytest

from bridgebuddy.events.queries.plan.differences import PlanDifferences
from bridgebuddy.events.queries.plan.evening_plan import SectionPlan
from bridgebuddy.events.queries.sessions.sections import section_by_code
from movements.engine.model import Field, Movement, Seating
from tests.factories import section_with
from tests.printing.conftest import section_playing

pytestmark = pytest.mark.django_db


def in_parts() -> Movement:
    """Two tables, two rounds: in the second one both lines meet both opponents, in two parts."""
    return Movement(
        family="own",
        contest="pairs",
        tables=2,
        rounds=2,
        fields=(Field("pairs", ("1", "2", "3", "4")),),
        sets=("A", "B", "C"),
        seatings=(
            Seating(1, 1, 1, 2, ("A",)),
            Seating(1, 2, 3, 4, ("A",)),
            Seating(2, 1, 1, 4, ("B",)),
            Seating(2, 1, 1, 3, ("C",)),
            Seating(2, 2, 2, 3, ("B",)),
            Seating(2, 2, 2, 4, ("C",)),
        ),
        copies=2,
    )


def test_what_somebody_does_after_a_round_is_said_of_everybody(club, alice):
    section = section_with(15, "skip-mitchell", round=1, club=club, by=alice)

    moves = {move.contestant.label: move for move in SectionPlan.of(section).moves_after(1)}

    assert [label for label, move in moves.items() if move.stays_in_seat] == [
        f"NS {n}" for n in range(2, 8)
    ]
    assert [label for label, move in moves.items() if move.sits_out] == ["NS 1"]
    assert [label for label, move in moves.items() if move.comes_back] == ["NS 8"]
    assert [moves[f"EW {n}"].after.table for n in range(1, 8)] == [2, 3, 4, 5, 6, 7, 8]


def test_of_a_round_in_parts_people_leave_the_last_and_go_to_the_first(club):
    plan = SectionPlan.of(section_playing(club, in_parts(), 2))

    moves = {move.contestant.label: move.after.table for move in plan.moves_after(1)}
    begin, (first_half, second_half, *_) = plan.evening.games[1][1], plan.evening.games[2]

    assert moves == {"1": 1, "2": 2, "3": 2, "4": 1}
    assert plan.next_seat(4, begin).table == 1
    assert plan.next_seat(4, first_half).place == (2, "ew")
    assert plan.next_seat(3, second_half) is None


def test_boards_go_down_a_table_and_wait_where_there_is_a_stand(club, alice):
    section = section_with(16, "share-and-relay", round=1, club=club, by=alice)
    plan = SectionPlan.of(section)

    moves = [plan.boards_after(game)[0] for game in plan.evening.games[1]]

    assert [(move.kind, move.tables) for move in moves[1:4]] == [
        ("tables", (1, 8)),
        ("tables", (2,)),
        ("tables", (3,)),
    ]
    assert [stand.after_table for stand in plan.stands(1)] == [4]
    waiting = [move.tables for move in moves if move.kind == "stand"]
    assert waiting == [(4,)]


def test_a_plan_by_which_people_move_is_the_same_one_where_nothing_is_turned(skip_section):
    plan = SectionPlan.of(skip_section)

    assert plan.plan_of_moves is plan


@pytest.mark.parametrize("pairs", [6, 60])
def test_a_plan_and_the_one_before_cost_as_many_queries_for_few_tables_as_for_many(
    pairs, django_assert_num_queries
):
    section = section_with(pairs, "mitchell" if pairs == 6 else "skip-mitchell", round=1)
    section = section_by_code(section.code)

    with django_assert_num_queries(6):  # entries, people, plays, rows, versions, the older rows
        plan = SectionPlan.of(section)
        older = plan.plan_in_version(plan.versions[0])
        assert PlanDifferences(older, plan).tables == ()
