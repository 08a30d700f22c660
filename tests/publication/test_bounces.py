"""Mails that come back: noted by the envelope they left in, and nothing is believed that did not come to it."""

import io
import sys
from smtplib import SMTPRecipientsRefused, SMTPResponseException

import pytest
from django.core.management import call_command
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from bridgebuddy.clubs.models import Person
from bridgebuddy.publication.mails import bounces
from bridgebuddy.publication.mails.bounces import BounceKind, envelope_sender, store_bounce
from bridgebuddy.publication.mails.mailing import is_refused_for_good, mail_counts
from bridgebuddy.publication.mails.results_mailing import mail_results
from bridgebuddy.publication.models import ResultsMail, ResultsSubscription
from bridgebuddy.scoring.services import publishing
from bridgebuddy.scoring.services.rulings import give_penalty
from tests.publication_mail import smtp
from tests.scoring.test_tonight import scored_section

pytestmark = pytest.mark.django_db
ANNA = "anna@example.org"


@pytest.fixture(autouse=True)
def with_mail(settings):
    settings.HAS_MAIL = True
    settings.PUBLIC_URL = "https://bridge.example.org"
    settings.BOUNCES_TO = "bounces@bridge.example.org"


@pytest.fixture
def section(club, alice):
    return scored_section(6, "mitchell", rounds=3, club=club, by=alice)


def anna():
    person = Person.objects.get(name="Anna North1")
    return ResultsSubscription.objects.create(
        person=person, email=ANNA, confirmed_at=timezone.now()
    )


@pytest.fixture
def sent(section, alice, settings):
    """The envelope of a letter that went."""
    anna()
    publishing.make_list_final(section, by=alice)
    with smtp(settings) as box:
        mail_results(str(section.session_id))
    [envelope] = box.senders
    return envelope


def report(to, status="5.1.1", action="failed", kind="delivery-status"):
    """Return a mail server's report of an undelivered mail."""
    return (
        f"From: MAILER-DAEMON@mx.example.org\nTo: {to}\nMIME-Version: 1.0\nContent-Type: multipart/report;"
        f' report-type={kind};\n boundary="=_1"\n\n--=_1\n\nI\'m sorry to have to inform you\n--=_1\n'
        f"Content-Type: message/{kind}\n\nReporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; {ANNA}\n"
        f"Action: {action}\nStatus: {status} (no such user)\n\n--=_1\nContent-Type: text/rfc822-headers\n\n"
        f"Subject: Tuesday Pairs\n\n--=_1--\n"
    ).encode()


def states():
    return list(ResultsMail.objects.values_list("state", flat=True))


def is_written_to():
    return [subscription.gone_since is None for subscription in ResultsSubscription.objects.all()]


def test_a_letter_says_who_it_is_from_and_leaves_in_an_envelope_of_its_own(
    section, alice, settings
):
    anna()
    publishing.make_list_final(section, by=alice)
    with smtp(settings) as box:
        mail_results(str(section.session_id))
    letter = ResultsMail.objects.get()

    assert box.senders == [envelope_sender(letter.address, letter)]
    assert box.senders[0].startswith(f"bounces+{letter.address_id}-{letter.pk}-")
    assert len(box.senders[0].partition("@")[0]) <= 64
    assert f"From: {settings.DEFAULT_FROM_EMAIL}" in box.letters[0][1]
    assert "bounces" not in box.letters[0][1]


def test_where_nobody_reads_what_comes_back_mails_leave_as_they_always_did(
    section, alice, settings
):
    settings.BOUNCES_TO, settings.DEFAULT_FROM_EMAIL = "", "Club <club@example.org>"
    anna()
    publishing.make_list_final(section, by=alice)
    with smtp(settings) as box:
        mail_results(str(section.session_id))

    assert box.senders == ["club@example.org"]
    assert box.letters[0][1].count("From: Club <club@example.org>") == 1


@pytest.mark.parametrize(
    ("status", "action", "read", "state", "is_open"),
    [
        ("5.1.1", "failed", BounceKind.NEVER, "back", False),
        ("5.1.1", "FAILED", BounceKind.NEVER, "back", False),
        ("4.4.7", "failed", BounceKind.NOT_NOW, "back", True),
        ("4.4.1", "delayed", BounceKind.LATE, "sent", True),
        ("2.0.0", "delivered", BounceKind.LATE, "sent", True),
        ("x", "failed", BounceKind.LATE, "sent", True),
    ],
)
def test_what_came_back_is_noted_as_its_server_says(sent, status, action, read, state, is_open):
    assert store_bounce(report(sent, status, action)) == read

    assert (states(), is_written_to()) == ([state], [is_open])


@pytest.mark.parametrize(
    ("code", "is_for_good"), [(421, False), (499, False), (500, True), (550, True)]
)
def test_a_mail_server_refuses_for_good_from_500_on(code, is_for_good):
    answers = SMTPResponseException(code, "no"), SMTPRecipientsRefused({ANNA: (code, b"no")})

    assert [is_refused_for_good(answer) for answer in answers] == [is_for_good, is_for_good]


def test_the_director_reads_how_many_came_back(sent, section, alice, signed_in):
    browser = signed_in(alice)
    page = reverse("ranking", args=[section.code])
    edit = reverse(
        "edit-player", args=[section.club.pk, ResultsSubscription.objects.get().person_id]
    )
    before = browser.get(page).content.decode()
    store_bounce(report(sent))
    store_bounce(report(sent))  # twice is once

    assert "By e-mail: 1 sent, 0 wait, 0 not taken." in before
    said = "By e-mail: 1 sent, 1 of them came back, 0 wait, 0 not taken."
    assert said in browser.get(page).content.decode()
    assert "nothing is sent there any more" in browser.get(edit).content.decode()
    assert mail_counts(section.session_id)["back"] == 1


@pytest.mark.parametrize("status", ["5.1.1", "4.4.7"])
def test_nothing_more_is_written_to_who_is_never_there(sent, section, alice, settings, status):
    store_bounce(report(sent, status))
    first = Person.objects.get(name="Anna North1").entries.get()
    give_penalty(section, first.pk, unit="percent", amount=-1, kind="time", by=alice)

    with smtp(settings) as box:
        mail_results(str(section.session_id))

    assert [to for to, _letter in box.letters] == ([] if status == "5.1.1" else [ANNA])


def test_whoever_has_the_address_again_says_so(sent, client):
    store_bounce(report(sent))
    page = reverse("mail-address", args=[ResultsSubscription.objects.get().token])

    asked = client.get(page).content.decode()
    client.post(page, {"do": "confirm"})

    assert "A mail to you came back." in asked
    assert is_written_to() == [True]
    assert "Your results come by e-mail" in client.get(page).content.decode()


@pytest.mark.parametrize("where", ["Delivered-To", "X-Original-To", "beside"])
def test_where_it_came_to_is_read_where_servers_write_it(sent, where):
    data = report("Somebody <else@example.org>")
    if where == "beside":
        assert store_bounce(data, sent.upper()) == BounceKind.NEVER
    else:
        assert store_bounce(f"{where}: <{sent}>\n".encode() + data) == BounceKind.NEVER

    assert states() == ["back"]


def test_what_is_forged_or_is_no_report_changes_nothing(sent, section):
    letter = ResultsMail.objects.get()
    other = sent.replace(f"-{letter.pk}-", f"-{letter.pk + 1}-")
    wrong = sent[: sent.index("@") - 24] + "0" * 24 + sent[sent.index("@") :]
    holiday = f"To: {sent}\nAuto-Submitted: auto-replied\n\nI am away. Status: 5.1.1\n".encode()
    deep = b"".join(
        b'Content-Type: multipart/report; boundary="%d"\n\n--%d\n' % (number, number)
        for number in range(3000)
    )
    found = [
        store_bounce(report("bounces@bridge.example.org")),
        store_bounce(report(other)),
        store_bounce(report(wrong)),
        store_bounce(report(sent, kind="disposition-notification")),
        store_bounce(holiday),
        store_bounce(b""),
        store_bounce(b"\xff\x00" * 5000),
        store_bounce(f"To: {sent}\n".encode() + deep),
        store_bounce(b"x" * bounces.MOST_BYTES + report(sent)),
    ]

    assert found[:3] == [BounceKind.NOT_OURS] * 3
    assert found[3:5] == [BounceKind.NO_REPORT] * 2
    assert not {BounceKind.NEVER, BounceKind.NOT_NOW} & set(found)
    assert (states(), is_written_to()) == (["sent"], [True])


def test_an_address_that_was_forgotten_meanwhile_is_nobodys(sent):
    ResultsSubscription.objects.all().delete()

    assert store_bounce(report(sent)) == BounceKind.NEVER

    assert states() == []


def test_who_is_asked_at_an_address_that_is_wrong(club, alice, signed_in, settings):
    person = Person.objects.create(club=club, name="Ann Lee")
    with smtp(settings) as box:
        signed_in(alice).post(reverse("player-mail", args=[club.pk, person.pk]), {"email": ANNA})

    assert store_bounce(report(box.senders[0])) == BounceKind.NEVER

    assert is_written_to() == [False]


class Input:
    def __init__(self, data):
        self.buffer = io.BytesIO(data)


def test_a_mail_server_pipes_it(sent, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", Input(report(sent) + b"x" * 2 * bounces.MOST_BYTES))

    call_command("bounced")

    assert "Nothing goes to that address any more." in capsys.readouterr().out
    assert (states(), sys.stdin.buffer.read()) == (["back"], b"")


def test_a_mail_server_tries_again_while_the_database_is_away(sent, monkeypatch):
    def away(*_all):
        raise DatabaseError("away")

    monkeypatch.setattr(sys, "stdin", Input(report(sent)))
    monkeypatch.setattr("bridgebuddy.publication.management.commands.bounced.store_bounce", away)

    with pytest.raises(SystemExit) as left:
        call_command("bounced")

    assert left.value.code == 75
