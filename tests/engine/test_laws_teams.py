"""The checker on teams: matches, draws and triangles; each law broken at its smallest."""

from dataclasses import replace

import pytest

from movements.engine import laws
from movements.engine.declarations import Exemption, Triangle
from movements.engine.laws import Violation
from movements.engine.model import Movement
from tests.engine.written import absent, evening, numbered


def check(*rounds: str, **facts) -> tuple[Violation, ...]:
    return laws.find_violations(evening(*rounds, contest="teams", **facts))


def draw(team: int, round: int) -> Violation:
    return Violation("draw", round, contestants=(team,))


def meeting(one: int, other: int) -> Violation:
    return Violation("draw", contestants=(one, other))


# ── teams with boards: no-self, full-match ──


def test_teams_that_meet_again_are_no_violation():
    assert check("1-2:A 2-1:A", "1-2:B 2-1:B", copies=2) == ()


@pytest.mark.parametrize("cell", ["1-1:A", "1-1:"])
def test_a_team_does_not_meet_itself(cell):
    errors = laws.find_errors(evening(f"{cell} 2-3:B 3-2:B", contest="teams", copies=2))

    assert Violation("no-self", 1, 1, (1,)) in errors
    assert {v.law for v in errors} <= {"no-self", "structure"}


def test_an_empty_table_is_no_team_that_meets_itself():
    assert check("1-2:A 2-1:A 0-0:", copies=2) == ()


def test_two_teams_play_the_same_sets_both_ways():
    assert check("1-2:A+B 2-1:B+A", copies=2) == ()
    assert check("1-2:A 2-1:B", "1-2:B 2-1:A") == ()
    assert check("1-2:A+B 2-1:A", copies=2)[0] == Violation(
        "full-match", contestants=(1, 2), sets=("B",)
    )
    assert check("1-2:A+D 2-1:C+B")[0] == Violation(
        "full-match", contestants=(1, 2), sets=("A", "B", "C", "D")
    )


def test_a_match_is_played_in_both_directions():
    assert check("2-1:A 3-4:B 4-3:B", copies=2)[0] == Violation(
        "full-match", contestants=(1, 2), sets=("A",)
    )


def test_where_a_half_of_a_team_is_missing_no_match_is_played():
    missing = ("1-2:A 2-1:A 3-0:A 0-3:A", "1-3:B 3-1:B 0-2:B 2-0:B")

    assert check(*missing, copies=2) == ()


def test_who_has_left_leaves_matches_half_played():
    rounds = ("1-2:A+B 2-1:A", "1-3:C 3-1:C")
    unequal = Violation("unequal-plays", sets=("B",), severity="warning")

    for team in (1, 2):
        left = (absent(team, rounds=(3,)),)
        assert check(*rounds, copies=2, exemptions=left) == (unequal,)
    for exemption in (absent(3, rounds=(3,)), Exemption("draw", 1, "Swiss", (1, 2), (1,))):
        assert check(*rounds, copies=2, exemptions=(exemption,)) == (
            Violation("full-match", contestants=(1, 2), sets=("B",)),
            unequal,
        )


def test_triangles_are_for_draws():
    triangle = Triangle((1,), (1, 2, 3))

    assert check(
        "1-2:A 2-1:A", copies=2, fields=(numbered(3, "teams"),), triangles=(triangle,)
    ) == (Violation("structure", contestants=(1, 2, 3), rounds=(1,)),)


# ── draws ──


def drawn(*rounds: str, **facts) -> tuple[Violation, ...]:
    """Check a draw of teams: each line is a round of matches, without boards."""
    lines = [" ".join(f"{match}:" for match in line.split()) for line in rounds]
    movement = evening(*lines, contest="teams", **facts)
    assert movement.sets == ()
    return laws.find_violations(movement)


SWISS = Exemption("draw", 1, "not everybody meets everybody")
KNOCK_OUT = Exemption("draw", 2, "two may meet again")
ALL_PLAY_ALL = ("1-2 3-4", "1-3 2-4", "1-4 2-3")


def departure(*teams: int, rounds: tuple[int, ...]) -> Exemption:
    return Exemption("draw", 0, "has left", teams, rounds)


def test_in_a_draw_every_two_meet_once():
    assert drawn(*ALL_PLAY_ALL) == ()
    assert drawn(*ALL_PLAY_ALL[:2]) == (meeting(1, 4), meeting(2, 3))
    assert drawn("1-2 3-4", "1-3 2-4", "3-1 4-2") == (
        meeting(1, 3),
        meeting(1, 4),
        meeting(2, 3),
        meeting(2, 4),
    )


def test_nobody_is_idle_in_a_draw_and_nobody_plays_twice():
    assert drawn("1-2", "1-3", "2-3") == (draw(3, 1), draw(2, 2), draw(1, 3))
    assert drawn("1-2 1-3 2-3") == (draw(1, 1), draw(2, 1), draw(3, 1))
    assert drawn("1-2 3-3", exemptions=(SWISS,)) == (draw(3, 1),)


def test_a_round_of_a_draw_has_any_number_of_tables():
    assert drawn(*ALL_PLAY_ALL, tables=9) == ()
    assert drawn("1-2 3-4", "", exemptions=(SWISS,)) == (
        Violation("structure", 2),
        *(draw(team, 2) for team in (1, 2, 3, 4)),
    )


def test_a_swiss_declares_that_not_all_meet():
    assert drawn("1-2 3-4", exemptions=(SWISS,)) == ()
    assert drawn("1-2 3-4", "2-1 4-3", exemptions=(SWISS,)) == (meeting(1, 2), meeting(3, 4))
    assert drawn("1-2 3-4", "2-1 4-3", exemptions=(KNOCK_OUT,)) == ()
    assert drawn(*["1-2 3-4"] * 3, exemptions=(KNOCK_OUT,)) == (meeting(1, 2), meeting(3, 4))
    # once they may always meet, and of several declarations the widest holds
    assert drawn("1-2 3-4", exemptions=(replace(SWISS, limit=0),)) == ()
    assert drawn("1-2 3-4", "2-1 4-3", exemptions=(KNOCK_OUT, SWISS)) == ()


def test_only_a_declaration_without_teams_is_for_the_whole_draw():
    assert drawn("1-2 3-4", exemptions=(departure(5, rounds=(1,)),)) == (
        meeting(1, 3),
        meeting(1, 4),
        meeting(2, 3),
        meeting(2, 4),
    )
    assert drawn("1-2 3-4", exemptions=(Exemption("meet-once", 1, "no"),))[0] == meeting(1, 3)


def test_who_has_left_does_not_play():
    assert drawn("1-2 3-4", "1-3", exemptions=(SWISS, departure(2, 4, rounds=(2,)))) == ()
    assert drawn("1-2 3-4", "1-3 2-4", exemptions=(SWISS, departure(2, 4, rounds=(2,)))) == (
        draw(2, 2),
        draw(4, 2),
    )
    assert drawn("1-2 3-4", "1-3", exemptions=(SWISS, departure(2, 4, rounds=(1,)))) == (
        draw(2, 1),
        draw(4, 1),
        draw(2, 2),
        draw(4, 2),
    )
    other = Exemption("meet-once", 0, "no", (2, 4), (2,))
    assert drawn("1-2 3-4", "1-3", exemptions=(SWISS, other)) == (draw(2, 2), draw(4, 2))


def test_who_is_not_there_does_not_play_and_need_not_meet_everybody():
    rounds = ("1-2 3-4", "1-3", "1-4 2-3")

    assert drawn(*rounds) == (draw(2, 2), draw(4, 2), meeting(2, 4))
    assert drawn(*rounds, exemptions=(absent(2, rounds=(2,)),)) == (draw(4, 2),)
    assert drawn(*rounds, exemptions=(absent(2, 4, rounds=(2,)),)) == ()
    # who was there all the time still meets everybody
    assert drawn("1-2 3-4", "1-3 2-4", "2-3", exemptions=(absent(2, rounds=(9,)),)) == (
        draw(1, 3),
        draw(4, 3),
        meeting(1, 4),
    )


def test_rounds_drawn_later_have_no_matches_yet():
    later = Exemption("structure", 0, "drawn later", rounds=(2,))

    assert drawn("1-2 3-4", "", exemptions=(SWISS, later)) == ()
    assert drawn("1-2 3-4", "1-3 2-4", exemptions=(SWISS, later)) == (
        Violation("structure", 2, tables=(1, 2)),
    )
    assert drawn("1-2 3-4", "", "1-3", exemptions=(SWISS, later)) == (draw(2, 3), draw(4, 3))


# ── triangles ──


def with_triangle(rounds=(1,), teams=(3, 4, 5), matches=("1-2",), **facts) -> Movement:
    lines = [" ".join(f"{match}:" for match in line.split()) for line in matches]
    facts = {"fields": (numbered(5, "teams"),), "exemptions": (SWISS,), **facts}
    return evening(*lines, contest="teams", triangles=(Triangle(rounds, teams),), **facts)


def test_three_teams_play_each_other_in_a_triangle():
    assert laws.find_violations(with_triangle()) == ()
    assert laws.find_violations(with_triangle(exemptions=())) == tuple(
        meeting(number, other) for number in (1, 2) for other in (3, 4, 5)
    )


def test_a_triangle_may_be_the_whole_round():
    everybody = {"fields": (numbered(3, "teams"),), "tables": 3}

    assert laws.find_violations(with_triangle((1,), (1, 2, 3), ("",), **everybody)) == ()
    assert laws.find_violations(with_triangle((1,), (1, 2, 3), ("", ""), **everybody)) == (
        Violation("structure", 2),
        *(draw(team, 2) for team in (1, 2, 3)),
    )


def test_a_long_triangle_is_one_meeting_in_two_rounds():
    assert (
        laws.find_violations(with_triangle((1, 2), matches=("1-2", "1-2"), exemptions=(KNOCK_OUT,)))
        == ()
    )
    assert laws.find_violations(with_triangle((1, 2), matches=("1-2", "2-1"))) == (meeting(1, 2),)
    assert laws.find_violations(with_triangle((1,), matches=("1-2", "3-4"))) == (
        *(draw(team, 2) for team in (1, 2, 5)),
        meeting(3, 4),
    )


def test_nobody_is_in_a_triangle_and_in_a_match():
    assert laws.find_violations(with_triangle(matches=("1-2 3-4",))) == (
        draw(3, 1),
        draw(4, 1),
        meeting(3, 4),
    )


def test_two_triangles_do_not_have_a_team_in_common():
    movement = with_triangle(fields=(numbered(7, "teams"),))
    movement = replace(movement, triangles=(*movement.triangles, Triangle((1,), (5, 6, 7))))

    assert laws.find_violations(movement) == (draw(5, 1),)


def test_of_a_triangle_one_team_may_be_missing():
    gone = absent(5, rounds=(1,))

    assert laws.find_violations(with_triangle(exemptions=(SWISS, gone))) == ()
    assert laws.find_violations(with_triangle(exemptions=(SWISS, absent(5, rounds=(2,))))) == ()
    # who was drawn to sit out is not in a triangle
    assert laws.find_violations(with_triangle(exemptions=(SWISS, departure(5, rounds=(1,))))) == (
        draw(5, 1),
    )


@pytest.mark.parametrize("rounds", [(), (0, 1), (1, 2), (2,)])
def test_a_triangle_is_in_rounds_of_the_movement(rounds):
    violations = laws.find_violations(with_triangle(rounds))

    assert violations[0] == Violation("structure", contestants=(3, 4, 5), rounds=rounds)


def test_a_long_triangle_may_last_to_the_last_round():
    movement = with_triangle((1, 2), matches=("1-2", "1-2"), exemptions=(KNOCK_OUT,))

    assert laws.find_violations(replace(movement, rounds=1))[0].law == "structure"
    assert laws.find_violations(movement) == ()


def test_who_is_in_a_triangle_is_known():
    assert laws.find_violations(with_triangle(fields=(numbered(4, "teams"),))) == (
        Violation("field", contestants=(5,), rounds=(1,)),
    )


def test_who_only_plays_in_a_triangle_plays():
    assert "field" not in {v.law for v in laws.find_violations(with_triangle())}
    assert Violation("field", contestants=(6,)) in laws.find_violations(
        with_triangle(fields=(numbered(6, "teams"),))
    )
