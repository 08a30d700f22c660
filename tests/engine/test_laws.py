"""The checker: each law is broken on purpose, and exactly that is found."""

from dataclasses import replace

import pytest

from movements.engine import catalogue, laws
from movements.engine.model import Exemption, Movement, Seating, Share, Stand


def with_seating(movement: Movement, round: int, table: int, **change) -> Movement:
    """Return the movement with one seating changed."""
    return replace(
        movement,
        seatings=tuple(
            replace(s, **change) if (s.round, s.table) == (round, table) else s
            for s in movement.seatings
        ),
    )


def broken_laws(movement: Movement) -> set[str]:
    return {violation.law for violation in laws.check(movement)}


@pytest.fixture
def mitchell():
    return catalogue.build("mitchell", 5)


def test_a_clean_movement_has_no_violations(mitchell):
    assert laws.check(mitchell) == ()


def test_two_places_at_once_are_found_with_both_tables(mitchell):
    broken = with_seating(mitchell, 1, 2, ns=1)

    found = [v for v in laws.check(broken) if v.law == "one-place"]

    assert [(v.round, v.contestants, v.tables) for v in found] == [(1, (1,), (1, 2))]


def test_a_set_played_twice_names_both_sides_and_rounds(mitchell):
    broken = with_seating(mitchell, 2, 1, sets=("A",))

    found = {v.contestants: v.rounds for v in laws.check(broken) if v.law == "board-once"}

    assert found == {(1,): (1, 2), (10,): (2, 4)}


def test_opponents_meeting_twice_are_found(mitchell):
    broken = with_seating(mitchell, 2, 1, ew=6)

    assert ((1, 6), (1, 2)) in [
        (v.contestants, v.rounds) for v in laws.check(broken) if v.law == "meet-once"
    ]


def test_an_exemption_covers_only_what_it_names():
    revenge = catalogue.build("skip-mitchell", 8, None, None, {"revenge": True})
    assert laws.check(revenge) == ()

    undeclared = replace(revenge, exemptions=())
    assert broken_laws(undeclared) == {"meet-once"}
    elsewhere = replace(revenge, exemptions=(Exemption("meet-once", 2, "no", rounds=(2, 8)),))
    assert broken_laws(elsewhere) == {"meet-once"}


def test_sharing_needs_to_be_declared():
    relay = catalogue.build("share-and-relay", 8)

    assert broken_laws(replace(relay, shared=())) == {"copies"}
    assert laws.check(replace(relay, shared=(), copies=2)) == ()
    assert broken_laws(replace(relay, shared=(Share(0, (2, 3)),))) == {"copies"}


def test_a_set_cannot_lie_on_a_stand_and_a_table(mitchell):
    assert broken_laws(replace(mitchell, stands=(Stand(1, 2, ("A",)),))) == {"stands"}


def test_unknown_contestants_and_those_who_never_play_are_found(mitchell):
    assert "field" in broken_laws(with_seating(mitchell, 1, 1, ns=77))
    never = replace(
        mitchell,
        seatings=tuple(replace(s, ns=None) if s.ns == 1 else s for s in mitchell.seatings),
    )
    assert [v.contestants for v in laws.check(never) if v.law == "field"] == [(1,)]


def test_missing_tables_and_rounds_are_found(mitchell):
    assert "structure" in broken_laws(replace(mitchell, seatings=mitchell.seatings[:-1]))
    assert "structure" in broken_laws(replace(mitchell, rounds=6))


def test_unequal_plays_are_a_warning_only():
    movement = catalogue.build("mitchell", 6, 3)
    uneven = with_seating(movement, 3, 6, ew=None)

    assert laws.errors(uneven) == ()
    assert {v.law for v in laws.check(uneven)} == {"unequal-plays"}


def test_all_violations_are_found_at_once(mitchell):
    broken = with_seating(with_seating(mitchell, 1, 2, ns=1), 4, 4, sets=("A",))

    assert {"one-place", "board-once", "copies"} <= broken_laws(broken)


def test_parts_of_a_round_at_different_times_are_no_conflict():
    halves = Movement(
        family="test",
        contest="pairs",
        tables=2,
        rounds=1,
        fields=catalogue.build("mitchell", 3).fields,
        sets=("A1", "A2", "B1", "B2"),
        seatings=(
            Seating(1, 1, 1, 4, ("A1",)),
            Seating(1, 1, 2, 4, ("A2",)),
            Seating(1, 2, 2, 5, ("B1",)),
            Seating(1, 2, 1, 5, ("B2",)),
        ),
    )

    assert not {"one-place", "board-once", "copies"} & broken_laws(halves)
    clash = replace(halves, seatings=(*halves.seatings[:2], Seating(1, 2, 2, 5, ("B1", "B2"))))
    assert "one-place" in broken_laws(clash)
