"Influence of the draw is told in ranges that hold the truth, and only where there is a draw."

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from math import isclose
from random import Random
from statistics import mean

import pytest
from django.db.models import Q
from django.urls import reverse

from bridgebuddy.events.services.setup.switches import switch_arrows
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.services.publishing import make_list_final
from bridgebuddy.scoring.services.results import enter_result
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from bridgebuddy.seasons.models import RatingSettings
from bridgebuddy.seasons.queries.luck import luck_lists, sat_out, widest_and_equal_boards
from bridgebuddy.seasons.queries.ratings import ratings_before
from bridgebuddy.seasons.rules.luck import ComparedResult, Luck, SessionLuck, firm_places
from movements.engine import catalogue
from movements.engine.offers import movement_for
from tests.events.states import a_switch, of
from tests.factories import begun, section_with
from tests.proofs.luck import EQUAL, STRONG, UNSURE, VERY_UNEQUAL, measured, plays_of, results
from tests.scoring.test_drawing import swiss

from .evenings import evening

EVENINGS = 12
SKIP = catalogue.build_movement("skip-mitchell", 8)


@pytest.fixture(scope="module")
def told():
    return [measured(SKIP, seed) for seed in range(EVENINGS)]


def test_ranges_hold_the_truth_about_nine_times_in_ten(told):
    assert 0.85 <= mean(item for each in told for item in each.held) <= 0.95


@pytest.mark.parametrize(("family", "pairs"), [("skip-mitchell", 15), ("howell", 9)])
def test_they_do_where_somebody_sits_out(family, pairs):
    movement = movement_for(family, pairs)
    told = [measured(movement, seed) for seed in range(EVENINGS)]

    assert 0.85 <= mean(item for each in told for item in each.held) <= 0.96


@pytest.mark.parametrize("strong", [EQUAL, STRONG, VERY_UNEQUAL])
def test_they_do_among_equals_as_among_beginners_and_masters(strong):
    told = [measured(SKIP, seed, strong) for seed in range(3 * EVENINGS)]

    assert 0.85 <= mean(item for each in told for item in each.held) <= 0.95


def test_who_knows_a_rating_errs_less_and_says_so(told):
    rated = [measured(SKIP, seed, unsure=UNSURE) for seed in range(EVENINGS)]

    assert 0.85 <= mean(item for each in rated for item in each.held) <= 0.99
    assert mean(error**2 for each in rated for error in each.errors) < mean(
        error**2 for each in told for error in each.errors
    )


def test_who_is_told_knows_more_than_who_thinks_all_draws_fair(told):
    wrong = mean(error**2 for each in told for error in each.errors)
    assert wrong < mean(item**2 for each in told for item in each.truths)


def lucks_of(family, tables, seed=1, strong=8.0):
    movement = catalogue.build_movement(family, tables)
    dice = Random(seed)
    strengths = {contestant: dice.gauss(0, strong) for contestant in movement.contestants}
    plays = results(plays_of(movement), strengths, dice)
    fields = [[str(member) for member in movement.members(field)] for field in movement.fields]
    return plays, fields, SessionLuck(plays, fields)


@pytest.mark.parametrize(
    ("family", "tables"), [("mitchell", 7), ("share-and-relay", 6), ("howell", 4)]
)
def test_where_everybody_weighs_the_same_the_draw_does_nothing(family, tables):
    *_, lucks = lucks_of(family, tables)

    for contestant in lucks.people:
        assert lucks.luck_of(contestant) == Luck(0.0, 0.0, 0.0)
        assert lucks.shares(contestant, 0.001) == []


def test_where_some_are_not_met_it_does_something():
    *_, lucks = lucks_of("skip-mitchell", 8)

    assert any(abs(lucks.luck_of(contestant).opponents) > 0.1 for contestant in lucks.people)


def test_order_and_names_change_nothing():
    plays, fields, lucks = lucks_of("skip-mitchell", 6)
    renamed = [
        ComparedResult(
            play.board, tuple(f"Q{w}" for w in play.ns), tuple(f"Q{w}" for w in play.ew), play.value
        )
        for play in reversed(plays)
    ]

    again = SessionLuck(
        renamed, [[f"Q{contestant}" for contestant in reversed(field)] for field in fields]
    )

    for contestant in lucks.people:
        assert isclose(
            lucks.luck_of(contestant).total_luck,
            again.luck_of(f"Q{contestant}").total_luck,
            abs_tol=1e-9,
        )
        assert isclose(
            lucks.luck_of(contestant).give_or_take,
            again.luck_of(f"Q{contestant}").give_or_take,
            abs_tol=1e-9,
        )


def test_who_met_only_the_weakest_would_have_had_less_with_a_fair_draw():
    # 1 and 2 are as good as each other; 7 and 8 are weak, and 1 meets them alone
    tables = (
        [("1", "7"), ("2", "5"), ("3", "6"), ("4", "8")],
        [("1", "8"), ("2", "6"), ("3", "5"), ("4", "7")],
    )
    plays = [
        ComparedResult(f"{number} {board}", (ns,), (ew,), 30.0 if ew in "78" else -30.0)
        for number, there in enumerate(tables)
        for board in range(12)
        for ns, ew in there
    ]

    lucks = SessionLuck(plays, [["1", "2", "3", "4"], ["5", "6", "7", "8"]])

    assert lucks.luck_of("1").opponents > 1
    assert lucks.luck_of("2").opponents < -1
    # 2 never met 7 nor 8: that is of the table, and not of comparisons
    missed = [share for share in lucks.shares("2", 0.1) if share.other in "78"]
    assert [share.other for share in missed] == ["7", "8"]
    for item in missed:
        assert (item.is_met, item.is_at_the_table, item.is_more) == (False, True, False)
        assert item.brought < 0


def test_what_is_known_beforehand_counts_as_strength():
    plays, fields, _ = lucks_of("skip-mitchell", 8)
    level = [replace(play, value=0.0) for play in plays]
    giant = fields[1][0]
    assert SessionLuck(level, fields).luck_of(fields[0][0]).total_luck == 0

    told = SessionLuck(level, fields, {giant: 40.0})

    for contestant in fields[0]:
        is_met = any(contestant in play.ns and giant in play.ew for play in plays)
        assert (told.luck_of(contestant).opponents < 0) == is_met


def test_what_turned_boards_did_is_told_apart():
    movement = catalogue.build_movement("skip-mitchell", 6)
    plays, fields, _ = lucks_of("skip-mitchell", 6)
    field = [fields[0] + fields[1]]
    # pairs who meet in the last round: they give each other their cards
    last = {
        (str(seating.ns), str(seating.ew))
        for seating in movement.seatings
        if seating.round == movement.rounds
    }
    turned = [
        ComparedResult(play.board, play.ew, play.ns, -play.value, turned=True)
        if (play.ns[0], play.ew[0]) in last
        else play
        for play in plays
    ]
    told, straight = (
        SessionLuck(turned, field),
        SessionLuck([item.without_arrow_switch for item in turned], field),
    )

    assert all(straight.luck_of(contestant).turned == 0 for contestant in straight.people)
    assert any(abs(told.luck_of(contestant).turned) > 0.1 for contestant in told.people)


def test_where_all_tables_turn_a_board_it_changes_nothing():
    plays, fields, _ = lucks_of("skip-mitchell", 6)
    first = plays[0].board
    turned = [
        ComparedResult(play.board, play.ew, play.ns, -play.value, turned=True)
        if play.board == first
        else play
        for play in plays
    ]

    told = SessionLuck(turned, [fields[0] + fields[1]])

    assert any(abs(told.luck_of(contestant).total_luck) > 0.1 for contestant in told.people)
    assert all(
        isclose(told.luck_of(contestant).turned, 0, abs_tol=1e-9) for contestant in told.people
    )


def test_how_far_ahead_is_far_enough_follows_from_how_far_both_may_stray():
    *_, lucks = lucks_of("skip-mitchell", 8)

    def enough(smaller, other):
        """Return the lead needed in a fair draw, found by trying."""
        low, high = -100.0, 100.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (
                (low, middle)
                if lucks.would_lead_in_fair_draw(smaller, other, middle)
                else (middle, high)
            )
        return high - lucks.luck_of(smaller).total_luck + lucks.luck_of(other).total_luck

    sure = {contestant: lucks.luck_of(contestant).give_or_take for contestant in lucks.people[:8]}
    for smaller, other in pairwise(sorted(sure, key=sure.__getitem__)):
        margin = enough(smaller, other)
        assert isclose(margin, enough(other, smaller), abs_tol=1e-6)
        assert sure[other] - sure[smaller] - 1e-6 <= margin <= sure[other] + sure[smaller] + 1e-6
    weakest, *_, strongest = sorted(sure, key=sure.__getitem__)
    assert enough(weakest, strongest) > 0.1


def test_a_giant_wins_with_any_draw_and_equals_with_none():
    plays, fields, _ = lucks_of("skip-mitchell", 8, strong=0.0)
    giant = [
        ComparedResult(play.board, play.ns, play.ew, 50.0 if "1" in play.ns else play.value * 0.9)
        for play in plays
    ]
    listed = [("1", 50.0), *((contestant, 0.0) for contestant in fields[0] if contestant != "1")]

    assert firm_places(SessionLuck(giant, fields), listed)[0] == 1
    assert (
        firm_places(SessionLuck(plays, fields), [(contestant, 0.0) for contestant in fields[0]])
        == []
    )


def test_with_too_few_results_nothing_is_said():
    with pytest.raises(ValueError, match="too few"):
        SessionLuck(
            [ComparedResult(1, ("1",), ("2",), 5.0), ComparedResult(1, ("3",), ("4",), -5.0)],
            [["1", "2", "3", "4"]],
        )


def page_of(client, section):
    return client.get(reverse("ranking", args=[section.code]) + "?open=review").content.decode()


@pytest.mark.django_db
def test_an_evening_is_looked_back_upon(client, club, alice):
    section = evening(club, alice, "2026-11-20", pairs=8, boards_per_round=3)
    client.force_login(alice)

    page = page_of(client, section)

    [found] = luck_lists(ScoredSession(SessionSnapshot(section)), ratings_before(section.session))
    assert len(found.rows) == 8
    assert "The draw had no influence" in page  # a Howell of four tables is perfect
    assert "Fairness 100 of 100, very even" in page
    assert "±" not in page
    assert "Wildest boards: " in page
    ranking = client.get(reverse("ranking", args=[section.code])).content.decode()
    assert "Review of the session: The draw had no influence" in ranking
    assert "Wildest boards: " not in ranking  # until it is opened


def skip_evening(club, alice, pairs=12, score=lambda play: 110 * (-1) ** play.table):
    section = section_with(pairs, "skip-mitchell", club=club, by=alice, round=5)
    for play in section.plays.exclude(Q(ns=None) | Q(ew=None)).order_by("pk"):
        enter_result(section, play.pk, {"score": score(play)}, by=alice)
    return section


@pytest.mark.django_db
def test_beside_each_line_stands_what_a_fair_draw_would_have_given(client, club, alice):
    section = skip_evening(club, alice)
    make_list_final(section, by=alice)
    client.force_login(alice)

    page = page_of(client, section)

    assert page.count(" ± ") == 12
    assert "Within the draw’s luck: places" in page
    assert "not met: " in page
    assert "results of this session alone" in page


@pytest.mark.django_db
def test_before_the_list_is_final_nothing_is_told_of_the_draw(client, club, alice):
    section = skip_evening(club, alice)
    client.force_login(alice)

    page = page_of(client, section)

    assert " ± " not in page
    assert "once the list is final" in page
    ranking = client.get(reverse("ranking", args=[section.code])).content.decode()
    assert "Review of the session" not in ranking


@pytest.mark.django_db
def test_lines_stand_in_the_order_of_the_list(club, alice):
    section = skip_evening(club, alice)
    make_list_final(section, by=alice)

    for found in luck_lists(
        scored := ScoredSession(SessionSnapshot(section)), ratings_before(section.session)
    ):
        assert [row.standing.contestant_key for row in found.rows] == [
            standing.contestant_key
            for ranking in scored.main_lists
            if ranking.field == found.ranking.field
            for standing in ranking.standings
        ]


@pytest.mark.django_db
def test_who_sat_out_at_the_half_table_is_told_the_rounds(client, club, alice):
    section = skip_evening(club, alice, pairs=11)
    make_list_final(section, by=alice)
    client.force_login(alice)

    waited = sat_out(ScoredSession(SessionSnapshot(section)))

    half = section.plays.filter(Q(ns=None) | Q(ew=None)).values_list("round", flat=True)
    assert sorted(at for rounds in waited.values() for at in rounds) == sorted(set(half))
    assert page_of(client, section).count("sat out in round ") == len(waited) > 0


@pytest.mark.django_db
def test_a_club_with_a_rating_is_told_by_what_was_known_before(club, alice, client):
    RatingSettings.objects.create(club=club)
    section = skip_evening(club, alice)
    make_list_final(section, by=alice)
    client.force_login(alice)

    assert not any(
        item.is_by_rating
        for item in luck_lists(
            ScoredSession(SessionSnapshot(section)), ratings_before(section.session)
        )
    )
    # the same people played before: now they are known, and what is known is not of this session
    earlier = skip_evening(club, alice, score=lambda play: 110 if play.ns_id % 2 else -110)
    earlier.session.date = section.session.date - timedelta(days=7)
    earlier.session.save()
    make_list_final(earlier, by=alice)

    # the page keeps the lists that nobody has asked for yet, before it reads
    assert "the club’s rating before this session" in page_of(client, section)
    assert all(
        item.is_by_rating
        for item in luck_lists(
            ScoredSession(SessionSnapshot(section)), ratings_before(section.session)
        )
    )
    assert not any(
        item.is_by_rating
        for item in luck_lists(
            ScoredSession(SessionSnapshot(earlier)), ratings_before(earlier.session)
        )
    )


@pytest.mark.django_db
def test_turned_boards_are_taken_from_the_plays(club, alice):
    section = section_with(10, "mitchell", club=club, by=alice)
    section = switch_arrows(section, a_switch(section), **of(section), by=alice)
    section = begun(section, section.movement.rounds)
    assert section.plays.filter(turned=True).exists()
    for play in section.plays.order_by("pk"):
        enter_result(section, play.pk, {"score": 110 * (play.ns_id % 3 - 1)}, by=alice)
    make_list_final(section, by=alice)

    [found] = luck_lists(ScoredSession(SessionSnapshot(section)), ratings_before(section.session))

    assert any(row.luck.turned for row in found.rows)


@pytest.mark.django_db
def test_boards_are_wild_or_flat_by_their_scores(club, alice):
    section = evening(club, alice, "2026-11-20", pairs=8, boards_per_round=2)
    scored = ScoredSession(SessionSnapshot(section))

    wild, flat = widest_and_equal_boards(scored)

    spread = {}
    for line in scored.tonight.lines:
        spread.setdefault(line.board, set()).add(scored.score(line))
    assert flat == sorted(board for board, scores in spread.items() if len(scores) == 1)
    assert 0 < len(wild) <= 3
    assert not set(wild) & set(flat)


@pytest.mark.django_db
@pytest.mark.parametrize("family", ["swiss", "knockout"])
def test_where_meetings_follow_results_there_is_no_such_draw(client, club, alice, family):
    section = section_with(8, family, club=club, by=alice, contest="teams", round=1)
    client.force_login(alice)

    page = page_of(client, section)

    assert "the opponents depended on results" in page


@pytest.mark.django_db
def test_what_matches_play_with_cards_of_their_own_is_no_board_of_all(club, alice):
    section = swiss(6, contest="teams", club=club, by=alice)
    for play in section.plays.exclude(ew=None):
        enter_result(section, play.pk, {"score": 110 if play.table % 2 else -110}, by=alice)
    scored = ScoredSession(SessionSnapshot(section))
    assert len({scored.tonight.cards_of(line) for line in scored.tonight.lines}) > 3

    assert widest_and_equal_boards(scored) == ([], [])
