"""Drawing the next round from the results, and keeping the draw."""

import random
from itertools import permutations

import pytest

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.events.errors import CannotGoBack, NotDrawn, SectionChanged
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.play import changes
from bridgebuddy.events.services.play.rounds import start_next_round
from bridgebuddy.events.services.setup.movement import choose_movement
from bridgebuddy.scoring.draws.drawing import CannotDraw, DrawWishes, RoundDraw
from bridgebuddy.scoring.errors import DrawChanged, ResultsInRound
from bridgebuddy.scoring.models import Draw, Result
from bridgebuddy.scoring.results.scored import ScoredSession
from bridgebuddy.scoring.rules.draws import drawing as rules
from bridgebuddy.scoring.services.draws.drawing import publish_draw, take_back_draw
from bridgebuddy.scoring.services.publishing import set_scoring_profile
from bridgebuddy.scoring.services.results import (
    EnteredResult,
    enter_result,
    enter_results,
    undo_result,
)
from bridgebuddy.scoring.snapshot.session_snapshot import SessionSnapshot
from movements.engine.errors import NoDraw
from tests.factories import director_of, section_with

pytestmark = pytest.mark.django_db

SWISS_PAIRS = {"contest": "pairs", "first": "slide"}


def swiss(entries, rounds=4, contest="pairs", boards_per_round=3, *, club=None, by=None, **options):
    """Return a Swiss in its first round."""
    options = (SWISS_PAIRS if contest == "pairs" else {"first": "slide"}) | options
    choice = {"rounds": rounds, "boards_per_round": boards_per_round, "options": options}
    return section_with(entries, "swiss", round=1, contest=contest, club=club, by=by, **choice)


def drawing_of(section, **wishes):
    tonight = SessionSnapshot(section)
    return RoundDraw(ScoredSession(tonight), tonight.section, DrawWishes(**wishes))


def score(section, rng, but=()):
    """Enter a result for every board of the round that is being played, but at some tables."""
    plays = section.plays.filter(round=section.round, taken_back_at=None, ew__isnull=False)
    results = [
        EnteredResult(play.pk, {"score": rng.choice([-620, -420, -110, -50, 90, 140, 430, 650])})
        for play in plays.exclude(ns=None).exclude(table__in=but)
    ]
    for result in results:  # whatever the vulnerability allows
        result.outcome["score"] = rng.choice([-140, -110, -90, 90, 110, 120, 140, 170])
    enter_results(section, results, by=None)
    section.refresh_from_db()


def publish(section, by, **wishes):
    drawing = drawing_of(section, **wishes)
    found = publish_draw(section, DrawWishes(**wishes), key=drawing.key, plan=section.plan, by=by)
    section.refresh_from_db()
    return found


def play_on(section, by, rng):
    """Draw the next round, start it and score it."""
    publish(section, by)
    start_next_round(section, after=section.round, by=by)
    section.refresh_from_db()
    score(section, rng)


# ── a second, tiny implementation ──


def matches_of(section, round):
    """Return the pairings of a round, from the plays alone."""
    plays = section.plays.filter(round=round, taken_back_at=None).select_related("ns", "ew")
    return {frozenset((p.ns.contestant, p.ew.contestant)) for p in plays if p.ns and p.ew}


def all_matchings(left):
    if not left:
        yield []
        return
    first, *others = left
    for other in others:
        for rest in all_matchings([item for item in others if item != other]):
            yield [(first, other), *rest]


def best_draw(order, met):
    """Return the draw with the smallest sum of squared distances, without rematches, closer at the top."""
    lawful = [m for m in all_matchings(order) if not any(frozenset(c) in met for c in m)]

    def cost(matching):
        gaps = [(order.index(a), order.index(b) - order.index(a)) for a, b in matching]
        return sum(d * d for _, d in gaps), sum((len(order) - a) * d for a, d in gaps)

    return {frozenset(c) for c in min(lawful, key=lambda m: (cost(m)[0], -cost(m)[1], m))}, min(
        cost(m)[0] for m in lawful
    )


def test_a_swiss_of_ten_pairs_is_drawn_as_an_exhaustive_search_would():
    rng = random.Random(5)
    section = swiss(10)
    by = director_of(section.club)
    score(section, rng)
    met = matches_of(section, 1)
    for round in (2, 3, 4):
        order = drawing_of(section).ranking
        _, least = best_draw(order, met)
        play_on(section, by, rng)
        found = matches_of(section, round)
        assert not found & met
        spread = sum((order.index(a) - order.index(b)) ** 2 for a, b in map(tuple, found))
        assert spread == least
        met |= found


def test_standings_of_a_swiss_of_pairs_are_those_of_its_matches():
    """Victory points of each pair's matches, added up by hand from the document's own matches."""
    rng = random.Random(2)
    section = swiss(12)
    by = director_of(section.club)
    score(section, rng)
    play_on(section, by, rng)

    drawing = drawing_of(section)
    totals = {}
    for match in ScoredSession(SessionSnapshot(section)).results.matches:
        for contestant, vps in ((match.home, match.vps.home), (match.away, match.vps.away)):
            totals[contestant] = totals.get(contestant, 0) + vps
    assert {row.contestant.slug: row.total for row in drawing.rows} == totals
    assert [row.total for row in drawing.rows] == sorted(totals.values(), reverse=True)


@pytest.mark.parametrize("odd", ["bye", "triangle"])
def test_seven_teams_have_each_one_bye_or_triangle(odd):
    rng = random.Random(3)
    section = swiss(7, rounds=3, contest="teams", odd=odd)
    by = director_of(section.club)
    score(section, rng)
    for _ in (2, 3):
        play_on(section, by, rng)

    movement = section.movement.movement
    byes = [s.ns for s in movement.seatings if not s.is_played]
    assert len(byes) == len(set(byes))
    met = [frozenset(s.contestants) for s in movement.seatings if s.is_played]
    met += [
        frozenset(c) for t in movement.triangles for c in permutations(t.teams, 2) if c[0] < c[1]
    ]
    assert len(met) == len(set(met))
    assert section.movement.open_rounds == ()


@pytest.mark.parametrize(("method", "points"), [("team-imps", 12.0), ("bam", None)])
def test_a_bye_is_worth_victory_points_where_matches_are(method, points):
    section = swiss(5, contest="teams", odd="bye")
    set_scoring_profile(section, {"preset": "WBF", "method": method}, by=None)
    score(section, random.Random(2))

    assert drawing_of(section).bye_points == points


def test_in_a_danish_last_round_the_first_meets_the_second_whoever_has_met():
    section = swiss(4, rounds=3, contest="teams", danish=True)
    by, rng = director_of(section.club), random.Random(3)
    score(section, rng)
    play_on(section, by, rng)
    ranking = drawing_of(section).ranking

    publish(section, by)

    drawn = [frozenset(s.contestants) for s in section.movement.movement.in_round(3)]
    assert drawn == [frozenset(ranking[:2]), frozenset(ranking[2:])]


def test_where_everybody_would_meet_somebody_again_there_is_no_draw(monkeypatch):
    def none(_round):
        raise NoDraw("swiss")

    section = swiss(8)
    score(section, random.Random(3))
    monkeypatch.setattr(rules.SwissRound, "draw_by_rule", property(none))

    with pytest.raises(CannotDraw) as refused:
        _ = drawing_of(section).exchanged_draw

    assert (refused.value.is_missing, refused.value.is_exchanged) == (False, False)


# ── results that are missing ──


def test_a_draw_waits_for_the_last_table_or_goes_on_as_the_director_says():
    rng = random.Random(1)
    section = swiss(8)
    score(section, rng, but=[2])

    waiting = drawing_of(section)
    [missing] = waiting.missing
    assert waiting.is_waiting
    assert (missing.home, missing.away) == ("2", "6")
    without = drawing_of(section, late="last")
    assert (without.last_counted_round, without.stored_form()["given"]) == (0, [])

    given = drawing_of(section, late="given", given={missing.key: (20, 0)})
    assert not given.is_waiting
    assert given.rows[0].contestant.slug == "2"
    assert given.rows[0].total == 20


def test_points_given_for_a_draw_are_kept_with_it_and_count_nowhere_else():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng, but=[2])

    kept = publish(section, by, late="given", given={"1-2-6": (20, 0)})

    assert kept.given == [[1, "2", "6", 20.0, 0.0]]
    assert kept.standings[0] == [section.entries.get(contestant=2).pk, "1", 20.0]
    assert [row.key for row in drawing_of(section).missing][:1] == ["1-2-6"]


def test_one_round_behind_nobody_waits():
    rng = random.Random(4)
    section = swiss(8, behind=True)
    by = director_of(section.club)
    score(section, rng)
    start_next_round(section, after=1, by=by)

    drawing = drawing_of(Section.objects.get(pk=section.pk))

    assert (drawing.round, drawing.last_counted_round, drawing.missing) == (3, 1, ())


def test_who_must_stay_seated_does_so_in_a_second_round_drawn_beforehand():
    section = section_with(8)
    section.entries.filter(position=6).update(must_stay_seated=True)
    options = SWISS_PAIRS | {"behind": True}
    by = director_of(section.club)
    choose_movement(section, "swiss", rounds=4, boards_per_round=3, options=options, by=by)

    section.refresh_from_db()

    seatings = section.movement.movement.seatings_of(6)
    assert [(seating.table, seating.ew) for seating in seatings] == [(2, 6), (2, 6)]
    assert section.movements.get().movement_id == section.movement_id


# ── by hand ──


def test_two_are_exchanged_and_a_rematch_is_told():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    drawing = drawing_of(section)
    first = drawing.meetings[0]
    one, met = first.home.number, (first.home.number + 3) % 8 + 1  # slide: 1 v 5, 2 v 6 …
    other = first.away.slug

    changed = drawing_of(section, exchanges=((other, str(met)),))

    assert frozenset((one, met)) in changed.exchanged_draw.couples
    again = [m for m in changed.meetings if m.told.met_in]
    assert [m.told.met_in for m in again if {m.home.number, m.away.number} == {one, met}] == [1]
    kept = publish(section, by, exchanges=((other, str(met)),))
    assert len(kept.exchanged) == 1
    assert frozenset((one, met)) in {
        frozenset(s.contestants) for s in section.movement.movement.in_round(2)
    }


# ── once, and only what was seen ──


def test_a_draw_is_published_once_whoever_presses_twice_and_is_recorded():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    plan, shown, results = section.plan, section.shown, section.results
    key = drawing_of(section).key
    swiss(8)  # of another club
    others = list(Section.objects.exclude(pk=section.pk).values())

    for _ in range(2):
        publish_draw(section, DrawWishes(), key=key, plan=plan, by=by)

    section.refresh_from_db()
    assert Draw.objects.count() == 1
    assert (section.plan, section.shown, section.results) == (plan + 1, shown + 1, results)
    assert section.movement.open_rounds == (3, 4)
    assert AuditRecord.objects.filter(action="section.draw", subject_id=section.pk).count() == 1
    assert list(Section.objects.exclude(pk=section.pk).values()) == others


def test_a_draw_is_published_and_taken_back_as_the_section_is_stored():
    section = swiss(8)
    by = director_of(section.club)
    score(section, random.Random(1))
    unread = Section(pk=section.pk)

    publish_draw(unread, DrawWishes(), key=drawing_of(section).key, plan=section.plan, by=by)
    section.refresh_from_db()
    assert section.movement.open_rounds == (3, 4)

    take_back_draw(unread, 2, plan=section.plan, by=by)
    section.refresh_from_db()
    assert section.movement.open_rounds == (2, 3, 4)


def test_of_two_directors_the_slower_one_is_refused():
    rng = random.Random(1)
    section = swiss(8)
    score(section, rng)
    plan, key = section.plan, drawing_of(section).key
    publish_draw(section, DrawWishes(), key=key, plan=plan, by=director_of(section.club))

    with pytest.raises(SectionChanged):
        publish_draw(section, DrawWishes(), key=key, plan=plan, by=director_of(section.club))

    assert Draw.objects.count() == 1


def test_a_result_that_came_in_meanwhile_publishes_nothing_unseen():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    drawing = drawing_of(section)
    last = drawing.rows[-1].contestant
    for play in section.plays.filter(ns=last.entry):
        enter_result(section, play.pk, {"score": 170}, by=None)
    for play in section.plays.filter(ew=last.entry):
        enter_result(section, play.pk, {"score": -170}, by=None)
    section.refresh_from_db()

    with pytest.raises(DrawChanged):
        publish_draw(section, DrawWishes(), key=drawing.key, plan=section.plan, by=by)

    assert not Draw.objects.exists()
    assert Section.objects.get(pk=section.pk).movement.open_rounds == (2, 3, 4)


def test_a_correction_changes_no_draw_and_the_standings_it_went_by_stay_readable():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    kept = publish(section, by)
    drawn = section.movement.movement.in_round(2)
    before = kept.standings

    for play in section.plays.filter(table=1):
        enter_result(section, play.pk, {"score": -170}, by=None)

    section.refresh_from_db()
    assert section.movement.movement.in_round(2) == drawn
    assert Draw.objects.get().standings == before
    now = drawing_of(section).standings(1)
    assert [
        [standing.contestant.entry, standing.place, standing.total] for standing in now
    ] != before


# ── the round ──


def test_a_round_that_is_not_drawn_cannot_begin():
    section = swiss(8)
    by = director_of(section.club)

    with pytest.raises(NotDrawn):
        start_next_round(section, after=1, by=by)

    assert not section.plays.filter(round=2).exists()


def test_a_draw_can_be_taken_back_until_its_round_has_a_result():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    publish(section, by)
    start_next_round(section, after=1, by=by)
    section.refresh_from_db()

    take_back_draw(section, 2, plan=section.plan, by=by)

    section.refresh_from_db()
    assert (section.round, section.movement.open_rounds) == (1, (2, 3, 4))
    assert not section.plays.filter(round=2, taken_back_at=None).exists()
    publish(section, by)
    start_next_round(section, after=1, by=by)
    section.refresh_from_db()
    score(section, rng)
    with pytest.raises(ResultsInRound):
        take_back_draw(section, 2, plan=section.plan, by=by)
    with pytest.raises(ResultsInRound):
        take_back_draw(section, 1, plan=section.plan, by=by)


def test_a_draw_is_taken_back_before_its_round_begins():
    section = swiss(8)
    by = director_of(section.club)
    score(section, random.Random(1))
    publish(section, by)
    section.refresh_from_db()

    take_back_draw(section, 2, plan=section.plan, by=by)

    section.refresh_from_db()
    assert (section.round, section.movement.open_rounds) == (1, (2, 3, 4))
    assert section.plays.filter(round=1, taken_back_at=None).exists()


def test_a_draw_for_which_results_are_missing_by_now_is_refused():
    section = swiss(8)
    by = director_of(section.club)
    score(section, random.Random(1))
    key = drawing_of(section).key
    undo_result(section, Result.objects.filter(stands=True).last().pk, by=by)

    with pytest.raises(DrawChanged):
        publish_draw(section, DrawWishes(), key=key, plan=section.plan, by=by)


def test_a_first_round_was_not_drawn_from_results_and_is_not_taken_back():
    section = swiss(8)

    with pytest.raises(CannotGoBack):
        take_back_draw(section, 1, plan=section.plan, by=director_of(section.club))

    section.refresh_from_db()
    assert section.round == 1


def test_the_desk_undoes_a_draw_until_its_round_begins():
    rng = random.Random(1)
    section = swiss(8)
    by = director_of(section.club)
    score(section, rng)
    publish(section, by)

    assert changes.undoable_version(section).change == "draw"
    start_next_round(section, after=1, by=by)
    section.refresh_from_db()
    assert changes.undoable_version(section) is None


def test_beside_a_howell_a_swiss_is_drawn_by_its_victory_points():
    section = swiss(8)
    other = section_with(6, "howell", round=1, club=section.club)
    Section.objects.filter(pk=other.pk).update(session=section.session, name="B")
    score(section, random.Random(1))

    rows = drawing_of(section).rows

    assert sum(row.total for row in rows) == 4 * 20


def test_another_sections_missing_results_keep_no_draw_waiting(club, alice):
    section = swiss(8)
    beside = swiss(8)
    Section.objects.filter(pk=beside.pk).update(session=section.session, name="B")
    section.refresh_from_db()
    score(section, random.Random(4))

    assert drawing_of(section).missing == ()
    publish(section, director_of(section.club))
    assert len(drawing_of(Section.objects.get(pk=beside.pk)).missing) == 4
