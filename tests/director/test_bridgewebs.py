"""Sending a session to BridgeWebs with one press, and showing its answer."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.director.club_data.tables import tables_of_club
from bridgebuddy.publication.bridgewebs import UploadNotSent, upload_session
from bridgebuddy.publication.models import BridgeWebs, BridgeWebsUpload
from bridgebuddy.publication.own.personal_data import tables_as_json
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services import publishing
from tests.factories import ClubFactory
from tests.publication_server import bridgewebs
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db

PASSWORD = "geheim & süß=1"


@pytest.fixture
def browser(signed_in, alice):
    return signed_in(alice)


@pytest.fixture
def section(club, alice):
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    publishing.publish_results(section, by=alice)
    return section


def account(browser, club):
    sent = {"code": "lindenhof", "password": PASSWORD}
    browser.post(reverse("club-bridgewebs", args=[club.pk]), sent)


def press(browser, section):
    answer = browser.post(
        reverse("hand-in", args=[section.code]), {"do": "bridgewebs"}, follow=True
    )
    assert answer.status_code == 200
    return answer.content.decode()


def test_nothing_is_sent_with_the_account_of_another_club(section, settings):
    settings.BRIDGEWEBS_URL = "https://www.bridgewebs.example"
    BridgeWebs.objects.create(club=ClubFactory(), code="elsewhere", sealed="")

    with pytest.raises(UploadNotSent, match="account"):
        upload_session(section)


def test_a_session_is_sent_with_one_press_and_again_under_the_same_name(
    browser, club, section, settings
):
    with bridgewebs() as (address, taken):
        settings.BRIDGEWEBS_URL = address
        account(browser, club)
        first, _second = press(browser, section), press(browser, section)

    assert "BridgeWebs answered: Results uploaded" in first
    assert "BridgeWebs took it at" in first
    one, other = taken
    assert (one["club"], one["password"], one["type"]) == ("lindenhof", PASSWORD, "upload")
    assert one["filename"] == other["filename"] == f"20261124-{section.session_id}.csv"
    assert one["data"].startswith("#VERSION")
    assert "Anna North1" in one["data"]
    assert BridgeWebsUpload.objects.count() == 1


def test_the_password_is_sealed_and_nowhere_shown(browser, club, section, settings):
    with bridgewebs(b"message = Invalid password " + PASSWORD.encode()) as (address, _taken):
        settings.BRIDGEWEBS_URL = address
        account(browser, club)
        words = press(browser, section)

    assert "BridgeWebs did not take it at" in words
    words += browser.get(reverse("club-public", args=[club.pk])).content.decode()
    words += tables_as_json("club", tables_of_club(club)).decode()
    kept = BridgeWebs.objects.get()
    for secret in (PASSWORD, "geheim", kept.sealed):
        assert secret not in words
    assert "geheim" not in kept.sealed
    BridgeWebs.objects.update(sealed=kept.sealed[:-9] + "=" * 9)  # or by another key
    with bridgewebs() as (address, taken):
        settings.BRIDGEWEBS_URL = address
        assert "Type the password of BridgeWebs once more" in press(browser, section)
    assert taken == []
    browser.post(reverse("club-bridgewebs", args=[club.pk]), {"do": "forget"})
    assert not BridgeWebs.objects.exists()


ANSWERS = [
    ({"status": 500}, "HTTP 500"),
    ({"status": 302, "Location": "http://127.0.0.1:9/"}, "HTTP 302"),
    ({"answer": b"<html>\xff<script>alert(1)</script>Sorry"}, "Sorry"),
    ({"answer": b""}, "–"),
    ({"answer": b"message = wrong &quot;type&quot;"}, "wrong &quot;type&quot;"),
]


@pytest.mark.parametrize(("how", "said"), ANSWERS)
def test_what_goes_wrong_there_is_said_here(browser, club, section, settings, how, said):
    with bridgewebs(**how) as (address, taken):
        settings.BRIDGEWEBS_URL = address
        account(browser, club)
        words = press(browser, section)

    assert said in words
    assert "<script>alert" not in words
    assert not BridgeWebsUpload.objects.get().is_taken
    assert len(taken) == 1


def test_nobody_there_is_said_too(browser, club, section, settings):
    with bridgewebs() as (address, _taken):
        pass
    settings.BRIDGEWEBS_URL = address  # of a server that is no more
    account(browser, club)

    assert "BridgeWebs answered: URLError" in press(browser, section)


@pytest.mark.parametrize("why", ["unpublished", "embargoed", "no account", "no address", "ftp"])
def test_nothing_is_sent_that_not_everybody_may_read(browser, club, section, alice, settings, why):
    with bridgewebs() as (address, taken):
        settings.BRIDGEWEBS_URL = {"no address": "", "ftp": "ftp://127.0.0.1/"}.get(why, address)
        if why != "no account":
            account(browser, club)
        if why == "unpublished":
            publishing.unpublish_results(section, by=alice)
        if why == "embargoed":
            ScoringSettings.objects.update(
                embargo_until=timezone.now() + datetime.timedelta(hours=1)
            )
        press(browser, section)

    assert taken == []
    assert not BridgeWebsUpload.objects.exists()
