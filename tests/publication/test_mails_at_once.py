"""Two secretaries who send the same letter at the same moment: each address gets one mail."""

import pytest
from django.utils import timezone

from bridgebuddy.clubs.models import Role
from bridgebuddy.publication.mails import member_mails
from bridgebuddy.publication.mails.member_mails import (
    Addressees,
    MailDraft,
    send_batch,
    send_to_members,
)
from bridgebuddy.publication.models import MemberMail, MemberMailDelivery
from tests.factories import member_of
from tests.publication_mail import smtp
from tests.together import errors, together

from .test_member_mails import member

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESSES = ["ann@example.org", "bob@example.org", "both@example.org"]


@pytest.fixture
def secretaries(club, settings):
    settings.HAS_MAIL, settings.PUBLIC_URL = True, "https://bridge.example.org"
    for name in ("ann", "bob", "both"):
        member(club, f"{name.title()} Able", f"{name}@example.org")
    member(club, "Couple Able", "both@example.org")
    return [member_of(club, Role.SECRETARY, email=f"{name}@example.org") for name in "ab"]


def send(club, by, once, text="Come and play."):
    draft = MailDraft("Summer party", text, by.email, once)
    return send_to_members(Addressees(club, "all"), draft, by=by)


def recipients(settings):
    with smtp(settings) as box:
        for mail in MemberMail.objects.all():
            send_batch(str(mail.pk))
    return sorted(to for to, _letter in box.letters)


@pytest.mark.parametrize("keys", ["aa", "ab"])
def test_the_same_letter_of_two_secretaries_reaches_each_address_once(
    club, settings, secretaries, keys
):
    """With the key of one form, as after a second press, or each with a form of the own."""
    first, second = secretaries

    outcomes = together(
        lambda: send(club, first, keys[0]),
        lambda: send(club, second, keys[1]),
    )

    assert errors(outcomes) == []
    assert outcomes[0] == outcomes[1]
    assert MemberMail.objects.count() == 1
    assert MemberMailDelivery.objects.count() == 4  # the couple shares an address
    assert recipients(settings) == ADDRESSES
    assert recipients(settings) == []


def test_other_words_and_the_same_words_an_hour_later_are_another_letter(
    club, settings, secretaries
):
    first, second = secretaries
    send(club, first, "a")

    send(club, second, "b", text="Come and dance.")
    assert MemberMail.objects.count() == 2
    MemberMail.objects.update(at=timezone.now() - member_mails.SAME_WITHIN)
    send(club, second, "c")

    assert recipients(settings) == sorted(ADDRESSES * 3)
