"""The correction period of Law 79C: it ends by itself and closes the list until a director opens it again."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.audit.models import AuditRecord
from bridgebuddy.scoring.closing import closing_sentence
from bridgebuddy.scoring.errors import ListIsClosed
from bridgebuddy.scoring.models import Result, ScoringSettings
from bridgebuddy.scoring.services import classes, publishing, results, rulings
from bridgebuddy.scoring.services.copying import copy_scoring
from bridgebuddy.table_phones.models import CorrectionRequest
from tests.factories import director_of, section_with
from tests.scoring.test_tonight import enter_by_chance

pytestmark = pytest.mark.django_db


@pytest.fixture
def section():
    """Return a final and published evening whose correction period has just begun."""
    section = section_with(8, "howell", round=1)
    enter_by_chance(section)
    publishing.make_list_final(section, by=None)
    publishing.publish_results(section, by=None)
    section.refresh_from_db()
    return section


def scoring_of(section):
    return ScoringSettings.objects.get(session=section.session_id)


def over(section, minutes=31):
    """Let so many minutes go by since the list was made final."""
    scoring = scoring_of(section)
    scoring.final_at -= timedelta(minutes=minutes)
    scoring.closes_at = scoring.closing(scoring.final_at)
    scoring.save()
    return section


#: what would change a final list
CHANGES = {
    "a result": lambda section: results.enter_result(
        section, section.plays.first().pk, {"passed": True}, by=None
    ),
    "a penalty": lambda section: rulings.give_penalty(
        section,
        section.entries.first().pk,
        unit="percent",
        amount=-1,
        kind="procedural",
        by=None,
    ),
    "a fouled board": lambda section: rulings.foul_board(section, 1, tables=[1], by=None),
    "the method": lambda section: publishing.set_scoring_profile(
        section, {"method": "butler"}, by=None
    ),
    "categories": lambda section: classes.store_classes(
        section, strata=["A", "B"], classes={}, min_played="75", by=None
    ),
    "its length": lambda section: publishing.set_correction_period(section, None, by=None),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_list_is_corrected_for_half_an_hour_and_closes_by_itself(section, change):
    over(section)
    before = list(Result.objects.values_list("pk", "stands")), scoring_of(section).revision

    with pytest.raises(ListIsClosed):
        CHANGES[change](section)

    assert (
        list(Result.objects.values_list("pk", "stands")),
        scoring_of(section).revision,
    ) == before
    publishing.reopen_list(section, by=None)
    CHANGES[change](section)
    assert not scoring_of(section).is_closed


@pytest.mark.parametrize("change", CHANGES)
def test_until_then_what_changes_makes_it_a_revised_list(section, change):
    over(section, minutes=29)

    CHANGES[change](section)

    is_a_result = change != "its length"
    assert scoring_of(section).revision == 1 + is_a_result


def test_a_correction_does_not_make_the_period_longer(section):
    closes_at = scoring_of(section).closes_at

    CHANGES["a result"](section)

    assert scoring_of(section).closes_at == closes_at


def test_an_end_may_be_set_or_taken_away_and_goes_by_when_the_list_became_final(section):
    final_at = scoring_of(section).final_at

    publishing.set_correction_period(section, 60, by=None)
    assert scoring_of(section).closes_at == final_at + timedelta(minutes=60)
    publishing.set_correction_period(section, None, by=None)

    assert scoring_of(section).closes_at is None
    told = AuditRecord.objects.filter(action="results.corrections").order_by("pk")
    assert [record.facts["minutes"] for record in told] == [60, 0]


def test_a_list_made_final_anew_has_a_new_period(section):
    over(section)
    publishing.reopen_list(section, by=None)
    assert scoring_of(section).closes_at is None

    publishing.make_list_final(section, by=None)

    assert scoring_of(section).closes_at > timezone.now()


def test_the_end_of_corrections_is_said_by_the_clubs_clock(section):
    scoring = scoring_of(section)
    scoring.final_at = timezone.now()
    scoring.closes_at = datetime(2126, 11, 24, 20, 30, tzinfo=UTC)

    with timezone.override("Europe/Berlin"):
        assert closing_sentence(scoring) == "Corrections until 21:30, Sun 24 Nov."


def test_the_page_asks_for_it_and_says_until_when_and_that_it_is_over(section, client):
    client.force_login(director_of(section.club))
    address = reverse("ranking", args=[section.code])
    public = reverse("public-results", args=[scoring_of(section).token])
    client.post(
        reverse("results-profile", args=[section.code]),
        {"method": "matchpoints", "corrections": "60"},
    )
    assert scoring_of(section).correction_minutes == 60
    for item in (address, public):
        assert "Corrections until" in client.get(item).content.decode()

    over(section, minutes=61)

    for element in (address, public):
        page = client.get(element).content.decode()
        assert ("Corrections ended at" in page, "Corrections until" in page) == (True, False)
    refused = client.post(
        reverse("results-profile", args=[section.code]),
        {"method": "butler", "corrections": "60"},
    )
    assert (refused.status_code, scoring_of(section).profile.get("method")) == (422, "matchpoints")
    assert "Open it again first" in refused.content.decode()


def test_whoever_plays_once_more_has_as_long(section):
    publishing.set_correction_period(section, 20, by=None)
    again = section_with(8, "howell", club=section.club)

    copy_scoring(again, section)

    scoring = scoring_of(again)
    assert (scoring.correction_minutes, scoring.closes_at) == (20, None)


def test_files_and_what_a_phone_asked_for_lead_to_a_closed_list_opened_again(section, client):
    client.force_login(director_of(over(section).club))
    play = section.plays.first()
    asked = CorrectionRequest.objects.create(
        play=play, side="ns", outcome={"passed": True}, number=1
    )
    state, look_at, ranking = (
        reverse(name, args=[section.code]) for name in ("results-state", "look-at", "ranking")
    )
    repair = 'name="do" value="repair"'
    for page in (look_at, ranking):
        assert 'name="do" value="open"' in client.get(page).content.decode()
    assert repair not in client.get(look_at).content.decode()

    doubt = {"doubt": f"asked-{asked.pk}"}
    answer = client.post(state, {"do": "open", "at": "look-at", **doubt})

    assert answer.url == f"{look_at}#doubt-asked-{asked.pk}"
    assert repair in client.get(look_at).content.decode()
    assert 'name="do" value="open"' not in client.get(ranking).content.decode()
    client.post(reverse("results-doubt", args=[section.code]), {"do": "repair", **doubt})
    assert Result.objects.get(play=play, stands=True).outcome == {"passed": True}


def test_a_slip_for_a_closed_list_opens_it_with_one_press_and_is_stored(section, client):
    over(section)
    client.force_login(director_of(section.club))
    play = section.plays.first()
    address = reverse("slips", args=[section.code]) + f"?round=1&table={play.table}"
    typed = {f"line-{play.pk}": "pass", f"after-{play.pk}": 0}

    page = client.get(address).content.decode()
    assert "Open the list again and save" in page
    typed[f"after-{play.pk}"] = re.search(rf'name="after-{play.pk}" value="(\d+)"', page)[1]
    refused = client.post(address, {**typed, "go": "on"})
    assert (refused.status_code, scoring_of(section).is_closed) == (409, True)
    stored = client.post(address, {**typed, "again": "on"})

    assert stored.status_code == 302
    assert not scoring_of(section).is_final
    assert Result.objects.get(play=play, stands=True).outcome == {"passed": True}
    assert "Open the list again" not in client.get(address).content.decode()
