"""The page on which a director draws the next round, from the first draw to the last."""

import random
import re

import pytest
from django.urls import reverse

from bridgebuddy.events.models import Section
from bridgebuddy.scoring.errors import ImpossibleDraw
from bridgebuddy.scoring.models import Draw
from bridgebuddy.scoring.services.draws.drawing import publish_draw
from bridgebuddy.scoring.services.results import EnteredResult, enter_result, enter_results
from tests.director.reading import text
from tests.factories import ClubFactory, director_of, section_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(client):
    """A browser at the pages of a section."""

    class At:
        def __init__(self, section):
            self.section = section
            client.force_login(director_of(section.club))

        def get(self, name, **query):
            return client.get(reverse(name, args=[self.section.code]), query)

        def post(self, name, **sent):
            return client.post(reverse(name, args=[self.section.code]), sent)

        def press(self, page, name="draw", **more):
            """Send the page's form of this name unchanged."""
            form = next(
                form
                for form in re.findall(r"<form.*?</form>", page.content.decode(), re.S)
                if reverse(name, args=[self.section.code]) + '"' in form and "post" in form
            )
            hidden = re.findall(r'name="([\w-]+)" value="([^"]*)"', form)
            sent = {key: [v for k, v in hidden if k == key] for key, _ in hidden}
            del sent["csrfmiddlewaretoken"]
            return self.post(name, **sent | more)

        def score(self, rng, but=()):
            section = Section.objects.get(pk=self.section.pk)
            plays = section.plays.filter(round=section.round, taken_back_at=None)
            enter_results(
                section,
                [
                    EnteredResult(play.pk, {"score": rng.choice([-140, -110, -90, 90, 110, 140])})
                    for play in plays.exclude(table__in=but)
                ],
                by=None,
            )

    return At


def test_swiss_teams_of_nine_with_a_triangle_over_four_rounds_and_a_correction(at):
    rng = random.Random(7)
    section = section_with(9, contest="teams")
    page = at(section)
    chosen = page.post(
        "choose-drawn", kind="swiss", rounds=4, boards=4, first="slide", odd="triangle"
    )
    assert chosen.status_code == 302
    page.post("next-round", after=0)
    assert "Draw round 2" in text(page.get("desk"))
    refused = page.post("next-round", after=1)
    assert "Round 2 has not been drawn yet" in text(page.get("desk")) + text(refused)

    for round in (2, 3, 4):
        page.score(rng)
        proposed = page.get("draw")
        assert f"Draw for round {round}: no meeting is repeated" in text(proposed)
        if round == 3:  # a result of round 1 is put right after the draw of round 2
            play = section.plays.filter(round=1).first()
            enter_result(section, play.pk, {"score": 1100}, by=None)
            changed = text(page.get("draw", round="2"))
            assert "The standings have changed since." in changed
            proposed = page.get("draw")
        assert page.press(proposed).status_code == 302
        published = text(page.get("draw"))
        assert f"Round {round} is drawn" in published
        assert "Undo this draw" in published
        page.post("next-round", after=round - 1)
        assert Section.objects.get(pk=section.pk).round == round

    section.refresh_from_db()
    movement = section.movement.movement
    assert movement.open_rounds == ()
    assert len(movement.triangles) == 4
    assert len({team for triangle in movement.triangles for team in triangle.teams}) == 9
    page.score(rng)
    assert "Winners" in text(page.get("ranking"))
    assert Draw.objects.count() == 3


def test_the_page_says_why_a_match_is_not_between_neighbours(at):
    section = section_with(
        10, "swiss", round=1, rounds=4, options={"contest": "pairs", "first": "fold"}
    )  # 1 v 10, 2 v 9 …; the first match is a draw, so both are in the middle
    page = at(section)
    scores = {1: 110, 2: 140, 3: 140, 4: 90, 5: 90}
    for play in section.plays.all():
        enter_result(section, play.pk, {"score": scores[play.table]}, by=None)

    proposed = text(page.get("draw"))

    assert "ranked 5= and 7=: North1 & South1 and North10 & South10 met in round 1" in proposed


def test_missing_results_are_told_with_three_ways_on(at):
    section = section_with(
        8, "swiss", round=1, rounds=4, options={"contest": "pairs", "first": "slide"}
    )
    page = at(section)
    page.score(random.Random(1), but=[2])

    waiting = text(page.get("draw"))
    assert "A match of round 1 has no result yet." in waiting
    assert "Wait" in waiting
    assert "Draw by seeds" in waiting
    assert "Lock and publish" not in waiting
    assert "Lock and publish round 2" in text(page.get("draw", late="last"))
    half = page.get("draw", **{"late": "given", "h-1-2-6": "12"})
    assert "Enter points for both sides of each match" in text(half)
    given = page.get("draw", **{"late": "given", "h-1-2-6": "20", "a-1-2-6": "0"})
    assert page.press(given).status_code == 302
    drawn = text(page.get("draw", round="2"))
    assert "had points for this draw alone" in drawn
    assert "The standings have changed since." not in drawn
    page.score(random.Random(2))
    assert "The standings have changed since." in text(page.get("draw", round="2"))


def test_an_exchange_is_shown_before_it_is_published_and_can_be_dropped(at):
    section = section_with(
        8, "swiss", round=1, rounds=4, options={"contest": "pairs", "first": "slide"}
    )
    page = at(section)
    page.score(random.Random(1))
    before = page.get("draw").context["proposal"].drawing.exchanged_draw.matches
    (_, one), (_, other), *_ = before

    exchanged = page.get("draw", one=str(one), other=str(other))

    assert "exchanged by hand" in text(exchanged) or "met in round" in text(exchanged)
    assert page.get("draw").context["proposal"].drawing.exchanged_draw.matches == before
    assert page.press(exchanged).status_code == 302
    assert Draw.objects.get().exchanged != []


@pytest.mark.parametrize("other", ["", "2", "99", "x"])
def test_an_exchange_with_nobody_or_with_oneself_leaves_the_draw_as_it_is(at, other):
    page = at(section_with(8, "swiss", round=1, rounds=4, options={"contest": "pairs"}))
    page.score(random.Random(1))
    before = page.get("draw").context["proposal"].drawing.exchanged_draw.matches

    asked = page.get("draw", one="2", other=other)

    assert asked.status_code == 200
    assert asked.context["proposal"].drawing.exchanged_draw.matches == before
    assert 'name="other" required' in asked.content.decode()


def test_nobody_is_exchanged_into_sitting_out_in_every_round(at):
    section = section_with(7, contest="teams")
    page = at(section)
    page.post("choose-drawn", kind="swiss", rounds=2, boards=4, first="slide", odd="bye")
    page.post("next-round", after=0)
    page.score(random.Random(1))
    drawing = page.get("draw").context["proposal"].drawing
    [idle] = {*range(1, 8)} - {
        n for s in drawing.movement.in_round(1) if s.is_played for n in s.contestants
    }
    assert drawing.exchanged_draw.bye != idle

    exchanged = page.get("draw", one=str(idle), other=str(drawing.exchanged_draw.bye))

    assert exchanged.status_code == 200
    assert "The exchange would give a sit-out in every round. Exchange others." in text(exchanged)
    assert "Once published" not in text(exchanged)
    assert "As it was drawn" in text(exchanged)
    proposal = exchanged.context["proposal"]
    section = Section.objects.get(pk=section.pk)
    with pytest.raises(ImpossibleDraw):
        publish_draw(
            section,
            proposal.drawing.wishes,
            key=proposal.drawing.key,
            plan=section.plan,
            by=director_of(section.club),
        )
    assert Section.objects.get(pk=section.pk).plan == section.plan


def test_a_published_draw_is_taken_back_on_its_page(at):
    section = section_with(
        8, "swiss", round=1, rounds=4, options={"contest": "pairs", "first": "slide"}
    )
    page = at(section)
    page.score(random.Random(1))
    page.press(page.get("draw"))

    assert page.press(page.get("draw"), "draw-back").status_code == 302

    section.refresh_from_db()
    assert section.movement.open_rounds == (2, 3, 4)
    assert "Lock and publish round 2" in text(page.get("draw"))


def test_phones_and_room_follow_the_draw(at, client):
    section = section_with(
        8, "swiss", round=1, rounds=4, options={"contest": "pairs", "first": "slide"}
    )
    page = at(section)
    page.score(random.Random(1))
    phone = reverse("player", args=[section.code, "1"])
    assert "Your next opponents are drawn when round 1 is over." in text(client.get(phone))

    page.press(page.get("draw"))

    section.refresh_from_db()
    [seating] = [s for s in section.movement.movement.seatings_of(1) if s.round == 2]
    after = text(client.get(phone))
    assert "are drawn when round 1 is over" not in after
    assert f"Table {seating.table}" in after
    room = text(client.get(reverse("room-display", args=[section.code])))
    assert "drawn when" not in room


def test_the_draw_is_no_page_where_nothing_is_drawn_and_of_no_other_club(at, client):
    section = section_with(8, "howell", round=1)
    assert at(section).get("draw").status_code == 302

    swiss = section_with(8, "swiss", rounds=4, options={"contest": "pairs"})
    client.force_login(director_of(ClubFactory()))
    for name in ("draw", "choose-drawn"):
        assert client.get(reverse(name, args=[swiss.code])).status_code == 404
    assert client.post(reverse("draw-back", args=[swiss.code])).status_code == 404
