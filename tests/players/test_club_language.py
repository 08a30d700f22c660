"""Public pages are in the club's language, unless the reader wants another."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.publication.imports import importing
from bridgebuddy.publication.models import ClubPage, ResultsSubscription
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.seasons.models import Championship
from tests.factories import section_with
from tests.publication.test_moving_in import import_all

from .test_own_page import addresses, evening, page_of

pytestmark = pytest.mark.django_db


def pages(club, by):
    """Return a page of each kind that first looks up its club."""
    past = import_all(club, by, "2025-01-07")
    importing.publish_import(past, True, by=by)
    imported = ScoringSettings.objects.get().token
    token = evening(club, by).session.scoring.token
    ClubPage.objects.create(club=club, address="lindenhof", is_on=True)
    league = Championship.objects.create(
        club=club, name="Winter", of="player", published_at=timezone.now()
    )
    own = page_of(club)
    mail = ResultsSubscription.objects.create(person=own.person, email="anna@example.org")
    code = section_with(6, "mitchell", round=1, club=club, by=by).code
    return [
        reverse("public-results", args=[token]),
        reverse("public-results", args=[imported]),
        reverse("public-championship", args=[league.token]),
        reverse("club-page", args=["lindenhof"]),
        addresses(own)[0],
        reverse("mail-address", args=[mail.token]),
        reverse("lookup", args=[code]),
        reverse("own-claim", args=[code, "NS1"]),
        reverse("door", args=[code, "another"]),
        reverse("table", args=[code, 1]),
    ]


def language_of(address, wanted=""):
    answer = Client(headers={"Accept-Language": wanted}).get(address, follow=True)
    return re.search(r'<html lang="(\w+)"', answer.content.decode())[1]


def test_everybodys_pages_speak_the_clubs_language_or_the_readers(club, alice, two_languages):
    club.language = "de"
    club.save()
    asked = pages(club, alice)

    assert [(page, language_of(page)) for page in asked] == [(page, "de") for page in asked]
    assert language_of(asked[-1], "en") == "en"
