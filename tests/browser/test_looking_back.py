"""Looking back upon an evening: one page, calm on a laptop and on a phone."""

from datetime import timedelta
from random import Random

import pytest
from django.db.models import Q

from bridgebuddy.scoring.services import publishing, results
from tests.browser.conftest import DESKTOP, sign_in
from tests.browser.test_accessibility import unfold, visit
from tests.factories import begun, section_with

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCORES = (-170, -140, -110, -90, 90, 110, 140, 170)


def played(club, by, pairs, family, **choice):
    """Return an evening that was played to its end, some rounds too long, with a final list."""
    section = section_with(pairs, family, club=club, by=by, **choice)
    section = begun(section, section.movement.rounds)
    random = Random(3)
    for play in section.plays.exclude(Q(ns=None) | Q(ew=None)).order_by("pk"):
        better = (play.ns_id - play.ew_id) % 5
        results.enter_result(
            section, play.pk, {"score": random.choice(SCORES[better : better + 4])}, by=by
        )
    averages = {"artificial": {"ns": "AVE+", "ew": "AVE-"}}
    results.enter_result(
        section, section.plays.exclude(Q(ns=None) | Q(ew=None)).first().pk, averages, by=by
    )
    at = section.session.planned_start + timedelta(minutes=4)
    for round in range(1, section.round):
        section.clocks_before[str(round)] = [at.isoformat(), 0, False]
        at += section.round_length + timedelta(minutes=round)
    section.round_started_at, section.finished_at = at, at + section.round_length
    section.save()
    publishing.make_list_final(section, by=by)
    return section


def test_it_opens_below_the_ranking(page, club, alice):
    desk = page(DESKTOP, reduced_motion="reduce")
    sign_in(desk, alice)
    before = played(club, alice, 8, "howell")
    before.session.date -= timedelta(days=7)
    before.session.save()
    section = played(club, alice, 15, "skip-mitchell")

    desk.goto(f"/s/{section.code}/results/ranking/")
    assert "±" not in desk.inner_text("main")
    desk.locator("#review > summary").click()
    desk.locator("#review table").first.wait_for()

    assert "±" in desk.inner_text("main")
    assert desk.locator("h1").count() == 1
    assert visit(desk, [(f"/s/{section.code}/results/back/", unfold)]) == []
    assert visit(desk, [f"/s/{before.code}/results/back/"]) == []
