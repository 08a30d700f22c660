"""Results by e-mail: each owner's choice on their own page, by the director's own question."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Membership, Person
from bridgebuddy.jobs import services as jobs
from bridgebuddy.publication.mails import mail_changes
from bridgebuddy.publication.mails.mailing import open_addresses
from bridgebuddy.publication.models import PlayerPage, ResultsSubscription
from bridgebuddy.publication.own import links
from bridgebuddy.publication.waiting_changes import WAIT
from tests.factories import member_of
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
    return reverse(
        "own-kept", args=[links.page_code(links.give_address(anna, PlayerPage.Way.CLUB, by=None))]
    )


def page_text(client, address):
    return client.get(address, follow=True).content.decode()


def test_mails_are_switched_on_confirmed_there_and_switched_off(client, settings, anna, address):
    without = page_text(client, address)
    with smtp(settings) as box:
        client.post(address, {"do": "mail", "email": "anna@example.org"})
    waiting = page_text(client, address)
    ((to, letter),) = box.letters
    confirm = re.search(r"https://bridge\.example\.org(/mail/\S+/)", letter.replace("=\n", ""))[1]
    assert ResultsSubscription.objects.get(person=anna).confirmed_at is None

    client.post(confirm, {"do": "confirm"})
    confirmed = page_text(client, address)
    client.post(address, {"do": "no-mail"})
    stopped = page_text(client, address)
    a_day_later()

    assert to == "anna@example.org"
    assert "No mails, please" not in without
    assert "not confirmed yet: nothing is sent there" in waiting
    assert "your results come here" in confirmed
    assert "Another address" in confirmed
    assert "nothing is sent there any more" in stopped
    assert not ResultsSubscription.objects.exists()


def test_another_address_is_asked_before_anything_comes_there(client, settings, anna, address):
    ResultsSubscription.objects.create(
        person=anna, email="old@example.org", confirmed_at=timezone.now()
    )

    with smtp(settings) as box:
        client.post(address, {"do": "mail", "email": "new@example.org"})

        tell()
    kept = ResultsSubscription.objects.get(person=anna)
    assert [to for to, _ in box.letters] == ["new@example.org", "old@example.org"]
    assert (kept.email, kept.next_email) == ("old@example.org", "new@example.org")
    assert "Another address was requested: new@example.org." in page_text(client, address)
    a_day_later()
    assert (
        ResultsSubscription.objects.get(person=anna).email == "old@example.org"
    )  # not confirmed there
    client.post(link_in(box.letters[0][1]), {"do": "confirm"})
    kept.refresh_from_db()
    assert (kept.email, kept.next_email, kept.stopped_at) == ("new@example.org", "", None)
    assert kept.confirmed_at is not None


@pytest.mark.parametrize("asked", [{"do": "mail", "email": "thief@example.org"}, {"do": "no-mail"}])
@pytest.mark.parametrize("actor", ["the old address", "the director", "the own page"])
def test_a_change_is_told_and_stopped(
    client, settings, anna, address, asked, actor, alice, signed_in
):
    Membership.objects.filter(club=anna.club).exclude(user=alice).delete()
    ResultsSubscription.objects.create(
        person=anna, email="old@example.org", confirmed_at=timezone.now()
    )
    with smtp(settings) as box:
        client.post(address, asked)
        tell()
    letters = dict(box.letters)
    assert {"old@example.org", alice.email} <= letters.keys()
    if "thief@example.org" in letters:
        client.post(link_in(letters["thief@example.org"]), {"do": "confirm"})
    edit = reverse("edit-player", args=[anna.club.pk, anna.pk])
    assert edit in letters[alice.email].replace("=\n", "")
    director = signed_in(alice)
    assert "It was a mistake: keep the address" in director.get(edit).content.decode()
    players = director.get(reverse("players", args=[anna.club.pk])).content.decode()
    assert (
        "A player’s own page received a request: another e-mail address, or no more mails."
        in players
    )

    if actor == "the old address":
        page = link_in(letters["old@example.org"])
        assert "It was not me" in client.get(page).content.decode()
        client.post(page, {"do": "keep"})
    elif actor == "the director":
        director.post(reverse("player-mail", args=[anna.club.pk, anna.pk]), {"do": "keep"})
    else:
        client.post(address, {"do": "keep-mail"})

    a_day_later()
    kept = ResultsSubscription.objects.get(person=anna)
    assert (kept.email, kept.next_email, kept.stopped_at) == ("old@example.org", "", None)
    assert kept in open_addresses()


def test_an_address_that_was_stopped_is_not_another_ones_at_once(client, settings, anna, address):
    ResultsSubscription.objects.create(
        person=anna, email="old@example.org", confirmed_at=timezone.now()
    )

    with smtp(settings) as box:
        client.post(address, {"do": "no-mail"})
        client.post(address, {"do": "mail", "email": "thief@example.org"})
    client.post(link_in(box.letters[0][1]), {"do": "confirm"})

    assert not open_addresses().exists()
    assert ResultsSubscription.objects.get(person=anna).email == "old@example.org"


def test_the_old_address_and_the_directors_are_told_who_is_to_be_forgotten(
    client, settings, anna, address, alice
):
    member_of(anna.club, "scorer", email="scorer@example.org")
    ResultsSubscription.objects.create(
        person=anna, email="old@example.org", confirmed_at=timezone.now()
    )
    page = PlayerPage.objects.get(person=anna)
    with smtp(settings) as box:
        client.post(reverse("own-forget", args=[links.page_code(page)]), {"do": "forget"})
        tell()
    letters = dict(box.letters)
    assert letters.keys() == {"old@example.org", alice.email}

    client.post(link_in(letters["old@example.org"]), {"do": "keep"})

    page.refresh_from_db()
    assert (page.forget_at, page.hide_at) == (None, None)


def test_a_new_address_may_want_no_mails(client, settings, anna, address):
    ResultsSubscription.objects.create(
        person=anna, email="old@example.org", confirmed_at=timezone.now()
    )
    with smtp(settings) as box:
        client.post(address, {"do": "mail", "email": "new@example.org"})

    answer = client.post(link_in(box.letters[0][1]))

    assert "Nothing is sent any more" in answer.content.decode()
    a_day_later()
    kept = ResultsSubscription.objects.get(person=anna)
    assert (kept.email, kept.next_email) == ("old@example.org", "")


def link_in(letter):
    """The page of an address, as a letter names it."""
    whole = letter.replace("=\n", "").replace("=3D", "=")
    return re.search(r"https://bridge\.example\.org(/mail/\S+/)", whole)[1]


def tell():
    """Send the queued mails."""
    while jobs.run_next_job():
        pass


def a_day_later():
    """Let the day be over of all that waits for it."""
    before = timezone.now() - WAIT
    for name in ("next_since", "stopped_at"):
        ResultsSubscription.objects.exclude(**{name: None}).update(**{name: before})
    mail_changes.change_addresses()


@pytest.mark.parametrize("typed", ["", "nobody", "a@b", "a@example.org\nBcc: b@example.org"])
def test_what_is_no_address_is_refused_and_the_old_one_stays(
    client, settings, anna, address, typed
):
    ResultsSubscription.objects.create(
        person=anna, email="old@example.org", confirmed_at=timezone.now()
    )

    with smtp(settings) as box:
        answer = client.post(address, {"do": "mail", "email": typed}, follow=True)

    assert "This is no e-mail address." in answer.content.decode()
    assert box.letters == []
    assert ResultsSubscription.objects.get(person=anna).email == "old@example.org"


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
    ResultsSubscription.objects.create(
        person=anna, email="gone@example.org", confirmed_at=now, gone_since=now
    )

    page = page_text(client, address)

    assert "a mail came back: nothing is sent there any more" in page
    assert "your results come here" not in page


def test_a_server_without_mail_offers_none(client, settings, anna, address):
    settings.HAS_MAIL = False

    client.post(address, {"do": "mail", "email": "anna@example.org"})

    assert "Results by e-mail" not in page_text(client, address)
    assert not ResultsSubscription.objects.exists()


def test_who_renews_their_address_is_told_where_mails_go_and_stops_them_in_one_press(
    client, anna, address
):
    ResultsSubscription.objects.create(
        person=anna, email="other@example.org", confirmed_at=timezone.now()
    )
    client.get(address, follow=True)

    once, twice = (client.post(address, {"do": "new"}) for _ in range(2))

    renewed = reverse("own-kept", args=[links.page_code(PlayerPage.objects.get(person=anna))])
    own = reverse("own-page", args=[links.page_code(PlayerPage.objects.get(person=anna))])
    assert (once.url, twice.url) == (f"{own}?open=kept#kept",) * 2
    page = page_text(client, renewed)
    assert "The e-mail address for your results stays other@example.org." in page
    assert page.count("No mails, please") == 2
    client.post(renewed, {"do": "no-mail"})
    assert not open_addresses().exists()
    a_day_later()
    assert not ResultsSubscription.objects.exists()
