"""Optional sign-in with a code from a phone: attempts are limited, and a lost phone does not lose the account."""

import io

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from bridgebuddy.clubs.membership import members
from bridgebuddy.clubs.models import SecurityEvent, User
from bridgebuddy.clubs.sign_in.second_factor import CODES

pytestmark = pytest.mark.django_db
PASSWORD = "right horse battery"
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


def code_of(secret, which=0):
    """Return the code that the app shows now or next."""
    counter = list(auth.yield_hotp_counters_from_time())[1 + which]
    return auth.format_hotp_value(auth.hotp_value(secret, counter))


@pytest.fixture
def guarded(alice):
    """Return Alice with an app and a sheet of codes."""
    auth.TOTP.activate(alice, SECRET)
    RecoveryCodes.activate(alice)
    return alice


def with_password(user):
    """Return a browser in which the user has typed the password, and the next address."""
    browser = Client()
    answer = browser.post(
        reverse("account_login"), {"login": user.email, "password": PASSWORD, "remember": ""}
    )
    return browser, answer


def asked_once_more(browser, user):
    """Sign in, and type the password once more, as changes of an account require."""
    browser.force_login(user)
    browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def is_in(browser, club):
    return browser.get(reverse("club-settings", args=[club.pk])).status_code == 200


def test_it_is_turned_on_by_scanning_and_typing_what_the_app_shows(
    client, alice, club, django_capture_on_commit_callbacks
):
    asked_once_more(client, alice)
    page = client.get(reverse("mfa_activate_totp"))
    assert ' class="qr"' in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    secret = page.context["form"].secret

    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(reverse("mfa_activate_totp"), {"code": code_of(secret)}, follow=True)

    assert len(answer.context["unused_codes"]) == 10
    assert SecurityEvent.objects.filter(what="factor", by=alice, club=club).count() == 1
    again, led = with_password(alice)
    assert led.url == reverse("mfa_authenticate")
    assert not is_in(again, club)


def test_a_user_with_an_app_signs_in_during_a_trial(client, guarded, club):
    client.post(reverse("trial"))
    answers = {"login": guarded.email, "password": PASSWORD}

    page = client.post(reverse("account_login"), answers, follow=True)
    assert page.redirect_chain[-1][0] == reverse("mfa_authenticate")
    assert not is_in(client, club)
    client.post(reverse("mfa_authenticate"), {"code": code_of(SECRET)})

    assert is_in(client, club)


def test_the_password_typed_during_a_trial_stays_noted_after_it(client, alice):
    client.post(reverse("trial"))

    client.post(reverse("account_login"), {"login": alice.email, "password": PASSWORD})

    [record] = client.session["account_authentication_methods"]
    assert (record["method"], record["email"]) == ("password", alice.email)


def test_a_wrong_password_ends_no_trial(client, alice):
    client.post(reverse("trial"))

    client.post(reverse("account_login"), {"login": alice.email, "password": "wrong"})

    assert client.get("/").context["user"].is_trial_user


def test_a_wrong_first_code_turns_nothing_on(client, alice):
    asked_once_more(client, alice)
    client.get(reverse("mfa_activate_totp"))

    assert client.post(reverse("mfa_activate_totp"), {"code": "x"}).status_code == 200
    assert not Authenticator.objects.exists()


def test_password_and_code_let_in(guarded, club):
    browser, _ = with_password(guarded)
    browser.post(reverse("mfa_authenticate"), {"code": code_of(SECRET)})
    assert is_in(browser, club)


def test_a_code_of_the_sheet_lets_in_once(guarded, club):
    one = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    found = []
    for _ in range(2):
        browser, _ = with_password(guarded)
        browser.post(reverse("mfa_authenticate"), {"code": one})
        found.append(is_in(browser, club))
    assert found == [True, False]


def test_whoever_knows_the_password_alone_gets_so_many_tries(guarded, club):
    for _ in range(CODES.most):
        browser, _ = with_password(guarded)
        browser.post(reverse("mfa_authenticate"), {"code": "000000"})
        assert not is_in(browser, club)

    answer = browser.post(reverse("mfa_authenticate"), {"code": code_of(SECRET)})

    assert answer.status_code == 200
    assert not is_in(browser, club)
    assert SecurityEvent.objects.filter(what="failed", about=guarded.email).exists()


def test_nobody_changes_it_without_being_asked_once_more(guarded, client):
    client.force_login(guarded)
    answer = client.post(reverse("mfa_deactivate_totp"))

    assert "reauthenticate" in answer.url
    assert Authenticator.objects.filter(user=guarded, type="totp").exists()


def test_whoever_has_lost_phone_and_sheet_is_let_in_by_who_runs_the_server(guarded, club):
    said = io.StringIO()
    call_command("second_factor_off", guarded.email.upper(), stdout=said)

    browser, _ = with_password(guarded)
    assert is_in(browser, club)
    assert "with the password alone" in said.getvalue()
    assert SecurityEvent.objects.filter(what="nofactor", about=guarded.email).exists()
    with pytest.raises(CommandError):
        call_command("second_factor_off", "nobody@example.org")


def test_an_account_that_a_stranger_made_is_its_owners_without_the_strangers_phone(club, alice):
    stranger = User.objects.create_user("new@example.org", PASSWORD)
    auth.TOTP.activate(stranger, SECRET)
    invitation, _ = members.invite_address(
        club, email="new@example.org", roles=["director"], by=alice
    )

    members.account_of_invitation(invitation, "another long password")

    assert not Authenticator.objects.filter(user=stranger).exists()


def test_pages_say_how_many_codes_are_left(guarded, client):
    client.force_login(guarded)
    assert "10 codes are left" in client.get(reverse("mfa_index")).content.decode()
    for name in ("mfa_view_recovery_codes", "mfa_generate_recovery_codes", "mfa_deactivate_totp"):
        assert client.get(reverse(name)).status_code in (200, 302)
