"""No browser stores a page of a signed-in user: after signing out *Back* shows none."""

import pytest
from django.urls import reverse

from tests.scoring.test_tonight import scored_section

from . import rights

pytestmark = pytest.mark.django_db


def test_no_answer_to_somebody_signed_in_is_kept(club, alice, signed_in, monkeypatch):
    monkeypatch.setattr("bridgebuddy.printing.rendering.cache.render_pdf", str.encode)
    section = scored_section(8, "howell", club=club, by=alice)
    addresses = {**rights.addresses_of(section, alice), **rights.other_addresses()}
    browser = signed_in(alice)
    cookies = browser.cookies.output(header="", sep=";")

    answers = {}
    for name, address in addresses.items():
        browser.cookies.load(cookies)  # some sign out
        answers[name] = browser.get(address)
    kept = [
        name
        for name, answer in answers.items()
        if "no-store" not in answer.headers.get("Cache-Control", "")
    ]

    assert len([answer for answer in answers.values() if answer.status_code == 200]) > 80
    assert kept == []


def test_a_page_for_everybody_is_kept_by_whoever_is_not_signed_in(client, club, alice):
    answer = client.get(reverse("library"))

    assert "no-store" not in answer.headers.get("Cache-Control", "")
