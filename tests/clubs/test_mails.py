"""Mails are ours: in our words, with the club's name, and no word of a server's."""

import pytest
from django.urls import reverse

from tests.factories import director_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _with_mail(settings):
    settings.HAS_MAIL = settings.SIGN_UP = True


@pytest.mark.parametrize(
    ("address", "sent", "subject", "says"),
    [
        ("account_reset_password", {"email": "anna@example.org"}, "A new password", "Lindenhof"),
        (
            "account_reset_password",
            {"email": "nobody@example.org"},
            "no account",
            "another address",
        ),
    ],
)
def test_a_mail_is_in_our_words(client, club, mailoutbox, address, sent, subject, says):
    director_of(club, email="anna@example.org")

    client.post(reverse(address), sent, headers={"host": "localhost"})

    [mail] = mailoutbox
    assert subject in mail.subject
    assert mail.body.startswith("Good day,\n\n")
    assert says in mail.body
    without_links = [line for line in mail.body.splitlines() if "://" not in line]
    assert "localhost" not in "".join(without_links) + mail.subject
    assert "example.com" not in mail.body
