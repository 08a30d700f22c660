"""Pages of mails to members: text and addressees are shown before, and one press sends."""

import re

import pytest
from django.urls import reverse

from bridgebuddy.publication.mails import member_mails
from bridgebuddy.publication.models import MemberMail, MemberMailDelivery, ResultsSubscription
from tests.factories import ClubFactory, member_of, section_with
from tests.publication.test_member_mails import member, with_mail

pytestmark = pytest.mark.django_db
__all__ = ["with_mail"]


@pytest.fixture
def browser(club, signed_in):
    return signed_in(member_of(club, "secretary", email="sec@example.org"))


def form(browser, club, **sent):
    page = browser.get(reverse("new-member-mail", args=[club.pk]), follow=True).content.decode()
    once = re.search(r'name="once" value="([^"]+)"', page)[1]
    return {"audience": "all", "subject": "Party", "text": "Come!", "once": once, **sent}


def test_the_secretary_sees_addressees_and_text_before_a_mail_is_sent(browser, club):
    member(club, "Ann Able", "ann@example.org")
    member(club, "Noa Noaddress")
    write = reverse("new-member-mail", args=[club.pk])
    fields = form(browser, club)

    shown = browser.post(write, fields | {"do": "preview"}).content.decode()

    assert not MemberMail.objects.exists()
    for words in ("Ann Able", "ann@example.org", "Noa Noaddress", "Come!", "sec@example.org"):
        assert words in shown
    for _press in range(2):
        answer = browser.post(write, fields | {"do": "send"}, follow=True)
    assert MemberMail.objects.count() == 1
    assert "Party" in answer.content.decode()
    listed = browser.get(reverse("member-mails", args=[club.pk])).content.decode()
    assert "Party" in listed


def test_what_is_missing_is_said_and_nothing_is_sent(browser, club, monkeypatch):
    write = reverse("new-member-mail", args=[club.pk])
    fields = form(browser, club, do="send")

    no_addressees = browser.post(write, fields)
    member(club, "Ann Able", "ann@example.org")
    monkeypatch.setattr(member_mails, "MOST_ADDRESSES", 0)
    too_many = browser.post(write, fields)
    without = [browser.post(write, fields | {name: ""}) for name in ("subject", "text", "once")]
    long = browser.post(write, fields | {"text": "x" * (MemberMail.LONGEST_TEXT + 1)})

    assert {answer.status_code for answer in (no_addressees, too_many, long, *without)} == {422}
    assert "No member of this group has an address" in no_addressees.content.decode()
    assert "Send it tomorrow" in too_many.content.decode()
    assert not MemberMail.objects.exists()


def test_a_session_of_another_club_is_no_group(browser, club, alice):
    elsewhere = section_with(2, club=ClubFactory())
    for session in (elsewhere.session_id, 0, "x"):
        sent = form(browser, club, do="send", audience=f"session-{session}")
        answer = browser.post(reverse("new-member-mail", args=[club.pk]), sent)
        assert answer.status_code == 422


def test_a_mail_of_another_club_has_no_page(browser, club):
    other = MemberMail.objects.create(club=ClubFactory(), audience="all", subject="A", once="a")

    assert (
        browser.get(reverse("member-mail", args=[club.pk, other.pk]), follow=True).status_code
        == 404
    )
    assert browser.get(reverse("member-mails", args=[other.club_id])).status_code == 404


def test_a_mail_names_the_addresses_that_it_did_not_reach(browser, club):
    mail = MemberMail.objects.create(club=club, audience="all", subject="Party", once="a")
    states = {
        "Ann Back": "back",
        "Ray Refused": "refused",
        "Sue Reached": "sent",
        "Una Unsubscribed": "stopped",
        "Wim Waiting": "waits",
    }
    for name, state in states.items():
        address = ResultsSubscription.objects.get(
            person=member(club, name, f"{name[:3]}@example.org")
        )
        MemberMailDelivery.objects.create(mail=mail, address=address, state=state)

    shown = browser.get(
        reverse("member-mail", args=[club.pk, mail.pk]), follow=True
    ).content.decode()

    assert [name for name in states if name in shown] == ["Ann Back", "Ray Refused"]
    assert "came back: 1" in shown
    assert shown.count("refused by the mail server") == 2  # the sum, and the address


@pytest.mark.parametrize("role", ["helper", "scorer", "treasurer"])
def test_other_roles_write_no_mails(club, signed_in, role):
    browser = signed_in(member_of(club, role))

    for name in ("member-mails", "new-member-mail"):
        assert browser.get(reverse(name, args=[club.pk])).status_code == 404


def test_one_press_unsubscribes_and_opening_the_page_does_not(client, club):
    person = member(club, "Ann Able", "ann@example.org")
    address = ResultsSubscription.objects.get(person=person)
    page = member_mails.unsubscribe_address(address)

    def is_off():
        address.refresh_from_db()
        return address.no_member_mails_since is not None

    client.get(page)
    opened = is_off()
    client.post(page, {"List-Unsubscribe": "One-Click"})
    by_program = is_off()
    client.post(page, {"do": "again"})

    assert (opened, by_program, is_off()) == (False, True, False)
    assert address.confirmed_at
    assert client.get("/mails/1:x/").status_code == 404
