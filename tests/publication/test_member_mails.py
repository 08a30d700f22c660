"""Mails to members: who gets one, how often, in which language, and how it stops."""

import datetime
from email import message_from_string, policy
from importlib import import_module

import pytest
from django.utils import timezone

from bridgebuddy.clubs.models import Club, Person
from bridgebuddy.events.models import EntryPerson, Session
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.events.services.setup import entries
from bridgebuddy.jobs.kinds import RetryLater
from bridgebuddy.jobs.models import Job
from bridgebuddy.jobs.services import run_next_job
from bridgebuddy.publication.mails import mailing, member_mails
from bridgebuddy.publication.mails.bounces import BounceKind, store_bounce
from bridgebuddy.publication.mails.mailing import MailServerUnavailable
from bridgebuddy.publication.mails.member_mails import (
    Addressees,
    MailDraft,
    NoAddressees,
    TooManyMails,
    find_signed_address,
    send_batch,
    send_to_members,
    unsubscribe,
)
from bridgebuddy.publication.models import MemberMail, MemberMailDelivery, ResultsSubscription
from bridgebuddy.registration.models import Registration
from tests.apps_of_then import AppsOfThen
from tests.factories import ClubFactory, PersonFactory, section_with
from tests.publication_mail import smtp

from .test_bounces import report

pytestmark = pytest.mark.django_db
State = MemberMailDelivery.State
TEXT = "Dear members,\n\n<b>come</b> & play: https://example.org/x"


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"


def member(club, name, email="", **fields):
    """Make a member, with a confirmed address if one is given."""
    person = PersonFactory(club=club, name=name, **fields)
    if email:
        ResultsSubscription.objects.create(person=person, email=email, confirmed_at=timezone.now())
    return person


def drafted(once="key", text=TEXT):
    subject = "Summer party" if once == "key" else f"Summer party {once}"
    return MailDraft(subject, text, "secretary@example.org", once)


def send_mail(club, by, audience="all", session=None, once="key"):
    return send_to_members(Addressees(club, audience, session), drafted(once), by=by)


def names(addressees):
    return [address.person.name for address in addressees.addresses]


def states(mail):
    return [str(delivery.state) for delivery in mail.deliveries.order_by("pk")]


def test_only_members_with_a_confirmed_address_get_a_mail(club):
    member(club, "Ann Able", "ann@example.org")
    member(club, "Vic Visitor", "vic@example.org", other_club="Elsewhere")
    member(club, "Max Member", "max@example.org", other_club="Elsewhere", member_number="7")
    member(club, "Noa Noaddress")
    member(ClubFactory(), "Eve Elsewhere", "eve@example.org")
    open_address = {
        "una": {"confirmed_at": None},
        "gil": {"gone_since": timezone.now()},
        "sam": {"stopped_at": timezone.now()},
        "off": {"no_member_mails_since": timezone.now()},
    }
    for name, fields in open_address.items():
        member(club, f"{name.title()} Closed", f"{name}@example.org")
        ResultsSubscription.objects.filter(email=f"{name}@example.org").update(**fields)

    addressees = Addressees(club, "all")

    assert names(addressees) == ["Ann Able", "Max Member"]
    assert [person.name for person in addressees.members_without_address] == [
        *("Gil Closed", "Noa Noaddress", "Off Closed", "Sam Closed", "Una Closed"),
    ]


def test_players_of_a_session_are_those_registered_or_on_its_list(club, alice):
    section = section_with(0, club=club, by=alice)
    other = section_with(0, club=club, by=alice)
    says = {"Cora": "comes", "Luis": "looks", "Alan": "alone", "Nora": "not"}
    for name, answer in says.items():
        person = member(club, f"{name} Able", f"{name}@example.org")
        Registration.objects.create(
            session=section.session, person=person, says=answer, since=timezone.now()
        )
        Registration.objects.create(
            session=other.session, person=person, says="not", since=timezone.now()
        )
    member(club, "Lea Listed", "lea@example.org")
    member(club, "Zed Absent", "zed@example.org")
    entries.add_pairs(section, [("Lea Listed", "Liv Listed")], by=alice)
    visitor = member(club, "Vic Visitor", "vic@example.org", other_club="Elsewhere")
    Registration.objects.create(
        session=section.session, person=visitor, says="comes", since=timezone.now()
    )

    found = names(Addressees(club, "session", section.session))

    assert found == ["Alan Able", "Cora Able", "Lea Listed", "Luis Able"]
    assert names(Addressees(club, "session", other.session)) == []


@pytest.mark.parametrize(("days", "is_absent"), [(41, False), (42, True), (43, True)])
def test_who_has_not_come_for_six_weeks(club, alice, days, is_absent):
    section = section_with(4, club=club, by=alice)
    Session.objects.filter(pk=section.session_id).update(
        date=club.today - datetime.timedelta(days=days)
    )
    person = EntryPerson.objects.filter(section=section).order_by("pk").first().person
    ResultsSubscription.objects.create(
        person=person, email="a@example.org", confirmed_at=timezone.now()
    )
    member(club, "Nil Never", "never@example.org")
    ahead = section_with(4, club=club, by=alice)  # a coming session is no visit
    Session.objects.filter(pk=ahead.session_id).update(date=club.today + datetime.timedelta(days=3))

    assert names(Addressees(club, "absent")) == [person.name] * is_absent


def test_a_mail_is_plain_text_and_html_in_the_clubs_language(club, alice, settings, two_languages):
    club.language = "de"
    club.save()
    person = member(club, "Ann Able", "ann@example.org")
    mail = send_mail(club, alice)

    with smtp(settings) as box:
        send_batch(str(mail.pk))

    [(_to, raw)] = box.letters
    letter = message_from_string(raw, policy=policy.default)
    plain, html = (letter.get_body((kind,)).get_content() for kind in ("plain", "html"))
    stop = letter["List-Unsubscribe"].strip().strip("<>")
    assert letter["Subject"] == f"{club.name}: Summer party"
    assert letter["Reply-To"] == "secretary@example.org"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop.startswith("https://bridge.example.org/mails/")
    assert find_signed_address(stop.split("/")[-2]).person == person
    assert "<b>come</b> & play" in plain
    assert "Sie bekommen diese E-Mail als Mitglied von" in plain
    assert stop in plain
    assert "&lt;b&gt;come&lt;/b&gt; &amp; play" in html
    assert '<a href="https://example.org/x"' in html
    assert 'lang="de"' in html
    assert f'<a href="{stop}">Rundmails abbestellen</a>' in html


def test_a_second_press_sends_once(club, alice, settings):
    member(club, "Ann Able", "ann@example.org")

    first, second = send_mail(club, alice), send_mail(club, alice)

    with smtp(settings) as box:
        run_next_job()
        send_batch(str(first.pk))
    assert first == second
    assert len(box.letters) == 1
    assert states(first) == ["sent"]


def test_a_shared_address_gets_one_mail(club, alice, settings):
    member(club, "Ann Able", "Klein@example.org")
    member(club, "Bob Able", "klein@example.org")
    assert Addressees(club, "all").count == 1
    mail = send_mail(club, alice)

    with smtp(settings) as box:
        send_batch(str(mail.pk))

    assert len(box.letters) == 1
    assert states(mail) == ["sent", "shared"]


def test_forgetting_a_person_takes_the_address_out_of_a_waiting_mail(club, alice, settings):
    ann = member(club, "Ann Able", "klein@example.org")
    member(club, "Bob Able", "klein@example.org")
    eve = member(club, "Eve Able", "eve@example.org")
    mail = send_mail(club, alice)

    forgetting.anonymise_person(ann, by=alice)
    forgetting.anonymise_person(eve, by=alice)

    with smtp(settings) as box:
        send_batch(str(mail.pk))
    assert [to for to, _letter in box.letters] == ["klein@example.org"]
    assert states(mail) == ["sent"]


def test_unsubscribing_holds_for_a_shared_address_and_for_waiting_mails(club, alice, settings):
    ann = member(club, "Ann Able", "klein@example.org")
    member(club, "Bob Able", "KLEIN@example.org")
    other = member(ClubFactory(), "Eve Able", "klein@example.org")
    mail = send_mail(club, alice)

    unsubscribe(ResultsSubscription.objects.get(person=ann))

    with smtp(settings) as box:
        send_batch(str(mail.pk))
    assert box.letters == []
    assert states(mail) == ["stopped", "stopped"]
    assert ResultsSubscription.objects.get(person=other).no_member_mails_since is None
    with pytest.raises(NoAddressees):
        send_mail(club, alice, once="again")
    with smtp(settings):
        mailing.subscribe(ann, "new@example.org")
    assert ResultsSubscription.objects.get(person=ann).no_member_mails_since is not None


def test_a_refused_address_is_not_tried_again_and_a_late_one_is(club, alice, settings):
    for name in ("ann", "bob", "cat"):
        member(club, f"{name.title()} Able", f"{name}@example.org")
    mail = send_mail(club, alice)

    with smtp(settings) as box:
        box.answers = {"ann@example.org": "550 no", "bob@example.org": "450 later"}
        with pytest.raises(MailServerUnavailable):
            send_batch(str(mail.pk))
        first = states(mail)
        box.answers = {}
        send_batch(str(mail.pk))

    assert first == ["refused", "waits", "sent"]
    assert states(mail) == ["refused", "sent", "sent"]
    assert sorted(to for to, _letter in box.letters) == ["bob@example.org", "cat@example.org"]
    assert member_mails.delivery_counts(mail) == {"refused": 1, "sent": 2}


@pytest.mark.parametrize(("status", "is_open"), [("5.1.1", False), ("4.4.7", True)])
def test_a_mail_that_comes_back_is_counted_and_its_namesake_is_not(
    club, alice, settings, status, is_open
):
    """A final 4.x.x says that this mail did not arrive, although later ones may."""
    settings.BOUNCES_TO = "bounces@bridge.example.org"
    member(club, "Ann Able", "ann@example.org")
    member(club, "Bob Able", "bob@example.org")
    first, second = send_mail(club, alice), send_mail(club, alice, once="again")
    with smtp(settings) as box:
        for mail in (first, second):
            send_batch(str(mail.pk))
    envelope = box.senders[2]  # of the second mail to Ann

    for _twice in range(2):
        store_bounce(report(envelope, status))

    assert (states(first), states(second)) == (["sent", "sent"], ["back", "sent"])
    assert member_mails.delivery_counts(second) == {"back": 1, "sent": 1}
    gone = ResultsSubscription.objects.get(email="ann@example.org").gone_since
    assert (gone is None) == is_open
    with smtp(settings) as box:
        send_batch(str(second.pk))
    assert box.letters == []  # what came back is not sent again


def test_a_new_address_gets_no_mails_to_members_either(club, settings):
    ann = member(club, "Ann Able", "ann@example.org")
    ResultsSubscription.objects.update(no_member_mails_since=timezone.now())

    with smtp(settings):
        mailing.subscribe(ann, "new@example.org")

    address = ResultsSubscription.objects.get()
    assert address.email == "new@example.org"
    assert address.no_member_mails_since is not None


def test_an_address_that_is_typed_again_is_asked_to_confirm_once(club):
    ann = member(club, "Ann Able")
    mailing.store_unconfirmed(ann, "ann@example.org", asks=True)
    assert Job.objects.filter(kind=mailing.CONFIRM, key=ann.pk).exists()
    Job.objects.all().delete()  # the mail was sent

    mailing.store_unconfirmed(ann, "ann@example.org", asks=True)

    assert not Job.objects.exists()


def test_the_envelope_of_a_mail_to_members_is_none_of_a_results_mail(club, alice, settings):
    settings.BOUNCES_TO = "bounces@bridge.example.org"
    member(club, "Ann Able", "ann@example.org")
    mail = send_mail(club, alice)
    with smtp(settings) as box:
        send_batch(str(mail.pk))
    delivery = mail.deliveries.get()

    forged = box.senders[0].replace(f"-m{delivery.pk}-", f"-{delivery.pk}-")
    assert store_bounce(report(forged)) == BounceKind.NOT_OURS
    assert states(mail) == ["sent"]
    assert store_bounce(report(box.senders[0].upper())) == BounceKind.NEVER
    assert states(mail) == ["back"]


def test_a_mail_is_sent_in_batches(club, alice, settings, monkeypatch):
    monkeypatch.setattr(member_mails, "BATCH", 2)
    for number in range(5):
        member(club, f"Ann Able{number}", f"a{number}@example.org")
    mail = send_mail(club, alice)

    with smtp(settings) as box:
        for count in (2, 4):
            with pytest.raises(RetryLater):
                send_batch(str(mail.pk))
            assert len(box.letters) == count
        send_batch(str(mail.pk))
        send_batch(str(mail.pk))

    assert len({to for to, _letter in box.letters}) == len(box.letters) == 5


def test_a_club_has_limits_of_a_day(club, alice, monkeypatch):
    monkeypatch.setattr(member_mails, "MOST_ADDRESSES", 4)
    member(club, "Ann Able", "klein@example.org")
    member(club, "Bob Able", "klein@example.org")
    member(club, "Cat Able", "cat@example.org")

    mails = [send_mail(club, alice, once=str(number)) for number in range(2)]
    with pytest.raises(TooManyMails):  # a third one would make six addresses
        send_mail(club, alice, once="2")
    monkeypatch.setattr(member_mails, "MOST_ADDRESSES", 6)
    send_mail(club, alice, once="2")
    monkeypatch.setattr(member_mails, "MOST_ADDRESSES", 2000)
    with pytest.raises(TooManyMails):  # a fourth one on a day
        send_mail(club, alice, once="3")

    elsewhere = ClubFactory()
    member(elsewhere, "Eve Able", "eve@example.org")
    assert send_mail(elsewhere, alice).club == elsewhere
    MemberMail.objects.filter(pk=mails[0].pk).update(at=timezone.now() - member_mails.DAY)
    assert send_mail(club, alice, once="3")


def test_two_thousand_addresses_are_stored_at_once_and_2001_are_not(
    club, alice, django_assert_max_num_queries
):
    Person.objects.bulk_create(
        Person(club=club, name=f"Ann Able{n}", search=f"ann able{n:04}") for n in range(2001)
    )
    ResultsSubscription.objects.bulk_create(
        ResultsSubscription(
            person=person, email=f"a{person.pk}@example.org", confirmed_at=timezone.now()
        )
        for person in Person.objects.filter(club=club)
    )
    with pytest.raises(TooManyMails):
        send_mail(club, alice, once="too many")
    Person.objects.filter(search="ann able2000").update(other_club="Elsewhere")

    with django_assert_max_num_queries(60):
        mail = send_mail(club, alice)

    assert mail.deliveries.count() == 2000
    assert Job.objects.get(kind=member_mails.SEND).key == str(mail.pk)


def test_a_signed_link_is_of_one_address(club):
    ann = ResultsSubscription.objects.get(person=member(club, "Ann Able", "a@example.org"))
    signed = member_mails.unsubscribe_address(ann).split("/")[-2]

    assert find_signed_address(signed) == ann
    for wrong in (f"{ann.pk + 1}{signed[signed.index(':') :]}", str(ann.pk), signed[:-1], ""):
        assert find_signed_address(wrong) is None
    Club.objects.filter(pk=club.pk).delete()
    assert find_signed_address(signed) is None


def test_the_update_marks_mails_whose_address_failed_within_a_week(club):
    """Before, a mail to members counted as come back by the time at which its address failed."""
    week, now = datetime.timedelta(weeks=1), timezone.now()
    gone_after = {
        "ann": datetime.timedelta(0),
        "bea": datetime.timedelta(seconds=-1),
        "max": week - datetime.timedelta(seconds=1),
        "old": week,
        "sue": None,
    }
    mail = MemberMail.objects.create(club=club, audience="all", subject="Party", once="a")
    for name, after in gone_after.items():
        member(club, f"{name.title()} Able", f"{name}@example.org")
        address = ResultsSubscription.objects.get(email=f"{name}@example.org")
        address.gone_since = None if after is None else now + after
        address.save()
        MemberMailDelivery.objects.create(mail=mail, address=address, state="sent")
    MemberMailDelivery.objects.update(at=now)
    migration = import_module("bridgebuddy.publication.migrations.0013_member_mails_back")

    migration.mark_returned(AppsOfThen(), None)
    assert states(mail) == ["back", "sent", "back", "sent", "sent"]
    assert set(mail.deliveries.values_list("at", flat=True)) == {now}
    migration.mark_sent(AppsOfThen(), None)
    assert states(mail) == ["sent"] * 5
