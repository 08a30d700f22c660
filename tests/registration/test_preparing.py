"""The movement to prepare for a number of pairs: the evening's own, the chart's if the club can play it, or the usual
one.
"""

import pytest

from bridgebuddy.planning.rules.chart import ChartLine, MovementChoice, build_movement, usual_line
from bridgebuddy.planning.rules.preparing import StartInput, choice_for
from movements.engine.adviser import Wishes

HOWELL, SHORT = MovementChoice("howell", 4, 7, 4), MovementChoice("mitchell", 5, 5, 5)
MITCHELL = MovementChoice("skip-mitchell", 4, 3, 8)
WEB = MovementChoice("web", 6, 5, 5)  # needs two sets of boards
TWELVE = MovementChoice("howell", 6, 11, 2)
WISHES = Wishes(8)


def chart(choice, *others, pairs=8):
    return (ChartLine(pairs, choice, others=others),)


@pytest.mark.parametrize(
    ("tonight", "pairs", "plays"),
    [
        # what was chosen for whom is on the list, if it can be played
        (StartInput(WISHES, chart(MITCHELL), chosen=HOWELL, chosen_for=8), 8, HOWELL),
        (StartInput(WISHES, chart(MITCHELL), chosen=HOWELL, chosen_for=10), 8, MITCHELL),
        (StartInput(WISHES, chart(MITCHELL), chosen=SHORT, chosen_for=8), 8, MITCHELL),
        # the chart's, and of its line the first that the club has tables and boards for
        (StartInput(WISHES, chart(WEB, TWELVE, pairs=12), copies=2), 12, WEB),
        (StartInput(WISHES, chart(WEB, TWELVE, pairs=12), copies=1), 12, TWELVE),
        (StartInput(WISHES, chart(WEB, TWELVE, pairs=12)), 12, WEB),
        (StartInput(WISHES, chart(WEB, TWELVE, pairs=12), tables=6, copies=1), 12, TWELVE),
        (StartInput(WISHES, chart(WEB, TWELVE, pairs=12), tables=5), 12, WEB),
        # else what clubs start with, where it answers what is wished
        (StartInput(WISHES), 8, usual_line(8).choice),
        (StartInput(WISHES, chart(TWELVE, pairs=12)), 8, usual_line(8).choice),
    ],
)
def test_what_is_prepared(tonight, pairs, plays):
    assert choice_for(tonight, pairs) == plays


def boards_of(choice):
    return choice.rounds * choice.boards


@pytest.mark.parametrize(("fewest", "most"), [(12, 18), (30, 36)])
def test_another_number_of_boards_is_advised(fewest, most):
    choice = choice_for(StartInput(Wishes(8, fewest_boards=fewest, most_boards=most)), 8)

    assert fewest <= boards_of(choice) <= most
    assert build_movement(8, choice).tables == choice.tables == 4


@pytest.mark.parametrize("bound", ["fewest", "most"])
def test_just_as_many_boards_as_the_usual_ones_are_usual(bound):
    usual = usual_line(10).choice
    wishes = Wishes(10, **{f"{bound}_boards": boards_of(usual)})

    assert choice_for(StartInput(wishes), 10) == usual


def test_where_somebody_must_stay_seated_the_usual_one_is_not_taken_unseen():
    # in a Howell for fourteen one pair sits: two must
    choice = choice_for(StartInput(Wishes(14, stationary=2)), 14)

    assert choice
    assert len(build_movement(14, choice).stationary) >= 2


def test_the_line_that_sits_out_is_the_one_that_is_wished():
    assert {
        wished: choice_for(StartInput(Wishes(15, missing_line=wished)), 15).missing
        for wished in ("ns", "ew")
    } == {"ns": "ns", "ew": "ew"}


def test_with_too_few_tables_the_advised_one_needs_no_more_or_is_the_best_all_the_same():
    wishes = Wishes(9, fewest_boards=12, most_boards=18)
    best = choice_for(StartInput(wishes), 9)

    assert choice_for(StartInput(wishes, tables=best.tables), 9) == best
    assert choice_for(StartInput(wishes, tables=1), 9) == best


def test_for_more_than_anybody_knows_nothing_is_prepared():
    assert choice_for(StartInput(Wishes(2)), 2) is None


def test_what_decides_for_so_many_is_no_more_than_that():
    whole = StartInput(
        WISHES, chart(MITCHELL) + chart(WEB, pairs=12), 9, 2, chosen=HOWELL, chosen_for=8
    )

    assert whole.for_pairs(8) == StartInput(WISHES, chart(MITCHELL), 9, 2, HOWELL, 8)
    assert whole.for_pairs(12) == StartInput(Wishes(12), chart(WEB, pairs=12), 9, 2)
    assert whole.for_pairs(9) == StartInput(Wishes(9), (), 9, 2)
    assert StartInput(WISHES, chosen_for=8).for_pairs(8) == StartInput(WISHES)
