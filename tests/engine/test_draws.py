"""Swiss and knock-out: pairings by results, without repeated meetings."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements.engine import catalogue, laws
from movements.engine.changes import PairLeaves, proposals
from movements.engine.declarations import Triangle
from movements.engine.drawing import draws
from movements.engine.drawing.draws import Draw, SwissAdvice, first_draw, swiss_advice, swiss_draw
from movements.engine.drawing.knockouts import (
    KnockoutMatch,
    knockout_brackets,
    knockout_draw,
    knockout_round,
    knockout_rounds,
)
from movements.engine.drawing.open_rounds import (
    apply_draw,
    contestants_to_draw,
    contestants_without_further_bye,
    drawn_meetings,
)
from movements.engine.errors import NoDraw
from movements.engine.files import document


def couples(*pairs):
    return [frozenset(pair) for pair in pairs]


def all_draws(ranking):
    """Every way to put an even number of contestants into matches."""
    if not ranking:
        yield []
        return
    first, *others = ranking
    for opponent in others:
        for rest in all_draws([item for item in others if item != opponent]):
            yield [(first, opponent), *rest]


def spread(ranking, matches):
    return sum((ranking.index(a) - ranking.index(b)) ** 2 for a, b in matches)


def next_round(movement, ranking=(), odd="bye"):
    """The movement with its next round drawn, by a ranking or by number."""
    here = contestants_to_draw(movement)
    order = [item for item in ranking or here if item in here]
    drawn = swiss_draw(
        order,
        odd=odd,
        meetings=drawn_meetings(movement),
        exempt=contestants_without_further_bye(movement),
    )
    return apply_draw(movement, drawn, is_long=odd == "long-triangle")


def played_out(movement, *, seed, odd="bye"):
    """The Swiss to its end, with rankings out of a hat."""
    rng = Random(seed)
    while movement.open_rounds:
        ranking = rng.sample(movement.contestants, len(movement.contestants))
        movement = next_round(movement, ranking, odd)
    return movement


# ── the first round ──


def test_slide_plays_the_upper_half_against_the_lower():
    matches = first_draw(range(1, 33)).matches

    assert matches == tuple((i, i + 16) for i in range(1, 17))


def test_fold_plays_the_best_against_the_last():
    matches = first_draw(range(1, 33), "fold").matches

    assert matches == tuple((i, 33 - i) for i in range(1, 17))


def test_random_first_round_comes_from_the_given_chance_alone():
    draws = [first_draw(range(1, 17), "random", rng=Random(seed)) for seed in (7, 7, 8)]

    assert draws[0] == draws[1]
    assert draws[0] != draws[2]
    assert sorted(item for match in draws[0].matches for item in match) == list(range(1, 17))


def test_second_round_by_seed_moves_the_lower_half_on():
    first = first_draw(range(1, 9))

    second = first_draw(range(1, 9), meetings=couples(*first.matches))

    assert second.matches == ((1, 6), (2, 7), (3, 8), (4, 5))


def test_where_no_move_of_the_lower_half_helps_a_draw_is_found_all_the_same():
    met = couples((1, 4), (2, 6), (1, 5), (3, 6), (1, 6))

    drawn = first_draw(range(1, 7), meetings=met)

    assert not set(drawn.couples) & set(met)
    assert drawn.contestants == set(range(1, 7))


def test_last_of_an_odd_number_has_the_bye_and_the_last_three_the_triangle():
    assert first_draw(range(1, 8)) == Draw(((1, 4), (2, 5), (3, 6)), bye=7)
    assert first_draw(range(1, 8), odd="triangle") == Draw(((1, 3), (2, 4)), ((5, 6, 7),))


# ── later rounds ──


def test_neighbours_in_the_ranking_meet():
    assert swiss_draw([5, 2, 8, 1, 3, 4]).matches == ((5, 2), (8, 1), (3, 4))


def test_first_plays_third_when_the_first_two_have_met():
    assert swiss_draw([1, 2, 3, 4], meetings=couples((1, 2))).matches == ((1, 3), (2, 4))


def test_top_keeps_its_neighbour_when_only_the_bottom_has_met():
    ranking = [1, 2, 3, 4, 5, 6]

    drawn = swiss_draw(ranking, meetings=couples((5, 6)))

    assert drawn.matches == ((1, 2), (3, 5), (4, 6))


@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.integers(1, 5).flatmap(lambda half: st.permutations(range(1, 2 * half + 1))),
    st.sets(st.tuples(st.integers(1, 10), st.integers(1, 10)).filter(lambda two: two[0] < two[1])),
)
def test_of_all_draws_without_a_second_meeting_the_closest_is_taken(ranking, met):
    met = couples(*met)
    lawful = [
        matches
        for matches in all_draws(ranking)
        if not any(frozenset(match) in met for match in matches)
    ]

    if not lawful:
        with pytest.raises(NoDraw):
            swiss_draw(ranking, meetings=met)
        return
    drawn = swiss_draw(ranking, meetings=met)

    assert sorted(map(sorted, drawn.matches)) in [sorted(map(sorted, m)) for m in lawful]
    assert spread(ranking, drawn.matches) == min(spread(ranking, m) for m in lawful)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    st.integers(1, 4).flatmap(lambda half: st.permutations(range(1, 2 * half + 2))),
    st.sets(st.tuples(st.integers(1, 9), st.integers(1, 9)).filter(lambda two: two[0] < two[1])),
    st.sets(st.integers(1, 9)),
)
def test_the_bye_is_the_lowest_ones_who_had_none_if_all_others_can_be_drawn(ranking, met, had):
    met = couples(*met)

    def best(bye):
        rest = [item for item in ranking if item != bye]
        lawful = [m for m in all_draws(rest) if not any(frozenset(two) in met for two in m)]
        return min((spread(rest, matches) for matches in lawful), default=None)

    from_below = ranking[::-1]
    in_turn = sorted(from_below, key=lambda item: item in had)
    bye = next((item for item in in_turn if best(item) is not None), None)
    if bye is None:
        with pytest.raises(NoDraw):
            swiss_draw(ranking, meetings=met, exempt=had)
        return
    drawn = swiss_draw(ranking, meetings=met, exempt=had)

    assert drawn.bye == bye
    assert not set(drawn.couples) & set(met)
    assert spread([item for item in ranking if item != bye], drawn.matches) == best(bye)


def test_lowest_without_a_bye_has_it():
    assert swiss_draw([1, 2, 3, 4, 5], exempt=[5, 4]) == Draw(((1, 2), (4, 5)), bye=3)


def test_bye_goes_on_when_the_others_could_not_be_drawn():
    met = couples((1, 2), (1, 3), (1, 4), (2, 3))

    # without 5 there is nobody left for 1
    assert swiss_draw([1, 2, 3, 4, 5], meetings=met) == Draw(((1, 5), (2, 4)), bye=3)


def test_everybody_may_have_a_second_bye_once_all_had_one():
    assert swiss_draw([1, 2, 3], exempt=[1, 2, 3]) == Draw(((1, 2),), bye=3)


def test_leaders_stay_out_of_the_triangle():
    drawn = swiss_draw([1, 2, 3, 4, 5, 6, 7], odd="triangle", meetings=couples((6, 7)))

    assert drawn == Draw(((1, 2), (3, 6)), ((4, 5, 7),))


def test_bye_replaces_a_triangle_of_teams_that_have_met():
    met = couples(*combinations((3, 4, 5), 2), (1, 2))

    assert swiss_draw([1, 2, 3, 4, 5], odd="triangle", meetings=met).bye == 5


@pytest.mark.parametrize("odd", ["bye", "triangle", "long-triangle"])
@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("teams", [5, 7, 9, 12, 15, 16])
def test_swiss_is_lawful_to_its_end(teams, behind, odd):
    rounds = teams // 2 // 2 * 2
    options = {"odd": odd, "behind": behind}
    for seed in range(3):
        movement = catalogue.build_movement("swiss", teams, rounds, None, options)

        played = played_out(movement, seed=seed, odd=odd)

        assert played.open_rounds == ()
        assert laws.find_violations(played) == ()


@settings(deadline=None, derandomize=True, max_examples=40)
@given(st.integers(4, 20), st.integers(0, 10**6))
def test_up_to_half_as_many_rounds_as_contestants_can_always_be_drawn(teams, seed):
    movement = catalogue.build_movement("swiss", teams, teams // 2, None, {"odd": "bye"})

    played = played_out(movement, seed=seed, odd="bye")

    assert laws.find_violations(played) == ()
    byes = [s.ns for s in played.seatings if not s.is_played]
    assert len(byes) == len(set(byes)) == (teams // 2 if teams % 2 else 0)


def test_swiss_of_pairs_is_lawful_to_its_end_with_each_round_on_its_own_boards():
    movement = catalogue.build_movement("swiss", 6, 5, None, {"contest": "pairs", "half": True})

    played = played_out(movement, seed=4)

    assert laws.find_violations(played) == ()
    assert [played.at(round, 1).sets for round in range(1, 6)] == [(name,) for name in "ABCDE"]


def test_after_the_last_round_there_is_nothing_to_draw():
    played = played_out(catalogue.build_movement("swiss", 8, 3), seed=1)

    with pytest.raises(LookupError):
        contestants_to_draw(played)


def test_team_that_is_not_drawn_has_left_and_is_not_drawn_again():
    movement = catalogue.build_movement("swiss", 8, 4)

    drawn = apply_draw(movement, Draw(((1, 2), (3, 4), (5, 6)), bye=7))
    later = next_round(drawn)

    assert laws.find_violations(drawn) == ()
    assert 8 not in {contestant for s in later.in_round(3) for contestant in s.contestants}
    assert laws.find_errors(apply_draw(drawn, Draw(((1, 2), (3, 6), (4, 5)), bye=7))) != ()


def test_movement_remembers_who_met_and_who_was_spared():
    movement = catalogue.build_movement("swiss", 7, 2, None, {"odd": "long-triangle"})

    assert drawn_meetings(movement) == frozenset(couples((1, 3), (2, 4), (5, 6), (5, 7), (6, 7)))
    assert contestants_without_further_bye(movement) == {5, 6, 7}


def test_whose_opponents_left_once_the_round_was_drawn_has_had_a_bye():
    drawn = next_round(catalogue.build_movement("swiss", 8, 4))
    [match] = [s for s in drawn.in_round(2) if 8 in s.contestants]
    [other] = {*match.contestants} - {8}

    left = proposals(drawn, 1, PairLeaves(8))[0].movement

    assert contestants_without_further_bye(left) == {other}


def test_others_play_on_while_a_long_triangle_lasts():
    movement = catalogue.build_movement("swiss", 7, 2, None, {"odd": "long-triangle"})

    drawn = next_round(movement, odd="long-triangle")

    assert drawn.triangles == (Triangle((1, 2), (5, 6, 7)),)
    assert [(s.ns, s.ew) for s in drawn.in_round(2)] == [(1, 2), (3, 4)]
    assert laws.find_violations(drawn) == ()


def test_half_drawn_swiss_survives_its_json():
    movement = next_round(catalogue.build_movement("swiss", 9, 4), odd="triangle")

    written = document.write_json(document.MovementDocument(movement))

    assert document.read_json(written).movement == movement


def test_round_that_is_declared_open_must_have_no_tables():
    movement = catalogue.build_movement("swiss", 8, 4)
    drawn = next_round(movement)

    both = type(drawn)(**{**_values(drawn), "exemptions": movement.exemptions})

    assert [(v.law, v.round) for v in laws.find_violations(both)] == [("structure", 2)]


def test_team_idle_in_a_drawn_round_is_a_violation():
    movement = catalogue.build_movement("swiss", 8, 4)

    short = type(movement)(**{**_values(movement), "seatings": movement.seatings[:-1]})

    assert [(v.law, v.round, v.contestants) for v in laws.find_violations(short)] == [
        ("draw", 1, (4,)),
        ("draw", 1, (8,)),
    ]


def test_unfinished_round_robin_is_not_taken_for_a_swiss():
    complete = catalogue.build_movement("team-round-robin", 6)

    short = type(complete)(
        **{
            **_values(complete),
            "rounds": 4,
            "seatings": tuple(s for s in complete.seatings if s.round < 5),
        }
    )

    assert {v.law for v in laws.find_violations(short)} == {"draw"}
    assert len(laws.find_violations(short)) == 3


def _values(movement):
    return {name: getattr(movement, name) for name in movement.__dataclass_fields__}


# ── how many rounds ──


@pytest.mark.parametrize(
    ("contestants", "fewest"),
    [(9, 6), (16, 6), (17, 7), (32, 7), (33, 8), (64, 8), (65, 9), (128, 9)],
)
def test_fewest_rounds_are_two_more_than_a_knock_out_would_take(contestants, fewest):
    assert swiss_advice(contestants) == SwissAdvice(fewest, contestants // 2)


# ── knock-out ──


@pytest.mark.parametrize(
    ("size", "go_on"),
    [(16, (8, 4, 2, 1)), (12, (8, 4, 2, 1)), (11, (6, 4, 2, 1)), (9, (6, 4, 2, 1)), (8, (4, 2, 1)),
     (6, (4, 2, 1)), (5, (2, 1)), (4, (2, 1)), (3, (1,)), (2, (1,))],
)  # fmt: skip
def test_brackets_come_to_four_for_the_semi_finals(size, go_on):
    left, counts = size, []
    while left > 1:
        left = sum(match.go_on for match in knockout_round(range(left)))
        counts.append(left)

    assert tuple(counts) == go_on
    assert knockout_rounds(size) == len(go_on)


def test_matches_follow_the_chart_with_triangles_at_its_end():
    assert knockout_round([3, 1, 4, 5, 9, 2, 6]) == (
        KnockoutMatch((3, 1)),
        KnockoutMatch((4, 5)),
        KnockoutMatch((9, 2, 6), go_on=2),
    )


def test_losers_go_home_in_the_full_form_and_play_on_in_the_compact_one():
    assert knockout_round([1, 2, 3, 4], losers=[5, 6, 7, 8]) == (
        KnockoutMatch((1, 2)),
        KnockoutMatch((3, 4)),
    )
    assert knockout_round([1, 2, 3, 4], losers=[5, 6, 7], compact=True) == (
        KnockoutMatch((1, 2)),
        KnockoutMatch((3, 4)),
        KnockoutMatch((5, 6, 7), go_on=2, event="consolation"),
    )
    assert knockout_round([1, 2], losers=[3, 4], compact=True) == (
        KnockoutMatch((1, 2)),
        KnockoutMatch((3, 4), event="third place"),
    )


def test_those_who_went_on_from_a_triangle_are_kept_apart_while_that_is_possible():
    met = couples(*combinations((1, 2, 3), 2), *combinations((4, 5, 6), 2))

    assert knockout_round([1, 2, 4, 5], meetings=met) == (
        KnockoutMatch((1, 4)),
        KnockoutMatch((2, 5)),
    )
    assert knockout_round([1, 2], meetings=met) == (KnockoutMatch((1, 2)),)


@pytest.mark.parametrize("size", [0, 1, 17])
def test_bracket_of_impossible_size_is_refused(size):
    with pytest.raises(ValueError, match="bracket"):
        knockout_round(range(size))


@pytest.mark.parametrize("teams", [*range(4, 17), 18, 33, 60])
def test_brackets_hold_everybody_and_are_as_equal_as_can_be(teams):
    divided = knockout_brackets(range(1, teams + 1))

    assert [team for bracket in divided for team in bracket] == list(range(1, teams + 1))
    sizes = {len(bracket) for bracket in divided}
    assert max(sizes) <= 16
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("teams", range(4, 17))
def test_knock_out_is_lawful_to_its_end_with_losers_gone_home(teams):
    movement = catalogue.build_movement("knockout", teams)
    matches = knockout_round(range(1, teams + 1))

    while movement.open_rounds:
        # the team with the lower number wins; of a triangle as many as may go on
        still_in = sorted(team for match in matches for team in match.teams[: match.go_on])
        matches = knockout_round(still_in, meetings=drawn_meetings(movement))
        movement = apply_draw(movement, knockout_draw(matches))

    assert laws.find_violations(movement) == ()
    assert movement.in_round(movement.rounds)[0].contestants[0] == 1
    assert (
        document.read_json(document.write_json(document.MovementDocument(movement))).movement
        == movement
    )


def test_engine_is_loaded_without_the_library_for_matchings():
    import subprocess
    import sys

    code = "import sys, movements.engine.catalogue; print('networkx' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "False\n"


@settings(deadline=None, derandomize=True, max_examples=12)
@given(st.integers(8, 24), st.integers(1, 6), st.integers(0, 10**6))
def test_looking_near_first_finds_the_same_as_looking_everywhere(pairs, rounds, seed):
    rng = Random(seed)
    ranking = list(range(1, 2 * pairs + 1))
    met: set[frozenset[int]] = set()
    for _ in range(rounds):
        rng.shuffle(ranking)
        met |= {frozenset(two) for two in swiss_draw(ranking, meetings=met).matches}
    # those who have met stand together: the near ones are no opponents
    ranking.sort(key=lambda number: min((min(two) for two in met if number in two), default=number))

    near = draws._closest_pairing(ranking, met)
    everywhere = draws._closest_places(ranking, met, len(ranking))

    assert not {frozenset(two) for two in near} & met
    assert spread(ranking, near) == sum((b - a) ** 2 for a, b in everywhere)


@pytest.mark.parametrize("many", [200, 199])
def test_two_hundred_are_drawn_round_after_round_and_nobody_meets_or_waits_twice(many):
    rng = Random(4)
    ranking = list(range(1, many + 1))
    met: set[frozenset[int]] = set()
    waited: list[int | None] = []
    for _ in range(3):
        rng.shuffle(ranking)
        draw = swiss_draw(ranking, meetings=met, exempt=[item for item in waited if item])
        drawn = {frozenset(two) for two in draw.matches}
        assert len(drawn) == many // 2
        assert not drawn & met
        met |= drawn
        waited.append(draw.bye)
    assert len(set(waited)) == (3 if many % 2 else 1)
