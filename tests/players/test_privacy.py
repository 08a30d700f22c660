"""Players read the data kept about them on phones and beside published results; a club prints its record of it."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.clubs.models import Club
from bridgebuddy.scoring.services import publishing
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


def text_of(answer):
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pytest.fixture
def addresses(club, alice):
    section = scored_section(8, "howell", club=club, by=alice)
    token = publishing.publish_results(section, by=alice).token
    return {
        reverse("player-privacy", args=[section.code]): reverse("lookup", args=[section.code]),
        reverse("public-privacy", args=[token]): reverse("public-results", args=[token]),
    }


def test_the_notice_is_linked_and_says_what_the_club_has_decided(client, club, addresses):
    club.names_kept_for, club.privacy_contact = 24, "Ruth Klein, ruth@example.org"
    club.public_names, club.codes_end = "initials", "week"
    club.save()

    for notice, page in addresses.items():
        assert f'href="{notice}"' in client.get(page).content.decode()
        text = text_of(client.get(notice))
        assert "absent for 24 months" in text
        assert "Ruth Klein, ruth@example.org" in text
        assert "by everybody, with initials" in text
        assert "until a week after the end" in text


def test_nobody_learns_the_code_from_the_published_notice(client, addresses):
    code, public = (address.split("/")[2] for address in addresses)
    assert code not in client.get(f"/r/{public}/privacy/").content.decode()


def test_the_record_is_the_directors_and_says_what_is_set(signed_in, club, alice, settings):
    address = reverse("processing-record", args=[club.pk])
    club.names_kept_for = 24
    club.save()
    assert "Backups are not encrypted" in text_of(signed_in(alice).get(address, follow=True))

    settings.BACKUP_PASSPHRASE = "a long one"
    text = text_of(signed_in(alice).get(address, follow=True))

    assert "Backups are encrypted." in text
    assert "0 of 1 directors and helpers" in text
    assert "absent for 24 months" in text


def test_24_months_are_proposed_to_a_new_club_and_the_director_decides(signed_in, bob):
    browser, address = signed_in(bob), reverse("new-club")
    assert '<option value="24" selected>' in browser.get(address).content.decode()

    for name, sent, kept in (("Linden", "24", 24), ("Elm", "", None), ("Oak", "12", 12)):
        browser.post(address, {"name": name, "names_kept_for": sent})
        assert Club.objects.get(name=name).names_kept_for == kept


def test_who_reads_names_and_whom_to_ask_is_set_where_the_time_is(signed_in, club, alice):
    sent = {"names_kept_for": "24", "public_names": "none", "privacy_contact": "Ruth"}
    signed_in(alice).post(reverse("club-privacy", args=[club.pk]), sent)

    found = Club.objects.get(pk=club.pk)
    assert (found.names_kept_for, found.public_names, found.privacy_contact) == (24, "none", "Ruth")
