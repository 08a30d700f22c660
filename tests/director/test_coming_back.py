"""Bringing back a pair that has left, at the desk."""

import pytest
from django.urls import reverse

from tests.director.reading import address_of, alerts_on, in_which_one_can, text, ways_on

pytestmark = pytest.mark.django_db

NOT_NOW = "This cannot be chosen now. Choose from the list."


def test_who_has_left_can_be_brought_back_from_the_desk(browser, skip_section, alice):
    address = address_of(skip_section, "back")
    desk = reverse("desk", args=[skip_section.code])
    assert address not in browser.get(desk).content.decode()
    section = in_which_one_can("back", skip_section, alice)
    pair = section.entries.get(contestant=2)
    assert address in browser.get(desk).content.decode()

    answer = browser.post(
        address,
        {
            "contestant": 2,
            "plan": section.plan,
            "way": ways_on(browser.get(address, {"contestant": 2}))[0],
        },
    )

    assert answer.status_code == 302
    page = browser.get(desk)
    assert f"Back, in the free seat: {pair.names}." in text(page)
    assert address not in page.content.decode()


def test_who_is_there_cannot_be_brought_back(browser, skip_section, alice):
    section = in_which_one_can("back", skip_section, alice)

    answer = browser.get(address_of(section, "back"), {"contestant": 3})

    assert answer.status_code == 422
    assert alerts_on(answer) == [NOT_NOW]
