"""Whether results come by e-mail is its owner's choice, on their own page, by the same question as a director asks."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.publication.models import MailAddress, OwnPage
from bridgebuddy.publication.own import links
from tests.publication_mail import smtp

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL = True
    settings.PUBLIC_URL = "https://bridge.example.org"


@pytest.fixture
def anna(club):
    return Person.objects.create(club=club, name="Anna Adler")


@pytest.fixture
def address(anna):
    return reverse("own-kept", args=[links.code_of(links.give(anna, OwnPage.Way.CLUB, by=None))])


def read(client, address):
    return client.get(address).content.decode()


def test_mails_are_switched_on_confirmed_there_and_switched_off(client, settings, anna, address):
    without = read(client, address)
    with smtp(settings) as box:
        client.post(address, {"do": "mail", "email": "anna@example.org"})
    waiting = read(client, address)
    ((to, letter),) = box.letters
    confirm = re.search(r"https://bridge\.example\.org(/mail/\S+/)", letter.replace("=\n", ""))[1]
    assert MailAddress.objects.get(person=anna).confirmed_at is None

    client.post(confirm, {"do": "confirm"})
    confirmed = read(client, address)
    client.post(address, {"do": "no-mail"})

    assert to == "anna@example.org"
    assert "No mails, please" not in without
    assert "not confirmed yet: nothing is sent there" in waiting
    assert "your results come here" in confirmed
    assert "Another address" in confirmed
    assert not MailAddress.objects.exists()


def test_another_address_is_asked_before_anything_comes_there(client, settings, anna, address):
    MailAddress.objects.create(person=anna, email="old@example.org", confirmed_at=timezone.now())

    with smtp(settings) as box:
        client.post(address, {"do": "mail", "email": "new@example.org"})

    assert [to for to, _ in box.letters] == ["new@example.org"]
    kept = MailAddress.objects.get(person=anna)
    assert (kept.email, kept.confirmed_at) == ("new@example.org", None)


@pytest.mark.parametrize("typed", ["", "nobody", "a@b", "a@example.org\nBcc: b@example.org"])
def test_what_is_no_address_is_refused_and_the_old_one_stays(
    client, settings, anna, address, typed
):
    MailAddress.objects.create(person=anna, email="old@example.org", confirmed_at=timezone.now())

    with smtp(settings) as box:
        answer = client.post(address, {"do": "mail", "email": typed}, follow=True)

    assert "This is no e-mail address." in answer.content.decode()
    assert box.letters == []
    assert MailAddress.objects.get(person=anna).email == "old@example.org"


def test_nobody_sends_mails_to_many_strangers(client, settings, address):
    with smtp(settings) as box:
        for number in range(7):
            answer = client.post(
                address, {"do": "mail", "email": f"s{number}@example.org"}, follow=True
            )

    assert len(box.letters) == 5
    assert "Too many addresses. Try again in an hour." in answer.content.decode()


def test_an_address_where_mails_come_back_says_so(client, anna, address):
    now = timezone.now()
    MailAddress.objects.create(
        person=anna, email="gone@example.org", confirmed_at=now, gone_since=now
    )

    page = read(client, address)

    assert "a mail came back: nothing is sent there any more" in page
    assert "your results come here" not in page


def test_a_server_without_mail_offers_none(client, settings, anna, address):
    settings.HAS_MAIL = False

    client.post(address, {"do": "mail", "email": "anna@example.org"})

    assert "Results by e-mail" not in read(client, address)
    assert not MailAddress.objects.exists()


def test_who_renews_their_address_is_told_where_mails_go_and_stops_them_in_one_press(
    client, anna, address
):
    MailAddress.objects.create(person=anna, email="other@example.org", confirmed_at=timezone.now())
    client.get(address)

    once, twice = (client.post(address, {"do": "new"}) for _ in range(2))

    renewed = reverse("own-kept", args=[links.code_of(OwnPage.objects.get(person=anna))])
    assert (once.url, twice.url) == (renewed, renewed)
    page = read(client, renewed)
    assert "The e-mail address for your results stays other@example.org." in page
    assert page.count("No mails, please") == 2
    client.post(renewed, {"do": "no-mail"})
    assert not MailAddress.objects.exists()
