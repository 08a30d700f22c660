"""All rounds to come made anew by search."""

from collections import Counter

import pytest

from movements.engine import catalogue, laws
from movements.engine.changes import (
    LengthChanges,
    PairArrives,
    PairLeaves,
    PlayedOtherBoards,
    Rebuild,
    SatInEachOthersPlace,
)
from movements.engine.declarations import Exemption, Share

from .changing import found, kinds, shown, waits

EFFORT = 0.4


def turns(movement):
    """Return the numbers of sit-outs of all contestants who stay to the end."""
    times = Counter(label for names in waits(movement) for label in names)
    gone = movement.absent(movement.rounds)
    return [times[movement.label(n)] for n in movement.contestants if n not in gone]


@pytest.mark.parametrize(
    ("family", "tables", "fixed", "leaving"),
    [
        ("howell", 4, 2, (1, 4)),
        ("howell", 5, 2, (1, 10)),
        ("howell", 6, 3, (2, 7)),
        ("mitchell", 7, 2, (3, 10)),
        ("mitchell", 9, 3, (4, 18)),
        ("skip-mitchell", 8, 2, (3, 9)),
    ],
)
def test_when_two_pairs_leave_nobody_sits_out_twice_before_everybody_has_once(
    family, tables, fixed, leaving
):
    by_rule = catalogue.build_movement(family, tables)
    for contestant in leaving:
        by_rule = found(by_rule, fixed, PairLeaves(contestant))[0].movement

    [rebuilt] = found((family, tables), fixed, Rebuild(EFFORT, leaves=leaving))

    assert max(turns(rebuilt.movement)) - min(turns(rebuilt.movement)) <= 1
    assert sum(turns(rebuilt.movement)) <= sum(turns(by_rule))
    assert (
        shown(rebuilt.movement)[:fixed] == shown(catalogue.build_movement(family, tables))[:fixed]
    )
    assert laws.find_errors(rebuilt.movement) == ()


def test_who_has_sat_out_already_is_not_the_first_to_sit_out_again():
    movement = found(("howell", 5), 1, PairLeaves(3))[0].movement
    waited = {label for names in waits(movement)[1:4] for label in names}

    [rebuilt] = found(movement, 4, Rebuild(EFFORT))

    later = [label for names in waits(rebuilt.movement)[4:] for label in names]
    assert len(waited) == 3
    assert waited.isdisjoint(later)
    assert len(set(later)) == len(later) == 5


def test_who_sat_out_before_it_was_made_anew_is_counted_too():
    gone = found(("mitchell", 7, 4), 1, PairLeaves(1))[0].movement
    by_rule = found(gone, 2, PairLeaves(2))[0].movement

    [rebuilt] = found(gone, 2, Rebuild(EFFORT, leaves=(2,)))

    assert max(turns(by_rule)) == 2  # two pairs twice
    assert (max(turns(rebuilt.movement)), sum(turns(rebuilt.movement))) == (1, 5)


def test_with_two_winners_everybody_keeps_their_line_and_who_stays_their_table():
    whole = catalogue.build_movement("mitchell", 7, 4)

    [rebuilt] = found(whole, 1, Rebuild(EFFORT, leaves=(3, 10)))

    met = [(s.ns, s.ew) for s in rebuilt.movement.seatings if s.is_played]
    assert not set(met) <= {(s.ns, s.ew) for s in whole.seatings}
    assert {(ns <= 7, ew > 7) for ns, ew in met} == {(True, True)}
    assert [s.table for s in rebuilt.movement.seatings if s.is_played] == [ns for ns, _ in met]


def test_with_two_winners_two_who_were_to_sit_out_meet_in_their_lines():
    gone = found(("mitchell", 5), 1, Rebuild(EFFORT, leaves=(1, 2)))[0].movement

    found_for_both = found(gone, 2, Rebuild(EFFORT, arrives=True))

    assert sorted(item.newcomer for item in found_for_both) == [6, 11]
    for proposal in found_for_both:
        last_ns = 6 if proposal.newcomer == 6 else 5
        met = [(s.ns, s.ew) for s in proposal.movement.seatings if s.is_played]
        assert {(ns <= last_ns, ew > last_ns) for ns, ew in met} == {(True, True)}


@pytest.mark.parametrize(("most", "is_near", "played"), [(300, False, 7), (299, True, 6)])
def test_where_too_much_would_be_possible_sets_stay_near_where_they_were_planned(
    most, is_near, played, monkeypatch
):
    monkeypatch.setattr("movements.engine.changes.repairs.rebuild.MOST_MEETINGS", most)
    whole = catalogue.build_movement("partial-howell", 4, 5)
    planned = {(n, s.round, s.sets) for s in whole.seatings for n in s.contestants}

    # 20 couples who have not met, 5 sets and 3 rounds: 300 meetings are possible
    [rebuilt] = found(whole, 2, Rebuild(EFFORT, leaves=(1, 3)))

    later = [s for s in rebuilt.movement.seatings if s.round > 2 and s.is_played]
    near = [s for s in later if any((n, s.round, s.sets) in planned for n in s.contestants)]
    assert len(later) == played
    assert (len(near) == len(later)) is is_near


def test_a_late_pair_joins_a_howell_in_which_no_rule_helps():
    movement = catalogue.build_movement("howell", 4)

    [rebuilt] = found(movement, 3, Rebuild(EFFORT, arrives=True))

    assert rebuilt.newcomer == 9
    assert max(turns(rebuilt.movement)) == 1
    assert sum(s.is_played for s in rebuilt.movement.seatings_of(9)) >= 3


def test_with_two_winners_a_late_pair_may_join_either_line():
    rebuilt = found(("mitchell", 5), 2, Rebuild(EFFORT, arrives=True))

    assert sorted(proposal.movement.label(proposal.newcomer) for proposal in rebuilt) == [
        "EW 6",
        "NS 6",
    ]
    assert [len(item.consequences.sit_outs) for item in rebuilt] == [3, 3]


@pytest.mark.parametrize(
    ("family", "tables", "fixed", "mistake"),
    [
        ("howell", 5, 2, SatInEachOthersPlace(2, 1, 4)),
        ("mitchell", 7, 3, SatInEachOthersPlace(3, 8, 10)),
        ("mitchell", 7, 3, PlayedOtherBoards(3, 1, 2)),
    ],
)
def test_after_a_mistake_the_rest_made_anew_is_no_worse_than_the_repair(
    family, tables, fixed, mistake
):
    by_rule = found((family, tables), fixed, mistake)[0]

    searched = found((family, tables), fixed, Rebuild(EFFORT, happened=mistake))
    [rebuilt] = [way for way in searched if way.kind == "rebuilt"]

    # the search hides no better way: those of the rules stand beside it, the fewest empty tables first
    assert by_rule in searched
    assert searched == sorted(searched, key=lambda way: len(way.consequences.sit_outs))
    assert rebuilt.from_round == mistake.round
    assert shown(rebuilt.movement)[:fixed] == shown(by_rule.movement)[:fixed]
    assert sum(turns(rebuilt.movement)) <= sum(turns(by_rule.movement))
    assert rebuilt.consequences.repeats == by_rule.consequences.repeats


def test_a_table_is_added_where_two_pairs_have_joined_a_full_howell():
    nine = found(("howell", 4), 2, Rebuild(EFFORT, arrives=True))[0].movement

    [rebuilt] = found(nine, 3, Rebuild(EFFORT, arrives=True))

    ten = rebuilt.movement
    assert (rebuilt.newcomer, ten.tables, laws.find_errors(ten)) == (10, 5, ())
    assert shown(ten)[:3] == shown(nine)[:3]
    assert max(sum(s.is_played for s in ten.in_round(round)) for round in (4, 5, 6, 7)) == 5
    assert Exemption("tables", 4, "a table was added", (), rounds=(1, 2, 3)) in ten.exemptions


def test_a_table_that_is_there_from_the_first_round_on_is_no_exception():
    short = found(("howell", 3), 0, LengthChanges(3))[0].movement
    seven = found(short, 0, Rebuild(EFFORT, arrives=True))[0].movement

    [rebuilt] = found(seven, 0, Rebuild(EFFORT, arrives=True))

    eight = rebuilt.movement
    assert (eight.tables, eight.exemptions, sum(s.is_played for s in eight.seatings)) == (4, (), 12)


def test_tables_have_shared_only_in_rounds_that_are_over():
    whole = catalogue.build_movement("share-and-relay", 6)

    [twice] = found(whole, 2, Rebuild(EFFORT, leaves=(6,)))
    [thrice] = found(twice.movement, 3, Rebuild(EFFORT, leaves=(5,)))

    shared = (Share(1, (1, 6)), Share(2, (1, 6)))
    assert [proposal.movement.shared for proposal in (twice, thrice)] == [shared, shared]


@pytest.mark.parametrize(("fixed", "is_over"), [(1, False), (2, False), (3, True), (4, True)])
def test_what_two_tables_share_in_one_round_is_theirs_if_it_is_over(fixed, is_over):
    whole = catalogue.build_movement("bowman", 7)

    for proposal in found(whole, fixed, Rebuild(EFFORT, leaves=(2,))):
        assert proposal.movement.shared == (whole.shared if is_over else ())


def test_nothing_is_made_anew_after_a_mistake_that_cannot_have_happened():
    assert kinds(("howell", 5), 2, Rebuild(EFFORT, happened=SatInEachOthersPlace(2, 1, 1))) == []


def test_without_time_to_search_what_the_rules_give_is_given():
    rover = found(("mitchell", 11), 2, PairArrives(), "rover")

    rebuilt = found(("mitchell", 11), 2, Rebuild(0.001, arrives=True))

    assert {tuple(turns(proposal.movement)) for proposal in rebuilt} == {
        tuple(turns(proposal.movement)) for proposal in rover
    }


def test_nothing_needs_to_change_when_nothing_has_happened():
    [rebuilt] = found(("howell", 4), 3, Rebuild(EFFORT))

    as_planned = catalogue.build_movement("howell", 4)
    assert shown(rebuilt.movement) == shown(as_planned)
    assert set(rebuilt.movement.stands) == set(as_planned.stands)


def test_the_same_search_finds_the_same():
    change = Rebuild(EFFORT, leaves=(1, 4))

    first, again = (found(("howell", 5), 2, change) for _ in range(2))

    assert [proposal.movement for proposal in first] == [proposal.movement for proposal in again]


@pytest.mark.parametrize(
    ("movement", "fixed"), [(("howell", 4), 7), (("individual", 2), 1), (("swiss", 6, 3), 1)]
)
def test_there_is_nothing_to_make_anew_after_the_end_or_without_pairs(movement, fixed):
    assert kinds(movement, fixed, Rebuild(EFFORT)) == []
