"""The checker: each law is broken on purpose at its smallest, and exactly that is found."""

from dataclasses import replace

import pytest

from movements.engine import catalogue, laws
from movements.engine.declarations import Exemption
from movements.engine.files.document import MovementDocument, movement_dict
from movements.engine.laws import Violation
from movements.engine.model import Field, Movement, Seating
from tests.engine.written import absent, evening, numbered
from tests.proofs import recount


def check(*rounds: str, **facts) -> tuple[Violation, ...]:
    return laws.find_violations(evening(*rounds, **facts))


def late(*rounds: int) -> Exemption:
    """Rounds that are drawn when results are in."""
    return Exemption("structure", 0, "drawn when results are in", rounds=rounds)


def with_seating(movement: Movement, round: int, table: int, **change) -> Movement:
    """Return the movement with one seating changed."""
    return replace(
        movement,
        seatings=tuple(
            replace(s, **change) if (s.round, s.table) == (round, table) else s
            for s in movement.seatings
        ),
    )


# ── all laws together ──


@pytest.mark.parametrize("name", ["mitchell", "howell", "individual", "swiss", "team-awl"])
def test_a_movement_of_the_catalogue_has_no_violations(name):
    assert laws.find_violations(catalogue.build_movement(name, 7)) == ()


def test_all_violations_are_found_at_once():
    errors = check("1-2:A 1-3:A 4-5:B", "1-2:A 3-4:B 0-5:C", sets=("A", "B", "C", "D"))

    assert errors == (
        Violation("one-place", 1, 1, (1,), tables=(1, 2)),
        Violation("board-once", 1, 2, (1,), ("A",), rounds=(1, 1, 2), tables=(1, 2, 1)),
        Violation("board-once", 2, 1, (2,), ("A",), rounds=(1, 2), tables=(1, 1)),
        Violation("board-once", 2, 2, (4,), ("B",), rounds=(1, 2), tables=(3, 2)),
        Violation("copies", 1, sets=("A",), tables=(1, 2)),
        Violation("meet-once", 2, 1, (1, 2), rounds=(1, 2), tables=(1, 1)),
        Violation("unequal-plays", sets=("B", "C", "D"), severity="warning"),
    )


def test_warnings_come_last_and_forbid_nothing():
    movement = evening("1-2:A 3-4:B", "1-3:C 2-4:D", "1-4:E 2-3:E", sets=tuple("ABCDEF"))

    assert [v.severity for v in laws.find_violations(movement)] == ["error", "warning"]
    assert laws.find_errors(movement) == (Violation("copies", 3, sets=("E",), tables=(1, 2)),)


# ── structure ──


@pytest.mark.parametrize("round", [0, 2, 3])
def test_rounds_count_from_1_to_the_last(round):
    movement = evening("1-2:A 3-4:B")
    outside = (Seating(round, 1, 5, 6, ("C",)), Seating(round, 2, 7, 8, ("C",)))

    errors = laws.find_errors(
        replace(
            movement,
            fields=(numbered(8),),
            sets=("A", "B", "C"),
            seatings=(*movement.seatings, *outside),
        )
    )

    # and of the copies in a round that does not exist nothing is said
    assert errors == (Violation("structure", round, 1), Violation("structure", round, 2))


@pytest.mark.parametrize("cell", ["0=3-4:B", "3=3-4:B", "77=3-4:B"])
def test_tables_count_from_1_to_the_last(cell):
    assert check(f"1-2:A {cell}") == (Violation("structure", 1, int(cell.split("=")[0])),)


def test_tables_of_teams_may_have_the_numbers_of_their_matches():
    match = ("1-2:A 7=2-1:A",)

    assert check(*match, contest="teams", copies=2) == ()
    assert check("1-2:A 0=2-1:A", contest="teams", copies=2) == (Violation("structure", 1, 0),)


def test_a_round_has_as_many_tables_as_the_movement():
    assert check("1-2:A 3-4:B", "1-3:C 2-4:D") == ()
    assert check("1-2:A 3-4:B", "1-3:C 2-4:D", tables=3) == (
        Violation("structure", 1, missing=(3,)),
        Violation("structure", 2, missing=(3,)),
    )
    assert check("1-2:A 3-4:B", "2=1-3:C") == (Violation("structure", 2, missing=(1,)),)
    assert Violation("structure", 2, missing=(1,)).sentence(evening("1-2:A 3-4:B")) == (
        "structure: round 2: table 1 is missing"
    )


def test_the_parts_of_a_tables_round_are_one_table():
    assert check("1-2:A/1-2:B 3-4:C/3-4:D") == ()


def test_a_round_is_not_empty():
    assert check("1-2:A 3-4:B", "", "1-3:C 2-4:D") == (Violation("structure", 2),)
    assert check("1-2:A 3-4:B", rounds=2) == (Violation("structure", 2),)


def test_a_round_may_be_declared_to_have_fewer_tables():
    rounds = ("1-2:A 3-4:B", "1-3:C", "1-4:D 2-3:E")

    def fewer(limit, *rounds):
        return Exemption("tables", limit, "a table is added later", rounds=rounds)

    assert check(*rounds, exemptions=(fewer(1, 2),)) == ()
    assert check(*rounds, exemptions=(fewer(2, 2),)) == (Violation("structure", 2, missing=(2,)),)
    assert check(*rounds, exemptions=(fewer(0, 2),)) == (Violation("structure", 2, tables=(1,)),)
    assert check(*rounds, exemptions=(fewer(1, 2, 3),)) == (
        Violation("structure", 3, tables=(1, 2)),
    )
    # what was declared later holds
    assert check(*rounds, exemptions=(fewer(2, 2), fewer(1, 2))) == ()
    assert len(check(*rounds, exemptions=(fewer(1, 2), fewer(2, 2)))) == 1


def test_no_declaration_leaves_a_round_without_tables():
    nothing = Exemption("tables", 0, "everybody rests", rounds=(2,))

    assert check("1-2:A 3-4:B", "", exemptions=(nothing,)) == (Violation("structure", 2),)


def test_another_law_declared_for_a_round_says_nothing_of_its_tables():
    other = Exemption("meet-once", 1, "no", rounds=(2,))

    assert check("1-2:A 3-4:B", "1-3:C", exemptions=(other,)) == (
        Violation("structure", 2, missing=(2,)),
    )


def test_rounds_drawn_later_have_no_tables_yet():
    assert check("1-2:A 3-4:B", "", rounds=2, exemptions=(late(2),)) == ()
    assert check("1-2:A 3-4:B", "2=1-3:C 1=2-4:D", exemptions=(late(2),)) == (
        Violation("structure", 2, tables=(1, 2)),
    )


def test_a_set_is_listed_once():
    assert check("1-2:A 3-4:B", sets=("A", "B", "B")) == (Violation("structure"),)


def test_what_is_played_is_on_the_list_of_sets():
    assert check("1-2:C 3-4:B", "1-3:D 2-4:A", sets=("A", "B")) == (
        Violation("structure", sets=("C", "D")),
    )


def test_who_plays_plays_something_and_who_sits_out_need_not():
    assert check("1-2: 3-4:B") == (Violation("structure", 1, 1),)
    assert check("1-2:A 3-0: 0-0:", "1-3:B 2-0: 0-0:") == ()


# ── field ──


def test_who_is_seated_is_known():
    assert check("1-2:A 3-5:B", fields=(numbered(4),)) == (
        Violation("field", 1, 2, (5,)),
        Violation("field", contestants=(4,)),
    )


def test_who_is_known_plays_at_some_time():
    assert check("1-2:A", fields=(numbered(4),)) == (
        Violation("field", contestants=(3,)),
        Violation("field", contestants=(4,)),
    )
    # who always sits alone at a table does not play
    assert check("1-2:A 3-0: 0-4:") == (
        Violation("field", contestants=(3,)),
        Violation("field", contestants=(4,)),
    )


def test_who_is_declared_not_to_be_there_need_not_play():
    assert check("1-2:A", fields=(numbered(3),), exemptions=(absent(3, rounds=(1,)),)) == ()
    other = Exemption("meet-once", 2, "no", (3,), (1,))
    assert check("1-2:A", fields=(numbered(3),), exemptions=(other,)) == (
        Violation("field", contestants=(3,)),
    )


def test_who_has_not_played_may_play_in_a_round_drawn_later():
    assert check("1-2:A", "", fields=(numbered(4),), exemptions=(late(2),)) == ()


def test_a_contestant_may_be_declared_to_play_in_no_round():
    declared = Exemption("field", 0, "it happened by mistake", (3,))
    assert check("1-2:A", fields=(numbered(3),), exemptions=(declared,)) == ()
    assert check("1-2:A", fields=(numbered(4),), exemptions=(declared,)) == (
        Violation("field", contestants=(4,)),
    )


def test_a_contestant_that_others_left_alone_need_not_play():
    assert check("1-2:A 3-4:B", "5-0:A 1-3:C", exemptions=(absent(4, rounds=(2,)),)) == ()
    assert check("1-2:A 3-4:B", "5-0:A 1-3:C") == (Violation("field", contestants=(5,)),)


def test_nobody_has_the_label_of_another_of_their_field():
    twice, others = Field("ns", ("1", "1")), Field("ew", ("1", "2"))

    assert check("1-3:A 2-4:B", fields=(twice, others)) == (Violation("field"),)
    assert check("1-3:A 2-4:B", fields=(Field("ns", ("1", "2")), others)) == ()


# ── present ──


@pytest.mark.parametrize("cell", ["3-1:C", "1-3:C", "3-0:", "0-3:"])
def test_nobody_is_seated_while_declared_not_to_be_there(cell):
    movement = evening("1-2:A 3-4:B", f"{cell} 5-6:D", exemptions=(absent(6, 3, rounds=(3, 2)),))

    assert laws.find_errors(movement) == (
        Violation("present", 2, 1, (3,)),
        Violation("present", 2, 2, (6,)),
    )


def test_who_comes_late_plays_the_other_rounds():
    rounds = ("1-2:A 0-4:B", "1-3:C 2-4:D", "2-3:E 0-1:F")

    assert laws.find_errors(evening(*rounds, exemptions=(absent(3, rounds=(1,)),))) == ()
    assert laws.find_errors(evening(*rounds, exemptions=(absent(3, rounds=(1, 3)),))) == (
        Violation("present", 3, 1, (3,)),
    )


# ── one-place ──


def test_nobody_is_at_two_tables_at_once():
    assert check("1-2:A 3-1:B 4-5:C") == (Violation("one-place", 1, 1, (1,), tables=(1, 2)),)


def test_nobody_is_on_both_sides_of_a_table():
    assert laws.find_errors(evening("1-1:A 2-3:B")) == (
        Violation("one-place", 1, 1, (1,), tables=(1, 1)),
        Violation("board-once", 1, 1, (1,), ("A",), rounds=(1, 1), tables=(1, 1)),
    )


def test_who_sits_out_at_a_table_is_at_a_place_too():
    errors = check("1-2:A 0-1:B 3-4:B")

    assert errors == (Violation("one-place", 1, 1, (1,), tables=(1, 2)),)


def test_who_is_at_three_tables_is_told_of_with_the_first():
    assert check("1-2:A 3-1:B 1-4:C") == (
        Violation("one-place", 1, 1, (1,), tables=(1, 2)),
        Violation("one-place", 1, 1, (1,), tables=(1, 3)),
    )


@pytest.mark.parametrize(
    ("round", "twice"),
    [
        # halves: one after the other, and at the same time
        ("1-2:A/3-4:B 3-4:C/1-2:D", []),
        ("1-2:A/3-4:B 1-5:C/6-7:D", [1]),
        ("1-2:A/3-4:B 5-6:C/7-3:D", [3]),
        # a half and a whole round
        ("1-2:A/3-4:B 1-5:C", [1]),
        ("1-2:A/3-4:B 5-3:C", [3]),
        # a half, and a third that lies within it, reaches into it, or is beside it
        ("1-2:A/3-4:B 1-5:C/6-7:D/6-8:E", [1]),
        ("1-2:A/3-4:B 6-7:C/1-5:D/6-8:E", [1]),
        ("1-2:A/3-4:B 6-7:C/6-8:D/1-5:E", []),
        ("1-2:A/3-4:B 3-5:C/6-7:D/6-8:E", []),
        ("1-2:A/3-4:B 6-7:C/3-5:D/6-8:E", [3]),
        ("1-2:A/3-4:B 6-7:C/6-8:D/3-5:E", [3]),
    ],
)
def test_parts_of_a_round_may_be_at_two_tables_one_after_the_other(round, twice):
    found = [v for v in check(round) if v.law == "one-place"]

    assert found == [
        Violation("one-place", 1, 1, (contestant,), tables=(1, 2)) for contestant in twice
    ]


def test_who_cannot_be_at_one_of_two_tables_can_be_at_the_third():
    """A contestant who is twice too often at a time is reported for the seats that can be kept."""
    errors = check("1-2:A/2-3:B 1-4:C 5-6:D/5-1:E")

    assert errors[:1] == (Violation("one-place", 1, 1, (1,), tables=(1, 2)),)
    assert [v.law for v in errors].count("one-place") == 1


def test_the_halves_of_a_team_are_at_two_tables():
    assert check("1-2:A 2-1:A", contest="teams", copies=2) == ()
    assert check("1-2:A 1-2:B", "2-1:A 2-1:B", contest="teams") == (
        Violation("one-place", 1, 1, (1,), tables=(1, 2)),
        Violation("one-place", 1, 1, (2,), tables=(1, 2)),
        Violation("one-place", 2, 1, (2,), tables=(1, 2)),
        Violation("one-place", 2, 1, (1,), tables=(1, 2)),
    )


def test_both_players_of_a_side_are_at_a_place():
    assert check("1+2-3+4:A 5+6-7+2:B", contest="individual") == (
        Violation("one-place", 1, 1, (2,), tables=(1, 2)),
    )


# ── board-once ──


def test_nobody_plays_a_set_twice():
    assert check("1-2:A 3-4:B", "1-3:C 2-4:A", "1-4:B 2-3:C") == (
        Violation("board-once", 2, 2, (2,), ("A",), rounds=(1, 2), tables=(1, 2)),
        Violation("board-once", 3, 1, (4,), ("B",), rounds=(1, 3), tables=(2, 1)),
        Violation("board-once", 3, 2, (3,), ("C",), rounds=(2, 3), tables=(1, 2)),
    )


def test_of_several_sets_that_one_is_told_of_which_comes_again():
    errors = laws.find_errors(evening("1-2:A+B 3-4:C+D", "1-3:E+B 2-4:F+G"))

    assert errors == (Violation("board-once", 2, 1, (1,), ("B",), rounds=(1, 2), tables=(1, 1)),)


def test_who_sits_out_does_not_play_the_set_on_the_table():
    assert laws.find_errors(evening("1-0:A 2-3:B", "1-2:A 3-0:B")) == ()


def test_the_halves_of_a_team_may_play_the_same_set():
    assert check("1-2:A 2-1:A", contest="teams", copies=2) == ()
    assert check("1-2:A 2-1:A", "1-2:A 2-1:A", contest="teams", copies=2)[:2] == (
        Violation("board-once", 2, 1, (1,), ("A",), rounds=(1, 2), tables=(1, 1)),
        Violation("board-once", 2, 1, (2,), ("A",), rounds=(1, 2), tables=(1, 1)),
    )


def test_a_set_played_again_by_mistake_is_forgiven_where_it_is_declared():
    rounds = ("1-2:A 3-4:B", "1-3:A 2-4:C", "1-4:D 2-3:E")
    again = Violation("board-once", 2, 1, (1,), ("A",), rounds=(1, 2), tables=(1, 1))

    def forgiven(limit=2, contestants=(1,), rounds=(1, 2), law="board-once"):
        return Exemption(law, limit, "played the wrong boards", contestants, rounds)

    assert laws.find_errors(evening(*rounds)) == (again,)
    for item in (forgiven(), forgiven(3), forgiven(contestants=(4, 1)), forgiven(rounds=(1, 2, 3))):
        assert laws.find_errors(evening(*rounds, exemptions=(item,))) == ()
    for item in (
        forgiven(1),
        forgiven(0),
        forgiven(contestants=(2,)),
        forgiven(rounds=(1,)),
        forgiven(rounds=(2, 3)),
        forgiven(law="meet-once"),
    ):
        assert laws.find_errors(evening(*rounds, exemptions=(item,))) == (again,)
    # of several declarations the widest holds
    assert laws.find_errors(evening(*rounds, exemptions=(forgiven(), forgiven(1)))) == ()


# ── meet-once ──


def test_no_two_meet_in_two_rounds():
    assert check("1-2:A 3-4:B", "1-3:C 2-4:D", "1-3:E 2-4:F") == (
        Violation("meet-once", 3, 1, (1, 3), rounds=(2, 3), tables=(1, 1)),
        Violation("meet-once", 3, 2, (2, 4), rounds=(2, 3), tables=(2, 2)),
    )


def test_a_meeting_is_one_whichever_way_they_sit():
    assert check("2-1:A 3-4:B", "4-3:C 1-2:D") == (
        Violation("meet-once", 2, 2, (1, 2), rounds=(1, 2), tables=(1, 2)),
        Violation("meet-once", 2, 1, (3, 4), rounds=(1, 2), tables=(2, 1)),
    )


def test_both_halves_of_a_round_are_one_meeting():
    assert check("1-2:A/1-2:B 3-4:C/3-4:D") == ()


def test_nobody_meets_the_one_who_is_missing():
    assert laws.find_errors(evening("1-0:A 2-3:B", "1-0:C 0-0:D", "1-2:E 3-0:F")) == ()


def test_partners_who_wait_together_have_not_met():
    rounds = ("1+2-0: 3+4-5+6:A", "1+2-7+8:B 0-0:")

    assert check(*rounds, contest="individual") == ()


def complete(limit=3, contestants=(), rounds=()):
    return Exemption("meet-once", limit, "partners once, opponents twice", contestants, rounds)


@pytest.mark.parametrize(
    ("rounds", "exemption", "broken"),
    [
        (("1+2-3+4:A", "1+3-2+4:B", "1+4-2+3:C"), complete(), []),
        (("1+2-3+4:A", "1+2-5+6:B"), complete(), [(1, 2)]),
        (("1+2-3+4:A", "1+2-5+6:B"), complete(2), [(1, 2)]),
        (
            ("1+2-3+4:A", "1+2-5+6:B"),
            complete(4),
            [],
        ),  # some are partners twice when all meet twice
        (("1+2-3+4:A", "1+2-5+6:B"), complete(2, (1, 2), (1, 2)), []),  # a mistake
        (("1+2-3+4:A", "5+6-1+2:B", "2+1-5+4:C"), complete(2, (1, 2), (1, 2)), [(1, 2)]),
    ],
)
def test_in_an_individual_two_are_partners_once_unless_it_is_played_more_than_once(
    rounds, exemption, broken
):
    errors = check(*rounds, contest="individual", exemptions=(exemption,))
    recounted = recount.broken_laws(
        movement_dict(
            MovementDocument(evening(*rounds, contest="individual", exemptions=(exemption,)))
        )
    )

    partners = [item.contestants for item in errors if item.law == "meet-once"]
    assert [couple for couple in partners if couple == (1, 2)] == broken
    assert ("meet-once" in recounted) == bool(partners)


def test_partners_who_are_so_again_are_told_of_with_their_tables():
    rounds = ("1+2-3+4:A 5+6-7+8:B", "5+3-7+4:C 1+2-6+8:D")

    assert check(*rounds, contest="individual", exemptions=(complete(),)) == (
        Violation("meet-once", 2, 2, (1, 2), rounds=(1, 2), tables=(1, 2)),
    )


@pytest.mark.parametrize(
    ("again", "couple"),
    [("1+5-6+2:C", (1, 2)), ("1+3-5+6:C", (1, 3)), ("5+1-4+6:C", (1, 4)), ("5+6-4+3:C", (3, 4))],
)
def test_in_an_individual_no_two_are_opponents_or_partners_again(again, couple):
    rounds = ("1+2-3+4:A", again)
    assert [s.law for s in check("1+2-3+4:A", contest="individual")] == []

    errors = laws.find_errors(evening(*rounds, contest="individual", fields=(numbered(6),)))

    assert errors == (Violation("meet-once", 2, 1, couple, rounds=(1, 2), tables=(1, 1)),)


def test_a_second_meeting_is_forgiven_to_those_and_in_the_rounds_that_are_declared():
    rounds = ("1-2:A 3-4:B", "1-3:C 2-4:D", "1-2:E 0-3:F")
    again = Violation("meet-once", 3, 1, (1, 2), rounds=(1, 3), tables=(1, 1))

    def revenge(limit=2, contestants=(), rounds=(), law="meet-once"):
        return Exemption(law, limit, "revenge", contestants, rounds)

    assert laws.find_errors(evening(*rounds)) == (again,)
    for item in (
        revenge(),
        revenge(3),
        revenge(contestants=(2, 1)),
        revenge(rounds=(3, 1)),
        revenge(contestants=(1, 2), rounds=(1, 3)),
    ):
        assert laws.find_errors(evening(*rounds, exemptions=(item,))) == ()
    for item in (
        revenge(1),
        revenge(0),
        revenge(contestants=(1, 3)),
        revenge(contestants=(1,)),
        revenge(contestants=(1, 2, 3)),
        revenge(rounds=(1, 2)),
        revenge(rounds=(1, 2, 3)),
        revenge(contestants=(1, 2), rounds=(1, 2)),
        revenge(contestants=(1, 3), rounds=(1, 3)),
        revenge(law="board-once"),
    ):
        assert laws.find_errors(evening(*rounds, exemptions=(item,))) == (again,)
    # of several declarations the widest holds
    assert laws.find_errors(evening(*rounds, exemptions=(revenge(), revenge(1)))) == ()


def test_a_third_meeting_needs_a_declaration_for_three():
    rounds = ("1-2:A 0-0:", "1-2:B 0-0:", "0-0: 1-2:C")
    twice = Exemption("meet-once", 2, "revenge")

    assert check(*rounds, exemptions=(replace(twice, limit=3),)) == ()
    assert check(*rounds, exemptions=(twice,)) == (
        Violation("meet-once", 3, 2, (1, 2), rounds=(1, 2, 3), tables=(1, 1, 2)),
    )


def test_a_published_revenge_round_is_declared_for_its_rounds():
    revenge = catalogue.build_movement("skip-mitchell", 8, None, None, {"revenge": True})
    assert laws.find_violations(revenge) == ()

    assert {v.law for v in laws.find_violations(replace(revenge, exemptions=()))} == {"meet-once"}
    elsewhere = replace(revenge, exemptions=(Exemption("meet-once", 2, "no", rounds=(2, 8)),))
    assert {v.law for v in laws.find_violations(elsewhere)} == {"meet-once"}


# ── unequal-plays ──


def test_sets_played_less_often_are_warned_of():
    assert check("1-2:A 3-4:B", "5-6:A 7-8:C", sets=tuple("ABCD")) == (
        Violation("unequal-plays", sets=("B", "C", "D"), severity="warning"),
    )


def test_a_set_on_the_table_of_one_who_sits_out_is_not_played():
    assert check("1-2:A 3-0:B", "2-3:B 1-0:A", "1-3:C 2-0:C") == ()
    assert check("1-2:A 3-0:B", "2-3:B 1-0:A", "1-3:C 2-0:D") == (
        Violation("unequal-plays", sets=("D",), severity="warning"),
    )


def test_rounds_drawn_later_may_still_make_it_even():
    assert check("1-2:A", "", sets=("A", "B"), exemptions=(late(2),)) == ()


# ── what a violation says ──


def test_a_violation_says_in_english_where_and_who():
    movement = evening("1-2:A 3-4:B", fields=(Field("ns", ("1", "2")), Field("ew", ("1", "2"))))

    said = [
        Violation("meet-once", 3, 2, (1, 3), rounds=(1, 3)),
        Violation("copies", 1, sets=("A", "B"), tables=(1, 2)),
        Violation("copies", 1, sets=("X",)),
        Violation("structure", 0, 2),
        Violation("field", contestants=(5,)),
        Violation("field"),
        Violation("structure", 2, missing=(3,)),
        Violation("structure", 2, missing=(3, 4)),
    ]

    assert [violation.sentence(movement) for violation in said] == [
        "meet-once: round 3: table 2: NS 1 and EW 1 in rounds 1, 3",
        "copies: round 1: set A, B at tables 1, 2",
        "copies: round 1: set X",
        "structure: table 2",
        "field: unknown 5",
        "field",
        "structure: round 2: table 3 is missing",
        "structure: round 2: tables 3, 4 are missing",
    ]
