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
