"""Every page of accounts is in our design, those included that are seldom seen."""

import pytest
from django.urls import NoReverseMatch, reverse

pytestmark = pytest.mark.django_db

NAMES = (
    *("account_login", "account_signup", "account_reset_password", "account_reset_password_done"),
    *("account_email", "account_change_password", "account_reauthenticate", "account_inactive"),
    *("account_email_verification_sent", "account_logout"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_accounts_looks_like_all_others(name, alice, signed_in, client, settings):
    settings.HAS_MAIL = settings.SIGN_UP = True
    try:
        address = reverse(name)
    except NoReverseMatch:
        pytest.skip("not an address here")

    for browser in (client, signed_in(alice)):
        answer = browser.get(address, follow=True)
        page = answer.content.decode()
        assert answer.status_code == 200
        assert 'class="topbar"' in page
        assert "css/app.css" in page
        for button in page.split("<button")[1:]:
            assert 'class="btn' in button.split(">")[0], button[:80]
        assert "<p><label" not in page


def test_what_the_library_says_is_said_in_our_german(alice, signed_in):
    browser = signed_in(alice)
    german = {"accept-language": "de"}
    other = {"oldpassword": "secret", "password1": "long-enough-1", "password2": "long-enough-2"}

    change = browser.post(reverse("account_change_password"), other, headers=german)
    out = browser.post(reverse("account_logout"), follow=True, headers=german)

    assert "Geben Sie zweimal dasselbe Passwort ein." in change.content.decode()
    assert "Sie sind abgemeldet." in out.content.decode()


def test_signing_in_needs_no_words(alice, client):
    alice.set_password("long-enough-1")
    alice.save()

    sent = {"login": alice.email, "password": "long-enough-1"}
    home = client.post(reverse("account_login"), sent, follow=True)

    assert home.context["user"] == alice
    assert list(home.context["messages"]) == []


def test_a_password_is_changed_at_one_address_only_where_guesses_are_limited(alice, signed_in):
    alice.set_password("long-enough-1")
    alice.save()
    browser = signed_in(alice)
    right = {"oldpassword": "long-enough-1", "password1": "long-er-2-x", "password2": "long-er-2-x"}

    other = browser.post(reverse("account_set_password"), right)
    guesses = [
        browser.post(reverse("account_change_password"), right | {"oldpassword": "wrong"})
        for _ in range(11)
    ]

    assert (other.status_code, other.url) == (302, f"{reverse('account')}?open=password#password")
    assert [guess.status_code for guess in guesses] == [422] * 10 + [429]
    alice.refresh_from_db()
    assert alice.check_password("long-enough-1")


@pytest.mark.parametrize("send", ["get", "post"])
def test_a_server_without_mail_promises_no_mail_for_a_forgotten_password(
    send, alice, client, settings, mailoutbox
):
    settings.HAS_MAIL = False

    answer = getattr(client, send)(reverse("account_reset_password"), {"email": alice.email})

    page = answer.content.decode()
    assert "This server sends no e-mails. Ask the person who installed it" in page
    assert "We send you an e-mail" not in page
    assert "<form" not in page.partition("<main")[2].partition("</main")[0]
    assert mailoutbox == []
