"""Results by e-mail, with a real mail server: once, again only where something is new, and stopped with one press."""

import datetime
import email
import email.policy
import re
import socket

import pytest
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.events.models import Section
from bridgebuddy.events.services.lifecycle import forgetting
from bridgebuddy.events.services.setup import entries
from bridgebuddy.jobs.kinds import RetryLater
from bridgebuddy.jobs.models import Job
from bridgebuddy.publication.mails.mailing import MailServerUnavailable
from bridgebuddy.publication.mails.results_mailing import mail_results
from bridgebuddy.publication.models import ResultsMail, ResultsSubscription
from bridgebuddy.scoring.errors import ListIsClosed
from bridgebuddy.scoring.models import ScoringSettings
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.classes import store_classes
from bridgebuddy.scoring.services.rulings import give_penalty
from tests.publication_mail import smtp
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL = True
    settings.PUBLIC_URL = "https://bridge.example.org"


@pytest.fixture
def section(club, alice):
    section = scored_section(6, "mitchell", rounds=3, club=club, by=alice)
    return Section.objects.get(pk=section.pk)


def reader(name, address):
    return ResultsSubscription.objects.create(
        person=Person.objects.get(name=name), email=address, confirmed_at=timezone.now()
    )


def words(letter):
    mail = email.message_from_bytes(letter.encode(), policy=email.policy.default)
    return mail.get_body(("plain",)).get_content().replace("\r", "")


def test_a_final_list_is_sent_once_with_the_own_sheet_and_the_ranking(section, alice, settings):
    reader("Anna North1", "anna@example.org")
    publishing.make_list_final(section, by=alice)
    assert Job.objects.filter(kind="mail-results", key=str(section.session_id)).exists()

    with smtp(settings) as box:
        mail_results(str(section.session_id))
        mail_results(str(section.session_id))

    ((to, letter),) = box.letters
    assert to == "anna@example.org"
    whole = words(letter)
    assert "\nYou and Bob South1:\nPlace " in whole
    assert len(re.findall(r"^ {1,2}\d+  ", whole, re.MULTILINE)) == 9  # a line for each board
    assert re.search(r"https://bridge\.example\.org/me/[A-Z0-9]{16}/", whole)  # their own page
    headers = email.message_from_string(letter)
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert headers["List-Unsubscribe"].strip().startswith("<https://bridge.example.org/mail/")


def test_a_letter_rounds_as_pages_do_and_writes_numbers_as_its_reader(club, alice, settings):
    """Five tables: eighths of a top, of which half ones go away from 50."""
    club.language = "de"
    club.save()
    section = scored_section(10, "mitchell", rounds=5, club=club, by=alice)
    readers = {f"{number}@example.org" for number in range(1, 11)}
    for address in readers:
        reader(f"Anna North{address.partition('@')[0]}", address)
    publishing.make_list_final(section, by=alice)

    with smtp(settings) as box:
        mail_results(str(section.session_id))

    letters = [words(letter) for _, letter in box.letters]
    assert len(letters) == 10
    assert all(
        re.search(r"^Platz \d+=? von \d+.*, \d+,\d\d %$", letter, re.MULTILINE)
        for letter in letters
    )
    had = {
        int(found)
        for letter in letters
        for found in re.findall(r"^ {1,2}\d+ .* (\d+) %$", letter, re.MULTILINE)
    }
    assert had <= {0, 12, 25, 37, 50, 63, 75, 88, 100}
    assert {37, 63} <= had


def test_who_was_entered_and_had_no_seat_keeps_nothing_from_the_others(section, alice, settings):
    waiting = Section.objects.create(session=section.session, name="B")
    entries.add_pairs(waiting, [("Zoë Neu", "Zeno Alt")], by=alice)
    reader("Zoë Neu", "zoe@example.org")
    reader("Anna North1", "anna@example.org")
    publishing.make_list_final(section, by=alice)

    with smtp(settings) as box:
        mail_results(str(section.session_id))

    assert [to for to, _letter in box.letters] == ["anna@example.org"]


def test_only_who_has_something_new_is_sent_a_corrected_list(section, alice, settings):
    reader("Anna North1", "anna@example.org")
    reader("Anna North2", "other@example.org")
    publishing.make_list_final(section, by=alice)

    with smtp(settings) as box:
        mail_results(str(section.session_id))
        first = Person.objects.get(name="Anna North1").entries.get()
        give_penalty(section, first.pk, unit="percent", amount=-1, kind="time", by=alice)
        before = len(box.letters)
        mail_results(str(section.session_id))

    assert before == 2
    news = [to for to, _letter in box.letters[before:]]
    assert "anna@example.org" in news
    assert "corrected" in box.letters[before][1]


def test_who_has_not_confirmed_or_whose_list_is_not_final_is_sent_nothing(section, alice, settings):
    waiting = ResultsSubscription.objects.create(
        person=Person.objects.get(name="Anna North1"), email="anna@example.org"
    )
    with smtp(settings) as box:
        mail_results(str(section.session_id))
        publishing.make_list_final(section, by=alice)
        mail_results(str(section.session_id))
        assert box.letters == []
        ResultsSubscription.objects.filter(pk=waiting.pk).update(confirmed_at=timezone.now())
        ScoringSettings.objects.update(embargo_until=timezone.now() + datetime.timedelta(hours=2))
        with pytest.raises(RetryLater):
            mail_results(str(section.session_id))
        assert box.letters == []


def test_a_list_that_was_opened_again_is_sent_to_nobody(section, alice, settings):
    reader("Anna North1", "anna@example.org")
    publishing.make_list_final(section, by=alice)
    publishing.reopen_list(section, by=alice)

    with smtp(settings) as box:
        mail_results(str(section.session_id))

    assert box.letters == []


@pytest.mark.parametrize("where", ["recipient", "data"])
def test_a_server_that_cannot_now_is_asked_again_and_one_that_never_will_is_not(
    section, alice, settings, where
):
    reader("Anna North1", "anna@example.org")
    reader("Anna North2", "other@example.org")
    publishing.make_list_final(section, by=alice)

    with smtp(settings) as box:
        if where == "data":
            box.answer = "451 later"
        else:
            box.answers = {"anna@example.org": "550 nobody", "other@example.org": "450 later"}
        with pytest.raises(MailServerUnavailable):
            mail_results(str(section.session_id))
        box.answer, box.answers = "250 OK", {}
        mail_results(str(section.session_id))
        mail_results(str(section.session_id))

    expected = (
        ["anna@example.org", "other@example.org"] if where == "data" else ["other@example.org"]
    )
    assert sorted(to for to, _letter in box.letters) == expected
    states = dict(ResultsMail.objects.values_list("address__email", "state"))
    assert states["other@example.org"] == "sent"
    assert states["anna@example.org"] == ("sent" if where == "data" else "refused")


def test_no_mail_server_at_all_leaves_all_waiting(section, alice, settings):
    reader("Anna North1", "anna@example.org")
    publishing.make_list_final(section, by=alice)
    with smtp(settings):
        pass  # it is no more

    with pytest.raises(MailServerUnavailable):
        mail_results(str(section.session_id))

    assert ResultsMail.objects.get().state == "waits"


def test_a_mail_server_that_never_answers_is_given_up_and_asked_again(section, alice, settings):
    reader("Anna North1", "anna@example.org")
    publishing.make_list_final(section, by=alice)
    with smtp(settings), socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = silent.getsockname()[1], 0.2

        with pytest.raises(MailServerUnavailable):
            mail_results(str(section.session_id))

    assert ResultsMail.objects.get().state == "waits"


def test_an_address_is_asked_first_confirmed_and_stopped_with_one_press(
    client, club, section, alice, signed_in, settings
):
    person = Person.objects.get(name="Anna North1")
    browser = signed_in(alice)
    asked = reverse("player-mail", args=[club.pk, person.pk])
    with smtp(settings) as box:
        for wrong in ("x", "a@b\nBcc: c@example.org", ""):
            browser.post(asked, {"email": wrong})
        assert not ResultsSubscription.objects.exists()
        browser.post(asked, {"email": "anna@example.org"})
    page = re.search(r"https://bridge.example.org(/mail/\S+)", words(box.letters[0][1]))[1]
    assert ResultsSubscription.objects.get().confirmed_at is None

    client.get(page)  # a program that looks at links confirms nothing
    assert ResultsSubscription.objects.get().confirmed_at is None
    client.post(page, {"do": "confirm"})
    assert ResultsSubscription.objects.get().confirmed_at is not None

    assert client.post(page, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not ResultsSubscription.objects.exists()
    assert client.get(page).status_code == 404


def test_an_address_goes_with_the_name(section, alice):
    reader("Anna North1", "anna@example.org")
    Section.objects.update(finished_at=timezone.now())

    forgetting.anonymise_person(Person.objects.get(name="Anna North1"), by=alice)

    assert not ResultsSubscription.objects.exists()


def test_without_a_mail_server_the_page_says_so_and_an_address_can_still_be_forgotten(
    club, section, alice, signed_in, settings
):
    settings.HAS_MAIL = False
    mail = reader("Anna North1", "anna@example.org")
    browser = signed_in(alice)
    edit = reverse("edit-player", args=[club.pk, mail.person_id])

    before = browser.get(edit).content.decode()
    browser.post(reverse("player-mail", args=[club.pk, mail.person_id]), {"do": "forget"})
    after = browser.get(edit).content.decode()

    said = "This server sends no results by e-mail."
    assert (said in before, "anna@example.org" in before) == (True, True)
    assert (said in after, "anna@example.org" in after, "Ask for confirmation" in after) == (
        True,
        False,
        False,
    )
    assert not ResultsSubscription.objects.exists()


def test_a_list_final_before_the_address_was_confirmed_is_never_sent(section, alice, settings):
    publishing.make_list_final(section, by=alice)
    reader("Anna North1", "anna@example.org")
    first = Person.objects.get(name="Anna North1").entries.get()
    give_penalty(section, first.pk, unit="percent", amount=-1, kind="time", by=alice)

    with smtp(settings) as box:
        mail_results(str(section.session_id))

    assert not box.letters
    assert not ResultsMail.objects.exists()


def test_points_for_a_closed_list_are_stored_and_revise_and_mail_nothing(section, alice):
    publishing.make_list_final(section, by=alice)
    Job.objects.filter(kind="mail-results").delete()
    past = timezone.now() - datetime.timedelta(days=1)
    ScoringSettings.objects.filter(session=section.session_id).update(closes_at=past)
    first = section.entries.order_by("pk").first()
    classes = {first.pk: {"handicap": "2", "categories": ["senior"]}}

    store_classes(section, strata=[], classes=classes, masterpoints="abf-session", by=alice)

    scoring = ScoringSettings.objects.get(session=section.session_id)
    assert scoring.masterpoints == "abf-session"
    assert scoring.classes == {str(first.pk): classes[first.pk]}
    assert (scoring.revision, scoring.is_closed) == (1, True)
    assert not Job.objects.filter(kind="mail-results").exists()
    with pytest.raises(ListIsClosed):
        store_classes(section, strata=[], classes=classes, min_played="50", by=alice)
