"""Partner requests by e-mail: once, and only to people who allow mails."""

import pytest
from django.utils import timezone

from bridgebuddy.events.models import Section, Session
from bridgebuddy.jobs.models import Job
from bridgebuddy.planning.models import SessionPlan
from bridgebuddy.players.mails.partner_request_mail import OF_ONE, TO_ONE, mail_partner_request
from bridgebuddy.publication.mails.mailing import MailServerUnavailable
from bridgebuddy.publication.models import ClubPage, ResultsSubscription
from bridgebuddy.registration.models import Registration
from bridgebuddy.registration.registering import register_pair, seek_partner, switch_registration
from tests.factories import PersonFactory, section_with
from tests.publication_mail import smtp

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(club, alice, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.test"
    section = section_with(0, club=club, by=alice)
    Session.objects.update(date=club.today)
    switch_registration(Section.objects.get(pk=section.pk), is_on=True, maximum=None, by=alice)
    return Session.objects.get()


@pytest.fixture
def people(club):
    names = ("Ann Ash", "Ben Birch", *(f"Guy Number{n}" for n in range(10)))
    found = [PersonFactory(club=club, name=name) for name in names]
    ResultsSubscription.objects.create(
        person=found[1], email="ben@example.org", confirmed_at=timezone.now()
    )
    return found


def send():
    """Send the requested mails, as the worker does."""
    for job in Job.objects.filter(kind="mail-asked"):
        mail_partner_request(job.key)


def test_who_is_asked_reads_who_and_when_and_how_to_have_no_more(session, people, settings):
    SessionPlan.objects.create(session=session, price="5 EUR", host=people[2])
    ClubPage.objects.create(club=session.event.club, address="ours", words="Guildhall, 7 pm")
    with smtp(settings) as box:
        register_pair(session, people[0], people[1])
        send()
        send()
        register_pair(session, people[0], people[1])
        send()

    [(to, letter)] = box.letters
    assert to == "ben@example.org"
    assert "Ann Ash would like to play with you" in letter
    assert "Guildhall, 7 pm" in letter
    assert "Price: 5 EUR." in letter
    assert f"Host for single players: {people[2].name}." in letter
    stop = ResultsSubscription.objects.get().token
    assert f"List-Unsubscribe: <https://bridge.test/mail/{stop}/>" in " ".join(letter.split())
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in letter


def test_who_has_not_confirmed_or_has_answered_or_was_left_is_not_told(
    session, people, alice, settings
):
    ann, ben, cat, *_ = people
    with smtp(settings) as box:
        register_pair(session, ann, cat)  # no address
        send()
        ResultsSubscription.objects.update(confirmed_at=None)
        register_pair(session, cat, ben)
        send()
        ResultsSubscription.objects.update(confirmed_at=timezone.now())
        seek_partner(session, cat)
        send()
        register_pair(session, cat, ben)
        register_pair(session, ben, cat)
        send()
        register_pair(session, people[3], people[4], by=alice)
        send()

    assert box.letters == []


def test_a_server_that_is_away_is_asked_again_and_one_that_says_never_is_not(
    session, people, settings
):
    with smtp(settings) as box:
        register_pair(session, people[0], people[1])
        box.answer = "451 later"
        with pytest.raises(MailServerUnavailable):
            send()
        box.answer = "250 OK"
        send()
        assert len(box.letters) == 1

        Registration.objects.update(mailed_to=None)
        box.answers["ben@example.org"] = "550 never"
        send()
        del box.answers["ben@example.org"]
        send()
    assert len(box.letters) == 1


def test_a_name_with_a_newline_is_no_header(session, people, settings, club):
    club.events.update(name="Tuesday\r\nBcc: all@example.org")
    people[0].name = "Ann\nBcc: x@example.org"
    people[0].save()
    with smtp(settings) as box:
        register_pair(Session.objects.get(), people[0], people[1])
        send()

    [(_to, letter)] = box.letters
    headers = letter.replace("\r\n", "\n").split("\n\n")[0]
    assert "\nBcc:" not in headers


def test_nobody_is_written_to_again_and_again(session, people, settings):
    with smtp(settings) as box:
        for person in people[2:]:
            register_pair(session, person, people[1])
            send()
            seek_partner(session, person)

    assert len(box.letters) == TO_ONE.most < OF_ONE.most
